"""The messages of action, answer, flow_event, record.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from datetime import datetime, timedelta
from typing import Any, Self

from hapju.flow.v1 import action_pb2, answer_pb2, flow_event_pb2, record_pb2
from services.contract.asks import AskAnswer
from services.contract.charts import Chart
from services.contract.documents import FinalDocument
from services.contract.drops import Dropped
from services.contract.flow import (
    ActionRequest,
    AgentResult,
    Citation,
    DataFreshness,
    Decision,
    DecisionSource,
    ExecutionPlan,
    FailureTag,
    RouteDecision,
    Usage,
    Warning,
)
from services.contract.mapping import (
    Cases,
    Mapped,
    Numbered,
    dataclass,
    each,
    instant,
    missing,
    numbered,
    span,
    within,
    write_instant,
    write_span,
)


@numbered(action_pb2.ActionOutcome)
class ActionOutcome(Numbered):
    """What became of an action that an agent asked for."""

    DONE = "DONE"
    """It is done, once."""
    REFUSED = "REFUSED"
    """It cannot be done, and nothing was."""
    REJECTED = "REJECTED"
    """The user said no, and nothing was done."""
    AWAITING_APPROVAL = "AWAITING_APPROVAL"
    """It waits for an approval that this flow cannot ask for; nothing was done."""
    IN_DOUBT = "IN_DOUBT"
    """Whether it is done is not known; it is not tried again, and the ledger of effects will tell."""


@numbered(answer_pb2.GoalAchieved)
class GoalAchieved(Numbered):
    """Whether the results of a flow's steps answer its question."""

    YES = "YES"
    """Every part of it."""
    PARTIAL = "PARTIAL"
    """Some of it."""
    NO = "NO"
    """Nothing that was found bears on it."""


@numbered(flow_event_pb2.Phase)
class Phase(Numbered):
    """Where a flow stands."""

    ADMITTED = "ADMITTED"
    """The question was accepted."""
    GUARDED = "GUARDED"
    """The policy check let it through."""
    ROUTED = "ROUTED"
    """It is understood."""
    PLANNED = "PLANNED"
    """It is planned."""
    EXECUTING = "EXECUTING"
    """Agents are running."""
    AWAITING_CONFIRMATION = "AWAITING_CONFIRMATION"
    """A person was asked."""
    REVIEWED = "REVIEWED"
    """The results were reviewed."""
    SYNTHESIZING = "SYNTHESIZING"
    """The answer is being written."""
    FINISHED = "FINISHED"
    """Ended with an answer."""
    FAILED = "FAILED"
    """Ended without one."""
    CANCELLED = "CANCELLED"
    """Ended because somebody said so."""
    CANCELING = "CANCELING"
    """Somebody said so, and not every call of it has acknowledged that yet."""


@numbered(flow_event_pb2.ToolOutcomeKind)
class ToolOutcomeKind(Numbered):
    """How a tool call ended."""

    RETURNED = "RETURNED"
    """It returned rows, perhaps none."""
    FAILED = "FAILED"
    """It failed."""
    SKIPPED = "SKIPPED"
    """It was left out."""


@numbered(flow_event_pb2.AgentOutcome)
class AgentOutcome(Numbered):
    """How a step ended for the flow."""

    ANSWERED = "ANSWERED"
    """With an answer, perhaps a limited one."""
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"
    """Without rows."""
    FAILED = "FAILED"
    """Its tools or its own work failed."""
    TIMED_OUT = "TIMED_OUT"
    """It ran out of time."""
    UNREACHABLE = "UNREACHABLE"
    """It could not be reached."""
    SKIPPED = "SKIPPED"
    """It was left out."""
    REUSED = "REUSED"
    """An earlier flow's result took its place."""


@numbered(flow_event_pb2.QuestionKind)
class QuestionKind(Numbered):
    """What a flow asks a person for."""

    SLOT = "SLOT"
    """A value for a slot."""
    CONFIRM = "CONFIRM"
    """A yes or no to how the question was understood."""
    APPROVAL = "APPROVAL"
    """A yes or no to an action as it is shown."""
    REUSE = "REUSE"
    """Whether earlier data will do, so that the person need not say it again."""


@numbered(flow_event_pb2.QuestionOutcome)
class QuestionOutcome(Numbered):
    """How a question to a person was settled."""

    ANSWERED = "ANSWERED"
    """With an answer."""
    DECLINED = "DECLINED"
    """The person said stop."""
    EXPIRED = "EXPIRED"
    """Nobody answered in time."""


@dataclass(frozen=True)
class ShownField(Mapped):
    """One thing that the user is shown before approving. It comes from typed values of the action, never from a model's
    text.
    """

    __slots__ = (
        "name",
        "label",
        "kind",
        "number",
        "text",
    )
    MESSAGE = action_pb2.ShownField
    name: str
    """The field's name, for example "amount_krw"."""
    label: str
    """Its label in the flow's language."""
    kind: str
    """What it is: MONEY_KRW, QUANTITY, TARGET or TEXT."""
    number: int
    """Its value where it is a number, 0 otherwise."""
    text: str
    """Its value as text, at most 500 characters; for a number its digits."""

    def __init__(self, name: str, label: str, kind: str, number: int, text: str) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "label", label)
        put(self, "kind", kind)
        put(self, "number", number)
        put(self, "text", text)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.label,
            self.kind,
            self.number,
            self.text,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        if item := self.label:
            target.label = item
        if item := self.kind:
            target.kind = item
        if item := self.number:
            target.number = item
        if item := self.text:
            target.text = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.name, source.label, source.kind, source.number, source.text)


@dataclass(frozen=True)
class ShownAction(Mapped):
    """An action as the user is shown it."""

    __slots__ = (
        "action_type",
        "action_digest",
        "fields",
        "words",
    )
    MESSAGE = action_pb2.ShownAction
    action_type: str
    """Its type, for example "REFUND_ORDER"."""
    action_digest: str
    """What is bound to the approval: exact tool, arguments, shown fields, user and session; 64 hexadecimal digits."""
    fields: tuple[ShownField, ...]
    """What it would do, in order."""
    words: tuple[str, ...]
    """What people call doing it, in both languages: "결제", "pay"; a yes may name it."""

    def __init__(
        self, action_type: str, action_digest: str, fields: tuple[ShownField, ...], words: tuple[str, ...] = ()
    ) -> None:
        put = object.__setattr__
        put(self, "action_type", action_type)
        put(self, "action_digest", action_digest)
        put(self, "fields", fields)
        put(self, "words", words)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.action_type,
            self.action_digest,
            self.fields,
            self.words,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.action_type:
            target.action_type = item
        if item := self.action_digest:
            target.action_digest = item
        for item in self.fields:
            item.write_to(target.fields.add())
        target.words.extend(self.words)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.action_type,
            source.action_digest,
            each("fields", ShownField.read_from, source.fields),
            tuple(source.words),
        )


@dataclass(frozen=True)
class PendingAction(Mapped):
    """An action that was shown for the user's word, in whichever message of the conversation that comes."""

    __slots__ = (
        "flow_run_id",
        "approval_id",
        "action",
        "arguments_json",
        "arguments_schema_id",
        "expire_time",
    )
    MESSAGE = action_pb2.PendingAction
    flow_run_id: str
    """The flow that proposed it; with step and ordinal the key under which it is done once."""
    approval_id: str
    """Its approval."""
    action: ShownAction
    """As the user was shown it."""
    arguments_json: bytes
    """Its arguments as a UTF-8 JSON object."""
    arguments_schema_id: str
    """The schema of the arguments."""
    expire_time: datetime | None
    """Until when it can be approved."""

    def __init__(
        self,
        flow_run_id: str,
        approval_id: str,
        action: ShownAction,
        arguments_json: bytes,
        arguments_schema_id: str,
        expire_time: datetime | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "flow_run_id", flow_run_id)
        put(self, "approval_id", approval_id)
        put(self, "action", action)
        put(self, "arguments_json", arguments_json)
        put(self, "arguments_schema_id", arguments_schema_id)
        put(self, "expire_time", expire_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.flow_run_id,
            self.approval_id,
            self.action,
            self.arguments_json,
            self.arguments_schema_id,
            self.expire_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.flow_run_id:
            target.flow_run_id = item
        if item := self.approval_id:
            target.approval_id = item
        self.action.write_to(target.action)
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item
        if (item := self.expire_time) is not None:
            write_instant(target.expire_time, item)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.flow_run_id,
            source.approval_id,
            within("action", ShownAction.read_from, source.action) if source.HasField("action") else missing("action"),
            source.arguments_json,
            source.arguments_schema_id,
            within("expire_time", instant, source.expire_time) if source.HasField("expire_time") else None,
        )


@dataclass(frozen=True)
class ActionSettled(Mapped):
    """What became of an action that an agent asked for."""

    __slots__ = (
        "step_id",
        "ordinal",
        "action_type",
        "outcome",
        "reason",
        "effect_key",
        "result_json",
        "result_schema_id",
        "answer",
        "pending",
    )
    MESSAGE = action_pb2.ActionSettled
    step_id: str
    """The step whose agent asked for it."""
    ordinal: int
    """Its place among the actions of its step, from 0; with flow and step the key under which it is done once."""
    action_type: str
    """Its type, for example "REFUND_ORDER"."""
    outcome: ActionOutcome
    """What became of it."""
    reason: str
    """Why it was not done, an UPPER_SNAKE reason; empty where it was."""
    effect_key: str
    """Under which key the ledger of effects holds it; empty where nothing was tried."""
    result_json: bytes
    """What was done, as a UTF-8 JSON object; empty unless it is done."""
    result_schema_id: str
    """The schema of the result."""
    answer: AskAnswer | None
    """What the user is told of it, as the answer to the ask that it was for; absent where it was for none."""
    pending: PendingAction | None
    """The action as it was shown, which a later message of the conversation may approve while it waits, and whose
    outcome can be asked for where it is not known; absent where nothing was shown.
    """

    def __init__(
        self,
        step_id: str,
        ordinal: int,
        action_type: str,
        outcome: ActionOutcome,
        reason: str = "",
        effect_key: str = "",
        result_json: bytes = b"",
        result_schema_id: str = "",
        answer: AskAnswer | None = None,
        pending: PendingAction | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "ordinal", ordinal)
        put(self, "action_type", action_type)
        put(self, "outcome", outcome)
        put(self, "reason", reason)
        put(self, "effect_key", effect_key)
        put(self, "result_json", result_json)
        put(self, "result_schema_id", result_schema_id)
        put(self, "answer", answer)
        put(self, "pending", pending)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.ordinal,
            self.action_type,
            self.outcome,
            self.reason,
            self.effect_key,
            self.result_json,
            self.result_schema_id,
            self.answer,
            self.pending,
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
        target.outcome = self.outcome.number
        if item := self.reason:
            target.reason = item
        if item := self.effect_key:
            target.effect_key = item
        if item := self.result_json:
            target.result_json = item
        if item := self.result_schema_id:
            target.result_schema_id = item
        if (item := self.answer) is not None:
            item.write_to(target.answer)
        if (item := self.pending) is not None:
            item.write_to(target.pending)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.ordinal,
            source.action_type,
            within("outcome", ActionOutcome.read_from, source.outcome),
            source.reason,
            source.effect_key,
            source.result_json,
            source.result_schema_id,
            within("answer", AskAnswer.read_from, source.answer) if source.HasField("answer") else None,
            within("pending", PendingAction.read_from, source.pending) if source.HasField("pending") else None,
        )


@dataclass(frozen=True)
class SelectedAgent(Mapped):
    """An agent that was called, in order."""

    __slots__ = (
        "agent_name",
        "order",
        "output",
    )
    MESSAGE = answer_pb2.SelectedAgent
    agent_name: str
    """The agent."""
    order: int
    """From 1, +1 each."""
    output: AgentResult
    """What it returned."""

    def __init__(self, agent_name: str, order: int, output: AgentResult) -> None:
        put = object.__setattr__
        put(self, "agent_name", agent_name)
        put(self, "order", order)
        put(self, "output", output)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.agent_name,
            self.order,
            self.output,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.agent_name:
            target.agent_name = item
        if item := self.order:
            target.order = item
        self.output.write_to(target.output)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.agent_name,
            source.order,
            within("output", AgentResult.read_from, source.output) if source.HasField("output") else missing("output"),
        )


@dataclass(frozen=True)
class ContextMeta(Mapped):
    """How the answer came about."""

    __slots__ = (
        "domain",
        "intent",
        "status",
        "dispatch_mode",
        "fallback_used",
        "invoked_agent_count",
        "data_reused",
        "reused_data_source",
        "user_confirmed",
        "sample_data",
        "evidence_confidence",
        "normalised_question",
    )
    MESSAGE = answer_pb2.ContextMeta
    domain: str
    """The domain that answered."""
    intent: str
    """The intent."""
    status: str
    """ok, partial, no_data, asked, blocked or out_of_scope; partial also where the review finds the question not
    answered by what there is.
    """
    dispatch_mode: str
    """How the steps ran: none, sequential, parallel, conditional_parallel or adaptive."""
    fallback_used: bool
    """True where any decision fell back to its rule, or a companion branch was run."""
    invoked_agent_count: int
    """How many agents were called."""
    data_reused: bool
    """True where earlier results stood in for a search."""
    reused_data_source: str
    """chat_history, long_term_memory or none."""
    user_confirmed: bool
    """True where a person confirmed the reuse."""
    sample_data: bool
    """True where any row is sample data."""
    evidence_confidence: float | None
    """0 to 1: citations, freshness and supported sentences; absent where nothing was cited."""
    normalised_question: str
    """The question after normalisation; empty where none ran."""

    def __init__(
        self,
        domain: str = "",
        intent: str = "",
        status: str = "",
        dispatch_mode: str = "",
        fallback_used: bool = False,
        invoked_agent_count: int = 0,
        data_reused: bool = False,
        reused_data_source: str = "",
        user_confirmed: bool = False,
        sample_data: bool = False,
        evidence_confidence: float | None = None,
        normalised_question: str = "",
    ) -> None:
        put = object.__setattr__
        put(self, "domain", domain)
        put(self, "intent", intent)
        put(self, "status", status)
        put(self, "dispatch_mode", dispatch_mode)
        put(self, "fallback_used", fallback_used)
        put(self, "invoked_agent_count", invoked_agent_count)
        put(self, "data_reused", data_reused)
        put(self, "reused_data_source", reused_data_source)
        put(self, "user_confirmed", user_confirmed)
        put(self, "sample_data", sample_data)
        put(self, "evidence_confidence", evidence_confidence)
        put(self, "normalised_question", normalised_question)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.domain,
            self.intent,
            self.status,
            self.dispatch_mode,
            self.fallback_used,
            self.invoked_agent_count,
            self.data_reused,
            self.reused_data_source,
            self.user_confirmed,
            self.sample_data,
            self.evidence_confidence,
            self.normalised_question,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.domain:
            target.domain = item
        if item := self.intent:
            target.intent = item
        if item := self.status:
            target.status = item
        if item := self.dispatch_mode:
            target.dispatch_mode = item
        if item := self.fallback_used:
            target.fallback_used = item
        if item := self.invoked_agent_count:
            target.invoked_agent_count = item
        if item := self.data_reused:
            target.data_reused = item
        if item := self.reused_data_source:
            target.reused_data_source = item
        if item := self.user_confirmed:
            target.user_confirmed = item
        if item := self.sample_data:
            target.sample_data = item
        if (item := self.evidence_confidence) is not None:
            target.evidence_confidence = item
        if item := self.normalised_question:
            target.normalised_question = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.domain,
            source.intent,
            source.status,
            source.dispatch_mode,
            source.fallback_used,
            source.invoked_agent_count,
            source.data_reused,
            source.reused_data_source,
            source.user_confirmed,
            source.sample_data,
            source.evidence_confidence if source.HasField("evidence_confidence") else None,
            source.normalised_question,
        )


@dataclass(frozen=True)
class Review(Mapped):
    """What the review after the steps came to."""

    __slots__ = (
        "goal_achieved",
        "score",
        "missing",
    )
    MESSAGE = answer_pb2.Review
    goal_achieved: GoalAchieved
    """Whether the question is answered."""
    score: float
    """0 to 1: how much of it is."""
    missing: tuple[str, ...]
    """What is missing, a short phrase each, in the language of the question."""

    def __init__(self, goal_achieved: GoalAchieved, score: float, missing: tuple[str, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "goal_achieved", goal_achieved)
        put(self, "score", score)
        put(self, "missing", missing)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.goal_achieved,
            self.score,
            self.missing,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.goal_achieved = self.goal_achieved.number
        if item := self.score:
            target.score = item
        target.missing.extend(self.missing)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("goal_achieved", GoalAchieved.read_from, source.goal_achieved), source.score, tuple(source.missing)
        )


@dataclass(frozen=True)
class FinalAnswer(Mapped):
    """The final message of a flow."""

    __slots__ = (
        "flow_run_id",
        "source",
        "final_response",
        "selected_agents",
        "action_requests",
        "confidence_score",
        "requires_confirmation",
        "next_suggested_actions",
        "citations",
        "data_freshness",
        "failure_tags",
        "usage",
        "context_meta",
        "decisions",
        "warnings",
        "actions",
        "review",
        "dropped",
        "charts",
        "documents",
    )
    MESSAGE = answer_pb2.FinalAnswer
    flow_run_id: str
    """The flow's id."""
    source: DecisionSource
    """Who composed the text."""
    final_response: str
    """The whole text; equals the concatenated deltas of the last attempt."""
    selected_agents: tuple[SelectedAgent, ...]
    """The agents that were called, in order."""
    action_requests: tuple[ActionRequest, ...]
    """Actions that wait for an approval."""
    confidence_score: float
    """The mean of the agents' confidences, or the route's where none ran; 0 to 1."""
    requires_confirmation: bool
    """True where the user has to confirm something before anything is done."""
    next_suggested_actions: tuple[str, ...]
    """What the user may do next, in the flow's language."""
    citations: tuple[Citation, ...]
    """What the text rests on."""
    data_freshness: tuple[DataFreshness, ...]
    """How fresh that is."""
    failure_tags: tuple[FailureTag, ...]
    """What went less than well."""
    usage: Usage
    """What the flow cost."""
    context_meta: ContextMeta
    """How the answer came about."""
    decisions: tuple[Decision, ...]
    """Every decision of the flow, in order."""
    warnings: tuple[Warning, ...]
    """Every warning of the flow, in order."""
    actions: tuple[ActionSettled, ...]
    """What became of the actions that the agents asked for, in order; those that wait are in action_requests as well.
    """
    review: Review | None
    """The last review of what was found; absent where no step ran."""
    dropped: tuple[Dropped, ...]
    """What was left out of the text and its citations because nothing holds it; that of an agent stands in its output.
    """
    charts: tuple[Chart, ...]
    """Pictures of what was asked, three at most; none where none would help."""
    documents: tuple[FinalDocument, ...]
    """Documents that were approved; GatewayService.GetDocument makes a file of each."""

    def __init__(
        self,
        flow_run_id: str,
        source: DecisionSource,
        final_response: str,
        selected_agents: tuple[SelectedAgent, ...] = (),
        action_requests: tuple[ActionRequest, ...] = (),
        confidence_score: float = 0.0,
        requires_confirmation: bool = False,
        next_suggested_actions: tuple[str, ...] = (),
        citations: tuple[Citation, ...] = (),
        data_freshness: tuple[DataFreshness, ...] = (),
        failure_tags: tuple[FailureTag, ...] = (),
        usage: Usage = Usage(),
        context_meta: ContextMeta = ContextMeta(),
        decisions: tuple[Decision, ...] = (),
        warnings: tuple[Warning, ...] = (),
        actions: tuple[ActionSettled, ...] = (),
        review: Review | None = None,
        dropped: tuple[Dropped, ...] = (),
        charts: tuple[Chart, ...] = (),
        documents: tuple[FinalDocument, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "flow_run_id", flow_run_id)
        put(self, "source", source)
        put(self, "final_response", final_response)
        put(self, "selected_agents", selected_agents)
        put(self, "action_requests", action_requests)
        put(self, "confidence_score", confidence_score)
        put(self, "requires_confirmation", requires_confirmation)
        put(self, "next_suggested_actions", next_suggested_actions)
        put(self, "citations", citations)
        put(self, "data_freshness", data_freshness)
        put(self, "failure_tags", failure_tags)
        put(self, "usage", usage)
        put(self, "context_meta", context_meta)
        put(self, "decisions", decisions)
        put(self, "warnings", warnings)
        put(self, "actions", actions)
        put(self, "review", review)
        put(self, "dropped", dropped)
        put(self, "charts", charts)
        put(self, "documents", documents)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.flow_run_id,
            self.source,
            self.final_response,
            self.selected_agents,
            self.action_requests,
            self.confidence_score,
            self.requires_confirmation,
            self.next_suggested_actions,
            self.citations,
            self.data_freshness,
            self.failure_tags,
            self.usage,
            self.context_meta,
            self.decisions,
            self.warnings,
            self.actions,
            self.review,
            self.dropped,
            self.charts,
            self.documents,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.flow_run_id:
            target.flow_run_id = item
        target.source = self.source.number
        if item := self.final_response:
            target.final_response = item
        for item in self.selected_agents:
            item.write_to(target.selected_agents.add())
        for item in self.action_requests:
            item.write_to(target.action_requests.add())
        if item := self.confidence_score:
            target.confidence_score = item
        if item := self.requires_confirmation:
            target.requires_confirmation = item
        target.next_suggested_actions.extend(self.next_suggested_actions)
        for item in self.citations:
            item.write_to(target.citations.add())
        for item in self.data_freshness:
            item.write_to(target.data_freshness.add())
        target.failure_tags.extend(item.number for item in self.failure_tags)
        self.usage.write_to(target.usage)
        self.context_meta.write_to(target.context_meta)
        for item in self.decisions:
            item.write_to(target.decisions.add())
        for item in self.warnings:
            item.write_to(target.warnings.add())
        for item in self.actions:
            item.write_to(target.actions.add())
        if (item := self.review) is not None:
            item.write_to(target.review)
        for item in self.dropped:
            item.write_to(target.dropped.add())
        for item in self.charts:
            item.write_to(target.charts.add())
        for item in self.documents:
            item.write_to(target.documents.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.flow_run_id,
            within("source", DecisionSource.read_from, source.source),
            source.final_response,
            each("selected_agents", SelectedAgent.read_from, source.selected_agents),
            each("action_requests", ActionRequest.read_from, source.action_requests),
            source.confidence_score,
            source.requires_confirmation,
            tuple(source.next_suggested_actions),
            each("citations", Citation.read_from, source.citations),
            each("data_freshness", DataFreshness.read_from, source.data_freshness),
            each("failure_tags", FailureTag.read_from, source.failure_tags),
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else Usage(),
            within("context_meta", ContextMeta.read_from, source.context_meta)
            if source.HasField("context_meta")
            else ContextMeta(),
            each("decisions", Decision.read_from, source.decisions),
            each("warnings", Warning.read_from, source.warnings),
            each("actions", ActionSettled.read_from, source.actions),
            within("review", Review.read_from, source.review) if source.HasField("review") else None,
            each("dropped", Dropped.read_from, source.dropped),
            each("charts", Chart.read_from, source.charts),
            each("documents", FinalDocument.read_from, source.documents),
        )


@dataclass(frozen=True)
class Accepted(Mapped):
    """The question was taken in."""

    __slots__ = (
        "flow_run_id",
        "replayed",
        "session_id",
    )
    MESSAGE = flow_event_pb2.Accepted
    flow_run_id: str
    """The flow's id."""
    replayed: bool
    """True where the same request had been started before and this stream tells that flow."""
    session_id: str
    """The conversation that the flow belongs to; name it in the next question to go on with it."""

    def __init__(self, flow_run_id: str, replayed: bool = False, session_id: str = "") -> None:
        put = object.__setattr__
        put(self, "flow_run_id", flow_run_id)
        put(self, "replayed", replayed)
        put(self, "session_id", session_id)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.flow_run_id,
            self.replayed,
            self.session_id,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.flow_run_id:
            target.flow_run_id = item
        if item := self.replayed:
            target.replayed = item
        if item := self.session_id:
            target.session_id = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.flow_run_id, source.replayed, source.session_id)


@dataclass(frozen=True)
class PhaseChanged(Mapped):
    """The flow is in another phase."""

    __slots__ = ("phase",)
    MESSAGE = flow_event_pb2.PhaseChanged
    phase: Phase
    """The phase."""

    def __init__(self, phase: Phase) -> None:
        put = object.__setattr__
        put(self, "phase", phase)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.phase,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.phase = self.phase.number

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(within("phase", Phase.read_from, source.phase))


@dataclass(frozen=True)
class DecisionMade(Mapped):
    """A decision was made."""

    __slots__ = ("decision",)
    MESSAGE = flow_event_pb2.DecisionMade
    decision: Decision
    """The decision."""

    def __init__(self, decision: Decision) -> None:
        put = object.__setattr__
        put(self, "decision", decision)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.decision,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.decision.write_to(target.decision)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("decision", Decision.read_from, source.decision)
            if source.HasField("decision")
            else missing("decision")
        )


@dataclass(frozen=True)
class Routed(Mapped):
    """The question is understood."""

    __slots__ = ("route",)
    MESSAGE = flow_event_pb2.Routed
    route: RouteDecision
    """How."""

    def __init__(self, route: RouteDecision) -> None:
        put = object.__setattr__
        put(self, "route", route)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.route,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.route.write_to(target.route)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("route", RouteDecision.read_from, source.route) if source.HasField("route") else missing("route")
        )


@dataclass(frozen=True)
class Planned(Mapped):
    """The question is planned."""

    __slots__ = ("plan",)
    MESSAGE = flow_event_pb2.Planned
    plan: ExecutionPlan
    """The plan."""

    def __init__(self, plan: ExecutionPlan) -> None:
        put = object.__setattr__
        put(self, "plan", plan)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.plan,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.plan.write_to(target.plan)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(within("plan", ExecutionPlan.read_from, source.plan) if source.HasField("plan") else missing("plan"))


@dataclass(frozen=True)
class DataReuseDecision(Mapped):
    """What becomes of data that the conversation holds, told before anything is looked up."""

    __slots__ = (
        "message",
        "source",
        "reasoning",
        "confidence",
        "use",
        "flow_run_ids",
        "user_confirmed",
    )
    MESSAGE = flow_event_pb2.DataReuseDecision
    message: str
    """A sentence in the flow's language."""
    source: str
    """chat_history, long_term_memory or none."""
    reasoning: str
    """Why, a line for each deduction."""
    confidence: float
    """0 to 1: how well what is held will do."""
    use: str
    """use, verify or search."""
    flow_run_ids: tuple[str, ...]
    """The earlier flows whose results are used; empty under search."""
    user_confirmed: bool
    """True where a person said so."""

    def __init__(
        self,
        message: str,
        source: str,
        reasoning: str,
        confidence: float,
        use: str,
        flow_run_ids: tuple[str, ...] = (),
        user_confirmed: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "message", message)
        put(self, "source", source)
        put(self, "reasoning", reasoning)
        put(self, "confidence", confidence)
        put(self, "use", use)
        put(self, "flow_run_ids", flow_run_ids)
        put(self, "user_confirmed", user_confirmed)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.message,
            self.source,
            self.reasoning,
            self.confidence,
            self.use,
            self.flow_run_ids,
            self.user_confirmed,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.message:
            target.message = item
        if item := self.source:
            target.source = item
        if item := self.reasoning:
            target.reasoning = item
        if item := self.confidence:
            target.confidence = item
        if item := self.use:
            target.use = item
        target.flow_run_ids.extend(self.flow_run_ids)
        if item := self.user_confirmed:
            target.user_confirmed = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.message,
            source.source,
            source.reasoning,
            source.confidence,
            source.use,
            tuple(source.flow_run_ids),
            source.user_confirmed,
        )


@dataclass(frozen=True)
class Reviewed(Mapped):
    """What was found was reviewed, before the answer is told; a flow that tries once more is reviewed twice."""

    __slots__ = ("review",)
    MESSAGE = flow_event_pb2.Reviewed
    review: Review
    """What it came to."""

    def __init__(self, review: Review) -> None:
        put = object.__setattr__
        put(self, "review", review)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.review,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.review.write_to(target.review)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("review", Review.read_from, source.review) if source.HasField("review") else missing("review")
        )


@dataclass(frozen=True)
class StepStarted(Mapped):
    """A step began."""

    __slots__ = (
        "step_id",
        "agent",
        "task",
    )
    MESSAGE = flow_event_pb2.StepStarted
    step_id: str
    """The step."""
    agent: str
    """Its agent."""
    task: str
    """What it is to do."""

    def __init__(self, step_id: str, agent: str, task: str) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "agent", agent)
        put(self, "task", task)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.agent,
            self.task,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.step_id:
            target.step_id = item
        if item := self.agent:
            target.agent = item
        if item := self.task:
            target.task = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.step_id, source.agent, source.task)


@dataclass(frozen=True)
class Progress(Mapped):
    """A service says what it is doing."""

    __slots__ = (
        "service",
        "step_id",
        "message",
    )
    MESSAGE = flow_event_pb2.Progress
    service: str
    """The service."""
    step_id: str
    """The step; empty outside one."""
    message: str
    """A sentence in the flow's language."""

    def __init__(self, service: str, step_id: str, message: str) -> None:
        put = object.__setattr__
        put(self, "service", service)
        put(self, "step_id", step_id)
        put(self, "message", message)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.service,
            self.step_id,
            self.message,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.service:
            target.service = item
        if item := self.step_id:
            target.step_id = item
        if item := self.message:
            target.message = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.service, source.step_id, source.message)


@dataclass(frozen=True)
class ToolSettled(Mapped):
    """A tool call ended."""

    __slots__ = (
        "step_id",
        "tool",
        "outcome",
        "row_count",
        "replayed",
        "reason",
        "latency",
    )
    MESSAGE = flow_event_pb2.ToolSettled
    step_id: str
    """The step."""
    tool: str
    """The tool."""
    outcome: ToolOutcomeKind
    """How it ended."""
    row_count: int
    """How many rows it returned."""
    replayed: bool
    """True where an earlier result with equal arguments was returned."""
    reason: str
    """Why it failed or was left out, an UPPER_SNAKE reason."""
    latency: timedelta
    """Wall time of the call."""

    def __init__(
        self,
        step_id: str,
        tool: str,
        outcome: ToolOutcomeKind,
        row_count: int,
        replayed: bool,
        reason: str,
        latency: timedelta,
    ) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "tool", tool)
        put(self, "outcome", outcome)
        put(self, "row_count", row_count)
        put(self, "replayed", replayed)
        put(self, "reason", reason)
        put(self, "latency", latency)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.tool,
            self.outcome,
            self.row_count,
            self.replayed,
            self.reason,
            self.latency,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.step_id:
            target.step_id = item
        if item := self.tool:
            target.tool = item
        target.outcome = self.outcome.number
        if item := self.row_count:
            target.row_count = item
        if item := self.replayed:
            target.replayed = item
        if item := self.reason:
            target.reason = item
        write_span(target.latency, self.latency)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.tool,
            within("outcome", ToolOutcomeKind.read_from, source.outcome),
            source.row_count,
            source.replayed,
            source.reason,
            within("latency", span, source.latency) if source.HasField("latency") else missing("latency"),
        )


@dataclass(frozen=True)
class AgentSettled(Mapped):
    """A step ended."""

    __slots__ = (
        "step_id",
        "agent",
        "outcome",
        "reason",
        "latency",
        "result",
    )
    MESSAGE = flow_event_pb2.AgentSettled
    step_id: str
    """The step."""
    agent: str
    """Its agent."""
    outcome: AgentOutcome
    """How it ended."""
    reason: str
    """Why, an UPPER_SNAKE reason; empty when it answered."""
    latency: timedelta
    """Wall time of the step."""
    result: AgentResult | None
    """What it found; absent where nothing came back."""

    def __init__(
        self,
        step_id: str,
        agent: str,
        outcome: AgentOutcome,
        reason: str,
        latency: timedelta,
        result: AgentResult | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "agent", agent)
        put(self, "outcome", outcome)
        put(self, "reason", reason)
        put(self, "latency", latency)
        put(self, "result", result)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.agent,
            self.outcome,
            self.reason,
            self.latency,
            self.result,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.step_id:
            target.step_id = item
        if item := self.agent:
            target.agent = item
        target.outcome = self.outcome.number
        if item := self.reason:
            target.reason = item
        write_span(target.latency, self.latency)
        if (item := self.result) is not None:
            item.write_to(target.result)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.agent,
            within("outcome", AgentOutcome.read_from, source.outcome),
            source.reason,
            within("latency", span, source.latency) if source.HasField("latency") else missing("latency"),
            within("result", AgentResult.read_from, source.result) if source.HasField("result") else None,
        )


@dataclass(frozen=True)
class WarningRaised(Mapped):
    """Something went less than well."""

    __slots__ = ("warning",)
    MESSAGE = flow_event_pb2.WarningRaised
    warning: Warning
    """The warning."""

    def __init__(self, warning: Warning) -> None:
        put = object.__setattr__
        put(self, "warning", warning)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.warning,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.warning.write_to(target.warning)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("warning", Warning.read_from, source.warning) if source.HasField("warning") else missing("warning")
        )


@dataclass(frozen=True)
class Heartbeat(Mapped):
    """Nothing happened, and the flow is alive."""

    __slots__ = ()
    MESSAGE = flow_event_pb2.Heartbeat

    def as_tuple(self) -> tuple[Any, ...]:
        return ()

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls()


@dataclass(frozen=True)
class Delta(Mapped):
    """A piece of the answer. A higher attempt voids all text of lower ones; within an attempt a piece that was sent
    before is harmless, because its offset says where it belongs.
    """

    __slots__ = (
        "answer_attempt",
        "text_offset",
        "text",
    )
    MESSAGE = flow_event_pb2.Delta
    answer_attempt: int
    """From 1; higher each time the answer starts anew, +1 at the same replica. A replica that goes on with a flow
    begins at a higher hundred: after 1 may come 101.
    """
    text_offset: int
    """Where the piece begins in the attempt's text, in Unicode code points from 0."""
    text: str
    """The piece; never empty, never ends inside a code point."""

    def __init__(self, answer_attempt: int, text_offset: int, text: str) -> None:
        put = object.__setattr__
        put(self, "answer_attempt", answer_attempt)
        put(self, "text_offset", text_offset)
        put(self, "text", text)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.answer_attempt,
            self.text_offset,
            self.text,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.answer_attempt:
            target.answer_attempt = item
        if item := self.text_offset:
            target.text_offset = item
        if item := self.text:
            target.text = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.answer_attempt, source.text_offset, source.text)


@dataclass(frozen=True)
class QuestionOption(Mapped):
    """One of the answers that a question offers."""

    __slots__ = (
        "value",
        "label",
        "description",
    )
    MESSAGE = flow_event_pb2.QuestionOption
    value: str
    """What is answered."""
    label: str
    """What a button says, in the flow's language."""
    description: str
    """What it leads to, in the flow's language."""

    def __init__(self, value: str, label: str, description: str) -> None:
        put = object.__setattr__
        put(self, "value", value)
        put(self, "label", label)
        put(self, "description", description)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.value,
            self.label,
            self.description,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.value:
            target.value = item
        if item := self.label:
            target.label = item
        if item := self.description:
            target.description = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.value, source.label, source.description)


@dataclass(frozen=True)
class HeldData(Mapped):
    """The earlier data that a question is about."""

    __slots__ = (
        "summary",
        "age",
        "issues",
    )
    MESSAGE = flow_event_pb2.HeldData
    summary: str
    """What it is, in the flow's language."""
    age: timedelta
    """How old its oldest part is."""
    issues: tuple[str, ...]
    """Why it is unsure, a line each."""

    def __init__(self, summary: str, age: timedelta, issues: tuple[str, ...]) -> None:
        put = object.__setattr__
        put(self, "summary", summary)
        put(self, "age", age)
        put(self, "issues", issues)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.summary,
            self.age,
            self.issues,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.summary:
            target.summary = item
        write_span(target.age, self.age)
        target.issues.extend(self.issues)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.summary,
            within("age", span, source.age) if source.HasField("age") else missing("age"),
            tuple(source.issues),
        )


@dataclass(frozen=True)
class QuestionAsked(Mapped):
    """The flow waits for a person."""

    __slots__ = (
        "question_id",
        "kind",
        "slot",
        "text",
        "options",
        "expire_time",
        "default_answer",
        "answer_schema_json",
        "allowed_roles",
        "action",
        "choices",
        "held_data",
    )
    MESSAGE = flow_event_pb2.QuestionAsked
    question_id: str
    """The id under which it is answered; random."""
    kind: QuestionKind
    """What it asks for."""
    slot: str
    """The slot that the answer fills; empty under CONFIRM."""
    text: str
    """The question in the flow's language."""
    options: tuple[str, ...]
    """Values to choose from; empty where any will do."""
    expire_time: datetime
    """When the flow waits no longer: default_answer then holds, and without one the flow is cancelled with nothing
    done.
    """
    default_answer: str
    """The answer that holds where nobody gives one; empty where there is none."""
    answer_schema_json: bytes
    """The JSON Schema of the answer, UTF-8 JSON."""
    allowed_roles: tuple[str, ...]
    """Who may answer: the user who asked, with one of these roles; empty where no role is needed."""
    action: ShownAction | None
    """Under APPROVAL, the action as it would be done, with its digest; absent otherwise."""
    choices: tuple[QuestionOption, ...]
    """The options with what they say and lead to; empty where the values speak for themselves."""
    held_data: HeldData | None
    """Under REUSE, what is held already; absent otherwise."""

    def __init__(
        self,
        question_id: str,
        kind: QuestionKind,
        slot: str,
        text: str,
        options: tuple[str, ...],
        expire_time: datetime,
        default_answer: str = "",
        answer_schema_json: bytes = b"",
        allowed_roles: tuple[str, ...] = (),
        action: ShownAction | None = None,
        choices: tuple[QuestionOption, ...] = (),
        held_data: HeldData | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "question_id", question_id)
        put(self, "kind", kind)
        put(self, "slot", slot)
        put(self, "text", text)
        put(self, "options", options)
        put(self, "expire_time", expire_time)
        put(self, "default_answer", default_answer)
        put(self, "answer_schema_json", answer_schema_json)
        put(self, "allowed_roles", allowed_roles)
        put(self, "action", action)
        put(self, "choices", choices)
        put(self, "held_data", held_data)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.question_id,
            self.kind,
            self.slot,
            self.text,
            self.options,
            self.expire_time,
            self.default_answer,
            self.answer_schema_json,
            self.allowed_roles,
            self.action,
            self.choices,
            self.held_data,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.question_id:
            target.question_id = item
        target.kind = self.kind.number
        if item := self.slot:
            target.slot = item
        if item := self.text:
            target.text = item
        target.options.extend(self.options)
        write_instant(target.expire_time, self.expire_time)
        if item := self.default_answer:
            target.default_answer = item
        if item := self.answer_schema_json:
            target.answer_schema_json = item
        target.allowed_roles.extend(self.allowed_roles)
        if (item := self.action) is not None:
            item.write_to(target.action)
        for item in self.choices:
            item.write_to(target.choices.add())
        if (item := self.held_data) is not None:
            item.write_to(target.held_data)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.question_id,
            within("kind", QuestionKind.read_from, source.kind),
            source.slot,
            source.text,
            tuple(source.options),
            within("expire_time", instant, source.expire_time)
            if source.HasField("expire_time")
            else missing("expire_time"),
            source.default_answer,
            source.answer_schema_json,
            tuple(source.allowed_roles),
            within("action", ShownAction.read_from, source.action) if source.HasField("action") else None,
            each("choices", QuestionOption.read_from, source.choices),
            within("held_data", HeldData.read_from, source.held_data) if source.HasField("held_data") else None,
        )


@dataclass(frozen=True)
class QuestionSettled(Mapped):
    """A person has answered, or the wait is over."""

    __slots__ = (
        "question_id",
        "outcome",
    )
    MESSAGE = flow_event_pb2.QuestionSettled
    question_id: str
    """The question."""
    outcome: QuestionOutcome
    """How."""

    def __init__(self, question_id: str, outcome: QuestionOutcome) -> None:
        put = object.__setattr__
        put(self, "question_id", question_id)
        put(self, "outcome", outcome)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.question_id,
            self.outcome,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.question_id:
            target.question_id = item
        target.outcome = self.outcome.number

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.question_id, within("outcome", QuestionOutcome.read_from, source.outcome))


@dataclass(frozen=True)
class Finished(Mapped):
    """The end, with an answer."""

    __slots__ = ("answer",)
    MESSAGE = flow_event_pb2.Finished
    answer: FinalAnswer
    """The answer."""

    def __init__(self, answer: FinalAnswer) -> None:
        put = object.__setattr__
        put(self, "answer", answer)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.answer,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.answer.write_to(target.answer)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("answer", FinalAnswer.read_from, source.answer) if source.HasField("answer") else missing("answer")
        )


@dataclass(frozen=True)
class Failed(Mapped):
    """The end, without an answer."""

    __slots__ = (
        "code",
        "reason",
        "message",
        "error_id",
        "usage",
        "decisions",
    )
    MESSAGE = flow_event_pb2.Failed
    code: str
    """The google.rpc.Code name, for example "DEADLINE_EXCEEDED"."""
    reason: str
    """Why, an UPPER_SNAKE reason."""
    message: str
    """A sentence in the flow's language that holds no inner detail."""
    error_id: str
    """The id under which the log tells more; empty where nothing more is to be told."""
    usage: Usage
    """What the flow cost until then."""
    decisions: tuple[Decision, ...]
    """Every decision until then."""

    def __init__(
        self,
        code: str,
        reason: str,
        message: str,
        error_id: str = "",
        usage: Usage = Usage(),
        decisions: tuple[Decision, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "code", code)
        put(self, "reason", reason)
        put(self, "message", message)
        put(self, "error_id", error_id)
        put(self, "usage", usage)
        put(self, "decisions", decisions)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.code,
            self.reason,
            self.message,
            self.error_id,
            self.usage,
            self.decisions,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.code:
            target.code = item
        if item := self.reason:
            target.reason = item
        if item := self.message:
            target.message = item
        if item := self.error_id:
            target.error_id = item
        self.usage.write_to(target.usage)
        for item in self.decisions:
            item.write_to(target.decisions.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.code,
            source.reason,
            source.message,
            source.error_id,
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else Usage(),
            each("decisions", Decision.read_from, source.decisions),
        )


@dataclass(frozen=True)
class Cancelled(Mapped):
    """The end, because somebody said so."""

    __slots__ = (
        "reason",
        "usage",
        "decisions",
    )
    MESSAGE = flow_event_pb2.Cancelled
    reason: str
    """CLIENT_CANCELLED, CLIENT_DISCONNECTED, USER_DECLINED, QUESTION_EXPIRED or INTERRUPTED."""
    usage: Usage
    """What the flow cost until then."""
    decisions: tuple[Decision, ...]
    """Every decision until then."""

    def __init__(self, reason: str, usage: Usage = Usage(), decisions: tuple[Decision, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "reason", reason)
        put(self, "usage", usage)
        put(self, "decisions", decisions)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.reason,
            self.usage,
            self.decisions,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.reason:
            target.reason = item
        self.usage.write_to(target.usage)
        for item in self.decisions:
            item.write_to(target.decisions.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.reason,
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else Usage(),
            each("decisions", Decision.read_from, source.decisions),
        )


Event = (
    Accepted
    | PhaseChanged
    | DecisionMade
    | Routed
    | Planned
    | StepStarted
    | Progress
    | ToolSettled
    | AgentSettled
    | WarningRaised
    | Heartbeat
    | Delta
    | QuestionAsked
    | QuestionSettled
    | DataReuseDecision
    | ActionSettled
    | Reviewed
    | Finished
    | Failed
    | Cancelled
)
"""What happened."""


@dataclass(frozen=True)
class FlowEvent(Mapped):
    """One event of a flow. Two lanes share the stream: durable events bear a sequence and are told again to whoever
    resumes; `accepted`, `heartbeat` and `delta` bear none and are not kept.
    """

    __slots__ = (
        "sequence",
        "emit_time",
        "event",
    )
    MESSAGE = flow_event_pb2.FlowEvent
    sequence: int | None
    """From 1, +1 for each durable event of the flow; absent on the other lane."""
    emit_time: datetime
    """When it happened."""
    event: Event
    """What happened."""

    def __init__(self, sequence: int | None, emit_time: datetime, event: Event) -> None:
        put = object.__setattr__
        put(self, "sequence", sequence)
        put(self, "emit_time", emit_time)
        put(self, "event", event)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.sequence,
            self.emit_time,
            self.event,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if (item := self.sequence) is not None:
            target.sequence = item
        write_instant(target.emit_time, self.emit_time)
        _FLOWEVENT_EVENT.write(target, self.event)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.sequence if source.HasField("sequence") else None,
            within("emit_time", instant, source.emit_time) if source.HasField("emit_time") else missing("emit_time"),
            _FLOWEVENT_EVENT.read(source),
        )


_FLOWEVENT_EVENT = Cases(
    "event",
    accepted=Accepted,
    phase_changed=PhaseChanged,
    decision_made=DecisionMade,
    routed=Routed,
    planned=Planned,
    step_started=StepStarted,
    progress=Progress,
    tool_settled=ToolSettled,
    agent_settled=AgentSettled,
    warning_raised=WarningRaised,
    heartbeat=Heartbeat,
    delta=Delta,
    question_asked=QuestionAsked,
    question_settled=QuestionSettled,
    data_reuse_decision=DataReuseDecision,
    action_settled=ActionSettled,
    reviewed=Reviewed,
    finished=Finished,
    failed=Failed,
    cancelled=Cancelled,
)


@dataclass(frozen=True)
class FlowSummary(Mapped):
    """A flow in a list."""

    __slots__ = (
        "flow_run_id",
        "session_id",
        "question",
        "phase",
        "start_time",
        "end_time",
        "latency",
        "usage",
        "user_id",
        "content_withheld",
    )
    MESSAGE = record_pb2.FlowSummary
    flow_run_id: str
    """The flow's id."""
    session_id: str
    """The conversation."""
    question: str
    """The question as the user wrote it."""
    phase: Phase
    """Where it stands."""
    start_time: datetime
    """When it began."""
    end_time: datetime | None
    """When it ended; absent while it runs."""
    latency: timedelta
    """Wall time until its end, or until now."""
    usage: Usage
    """What it cost, with what was decided for it after its end."""
    user_id: str
    """Whose it is, where an operator sees those of the tenant; empty for one's own."""
    content_withheld: bool
    """True where what was said is left out."""

    def __init__(
        self,
        flow_run_id: str,
        session_id: str,
        question: str,
        phase: Phase,
        start_time: datetime,
        end_time: datetime | None,
        latency: timedelta,
        usage: Usage,
        user_id: str = "",
        content_withheld: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "flow_run_id", flow_run_id)
        put(self, "session_id", session_id)
        put(self, "question", question)
        put(self, "phase", phase)
        put(self, "start_time", start_time)
        put(self, "end_time", end_time)
        put(self, "latency", latency)
        put(self, "usage", usage)
        put(self, "user_id", user_id)
        put(self, "content_withheld", content_withheld)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.flow_run_id,
            self.session_id,
            self.question,
            self.phase,
            self.start_time,
            self.end_time,
            self.latency,
            self.usage,
            self.user_id,
            self.content_withheld,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.flow_run_id:
            target.flow_run_id = item
        if item := self.session_id:
            target.session_id = item
        if item := self.question:
            target.question = item
        target.phase = self.phase.number
        write_instant(target.start_time, self.start_time)
        if (item := self.end_time) is not None:
            write_instant(target.end_time, item)
        write_span(target.latency, self.latency)
        self.usage.write_to(target.usage)
        if item := self.user_id:
            target.user_id = item
        if item := self.content_withheld:
            target.content_withheld = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.flow_run_id,
            source.session_id,
            source.question,
            within("phase", Phase.read_from, source.phase),
            within("start_time", instant, source.start_time)
            if source.HasField("start_time")
            else missing("start_time"),
            within("end_time", instant, source.end_time) if source.HasField("end_time") else None,
            within("latency", span, source.latency) if source.HasField("latency") else missing("latency"),
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else missing("usage"),
            source.user_id,
            source.content_withheld,
        )


@dataclass(frozen=True)
class ChainLink(Mapped):
    """One link of a flow's call chain, in the order in which things were decided or settled."""

    __slots__ = (
        "order",
        "service",
        "name",
        "kind",
        "model",
        "latency",
        "input_tokens",
        "output_tokens",
        "outcome",
        "settle_time",
    )
    MESSAGE = record_pb2.ChainLink
    order: int
    """From 1, +1 each."""
    service: str
    """The service."""
    name: str
    """The decision kind, or the tool that was called."""
    kind: str
    """LLM, RULE or FALLBACK for a decision; TOOL for a tool call; ACTION for an action; AGENT for a settled step."""
    model: str
    """The model that was asked; empty where none was."""
    latency: timedelta
    """Wall time."""
    input_tokens: int
    """Tokens sent."""
    output_tokens: int
    """Tokens received."""
    outcome: str
    """What came of it, in a few words."""
    settle_time: datetime
    """When it was settled."""

    def __init__(
        self,
        order: int,
        service: str,
        name: str,
        kind: str,
        model: str,
        latency: timedelta,
        input_tokens: int,
        output_tokens: int,
        outcome: str,
        settle_time: datetime,
    ) -> None:
        put = object.__setattr__
        put(self, "order", order)
        put(self, "service", service)
        put(self, "name", name)
        put(self, "kind", kind)
        put(self, "model", model)
        put(self, "latency", latency)
        put(self, "input_tokens", input_tokens)
        put(self, "output_tokens", output_tokens)
        put(self, "outcome", outcome)
        put(self, "settle_time", settle_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.order,
            self.service,
            self.name,
            self.kind,
            self.model,
            self.latency,
            self.input_tokens,
            self.output_tokens,
            self.outcome,
            self.settle_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.order:
            target.order = item
        if item := self.service:
            target.service = item
        if item := self.name:
            target.name = item
        if item := self.kind:
            target.kind = item
        if item := self.model:
            target.model = item
        write_span(target.latency, self.latency)
        if item := self.input_tokens:
            target.input_tokens = item
        if item := self.output_tokens:
            target.output_tokens = item
        if item := self.outcome:
            target.outcome = item
        write_instant(target.settle_time, self.settle_time)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.order,
            source.service,
            source.name,
            source.kind,
            source.model,
            within("latency", span, source.latency) if source.HasField("latency") else missing("latency"),
            source.input_tokens,
            source.output_tokens,
            source.outcome,
            within("settle_time", instant, source.settle_time)
            if source.HasField("settle_time")
            else missing("settle_time"),
        )


@dataclass(frozen=True)
class FlowRecord(Mapped):
    """All that is kept of a flow."""

    __slots__ = (
        "summary",
        "chain",
        "events",
        "after",
        "dropped",
    )
    MESSAGE = record_pb2.FlowRecord
    summary: FlowSummary
    """The summary."""
    chain: tuple[ChainLink, ...]
    """The call chain."""
    events: tuple[FlowEvent, ...]
    """The durable events, in sequence."""
    after: tuple[ChainLink, ...]
    """What was decided once it had ended and its user had the answer: the line that is remembered of it. Their order
    goes on from the chain's, and their cost is part of the summary's.
    """
    dropped: tuple[Dropped, ...]
    """What agents and synthesizer left out because nothing holds it, in order."""

    def __init__(
        self,
        summary: FlowSummary,
        chain: tuple[ChainLink, ...],
        events: tuple[FlowEvent, ...],
        after: tuple[ChainLink, ...] = (),
        dropped: tuple[Dropped, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "summary", summary)
        put(self, "chain", chain)
        put(self, "events", events)
        put(self, "after", after)
        put(self, "dropped", dropped)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.summary,
            self.chain,
            self.events,
            self.after,
            self.dropped,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.summary.write_to(target.summary)
        for item in self.chain:
            item.write_to(target.chain.add())
        for item in self.events:
            item.write_to(target.events.add())
        for item in self.after:
            item.write_to(target.after.add())
        for item in self.dropped:
            item.write_to(target.dropped.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("summary", FlowSummary.read_from, source.summary)
            if source.HasField("summary")
            else missing("summary"),
            each("chain", ChainLink.read_from, source.chain),
            each("events", FlowEvent.read_from, source.events),
            each("after", ChainLink.read_from, source.after),
            each("dropped", Dropped.read_from, source.dropped),
        )
