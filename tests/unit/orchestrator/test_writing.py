"""An answer that is begun beside the review: held until that is over, and void where the review wants another one."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
import pytest_asyncio

from prompts.prompt import ModelRole
from services.contract.events import Delta
from services.contract.flow import ActionRequest, DecisionSource, Spent, Usage
from services.contract.synthesizer import SynthesizedAnswer, SynthesizeRequest, SynthesizeResponse
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.orchestrator import texts
from services.orchestrator.calls import LetGo
from services.orchestrator.flow.state import CUT, FlowState
from services.orchestrator.flow.writing import CALLS_OF_AN_ANSWER, Writing
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.attempt import Steps
from services.orchestrator.steps.loop import TeamLoop
from services.orchestrator.steps.review import Reviewer
from services.orchestrator.steps.tooling import ToolChoice
from services.runtime.errors import HapjuError, Unavailable
from tests.support.model_server import ModelServer, Reply
from tests.unit.orchestrator.test_loop import Found, ScriptedEnsemble, plan_step, state_of

SECONDS = 5.0
REVIEW = "execution_review"
LATE = Reply(latency_seconds=0.2)
COST = Usage(model_calls=1, input_tokens=7)


NO = json.dumps({"goal_achieved": "no", "score": 0.0, "missing": [], "confidence": 0.9, "reasoning": "r"})


def in_part(missing: str) -> str:
    """Returns what a model says that finds something missing."""
    return json.dumps(
        {"goal_achieved": "partial", "score": 0.5, "missing": [missing], "confidence": 0.9, "reasoning": "r"}
    )


@dataclass
class Synthesizer:
    """Writes two words and its cautions, and may wait or fail before its end."""

    fails: list[HapjuError] = field(default_factory=list)
    hangs: int = 0
    """How many answers never end."""
    asked: list[SynthesizeRequest] = field(default_factory=list)
    whole: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when an answer has been written to its end."""
    closed: int = 0
    """How many answers were given up."""

    async def synthesize(self, request: SynthesizeRequest) -> AsyncGenerator[SynthesizeResponse]:
        """Writes an answer."""
        self.asked.append(request)
        words = ("one ", "two ", *request.cautions)
        try:
            for place, word in enumerate(words):
                at = sum(len(before) for before in words[:place])
                yield SynthesizeResponse(Delta(request.answer_attempt, at, word))
            if self.hangs:
                self.hangs -= 1
                await asyncio.Event().wait()
            if self.fails:
                raise self.fails.pop(0)
            self.whole.set()
            yield SynthesizeResponse(_answer("".join(words)))
        except asyncio.CancelledError:
            self.closed += 1
            raise

    async def cut_short(self, peer: str, flow_run_id: str) -> LetGo:
        """Tells what was spent on an answer that was given up."""
        del peer, flow_run_id
        return LetGo(usage=COST if self.closed else Usage())


def _answer(text: str) -> SynthesizedAnswer:
    return SynthesizedAnswer(text, DecisionSource.LLM, (), (), (), (), None, (), Spent((), COST))


@dataclass
class Stage:
    """A flow whose steps have run, and what answers it."""

    state: FlowState
    loop: TeamLoop
    writing: Writing
    synthesizer: Synthesizer
    agents: ScriptedEnsemble

    async def answered(self, watch: Callable[[], Any] = lambda: None) -> SynthesizedAnswer:
        """Reviews and answers as the conductor does; what `watch` returns is awaited before the review is."""
        async with self.writing.begun(self.state) as held:
            if (seen := watch()) is not None:
                await seen
            await self.loop.review(self.state, partial(self.writing.void, self.state, held))
            return await self.writing.written(self.state, held)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """The scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@asynccontextmanager
async def staged(
    server: ModelServer | None, *, ahead: bool = True, rows: int = 4, **given: Any
) -> AsyncIterator[Stage]:
    """Runs one step by rule; the review is a model's, where there is one."""
    state, _ = await state_of(plan_step("s1", "finance.macro"))
    synthesizer = Synthesizer(**given)
    quiet = Decider("orchestrator", model=None, model_names={}, modes=OutputModes("auto"))
    client, reviews = None, quiet
    if server is not None:
        client = OpenAiCompatible(server.base_url, "key", CallTimeouts(SECONDS, SECONDS, SECONDS, SECONDS))
        reviews = Decider(
            "orchestrator", model=client, model_names={ModelRole.SUPERVISOR: "m"}, modes=OutputModes("auto")
        )
    reviewer = Reviewer(reviews)
    agents = ScriptedEnsemble({"finance.macro": [Found(rows), Found(rows)]})
    loop = TeamLoop(Steps(agents, ToolChoice(quiet)), Assessor(quiet), reviewer)  # type: ignore[arg-type]
    await loop.execute(state)
    try:
        writing = Writing(synthesizer, reviewer, ahead=ahead)  # type: ignore[arg-type]
        yield Stage(state, loop, writing, synthesizer, agents)
    finally:
        if client is not None:
            await client.aclose()


@pytest.mark.asyncio
async def test_nothing_is_told_before_the_review_is_over(server: ModelServer) -> None:
    """The answer is whole while the review still takes its time; its text is told after the review, and once."""
    server.script(REVIEW, LATE)
    async with staged(server) as stage:
        emitter, told = stage.state.emitter, ""

        async def whole() -> None:
            nonlocal told
            await stage.synthesizer.whole.wait()
            told = emitter.text

        answer = await stage.answered(whole)
        assert (told, emitter.text, emitter.attempt) == ("", "one two ", 1)
        assert answer.final_response == "one two "
        assert (len(stage.synthesizer.asked), server.count(REVIEW)) == (1, 1)
        assert [decision.kind for decision in stage.state.budget.decisions][-1] == REVIEW
        assert stage.state.budget.usage == COST + Usage(1, *_tokens(stage.state))


def _tokens(state: FlowState) -> tuple[int, int]:
    review = state.budget.decisions[-1].usage
    return review.input_tokens, review.output_tokens


@pytest.mark.asyncio
@pytest.mark.parametrize("hangs", [0, 1], ids=["whole", "being written"])
async def test_a_review_that_finds_something_missing_voids_the_answer(server: ModelServer, hangs: int) -> None:
    """Nothing of the void answer is told; the next attempt holds the caution, and both are paid for."""
    server.script(REVIEW, replace(LATE, text=in_part("s1")))
    async with staged(server, hangs=hangs) as stage:
        heard: list[Delta] = []

        async def listen() -> None:
            async for told in stage.state.emitter.watch(0):
                heard.extend(one.event for one in told if isinstance(one.event, Delta))

        listening = asyncio.create_task(listen())
        answer = await stage.answered()
        async with asyncio.timeout(SECONDS):
            while not heard:
                await asyncio.sleep(0)
        stage.state.emitter.abandon()
        await listening
        void, last = stage.synthesizer.asked
        assert (void.cautions, len(last.cautions)) == ((), 1)
        assert texts.what("finance.macro", "ko") in answer.final_response
        assert {one.answer_attempt for one in heard} == {2}
        assert (stage.state.emitter.text, stage.state.emitter.attempt) == (answer.final_response, 2)
        assert stage.state.budget.usage == COST + COST + Usage(1, *_tokens(stage.state))
        assert stage.state.checkpoints.get(f"{CUT}answer/1", Spent) == Spent((), COST)


@pytest.mark.asyncio
async def test_an_answer_is_void_before_anything_more_is_looked_for(server: ModelServer) -> None:
    """What was lent to it is free again for the steps that try another way; the next answer has their results."""
    server.script(REVIEW, replace(LATE, text=NO))
    async with staged(server) as stage:
        answer = await stage.answered()
        void, last = stage.synthesizer.asked
        assert ([one.step_id for one in void.results], [one.step_id for one in last.results]) == (
            ["s1"],
            ["s1", "again1"],
        )
        assert stage.agents.asked[-1].run.budget.model_calls >= (stage.state.budget.limits.model_calls - 2) // 2
        assert (server.count(REVIEW), answer.final_response) == (2, "one two ")
        assert stage.state.checkpoints.get(f"{CUT}answer/1", Spent) == Spent((), COST)


@pytest.mark.asyncio
async def test_an_early_answer_that_breaks_is_asked_for_once_more(server: ModelServer) -> None:
    """What would have failed after the review has failed before it: the same second attempt follows."""
    server.script(REVIEW, LATE)
    async with staged(server, fails=[Unavailable("gone")]) as stage:
        answer = await stage.answered()
        assert (answer.final_response, stage.state.emitter.attempt) == ("one two ", 2)
        assert len(stage.synthesizer.asked) == 2


@pytest.mark.asyncio
async def test_nothing_is_begun_where_something_is_to_be_done_first(server: ModelServer) -> None:
    """An answer follows the actions that an agent asks for: it is asked for with what became of them."""
    async with staged(server) as stage:
        asked = ActionRequest("order", b"{}", "order.v1")
        results = stage.state.findings.results
        results["s1"] = replace(results["s1"], action_requests=(asked,))
        async with stage.writing.begun(stage.state) as held:
            assert held is None
            await stage.loop.review(stage.state)
            stage.state.cautions.append("done")
            answer = await stage.writing.written(stage.state, held)
        assert answer.final_response == "one two done"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "why", ["setting", "no model", "something missing", "calls spent", "failures spent", "reviewed before"]
)
async def test_the_answer_waits_for_the_review(server: ModelServer, why: str) -> None:
    """Off, without gain, without hope or without means, an answer is asked for when the review is over."""
    given: dict[str, Any] = {"ahead": why != "setting", "rows": 0 if why == "something missing" else 4}
    async with staged(None if why == "no model" else server, **given) as stage:
        state = stage.state
        if why == "calls spent":
            state.budget.usage += Usage(model_calls=21)
        if why == "failures spent":
            state.budget.limits = replace(state.budget.limits, model_failures=1)
        if why == "reviewed before":
            await stage.loop.review(state)
        async with stage.writing.begun(state) as held:
            assert held is None
        assert (stage.synthesizer.asked, state.emitter.attempt) == ([], 0)


@pytest.mark.asyncio
async def test_what_is_begun_leaves_the_review_its_share(server: ModelServer) -> None:
    """The early answer may not spend what the review needs, so that both together stay within the flow's limits."""
    server.script(REVIEW, LATE)
    async with staged(server) as stage:
        await stage.answered()
        lent, limits = stage.synthesizer.asked[0].run.budget, stage.state.budget.limits
        assert CALLS_OF_AN_ANSWER <= lent.model_calls <= limits.model_calls - 2
        assert lent.model_failures == limits.model_failures - 1


@pytest.mark.asyncio
async def test_a_flow_that_is_cancelled_gives_its_early_answer_up(server: ModelServer) -> None:
    """The synthesizer's call ends with the flow's work."""
    server.script(REVIEW, Reply(hang=True))
    async with staged(server, hangs=1) as stage:
        work = asyncio.create_task(stage.answered())
        await server.until(lambda it: it.count(REVIEW) == 1, SECONDS)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert (stage.synthesizer.closed, stage.state.emitter.text) == (1, "")
