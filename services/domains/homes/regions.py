"""Places in Korea to district codes: names with and without 구/시/군, dongs, new towns, in Korean and English.

A name that several cities have is resolved by a city named beside it, and asked otherwise.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.domains.homes.gazetteer import Gazetteer, Place, gazetteer
from services.plugin.entities import Alternative, Entity, ReadSoFar
from services.text.entities import AskReason
from services.text.negation import is_negated
from services.text.words import Hit, phrase_index

REGION = "region"
"""The kind."""
# What may stand between a province or city and the district that belongs to it.
_GAP = frozenset(" ,·의시도에서(in")
_IN_KOREA = {"country": "KR"}
_HOME_WORD = re.compile(r"\s?(?:아파트|오피스텔|빌라|원룸|주택|전세|월세|전월세|매매|집값|부동산|시세|땅값)")


@dataclass(frozen=True, slots=True)
class _Mention:
    """One place name in the text with everything that it may mean."""

    hit: Hit
    """The name and where it stands."""
    places: tuple[Place, ...]
    """Its meanings, at least one."""
    is_homonym: bool
    """Whether the name is an ordinary word too."""


def read_regions(so_far: ReadSoFar) -> tuple[Entity, ...]:
    """Read the places in the order of the text, each once; ask about the ones that fit several districts."""
    known, text = gazetteer(), so_far.text
    mentions = _mentions(text, known)
    regions: list[Entity] = []
    position = 0
    while position < len(mentions):
        found, used = _named_at(text, mentions, position)
        position += used
        if found is None or is_negated(text, found.hit.start, found.hit.end):
            continue
        region = _region(so_far, known, found)
        if not any((region.value, region.label) == (other.value, other.label) for other in regions):
            regions.append(region)
    regions = _without_parents(regions)
    for region in regions:
        if not region.value:
            so_far.claims.ask(REGION, AskReason.AMBIGUOUS, region.start, region.end)
    return tuple(regions)


def _mentions(text: str, known: Gazetteer) -> list[_Mention]:
    hits = phrase_index(text).find_names(known.names, known.name_length_max)
    return [
        _Mention(hit, known.names[hit.phrase], _is_homonym(text, known, hit)) for hit in hits if known.names[hit.phrase]
    ]


def _is_homonym(text: str, known: Gazetteer, hit: Hit) -> bool:
    """Tell whether the name may be only a word here."""
    if hit.phrase in known.home_homonyms and _HOME_WORD.match(text, hit.end):
        return False
    return hit.phrase in known.homonyms


def _named_at(text: str, mentions: Sequence[_Mention], position: int) -> tuple[_Mention | None, int]:
    """Read the place that begins with the mention at `position`, with the smaller places right behind it."""
    first = mentions[position]
    chosen, used, end = first.places, 1, first.hit.end
    named = [] if first.is_homonym else [first.places]
    for mention in mentions[position + 1 :]:
        between = text[end : mention.hit.start]
        inside = tuple(place for place in mention.places if any(parent.holds(place) for parent in chosen))
        outside = tuple(place for place in chosen if any(parent.holds(place) for parent in mention.places))
        if not set(between) <= _GAP or len(between) > 4 or not (inside or outside) or inside == chosen:
            break
        chosen, end, used = inside or outside, mention.hit.end, used + 1
        named.append(mention.places)
    if not named or (first.is_homonym and used == 1):
        return None, used
    if len({place.code for place in chosen}) > 1:
        chosen = _by_other_mentions(chosen, mentions)
    return _Mention(replace(first.hit, end=end), chosen, is_homonym=False), used


def _by_other_mentions(places: tuple[Place, ...], mentions: Sequence[_Mention]) -> tuple[Place, ...]:
    """Keep the meanings that lie in a province or city named anywhere in the text, when there are any."""
    others = [mention.places[0] for mention in mentions if len({place.code for place in mention.places}) == 1]
    kept = tuple(place for place in places if any(other.holds(place) for other in others))
    return kept or places


def _region(so_far: ReadSoFar, known: Gazetteer, found: _Mention) -> Entity:
    codes = tuple(dict.fromkeys(place.code for place in found.places))
    districts = [known.districts[code] for code in codes]
    if len(codes) > 1:
        others = [Alternative(one.code, so_far.say(one.name, one.name_en)) for one in districts]
        return so_far.entity(REGION, "", "", found.hit, attributes=_IN_KOREA, alternatives=others)
    name, dong = districts[0].name, found.places[0].dong
    # A new town or station within the district that bears its name adds nothing to it.
    if dong and dong not in name.replace(" ", "") and not dong.endswith("역"):
        name = f"{name} {dong}"
    label = so_far.say(name, districts[0].name_en)
    return so_far.entity(REGION, codes[0], label, found.hit, attributes=_IN_KOREA)


def _without_parents(regions: list[Entity]) -> list[Entity]:
    """Drop a province that was named only to say where a district of the text lies."""
    codes = [region.value for region in regions if len(region.value) == 5]
    return [one for one in regions if not (len(one.value) == 2 and any(code.startswith(one.value) for code in codes))]
