"""What is held is what was looked up, once, with the age and the subject of the look-up that read it."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from services.catalog.sufficiency import held_of
from services.contract.flow import AgentResult, AgentStatus, DataNeed, Evidence, Facet, Provenance
from services.contract.recording import EarlierFlow, EarlierResult
from services.orchestrator.flow.holding import QUESTION_DATASET, HeldPart, Holdings, results_of

NEED = DataNeed(("market",), (), (Facet("region", ("11680",)),), ("시세",), points_back=False)
THEN = datetime(2026, 11, 1, tzinfo=UTC)


def piece(name: str, data_type: str = "market", rows: int = 3, dataset: str = "prices") -> Evidence:
    """Returns evidence of some rows."""
    provenance = Provenance("s", dataset, "t", b"{}", None, rows, "t.v1", "f", sample=True)
    return Evidence(name, data_type, name, "", json.dumps([{"n": n} for n in range(rows)]).encode(), "r.v1", provenance)


def found(agent: str, *pieces: Evidence, step: str = "s1", days: float = 0, reused: str = "") -> EarlierResult:
    """Returns what an agent told some days after the first."""
    result = AgentResult(agent, step, AgentStatus.ANSWERED, evidence=pieces, reused_flow_run_id=reused)
    return EarlierResult(result, THEN + timedelta(days=days))


def told(kept: tuple[HeldPart, ...]) -> list[tuple[str, str, str, int, datetime]]:
    """Returns what is held in a few words."""
    return [(one.flow_run_id, one.result.agent, one.held.data_type, one.held.row_count, one.found_at) for one in kept]


def test_an_analysis_makes_what_it_builds_on_no_younger() -> None:
    """Rows that an analysis took over count where they were read: with that day, that agent, and once."""
    prices = piece("e1")
    search, analysis = found("realty.search", prices), found("realty.analysis", prices, step="s2")
    first = EarlierFlow("f1", NEED, (search, analysis))
    again = found("realty.search", prices, step="held1", days=6, reused="f1")
    second = EarlierFlow("f2", NEED, (again, found("realty.analysis", prices, days=6)))
    assert told(Holdings.of((second, first)).kept) == [("f1", "realty.search", "market", 3, THEN)]


def test_what_is_read_anew_is_held_anew() -> None:
    """The same rows, looked up again, have the age of the later look-up as well."""
    flows = tuple(EarlierFlow(f"f{day}", NEED, (found("realty.search", piece("e1"), days=day),)) for day in (8, 0))
    assert [one.found_at for one in Holdings.of(flows).kept] == [THEN + timedelta(days=8), THEN]


def test_what_a_question_gave_is_not_held() -> None:
    """A question's own sums are no look-up; a contract that a user gave may be asked about again."""
    given = piece("e1", "contract", 1, QUESTION_DATASET)
    contract = piece("e2", "contract", 1, "contract")
    flow = EarlierFlow("f1", replace(NEED, required_types=("contract",)), (found("realty.analysis", given, contract),))
    (one,) = Holdings.of((flow,)).kept
    assert one.held.row_count == 1
    (part,) = results_of((one,))
    assert part.reused_flow_run_id == "f1"


def test_the_planner_is_told_what_the_rules_will_judge() -> None:
    """A look-up carries the facts of the second judgement, whole."""
    (one,) = Holdings.of((EarlierFlow("f1", NEED, (found("realty.search", piece("e1")),)),)).kept
    assert held_of(one.look_up) == one.held
    assert one.look_up.agent == "realty.search"
