"""A place chosen out of those that were told, of which something else is asked: "더 비싼 쪽 매매가는?", "the cheaper one's jeonse?"."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Told
from services.plugin.asks.comparatives import side
from services.plugin.asks.edits import short, told_last
from services.plugin.asks.sheet import Sheet
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


def chosen(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> Entity | None:
    """Return the place that a message chooses by the figure told last, to ask another of it; None where it chooses none."""
    if now.subjects or not now.measures or not short(sheet.text, _WORDS_MAX) or not sheet.says(_CHOOSES):
        return None
    measure = next(iter(last.measures), "")
    told = [one for one in told_last(before, "region") if measure in one.figures]
    if len(told) < _PAIR or sheet.says(_MOVED):
        return None
    is_most = sheet.says(_MOST) and not sheet.says(_LEAST)
    one = (max if is_most else min)(told, key=lambda told: Decimal(told.figures[measure]))
    return Entity("region", one.value, one.label)


def moved_most(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> tuple[Ask, Ask] | None:
    """Return which of those told moved most, and the figure that is asked of it, told of each; None for another message."""
    told = told_last(before, "region")
    if now.subjects or not now.measures or not sheet.says(_MOVED) or len(told) < _PAIR:
        return None
    places = tuple(_place(one) for one in told)
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


_PAIR: Final = 2
_HOLDS_APART: Final = (
    r"차이|차액|격차|얼마나?\s?(?:더|차)|둘\s?중|두\s?(?:곳|구|동네|군데)\s?중|(?:어디|뭐|어느\s?(?:쪽|데|곳|구))(?:가|이)?\s?더|더\s?(?:비싼|싼|높은|낮은)\s?(?:쪽|데|곳|구|동네)"
    r"|\bgap\b|\bdiffer|\bwhich (?:one |of (?:the two|them) )?is\b|\bby how much\b|\bhow much (?:more|less|cheaper|dearer)\b"
)
_APART_WORDS_MAX: Final = 9


def held_apart(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the two places that were asked of one by one, held against each other: "둘 차이는?"; None where none are."""
    if now.subjects or now.measures or not short(sheet.text, _APART_WORDS_MAX) or not sheet.says(_HOLDS_APART):
        return None
    places: dict[str, Entity] = {}
    for ask in (ask for message in before for ask in message.asks):
        if ask.answerer != "homes.market_level" or len(ask.subjects) != 1 or len(places) == _PAIR:
            break
        places.setdefault(ask.subjects[0].value, replace(ask.subjects[0], start=0, end=0))
    if len(places) != _PAIR:
        return None
    return replace(
        last, words=sheet.text, start=0, end=len(sheet.text), subjects=tuple(reversed(places.values())),
        form=AskForm.COMPARE, answerer="market_compare", descending=side(sheet) == "up",
    )  # fmt: skip


def held_against_first(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the place just asked about held against the first of a set that was told before: "제일 비싼 데랑 차이는?".

    Which is first goes by the figures that the set was told with; what is compared is what stands. None elsewhere.
    """
    end, apart = sheet.superlative, sheet.says(_HOLDS_APART)
    if end is None or not apart or now.subjects or len(last.subjects) != 1 or not short(sheet.text, _APART_WORDS_MAX):
        return None
    own = last.subjects[0].value
    for message in before[1:]:
        by = next((one for ask in message.asks for one in ask.measures), "")
        told = {one.value: one for one in told_last([message], "region") if by in one.figures}
        if len(told) >= _PAIR and own in told:
            one = (max if end.is_most else min)(told.values(), key=lambda told: Decimal(told.figures[by]))
            if one.value == own:
                return None
            return replace(
                last, words=sheet.text, start=0, end=len(sheet.text), form=AskForm.COMPARE, answerer="market_compare",
                subjects=(replace(last.subjects[0], start=0, end=0), _place(one)), descending=end.is_most,
            )  # fmt: skip
    return None


def _place(one: Told) -> Entity:
    return Entity("region", one.value, one.label)
