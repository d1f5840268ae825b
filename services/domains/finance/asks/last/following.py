"""Messages that go on from what was just told of markets: sums on the same share, the change between two days told."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Origin
from services.domains.finance.asks.against.valued import type_against_mean
from services.domains.finance.asks.drafting import as_quantity, draft, intent_of, reach
from services.domains.finance.asks.last.editing import one_side
from services.domains.finance.asks.last.going_on import as_ratio, in_currency
from services.domains.finance.asks.last.sides import sums_apart
from services.domains.finance.asks.last.strangers import alone_told, stranger
from services.domains.finance.asks.last.times import MOVED
from services.domains.finance.asks.multiples import type_multiple_at
from services.domains.finance.asks.named import (
    entity_of,
    exchange_supposed,
    measures_named,
    numbers_of,
    price_change,
    series_named,
)
from services.domains.finance.asks.positions import type_position
from services.domains.finance.asks.spans import level_day, span_of
from services.domains.finance.asks.typed.levels import type_crossed, type_extreme
from services.domains.finance.asks.typed.stories import type_advice, type_forecast, type_report
from services.domains.finance.asks.typed.sums import AFTER_TAX, INVEST, share_count, type_sums
from services.domains.finance.asks.vocabulary import BY_ID, SERIES, SHARE_WORDS
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import OF_SET, asks_first_alone, is_fresh, is_of_last, last_of, ordinal, short
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import PAIR, standing, things, told_last
from services.plugin.entities import Entity


def followed(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what goes on from the answer just given, so that its words are no question of their own."""
    unheld = None if shares else _none_told(sheet, before) or stranger(sheet, before) or alone_told(sheet, before)
    if unheld is not None:
        return (Claim(unheld, 0.96),)
    if is_of_last(before, "finance") and (gone := _gone_on(sheet, shares, before)):
        return gone
    last = last_of(before, "finance") if is_of_last(before, "finance") and not shares else None
    own = [one for one in measures_named(sheet) if one != "return"]
    if last is not None and own and _of_first(sheet, own) and not series_named(sheet):
        # "꼴찌 주가는?" behind a ranking is about the last of those that were told, and no ranking of all.
        one = one_side(sheet, last, before, own)
        return (one,) if one is not None else ()
    return _summed(sheet, shares, before)


def _gone_on(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return an operation on what was told just before: its change, ratio, currency, place beside a mean."""
    if (apart := _between(sheet, before) or sums_apart(sheet, before)) is not None:
        return (Claim(apart, 0.96),)
    told = before[0].asks[-1]
    if is_fresh(sheet):
        return ()
    gone = as_ratio(sheet, told, shares) or (None if shares or sheet.numbers else in_currency(sheet, told))
    if gone is not None:
        return (Claim(gone, 0.96),)
    if (then := _exchanged(sheet, told, shares) or _of_both(sheet, told)) is not None:
        return (then,)
    return () if shares else _held_to_mean(sheet, told)


def _held_to_mean(sheet: Sheet, last: Ask) -> Sequence[Claim]:
    """Return the figure that was told of one share held against a mean: "업종 평균이랑 비교하면?"."""
    held = [replace(one, start=0, end=0) for one in last.subjects if one.kind == "security"]
    if len(held) != 1 or not short(sheet.text, _WORDS_MAX) or sheet.superlative is not None:
        return ()
    return type_against_mean(sheet, held, measures=last.measures)


_BOTH: Final = r"둘\s?다|두\s?나라|양국|\bboth\b"


def _of_both(sheet: Sheet, last: Ask) -> Claim | None:
    """Return a series of both countries that were just told of: "기준금리도 둘 다"; None for another message."""
    told = {SERIES[one.value].country for one in last.subjects if one.value in SERIES}
    if len(told) < PAIR or not sheet.says(_BOTH) or len(named := series_named(sheet)) != 1:
        return None
    own = SERIES[named[0].value]
    if not own.twin or sheet.wants(AskForm.EFFECT):
        return None
    both = [entity_of(SERIES[one], sheet) for one in (own.id, own.twin)]
    return Claim(draft(sheet, AskForm.LEVEL, "level", both), 0.96)


_THEN: Final = r"그때|그\s?당시|당시|back then|at (?:that|the) time"


def _exchanged(sheet: Sheet, last: Ask, shares: Sequence[Entity]) -> Claim | None:
    """Return money changed at the rate that was just told: "그때 1000달러였으면 원화로?", "so $500 is?"; None elsewhere."""
    numbers = numbers_of(sheet)
    sums = [one for one in numbers if one.unit in {"krw", "usd"} and one.value > 1 and not one.bound]
    of_rate = any(one.value == _WON_DOLLAR for one in last.subjects) and last.answerer != "finance.exchange"
    others = (
        shares
        or measures_named(sheet)[1:]
        or exchange_supposed(sheet)
        or any(sheet.of_kind(one) for one in ("region", "category"))
    )
    if others or not of_rate or len(sums) != 1 or len(numbers) != 1 or sheet.says(_AT_A_BOUND):
        return None
    bare = short(sheet.text, _COUNT_WORDS_MAX) and sheet.says(_SUM_ALONE)
    if not (short(sheet.text, _WORDS_MAX) and (sums[0].unit == "usd" or bare or sheet.says(_OF_DOLLARS))):
        return None
    day = last.against_date or last.end_date if sheet.says(_THEN) else last.end_date
    made = draft(
        sheet,
        AskForm.AMOUNT,
        "exchange",
        (entity_of(SERIES[_WON_DOLLAR], sheet),),
        quantities=(as_quantity(sums[0], "sum"),),
    )
    first, end = level_day(sheet)
    end = end or day
    start = first or ((date.fromisoformat(end) - timedelta(days=13)).isoformat() if end else "")
    return Claim(replace(made, start_date=reach(start, end), end_date=end), 0.96)


_OF_DOLLARS: Final = r"달러|환전|바꾸|환율|\bdollars?\b|\bUSD\b|\brate\b|convert|exchange"
_SUM_ALONE: Final = r"(?:원|만|억|천)(?:어치|이라|이)?면\W*$|\bis\W*$"
"""A sum and nothing else, of which the other money is wanted."""
_WON_DOLLAR: Final = "KR_USDKRW"
_AT_A_BOUND: Final = (
    r"넘|이상|이하|미만|초과|돌파|오르면|내리면|떨어지면|\b(?:above|below|over|under|reach\w*|hit|touch\w*)\b"
)
"""Words for a sum that the rate itself is held against."""


def _of_first(sheet: Sheet, measures: Sequence[str]) -> bool:
    """Tell whether a measure is asked of the first or last of what was told; behind its own name it ranks by it."""
    first = sheet.superlative
    if first is None or not short(sheet.text, _COUNT_WORDS_MAX):
        return False
    places = [match.start() for one in measures if (match := sheet.find(BY_ID[one].words)) is not None]
    return bool(places) and min(places) >= first.end


_REFERS: Final = r"아까|앞서|방금|전에\s?(?:본|보여|말한)|earlier|before|you (?:showed|listed|told)"


_THAT_SHARE: Final = (
    r"(?:그|말한|말했던|본|봤던|보여\s?준|알려\s?준)\s?(?:종목|주식|회사|기업)|\b(?:that|the) (?:stock|share|company)\b"
)


def _none_told(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return that no share was told where a message points to one of several that should have been; None else."""
    if (
        not sheet.says(_REFERS)
        or not sheet.says(SHARE_WORDS)
        or told_last(before, "security")
        or not (ordinal(sheet) is not None or sheet.says(_THAT_SHARE))
        or any(one.kind == "security" for message in before for ask in message.asks for one in ask.subjects)
    ):
        return None
    return draft(sheet, AskForm.LIST, "none_told")


def with_lent(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what has words of its own and leaves its subject to the message just before: "앞으로는 어떨까?"."""
    last = last_of(before, "finance")
    if last is None or shares or not is_of_last(before, "finance") or not short(sheet.text, _SHORT):
        return ()
    lent = [replace(one, start=0, end=0) for one in last.subjects]
    if len(lent) != 1 or is_fresh(sheet):
        return ()
    # A first of those that were told is no end of the course of the one that was told last.
    of_set = len(standing(before, lent[0].kind).rows) >= PAIR and asks_first_alone(sheet, "종목|회사|주식|나라")
    ends = (type_extreme,) if sheet.says(_ENDS) and not of_set and not sheet.says(OF_SET) else ()
    of_share = (type_multiple_at, type_advice, type_report, type_crossed) if lent[0].kind == "security" else ()
    steps = (*ends, type_forecast, *of_share)
    return next((claims for step in steps if (claims := step(sheet, lent))), ())


_ENDS: Final = r"최고(?!의)|최저|고점|저점|신고가|신저가|꼭대기|바닥|(?:제일|가장|젤)\s?(?:높|낮|비쌌|쌌)|\bpeak|\bhighest\b|\blowest\b|\bhigh\b|\blow\b"
"""Words for the ends of a course over time."""
_SHORT: Final = 9


def _summed(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return a sum on the share that was just asked about: how many a sum buys, what was bought then, what is left."""
    last = last_of(before, "finance")
    if last is None or shares or not is_of_last(before, "finance") or is_fresh(sheet):
        return ()
    held = [replace(one, start=0, end=0) for one in last.subjects if one.kind == "security"]
    if (claims := type_position(sheet, held)) and short(sheet.text, _WORDS_MAX):
        return [_with_count(one, last) for one in claims]
    if (again := _of_each(sheet, before) or _again(sheet, last)) is not None:
        return (Claim(again, 0.96),)
    if len(held) != 1 or not short(sheet.text, _WORDS_MAX) or series_named(sheet):
        return ()
    priced = last.measures in {(), ("price",)} or last.answerer != "finance.level"
    claims = type_sums(sheet, held) or (_of_count(sheet, held) if priced else ())
    day = last.end_date or (last.against_date if sheet.says(_THEN) else "")
    if span_of(sheet) is not None or not day:
        return [replace(one, score=0.96) for one in claims]
    return [_since_told(one, day) for one in claims]


def _again(sheet: Sheet, last: Ask) -> Ask | None:
    """Return the last sum with what is left of it asked for, or on another day; None where it is no sum, or not meant."""
    if not short(sheet.text, _WORDS_MAX):
        return None
    at_rate = _at_rate(sheet, last)
    if at_rate is not None or series_named(sheet):
        return at_rate
    if last.answerer == "finance.worth" and sheet.says(_LEFT) and any(one.role == "sum" for one in last.quantities):
        return replace(last, words=sheet.text, start=0, end=len(sheet.text), notes={**last.notes, "rest": "1"})
    again = _AGAIN.get(last.answerer)
    return again(sheet, last) if again is not None else None


def _with_count(claim: Claim, last: Ask) -> Claim:
    """Return a position with the number of shares that was spoken of, where the message says none."""
    ask = claim.ask
    count = of_role(last.quantities, "shares")
    if count is None or of_role(ask.quantities, "shares") is not None:
        return claim
    return replace(claim, ask=replace(ask, quantities=(*ask.quantities, replace(count, origin=Origin.CARRIED))))


def _at_rate(sheet: Sheet, last: Ask) -> Ask | None:
    """Return the last sum at a rate of exchange that is supposed: "환율이 1500원이면?"; None where none is."""
    changed = last.answerer == "finance.exchange" or any(one.value.startswith("US:") for one in last.subjects)
    rate = exchange_supposed(sheet)
    if rate is None or not changed or last.answerer not in _CHANGED:
        return None
    kept = tuple(replace(one, origin=Origin.CARRIED) for one in last.quantities if one.role != "exchange")
    return replace(last, words=sheet.text, start=0, end=len(sheet.text), quantities=(*kept, rate))


_CHANGED: Final = frozenset({"finance.worth", "finance.exchange", "finance.position"})


def _exchanged_again(sheet: Sheet, last: Ask) -> Ask | None:
    """Return what another sum of money is in the other one; None where none is named, or a thing of its own is."""
    sums = [one for one in numbers_of(sheet) if one.unit in {"krw", "usd", ""} and one.value]
    if len(sums) != 1 or not short(sheet.text, _SHORT) or measures_named(sheet) or level_day(sheet)[1]:
        return None
    own = next((one for one in last.quantities if one.role == "sum"), None)
    unit = sums[0].unit or (own.unit if own is not None else "usd")
    made = replace(as_quantity(sums[0], "sum"), unit=unit)
    return replace(last, words=sheet.text, start=0, end=len(sheet.text), quantities=(made,))


def _counted_again(sheet: Sheet, last: Ask) -> Ask | None:
    """Return what another sum buys, or what another number of shares is worth; None where neither is named."""
    if last.measures == ("dividend",) and sheet.says(AFTER_TAX) and not sheet.numbers:
        return replace(last, words=sheet.text, start=0, end=len(sheet.text), notes={**last.notes, "net": "1"})
    if price_change(sheet) is not None or measures_named(sheet)[:1] not in {(), ("price",)}:
        return None
    if (part := _part_of(sheet, last) or _bought_then(sheet, last)) is not None:
        return part
    number = next((one for one in sheet.numbers if one.unit in {"krw", "usd", "shares", "weeks", ""}), None)
    if number is None or not short(sheet.text, _SHORT):
        return None
    own = next((one for one in last.quantities if one.role in {"sum", "shares"}), None)
    role = "sum" if number.unit in {"krw", "usd"} else "shares" if number.unit else own.role if own else "shares"
    unit = number.unit if role == "sum" and number.unit else own.unit if own and own.role == role else role
    made = replace(as_quantity(number, role), unit=unit)
    notes = {name: value for name, value in last.notes.items() if name != "rest"}
    return replace(last, words=sheet.text, start=0, end=len(sheet.text), quantities=(made,), notes=notes)


def _bought_then(sheet: Sheet, last: Ask) -> Ask | None:
    """Return what as many shares would have made, bought on another day: "작년 말에 샀다면?"; None where none is named."""
    span = span_of(sheet) if sheet.says(INVEST) else None
    if span is None or sheet.numbers or not any(one.role == "shares" for one in last.quantities):
        return None
    kept = tuple(replace(one, origin=Origin.CARRIED) for one in last.quantities if one.role == "shares")
    made = replace(last, words=sheet.text, start=0, end=len(sheet.text), answerer="finance.invest", quantities=kept)
    return replace(made, start_date="", against_date=span.base, end_date=span.end, notes=span.noted(last.notes))


_PARTS: Final = (
    (r"절반|반(?:만|을|이)|\bhalf\b", 2),
    (r"3분의\s?1|삼분의\s?일|\b(?:a|one) third\b", 3),
    (r"4분의\s?1|\b(?:a|one) quarter of\b", 4),
)


def _part_of(sheet: Sheet, last: Ask) -> Ask | None:
    """Return what a part of what was told is worth: "절반만 팔면?"; None where no part is named."""
    by = next((count for words, count in _PARTS if sheet.says(words)), 0)
    own = next((one for one in last.quantities if one.role in {"sum", "shares"}), None)
    if not by or own is None or sheet.numbers:
        return None
    value = Decimal(own.value) / by
    if own.role == "shares" and value != value.to_integral_value():
        return None
    part = replace(own, value=f"{value.normalize():f}", words=f"{value.normalize():f}", start=0, end=0)
    notes = {name: one for name, one in last.notes.items() if name != "rest"}
    return replace(last, words=sheet.text, start=0, end=len(sheet.text), quantities=(part,), notes=notes)


def _of_each(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return what so many of each of the last two are worth together: "둘 합쳐서 10주씩이면?"; None for another message."""
    count = share_count(sheet, numbers_of(sheet)) or next(
        (one for one in numbers_of(sheet) if one.unit == "shares"), None
    )
    both = things(standing(before, "security").several(PAIR))
    if count is None or len(both) < PAIR or not sheet.says(_EACH):
        return None
    held = tuple(replace(as_quantity(count, "shares"), unit="shares") for _ in both)
    return draft(sheet, AskForm.AMOUNT, "holdings", both, quantities=held, measures=("price",))


_EACH: Final = r"둘|각각|각\s|씩|합(?:쳐|치|하|해)|\beach\b|\bboth\b|together"


def _of_count(sheet: Sheet, held: Sequence[Entity]) -> Sequence[Claim]:
    """Return what so many shares are worth where a short message says no more than their number."""
    count = share_count(sheet, numbers_of(sheet))
    if count is None or not short(sheet.text, _COUNT_WORDS_MAX):
        return ()
    made = draft(sheet, AskForm.AMOUNT, "worth", held, quantities=(as_quantity(count, "shares"),), measures=("price",))
    return (Claim(made, 0.95),)


_COUNT_WORDS_MAX: Final = 5


def _invested_again(sheet: Sheet, last: Ask) -> Ask | None:
    """Return what a holding would have become, bought on another day or in another sum; None where nothing is replaced."""
    numbers = [one for one in sheet.numbers if one.unit in {"krw", "usd", "shares", "weeks"}]
    day, span = level_day(sheet)[1], span_of(sheet)
    base = day or (span.base if span is not None else "")
    if not (numbers or base) or measures_named(sheet)[:1] not in {(), ("return",), ("price",)}:
        return None
    made = replace(last, words=sheet.text, start=0, end=len(sheet.text))
    if numbers:
        one = numbers[0]
        role, unit = ("sum", one.unit) if one.unit in {"krw", "usd"} else ("shares", "shares")
        made = replace(made, quantities=(replace(as_quantity(one, role), unit=unit),))
    return replace(made, against_date=base, notes={**made.notes, "span": "since"}) if base else made


def _since_told(claim: Claim, day: str) -> Claim:
    """Return a sum from the day that was told of: "그때 100주 샀으면"."""
    ask = claim.ask
    if ask.answerer == "invest":
        ask = replace(ask, against_date=day, notes={**ask.notes, "span": "since"})
    return replace(claim, ask=ask, score=0.96)


_LEFT: Final = r"남(?:아|지|나|는|을|니|음|냐|죠|습|$|\?)|나머지|거스름|\bleft\b|remain|change do i get"
_WORDS_MAX: Final = 13
_IN_PERCENT: Final = r"퍼센트로|프로로|몇\s?(?:%|프로|퍼센트|퍼)\s?(?:오른|내린|야|지|나|인|변)|in percent|as a percent|what percent|percentage\W*$"
_BETWEEN: Final = r"둘\s?(?:의|은|사이|간)|두\s?(?:날|값|시점|수치|달)|그\s?(?:사이|차이|둘)|사이에?|between (?:the|those|them)|(?:those|the) two|from (?:the first|one) to"
_LEVEL_ASKS: Final = frozenset({"finance.level", "finance.exchange"})


def _between(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the change between the last two days of which one thing was told; None where no two are meant."""
    asks = [ask for message in before[:PAIR] for ask in message.asks[-1:]]
    moved = (sheet.says(_BETWEEN) and sheet.says(MOVED)) or (short(sheet.text, _SHORT) and sheet.says(_IN_PERCENT))
    if len(asks) < PAIR or not moved:
        return None
    late = asks[0]
    subjects = {tuple(one.value for one in ask.subjects) for ask in asks}
    if len(subjects) != 1 or len(late.subjects) != 1 or any(ask.answerer not in _LEVEL_ASKS for ask in asks):
        return None
    months = sorted(int(ask.notes.get("ago", "0")) for ask in asks)
    days = sorted((ask.end_date for ask in asks), key=lambda day: day or "9999")
    if days[0] == days[1] and months[0] == months[1]:
        return None
    is_share = late.subjects[0].kind == "security"
    notes = {"today": late.notes["today"], "span": "period", "months": str(months[1])}
    return Ask(
        words=sheet.text, end=len(sheet.text), form=AskForm.CHANGE, answerer="finance.change",
        subjects=tuple(replace(one, start=0, end=0) for one in late.subjects), measures=("return",) if is_share else (),
        against_date=days[0], end_date=days[1], intent=intent_of(AskForm.CHANGE, "change", late.subjects), notes=notes,
    )  # fmt: skip


_AGAIN: Final = {
    "finance.worth": _counted_again,
    "finance.exchange": _exchanged_again,
    "finance.invest": _invested_again,
}
"""How a sum of each kind is asked once more."""
