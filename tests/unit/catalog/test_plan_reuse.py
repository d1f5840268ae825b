"""When a result says nothing that its agent has not said before: figure for figure, on the same evidence."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.catalog.reuse import says_nothing_new
from services.contract.flow import AgentResult, AgentStatus, Evidence, Metric, Provenance

THEN, NOW = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)


def piece(name: str, rows: bytes = b"[{}]") -> Evidence:
    """Returns a piece of evidence."""
    return Evidence(name, "market", name, "", rows, "r.v1", Provenance("s", "d", "t", b"{}", None, 1, "t", "f", True))


def metric(name: str, value: str, *evidence: str, at: datetime = THEN) -> Metric:
    """Returns a figure on some evidence."""
    return Metric(name, name, value, "", "percent", at, evidence, "구로구")


PRICES = piece("e1")
RATIO = metric("jeonse_ratio", "71", "e1")
BEFORE = AgentResult("realty.analysis", "s2", AgentStatus.ANSWERED, "said", metrics=(RATIO,), evidence=(PRICES,))
AGAIN = replace(BEFORE, step_id="s1", summary="computed", metrics=(replace(RATIO, as_of_time=NOW),))


@pytest.mark.parametrize(
    ("result", "known"),
    [
        (AGAIN, True),
        (replace(AGAIN, key_drivers=("in other words",)), True),
        (replace(AGAIN, metrics=(*AGAIN.metrics, metric("yield", "3.6", "e1"))), False),
        (replace(AGAIN, metrics=(metric("jeonse_ratio", "72", "e1"),)), False),
        (replace(AGAIN, evidence=(PRICES, piece("e2"))), False),
        (replace(AGAIN, status=AgentStatus.LIMITED), False),
        (replace(AGAIN, agent="realty.document"), False),
        (replace(AGAIN, metrics=()), False),
    ],
    ids=["the same", "other words", "more", "another value", "other evidence", "less", "somebody else", "words alone"],
)
def test_only_what_is_the_same_is_nothing_new(result: AgentResult, known: bool) -> None:
    """Its day and its words may differ; one figure or piece more is news; words alone are not known."""
    kept = replace(BEFORE, evidence=(replace(PRICES, rows_json=b"[]"),))
    search = AgentResult("realty.search", "s1", AgentStatus.ANSWERED, evidence=(PRICES,))
    assert says_nothing_new(result, (kept,), (search,)) is known
    assert not says_nothing_new(result, (), (search,))


def test_a_document_is_the_same_by_its_own_evidence() -> None:
    """A draft without figures is known by what it made itself, which no other step lent it."""
    draft = AgentResult("realty.document", "s3", AgentStatus.ANSWERED, "draft", evidence=(piece("d1"),))
    assert says_nothing_new(draft, (draft,), (BEFORE,))
    assert not says_nothing_new(replace(draft, evidence=(piece("d2"),)), (draft,), (BEFORE,))
