"""Judgements 2 and 3 on held data, and what reuse does to a plan: every rule by its figure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from services.catalog.loader import catalog
from services.catalog.reuse import with_reused
from services.catalog.sufficiency import (
    SURE,
    DataSubject,
    HeldResult,
    Need,
    SufficiencyVerdict,
    Use,
    first_hundredths,
    judged,
    need_of,
    still_missing,
    told,
)
from services.contract.flow import Branch, DecisionSource, ExecutionPlan, PlanStep, Strategy, Sufficiency, ToolCall

NOW = datetime(2026, 11, 27, tzinfo=UTC)
MAPO = DataSubject({"region": frozenset({"11440"})})
TYPES, DOMAINS = catalog().held_types, catalog().domains


def held(data_type: str = "market", *, rows: int = 5, days: float = 0.0, subject: DataSubject = MAPO) -> HeldResult:
    """Return an earlier result."""
    return HeldResult(data_type, rows, subject, NOW - timedelta(days=days))


def verdict(
    *results: HeldResult, types: tuple[str, ...] = ("market",), subject: DataSubject = MAPO, first: int = 100
) -> SufficiencyVerdict:
    """Judge results for a question."""
    return judged(Need(types, subject), results, now=NOW, types=TYPES, first_hundredths=first)


@pytest.mark.parametrize(
    ("result", "hundredths", "use"),
    [
        (held(days=3), 100, Use.USE),
        (held(days=3.01), 90, Use.VERIFY),
        (held(days=7), 90, Use.VERIFY),
        (held(days=7.01), 70, Use.SEARCH),
        (held("loan", days=1, subject=DataSubject()), 100, Use.USE),
        (held("loan", days=1.01, subject=DataSubject()), 60, Use.SEARCH),
        (held("legal", days=900, subject=DataSubject()), 100, Use.USE),
        (held("contract", days=900, rows=1, subject=DataSubject()), 100, Use.USE),
        (held(rows=2), 80, Use.VERIFY),
        (held(rows=1), 80, Use.VERIFY),
        (held(rows=3), 100, Use.USE),
        (held(rows=0), 60, Use.SEARCH),
        (held(rows=2, days=4), 70, Use.SEARCH),
        (replace(held(), found_at=None), 90, Use.VERIFY),
        (held(subject=DataSubject({"region": frozenset({"11680"})})), 60, Use.SEARCH),
    ],
)
def test_one_result(result: HeldResult, hundredths: int, use: Use) -> None:
    """Age, count, an unreadable time and another place each take their share, at their limits."""
    subject = MAPO if result.data_type == "market" else DataSubject(points_back=True)
    came = verdict(result, types=(result.data_type,), subject=subject)
    assert (came.hundredths, came.use) == (hundredths, use)
    assert (came.hundredths == 100) == (came.issues == ())


@pytest.mark.parametrize(
    ("kind", "data_type"),
    [
        ("security", "price"),
        ("product", "product"),
        ("amount", "loan"),
        ("loan_product", "loan"),
        ("property_type", "market"),
        ("deal_type", "market"),
        ("topic", "legal"),
        ("region", "market"),
        ("series", "macro"),
    ],
)
def test_another_thing_is_never_reused(kind: str, data_type: str) -> None:
    """A question that names another thing searches, whatever it says about just now, and names what differs."""
    subject = DataSubject({kind: frozenset({"b"})}, points_back=True)
    came = verdict(held(data_type, subject=DataSubject({kind: frozenset({"a"})})), types=(data_type,), subject=subject)
    assert (came.hundredths, came.use) == (60, Use.SEARCH)
    assert came.issues == (f"{data_type}: another {kind} (-.4)",)


def test_what_is_left_open_is_inherited() -> None:
    """A question that leaves the kind of deal open means what is held; one that narrows it does not."""
    jeonse = DataSubject({**MAPO.facets, "deal_type": frozenset({"jeonse"})})
    assert verdict(held(subject=jeonse)).use is Use.USE
    assert verdict(held(), subject=jeonse).use is Use.SEARCH


def test_a_new_matter_without_a_name_searches() -> None:
    """Who names nothing and does not point back has to speak of the same things."""
    rent = DataSubject(words=frozenset({"임대료", "인상"}))
    fees = DataSubject(words=frozenset({"중개", "수수료"}))
    same = DataSubject(words=frozenset({"임대료"}))
    pointing = DataSubject(words=frozenset({"수수료"}), points_back=True)
    law = HeldResult("legal", 5, rent, NOW)
    uses = [verdict(law, types=("legal",), subject=asked).use for asked in (fees, same, pointing)]
    assert uses == [Use.SEARCH, Use.USE, Use.USE]


def test_a_missing_type_searches_and_only_that_is_left() -> None:
    """Law is held and prices are not: .7, search, and the third judgement reads prices alone."""
    need = Need(("legal", "market"), DataSubject(points_back=True))
    came = judged(need, [held("legal")], now=NOW, types=TYPES)
    assert (came.hundredths, came.use, came.missing_types) == (70, Use.SEARCH, ("market",))
    assert still_missing(need, came) == ("market",)


def test_what_is_asked_for_anew_is_read_whatever_is_held() -> None:
    """Prices of just now are not reused where the question wants them looked up anew."""
    need = Need(("market",), replace(MAPO, points_back=True, asks_anew=True))
    came = judged(need, [held()], now=NOW, types=TYPES)
    assert (came.hundredths, came.use, came.issues) == (70, Use.SEARCH, ("market: asked for anew (-.3)",))
    assert still_missing(need, came) == ("market",)


def test_what_is_stale_is_read_anew_and_the_rest_is_kept() -> None:
    """Of law and old prices only the prices are read."""
    need = Need(("legal", "market"), MAPO)
    came = judged(need, [held("legal"), held(days=30)], now=NOW, types=TYPES)
    assert (came.use, still_missing(need, came)) == (Use.SEARCH, ("market",))


def test_what_the_question_brings_is_not_missing() -> None:
    """The text of a contract in the question needs no search; law does."""
    need = Need(("legal", "contract"), DataSubject(), frozenset({"contract"}))
    came = judged(need, [], now=NOW, types=TYPES)
    assert (came.missing_types, still_missing(need, came)) == (("legal",), ("legal",))


def test_no_data_needed_is_sufficient() -> None:
    """An intent that rests on no data never searches."""
    assert (verdict(types=()).hundredths, verdict(types=()).use) == (100, Use.USE)


def test_the_newest_that_fits_counts() -> None:
    """Not the latest result but the latest of the same place; the order of the results makes no difference."""
    results = (held(days=1), held(subject=DataSubject({"region": frozenset({"11680"})})), held(days=6))
    found = [verdict(*order).chosen for order in permutations(results)]
    assert found == [(results[0],)] * 6


def test_the_first_confidence_is_where_it_starts() -> None:
    """A first judgement of .9 is not lifted; deductions add up in whole hundredths and stop at nought."""
    assert (verdict(held(), first=90).hundredths, verdict(held(), first=90).use) == (90, Use.VERIFY)
    assert verdict(held(rows=0, days=9, subject=DataSubject({"region": frozenset({"1"})})), first=50).hundredths == 0


def test_a_naive_moment_is_refused() -> None:
    """Ages are measured between moments that have a zone."""
    with pytest.raises(ValueError, match="now"):
        judged(Need((), DataSubject()), [], now=datetime(2026, 1, 1), types=TYPES)  # noqa: DTZ001 - what is refused


@pytest.mark.parametrize(
    ("sufficient", "confidence", "source", "hundredths"),
    [
        (True, 0.91, DecisionSource.LLM, 91),
        (True, 0.6, DecisionSource.LLM, 60),
        (False, 1.0, DecisionSource.LLM, 0),
        (True, 1.0, DecisionSource.RULE, 100),
        (False, 0.3, DecisionSource.RULE, 100),
        (True, 1.0, DecisionSource.FALLBACK, 90),
    ],
)
def test_what_the_second_judgement_starts_from(
    sufficient: bool, confidence: float, source: DecisionSource, hundredths: int
) -> None:
    """A rule leaves all to the measured age; a model's doubt counts, and a FALLBACK never skips a search unasked."""
    first = first_hundredths(Sufficiency(sufficient, confidence, "chat_history", (), ""), source)
    assert first == hundredths
    assert (verdict(held(), first=first).use is Use.USE) is (hundredths > SURE)


def test_a_need_travels_with_its_plan() -> None:
    """What a plan carries is read back as it was."""
    need = Need(
        ("legal", "market"),
        replace(MAPO, words=frozenset({"전세"}), points_back=True, asks_anew=True),
        frozenset({"contract"}),
    )
    assert need_of(told(need)) == need


def step(number: int, agent: str, *needs: int, reads: bool = True) -> PlanStep:
    """Return a step."""
    calls = (ToolCall("market_data", b"{}", "s"),) if reads else ()
    after = tuple(f"s{place}" for place in needs)
    return PlanStep(f"s{number}", agent, "task", "part", after, Branch.SQL, calls, (), "", required=True)


def plan(*steps: PlanStep) -> ExecutionPlan:
    """Return a plan of steps."""
    return ExecutionPlan("q", (), None, steps, Strategy.SEQUENTIAL, timedelta(0), None, ())


def test_search_is_left_out_and_its_rows_are_taken() -> None:
    """Analysis receives the reused rows in search's place and waits for nothing."""
    reused = with_reused(
        plan(step(1, "realty.search"), step(2, "realty.analysis", 1), step(3, "realty.document", 2)),
        {"realty.search"},
        DOMAINS,
    )
    assert [(one.step_id, one.depends_on) for one in reused.plan.steps] == [("s2", ()), ("s3", ("s2",))]
    assert ([one.step_id for one in reused.left_out], dict(reused.takers)) == (["s1"], {"s2": ("s1",)})


def test_an_empty_plan_keeps_a_step_over_the_rows() -> None:
    """Where search was everything, analysis reads the reused rows and calls nothing."""
    reused = with_reused(plan(step(1, "realty.search")), {"realty.search"}, DOMAINS)
    assert [(one.agent, one.suggested_calls) for one in reused.plan.steps] == [("realty.analysis", ())]
    assert dict(reused.takers) == {"s1": ("s1",)}


def test_elsewhere_the_reads_are_left_out() -> None:
    """A finance step stays and reads nothing; its own reused rows reach it."""
    reused = with_reused(plan(step(1, "finance.equity")), {"finance.equity"}, DOMAINS)
    assert [(one.agent, one.suggested_calls) for one in reused.plan.steps] == [("finance.equity", ())]
    assert (len(reused.left_out[0].suggested_calls), dict(reused.takers)) == (1, {"s1": ("s1",)})
    assert not reused.drops_steps


def test_an_agent_that_holds_nothing_reads_as_planned() -> None:
    """Of two agents only the one whose rows are held leaves its reads out."""
    reused = with_reused(plan(step(1, "finance.equity"), step(2, "finance.macro")), {"finance.equity"}, DOMAINS)
    assert [(one.agent, bool(one.suggested_calls)) for one in reused.plan.steps] == [
        ("finance.equity", False),
        ("finance.macro", True),
    ]
    assert dict(reused.takers) == {"s1": ("s1",)}
