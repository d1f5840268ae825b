"""Whether a share or series was ever above or below a level: its highest or lowest value of the time asked about."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm, AskVerdict, Said
from services.domains.finance.asks.drafting import draft
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.levels.extremes import called, extreme_calls, peak
from services.domains.finance.asks.levels.outcomes import nothing, shares_of, whole
from services.domains.finance.asks.named import numbers_of, series_named
from services.domains.finance.asks.spans import span_of
from services.domains.finance.asks.typed.bounds import may_bound
from services.domains.finance.asks.vocabulary import SERIES
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled
from services.plugin.entities import Entity

_EVER: Final = r"[가-힣]\s?적(?:이|은|도)?\s?(?:있|없)|\bever\b|at any (?:point|time)"
_UNDER: Final = r"밑|아래|이하|미만|밑돌|떨어진|내려간|내린|낮아진|below|under|beneath|fallen|dropped|less than"
_MONEY: Final = frozenset({"krw", "usd"})


def type_ever(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type whether one share or series was ever beyond a level: "1,500원 넘은 적 있어?"."""
    subjects = shares[:1] or series_named(sheet, wide=True)[:1]
    numbers = [one for one in numbers_of(sheet) if one.unit in _MONEY | {"percent", ""} and not one.is_bare]
    if not subjects or len(numbers) != 1 or not sheet.says(_EVER):
        return ()
    number, under = numbers[0], sheet.says(_UNDER)
    if not may_bound(number, subjects[0].value):
        return ()
    test = AskCondition("level", "lt" if under else "gt", f"{number.value.normalize():f}", number.unit, number.words)
    span = span_of(sheet)
    days = {"start_date": span.base, "end_date": span.end} if span is not None and span.base else {}
    ask = draft(sheet, AskForm.VERDICT, "ever", subjects, descending=not under, conditions=(test,), **days)
    return (Claim(ask, 0.96),)


def ever(ask: Ask, found: Found) -> Outcome:
    """Return yes or no with the highest or lowest value, its day, and what it is now."""
    held = Held(ask, found)
    subject = (*shares_of(ask), *(one.value for one in ask.subjects if one.value in SERIES))[0]
    told = peak(ask, held, found, subject)
    top, now = told or (None, None)
    if top is None or now is None:
        return nothing(ask, held)
    test = ask.conditions[0]
    bound, under = Decimal(test.value), test.operator == "lt"
    holds = top.value < bound if under else top.value > bound
    sentence = filled(
        "{yes}. 자료가 있는 동안 {name:이/가} 가장 {way} 때는 {when}의 {value}입니다. 지금은 {current}입니다({today}).",
        "{yes}: the {extreme} of {name} in the data was {value}, {when}. It is {current} now ({today}).",
        yes=Said("네, 있습니다", "Yes") if holds else Said("아니요, 없습니다", "No"),
        name=called(top),
        way="낮았던" if under else "높았던",
        extreme="lowest" if under else "highest",
        when=top.when,
        value=top.said,
        current=now.said,
        today=now.when,
    )
    return whole(ask, held, sentence, [top], verdict=AskVerdict.YES if holds else AskVerdict.NO)


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerer, served by the agents that read prices and series."""
    return (Answerer("ever", agents, ever, extreme_calls),)
