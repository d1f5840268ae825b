"""Every number of a question on money of homes is bound, asked for or told unused; no verdict stands before that."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.catalog.answerers import answerer_of
from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import AnswerState, Ask, AskAnswer, AskVerdict
from services.domains.realty.asks.proved import value_said
from services.plugin.asks.answering import Found
from services.plugin.asks.sheet import Sheet
from services.plugin.findings import Asking

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)
ROWS = sorted((Path(__file__).parents[3] / "evals" / "answers").glob("*.jsonl"))
COMPUTED = frozenset(
    f"realty.{name}"
    for name in (
        *("loan_limit", "debt_share", "money_enough", "loan_payment", "lease_choice", "loan_by_payment", "rent_rise"),
        *("rent_conversion", "brokerage_fee", "acquisition_tax", "repayment_fee", "given_jeonse_ratio", "given_yield"),
        *("resale_gain", "price_per_area"),
    )
)
"""Who computes from the question's own numbers."""
BEARING = frozenset({"krw", "percent", "percentage_point"})
SHORT_EVERY = 5
"""The default run takes each fifth question."""


def _questions() -> Iterator[str]:
    for path in ROWS:
        for line in path.read_text("utf-8").splitlines():
            turns = json.loads(line)["turns"]
            if len(turns) == 1 and any(mark.isdigit() for mark in turns[0]):
                yield turns[0]


@cache
def _read(text: str) -> tuple[Sheet, tuple[Ask, ...]]:
    reading = read_question(text, now=NOW)
    own = tuple(one for one in reading.entities if one.end)
    sheet = Sheet(reading.text, reading.language, date(2026, 11, 28), own)
    return sheet, tuple(claim.ask for claim in read_asks(sheet, ()))


def _answered(ask: Ask) -> AskAnswer:
    answerer = answerer_of(ask)
    assert answerer is not None
    return answerer.answer(ask, Found((), Asking(ask.words, "ko", NOW, "Asia/Seoul", "", (), (), ()))).answer


def _told(answer: AskAnswer) -> str:
    lines = [answer.sentence, *(one.text for one in answer.grounds), *answer.cautions]
    return " ".join(one.ko for one in lines if one is not None)


def _unheard(text: str) -> list[str]:
    """Return what is wrong with how the numbers of a question are taken; nothing where all are heard."""
    sheet, asks = _read(text)
    own = [ask for ask in asks if ask.answerer in COMPUTED]
    if not own or len(own) < len(asks):
        return []
    found = []
    taken = {one.start for ask in own for one in ask.quantities}
    # What is added to another sum stands in its words, and in the line that tells what was given.
    added = [part for ask in own for one in ask.quantities for part in one.words.split(" + ")[1:]]
    told = " ".join(_told(_answered(ask)) for ask in own) if added else ""
    found += [
        f"lost: {one.words}"
        for one in sheet.numbers
        if one.unit in BEARING and one.start not in taken and not (one.words in added and one.words in told)
    ]
    for ask in own:
        answer = _answered(ask)
        loose = [one for one in ask.quantities if not one.role and one.unit in {*BEARING, ""}]
        if answer.state is not AnswerState.ANSWERED:
            continue
        found += [f"answered without: {one.words}" for one in loose]
        said = _told(answer)
        found += [
            f"not told: {one.words} ({one.role})"
            for one in ask.quantities
            if one.role and value_said(Decimal(one.value), one.unit).ko not in said
        ]
    return found


def _wrong(questions: Iterator[str] | list[str]) -> dict[str, list[str]]:
    return {text: wrong for text in questions if (wrong := _unheard(text))}


@pytest.mark.long
def test_numbers_of_some_questions_are_heard() -> None:
    """Of each fifth question every sum and percentage is bound and told, or asked for."""
    assert _wrong(list(_questions())[::SHORT_EVERY]) == {}


@pytest.mark.slow
def test_numbers_of_all_questions_are_heard() -> None:
    """The same of every question of every set."""
    assert _wrong(_questions()) == {}


_PARTS = {
    "ko": {
        "income_year": "연봉 {}만원",
        "price": "집값 {}억",
        "rate": "금리 {}%",
        "months": "만기 {}년",
        "ltv": "LTV {}%",
        "dsr": "DSR {}%",
    },
    "en": {
        "income_year": "an income of {} million won",
        "price": "a price of {} million won",
        "rate": "a rate of {}%",
        "months": "a term of {} years",
        "ltv": "LTV {}%",
        "dsr": "DSR {}%",
    },
}
_ASKED = {"ko": "{}이면 대출 최대 얼마까지 받을 수 있어?", "en": "How much can I borrow with {}?"}
_UNIT = {"ko": {"income_year": 10_000, "price": 10**8}, "en": {"income_year": 10**6, "price": 10**6}}


@st.composite
def _loans(draw: st.DrawFn) -> tuple[str, dict[str, Decimal]]:
    """Draw a question on a loan's limit, its numbers in any order, and what each of them is."""
    locale = draw(st.sampled_from(("ko", "en")))
    values: dict[str, int | Decimal] = {
        "income_year": draw(st.integers(3_000, 20_000) if locale == "ko" else st.integers(30, 200)),
        "price": draw(st.integers(2, 20) if locale == "ko" else st.integers(200, 2_000)),
        "rate": Decimal(draw(st.integers(20, 90))) / 10,
        "months": draw(st.integers(5, 45)),
        "ltv": draw(st.integers(30, 80)),
        "dsr": draw(st.integers(30, 60)),
    }
    names = draw(st.permutations(sorted(values)))
    text = _ASKED[locale].format(", ".join(_PARTS[locale][name].format(values[name]) for name in names))
    return text, {name: Decimal(value) * _UNIT[locale].get(name, 1) for name, value in values.items()}


def _order_means_nothing(drawn: tuple[str, dict[str, Decimal]]) -> None:
    text, meant = drawn
    _, asks = _read(text)
    assert [one.answerer for one in asks] == ["realty.loan_limit"], text
    found = {one.role: Decimal(one.value) for one in asks[0].quantities}
    assert found == meant, text
    assert _answered(asks[0]).state is AnswerState.ANSWERED, text


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(_loans())
def test_the_order_of_numbers_means_nothing(drawn: tuple[str, dict[str, Decimal]]) -> None:
    """Each number of a question on a loan has the role that its words give it, in whatever order they stand."""
    _order_means_nothing(drawn)


@pytest.mark.slow
@settings(max_examples=1_000, suppress_health_check=[HealthCheck.too_slow])
@given(_loans())
def test_the_order_of_numbers_means_nothing_a_thousand_times(drawn: tuple[str, dict[str, Decimal]]) -> None:
    """The same of a thousand questions."""
    _order_means_nothing(drawn)


_RISES = {
    "ko": "보증금 {before}만원인데 갱신하면서 {after}만원으로 올려달래. 들어줘야 해?",
    "en": "My deposit is {before} million won; on renewal the landlord wants {after} million won. Must I pay?",
}


def _a_rise_is_judged(locale: str, before: int, by: int) -> None:
    after = before + by
    _, (ask,) = _read(_RISES[locale].format(before=before, after=after))
    answer = _answered(ask)
    if after > before * 2:
        return
    over = 20 * by > before
    assert answer.verdict is (AskVerdict.NO if over else AskVerdict.YES), ask.words


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(("ko", "en")), st.integers(1_000, 90_000), st.integers(1, 9_000))
def test_a_rise_is_judged_by_one_twentieth(locale: str, before: int, by: int) -> None:
    """What a landlord wants on a renewal is within the cap where it is at most a twentieth more, and beyond it else."""
    _a_rise_is_judged(locale, before, by)


@pytest.mark.slow
@settings(max_examples=1_000, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(("ko", "en")), st.integers(1_000, 90_000), st.integers(1, 9_000))
def test_a_rise_is_judged_by_one_twentieth_a_thousand_times(locale: str, before: int, by: int) -> None:
    """The same of a thousand rises."""
    _a_rise_is_judged(locale, before, by)
