"""The kinds of faults (spec 2.4), and where in a flow each can be put: found out from the calls of a run without one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import grpc

from hapju.agent.v1 import agent_service_pb2
from hapju.tool.v1 import tool_gateway_service_pb2
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
from tests.support.faults.questions import Question
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
    """The row of the spec's table, or what else is harmed."""
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


TOOL_KINDS: dict[str, tuple[str, Doing, int]] = {
    "tool times out": ("tool times out", _failed_call("TIMED_OUT"), ALWAYS),
    "tool never answers": ("tool times out", hanging, 1),
    "tool raises": ("tool raises", _failed_call("TOOL_FAILED"), ALWAYS),
    "tool raises once": ("tool raises", _failed_call("TOOL_FAILED"), 1),
    "tool breaks": ("tool raises", refusing(INTERNAL), ALWAYS),
    "rows malformed": ("tool raises", changing(_broken_rows), ALWAYS),
    "arguments refused": ("tool raises", refusing(grpc.StatusCode.INVALID_ARGUMENT), ALWAYS),
    "no rows": ("low quality", changing(_without_rows), ALWAYS),
    "few rows": ("low quality", changing(_few_rows), 1),
    "dependency missing": ("dependency missing", _failed_call("DEPENDENCY_NOT_MET"), 1),
    "gateway lost once": ("service unreachable", refusing(UNAVAILABLE), 1),
    "gateway lost": ("service unreachable", refusing(UNAVAILABLE), ALWAYS),
}
AGENT_KINDS: dict[str, tuple[str, Doing, int]] = {
    "agent raises": ("agent fails", refusing(INTERNAL), ALWAYS),
    "agent raises once": ("agent fails", refusing(INTERNAL), 1),
    "agent unreachable": ("service unreachable", refusing(UNAVAILABLE), ALWAYS),
    "agent unreachable once": ("service unreachable", refusing(UNAVAILABLE), 1),
    "agent never answers": ("agent fails", hanging, ALWAYS),
    "agent's stream breaks": ("service unreachable", cutting(1), 1),
    "agent ends without result": ("agent fails", ending(1), ALWAYS),
    "agent overloaded": ("agent fails", refusing(grpc.StatusCode.RESOURCE_EXHAUSTED), 1),
}
SERVICE_KINDS: dict[str, tuple[str, str, Doing, int]] = {
    "unreachable once": ("policy router planner synthesizer", "service unreachable", refusing(UNAVAILABLE), 1),
    "unreachable": ("synthesizer", "synthesis", refusing(UNAVAILABLE), ALWAYS),
    "raises": ("synthesizer", "synthesis", refusing(INTERNAL), ALWAYS),
    "stream breaks": ("synthesizer", "synthesis", cutting(2), 1),
    "stream always breaks": ("synthesizer", "synthesis", cutting(2), ALWAYS),
    "ends without answer": ("synthesizer", "synthesis", ending(1), 1),
    "never answers": ("synthesizer", "synthesis", hanging, ALWAYS),
}
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


def _invokes(step_id: str, tool: str) -> Callable[[bytes], bool]:
    def fits(request: bytes) -> bool:
        asked = tool_gateway_service_pb2.InvokeToolRequest.FromString(request)
        return (asked.step_id, asked.tool) == (step_id, tool)

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
        tools = [tool for step, tool in places.tools if step == step_id]
        for turn, (kind, (row, doing, times)) in enumerate(TOOL_KINDS.items() if tools else ()):
            tool = tools[(turn + number) % len(tools)]
            fault = Fault("", "tool_gateway", "InvokeTool", doing, _invokes(step_id, tool), times=times)
            yield replace(
                base, kind=kind, row=row, place=f"{step_id} {tool}", faults=(fault,), waits=doing is hanging
            )
        for kind, (row, doing, times) in AGENT_KINDS.items():
            critical = row == "agent fails"
            named = f"{row}, {'first' if order == 0 else 'later'} step" if critical else row
            fault = Fault("", agent, "Run", doing, _runs(step_id), times=times)
            yield replace(
                base, kind=kind, row=named, place=f"{step_id} {agent}", faults=(fault,), waits=doing is hanging
            )


def _at_services(base: Case, number: int) -> Iterator[Case]:
    for turn, (kind, (peers, row, doing, times)) in enumerate(SERVICE_KINDS.items()):
        names = peers.split()
        peer = names[(number + turn) % len(names)]
        if len(names) == 1 and (turn + number) % 2:
            continue
        fault = Fault("", peer, METHODS[peer], doing, times=times)
        yield replace(base, kind=kind, row=row, place=peer, faults=(fault,), waits=doing is hanging)
    if number % 5 == 0:
        peer = ("policy", "router", "planner")[number // 5 % 3]
        for kind, doing in GUARD_KINDS.items():
            fault = Fault("", peer, METHODS[peer], doing, times=ALWAYS)
            yield replace(base, kind=kind, row="guard", place=peer, faults=(fault,), guarded=True)


def _at_prompts(base: Case, places: Places, number: int) -> Iterator[Case]:
    kinds = list(MODEL_KINDS.items())
    for turn, prompt in enumerate(places.prompts):
        kind, reply = kinds[(turn + number) % len(kinds)]
        yield replace(base, kind=f"model: {kind}", row="model fails", place=prompt, model=(prompt, reply))
