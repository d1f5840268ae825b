"""A place chosen out of those that were told, of which something else is asked: "더 비싼 쪽 매매가는?", "the cheaper one's jeonse?"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.plugin.asks.comparatives import side
from services.plugin.asks.edits import OF_SET, asks_first_alone, first_few, number_said, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import PAIR, standing, things
from services.plugin.entities import Entity

_WORDS_MAX: Final = 11
_CHOOSES: Final = (
    r"(?:(?:더|제일|가장|젤)\s?(?:많이\s?)?[가-힣]{1,4}|(?<![가-힣])(?:싼|비싼|낮은|높은|저렴한))\s?(?:데|곳|쪽|구|동네|지역)(?:의|은|는|에서|에서는)?\s+\S*(?:매매|전세|월세|전세가율|평당|시세|거래)"
    r"|\b(?:cheap|dear|pric(?=i)|high|low|expensive)\w*(?: (?:one|place|district|of the (?:two|three)))(?:['’]s|,|:)?\s.*\b(?:jeonse|sale|rent|ratio)"
    r"|\b(?:jeonse|sale|rent|ratio)\b.*\b(?:of|in|for|at) the (?:more |less |most |least )?(?:cheap|dear|pric(?=i)|high|low|expensive)\w*"
)
_MOVED: Final = (
    r"(?:더|제일|가장|젤)\s?(?:많이\s?)?(?:오른|내린|뛴|떨어진|빠진|상승한|하락한)\s?(?:데|곳|쪽|구|동네|지역)"
)
_FELL: Final = r"내린|떨어진|빠진|하락한"
_MOST: Final = r"비싼|높은|큰|많은|expensive|\bdear|\bpric(?:ier|iest)|\bhigh(?:er|est)"
_LEAST: Final = r"less expensive|least expensive"
_YEAR: Final = "12"


def chosen(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> tuple[Entity, ...]:
    """Return the places that a message chooses by the figure told last, to ask another of them; none where it chooses none."""
    if now.subjects or not now.measures or not short(sheet.text, _WORDS_MAX):
        return ()
    stands, measure = standing(before, "region"), next(iter(last.measures), "")
    if few := first_few(sheet, stands):
        return things(few)
    first = sheet.superlative
    if first is not None and sheet.says(OF_SET) and _is_asked_behind(sheet, first.end):
        return things(stands.ordered(stands.measure, most=first.is_most)[:1])
    if not sheet.says(_CHOOSES):
        return ()
    is_most = sheet.says(_MOST) and not sheet.says(_LEAST)
    return things(stands.ordered(measure, most=is_most)[:1]) if not sheet.says(_MOVED) else ()


_MEASURES: Final = r"매매|전세|월세|평당|시세|거래|\b(?:jeonse|sales?|rents?|ratio|deals)\b"


def _is_asked_behind(sheet: Sheet, end: int) -> bool:
    """Tell whether a figure is asked of the first that is meant, and is not what it is first by: "제일 싼 곳 매매는?"."""
    ahead, behind = (replace(sheet, text=text) for text in (sheet.text[:end], sheet.text[end:]))
    return behind.says(_MEASURES) and not ahead.says(_MEASURES)


def is_first_of_set(sheet: Sheet, now: Ask, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message asks for a first of the places that were told, by whatever figure: "그 중 매매 제일 싼 데는?"."""
    several = len(standing(before, "region").several(number_said(sheet))) >= PAIR
    return not now.subjects and sheet.superlative is not None and sheet.says(OF_SET) and several


def moved_most(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> tuple[Ask, Ask] | None:
    """Return which of those told moved most, and the figure that is asked of it, told of each; None for another message."""
    places = things(standing(before, "region").several())
    if now.subjects or not now.measures or not sheet.says(_MOVED) or len(places) < PAIR:
        return None
    span = {name: last.notes[name] for name in ("back", "from", "to") if name in last.notes} or {"back": _YEAR}
    measure = next((one for one in last.measures if one != "jeonse_ratio"), "sale_price")
    shared = {name: value for name, value in last.notes.items() if name in {"today", "property_type", "kinds"}}
    way = "fell" if sheet.says(_FELL) else "rose"
    moves = replace(
        now, subjects=places, form=AskForm.COMPARE, measures=(measure,), answerer="market_change",
        notes={**shared, **span, "way": way, "least": ""}, conditions=last.conditions,
    )  # fmt: skip
    level = replace(
        now, subjects=places, form=AskForm.LEVEL, answerer="market_level", notes=shared, conditions=last.conditions
    )
    return moves, level


_HOLDS_APART: Final = (
    r"차이|차액|격차|얼마나?\s?(?:더|차)|둘\s?중|두\s?(?:곳|구|동네|군데)\s?중|(?:어디|뭐|어느\s?(?:쪽|데|곳|구))(?:가|이)?\s?더|더\s?(?:비싼|싼|높은|낮은)\s?(?:쪽|데|곳|구|동네)"
    r"|\bgap\b|\bdiffer|\bwhich (?:one |of (?:the two|them) )?is\b|\bby how much\b|\bhow much (?:more|less|cheaper|dearer)\b"
)
_APART_WORDS_MAX: Final = 9


def held_apart(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the places that were told, held against each other: "둘 차이는?", "더 많은 데는?"; None where none are.

    They are those that were asked of one by one, or the few that the message takes of a set: "더 비싼 두 곳은 차이가?".
    """
    if now.subjects or now.measures or not short(sheet.text, _APART_WORDS_MAX) or not _holds_apart(sheet):
        return None
    stands = standing(before, "region")
    alone = last.answerer == "homes.market_level" and len(last.subjects) == 1
    places = things(first_few(sheet, stands) or (stands.several(number_said(sheet)) if alone else ()))
    if len(places) < PAIR:
        return None
    most = sheet.superlative.is_most if sheet.superlative is not None else side(sheet) == "up"
    return replace(
        last, words=sheet.text, start=0, end=len(sheet.text), subjects=places,
        form=AskForm.COMPARE, answerer="market_compare", descending=most,
    )  # fmt: skip


def _holds_apart(sheet: Sheet) -> bool:
    """Tell whether a message holds what was told against each other, or asks for a first of it and nothing else."""
    return sheet.says(_HOLDS_APART) or side(sheet) is not None or asks_first_alone(sheet, _PLACES)


_PLACES: Final = "구|동네|지역"


def held_against_first(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the place just asked about held against the first of a set that was told before: "제일 비싼 데랑 차이는?".

    Which is first goes by the figures that the set was told with; what is compared is what stands. None elsewhere.
    """
    end, apart = sheet.superlative, sheet.says(_HOLDS_APART)
    if end is None or not apart or now.subjects or len(last.subjects) != 1 or not short(sheet.text, _APART_WORDS_MAX):
        return None
    stands = standing(before, "region")
    ordered = things(stands.ordered(stands.measure, most=end.is_most))
    own = last.subjects[0].value
    if own not in {one.value for one in ordered[1:]}:
        return None
    return replace(
        last, words=sheet.text, start=0, end=len(sheet.text), form=AskForm.COMPARE, answerer="market_compare",
        subjects=(replace(last.subjects[0], start=0, end=0), ordered[0]), descending=end.is_most,
    )  # fmt: skip
