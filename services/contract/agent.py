"""The messages of agent_description, agent_service.

Generated from protos/hapju/agent/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.agent.v1 import agent_description_pb2, agent_service_pb2
from services.contract.events import Progress, ToolSettled
from services.contract.flow import (
    AgentResult,
    Attachment,
    PlanStep,
    RouteDecision,
    RunContext,
    SlotValue,
    Spent,
    ToolCall,
)
from services.contract.mapping import Cases, Mapped, dataclass, each, missing, within


@dataclass(frozen=True)
class AgentDescription(Mapped):
    """Describes an agent."""

    __slots__ = (
        "agent",
        "answers",
        "declines",
        "tools",
        "definition_digest",
    )
    MESSAGE = agent_description_pb2.DescribeResponse
    agent: str
    """The id, for example "finance.macro"."""
    answers: str
    """What it answers, in English."""
    declines: str
    """What it leaves to others, in English."""
    tools: tuple[str, ...]
    """The tools that it calls."""
    definition_digest: str
    """The digest of its definition, 12 hexadecimal digits."""

    def __init__(self, agent: str, answers: str, declines: str, tools: tuple[str, ...], definition_digest: str) -> None:
        put = object.__setattr__
        put(self, "agent", agent)
        put(self, "answers", answers)
        put(self, "declines", declines)
        put(self, "tools", tools)
        put(self, "definition_digest", definition_digest)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.agent,
            self.answers,
            self.declines,
            self.tools,
            self.definition_digest,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.agent:
            target.agent = item
        if item := self.answers:
            target.answers = item
        if item := self.declines:
            target.declines = item
        target.tools.extend(self.tools)
        if item := self.definition_digest:
            target.definition_digest = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.agent, source.answers, source.declines, tuple(source.tools), source.definition_digest)


@dataclass(frozen=True)
class RunRequest(Mapped):
    """Requests a run."""

    __slots__ = (
        "run",
        "step",
        "calls",
        "prior_results",
        "slots",
        "question",
        "route",
        "computed",
        "said_before",
        "attachments",
    )
    MESSAGE = agent_service_pb2.RunRequest
    run: RunContext
    """Required. The flow."""
    step: PlanStep
    """Required. The step."""
    calls: tuple[ToolCall, ...]
    """The tool calls that were chosen for it, in order."""
    prior_results: tuple[AgentResult, ...]
    """What the steps that it depends on found."""
    slots: tuple[SlotValue, ...]
    """The slots of the plan."""
    question: str
    """Required. The question after normalisation."""
    route: RouteDecision
    """Required. How it is understood."""
    computed: AgentResult | None
    """What this step has computed already, where nobody was left to take the run's result: only its summary is to be
    written, and no tool is called. Absent otherwise.
    """
    said_before: tuple[AgentResult, ...]
    """What this agent has said in earlier flows of the conversation, the latest first and without rows. Where it comes
    to the same again, figure for figure, its summary goes by the rule: a model has worded it then.
    """
    attachments: tuple[Attachment, ...]
    """The files that its asks rest on, without their content."""

    def __init__(
        self,
        run: RunContext,
        step: PlanStep,
        calls: tuple[ToolCall, ...],
        prior_results: tuple[AgentResult, ...],
        slots: tuple[SlotValue, ...],
        question: str,
        route: RouteDecision,
        computed: AgentResult | None = None,
        said_before: tuple[AgentResult, ...] = (),
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "step", step)
        put(self, "calls", calls)
        put(self, "prior_results", prior_results)
        put(self, "slots", slots)
        put(self, "question", question)
        put(self, "route", route)
        put(self, "computed", computed)
        put(self, "said_before", said_before)
        put(self, "attachments", attachments)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.step,
            self.calls,
            self.prior_results,
            self.slots,
            self.question,
            self.route,
            self.computed,
            self.said_before,
            self.attachments,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        self.step.write_to(target.step)
        for item in self.calls:
            item.write_to(target.calls.add())
        for item in self.prior_results:
            item.write_to(target.prior_results.add())
        for item in self.slots:
            item.write_to(target.slots.add())
        if item := self.question:
            target.question = item
        self.route.write_to(target.route)
        if (item := self.computed) is not None:
            item.write_to(target.computed)
        for item in self.said_before:
            item.write_to(target.said_before.add())
        for item in self.attachments:
            item.write_to(target.attachments.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            within("step", PlanStep.read_from, source.step) if source.HasField("step") else missing("step"),
            each("calls", ToolCall.read_from, source.calls),
            each("prior_results", AgentResult.read_from, source.prior_results),
            each("slots", SlotValue.read_from, source.slots),
            source.question,
            within("route", RouteDecision.read_from, source.route) if source.HasField("route") else missing("route"),
            within("computed", AgentResult.read_from, source.computed) if source.HasField("computed") else None,
            each("said_before", AgentResult.read_from, source.said_before),
            each("attachments", Attachment.read_from, source.attachments),
        )


@dataclass(frozen=True)
class RunResult(Mapped):
    """How a run ended."""

    __slots__ = (
        "result",
        "spent",
    )
    MESSAGE = agent_service_pb2.RunResult
    result: AgentResult
    """What the agent found. Its tools' failures are told in here and are no status of the call."""
    spent: Spent
    """What it cost."""

    def __init__(self, result: AgentResult, spent: Spent) -> None:
        put = object.__setattr__
        put(self, "result", result)
        put(self, "spent", spent)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.result,
            self.spent,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.result.write_to(target.result)
        self.spent.write_to(target.spent)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("result", AgentResult.read_from, source.result) if source.HasField("result") else missing("result"),
            within("spent", Spent.read_from, source.spent) if source.HasField("spent") else missing("spent"),
        )


@dataclass(frozen=True)
class RunResponse(Mapped):
    """Tells of a run."""

    __slots__ = ("event",)
    MESSAGE = agent_service_pb2.RunResponse
    event: Progress | ToolSettled | RunResult | AgentResult
    """What happened."""

    def __init__(self, event: Progress | ToolSettled | RunResult | AgentResult) -> None:
        put = object.__setattr__
        put(self, "event", event)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.event,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _RUNRESPONSE_EVENT.write(target, self.event)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_RUNRESPONSE_EVENT.read(source))


_RUNRESPONSE_EVENT = Cases(
    "event", progress=Progress, tool_settled=ToolSettled, run_result=RunResult, computed=AgentResult
)
