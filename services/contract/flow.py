"""The messages of run_context, decision, failure, evidence, route, plan, result, question, memory.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Self

from hapju.flow.v1 import (
    decision_pb2,
    evidence_pb2,
    failure_pb2,
    memory_pb2,
    plan_pb2,
    question_pb2,
    result_pb2,
    route_pb2,
    run_context_pb2,
)
from services.contract.abilities import Summed
from services.contract.asks import Ask, AskAnswer
from services.contract.drops import Dropped
from services.contract.entities import Entity
from services.contract.forms import check_run
from services.contract.mapping import (
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


@numbered(decision_pb2.DecisionSource)
class DecisionSource(Numbered):
    """Who made a decision."""

    LLM = "LLM"
    """A model answered inside the schema."""
    RULE = "RULE"
    """The deterministic rule decided and no model was asked."""
    FALLBACK = "FALLBACK"
    """A model was asked and failed, and the deterministic rule decided instead."""


@numbered(failure_pb2.FailureTag)
class FailureTag(Numbered):
    """What went less than well in a flow that still answered."""

    INTENT_LOW_CONFIDENCE = "INTENT_LOW_CONFIDENCE"
    """The intent's confidence was below the gate and the user was asked."""
    MULTIPLE_INTENTS_CONFLICT = "MULTIPLE_INTENTS_CONFLICT"
    """Several intents that exclude each other."""
    AGENT_CALL_FAILED = "AGENT_CALL_FAILED"
    """An agent failed or could not be reached."""
    RESPONSE_SYNTHESIS_FAILED = "RESPONSE_SYNTHESIS_FAILED"
    """The answer was composed from templates because its synthesis failed."""
    MISSING_REQUIRED_SLOTS = "MISSING_REQUIRED_SLOTS"
    """Something that the intent needs is missing and was asked for."""
    POLICY_BLOCKED = "POLICY_BLOCKED"
    """The policy check blocked the question."""
    TOOL_GATEWAY_REJECTED = "TOOL_GATEWAY_REJECTED"
    """The tool gateway refused a call."""
    CONTEXT_OVERFLOW = "CONTEXT_OVERFLOW"
    """The history does not fit even after summarising."""
    INVALID_SLOT_VALUE = "INVALID_SLOT_VALUE"
    """A given value cannot be used for its slot."""
    USER_DECLINED = "USER_DECLINED"
    """The user declined."""
    TOO_MANY_QUESTIONS = "TOO_MANY_QUESTIONS"
    """The bound on questions in a row was reached."""


@numbered(evidence_pb2.Freshness)
class Freshness(Numbered):
    """Whether data may still be relied on."""

    FRESH = "FRESH"
    """Fresh."""
    AGEING = "AGEING"
    """Old enough that the answer says so."""
    STALE = "STALE"
    """Too old to be relied on."""


@numbered(route_pb2.NextAction)
class NextAction(Numbered):
    """What happens after routing."""

    PROCEED = "PROCEED"
    """Go on to planning."""
    CONFIRM = "CONFIRM"
    """Ask one confirming question first."""
    CLARIFY = "CLARIFY"
    """Answer with a clarifying question; nothing else runs."""
    RESPOND = "RESPOND"
    """Answer at once with guidance; nothing else runs."""


@numbered(route_pb2.ToolMode)
class ToolMode(Numbered):
    """How the branches of a plan may run."""

    SINGLE = "SINGLE"
    """One branch at a time."""
    PARALLEL = "PARALLEL"
    """The sql and the graph branch side by side."""


@numbered(plan_pb2.Strategy)
class Strategy(Numbered):
    """How the steps of a plan run."""

    SEQUENTIAL = "SEQUENTIAL"
    """One step after another."""
    PARALLEL = "PARALLEL"
    """Independent steps side by side."""
    ADAPTIVE = "ADAPTIVE"
    """A step has a condition, so the order is decided while it runs."""
    CONDITIONAL_PARALLEL = "CONDITIONAL_PARALLEL"
    """The sql and graph branches side by side where both are needed."""


@numbered(plan_pb2.Branch)
class Branch(Numbered):
    """Which way a step reaches its data."""

    SQL = "SQL"
    """Tables."""
    GRAPH = "GRAPH"
    """The graph."""
    LLM_DIRECT = "LLM_DIRECT"
    """No data: a direct answer."""


@numbered(result_pb2.AgentStatus)
class AgentStatus(Numbered):
    """How an agent's run ended."""

    ANSWERED = "ANSWERED"
    """It answered from its rows."""
    LIMITED = "LIMITED"
    """It answered, and what it rests on is short: fewer rows than the method asks for."""
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"
    """It found no rows and says so; it writes no number."""
    FAILED = "FAILED"
    """Its tools failed."""


@numbered(result_pb2.Trend)
class Trend(Numbered):
    """Where a thing is heading."""

    BULL = "BULL"
    """Up."""
    BEAR = "BEAR"
    """Down."""
    NEUTRAL = "NEUTRAL"
    """Neither."""


@numbered(question_pb2.OnDisconnect)
class OnDisconnect(Numbered):
    """What a flow does when nobody watches it any more."""

    CANCEL = "CANCEL"
    """Cancel it."""
    CONTINUE = "CONTINUE"
    """Let it go on."""


@numbered(question_pb2.OnBusy)
class OnBusy(Numbered):
    """What happens to a question while another one of its conversation is being answered."""

    REJECT = "REJECT"
    """It is refused with FAILED_PRECONDITION, SESSION_BUSY."""
    QUEUE = "QUEUE"
    """It waits until the other one has ended, within its own time."""
    INTERRUPT = "INTERRUPT"
    """The other one is cancelled, and it begins when that one has ended."""


@numbered(question_pb2.Speaker)
class Speaker(Numbered):
    """Who spoke."""

    USER = "USER"
    """The user."""
    ASSISTANT = "ASSISTANT"
    """The system."""


@numbered(memory_pb2.MemoryTier)
class MemoryTier(Numbered):
    """How far back an earlier conversation lies among a user's conversations."""

    SHORT = "SHORT"
    """The 1st to the 5th before the present one: its last messages, at most 10, in full."""
    MID = "MID"
    """The 6th to the 10th: its summary."""
    LONG = "LONG"
    """The 11th to the 20th: its summary."""


@dataclass(frozen=True)
class Budget(Mapped):
    """The rest of a flow's allowance. A decision that finds a part of it spent goes by its rule and says so."""

    __slots__ = (
        "model_calls",
        "tokens",
        "model_failures",
        "cost_micro_usd",
    )
    MESSAGE = run_context_pb2.Budget
    model_calls: int
    """Model calls left, 0 or more."""
    tokens: int
    """Input plus output tokens left, 0 or more."""
    model_failures: int
    """Model failures that are still borne before the rest of the flow goes by rule without asking, 0 or more."""
    cost_micro_usd: int
    """Money left in millionths of a US dollar, 0 or more."""

    def __init__(self, model_calls: int, tokens: int, model_failures: int, cost_micro_usd: int) -> None:
        put = object.__setattr__
        put(self, "model_calls", model_calls)
        put(self, "tokens", tokens)
        put(self, "model_failures", model_failures)
        put(self, "cost_micro_usd", cost_micro_usd)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.model_calls,
            self.tokens,
            self.model_failures,
            self.cost_micro_usd,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.model_calls:
            target.model_calls = item
        if item := self.tokens:
            target.tokens = item
        if item := self.model_failures:
            target.model_failures = item
        if item := self.cost_micro_usd:
            target.cost_micro_usd = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.model_calls, source.tokens, source.model_failures, source.cost_micro_usd)


@dataclass(frozen=True)
class RunContext(Mapped):
    """What every call of one flow knows about it. Identity is not here: it travels as a signed assertion in metadata.
    Remaining time is not here either: it is the call's deadline.
    """

    __slots__ = (
        "flow_run_id",
        "session_id",
        "locale",
        "now",
        "time_zone",
        "budget",
        "domains",
        "settled_kinds",
        "models_away",
    )
    MESSAGE = run_context_pb2.RunContext
    flow_run_id: str
    """The flow's id, a UUIDv7 in its canonical text form, made by the server."""
    session_id: str
    """The conversation that the flow belongs to; 1 to 64 characters of [A-Za-z0-9_.-]."""
    locale: str
    """The language of every text that the user reads: "ko" or "en"."""
    now: datetime
    """The instant that the flow treats as now, the same at every hop, so that relative dates agree."""
    time_zone: str
    """The user's IANA time zone, for example "Asia/Seoul"."""
    budget: Budget
    """What the flow may still spend when this call is made."""
    domains: tuple[str, ...]
    """The names of the installed domains that may answer; never empty."""
    settled_kinds: tuple[str, ...]
    """Kinds of decisions that leave nothing to decide in this flow, for example because what was found earlier stands
    in for everything that would be read: they go by their rule, and no model is asked.
    """
    models_away: tuple[str, ...]
    """Models that questions have waited for in vain of late: what would ask one goes by its rule at once."""

    def __init__(
        self,
        flow_run_id: str,
        session_id: str,
        locale: str,
        now: datetime,
        time_zone: str,
        budget: Budget,
        domains: tuple[str, ...],
        settled_kinds: tuple[str, ...] = (),
        models_away: tuple[str, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "flow_run_id", flow_run_id)
        put(self, "session_id", session_id)
        put(self, "locale", locale)
        put(self, "now", now)
        put(self, "time_zone", time_zone)
        put(self, "budget", budget)
        put(self, "domains", domains)
        put(self, "settled_kinds", settled_kinds)
        put(self, "models_away", models_away)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.flow_run_id,
            self.session_id,
            self.locale,
            self.now,
            self.time_zone,
            self.budget,
            self.domains,
            self.settled_kinds,
            self.models_away,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.flow_run_id:
            target.flow_run_id = item
        if item := self.session_id:
            target.session_id = item
        if item := self.locale:
            target.locale = item
        write_instant(target.now, self.now)
        if item := self.time_zone:
            target.time_zone = item
        self.budget.write_to(target.budget)
        target.domains.extend(self.domains)
        target.settled_kinds.extend(self.settled_kinds)
        target.models_away.extend(self.models_away)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        made = cls(
            source.flow_run_id,
            source.session_id,
            source.locale,
            within("now", instant, source.now) if source.HasField("now") else missing("now"),
            source.time_zone,
            within("budget", Budget.read_from, source.budget) if source.HasField("budget") else missing("budget"),
            tuple(source.domains),
            tuple(source.settled_kinds),
            tuple(source.models_away),
        )
        check_run(made)
        return made


@dataclass(frozen=True)
class Usage(Summed, Mapped):
    """What was spent."""

    __slots__ = (
        "model_calls",
        "input_tokens",
        "output_tokens",
        "cost_micro_usd",
        "tool_calls",
    )
    MESSAGE = decision_pb2.Usage
    model_calls: int
    """Requests sent to a model, repairs and failures included."""
    input_tokens: int
    """Tokens sent."""
    output_tokens: int
    """Tokens received."""
    cost_micro_usd: int
    """Price in millionths of a US dollar; 0 where no price is configured."""
    tool_calls: int
    """Tool calls that reached the data."""

    def __init__(
        self,
        model_calls: int = 0,
        input_tokens: int = 0,
        output_tokens: int = 0,
        cost_micro_usd: int = 0,
        tool_calls: int = 0,
    ) -> None:
        put = object.__setattr__
        put(self, "model_calls", model_calls)
        put(self, "input_tokens", input_tokens)
        put(self, "output_tokens", output_tokens)
        put(self, "cost_micro_usd", cost_micro_usd)
        put(self, "tool_calls", tool_calls)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.model_calls,
            self.input_tokens,
            self.output_tokens,
            self.cost_micro_usd,
            self.tool_calls,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.model_calls:
            target.model_calls = item
        if item := self.input_tokens:
            target.input_tokens = item
        if item := self.output_tokens:
            target.output_tokens = item
        if item := self.cost_micro_usd:
            target.cost_micro_usd = item
        if item := self.tool_calls:
            target.tool_calls = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.model_calls, source.input_tokens, source.output_tokens, source.cost_micro_usd, source.tool_calls
        )


@dataclass(frozen=True)
class Decision(Mapped):
    """One decision as it was made: one prompt, one schema, one rule."""

    __slots__ = (
        "service",
        "kind",
        "source",
        "prompt_version",
        "model",
        "input_digest",
        "output_json",
        "confidence",
        "reasoning",
        "fallback_reason",
        "latency",
        "usage",
        "decide_time",
    )
    MESSAGE = decision_pb2.Decision
    service: str
    """The service that decided, for example "router" or "finance.macro"."""
    kind: str
    """The kind, which is its prompt's name, for example "intent_analysis"."""
    source: DecisionSource
    """Where it came from."""
    prompt_version: str
    """The digest of the prompt's texts and schema, 12 hexadecimal digits."""
    model: str
    """The model that was asked; empty under RULE."""
    input_digest: str
    """SHA-256 of the canonical inputs, in hexadecimal."""
    output_json: bytes
    """The decision's output as UTF-8 JSON."""
    confidence: float | None
    """0 to 1; absent where the decision states none or it could not be read."""
    reasoning: str
    """Why, in a sentence; may be empty."""
    fallback_reason: str
    """Why the model did not decide, an UPPER_SNAKE reason; empty under LLM, and under RULE when none is configured."""
    latency: timedelta
    """Wall time from being asked to having decided."""
    usage: Usage
    """What it cost."""
    decide_time: datetime
    """When it was made."""

    def __init__(
        self,
        service: str,
        kind: str,
        source: DecisionSource,
        prompt_version: str,
        model: str,
        input_digest: str,
        output_json: bytes,
        confidence: float | None,
        reasoning: str,
        fallback_reason: str,
        latency: timedelta,
        usage: Usage,
        decide_time: datetime,
    ) -> None:
        put = object.__setattr__
        put(self, "service", service)
        put(self, "kind", kind)
        put(self, "source", source)
        put(self, "prompt_version", prompt_version)
        put(self, "model", model)
        put(self, "input_digest", input_digest)
        put(self, "output_json", output_json)
        put(self, "confidence", confidence)
        put(self, "reasoning", reasoning)
        put(self, "fallback_reason", fallback_reason)
        put(self, "latency", latency)
        put(self, "usage", usage)
        put(self, "decide_time", decide_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.service,
            self.kind,
            self.source,
            self.prompt_version,
            self.model,
            self.input_digest,
            self.output_json,
            self.confidence,
            self.reasoning,
            self.fallback_reason,
            self.latency,
            self.usage,
            self.decide_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.service:
            target.service = item
        if item := self.kind:
            target.kind = item
        target.source = self.source.number
        if item := self.prompt_version:
            target.prompt_version = item
        if item := self.model:
            target.model = item
        if item := self.input_digest:
            target.input_digest = item
        if item := self.output_json:
            target.output_json = item
        if (item := self.confidence) is not None:
            target.confidence = item
        if item := self.reasoning:
            target.reasoning = item
        if item := self.fallback_reason:
            target.fallback_reason = item
        write_span(target.latency, self.latency)
        self.usage.write_to(target.usage)
        write_instant(target.decide_time, self.decide_time)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.service,
            source.kind,
            within("source", DecisionSource.read_from, source.source),
            source.prompt_version,
            source.model,
            source.input_digest,
            source.output_json,
            source.confidence if source.HasField("confidence") else None,
            source.reasoning,
            source.fallback_reason,
            within("latency", span, source.latency) if source.HasField("latency") else missing("latency"),
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else missing("usage"),
            within("decide_time", instant, source.decide_time)
            if source.HasField("decide_time")
            else missing("decide_time"),
        )


@dataclass(frozen=True)
class ToolExchange(Mapped):
    """One call of a tool with what it came to, kept where flows are recorded so that they can be replayed."""

    __slots__ = (
        "step_id",
        "tool",
        "arguments_json",
        "response",
        "code",
        "reason",
        "left_out",
    )
    MESSAGE = decision_pb2.ToolExchange
    step_id: str
    """The step that called."""
    tool: str
    """The tool."""
    arguments_json: bytes
    """Its arguments as UTF-8 JSON."""
    response: bytes
    """The hapju.tool.v1.InvokeToolResponse in binary form; empty where the call ended with a status, and where it is
    left out.
    """
    code: str
    """The name of the status that the call ended with, for example UNAVAILABLE; empty where it had a response."""
    reason: str
    """Why, UPPER_SNAKE; empty where it had a response."""
    left_out: bool
    """True where the response is not kept because the call's recording would be too large."""

    def __init__(
        self,
        step_id: str,
        tool: str,
        arguments_json: bytes,
        response: bytes = b"",
        code: str = "",
        reason: str = "",
        left_out: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "tool", tool)
        put(self, "arguments_json", arguments_json)
        put(self, "response", response)
        put(self, "code", code)
        put(self, "reason", reason)
        put(self, "left_out", left_out)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.tool,
            self.arguments_json,
            self.response,
            self.code,
            self.reason,
            self.left_out,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.step_id:
            target.step_id = item
        if item := self.tool:
            target.tool = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.response:
            target.response = item
        if item := self.code:
            target.code = item
        if item := self.reason:
            target.reason = item
        if item := self.left_out:
            target.left_out = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.tool,
            source.arguments_json,
            source.response,
            source.code,
            source.reason,
            source.left_out,
        )


@dataclass(frozen=True)
class Spent(Mapped):
    """What a failed call had spent until it failed; travels as a detail of its status."""

    __slots__ = (
        "decisions",
        "usage",
        "tool_exchanges",
    )
    MESSAGE = decision_pb2.Spent
    decisions: tuple[Decision, ...]
    """The decisions made, in order."""
    usage: Usage
    """The usage, these decisions' included."""
    tool_exchanges: tuple[ToolExchange, ...]
    """The calls of tools with what they came to, in the order in which they ended; empty where flows are not recorded,
    and in a status.
    """

    def __init__(
        self,
        decisions: tuple[Decision, ...] = (),
        usage: Usage = Usage(),
        tool_exchanges: tuple[ToolExchange, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "decisions", decisions)
        put(self, "usage", usage)
        put(self, "tool_exchanges", tool_exchanges)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.decisions,
            self.usage,
            self.tool_exchanges,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        for item in self.decisions:
            item.write_to(target.decisions.add())
        self.usage.write_to(target.usage)
        for item in self.tool_exchanges:
            item.write_to(target.tool_exchanges.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            each("decisions", Decision.read_from, source.decisions),
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else Usage(),
            each("tool_exchanges", ToolExchange.read_from, source.tool_exchanges),
        )


@dataclass(frozen=True)
class Warning(Mapped):
    """Something that a client should show or log, though the flow goes on."""

    __slots__ = (
        "reason",
        "message",
        "service",
        "decision_kind",
    )
    MESSAGE = failure_pb2.Warning
    reason: str
    """Why, an UPPER_SNAKE reason such as "RATE_LIMITED" or "BUDGET_SPENT"."""
    message: str
    """A sentence in the flow's language."""
    service: str
    """The service that it concerns."""
    decision_kind: str
    """The decision kind that it concerns; empty where none does."""

    def __init__(self, reason: str, message: str, service: str, decision_kind: str = "") -> None:
        put = object.__setattr__
        put(self, "reason", reason)
        put(self, "message", message)
        put(self, "service", service)
        put(self, "decision_kind", decision_kind)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.reason,
            self.message,
            self.service,
            self.decision_kind,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.reason:
            target.reason = item
        if item := self.message:
            target.message = item
        if item := self.service:
            target.service = item
        if item := self.decision_kind:
            target.decision_kind = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.reason, source.message, source.service, source.decision_kind)


@dataclass(frozen=True)
class Provenance(Mapped):
    """Where rows come from."""

    __slots__ = (
        "source",
        "dataset",
        "table",
        "filters_json",
        "as_of_time",
        "row_count",
        "template_id",
        "fingerprint",
        "sample",
    )
    MESSAGE = evidence_pb2.Provenance
    source: str
    """Who publishes or generates them, for example "U.S. Bureau of Labor Statistics via statsmodels 0.15.0"."""
    dataset: str
    """The data set's id."""
    table: str
    """The table that was read."""
    filters_json: bytes
    """The filters that were bound, as UTF-8 JSON."""
    as_of_time: datetime | None
    """The newest instant that the rows speak of."""
    row_count: int
    """How many rows were returned."""
    template_id: str
    """The template that was run; empty for data that no template reads."""
    fingerprint: str
    """SHA-256 over template, bound values and rows, in hexadecimal."""
    sample: bool
    """True where the rows are sample data and no published figures."""

    def __init__(
        self,
        source: str,
        dataset: str,
        table: str,
        filters_json: bytes,
        as_of_time: datetime | None,
        row_count: int,
        template_id: str,
        fingerprint: str,
        sample: bool,
    ) -> None:
        put = object.__setattr__
        put(self, "source", source)
        put(self, "dataset", dataset)
        put(self, "table", table)
        put(self, "filters_json", filters_json)
        put(self, "as_of_time", as_of_time)
        put(self, "row_count", row_count)
        put(self, "template_id", template_id)
        put(self, "fingerprint", fingerprint)
        put(self, "sample", sample)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.source,
            self.dataset,
            self.table,
            self.filters_json,
            self.as_of_time,
            self.row_count,
            self.template_id,
            self.fingerprint,
            self.sample,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.source:
            target.source = item
        if item := self.dataset:
            target.dataset = item
        if item := self.table:
            target.table = item
        if item := self.filters_json:
            target.filters_json = item
        if (item := self.as_of_time) is not None:
            write_instant(target.as_of_time, item)
        if item := self.row_count:
            target.row_count = item
        if item := self.template_id:
            target.template_id = item
        if item := self.fingerprint:
            target.fingerprint = item
        if item := self.sample:
            target.sample = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.source,
            source.dataset,
            source.table,
            source.filters_json,
            within("as_of_time", instant, source.as_of_time) if source.HasField("as_of_time") else None,
            source.row_count,
            source.template_id,
            source.fingerprint,
            source.sample,
        )


@dataclass(frozen=True)
class Column(Mapped):
    """One column of rows."""

    __slots__ = (
        "name",
        "title",
        "unit",
        "words",
    )
    MESSAGE = evidence_pb2.Column
    name: str
    """Its name in a row; in rows that hold `fields`, the name of a field."""
    title: str
    """What a user calls it."""
    unit: str
    """What its numbers are in: krw, usd, percent, count, days ...; empty where they bear none."""
    words: Mapping[str, str]
    """What its codes are called, those that the rows hold: "jeonse" for example."""

    def __init__(self, name: str, title: str, unit: str = "", words: Mapping[str, str] | None = None) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "title", title)
        put(self, "unit", unit)
        put(self, "words", {} if words is None else words)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.title,
            self.unit,
            self.words,
        )

    def __hash__(self) -> int:
        return hash(
            (
                self.name,
                self.title,
                self.unit,
            )
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        if item := self.title:
            target.title = item
        if item := self.unit:
            target.unit = item
        target.words.update(self.words)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.name, source.title, source.unit, dict(source.words))


@dataclass(frozen=True)
class Evidence(Mapped):
    """One thing that an answer may rest on: a row, a series, an article. Its id is opaque and never a position."""

    __slots__ = (
        "evidence_id",
        "data_type",
        "title",
        "excerpt",
        "rows_json",
        "rows_schema_id",
        "provenance",
        "columns",
    )
    MESSAGE = evidence_pb2.Evidence
    evidence_id: str
    """The id, unique in the flow."""
    data_type: str
    """The kind of data, which decides how it ages: market, macro, price, product, legal, loan, knowledge."""
    title: str
    """A title that a user can read."""
    excerpt: str
    """What it says, in the flow's language; names and numbers as a user reads them."""
    rows_json: bytes
    """The rows themselves as UTF-8 JSON, an array of objects; at most 64 KiB."""
    rows_schema_id: str
    """The schema of the rows, for example "hapju.tool.macro_series.rows.v1"."""
    provenance: Provenance
    """Where they come from."""
    columns: tuple[Column, ...]
    """How a person reads the rows: their columns in the order in which they are told, in the flow's language. What is
    not among them only identifies, or says the same in the other language.
    """

    def __init__(
        self,
        evidence_id: str,
        data_type: str,
        title: str,
        excerpt: str,
        rows_json: bytes,
        rows_schema_id: str,
        provenance: Provenance,
        columns: tuple[Column, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "evidence_id", evidence_id)
        put(self, "data_type", data_type)
        put(self, "title", title)
        put(self, "excerpt", excerpt)
        put(self, "rows_json", rows_json)
        put(self, "rows_schema_id", rows_schema_id)
        put(self, "provenance", provenance)
        put(self, "columns", columns)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.evidence_id,
            self.data_type,
            self.title,
            self.excerpt,
            self.rows_json,
            self.rows_schema_id,
            self.provenance,
            self.columns,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.evidence_id:
            target.evidence_id = item
        if item := self.data_type:
            target.data_type = item
        if item := self.title:
            target.title = item
        if item := self.excerpt:
            target.excerpt = item
        if item := self.rows_json:
            target.rows_json = item
        if item := self.rows_schema_id:
            target.rows_schema_id = item
        self.provenance.write_to(target.provenance)
        for item in self.columns:
            item.write_to(target.columns.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.evidence_id,
            source.data_type,
            source.title,
            source.excerpt,
            source.rows_json,
            source.rows_schema_id,
            within("provenance", Provenance.read_from, source.provenance)
            if source.HasField("provenance")
            else missing("provenance"),
            each("columns", Column.read_from, source.columns),
        )


@dataclass(frozen=True)
class Citation(Mapped):
    """A reference from the answer to a piece of evidence."""

    __slots__ = (
        "evidence_id",
        "title",
        "source",
        "as_of_time",
        "sample",
    )
    MESSAGE = evidence_pb2.Citation
    evidence_id: str
    """The evidence's id."""
    title: str
    """Its title."""
    source: str
    """Who publishes it."""
    as_of_time: datetime | None
    """The newest instant that it speaks of."""
    sample: bool
    """True where it is sample data."""

    def __init__(self, evidence_id: str, title: str, source: str, as_of_time: datetime | None, sample: bool) -> None:
        put = object.__setattr__
        put(self, "evidence_id", evidence_id)
        put(self, "title", title)
        put(self, "source", source)
        put(self, "as_of_time", as_of_time)
        put(self, "sample", sample)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.evidence_id,
            self.title,
            self.source,
            self.as_of_time,
            self.sample,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.evidence_id:
            target.evidence_id = item
        if item := self.title:
            target.title = item
        if item := self.source:
            target.source = item
        if (item := self.as_of_time) is not None:
            write_instant(target.as_of_time, item)
        if item := self.sample:
            target.sample = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.evidence_id,
            source.title,
            source.source,
            within("as_of_time", instant, source.as_of_time) if source.HasField("as_of_time") else None,
            source.sample,
        )


@dataclass(frozen=True)
class DataFreshness(Mapped):
    """How fresh one kind of data is that an answer rests on."""

    __slots__ = (
        "data_type",
        "as_of_time",
        "age_hours",
        "freshness",
    )
    MESSAGE = evidence_pb2.DataFreshness
    data_type: str
    """The kind of data."""
    as_of_time: datetime | None
    """The newest instant of it."""
    age_hours: int
    """Whole hours between that instant, or the release that followed it, and the flow's now."""
    freshness: Freshness
    """How it ages."""

    def __init__(self, data_type: str, as_of_time: datetime | None, age_hours: int, freshness: Freshness) -> None:
        put = object.__setattr__
        put(self, "data_type", data_type)
        put(self, "as_of_time", as_of_time)
        put(self, "age_hours", age_hours)
        put(self, "freshness", freshness)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.data_type,
            self.as_of_time,
            self.age_hours,
            self.freshness,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.data_type:
            target.data_type = item
        if (item := self.as_of_time) is not None:
            write_instant(target.as_of_time, item)
        if item := self.age_hours:
            target.age_hours = item
        target.freshness = self.freshness.number

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.data_type,
            within("as_of_time", instant, source.as_of_time) if source.HasField("as_of_time") else None,
            source.age_hours,
            within("freshness", Freshness.read_from, source.freshness),
        )


@dataclass(frozen=True)
class IntentAlternative(Mapped):
    """One reading of the question that was not chosen."""

    __slots__ = (
        "intent",
        "confidence",
    )
    MESSAGE = route_pb2.IntentAlternative
    intent: str
    """The intent."""
    confidence: float
    """0.60 to 0.99."""

    def __init__(self, intent: str, confidence: float) -> None:
        put = object.__setattr__
        put(self, "intent", intent)
        put(self, "confidence", confidence)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.intent,
            self.confidence,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.intent:
            target.intent = item
        if item := self.confidence:
            target.confidence = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.intent, source.confidence)


@dataclass(frozen=True)
class VoterScore(Mapped):
    """What one voter said."""

    __slots__ = (
        "voter",
        "intent",
        "score",
        "weight",
        "reason",
    )
    MESSAGE = route_pb2.VoterScore
    voter: str
    """The voter: llm, keyword, scope, detector, shortcut or hint."""
    intent: str
    """The intent that it voted for; empty where it abstained."""
    score: float
    """0 to 1."""
    weight: float
    """Its weight in the vote; 0 where it was not cast."""
    reason: str
    """Why, or why it was not cast."""

    def __init__(self, voter: str, intent: str, score: float, weight: float, reason: str) -> None:
        put = object.__setattr__
        put(self, "voter", voter)
        put(self, "intent", intent)
        put(self, "score", score)
        put(self, "weight", weight)
        put(self, "reason", reason)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.voter,
            self.intent,
            self.score,
            self.weight,
            self.reason,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.voter:
            target.voter = item
        if item := self.intent:
            target.intent = item
        if item := self.score:
            target.score = item
        if item := self.weight:
            target.weight = item
        if item := self.reason:
            target.reason = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.voter, source.intent, source.score, source.weight, source.reason)


@dataclass(frozen=True)
class RouteDecision(Mapped):
    """How a question is understood."""

    __slots__ = (
        "domain",
        "intent",
        "confidence",
        "alternatives",
        "selected_type",
        "sql_need",
        "graph_need",
        "tool_mode",
        "target_agents",
        "entities",
        "country_scope",
        "next_action",
        "route_source",
        "voter_scores",
        "message",
        "examples",
        "reason",
        "requires_confirmation",
        "asks",
    )
    MESSAGE = route_pb2.RouteDecision
    domain: str
    """The domain that answers."""
    intent: str
    """The intent, which is also the selected type."""
    confidence: float
    """0 to 0.99."""
    alternatives: tuple[IntentAlternative, ...]
    """Up to three other readings at 0.60 or above, the best first."""
    selected_type: str
    """The domain's own word for the chosen reading; equals intent unless the domain says otherwise."""
    sql_need: bool
    """True where tables are needed."""
    graph_need: bool
    """True where the graph is needed."""
    tool_mode: ToolMode
    """Parallel only when both are needed."""
    target_agents: tuple[str, ...]
    """The owner agents, for example "finance.macro"."""
    entities: tuple[Entity, ...]
    """What the question names."""
    country_scope: tuple[str, ...]
    """Countries that the question is about, "US" or "KR"."""
    next_action: NextAction
    """What happens next."""
    route_source: str
    """Which step of the order of precedence decided: hint, detector, shortcut, vote."""
    voter_scores: tuple[VoterScore, ...]
    """Every voter's score, so that a reader can see why."""
    message: str
    """What is said to the user where next_action is not PROCEED, in the flow's language."""
    examples: tuple[str, ...]
    """Two or three concrete examples under CLARIFY, in the flow's language."""
    reason: str
    """Why the question is answered at once or not in scope, an UPPER_SNAKE reason; empty under PROCEED."""
    requires_confirmation: bool
    """True where an action of this intent needs the user's confirmation."""
    asks: tuple[Ask, ...]
    """What the question asks for, typed by rule; empty where no domain has an answerer for it."""

    def __init__(
        self,
        domain: str,
        intent: str,
        confidence: float,
        alternatives: tuple[IntentAlternative, ...],
        selected_type: str,
        sql_need: bool,
        graph_need: bool,
        tool_mode: ToolMode,
        target_agents: tuple[str, ...],
        entities: tuple[Entity, ...],
        country_scope: tuple[str, ...],
        next_action: NextAction,
        route_source: str,
        voter_scores: tuple[VoterScore, ...],
        message: str,
        examples: tuple[str, ...],
        reason: str,
        requires_confirmation: bool,
        asks: tuple[Ask, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "domain", domain)
        put(self, "intent", intent)
        put(self, "confidence", confidence)
        put(self, "alternatives", alternatives)
        put(self, "selected_type", selected_type)
        put(self, "sql_need", sql_need)
        put(self, "graph_need", graph_need)
        put(self, "tool_mode", tool_mode)
        put(self, "target_agents", target_agents)
        put(self, "entities", entities)
        put(self, "country_scope", country_scope)
        put(self, "next_action", next_action)
        put(self, "route_source", route_source)
        put(self, "voter_scores", voter_scores)
        put(self, "message", message)
        put(self, "examples", examples)
        put(self, "reason", reason)
        put(self, "requires_confirmation", requires_confirmation)
        put(self, "asks", asks)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.domain,
            self.intent,
            self.confidence,
            self.alternatives,
            self.selected_type,
            self.sql_need,
            self.graph_need,
            self.tool_mode,
            self.target_agents,
            self.entities,
            self.country_scope,
            self.next_action,
            self.route_source,
            self.voter_scores,
            self.message,
            self.examples,
            self.reason,
            self.requires_confirmation,
            self.asks,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.domain:
            target.domain = item
        if item := self.intent:
            target.intent = item
        if item := self.confidence:
            target.confidence = item
        for item in self.alternatives:
            item.write_to(target.alternatives.add())
        if item := self.selected_type:
            target.selected_type = item
        if item := self.sql_need:
            target.sql_need = item
        if item := self.graph_need:
            target.graph_need = item
        target.tool_mode = self.tool_mode.number
        target.target_agents.extend(self.target_agents)
        for item in self.entities:
            item.write_to(target.entities.add())
        target.country_scope.extend(self.country_scope)
        target.next_action = self.next_action.number
        if item := self.route_source:
            target.route_source = item
        for item in self.voter_scores:
            item.write_to(target.voter_scores.add())
        if item := self.message:
            target.message = item
        target.examples.extend(self.examples)
        if item := self.reason:
            target.reason = item
        if item := self.requires_confirmation:
            target.requires_confirmation = item
        for item in self.asks:
            item.write_to(target.asks.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.domain,
            source.intent,
            source.confidence,
            each("alternatives", IntentAlternative.read_from, source.alternatives),
            source.selected_type,
            source.sql_need,
            source.graph_need,
            within("tool_mode", ToolMode.read_from, source.tool_mode),
            tuple(source.target_agents),
            each("entities", Entity.read_from, source.entities),
            tuple(source.country_scope),
            within("next_action", NextAction.read_from, source.next_action),
            source.route_source,
            each("voter_scores", VoterScore.read_from, source.voter_scores),
            source.message,
            tuple(source.examples),
            source.reason,
            source.requires_confirmation,
            each("asks", Ask.read_from, source.asks),
        )


@dataclass(frozen=True)
class ToolCall(Mapped):
    """One tool call that a step is to make."""

    __slots__ = (
        "tool",
        "arguments_json",
        "arguments_schema_id",
    )
    MESSAGE = plan_pb2.ToolCall
    tool: str
    """The tool's name."""
    arguments_json: bytes
    """Its arguments as a UTF-8 JSON object."""
    arguments_schema_id: str
    """The schema of the arguments, for example "hapju.tool.macro_series.arguments.v1"."""

    def __init__(self, tool: str, arguments_json: bytes, arguments_schema_id: str) -> None:
        put = object.__setattr__
        put(self, "tool", tool)
        put(self, "arguments_json", arguments_json)
        put(self, "arguments_schema_id", arguments_schema_id)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.tool,
            self.arguments_json,
            self.arguments_schema_id,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.tool:
            target.tool = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.tool, source.arguments_json, source.arguments_schema_id)


@dataclass(frozen=True)
class PlanStep(Mapped):
    """One step of a plan."""

    __slots__ = (
        "step_id",
        "agent",
        "task",
        "sub_question",
        "depends_on",
        "branch",
        "suggested_calls",
        "keywords",
        "condition",
        "required",
        "asks",
    )
    MESSAGE = plan_pb2.PlanStep
    step_id: str
    """The id, unique in the plan, for example "s1"."""
    agent: str
    """The agent that takes it."""
    task: str
    """What it is to do, in a sentence."""
    sub_question: str
    """The part of the question that it answers, in the user's language."""
    depends_on: tuple[str, ...]
    """The steps that must have ended first."""
    branch: Branch
    """The way to its data."""
    suggested_calls: tuple[ToolCall, ...]
    """The calls that the planner suggests; the orchestrator decides."""
    keywords: tuple[str, ...]
    """Words to search by."""
    condition: str
    """The fact that must hold for it to run; empty where it always runs. "companion_of:s1" holds where the agent of
    step s1 asked for the opposite branch; anything else is a sentence.
    """
    required: bool
    """True where the intent cannot be answered without it."""
    asks: tuple[Ask, ...]
    """The asks that it answers, with what the user has said since; none where it answers the question as a whole."""

    def __init__(
        self,
        step_id: str,
        agent: str,
        task: str,
        sub_question: str,
        depends_on: tuple[str, ...],
        branch: Branch,
        suggested_calls: tuple[ToolCall, ...],
        keywords: tuple[str, ...],
        condition: str,
        required: bool,
        asks: tuple[Ask, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "step_id", step_id)
        put(self, "agent", agent)
        put(self, "task", task)
        put(self, "sub_question", sub_question)
        put(self, "depends_on", depends_on)
        put(self, "branch", branch)
        put(self, "suggested_calls", suggested_calls)
        put(self, "keywords", keywords)
        put(self, "condition", condition)
        put(self, "required", required)
        put(self, "asks", asks)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.step_id,
            self.agent,
            self.task,
            self.sub_question,
            self.depends_on,
            self.branch,
            self.suggested_calls,
            self.keywords,
            self.condition,
            self.required,
            self.asks,
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
        if item := self.sub_question:
            target.sub_question = item
        target.depends_on.extend(self.depends_on)
        target.branch = self.branch.number
        for item in self.suggested_calls:
            item.write_to(target.suggested_calls.add())
        target.keywords.extend(self.keywords)
        if item := self.condition:
            target.condition = item
        if item := self.required:
            target.required = item
        for item in self.asks:
            item.write_to(target.asks.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.step_id,
            source.agent,
            source.task,
            source.sub_question,
            tuple(source.depends_on),
            within("branch", Branch.read_from, source.branch),
            each("suggested_calls", ToolCall.read_from, source.suggested_calls),
            tuple(source.keywords),
            source.condition,
            source.required,
            each("asks", Ask.read_from, source.asks),
        )


@dataclass(frozen=True)
class SlotValue(Mapped):
    """A value for one slot of the intent."""

    __slots__ = (
        "slot",
        "value_json",
        "source",
    )
    MESSAGE = plan_pb2.SlotValue
    slot: str
    """The slot, for example "region"."""
    value_json: bytes
    """The value as a UTF-8 JSON value."""
    source: str
    """Where it was found: question, history, profile."""

    def __init__(self, slot: str, value_json: bytes, source: str) -> None:
        put = object.__setattr__
        put(self, "slot", slot)
        put(self, "value_json", value_json)
        put(self, "source", source)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.slot,
            self.value_json,
            self.source,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.slot:
            target.slot = item
        if item := self.value_json:
            target.value_json = item
        if item := self.source:
            target.source = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.slot, source.value_json, source.source)


@dataclass(frozen=True)
class Sufficiency(Mapped):
    """Whether held data answers the question."""

    __slots__ = (
        "is_sufficient",
        "confidence",
        "data_source",
        "missing_types",
        "reasoning",
    )
    MESSAGE = plan_pb2.Sufficiency
    is_sufficient: bool
    """True where it does."""
    confidence: float
    """0 to 1."""
    data_source: str
    """chat_history, long_term_memory or none."""
    missing_types: tuple[str, ...]
    """The data types that are missing."""
    reasoning: str
    """Why."""

    def __init__(
        self, is_sufficient: bool, confidence: float, data_source: str, missing_types: tuple[str, ...], reasoning: str
    ) -> None:
        put = object.__setattr__
        put(self, "is_sufficient", is_sufficient)
        put(self, "confidence", confidence)
        put(self, "data_source", data_source)
        put(self, "missing_types", missing_types)
        put(self, "reasoning", reasoning)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.is_sufficient,
            self.confidence,
            self.data_source,
            self.missing_types,
            self.reasoning,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.is_sufficient:
            target.is_sufficient = item
        if item := self.confidence:
            target.confidence = item
        if item := self.data_source:
            target.data_source = item
        target.missing_types.extend(self.missing_types)
        if item := self.reasoning:
            target.reasoning = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.is_sufficient, source.confidence, source.data_source, tuple(source.missing_types), source.reasoning
        )


@dataclass(frozen=True)
class Facet(Mapped):
    """What a question names of one kind."""

    __slots__ = (
        "kind",
        "names",
    )
    MESSAGE = plan_pb2.Facet
    kind: str
    """The kind: region, ticker, series, product, topic, period, ..."""
    names: tuple[str, ...]
    """The names, as codes and ids where there are such."""

    def __init__(self, kind: str, names: tuple[str, ...]) -> None:
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "names", names)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.kind,
            self.names,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.kind:
            target.kind = item
        target.names.extend(self.names)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.kind, tuple(source.names))


@dataclass(frozen=True)
class DataNeed(Mapped):
    """What data a question needs, and about what; held data is measured by it."""

    __slots__ = (
        "required_types",
        "given_types",
        "facets",
        "words",
        "points_back",
        "asks_anew",
    )
    MESSAGE = plan_pb2.DataNeed
    required_types: tuple[str, ...]
    """The data types that its answer rests on."""
    given_types: tuple[str, ...]
    """The types that the question brings along itself, such as the text of a contract."""
    facets: tuple[Facet, ...]
    """What it names, by kind."""
    words: tuple[str, ...]
    """Its words of content."""
    points_back: bool
    """True where it says that it means what was found before."""
    asks_anew: bool
    """True where it asks for data to be looked up anew, whatever was found before."""

    def __init__(
        self,
        required_types: tuple[str, ...],
        given_types: tuple[str, ...],
        facets: tuple[Facet, ...],
        words: tuple[str, ...],
        points_back: bool,
        asks_anew: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "required_types", required_types)
        put(self, "given_types", given_types)
        put(self, "facets", facets)
        put(self, "words", words)
        put(self, "points_back", points_back)
        put(self, "asks_anew", asks_anew)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.required_types,
            self.given_types,
            self.facets,
            self.words,
            self.points_back,
            self.asks_anew,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.required_types.extend(self.required_types)
        target.given_types.extend(self.given_types)
        for item in self.facets:
            item.write_to(target.facets.add())
        target.words.extend(self.words)
        if item := self.points_back:
            target.points_back = item
        if item := self.asks_anew:
            target.asks_anew = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            tuple(source.required_types),
            tuple(source.given_types),
            each("facets", Facet.read_from, source.facets),
            tuple(source.words),
            source.points_back,
            source.asks_anew,
        )


@dataclass(frozen=True)
class HeldLookUp(Mapped):
    """What one look-up of an earlier flow of the conversation has found of one type of data."""

    __slots__ = (
        "data_type",
        "agent",
        "row_count",
        "facets",
        "words",
        "found_time",
    )
    MESSAGE = plan_pb2.HeldLookUp
    data_type: str
    """The type of data."""
    agent: str
    """The agent that found it."""
    row_count: int
    """How many rows it has."""
    facets: tuple[Facet, ...]
    """What its question named, by kind."""
    words: tuple[str, ...]
    """That question's words of content."""
    found_time: datetime
    """When it was read."""

    def __init__(
        self,
        data_type: str,
        agent: str,
        row_count: int,
        facets: tuple[Facet, ...],
        words: tuple[str, ...],
        found_time: datetime,
    ) -> None:
        put = object.__setattr__
        put(self, "data_type", data_type)
        put(self, "agent", agent)
        put(self, "row_count", row_count)
        put(self, "facets", facets)
        put(self, "words", words)
        put(self, "found_time", found_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.data_type,
            self.agent,
            self.row_count,
            self.facets,
            self.words,
            self.found_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.data_type:
            target.data_type = item
        if item := self.agent:
            target.agent = item
        if item := self.row_count:
            target.row_count = item
        for item in self.facets:
            item.write_to(target.facets.add())
        target.words.extend(self.words)
        write_instant(target.found_time, self.found_time)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.data_type,
            source.agent,
            source.row_count,
            each("facets", Facet.read_from, source.facets),
            tuple(source.words),
            within("found_time", instant, source.found_time)
            if source.HasField("found_time")
            else missing("found_time"),
        )


@dataclass(frozen=True)
class SlotQuestion(Mapped):
    """A question to the user that the plan waits for."""

    __slots__ = (
        "slot",
        "question",
        "options",
    )
    MESSAGE = plan_pb2.SlotQuestion
    slot: str
    """The slot that it fills."""
    question: str
    """The question in the flow's language."""
    options: tuple[str, ...]
    """Values to choose from; empty where any will do."""

    def __init__(self, slot: str, question: str, options: tuple[str, ...]) -> None:
        put = object.__setattr__
        put(self, "slot", slot)
        put(self, "question", question)
        put(self, "options", options)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.slot,
            self.question,
            self.options,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.slot:
            target.slot = item
        if item := self.question:
            target.question = item
        target.options.extend(self.options)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.slot, source.question, tuple(source.options))


@dataclass(frozen=True)
class ExecutionPlan(Mapped):
    """What is to be done to answer a question."""

    __slots__ = (
        "normalised_question",
        "slots",
        "sufficiency",
        "steps",
        "strategy",
        "estimated_duration",
        "slot_question",
        "unavailable_agents",
        "need",
    )
    MESSAGE = plan_pb2.ExecutionPlan
    normalised_question: str
    """The question with references, dates, sums and names resolved."""
    slots: tuple[SlotValue, ...]
    """The slots that are known."""
    sufficiency: Sufficiency | None
    """The first judgement on held data."""
    steps: tuple[PlanStep, ...]
    """The steps, in the order in which they may run; never empty without a slot question."""
    strategy: Strategy
    """How they run."""
    estimated_duration: timedelta
    """A guess of the whole, from the tools' measured seconds."""
    slot_question: SlotQuestion | None
    """Set where something must be asked before anything runs."""
    unavailable_agents: tuple[str, ...]
    """Agents that the plan would need and that this deployment does not serve."""
    need: DataNeed | None
    """What data its answer rests on; absent where nothing is planned."""

    def __init__(
        self,
        normalised_question: str,
        slots: tuple[SlotValue, ...],
        sufficiency: Sufficiency | None,
        steps: tuple[PlanStep, ...],
        strategy: Strategy,
        estimated_duration: timedelta,
        slot_question: SlotQuestion | None,
        unavailable_agents: tuple[str, ...],
        need: DataNeed | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "normalised_question", normalised_question)
        put(self, "slots", slots)
        put(self, "sufficiency", sufficiency)
        put(self, "steps", steps)
        put(self, "strategy", strategy)
        put(self, "estimated_duration", estimated_duration)
        put(self, "slot_question", slot_question)
        put(self, "unavailable_agents", unavailable_agents)
        put(self, "need", need)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.normalised_question,
            self.slots,
            self.sufficiency,
            self.steps,
            self.strategy,
            self.estimated_duration,
            self.slot_question,
            self.unavailable_agents,
            self.need,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.normalised_question:
            target.normalised_question = item
        for item in self.slots:
            item.write_to(target.slots.add())
        if (item := self.sufficiency) is not None:
            item.write_to(target.sufficiency)
        for item in self.steps:
            item.write_to(target.steps.add())
        target.strategy = self.strategy.number
        write_span(target.estimated_duration, self.estimated_duration)
        if (item := self.slot_question) is not None:
            item.write_to(target.slot_question)
        target.unavailable_agents.extend(self.unavailable_agents)
        if (item := self.need) is not None:
            item.write_to(target.need)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.normalised_question,
            each("slots", SlotValue.read_from, source.slots),
            within("sufficiency", Sufficiency.read_from, source.sufficiency)
            if source.HasField("sufficiency")
            else None,
            each("steps", PlanStep.read_from, source.steps),
            within("strategy", Strategy.read_from, source.strategy),
            within("estimated_duration", span, source.estimated_duration)
            if source.HasField("estimated_duration")
            else missing("estimated_duration"),
            within("slot_question", SlotQuestion.read_from, source.slot_question)
            if source.HasField("slot_question")
            else None,
            tuple(source.unavailable_agents),
            within("need", DataNeed.read_from, source.need) if source.HasField("need") else None,
        )


@dataclass(frozen=True)
class Metric(Mapped):
    """One computed or read figure."""

    __slots__ = (
        "name",
        "label",
        "value",
        "word",
        "unit",
        "as_of_time",
        "evidence_ids",
        "subject",
    )
    MESSAGE = result_pb2.Metric
    name: str
    """The name, for example "latest_value" or "return_20d"."""
    label: str
    """What a user calls it, in the flow's language."""
    value: str
    """A decimal number in plain notation, never a float's repr; empty where the metric is a word."""
    word: str
    """A word such as "up" or "golden_cross"; empty where the metric is a number."""
    unit: str
    """The unit: percent, percentage_point, krw, usd, index, persons, count, days, ratio; empty for words."""
    as_of_time: datetime | None
    """The instant that it speaks of."""
    evidence_ids: tuple[str, ...]
    """The evidence that it was read or computed from; never empty."""
    subject: str
    """What it is about, for example a series' or a security's name as a user reads it."""

    def __init__(
        self,
        name: str,
        label: str,
        value: str,
        word: str,
        unit: str,
        as_of_time: datetime | None,
        evidence_ids: tuple[str, ...],
        subject: str,
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "label", label)
        put(self, "value", value)
        put(self, "word", word)
        put(self, "unit", unit)
        put(self, "as_of_time", as_of_time)
        put(self, "evidence_ids", evidence_ids)
        put(self, "subject", subject)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.label,
            self.value,
            self.word,
            self.unit,
            self.as_of_time,
            self.evidence_ids,
            self.subject,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        if item := self.label:
            target.label = item
        if item := self.value:
            target.value = item
        if item := self.word:
            target.word = item
        if item := self.unit:
            target.unit = item
        if (item := self.as_of_time) is not None:
            write_instant(target.as_of_time, item)
        target.evidence_ids.extend(self.evidence_ids)
        if item := self.subject:
            target.subject = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.name,
            source.label,
            source.value,
            source.word,
            source.unit,
            within("as_of_time", instant, source.as_of_time) if source.HasField("as_of_time") else None,
            tuple(source.evidence_ids),
            source.subject,
        )


@dataclass(frozen=True)
class ActionRequest(Mapped):
    """An action that an agent wants done; nothing is done before the tool gateway has approved it."""

    __slots__ = (
        "action_type",
        "arguments_json",
        "arguments_schema_id",
        "ask_id",
    )
    MESSAGE = result_pb2.ActionRequest
    action_type: str
    """The action's type, for example "ADD_TO_CART"."""
    arguments_json: bytes
    """Its arguments as a UTF-8 JSON object."""
    arguments_schema_id: str
    """The schema of the arguments."""
    ask_id: str
    """The ask that it is for; empty where it is for none."""

    def __init__(self, action_type: str, arguments_json: bytes, arguments_schema_id: str, ask_id: str = "") -> None:
        put = object.__setattr__
        put(self, "action_type", action_type)
        put(self, "arguments_json", arguments_json)
        put(self, "arguments_schema_id", arguments_schema_id)
        put(self, "ask_id", ask_id)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.action_type,
            self.arguments_json,
            self.arguments_schema_id,
            self.ask_id,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.action_type:
            target.action_type = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item
        if item := self.ask_id:
            target.ask_id = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.action_type, source.arguments_json, source.arguments_schema_id, source.ask_id)


@dataclass(frozen=True)
class CausalChain(Mapped):
    """A relation of cause that evidence supports."""

    __slots__ = ("names",)
    MESSAGE = result_pb2.CausalChain
    names: tuple[str, ...]
    """What it leads through, each as a user reads it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        put = object.__setattr__
        put(self, "names", names)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.names,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.names.extend(self.names)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(tuple(source.names))


@dataclass(frozen=True)
class ToolProbe(Mapped):
    """What one call of an agent came to."""

    __slots__ = (
        "tool",
        "branch",
        "row_count",
        "template_id",
        "reason",
    )
    MESSAGE = result_pb2.ToolProbe
    tool: str
    """The tool."""
    branch: Branch
    """The branch that it reads."""
    row_count: int
    """Rows that it returned."""
    template_id: str
    """The named statement that returned them; empty for a call that failed."""
    reason: str
    """Why it failed, UPPER_SNAKE; empty for one that returned."""

    def __init__(self, tool: str, branch: Branch, row_count: int, template_id: str, reason: str) -> None:
        put = object.__setattr__
        put(self, "tool", tool)
        put(self, "branch", branch)
        put(self, "row_count", row_count)
        put(self, "template_id", template_id)
        put(self, "reason", reason)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.tool,
            self.branch,
            self.row_count,
            self.template_id,
            self.reason,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.tool:
            target.tool = item
        target.branch = self.branch.number
        if item := self.row_count:
            target.row_count = item
        if item := self.template_id:
            target.template_id = item
        if item := self.reason:
            target.reason = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.tool,
            within("branch", Branch.read_from, source.branch),
            source.row_count,
            source.template_id,
            source.reason,
        )


@dataclass(frozen=True)
class AgentResult(Mapped):
    """What one agent found."""

    __slots__ = (
        "agent",
        "step_id",
        "status",
        "summary",
        "key_drivers",
        "primary_trend",
        "metrics",
        "evidence",
        "confidence",
        "needs_companion_branch",
        "suggested_actions",
        "action_requests",
        "cautions",
        "reason",
        "dropped",
        "tool_probes",
        "reused_flow_run_id",
        "answers",
        "causes",
    )
    MESSAGE = result_pb2.AgentResult
    agent: str
    """The agent."""
    step_id: str
    """The step that it took."""
    status: AgentStatus
    """How it ended."""
    summary: str
    """What it found, in a few sentences of the flow's language; every number in it is in its rows."""
    key_drivers: tuple[str, ...]
    """What drives it, one line each."""
    primary_trend: Trend | None
    """Where the thing is heading."""
    metrics: tuple[Metric, ...]
    """The figures."""
    evidence: tuple[Evidence, ...]
    """What they rest on."""
    confidence: float
    """0 to 1."""
    needs_companion_branch: bool
    """True where the opposite branch should run once."""
    suggested_actions: tuple[str, ...]
    """What the user may do next, in the flow's language."""
    action_requests: tuple[ActionRequest, ...]
    """Actions to be approved."""
    cautions: tuple[str, ...]
    """Conditions and limits, in the flow's language."""
    reason: str
    """Why it failed or found nothing, an UPPER_SNAKE reason; empty when it answered."""
    dropped: tuple[Dropped, ...]
    """What a model wrote and the rows do not hold, sentence by sentence."""
    tool_probes: tuple[ToolProbe, ...]
    """What came of each call of its branch, in order."""
    reused_flow_run_id: str
    """The earlier flow whose result this is; empty where it was found for this one."""
    answers: tuple[AskAnswer, ...]
    """What came of each ask that it was given, in the order of the asks."""
    causes: tuple[CausalChain, ...]
    """The causes that may be told: a sentence that tells one names two of the same relation."""

    def __init__(
        self,
        agent: str,
        step_id: str,
        status: AgentStatus,
        summary: str = "",
        key_drivers: tuple[str, ...] = (),
        primary_trend: Trend | None = None,
        metrics: tuple[Metric, ...] = (),
        evidence: tuple[Evidence, ...] = (),
        confidence: float = 0.0,
        needs_companion_branch: bool = False,
        suggested_actions: tuple[str, ...] = (),
        action_requests: tuple[ActionRequest, ...] = (),
        cautions: tuple[str, ...] = (),
        reason: str = "",
        dropped: tuple[Dropped, ...] = (),
        tool_probes: tuple[ToolProbe, ...] = (),
        reused_flow_run_id: str = "",
        answers: tuple[AskAnswer, ...] = (),
        causes: tuple[CausalChain, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "agent", agent)
        put(self, "step_id", step_id)
        put(self, "status", status)
        put(self, "summary", summary)
        put(self, "key_drivers", key_drivers)
        put(self, "primary_trend", primary_trend)
        put(self, "metrics", metrics)
        put(self, "evidence", evidence)
        put(self, "confidence", confidence)
        put(self, "needs_companion_branch", needs_companion_branch)
        put(self, "suggested_actions", suggested_actions)
        put(self, "action_requests", action_requests)
        put(self, "cautions", cautions)
        put(self, "reason", reason)
        put(self, "dropped", dropped)
        put(self, "tool_probes", tool_probes)
        put(self, "reused_flow_run_id", reused_flow_run_id)
        put(self, "answers", answers)
        put(self, "causes", causes)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.agent,
            self.step_id,
            self.status,
            self.summary,
            self.key_drivers,
            self.primary_trend,
            self.metrics,
            self.evidence,
            self.confidence,
            self.needs_companion_branch,
            self.suggested_actions,
            self.action_requests,
            self.cautions,
            self.reason,
            self.dropped,
            self.tool_probes,
            self.reused_flow_run_id,
            self.answers,
            self.causes,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.agent:
            target.agent = item
        if item := self.step_id:
            target.step_id = item
        target.status = self.status.number
        if item := self.summary:
            target.summary = item
        target.key_drivers.extend(self.key_drivers)
        if (item := self.primary_trend) is not None:
            target.primary_trend = item.number
        for item in self.metrics:
            item.write_to(target.metrics.add())
        for item in self.evidence:
            item.write_to(target.evidence.add())
        if item := self.confidence:
            target.confidence = item
        if item := self.needs_companion_branch:
            target.needs_companion_branch = item
        target.suggested_actions.extend(self.suggested_actions)
        for item in self.action_requests:
            item.write_to(target.action_requests.add())
        target.cautions.extend(self.cautions)
        if item := self.reason:
            target.reason = item
        for item in self.dropped:
            item.write_to(target.dropped.add())
        for item in self.tool_probes:
            item.write_to(target.tool_probes.add())
        if item := self.reused_flow_run_id:
            target.reused_flow_run_id = item
        for item in self.answers:
            item.write_to(target.answers.add())
        for item in self.causes:
            item.write_to(target.causes.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.agent,
            source.step_id,
            within("status", AgentStatus.read_from, source.status),
            source.summary,
            tuple(source.key_drivers),
            within("primary_trend", Trend.read_from, source.primary_trend) if source.primary_trend else None,
            each("metrics", Metric.read_from, source.metrics),
            each("evidence", Evidence.read_from, source.evidence),
            source.confidence,
            source.needs_companion_branch,
            tuple(source.suggested_actions),
            each("action_requests", ActionRequest.read_from, source.action_requests),
            tuple(source.cautions),
            source.reason,
            each("dropped", Dropped.read_from, source.dropped),
            each("tool_probes", ToolProbe.read_from, source.tool_probes),
            source.reused_flow_run_id,
            each("answers", AskAnswer.read_from, source.answers),
            each("causes", CausalChain.read_from, source.causes),
        )


@dataclass(frozen=True)
class Turn(Mapped):
    """One turn of the conversation."""

    __slots__ = (
        "speaker",
        "text",
        "say_time",
    )
    MESSAGE = question_pb2.Turn
    speaker: Speaker
    """Who spoke."""
    text: str
    """What was said; at most 4,000 characters."""
    say_time: datetime | None
    """When."""

    def __init__(self, speaker: Speaker, text: str, say_time: datetime | None = None) -> None:
        put = object.__setattr__
        put(self, "speaker", speaker)
        put(self, "text", text)
        put(self, "say_time", say_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.speaker,
            self.text,
            self.say_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.speaker = self.speaker.number
        if item := self.text:
            target.text = item
        if (item := self.say_time) is not None:
            write_instant(target.say_time, item)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("speaker", Speaker.read_from, source.speaker),
            source.text,
            within("say_time", instant, source.say_time) if source.HasField("say_time") else None,
        )


@dataclass(frozen=True)
class RouterOutput(Mapped):
    """A reading of the question that a trusted caller brings along and that replaces routing."""

    __slots__ = (
        "primary_intent",
        "confidence",
        "alternative_intents",
    )
    MESSAGE = question_pb2.RouterOutput
    primary_intent: str
    """The intent."""
    confidence: float
    """0 to 1."""
    alternative_intents: tuple[IntentAlternative, ...]
    """Other readings."""

    def __init__(
        self, primary_intent: str, confidence: float, alternative_intents: tuple[IntentAlternative, ...]
    ) -> None:
        put = object.__setattr__
        put(self, "primary_intent", primary_intent)
        put(self, "confidence", confidence)
        put(self, "alternative_intents", alternative_intents)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.primary_intent,
            self.confidence,
            self.alternative_intents,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.primary_intent:
            target.primary_intent = item
        if item := self.confidence:
            target.confidence = item
        for item in self.alternative_intents:
            item.write_to(target.alternative_intents.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.primary_intent,
            source.confidence,
            each("alternative_intents", IntentAlternative.read_from, source.alternative_intents),
        )


@dataclass(frozen=True)
class Attachment(Mapped):
    """A file that comes with a question."""

    __slots__ = (
        "name",
        "media_type",
        "content",
        "text",
        "page_starts",
        "digest",
        "earlier",
    )
    MESSAGE = question_pb2.Attachment
    name: str
    """Its name as the user knows it, without folders; at most 120 characters. By default "attachment 1" and so on."""
    media_type: str
    """Its media type as the client takes it; what it is, its content says: a text, a DOCX or a PDF."""
    content: bytes
    """The file. Only the gateway has it: what goes on and is kept is what it says."""
    text: str
    """What it says. A client that has a text sends it here and no content; otherwise the gateway reads it."""
    page_starts: tuple[int, ...]
    """Where its pages begin in the text, in code points; empty where it has none. Set by the gateway."""
    digest: str
    """SHA-256 of what was sent, in hexadecimal digits. Set by the gateway."""
    earlier: bool
    """True where an earlier message of the conversation brought it. Set by the flow's owner."""

    def __init__(
        self,
        name: str = "",
        media_type: str = "",
        content: bytes = b"",
        text: str = "",
        page_starts: tuple[int, ...] = (),
        digest: str = "",
        earlier: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "media_type", media_type)
        put(self, "content", content)
        put(self, "text", text)
        put(self, "page_starts", page_starts)
        put(self, "digest", digest)
        put(self, "earlier", earlier)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.media_type,
            self.content,
            self.text,
            self.page_starts,
            self.digest,
            self.earlier,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        if item := self.media_type:
            target.media_type = item
        if item := self.content:
            target.content = item
        if item := self.text:
            target.text = item
        target.page_starts.extend(self.page_starts)
        if item := self.digest:
            target.digest = item
        if item := self.earlier:
            target.earlier = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.name,
            source.media_type,
            source.content,
            source.text,
            tuple(source.page_starts),
            source.digest,
            source.earlier,
        )


@dataclass(frozen=True)
class Question(Mapped):
    """A question with all that a client may say about it. Everything is optional; without a text, attachments speak."""

    __slots__ = (
        "text",
        "locale",
        "domains",
        "session_id",
        "time_zone",
        "intent_hint",
        "router_output",
        "now",
        "history",
        "flow_timeout",
        "on_disconnect",
        "request_id",
        "interactive",
        "on_busy",
        "attachments",
    )
    MESSAGE = question_pb2.Question
    text: str
    """The text as the user wrote it; at most 4,000 characters."""
    locale: str
    """"ko" or "en"; by default the language of the text."""
    domains: tuple[str, ...]
    """The domains that may answer; by default all that the deployment enables."""
    session_id: str
    """The conversation; by default a new one."""
    time_zone: str
    """The user's IANA time zone; "Asia/Seoul" by default."""
    intent_hint: str
    """The intent, where the client knows it (a button, a form)."""
    router_output: RouterOutput | None
    """A reading that replaces routing; taken from callers with the role "router" only."""
    now: datetime | None
    """The instant to treat as now; taken from callers with the role "evaluator" only."""
    history: tuple[Turn, ...]
    """The turns before this one, the oldest first, where the client keeps the conversation; at most 100."""
    flow_timeout: timedelta | None
    """How long the flow may take; at most 10 minutes, 2 by default. Under Ask the call's own deadline holds too."""
    on_disconnect: OnDisconnect | None
    """What happens when nobody watches any more."""
    request_id: str
    """The client's id for this request, 1 to 64 characters, its user's own: the same id and question of the same user
    return the same flow.
    """
    interactive: bool
    """True where the client can answer questions: the flow then waits for them instead of ending with one."""
    on_busy: OnBusy | None
    """What happens while another question of the conversation is being answered. Where that one waits for a person, a
    message without this is the answer to it; with it, it is a question of its own, and QUEUE waits for that person too.
    """
    attachments: tuple[Attachment, ...]
    """Files that the question is about; how many and how large is a setting of the gateway, 3 and 3 MiB in all by
    default. What they say is data: nothing in it is asked, ordered or approved.
    """

    def __init__(
        self,
        text: str,
        locale: str = "",
        domains: tuple[str, ...] = (),
        session_id: str = "",
        time_zone: str = "",
        intent_hint: str = "",
        router_output: RouterOutput | None = None,
        now: datetime | None = None,
        history: tuple[Turn, ...] = (),
        flow_timeout: timedelta | None = None,
        on_disconnect: OnDisconnect | None = None,
        request_id: str = "",
        interactive: bool = False,
        on_busy: OnBusy | None = None,
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "text", text)
        put(self, "locale", locale)
        put(self, "domains", domains)
        put(self, "session_id", session_id)
        put(self, "time_zone", time_zone)
        put(self, "intent_hint", intent_hint)
        put(self, "router_output", router_output)
        put(self, "now", now)
        put(self, "history", history)
        put(self, "flow_timeout", flow_timeout)
        put(self, "on_disconnect", on_disconnect)
        put(self, "request_id", request_id)
        put(self, "interactive", interactive)
        put(self, "on_busy", on_busy)
        put(self, "attachments", attachments)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.text,
            self.locale,
            self.domains,
            self.session_id,
            self.time_zone,
            self.intent_hint,
            self.router_output,
            self.now,
            self.history,
            self.flow_timeout,
            self.on_disconnect,
            self.request_id,
            self.interactive,
            self.on_busy,
            self.attachments,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.text:
            target.text = item
        if item := self.locale:
            target.locale = item
        target.domains.extend(self.domains)
        if item := self.session_id:
            target.session_id = item
        if item := self.time_zone:
            target.time_zone = item
        if item := self.intent_hint:
            target.intent_hint = item
        if (item := self.router_output) is not None:
            item.write_to(target.router_output)
        if (item := self.now) is not None:
            write_instant(target.now, item)
        for item in self.history:
            item.write_to(target.history.add())
        if (item := self.flow_timeout) is not None:
            write_span(target.flow_timeout, item)
        if (item := self.on_disconnect) is not None:
            target.on_disconnect = item.number
        if item := self.request_id:
            target.request_id = item
        if item := self.interactive:
            target.interactive = item
        if (item := self.on_busy) is not None:
            target.on_busy = item.number
        for item in self.attachments:
            item.write_to(target.attachments.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.text,
            source.locale,
            tuple(source.domains),
            source.session_id,
            source.time_zone,
            source.intent_hint,
            within("router_output", RouterOutput.read_from, source.router_output)
            if source.HasField("router_output")
            else None,
            within("now", instant, source.now) if source.HasField("now") else None,
            each("history", Turn.read_from, source.history),
            within("flow_timeout", span, source.flow_timeout) if source.HasField("flow_timeout") else None,
            within("on_disconnect", OnDisconnect.read_from, source.on_disconnect) if source.on_disconnect else None,
            source.request_id,
            source.interactive,
            within("on_busy", OnBusy.read_from, source.on_busy) if source.on_busy else None,
            each("attachments", Attachment.read_from, source.attachments),
        )


@dataclass(frozen=True)
class Remembered(Mapped):
    """What is remembered of an earlier conversation of the same user."""

    __slots__ = (
        "session_id",
        "tier",
        "last_time",
        "turns",
        "summary",
    )
    MESSAGE = memory_pb2.Remembered
    session_id: str
    """The conversation."""
    tier: MemoryTier
    """How far back it lies."""
    last_time: datetime
    """When its last answer was given."""
    turns: tuple[Turn, ...]
    """Its last messages, the oldest first; empty outside SHORT."""
    summary: str
    """What was asked and answered in it, a line each, the oldest first; empty under SHORT."""

    def __init__(
        self, session_id: str, tier: MemoryTier, last_time: datetime, turns: tuple[Turn, ...] = (), summary: str = ""
    ) -> None:
        put = object.__setattr__
        put(self, "session_id", session_id)
        put(self, "tier", tier)
        put(self, "last_time", last_time)
        put(self, "turns", turns)
        put(self, "summary", summary)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.session_id,
            self.tier,
            self.last_time,
            self.turns,
            self.summary,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.session_id:
            target.session_id = item
        target.tier = self.tier.number
        write_instant(target.last_time, self.last_time)
        for item in self.turns:
            item.write_to(target.turns.add())
        if item := self.summary:
            target.summary = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.session_id,
            within("tier", MemoryTier.read_from, source.tier),
            within("last_time", instant, source.last_time) if source.HasField("last_time") else missing("last_time"),
            each("turns", Turn.read_from, source.turns),
            source.summary,
        )


@dataclass(frozen=True)
class SessionSummary(Mapped):
    """A conversation in a list."""

    __slots__ = (
        "session_id",
        "create_time",
        "last_time",
        "summary",
    )
    MESSAGE = memory_pb2.SessionSummary
    session_id: str
    """The conversation."""
    create_time: datetime
    """When it began."""
    last_time: datetime
    """When its last answer was given."""
    summary: str
    """What was asked and answered in it, a line each, the oldest first."""

    def __init__(self, session_id: str, create_time: datetime, last_time: datetime, summary: str) -> None:
        put = object.__setattr__
        put(self, "session_id", session_id)
        put(self, "create_time", create_time)
        put(self, "last_time", last_time)
        put(self, "summary", summary)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.session_id,
            self.create_time,
            self.last_time,
            self.summary,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.session_id:
            target.session_id = item
        write_instant(target.create_time, self.create_time)
        write_instant(target.last_time, self.last_time)
        if item := self.summary:
            target.summary = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.session_id,
            within("create_time", instant, source.create_time)
            if source.HasField("create_time")
            else missing("create_time"),
            within("last_time", instant, source.last_time) if source.HasField("last_time") else missing("last_time"),
            source.summary,
        )
