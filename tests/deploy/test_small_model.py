"""A real small model behind a real server: hapju's own questions in time, and a server that hangs makes one wait."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest

from hapju.flow.v1 import decision_pb2
from prompts.prompt import ModelRole
from prompts.router import intent_analysis
from services.contract.flow import Budget, Decision, RunContext
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.runtime import deadlines, ledger, run
from services.runtime.environment import PROFILES
from tests.integration.test_model import ATTACHED, LEASE, OF_README, QUESTIONS
from tests.support.cluster import Cluster, Told, embedded
from tests.unit.llm.test_decide_over_http import INPUTS, rule

pytestmark = [pytest.mark.deploy, pytest.mark.timeout(600)]

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hapju-small-model"
SERVE = Path(__file__).parent / "small_model" / "serve.py"
START_SECONDS = 60.0
ANSWER_SECONDS_MAX = 20.0
HUNG_QUESTIONS = 20
DECISION_SECONDS = 60.0
"""What one decision of the model may take where nobody waits for it."""
DECISIONS = 4
BY_MODEL = decision_pb2.DecisionSource.DECISION_SOURCE_LLM


@asynccontextmanager
async def small_model(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run the server until the body ends; it and its URL."""
    python = CACHE / "bin" / "python"
    if not python.exists():
        pytest.skip("no small model is here: tests/deploy/small_model/install.sh")
    with (folder / "model.log").open("wb") as log:
        child = await asyncio.create_subprocess_exec(python, SERVE, stdout=asyncio.subprocess.PIPE, stderr=log)
    try:
        assert child.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            while not (line := (await child.stdout.readline()).decode()).startswith("http"):
                assert line, (folder / "model.log").read_text(errors="replace")[-2_000:]
        yield child, line.strip()
    finally:
        child.kill()
        await child.wait()


def profile(url: str) -> dict[str, Any]:
    """Return the settings of somebody with a small model on their own machine."""
    return {"openai_base_url": f"{url}/v1", "openai_api_key": "none", "typed_asks": True, **PROFILES["local"]}


async def timed(cluster: Cluster, question: str, **fields: Any) -> tuple[Told, float]:
    """Ask, and return what was told and after how many seconds it ended."""
    began = monotonic()
    return await cluster.ask(question, attachments=ATTACHED.get(question, ()), **fields), monotonic() - began


@pytest.mark.asyncio
async def test_the_readmes_questions_are_answered_in_time(tmp_path: Path, data: Path) -> None:
    """Each ends within twenty seconds, the first over a model that has just begun, and has all that the rule cites."""
    (tmp_path / "ruled").mkdir()
    async with embedded(tmp_path / "ruled", data, typed_asks=True) as cluster:
        ruled = await all_of_readme(cluster)
    async with small_model(tmp_path) as (_, url), embedded(tmp_path, data, **profile(url)) as cluster:
        helped = await all_of_readme(cluster)
    for question, (told, seconds) in helped.items():
        tell(question, told, seconds)
        assert told.terminal == ["finished"]
        assert seconds <= ANSWER_SECONDS_MAX, question
        assert len(told.answer.citations) >= len(ruled[question][0].answer.citations), question
    assert any(told.answer.usage.model_calls for told, _ in helped.values())


def tell(question: str, told: Told, seconds: float) -> None:
    """Print what an answer took, and the answer for somebody to read."""
    answer = told.answer
    sources = [decision.source == BY_MODEL for decision in answer.decisions]
    print(  # noqa: T201 - figures of the deploy tier
        f"\n{seconds:.1f} s, {answer.usage.model_calls} calls, {sum(sources)} of {len(sources)} decisions its own,"
        f" {sorted({warning.reason for warning in answer.warnings})}: {question}\n{answer.final_response}"
    )


async def all_of_readme(cluster: Cluster) -> dict[str, tuple[Told, float]]:
    """Ask what the README asks; what is asked about the lease is asked in its conversation."""
    return {
        question: await timed(cluster, question, session_id="lease" if question in (LEASE, "3조는 어때?") else "")
        for question in OF_README
    }


@pytest.mark.asyncio
async def test_short_reasons_take_less(tmp_path: Path) -> None:
    """What `HAPJU_LLM_BRIEF` saves: the same decisions with and without it, by a model that has all its time."""
    took = {}
    async with small_model(tmp_path) as (_, url):
        for is_brief in (True, False):
            model = OpenAiCompatible(f"{url}/v1", "none", CallTimeouts(5, DECISION_SECONDS, 30, DECISION_SECONDS))
            modes = OutputModes("json_schema", is_brief=is_brief)
            decider = Decider("router", model=model, model_names=dict.fromkeys(ModelRole, "small"), modes=modes)
            took[is_brief] = [await decided(decider, question) for question in QUESTIONS[:DECISIONS]]
            await model.aclose()
    for is_brief, decisions in took.items():
        figures = [f"{one.usage.output_tokens} tokens in {one.latency.total_seconds():.1f} s" for one in decisions]
        sources = [one.source.name for one in decisions]
        print(f"\n{'brief' if is_brief else 'whole'}: {figures} {sources}")  # noqa: T201 - figures of the deploy tier
    written = {is_brief: sum(one.usage.output_tokens for one in took[is_brief]) for is_brief in took}
    assert 0 < written[True] <= written[False]


async def decided(decider: Decider, question: str) -> Decision:
    """Have the model say what a question is about, and return what is recorded of it."""
    budget = Budget(40, 100_000, 3, 0)
    context = RunContext(
        flow_run_id=str(uuid4()),
        session_id="s",
        locale="ko",
        now=datetime.now(UTC),
        time_zone="Asia/Seoul",
        budget=budget,
        domains=("general",),
    )
    with run.use(context), ledger.opened() as opened, deadlines.within(2 * DECISION_SECONDS):
        await decider.decide(
            intent_analysis.PROMPT, intent_analysis.Inputs(question=question, domains=INPUTS.domains), rule
        )
    return opened.decisions[0]


@pytest.mark.asyncio
async def test_of_many_questions_the_first_alone_waits_for_a_server_that_hangs(tmp_path: Path, data: Path) -> None:
    """The server is stopped where it stands: connections are taken, nothing is answered. One question pays for it."""
    async with small_model(tmp_path) as (child, url), embedded(tmp_path, data, **profile(url)) as cluster:
        child.send_signal(signal.SIGSTOP)
        asked = [await timed(cluster, question) for question in islice(cycle(QUESTIONS), HUNG_QUESTIONS)]
    waited = PROFILES["local"]["llm_call_timeout_seconds"]
    seconds = [one for _, one in asked]
    reasons = [{warning.reason for warning in told.answer.warnings} for told, _ in asked]
    print("\n" + " ".join(f"{one:.1f}" for one in seconds))  # noqa: T201 - figures of the deploy tier
    assert [told.terminal for told, _ in asked] == [["finished"]] * HUNG_QUESTIONS
    assert "TIMED_OUT" in reasons[0]
    assert seconds[0] >= waited
    assert [one for one in reasons[1:] if "TIMED_OUT" in one] == []
    assert all("MODEL_AWAY" in one for one in reasons[1:])
    assert max(seconds[1:]) < waited
