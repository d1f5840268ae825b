"""Places in Korea to district codes: names with and without 구/시/군, dongs, new towns, in Korean and English.

A name that several cities have is resolved by a city named beside it, and asked otherwise.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.domains.homes.gazetteer import DONG, DONGS, Gazetteer, PlaceMeaning, gazetteer
from services.plugin.entities import Alternative, Entity, ReadSoFar
from services.text.entities import AskReason
from services.text.ko.romanised import romanised_place
from services.text.negation import is_negated
from services.text.patterns import Pattern
from services.text.words import PhraseHit, phrase_index

REGION = "region"
"""The kind."""
# What may stand between a province or city and the district that belongs to it.
_GAP = frozenset(" ,·의시도에서(in")
_CODE = 5
"""The length of a district's code."""
_IN_KOREA = {"country": "KR"}
_JOINT = Pattern(r"\s?(?:이?랑|하고|와|과|이?나|vs\.?|대|,|/|·|\bor\b|\band\b)?\s?", re.IGNORECASE)
"""What stands between two places that are named in one breath."""
_WITH = Pattern(r"(?:구|시|군|동)?\s?(?:이?랑|하고|와|과|,|/|·)\s?")
_AND = Pattern(r",?\s(?:and|or)\s", re.IGNORECASE)
"""What stands between two places that are put aside together, in Korean and in English."""
_LOCATED = Pattern(r"에(?:서|다|는|도)?\s|\s?(?:쪽|시내|근처|살(?:고|려)|으?로\s?(?:이사|옮))")
"""What says behind a name that something is there."""
_HOME_WORD = Pattern(r"\s?(?:아파트|오피스텔|빌라|원룸|주택|전세|월세|전월세|매매|집값|부동산|시세|땅값)")
_HOME_WORD_EN = Pattern(
    r"\b(?:apartments?|flats?|officetels?|villas?|houses?|homes?|jeonse|rents?|renting)\b", re.IGNORECASE
)
_WITHIN = Pattern(r"\b(?:in|at|near|around|within|outside)\s$", re.IGNORECASE)
_COMPARED = Pattern(
    r"얼마나?\s?(?:더|덜)|차이|더\s?(?:비싸|싸|비싼|싼|들)|how much (?:more|less|cheaper|dearer)|\bdifference\b"
    r"|\bthan\b",
    re.IGNORECASE,
)
"""What asks how far two places are apart: "A instead of B" then names a side, and puts nothing aside."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """One place name in the text with everything that it may mean."""

    hit: PhraseHit
    """The name and where it stands."""
    places: tuple[PlaceMeaning, ...]
    """Its meanings, at least one."""
    is_homonym: bool
    """Whether the name is an ordinary word too."""


def read_regions(so_far: ReadSoFar) -> tuple[Entity, ...]:
    """Read the places in the order of the text, each once; ask about the ones that fit several districts."""
    known, text = gazetteer(), so_far.text
    together = phrase_index(text).find_names(known.groups, known.name_length_max)
    regions = [
        _region(so_far, known, _Mention(hit, (PlaceMeaning(code, ""),), is_homonym=False))
        for hit in together
        for code in known.groups[hit.phrase]
    ]
    places = _places(text, known, together)
    gone = _left_out(text, places)
    for found in places:
        region = None if found in gone else _region(so_far, known, found)
        if region is not None and not any((region.value, region.label) == (one.value, one.label) for one in regions):
            regions.append(region)
    regions = sorted(_without_parents(regions), key=lambda one: one.start)
    for region in regions:
        if not region.value:
            so_far.claims.ask(REGION, AskReason.AMBIGUOUS, region.start, region.end)
    return tuple(regions)


def districts_left_out(text: str) -> tuple[str, ...]:
    """Return the codes of the districts that a text puts aside: "강남이랑 서초 말고", "apart from Haeundae"."""
    known = gazetteer()
    gone = _left_out(text, _places(text, known, phrase_index(text).find_names(known.groups, known.name_length_max)))
    return tuple(dict.fromkeys(place.code for one in gone for place in one.places if not place.dong))


def _places(text: str, known: Gazetteer, together: Sequence[PhraseHit]) -> list[_Mention]:
    """Return the places that a text names, in its order; those of groups of districts are none of them."""
    mentions = [one for one in _mentions(text, known) if not any(_overlap(one.hit, hit) for hit in together)]
    places, position = [], 0
    while position < len(mentions):
        found, used = _named_at(text, mentions, position)
        position += used
        places += [found] if found is not None else []
    return places


def _left_out(text: str, places: Sequence[_Mention]) -> list[_Mention]:
    """Return the places that are put aside by words beside them, or in one breath with one that is.

    Korean says so behind the last of them, English before the first.
    """
    if _COMPARED.search(text):
        return []
    gone = [is_negated(text, one.hit.start, one.hit.end) for one in places]
    between = [text[one.hit.end : other.hit.start] for one, other in itertools.pairwise(places)]
    for at, words in enumerate(between):
        gone[at + 1] = gone[at + 1] or (gone[at] and _AND.fullmatch(words) is not None)
    for at, words in reversed([*enumerate(between)]):
        gone[at] = gone[at] or (gone[at + 1] and _WITH.fullmatch(words) is not None)
    return [one for one, is_gone in zip(places, gone, strict=True) if is_gone]


def _overlap(one: PhraseHit, other: PhraseHit) -> bool:
    return one.start < other.end and other.start < one.end


def _mentions(text: str, known: Gazetteer) -> list[_Mention]:
    hits = phrase_index(text).find_names(known.names, known.name_length_max)
    named = [hit for hit in hits if known.names[hit.phrase]]
    joined = _joined_homonyms(text, known, named)
    return [
        _Mention(hit, known.names[hit.phrase], hit not in joined and _is_homonym(text, known, hit)) for hit in named
    ]


def _joined_homonyms(text: str, known: Gazetteer, hits: Sequence[PhraseHit]) -> list[PhraseHit]:
    """Return names that are words too and stand in one breath with another place, where homes are spoken of."""
    if not _HOME_WORD.search(text) and not _HOME_WORD_EN.search(text):
        return []
    pairs = [(one, other) for one, other in itertools.pairwise(hits) if _JOINT.fullmatch(text[one.end : other.start])]
    return [hit for pair in pairs for hit in pair if hit.phrase in known.home_homonyms]


def _is_homonym(text: str, known: Gazetteer, hit: PhraseHit) -> bool:
    """Tell whether the name may be only a word here."""
    if hit.phrase in known.home_homonyms:
        here = _LOCATED.match(text, hit.end) and _HOME_WORD.search(text) and _is_city(known, hit.phrase)
        if here or _HOME_WORD.match(text, hit.end) or _is_english_place(text, hit):
            return False
    return hit.phrase in known.homonyms


def _is_english_place(text: str, hit: PhraseHit) -> bool:
    """Tell whether a name of people is a place, where homes are spoken of: written as one, or with something in it."""
    if not text[hit.start].isascii() or _HOME_WORD_EN.search(text) is None:
        return False
    return text[hit.start].isupper() or _WITHIN.search(text, 0, hit.start) is not None or _is_of_homes(text, hit.end)


def _is_of_homes(text: str, end: int) -> bool:
    """Tell whether a word for homes stands right behind: "guri flats"."""
    behind = _HOME_WORD_EN.search(text, end)
    return behind is not None and not text[end : behind.start()].strip()


def _is_city(known: Gazetteer, name: str) -> bool:
    return any(not place.dong and known.districts[place.code].name.endswith("시") for place in known.names[name])


def _named_at(text: str, mentions: Sequence[_Mention], position: int) -> tuple[_Mention | None, int]:
    """Read the place that begins with the mention at `position`, with the smaller places right behind it."""
    first = mentions[position]
    chosen, used, end = first.places, 1, first.hit.end
    named = [] if first.is_homonym else [first.places]
    for mention in mentions[position + 1 :]:
        between = text[end : mention.hit.start]
        inside = tuple(place for place in mention.places if any(parent.holds(place) for parent in chosen))
        outside = tuple(place for place in chosen if any(parent.holds(place) for parent in mention.places))
        inside = inside or _said_inside(chosen, mention, between) or _namesake_inside(chosen, mention)
        if not set(between) <= _GAP or len(between) > 4 or not (inside or outside) or inside == chosen:
            break
        chosen, end, used = inside or outside, mention.hit.end, used + 1
        named.append(mention.places)
    if not named or (first.is_homonym and used == 1):
        return None, used
    if len({place.code for place in chosen}) > 1:
        chosen = _by_itself(_by_other_mentions(chosen, mentions), mentions[position + used - 1])
    return _Mention(replace(first.hit, end=end), chosen, is_homonym=False), used


def _said_inside(chosen: tuple[PlaceMeaning, ...], mention: _Mention, between: str) -> tuple[PlaceMeaning, ...]:
    """Return a dong as the one of the district right beside it, though other districts have legal dongs of its name.

    Korean says the district first, English behind a comma.
    """
    dongs, districts = (mention.places, chosen) if not between.strip() else (chosen, mention.places)
    if len(districts) != 1 or districts[0].dong or len(districts[0].code) != _CODE or between.strip() not in {"", ","}:
        return ()
    name = next((place.dong for place in dongs if place.dong.endswith(DONG)), "")
    return (PlaceMeaning(districts[0].code, name),) if name and all(place.dong for place in dongs) else ()


def _namesake_inside(chosen: tuple[PlaceMeaning, ...], mention: _Mention) -> tuple[PlaceMeaning, ...]:
    """Return the city that has a short name in common with a province, behind its own province: "경기도 광주"."""
    code = gazetteer().namesakes.get(mention.hit.phrase, "")
    return (PlaceMeaning(code, ""),) if code and [one.code for one in chosen] == [code[:2]] else ()


def _by_other_mentions(places: tuple[PlaceMeaning, ...], mentions: Sequence[_Mention]) -> tuple[PlaceMeaning, ...]:
    """Keep the meanings that lie in a province or city named anywhere in the text, when there are any.

    Else the one that lies in the province of the other districts named: 강서구 beside 마포구 is Seoul's.
    """
    others = [mention.places[0] for mention in mentions if len({place.code for place in mention.places}) == 1]
    kept = tuple(place for place in places if any(other.holds(place) for other in others))
    beside = {other.code[:2] for other in others}
    near = tuple(place for place in places if place.code[:2] in beside)
    return kept or (near if len({place.code for place in near}) == 1 else places)


def _by_itself(places: tuple[PlaceMeaning, ...], mention: _Mention) -> tuple[PlaceMeaning, ...]:
    """Keep the meaning that a name has where nothing beside it decides; all of them where it has none."""
    code = gazetteer().meant.get(mention.hit.phrase, "") if len({place.code for place in places}) > 1 else ""
    return tuple(place for place in places if place.code == code) or places


def _region(so_far: ReadSoFar, known: Gazetteer, found: _Mention) -> Entity:
    codes = tuple(dict.fromkeys(place.code for place in found.places))
    districts = [known.districts[code] for code in codes]
    if len(codes) > 1:
        others = [Alternative(one.code, so_far.say(one.name, one.name_en)) for one in districts]
        dongs = {place.dong for place in found.places if place.dong.endswith(DONGS)}
        attributes = {**_IN_KOREA, **({"dong": dongs.pop()} if len(dongs) == 1 else {})}
        return so_far.entity(REGION, "", "", found.hit, attributes=attributes, alternatives=others)
    found_dong = found.places[0].dong
    name, name_en = districts[0].name, districts[0].name_en
    # A new town or station within the district that bears its name adds nothing to it.
    if found_dong and found_dong not in name.replace(" ", "") and not found_dong.endswith("역"):
        name, name_en = f"{name} {found_dong}", f"{romanised_place(found_dong)}, {name_en}"
    attributes = {**_IN_KOREA, **({"dong": found_dong} if found_dong.endswith(DONGS) else {})}
    return so_far.entity(REGION, codes[0], so_far.say(name, name_en), found.hit, attributes=attributes)


def _without_parents(regions: list[Entity]) -> list[Entity]:
    """Drop a province or district that was named only to say where a smaller place of the text lies."""
    codes = [region.value for region in regions if len(region.value) == _CODE]
    inner = {region.value for region in regions if "dong" in region.attributes}
    return [
        one
        for one in regions
        if not (len(one.value) == 2 and any(code.startswith(one.value) for code in codes))
        and not (one.value in inner and "dong" not in one.attributes)
    ]
