"""What a flow waits for its models: one complex question in the fast shape and in the serial one, in the same run.

    model ── services of the fast shape        every shortcut on
         └── services of the serial shape      every shortcut off: one model is waited for after another

The model is a process of its own behind HTTP and takes the same time for each call. Rounds ask both shapes the same, in
a shuffled order. How deep a flow is, is measured where the model stands: the longest chain of calls none of which began
before the one ahead of it had ended.
"""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Final

import grpc

from hapju.flow.v1 import decision_pb2, question_pb2, result_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc as pb_grpc
from services.cli.problems import Problem
from services.runtime.environment import shortcuts
from tests.bench.children import apart, cold, serving
from tests.bench.report import Note, Report, Result
from tests.bench.thinking import Call

if TYPE_CHECKING:
    import aiohttp

    from hapju.flow.v1 import answer_pb2

QUESTION: Final = "지난달 기준 강남구 시세 + 리스크 분석"
"""Prices and risk of one district: search, then analysis of what it found. Its date has to be resolved."""
HISTORY: Final = ("강남구로 이사할지 고민하고 있어요.", "이사를 생각하고 계시군요. 무엇을 알아봐 드릴까요?")
"""What user and assistant said before it, so that it has to be read in its conversation."""
LATENCY_MS: Final = 200
"""How long each call of the model takes."""
FAST: Final = "fast"
SERIAL: Final = "serial"
_SECONDS_MAX: Final = 120.0
_MILLI: Final = 1_000
_CLI: Final = "services.cli"
_MODEL: Final = "tests.bench.thinking"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's way through one shape."""

    seconds: float
    """From asking until the answer was whole."""
    calls: tuple[Call, ...]
    """The model's calls."""
    decisions: Counter[str]
    """How often each kind of decision was made, and by whom."""
    outcome: Mapping[str, object]
    """What the answer says, and on what it rests."""


def measure(rounds: int, note: Note, latency_ms: int = LATENCY_MS, seeded: Path | None = None) -> Report:
    """Returns the figures.

    Args:
        rounds: Questions to each shape, one more of each to warm up.
        note: Takes lines of progress.
        latency_ms: How long each call of the model takes.
        seeded: A data folder with the sample data, to be copied; None loads it anew.

    Raises:
        Problem: Where a process does not start, or a question is not answered.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="hapju-bench-")))
        model = stack.enter_context(serving(_MODEL, str(latency_ms / _MILLI)))
        note("starting the services of both shapes on sample data")
        if seeded is None:
            seeded = folder / "seeded"
            cold(_CLI, "seed", **apart(str(seeded)))
        doors = {
            name: stack.enter_context(serving(_CLI, "up", **_shape(folder / name, seeded, model, fast=name == FAST)))
            for name in (FAST, SERIAL)
        }
        asked = asyncio.run(_rounds(rounds, note, model, doors))
    return Report(tuple(_results(asked)), stated=_stated(asked))


def depth(calls: Iterable[Call]) -> int:
    """Returns the length of the longest chain of calls of which each began when the one before it had ended."""
    length, free = 0, float("-inf")
    for call in sorted(calls, key=lambda one: one.ended):
        if call.began >= free:
            length, free = length + 1, call.ended
    return length


def _shape(home: Path, seeded: Path, model: str, *, fast: bool) -> dict[str, str]:
    """Returns the environment of one shape's services, with data of their own."""
    shutil.copytree(seeded, home)
    asking = {"OPENAI_BASE_URL": f"{model}/v1", "OPENAI_API_KEY": "bench", "HAPJU_STORE_URL": ""}
    return {**apart(str(home)), **asking, **shortcuts(on=fast)}


async def _rounds(rounds: int, note: Note, model: str, doors: Mapping[str, str]) -> dict[str, list[Asked]]:
    import aiohttp  # noqa: PLC0415 - for the model's calls

    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession(model))
        stubs = {}
        for name, door in doors.items():
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(door))
            stubs[name] = pb_grpc.GatewayServiceStub(channel)
        asked: dict[str, list[Asked]] = {name: [] for name in doors}
        for number in range(rounds + 1):
            note(f"round {number}" if number else "warming up")
            for name in random.sample(list(stubs), len(stubs)):
                one = await _ask(stubs[name], http)
                if number:
                    asked[name].append(one)
    return asked


async def _ask(door: "pb_grpc.GatewayServiceAsyncStub", http: "aiohttp.ClientSession") -> Asked:
    """Asks the question once, in a conversation of its own."""
    await _calls(http)
    began, answer = perf_counter(), None
    async for told in door.Ask(pb.AskRequest(question=_question()), timeout=_SECONDS_MAX):
        if told.event.WhichOneof("event") == "finished":
            answer = told.event.finished.answer
    seconds = perf_counter() - began
    if answer is None:
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", "the question was not answered")
    kinds = Counter(f"{one.service}/{one.kind}/{_source(one.source)}" for one in answer.decisions)
    return Asked(seconds, await _calls(http), kinds, _outcome(answer))


def _question() -> question_pb2.Question:
    speakers = (question_pb2.SPEAKER_USER, question_pb2.SPEAKER_ASSISTANT)
    turns = [question_pb2.Turn(speaker=one, text=text) for one, text in zip(speakers, HISTORY, strict=True)]
    return question_pb2.Question(text=QUESTION, history=turns)


async def _calls(http: "aiohttp.ClientSession") -> tuple[Call, ...]:
    async with http.get("/calls") as response:
        return tuple(Call(**call) for call in await response.json())


def _source(source: "decision_pb2.DecisionSource.ValueType") -> str:
    return decision_pb2.DecisionSource.Name(source).removeprefix("DECISION_SOURCE_")


def _outcome(answer: "answer_pb2.FinalAnswer") -> dict[str, object]:
    return {
        "final_response": answer.final_response,
        "source": _source(answer.source),
        "status": answer.context_meta.status,
        "agents": [(one.agent_name, _found(one.output)) for one in answer.selected_agents],
        "citations": [(one.title, one.source) for one in answer.citations],
        "failure_tags": list(answer.failure_tags),
        "warnings": [(one.reason, one.service) for one in answer.warnings],
    }


def _found(result: result_pb2.AgentResult) -> object:
    figures = [(one.label, one.value, one.unit) for one in result.metrics]
    return result.status, result.summary, figures, len(result.evidence)


def _results(asked: Mapping[str, Sequence[Asked]]) -> Iterator[Result]:
    seconds = {name: [one.seconds for one in runs] for name, runs in asked.items()}
    ratio = median(seconds[FAST]) / median(seconds[SERIAL])
    yield Result("fast_over_serial", "ratio", round(ratio, 3), None)
    for name, values in seconds.items():
        yield Result(f"{name}_p50", "ms", round(median(values) * _MILLI, 1), None)
        yield Result(f"{name}_p99", "ms", round(_p99(values) * _MILLI, 1), None)
    for name, runs in asked.items():
        yield Result(f"depth_{name}", "count", median(depth(one.calls) for one in runs), None)
        yield Result(f"model_calls_{name}", "count", median(len(one.calls) for one in runs), None)
        yield Result(f"decisions_{name}", "count", median(one.decisions.total() for one in runs), None)


def _p99(values: Sequence[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else values[0]


def _stated(asked: Mapping[str, Sequence[Asked]]) -> dict[str, object]:
    """Returns whether every flow of both shapes decided and ended alike, and where not."""
    runs = [one for shape in asked.values() for one in shape]
    first = runs[0]
    kinds = {kind for one in runs for kind in (first.decisions - one.decisions) + (one.decisions - first.decisions)}
    parts = {name for one in runs for name, part in one.outcome.items() if part != first.outcome[name]}
    return {
        "decisions_equal": not kinds,
        "outcome_equal": not parts,
        "decisions_that_differ": sorted(kinds),
        "outcomes_that_differ": sorted(parts),
        "decisions_by_model": sum(count for kind, count in first.decisions.items() if kind.endswith("/LLM")),
    }
