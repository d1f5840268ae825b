"""A lost orchestrator whose flow asks its models side by side: the next one decides the same, and nothing twice."""

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration.durability.test_crash_resume import outline, writes_of
from tests.support.model_server import ModelServer, Reply
from tests.support.models import SENSIBLE, Asked
from tests.support.replicas import Client, Heard, Replica, Replicas, replicas

pytestmark = pytest.mark.long

QUESTION = "강남구 시세 + 리스크 분석"
AT_ONCE = 4
DEATH_SECONDS_MAX = 2.0
LATENCY_SECONDS = 0.05
"""Long enough for what is asked side by side to be under way when a driver is lost."""


def _team(asked: Asked) -> str:
    agents = ("realty.search", "realty.analysis")
    steps = [
        {"agent": agent, "task": asked.data("question"), "depends_on": [place] if place else []}
        for place, agent in enumerate(agents)
    ]
    return json.dumps({"steps": steps, "confidence": 0.9, "reasoning": "figures, then what they mean"})


def _intent(_asked: Asked) -> str:
    route = {"domain": "realty", "intent": "COMPREHENSIVE", "confidence": 0.95, "alternatives": []}
    return json.dumps({**route, "sql_need": True, "graph_need": False, "reasoning": "prices and their risk"})


MODEL = {**SENSIBLE, "intent_analysis": _intent, "agent_selection": _team}


@dataclass
class Stage:
    """Replicas that ask a model, and a flow that nothing happened to."""

    replicas: Replicas
    survivor: Replica
    reference: Heard
    writes: int

    async def survived(self, moment: int | str) -> bool:
        """Asks a replica that dies at a moment, goes on at one that lives, compares; returns whether it has died.

        Events that are there at once are one write, so a flow may end before a late moment.
        """
        mortal = await self.replicas.start(dies_after=moment)
        client = Client(mortal, self.survivor)
        heard = await client.ask(QUESTION)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DEATH_SECONDS_MAX):
                await mortal.process.wait()
        assert mortal.process.returncode in {-9, None}, moment
        assert heard.sequences == list(range(1, len(heard.sequences) + 1)), moment
        assert heard.ends == ["finished"], moment
        assert outline(heard) == outline(self.reference), moment
        ours, theirs = heard.events[-1].finished.answer, self.reference.events[-1].finished.answer
        assert ours.final_response == theirs.final_response, moment
        assert _decided(heard) == _decided(self.reference), moment
        assert ours.usage.model_calls >= theirs.usage.model_calls, moment
        return mortal.process.returncode == -9


def _decided(heard: Heard) -> Counter[tuple[str, str, int]]:
    decisions = heard.events[-1].finished.answer.decisions
    return Counter((one.service, one.kind, one.source) for one in decisions)


@asynccontextmanager
async def staged(tmp_path: Path, data: Path) -> AsyncIterator[Stage]:
    """Sets the stage; every decision but the ones that leave nothing to decide is a model's."""
    store = f"sqlite+aiosqlite:///{tmp_path / 'flows.db'}"
    async with ModelServer(MODEL) as server:
        server.always(Reply(latency_seconds=LATENCY_SECONDS))
        async with replicas(tmp_path, data, store, model=server.base_url, typed_asks=False) as all_of_them:
            survivor = await all_of_them.start()
            client = Client(survivor, survivor)
            reference = await client.ask(QUESTION)
            assert reference.ends == ["finished"], reference.events[-1]
            assert {"tool_orchestration", "execution_review"} <= {kind for _, kind, _ in _decided(reference)}
            yield Stage(all_of_them, survivor, reference, await writes_of(store, reference, client.flow_run_id))


@pytest.mark.asyncio
@pytest.mark.timeout(180)
async def test_killed_at_some_moments(tmp_path: Path, data: Path) -> None:
    """Killed behind the route, behind the plan, while calls are chosen and beside a summary."""
    async with staged(tmp_path, data) as stage:
        moments = ("route", "draft_plan", stage.writes // 3, stage.writes // 2)
        died = await asyncio.gather(*(stage.survived(moment) for moment in moments))
        assert died[:2] == [True, True]


@pytest.mark.asyncio
@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_killed_at_every_moment(tmp_path: Path, data: Path) -> None:
    """Killed after any write, a flow that asks its models side by side finishes elsewhere with the same decisions."""
    async with staged(tmp_path, data) as stage:
        moments = range(1, stage.writes + 1)
        died = 0
        for begin in moments[::AT_ONCE]:
            some = [moment for moment in moments if begin <= moment < begin + AT_ONCE]
            died += sum(await asyncio.gather(*(stage.survived(moment) for moment in some)))
            print(f"killed and finished: {some}", flush=True)  # noqa: T201 - progress
        # Without deaths the run would show nothing; a flow may end before its last few moments.
        print(f"died and finished elsewhere: {died} of {len(moments)}")  # noqa: T201 - the run's figure
        assert died >= len(moments) * 0.8
