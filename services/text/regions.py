"""Places in Korea to district codes: names with and without 구/시/군, dongs, new towns, in Korean and English.

A name that several cities have is resolved by a city named beside it, and asked otherwise (spec 1.5, 1.6.6).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from services.text.claims import Claims
from services.text.entities import AskReason, District, Region
from services.text.gazetteer import Gazetteer, Place, gazetteer
from services.text.negation import is_negated
from services.text.words import Hit, phrase_index

# What may stand between a province or city and the district that belongs to it.
_GAP = frozenset(" ,·의시도에서(in")
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


def read_regions(claims: Claims) -> tuple[Region, ...]:
    """Read the places in the order of the text, each once; ask about the ones that fit several districts."""
    known = gazetteer()
    mentions = _mentions(claims.text, known)
    regions: list[Region] = []
    position = 0
    while position < len(mentions):
        region, used = _region_at(claims.text, known, mentions, position)
        position += used
        if region is None or is_negated(claims.text, region.start, region.end):
            continue
        if not any(region.code == other.code and region.name == other.name for other in regions):
            regions.append(region)
    regions = _without_parents(regions)
    for region in regions:
        if region.code is None:
            claims.ask("regions", AskReason.AMBIGUOUS, region.start, region.end)
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


def _region_at(text: str, known: Gazetteer, mentions: Sequence[_Mention], position: int) -> tuple[Region | None, int]:
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
    return _region(text, known, chosen, first.hit.start, end), used


def _by_other_mentions(places: tuple[Place, ...], mentions: Sequence[_Mention]) -> tuple[Place, ...]:
    """Keep the meanings that lie in a province or city named anywhere in the text, when there are any."""
    others = [mention.places[0] for mention in mentions if len({place.code for place in mention.places}) == 1]
    kept = tuple(place for place in places if any(other.holds(place) for other in others))
    return kept or places


def _region(text: str, known: Gazetteer, places: tuple[Place, ...], start: int, end: int) -> Region:
    surface = text[start:end]
    codes = tuple(dict.fromkeys(place.code for place in places))
    if len(codes) > 1:
        found = tuple(known.districts[code] for code in codes)
        return Region(None, surface, surface, surface, start, end, found)
    district: District = known.districts[codes[0]]
    dong = places[0].dong
    # A new town or station within the district that bears its name adds nothing to it.
    name = (
        district.name
        if not dong or dong in district.name.replace(" ", "") or dong.endswith("역")
        else f"{district.name} {dong}"
    )
    return Region(codes[0], name, district.name_en, surface, start, end)


def _without_parents(regions: list[Region]) -> list[Region]:
    """Drop a province that was named only to say where a district of the text lies."""
    codes = [region.code for region in regions if region.code]
    return [
        region
        for region in regions
        if not (region.code and len(region.code) == 2 and any(len(c) == 5 and c.startswith(region.code) for c in codes))
    ]
