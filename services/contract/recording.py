"""The messages of recording.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from datetime import datetime
from typing import Any, Self

from hapju.flow.v1 import recording_pb2
from services.contract.asks import AskedBefore
from services.contract.events import ActionSettled, AgentOutcome, FlowEvent, QuestionAsked, QuestionOutcome
from services.contract.flow import (
    AgentResult,
    Attachment,
    DataNeed,
    Decision,
    Question,
    Remembered,
    Spent,
    ToolExchange,
    Turn,
)
from services.contract.mapping import Mapped, dataclass, each, instant, missing, within, write_instant


@dataclass(frozen=True)
class RecordedCaller(Mapped):
    """Who asked."""

    __slots__ = (
        "user_id",
        "tenant",
        "user_type",
        "roles",
    )
    MESSAGE = recording_pb2.RecordedCaller
    user_id: str
    """The user; empty where nobody was named."""
    tenant: str
    """The tenant."""
    user_type: str
    """What kind of user."""
    roles: tuple[str, ...]
    """The user's roles, sorted."""

    def __init__(self, user_id: str = "", tenant: str = "", user_type: str = "", roles: tuple[str, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "user_id", user_id)
        put(self, "tenant", tenant)
        put(self, "user_type", user_type)
        put(self, "roles", roles)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.user_id,
            self.tenant,
            self.user_type,
            self.roles,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.user_id:
            target.user_id = item
        if item := self.tenant:
            target.tenant = item
        if item := self.user_type:
            target.user_type = item
        target.roles.extend(self.roles)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.user_id, source.tenant, source.user_type, tuple(source.roles))


@dataclass(frozen=True)
class Recollection(Mapped):
    """What a flow knows of its user's earlier conversations."""

    __slots__ = ("remembered",)
    MESSAGE = recording_pb2.Recollection
    remembered: tuple[Remembered, ...]
    """The conversations, the latest first."""

    def __init__(self, remembered: tuple[Remembered, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "remembered", remembered)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.remembered,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        for item in self.remembered:
            item.write_to(target.remembered.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(each("remembered", Remembered.read_from, source.remembered))


@dataclass(frozen=True)
class EarlierResult(Mapped):
    """What one step of an earlier flow found."""

    __slots__ = (
        "result",
        "found_at",
    )
    MESSAGE = recording_pb2.EarlierResult
    result: AgentResult
    """The result."""
    found_at: datetime
    """When the step had it."""

    def __init__(self, result: AgentResult, found_at: datetime) -> None:
        put = object.__setattr__
        put(self, "result", result)
        put(self, "found_at", found_at)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.result,
            self.found_at,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.result.write_to(target.result)
        write_instant(target.found_at, self.found_at)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("result", AgentResult.read_from, source.result) if source.HasField("result") else missing("result"),
            within("found_at", instant, source.found_at) if source.HasField("found_at") else missing("found_at"),
        )


@dataclass(frozen=True)
class EarlierFlow(Mapped):
    """An earlier flow of the conversation."""

    __slots__ = (
        "flow_run_id",
        "need",
        "found",
        "asked",
        "actions",
        "attachments",
    )
    MESSAGE = recording_pb2.EarlierFlow
    flow_run_id: str
    """Its id."""
    need: DataNeed | None
    """What its question was about; absent where it had no plan."""
    found: tuple[EarlierResult, ...]
    """What it looked up itself; nothing of what lies before the last flow that changed something."""
    asked: AskedBefore | None
    """What its message asked for and what came of that; absent where it was not routed."""
    actions: tuple[ActionSettled, ...]
    """What became of the actions that it asked for."""
    attachments: tuple[Attachment, ...]
    """The files that came with its message, without their content."""

    def __init__(
        self,
        flow_run_id: str,
        need: DataNeed | None = None,
        found: tuple[EarlierResult, ...] = (),
        asked: AskedBefore | None = None,
        actions: tuple[ActionSettled, ...] = (),
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "flow_run_id", flow_run_id)
        put(self, "need", need)
        put(self, "found", found)
        put(self, "asked", asked)
        put(self, "actions", actions)
        put(self, "attachments", attachments)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.flow_run_id,
            self.need,
            self.found,
            self.asked,
            self.actions,
            self.attachments,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.flow_run_id:
            target.flow_run_id = item
        if (item := self.need) is not None:
            item.write_to(target.need)
        for item in self.found:
            item.write_to(target.found.add())
        if (item := self.asked) is not None:
            item.write_to(target.asked)
        for item in self.actions:
            item.write_to(target.actions.add())
        for item in self.attachments:
            item.write_to(target.attachments.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.flow_run_id,
            within("need", DataNeed.read_from, source.need) if source.HasField("need") else None,
            each("found", EarlierResult.read_from, source.found),
            within("asked", AskedBefore.read_from, source.asked) if source.HasField("asked") else None,
            each("actions", ActionSettled.read_from, source.actions),
            each("attachments", Attachment.read_from, source.attachments),
        )


@dataclass(frozen=True)
class Assignment(Mapped):
    """The variant of one experiment that a flow runs under."""

    __slots__ = (
        "experiment",
        "variant",
    )
    MESSAGE = recording_pb2.Assignment
    experiment: str
    """The experiment, for example "data_reuse"."""
    variant: str
    """The variant, for example "hybrid"."""

    def __init__(self, experiment: str, variant: str) -> None:
        put = object.__setattr__
        put(self, "experiment", experiment)
        put(self, "variant", variant)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.experiment,
            self.variant,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.experiment:
            target.experiment = item
        if item := self.variant:
            target.variant = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.experiment, source.variant)


@dataclass(frozen=True)
class RecordedDecision(Mapped):
    """One decision and where in the flow it was made."""

    __slots__ = (
        "place",
        "decision",
    )
    MESSAGE = recording_pb2.RecordedDecision
    place: str
    """The stage or step, for example "route" or "step/s1/1/assessment"; empty where it is not known."""
    decision: Decision
    """The decision."""

    def __init__(self, place: str, decision: Decision) -> None:
        put = object.__setattr__
        put(self, "place", place)
        put(self, "decision", decision)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.place,
            self.decision,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.place:
            target.place = item
        self.decision.write_to(target.decision)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.place,
            within("decision", Decision.read_from, source.decision)
            if source.HasField("decision")
            else missing("decision"),
        )


@dataclass(frozen=True)
class RecordedAction(Mapped):
    """What became of one action that an agent asked for."""

    __slots__ = (
        "step_id",
        "ordinal",
        "action_type",
        "arguments_json",
        "preview",
        "approval",
        "receipt",
    )
    MESSAGE = recording_pb2.RecordedAction
    step_id: str
    """The step that asked for it."""
    ordinal: int
    """Its place among the step's actions, from 0."""
    action_type: str
    """Its type."""
    arguments_json: bytes
    """Its arguments as UTF-8 JSON."""
    preview: bytes
    """The hapju.tool.v1.PreviewActionResponse in binary form; empty where it was not previewed."""
    approval: bytes
    """The hapju.tool.v1.ApproveActionResponse in binary form; empty where no word was handed over."""
    receipt: bytes
    """The hapju.tool.v1.ExecuteActionResponse in binary form; empty where it was not done."""

    def __init__(
        self,
        step_id: str,
        ordinal: int,
        action_type: str,
        arguments_json: bytes,
        preview: bytes = b"",
        approval: bytes = b"",
        receipt: bytes = b"",
    ) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "ordinal", ordinal)
        put(self, "action_type", action_type)
        put(self, "arguments_json", arguments_json)
        put(self, "preview", preview)
        put(self, "approval", approval)
        put(self, "receipt", receipt)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.ordinal,
            self.action_type,
            self.arguments_json,
            self.preview,
            self.approval,
            self.receipt,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.step_id:
            target.step_id = item
        if item := self.ordinal:
            target.ordinal = item
        if item := self.action_type:
            target.action_type = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.preview:
            target.preview = item
        if item := self.approval:
            target.approval = item
        if item := self.receipt:
            target.receipt = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.ordinal,
            source.action_type,
            source.arguments_json,
            source.preview,
            source.approval,
            source.receipt,
        )


@dataclass(frozen=True)
class RecordedQuestion(Mapped):
    """A question to a person, and how it was settled."""

    __slots__ = (
        "name",
        "asked",
        "default_answer",
        "ask_time",
        "outcome",
        "answer",
        "settle_time",
    )
    MESSAGE = recording_pb2.RecordedQuestion
    name: str
    """Its place in the flow."""
    asked: QuestionAsked
    """The question as it was told."""
    default_answer: str
    """The answer that holds where nobody gives one; empty where the flow is then cancelled."""
    ask_time: datetime
    """When it was asked."""
    outcome: QuestionOutcome | None
    """How it was settled; unspecified where it was not."""
    answer: str
    """What was said."""
    settle_time: datetime | None
    """When it was settled; absent where it was not."""

    def __init__(
        self,
        name: str,
        asked: QuestionAsked,
        default_answer: str,
        ask_time: datetime,
        outcome: QuestionOutcome | None = None,
        answer: str = "",
        settle_time: datetime | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "asked", asked)
        put(self, "default_answer", default_answer)
        put(self, "ask_time", ask_time)
        put(self, "outcome", outcome)
        put(self, "answer", answer)
        put(self, "settle_time", settle_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.asked,
            self.default_answer,
            self.ask_time,
            self.outcome,
            self.answer,
            self.settle_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        self.asked.write_to(target.asked)
        if item := self.default_answer:
            target.default_answer = item
        write_instant(target.ask_time, self.ask_time)
        if (item := self.outcome) is not None:
            target.outcome = item.number
        if item := self.answer:
            target.answer = item
        if (item := self.settle_time) is not None:
            write_instant(target.settle_time, item)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.name,
            within("asked", QuestionAsked.read_from, source.asked) if source.HasField("asked") else missing("asked"),
            source.default_answer,
            within("ask_time", instant, source.ask_time) if source.HasField("ask_time") else missing("ask_time"),
            within("outcome", QuestionOutcome.read_from, source.outcome) if source.outcome else None,
            source.answer,
            within("settle_time", instant, source.settle_time) if source.HasField("settle_time") else None,
        )


@dataclass(frozen=True)
class LostRun(Mapped):
    """A run of an agent that ended without a result."""

    __slots__ = (
        "step_id",
        "attempt",
        "outcome",
        "reason",
        "spent",
    )
    MESSAGE = recording_pb2.LostRun
    step_id: str
    """The step."""
    attempt: int
    """Which attempt at it, from 1."""
    outcome: AgentOutcome
    """How it ended."""
    reason: str
    """Why, UPPER_SNAKE."""
    spent: Spent
    """What the agent had decided and spent."""

    def __init__(self, step_id: str, attempt: int, outcome: AgentOutcome, reason: str, spent: Spent = Spent()) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "attempt", attempt)
        put(self, "outcome", outcome)
        put(self, "reason", reason)
        put(self, "spent", spent)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.attempt,
            self.outcome,
            self.reason,
            self.spent,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.step_id:
            target.step_id = item
        if item := self.attempt:
            target.attempt = item
        target.outcome = self.outcome.number
        if item := self.reason:
            target.reason = item
        self.spent.write_to(target.spent)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.attempt,
            within("outcome", AgentOutcome.read_from, source.outcome),
            source.reason,
            within("spent", Spent.read_from, source.spent) if source.HasField("spent") else Spent(),
        )


@dataclass(frozen=True)
class FlowRecording(Mapped):
    """What a flow was given and what it came to: all that it takes to take its path again without any model, tool or
    effect.
    """

    __slots__ = (
        "format_version",
        "checkpoint_version",
        "hapju_version",
        "flow_run_id",
        "caller",
        "question",
        "history",
        "memory",
        "earlier",
        "assignments",
        "decisions",
        "tool_exchanges",
        "actions",
        "questions",
        "lost_runs",
        "end",
    )
    MESSAGE = recording_pb2.FlowRecording
    format_version: int
    """How this message is to be read; another version is refused."""
    checkpoint_version: int
    """How the flow's checkpoints were named and read when it ran; another version is refused."""
    hapju_version: str
    """The version of hapju that wrote this down, for the reader."""
    flow_run_id: str
    """The flow."""
    caller: RecordedCaller
    """Who asked."""
    question: Question
    """What was asked; with `now`, its conversation and its deadline filled in."""
    history: tuple[Turn, ...]
    """The conversation before it, the oldest first."""
    memory: Recollection
    """What was remembered of earlier conversations, the latest first."""
    earlier: tuple[EarlierFlow, ...]
    """What the conversation's earlier flows had found, the newest first."""
    assignments: tuple[Assignment, ...]
    """The variants of experiments that the flow ran under."""
    decisions: tuple[RecordedDecision, ...]
    """Every decision, in the order in which they were told."""
    tool_exchanges: tuple[ToolExchange, ...]
    """Every call of a tool."""
    actions: tuple[RecordedAction, ...]
    """Every action."""
    questions: tuple[RecordedQuestion, ...]
    """Every question to a person."""
    lost_runs: tuple[LostRun, ...]
    """Every run of an agent that ended without a result."""
    end: FlowEvent
    """The terminal event."""

    def __init__(
        self,
        format_version: int,
        checkpoint_version: int,
        hapju_version: str,
        flow_run_id: str,
        caller: RecordedCaller,
        question: Question,
        history: tuple[Turn, ...],
        memory: Recollection,
        earlier: tuple[EarlierFlow, ...],
        assignments: tuple[Assignment, ...],
        decisions: tuple[RecordedDecision, ...],
        tool_exchanges: tuple[ToolExchange, ...],
        actions: tuple[RecordedAction, ...],
        questions: tuple[RecordedQuestion, ...],
        lost_runs: tuple[LostRun, ...],
        end: FlowEvent,
    ) -> None:
        put = object.__setattr__
        put(self, "format_version", format_version)
        put(self, "checkpoint_version", checkpoint_version)
        put(self, "hapju_version", hapju_version)
        put(self, "flow_run_id", flow_run_id)
        put(self, "caller", caller)
        put(self, "question", question)
        put(self, "history", history)
        put(self, "memory", memory)
        put(self, "earlier", earlier)
        put(self, "assignments", assignments)
        put(self, "decisions", decisions)
        put(self, "tool_exchanges", tool_exchanges)
        put(self, "actions", actions)
        put(self, "questions", questions)
        put(self, "lost_runs", lost_runs)
        put(self, "end", end)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.format_version,
            self.checkpoint_version,
            self.hapju_version,
            self.flow_run_id,
            self.caller,
            self.question,
            self.history,
            self.memory,
            self.earlier,
            self.assignments,
            self.decisions,
            self.tool_exchanges,
            self.actions,
            self.questions,
            self.lost_runs,
            self.end,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.format_version:
            target.format_version = item
        if item := self.checkpoint_version:
            target.checkpoint_version = item
        if item := self.hapju_version:
            target.hapju_version = item
        if item := self.flow_run_id:
            target.flow_run_id = item
        self.caller.write_to(target.caller)
        self.question.write_to(target.question)
        for item in self.history:
            item.write_to(target.history.add())
        self.memory.write_to(target.memory)
        for item in self.earlier:
            item.write_to(target.earlier.add())
        for item in self.assignments:
            item.write_to(target.assignments.add())
        for item in self.decisions:
            item.write_to(target.decisions.add())
        for item in self.tool_exchanges:
            item.write_to(target.tool_exchanges.add())
        for item in self.actions:
            item.write_to(target.actions.add())
        for item in self.questions:
            item.write_to(target.questions.add())
        for item in self.lost_runs:
            item.write_to(target.lost_runs.add())
        self.end.write_to(target.end)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.format_version,
            source.checkpoint_version,
            source.hapju_version,
            source.flow_run_id,
            within("caller", RecordedCaller.read_from, source.caller)
            if source.HasField("caller")
            else missing("caller"),
            within("question", Question.read_from, source.question)
            if source.HasField("question")
            else missing("question"),
            each("history", Turn.read_from, source.history),
            within("memory", Recollection.read_from, source.memory) if source.HasField("memory") else missing("memory"),
            each("earlier", EarlierFlow.read_from, source.earlier),
            each("assignments", Assignment.read_from, source.assignments),
            each("decisions", RecordedDecision.read_from, source.decisions),
            each("tool_exchanges", ToolExchange.read_from, source.tool_exchanges),
            each("actions", RecordedAction.read_from, source.actions),
            each("questions", RecordedQuestion.read_from, source.questions),
            each("lost_runs", LostRun.read_from, source.lost_runs),
            within("end", FlowEvent.read_from, source.end) if source.HasField("end") else missing("end"),
        )
