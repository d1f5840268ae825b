"""Branches of one question: side by side where both are needed, the companion once and afterwards."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Final

import pytest

from hapju.flow.v1 import flow_event_pb2 as events
from services.tool_gateway.data.copying import copy_folder
from tests.support.cluster import Told, embedded
from tests.support.otlp_receiver import OtlpReceiver, ReceivedSpan
from tests.telemetry.test_flow_trace import spans_of

BOTH: Final = "엔비디아 주가가 왜 내렸어"
ONE: Final = "엔비디아 주가 흐름 보여줘"
_AGENTS: Final = {"finance.equity", "finance.ontology"}


@pytest.fixture(scope="module")
def without_prices(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seeded data without any row of tables about one share; the graph still knows it."""
    folder = tmp_path_factory.mktemp("bare") / "seeded"
    copy_folder(data.parent, folder)
    with sqlite3.connect(folder / "data.db") as database:
        for table in ("us_equity_prices", "equity_financials", "earnings_events"):
            database.execute(f"DELETE FROM {table} WHERE security_id = 'US:NVDA'")  # noqa: S608 - names of this file
    return folder / "data.db"


async def _asked(state: Path, data: Path, question: str) -> tuple[Told, list[ReceivedSpan]]:
    """Returns what is told of a question, and the calls of agents in its trace, in order of their beginning."""
    with OtlpReceiver() as receiver:
        async with embedded(state, data, otlp_endpoint=receiver.endpoint) as cluster:
            told = await cluster.ask(question)
        flow_run_id = told.answer.flow_run_id
        received = await asyncio.to_thread(
            receiver.wait_for, lambda spans: any(flow_run_id in span.attributes.values() for span in spans), 5.0
        )
    spans = spans_of(tuple(received), flow_run_id)
    runs = [span for span in spans if span.kind == "SERVER" and span.service in _AGENTS and span.name.endswith("/Run")]
    return told, sorted(runs, key=lambda span: span.start_nanoseconds)


def _settled(told: Told) -> list[tuple[str, str]]:
    return [(one.step_id, events.AgentOutcome.Name(one.outcome)) for one in told.of("agent_settled")]


@pytest.mark.asyncio
async def test_both_branches_run_at_the_same_time_where_both_are_needed(data: Path, tmp_path: Path) -> None:
    """The spans of the two agents overlap: the second begins before the first has ended."""
    told, runs = await _asked(tmp_path, data, BOTH)
    first, second = runs
    assert {first.service, second.service} == _AGENTS
    assert second.start_nanoseconds < first.end_nanoseconds
    assert told.answer.context_meta.dispatch_mode == "conditional_parallel"
    assert told.answer.context_meta.fallback_used is False


@pytest.mark.asyncio
async def test_the_companion_runs_once_and_after_the_branch_that_asks(without_prices: Path, tmp_path: Path) -> None:
    """A branch without rows asks for the other, which runs once when it has ended; the run reports it."""
    told, runs = await _asked(tmp_path, without_prices, ONE)
    first, second = runs
    assert first.end_nanoseconds <= second.start_nanoseconds
    assert [step.step_id for step in told.of("step_started")] == ["s1", "s2"]
    assert _settled(told) == [("s1", "AGENT_OUTCOME_INSUFFICIENT_DATA"), ("s2", "AGENT_OUTCOME_ANSWERED")]
    meta = told.answer.context_meta
    assert (meta.dispatch_mode, meta.fallback_used, meta.invoked_agent_count) == ("sequential", True, 2)
    assert "→ 엔비디아" in told.answer.final_response


@pytest.mark.asyncio
async def test_a_branch_that_finds_what_it_needs_has_no_companion(data: Path, tmp_path: Path) -> None:
    """The opposite branch is left out with its reason, and nothing of it runs."""
    told, runs = await _asked(tmp_path, data, ONE)
    assert [run.service for run in runs] == ["finance.equity"]
    assert [(one.step_id, one.reason) for one in told.of("agent_settled")][1:] == [("s2", "COMPANION_NOT_NEEDED")]
    meta = told.answer.context_meta
    assert (meta.dispatch_mode, meta.fallback_used, meta.invoked_agent_count) == ("sequential", False, 1)
