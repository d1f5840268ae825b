"""The kinds of faults, and where in a flow each can be put, by the calls of a run without one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import grpc

from hapju.agent.v1 import agent_service_pb2
from hapju.tool.v1 import tool_gateway_service_pb2
from services.agents.registry import spec_of
from tests.support.faults.proxy import (
    Doing,
    Fault,
    Seen,
    answering,
    changing,
    cutting,
    ending,
    hanging,
    losing_reply,
    refusing,
)
from tests.support.faults.questions import LOOK_UPS, Question
from tests.support.model_server import Reply

ALWAYS = 1_000
"""A fault that does not pass."""
UNAVAILABLE, INTERNAL = grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL


@dataclass(frozen=True)
class Case:
    """One run: a fault at one place of one flow."""

    question: Question
    """What is asked."""
    by_model: bool
    """Whether a model decides and writes."""
    kind: str
    """The fault's name."""
    row: str
    """What is harmed."""
    place: str
    """Where: step and tool or agent, service or prompt."""
    faults: tuple[Fault, ...] = ()
    """What is done to calls."""
    model: tuple[str, Reply] | None = None
    """What the model server does to the next call of a prompt."""
    waits: bool = False
    """True where it is only time that tells: the run gets a short deadline."""
    guarded: bool = False
    """True where nothing may run, so that a clean failure is the right end."""

    @property
    def flow(self) -> str:
        """The flow's name."""
        return f"{self.question.name}/{'model' if self.by_model else 'rule'}"

    @property
    def name(self) -> str:
        """The run's name."""
        return f"{self.flow} {self.kind} at {self.place}"


def _failed_call(reason: str, *, retryable: bool = True) -> Doing:
    failure = tool_gateway_service_pb2.ToolFailure(reason=reason, message="scripted", retryable=retryable)
    return answering(tool_gateway_service_pb2.InvokeToolResponse(failure=failure).SerializeToString())


def _without_rows(reply: bytes) -> bytes:
    response = tool_gateway_service_pb2.InvokeToolResponse.FromString(reply)
    if response.WhichOneof("outcome") == "result":
        response.result.rows_json = b"[]"
        response.result.row_count = 0
    return response.SerializeToString()


def _few_rows(reply: bytes) -> bytes:
    response = tool_gateway_service_pb2.InvokeToolResponse.FromString(reply)
    if response.WhichOneof("outcome") == "result":
        rows = json.loads(response.result.rows_json)[:1]
        response.result.rows_json = json.dumps(rows, ensure_ascii=False).encode()
        response.result.row_count = len(rows)
    return response.SerializeToString()


def _broken_rows(reply: bytes) -> bytes:
    response = tool_gateway_service_pb2.InvokeToolResponse.FromString(reply)
    if response.WhichOneof("outcome") == "result":
        response.result.rows_json = response.result.rows_json[: len(response.result.rows_json) // 2] + b'{"'
    return response.SerializeToString()


@dataclass(frozen=True)
class Kind:
    """One way to harm a step."""

    name: str
    """As it stands in the table."""
    doing: Doing
    """What becomes of the calls."""
    times: int = ALWAYS
    """To how many of them."""
    everything: bool = False
    """True where it happens to every tool of the step, and not to one."""


TOOL_KINDS: dict[str, tuple[int, tuple[Kind, ...]]] = {
    "tool times out": (
        1,
        (Kind("tool times out", _failed_call("TIMED_OUT")), Kind("tool never answers", hanging, 1)),
    ),
    "tool raises": (
        2,
        (
            Kind("tool raises", _failed_call("TOOL_FAILED")),
            Kind("tool raises once", _failed_call("TOOL_FAILED"), 1),
            Kind("tool breaks", refusing(INTERNAL)),
            Kind("rows malformed", changing(_broken_rows)),
            Kind("arguments refused", refusing(grpc.StatusCode.INVALID_ARGUMENT)),
        ),
    ),
    "low quality": (
        1,
        (
            Kind("no rows at all", changing(_without_rows), everything=True),
            Kind("no rows of one tool", changing(_without_rows)),
            Kind("few rows", changing(_few_rows), everything=True),
        ),
    ),
    "dependency missing": (1, (Kind("dependency missing", _failed_call("DEPENDENCY_NOT_MET"), 1),)),
    "gateway unreachable": (
        1,
        (Kind("gateway lost once", refusing(UNAVAILABLE), 1), Kind("gateway lost", refusing(UNAVAILABLE))),
    ),
}
"""By row of the table: how many of its kinds each step gets, in turn, and the kinds."""
AGENT_KINDS: dict[str, tuple[int, tuple[Kind, ...]]] = {
    "agent fails": (
        2,
        (
            Kind("agent raises", refusing(INTERNAL)),
            Kind("agent raises once", refusing(INTERNAL), 1),
            Kind("agent never answers", hanging),
            Kind("agent ends without result", ending(1)),
            Kind("agent overloaded once", refusing(grpc.StatusCode.RESOURCE_EXHAUSTED), 1),
        ),
    ),
    "agent unreachable": (
        2,
        (
            Kind("agent unreachable", refusing(UNAVAILABLE)),
            Kind("agent unreachable once", refusing(UNAVAILABLE), 1),
            Kind("agent's stream breaks once", cutting(1), 1),
        ),
    ),
}
SYNTHESIS_KINDS = (
    Kind("synthesizer unreachable", refusing(UNAVAILABLE)),
    Kind("synthesizer raises", refusing(INTERNAL)),
    Kind("answer breaks once", cutting(2), 1),
    Kind("answer always breaks", cutting(2)),
    Kind("no end of the answer", ending(1), 1),
    Kind("synthesizer never answers", hanging),
)
GUARD_KINDS: dict[str, Doing] = {"lost": refusing(UNAVAILABLE), "raises for good": refusing(INTERNAL)}
METHODS = {"policy": "CheckPolicy", "router": "Route", "planner": "DraftPlan", "synthesizer": "Synthesize"}
MODEL_KINDS: dict[str, Reply] = {
    "server error": Reply(status=500),
    "rate limited": Reply(status=429),
    "malformed": Reply(text='{"verdict": "ALLO'),
    "html": Reply(body="<html>busy</html>", content_type="text/html"),
    "cut": Reply(cut_after=1, cut="reset"),
    "never answers": Reply(hang=True),
}
ACTION_KINDS: dict[str, tuple[str, Doing, int]] = {
    "preview lost": ("PreviewAction", refusing(UNAVAILABLE), 1),
    "preview raises": ("PreviewAction", refusing(INTERNAL), 1),
    "approval unheard": ("ApproveAction", losing_reply(), 1),
    "approval lost": ("ApproveAction", refusing(UNAVAILABLE), 1),
    "effect unheard": ("ExecuteAction", losing_reply(), 1),
    "effect unheard and slow": ("ExecuteAction", losing_reply(grpc.StatusCode.DEADLINE_EXCEEDED), 2),
    "effect lost": ("ExecuteAction", refusing(UNAVAILABLE), 1),
    "effect raises": ("ExecuteAction", refusing(INTERNAL), 1),
    "effect unheard, raises": ("ExecuteAction", losing_reply(INTERNAL), 1),
    "effect never answers": ("ExecuteAction", hanging, 1),
    "gateway lost at the effect": ("ExecuteAction", refusing(UNAVAILABLE), ALWAYS),
}


@dataclass(frozen=True)
class Places:
    """Where a flow can be harmed."""

    steps: tuple[tuple[str, str], ...]
    """Step and agent, in order."""
    tools: tuple[tuple[str, str], ...]
    """Step and tool, in order."""
    prompts: tuple[str, ...]
    """The kinds of prompts that the model was asked."""

    @classmethod
    def of(cls, calls: list[Seen], prompts: list[str]) -> Places:
        """Reads them from the calls of a run."""
        runs = [agent_service_pb2.RunRequest.FromString(one.request) for one in calls if one.method == "Run"]
        invoked = [
            tool_gateway_service_pb2.InvokeToolRequest.FromString(one.request)
            for one in calls
            if one.method == "InvokeTool"
        ]
        return cls(
            tuple(dict.fromkeys((run.step.step_id, run.step.agent) for run in runs)),
            tuple(sorted({(one.step_id, one.tool) for one in invoked})),
            tuple(dict.fromkeys(prompts)),
        )


def _invokes(step_id: str, tools: Sequence[str]) -> Callable[[bytes], bool]:
    def fits(request: bytes) -> bool:
        asked = tool_gateway_service_pb2.InvokeToolRequest.FromString(request)
        return asked.step_id == step_id and asked.tool in tools

    return fits


def _runs(step_id: str) -> Callable[[bytes], bool]:
    return lambda request: agent_service_pb2.RunRequest.FromString(request).step.step_id == step_id


def cases_of(question: Question, places: Places, number: int, *, by_model: bool) -> Iterator[Case]:
    """Yields a flow's runs: every kind once at every step; what harms a whole service or a prompt, in turn.

    Args:
        question: The flow's question.
        places: Where it can be harmed.
        number: The flow's number, by which the kinds that are taken in turn differ from flow to flow.
        by_model: Whether a model decides and writes.
    """
    base = Case(question, by_model, "", "", "")
    yield from _at_steps(base, places, number)
    yield from _at_services(base, number)
    if by_model:
        yield from _at_prompts(base, places, number)
    if question.wishes:
        for kind, (method, doing, times) in ACTION_KINDS.items():
            fault = Fault("", "tool_gateway", method, doing, times=times)
            waits = doing is hanging
            yield replace(base, kind=kind, row="action", place=method, faults=(fault,), waits=waits)


def _at_steps(base: Case, places: Places, number: int) -> Iterator[Case]:
    for order, (step_id, agent) in enumerate(places.steps):
        turn = number * 7 + order
        tools = [tool for step, tool in places.tools if step == step_id and not _is_supplement(agent, tool)]
        for row, (most, kinds) in TOOL_KINDS.items() if tools else ():
            for kind in _in_turn(kinds, turn, most):
                if kind.name == "few rows" and agent not in LOOK_UPS:
                    kind = kinds[0]  # noqa: PLW2901 - other agents do not count rows
                tool = tools[turn % len(tools)]
                fits = _invokes(step_id, tools if kind.everything else [tool])
                fault = Fault("", "tool_gateway", "InvokeTool", kind.doing, fits, times=kind.times)
                place = step_id if kind.everything else f"{step_id} {tool}"
                yield _harmed(base, kind, row, place, fault)
        for row, (most, kinds) in AGENT_KINDS.items():
            for kind in _in_turn(kinds, turn, most):
                fault = Fault("", agent, "Run", kind.doing, _runs(step_id), times=kind.times)
                named = f"{row}, {'first' if order == 0 else 'later'} step"
                yield _harmed(base, kind, named, f"{step_id} {agent}", fault)


def _harmed(base: Case, kind: Kind, row: str, place: str, fault: Fault) -> Case:
    return replace(base, kind=kind.name, row=row, place=place, faults=(fault,), waits=kind.doing is hanging)


def _in_turn(kinds: Sequence[Kind], turn: int, most: int) -> list[Kind]:
    return [kinds[(turn + number) % len(kinds)] for number in range(min(most, len(kinds)))]


def _is_supplement(agent: str, tool: str) -> bool:
    """Tells whether an agent's answer stands without a tool's rows."""
    source = spec_of(agent).source(tool)
    return source is not None and source.supplement


def _at_services(base: Case, number: int) -> Iterator[Case]:
    peer = ("policy", "router", "planner", "synthesizer")[number % 4]
    once = Fault("", peer, METHODS[peer], refusing(UNAVAILABLE))
    yield _harmed(base, Kind("unreachable once", once.doing, 1), "service unreachable", peer, once)
    for kind in _in_turn(SYNTHESIS_KINDS, number, 2):
        fault = Fault("", "synthesizer", "Synthesize", kind.doing, times=kind.times)
        yield _harmed(base, kind, "synthesis", "synthesizer", fault)
    if number % 5 == 0:
        peer = ("policy", "router", "planner")[number // 5 % 3]
        for name, doing in GUARD_KINDS.items():
            fault = Fault("", peer, METHODS[peer], doing, times=ALWAYS)
            yield replace(base, kind=name, row="guard", place=peer, faults=(fault,), guarded=True)


def _at_prompts(base: Case, places: Places, number: int) -> Iterator[Case]:
    kinds = list(MODEL_KINDS.items())
    for turn, prompt in enumerate(places.prompts):
        if (turn + number) % 2:
            continue  # Each kind of prompt is asked in many flows.
        kind, reply = kinds[(turn + number) // 2 % len(kinds)]
        if kind == "cut" and prompt != "response_synthesis":
            kind, reply = kinds[0]  # Only the answer is streamed.
        yield replace(base, kind=f"model: {kind}", row="model fails", place=prompt, model=(prompt, reply))
