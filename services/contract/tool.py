"""The messages of tool_description, effect, effect_backend_service, tool_gateway_service.

Generated from protos/hapju/tool/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from datetime import datetime, timedelta
from typing import Any, Self

from hapju.tool.v1 import effect_backend_service_pb2, effect_pb2, tool_description_pb2, tool_gateway_service_pb2
from services.contract.asks import Said
from services.contract.flow import Provenance, RunContext
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


@numbered(tool_description_pb2.ToolCost)
class ToolCost(Numbered):
    """What a tool's call costs."""

    LOW = "LOW"
    """A point read."""
    MEDIUM = "MEDIUM"
    """A search."""
    HIGH = "HIGH"
    """A computation over many rows, or a model."""


@numbered(tool_description_pb2.SideEffect)
class SideEffect(Numbered):
    """What a tool's call changes."""

    NONE = "NONE"
    """Nothing."""
    IDEMPOTENT = "IDEMPOTENT"
    """Something, and doing it twice is doing it once."""
    REVERSIBLE = "REVERSIBLE"
    """Something that can be undone."""
    IRREVERSIBLE = "IRREVERSIBLE"
    """Something that cannot be undone."""


@numbered(effect_pb2.EffectStatus)
class EffectStatus(Numbered):
    """How an action stands in the ledger of effects."""

    PENDING = "PENDING"
    """Claimed; nothing was asked of anybody yet."""
    STARTED = "STARTED"
    """An outside system was asked; its answer is not recorded yet."""
    SUCCEEDED = "SUCCEEDED"
    """Done, once."""
    FAILED = "FAILED"
    """Not done, and it will not be done under this key."""
    IN_DOUBT = "IN_DOUBT"
    """Perhaps done. It is settled by asking, never by doing it again."""


@numbered(effect_pb2.ApprovalVerdict)
class ApprovalVerdict(Numbered):
    """What a user says on an approval."""

    APPROVE = "APPROVE"
    """The action as shown may be done."""
    REJECT = "REJECT"
    """It may not."""


@numbered(effect_pb2.ActionFieldKind)
class ActionFieldKind(Numbered):
    """What kind of thing a shown field is."""

    MONEY_KRW = "MONEY_KRW"
    """An amount in whole won, in `number`."""
    QUANTITY = "QUANTITY"
    """A count of pieces, in `number`."""
    TARGET = "TARGET"
    """The id and name of what the action is about, in `text`."""
    TEXT = "TEXT"
    """Anything else that the user should see, in `text`."""


@numbered(effect_backend_service_pb2.EffectKind)
class EffectKind(Numbered):
    """Which way money moves."""

    CHARGE = "CHARGE"
    """From the user."""
    REFUND = "REFUND"
    """To the user."""


@dataclass(frozen=True)
class ToolDescription(Mapped):
    """A tool as the registry holds it."""

    __slots__ = (
        "name",
        "description",
        "arguments_schema_json",
        "arguments_schema_id",
        "rows_schema_json",
        "rows_schema_id",
        "domain",
        "data_type",
        "cost",
        "typical_duration",
        "quality",
        "depends_on",
        "alternatives",
        "side_effect",
        "required_role",
        "timeout_duration",
        "concurrency_max",
        "definition_digest",
        "last_use_time",
    )
    MESSAGE = tool_description_pb2.ToolDescription
    name: str
    """The name, for example "macro_series"."""
    description: str
    """What it does, in the caller's language; at most 500 characters."""
    arguments_schema_json: bytes
    """The JSON Schema of its arguments, UTF-8 JSON."""
    arguments_schema_id: str
    """The schema's id."""
    rows_schema_json: bytes
    """The JSON Schema of one result row, UTF-8 JSON."""
    rows_schema_id: str
    """The schema's id."""
    domain: str
    """The domain that it belongs to."""
    data_type: str
    """The kind of data that it returns."""
    cost: ToolCost
    """What a call costs."""
    typical_duration: timedelta
    """How long a call takes as a rule, from the registry or as measured."""
    quality: float
    """How good its results are, 0 to 1: a prior that moves with use."""
    depends_on: tuple[str, ...]
    """Tools whose results it needs."""
    alternatives: tuple[str, ...]
    """Tools that return the same kind of data."""
    side_effect: SideEffect
    """What a call changes."""
    required_role: str
    """The role that a caller needs; empty where none."""
    timeout_duration: timedelta
    """How long a call may take."""
    concurrency_max: int
    """How many calls may run at once."""
    definition_digest: str
    """The digest of this definition, 12 hexadecimal digits."""
    last_use_time: datetime | None
    """When it was last called; absent before the first call."""

    def __init__(
        self,
        name: str,
        description: str,
        arguments_schema_json: bytes,
        arguments_schema_id: str,
        rows_schema_json: bytes,
        rows_schema_id: str,
        domain: str,
        data_type: str,
        cost: ToolCost,
        typical_duration: timedelta,
        quality: float,
        depends_on: tuple[str, ...],
        alternatives: tuple[str, ...],
        side_effect: SideEffect,
        required_role: str,
        timeout_duration: timedelta,
        concurrency_max: int,
        definition_digest: str,
        last_use_time: datetime | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "description", description)
        put(self, "arguments_schema_json", arguments_schema_json)
        put(self, "arguments_schema_id", arguments_schema_id)
        put(self, "rows_schema_json", rows_schema_json)
        put(self, "rows_schema_id", rows_schema_id)
        put(self, "domain", domain)
        put(self, "data_type", data_type)
        put(self, "cost", cost)
        put(self, "typical_duration", typical_duration)
        put(self, "quality", quality)
        put(self, "depends_on", depends_on)
        put(self, "alternatives", alternatives)
        put(self, "side_effect", side_effect)
        put(self, "required_role", required_role)
        put(self, "timeout_duration", timeout_duration)
        put(self, "concurrency_max", concurrency_max)
        put(self, "definition_digest", definition_digest)
        put(self, "last_use_time", last_use_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.description,
            self.arguments_schema_json,
            self.arguments_schema_id,
            self.rows_schema_json,
            self.rows_schema_id,
            self.domain,
            self.data_type,
            self.cost,
            self.typical_duration,
            self.quality,
            self.depends_on,
            self.alternatives,
            self.side_effect,
            self.required_role,
            self.timeout_duration,
            self.concurrency_max,
            self.definition_digest,
            self.last_use_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        if item := self.description:
            target.description = item
        if item := self.arguments_schema_json:
            target.arguments_schema_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item
        if item := self.rows_schema_json:
            target.rows_schema_json = item
        if item := self.rows_schema_id:
            target.rows_schema_id = item
        if item := self.domain:
            target.domain = item
        if item := self.data_type:
            target.data_type = item
        target.cost = self.cost.number
        write_span(target.typical_duration, self.typical_duration)
        if item := self.quality:
            target.quality = item
        target.depends_on.extend(self.depends_on)
        target.alternatives.extend(self.alternatives)
        target.side_effect = self.side_effect.number
        if item := self.required_role:
            target.required_role = item
        write_span(target.timeout_duration, self.timeout_duration)
        if item := self.concurrency_max:
            target.concurrency_max = item
        if item := self.definition_digest:
            target.definition_digest = item
        if (item := self.last_use_time) is not None:
            write_instant(target.last_use_time, item)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.name,
            source.description,
            source.arguments_schema_json,
            source.arguments_schema_id,
            source.rows_schema_json,
            source.rows_schema_id,
            source.domain,
            source.data_type,
            within("cost", ToolCost.read_from, source.cost),
            within("typical_duration", span, source.typical_duration)
            if source.HasField("typical_duration")
            else missing("typical_duration"),
            source.quality,
            tuple(source.depends_on),
            tuple(source.alternatives),
            within("side_effect", SideEffect.read_from, source.side_effect),
            source.required_role,
            within("timeout_duration", span, source.timeout_duration)
            if source.HasField("timeout_duration")
            else missing("timeout_duration"),
            source.concurrency_max,
            source.definition_digest,
            within("last_use_time", instant, source.last_use_time) if source.HasField("last_use_time") else None,
        )


@dataclass(frozen=True)
class ActionField(Mapped):
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
    MESSAGE = effect_pb2.ActionField
    name: str
    """The field's name, for example "amount_krw"."""
    label: str
    """Its label in the flow's language."""
    kind: ActionFieldKind
    """What it is."""
    number: int
    """Its value where it is a number, 0 otherwise."""
    text: str
    """Its value as text without control and direction characters, at most 500 characters; for a number its digits."""

    def __init__(self, name: str, label: str, kind: ActionFieldKind, number: int, text: str) -> None:
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
        target.kind = self.kind.number
        if item := self.number:
            target.number = item
        if item := self.text:
            target.text = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.name,
            source.label,
            within("kind", ActionFieldKind.read_from, source.kind),
            source.number,
            source.text,
        )


@dataclass(frozen=True)
class ActionPreview(Mapped):
    """What an action would do."""

    __slots__ = (
        "action_type",
        "tool",
        "tool_version",
        "arguments_json",
        "action_digest",
        "fields",
        "confirmation_required",
        "approval_id",
        "expire_time",
        "asks",
        "words",
    )
    MESSAGE = effect_pb2.ActionPreview
    action_type: str
    """The action's type, for example "REFUND_ORDER"."""
    tool: str
    """The tool that does it."""
    tool_version: int
    """The tool's version."""
    arguments_json: bytes
    """The arguments in canonical form, UTF-8 JSON; what is executed has to be this."""
    action_digest: str
    """SHA-256, 64 hexadecimal digits, of tool, version, definition, canonical arguments, shown fields, user and
    session.
    """
    fields: tuple[ActionField, ...]
    """What the user is to be shown, in order."""
    confirmation_required: bool
    """Whether it needs an approval."""
    approval_id: str
    """The approval's id; empty where none is needed."""
    expire_time: datetime | None
    """Until when it can be approved and executed; absent where no approval is needed."""
    asks: Said | None
    """The question that asks for the user's word, with what it would do in a sentence; absent where the effect words
    none.
    """
    words: tuple[str, ...]
    """What people call doing it, in both languages."""

    def __init__(
        self,
        action_type: str,
        tool: str,
        tool_version: int,
        arguments_json: bytes,
        action_digest: str,
        fields: tuple[ActionField, ...],
        confirmation_required: bool,
        approval_id: str,
        expire_time: datetime | None = None,
        asks: Said | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "action_type", action_type)
        put(self, "tool", tool)
        put(self, "tool_version", tool_version)
        put(self, "arguments_json", arguments_json)
        put(self, "action_digest", action_digest)
        put(self, "fields", fields)
        put(self, "confirmation_required", confirmation_required)
        put(self, "approval_id", approval_id)
        put(self, "expire_time", expire_time)
        put(self, "asks", asks)
        put(self, "words", words)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.action_type,
            self.tool,
            self.tool_version,
            self.arguments_json,
            self.action_digest,
            self.fields,
            self.confirmation_required,
            self.approval_id,
            self.expire_time,
            self.asks,
            self.words,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.action_type:
            target.action_type = item
        if item := self.tool:
            target.tool = item
        if item := self.tool_version:
            target.tool_version = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.action_digest:
            target.action_digest = item
        for item in self.fields:
            item.write_to(target.fields.add())
        if item := self.confirmation_required:
            target.confirmation_required = item
        if item := self.approval_id:
            target.approval_id = item
        if (item := self.expire_time) is not None:
            write_instant(target.expire_time, item)
        if (item := self.asks) is not None:
            item.write_to(target.asks)
        target.words.extend(self.words)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.action_type,
            source.tool,
            source.tool_version,
            source.arguments_json,
            source.action_digest,
            each("fields", ActionField.read_from, source.fields),
            source.confirmation_required,
            source.approval_id,
            within("expire_time", instant, source.expire_time) if source.HasField("expire_time") else None,
            within("asks", Said.read_from, source.asks) if source.HasField("asks") else None,
            tuple(source.words),
        )


@dataclass(frozen=True)
class ActionApproval(Mapped):
    """An approval on which the user has spoken."""

    __slots__ = (
        "approval_id",
        "action_digest",
        "verdict",
        "decide_time",
        "expire_time",
    )
    MESSAGE = effect_pb2.ActionApproval
    approval_id: str
    """Its id."""
    action_digest: str
    """The digest of what was approved or rejected."""
    verdict: ApprovalVerdict
    """What was said."""
    decide_time: datetime
    """When it was said first; a repetition does not move it."""
    expire_time: datetime
    """Until when it can be executed."""

    def __init__(
        self,
        approval_id: str,
        action_digest: str,
        verdict: ApprovalVerdict,
        decide_time: datetime,
        expire_time: datetime,
    ) -> None:
        put = object.__setattr__
        put(self, "approval_id", approval_id)
        put(self, "action_digest", action_digest)
        put(self, "verdict", verdict)
        put(self, "decide_time", decide_time)
        put(self, "expire_time", expire_time)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.approval_id,
            self.action_digest,
            self.verdict,
            self.decide_time,
            self.expire_time,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.approval_id:
            target.approval_id = item
        if item := self.action_digest:
            target.action_digest = item
        target.verdict = self.verdict.number
        write_instant(target.decide_time, self.decide_time)
        write_instant(target.expire_time, self.expire_time)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.approval_id,
            source.action_digest,
            within("verdict", ApprovalVerdict.read_from, source.verdict),
            within("decide_time", instant, source.decide_time)
            if source.HasField("decide_time")
            else missing("decide_time"),
            within("expire_time", instant, source.expire_time)
            if source.HasField("expire_time")
            else missing("expire_time"),
        )


@dataclass(frozen=True)
class ActionReceipt(Mapped):
    """What the ledger of effects holds of an action. Every call under one key gets an equal one."""

    __slots__ = (
        "action_type",
        "tool",
        "effect_key",
        "status",
        "result_json",
        "result_schema_id",
        "failure_reason",
        "failure_message",
        "start_time",
        "end_time",
        "reconciled",
        "told",
    )
    MESSAGE = effect_pb2.ActionReceipt
    action_type: str
    """The action's type."""
    tool: str
    """The tool that did it."""
    effect_key: str
    """Under which key an outside system knows it, 40 hexadecimal digits."""
    status: EffectStatus
    """How it stands."""
    result_json: bytes
    """What was done, as a UTF-8 JSON object; empty unless it succeeded."""
    result_schema_id: str
    """The schema of the result."""
    failure_reason: str
    """Why it failed, one of the tags of ToolFailure; empty unless it did."""
    failure_message: str
    """A sentence in English; empty unless it failed."""
    start_time: datetime
    """When it was begun."""
    end_time: datetime | None
    """When its outcome became known; absent until then."""
    reconciled: bool
    """True where the outcome was learned by reconciling."""
    told: Said | None
    """What was done, or why not, in a sentence; absent where the effect words none."""

    def __init__(
        self,
        action_type: str,
        tool: str,
        effect_key: str,
        status: EffectStatus,
        result_json: bytes,
        result_schema_id: str,
        failure_reason: str,
        failure_message: str,
        start_time: datetime,
        end_time: datetime | None,
        reconciled: bool,
        told: Said | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "action_type", action_type)
        put(self, "tool", tool)
        put(self, "effect_key", effect_key)
        put(self, "status", status)
        put(self, "result_json", result_json)
        put(self, "result_schema_id", result_schema_id)
        put(self, "failure_reason", failure_reason)
        put(self, "failure_message", failure_message)
        put(self, "start_time", start_time)
        put(self, "end_time", end_time)
        put(self, "reconciled", reconciled)
        put(self, "told", told)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.action_type,
            self.tool,
            self.effect_key,
            self.status,
            self.result_json,
            self.result_schema_id,
            self.failure_reason,
            self.failure_message,
            self.start_time,
            self.end_time,
            self.reconciled,
            self.told,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.action_type:
            target.action_type = item
        if item := self.tool:
            target.tool = item
        if item := self.effect_key:
            target.effect_key = item
        target.status = self.status.number
        if item := self.result_json:
            target.result_json = item
        if item := self.result_schema_id:
            target.result_schema_id = item
        if item := self.failure_reason:
            target.failure_reason = item
        if item := self.failure_message:
            target.failure_message = item
        write_instant(target.start_time, self.start_time)
        if (item := self.end_time) is not None:
            write_instant(target.end_time, item)
        if item := self.reconciled:
            target.reconciled = item
        if (item := self.told) is not None:
            item.write_to(target.told)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.action_type,
            source.tool,
            source.effect_key,
            within("status", EffectStatus.read_from, source.status),
            source.result_json,
            source.result_schema_id,
            source.failure_reason,
            source.failure_message,
            within("start_time", instant, source.start_time)
            if source.HasField("start_time")
            else missing("start_time"),
            within("end_time", instant, source.end_time) if source.HasField("end_time") else None,
            source.reconciled,
            within("told", Said.read_from, source.told) if source.HasField("told") else None,
        )


@dataclass(frozen=True)
class PerformEffectRequest(Mapped):
    """Requests that money be moved."""

    __slots__ = (
        "effect_key",
        "kind",
        "amount_krw",
        "order_id",
        "request_digest",
    )
    MESSAGE = effect_backend_service_pb2.PerformEffectRequest
    effect_key: str
    """Required. The idempotency key, 40 hexadecimal digits."""
    kind: EffectKind
    """Required. Which way."""
    amount_krw: int
    """Required. How much, in whole won, above 0."""
    order_id: str
    """Required. The order that it is for."""
    request_digest: str
    """Required. SHA-256 of kind, amount and order, 64 hexadecimal digits: the same key with another digest is refused.
    """

    def __init__(self, effect_key: str, kind: EffectKind, amount_krw: int, order_id: str, request_digest: str) -> None:
        put = object.__setattr__
        put(self, "effect_key", effect_key)
        put(self, "kind", kind)
        put(self, "amount_krw", amount_krw)
        put(self, "order_id", order_id)
        put(self, "request_digest", request_digest)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.effect_key,
            self.kind,
            self.amount_krw,
            self.order_id,
            self.request_digest,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.effect_key:
            target.effect_key = item
        target.kind = self.kind.number
        if item := self.amount_krw:
            target.amount_krw = item
        if item := self.order_id:
            target.order_id = item
        if item := self.request_digest:
            target.request_digest = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.effect_key,
            within("kind", EffectKind.read_from, source.kind),
            source.amount_krw,
            source.order_id,
            source.request_digest,
        )


@dataclass(frozen=True)
class PerformEffectResponse(Mapped):
    """Returns what was done."""

    __slots__ = (
        "done",
        "reference",
        "reason",
    )
    MESSAGE = effect_backend_service_pb2.PerformEffectResponse
    done: bool
    """True where money was moved under this key."""
    reference: str
    """The backend's own reference, for example a receipt number; empty where nothing was done."""
    reason: str
    """Why nothing was done, for a log; empty where it was."""

    def __init__(self, done: bool, reference: str, reason: str) -> None:
        put = object.__setattr__
        put(self, "done", done)
        put(self, "reference", reference)
        put(self, "reason", reason)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.done,
            self.reference,
            self.reason,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.done:
            target.done = item
        if item := self.reference:
            target.reference = item
        if item := self.reason:
            target.reason = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.done, source.reference, source.reason)


@dataclass(frozen=True)
class SettleEffectRequest(Mapped):
    """Requests the outcome of a key."""

    __slots__ = ("effect_key",)
    MESSAGE = effect_backend_service_pb2.SettleEffectRequest
    effect_key: str
    """Required. The idempotency key."""

    def __init__(self, effect_key: str) -> None:
        put = object.__setattr__
        put(self, "effect_key", effect_key)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.effect_key,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.effect_key:
            target.effect_key = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.effect_key)


@dataclass(frozen=True)
class SettleEffectResponse(Mapped):
    """Returns the outcome of a key, which no longer changes."""

    __slots__ = (
        "done",
        "reference",
    )
    MESSAGE = effect_backend_service_pb2.SettleEffectResponse
    done: bool
    """True where money was moved under this key."""
    reference: str
    """The backend's own reference; empty where nothing was done."""

    def __init__(self, done: bool, reference: str) -> None:
        put = object.__setattr__
        put(self, "done", done)
        put(self, "reference", reference)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.done,
            self.reference,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.done:
            target.done = item
        if item := self.reference:
            target.reference = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.done, source.reference)


@dataclass(frozen=True)
class InvokeToolRequest(Mapped):
    """Requests a call."""

    __slots__ = (
        "run",
        "step_id",
        "tool",
        "arguments_json",
        "arguments_schema_id",
    )
    MESSAGE = tool_gateway_service_pb2.InvokeToolRequest
    run: RunContext
    """Required. The flow."""
    step_id: str
    """Required. The step."""
    tool: str
    """Required. The tool."""
    arguments_json: bytes
    """Required. The arguments as a UTF-8 JSON object; at most 256 KiB."""
    arguments_schema_id: str
    """Required. The arguments' schema, which must be the tool's own."""

    def __init__(
        self, run: RunContext, step_id: str, tool: str, arguments_json: bytes, arguments_schema_id: str
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "step_id", step_id)
        put(self, "tool", tool)
        put(self, "arguments_json", arguments_json)
        put(self, "arguments_schema_id", arguments_schema_id)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.step_id,
            self.tool,
            self.arguments_json,
            self.arguments_schema_id,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.step_id:
            target.step_id = item
        if item := self.tool:
            target.tool = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.step_id,
            source.tool,
            source.arguments_json,
            source.arguments_schema_id,
        )


@dataclass(frozen=True)
class ToolResult(Mapped):
    """The rows of a call."""

    __slots__ = (
        "rows_json",
        "rows_schema_id",
        "row_count",
        "truncated",
        "provenance",
        "replayed",
        "latency",
        "note",
    )
    MESSAGE = tool_gateway_service_pb2.ToolResult
    rows_json: bytes
    """The rows as a UTF-8 JSON array of objects; at most 256 KiB."""
    rows_schema_id: str
    """The schema of a row."""
    row_count: int
    """How many rows there are."""
    truncated: bool
    """True where there were more than the limit."""
    provenance: Provenance
    """Where they come from."""
    replayed: bool
    """True where an earlier call of the flow with equal arguments had returned them."""
    latency: timedelta
    """Wall time of the read."""
    note: str
    """What a reader should know about an empty or cut result, in English."""

    def __init__(
        self,
        rows_json: bytes,
        rows_schema_id: str,
        row_count: int,
        truncated: bool,
        provenance: Provenance,
        replayed: bool,
        latency: timedelta,
        note: str,
    ) -> None:
        put = object.__setattr__
        put(self, "rows_json", rows_json)
        put(self, "rows_schema_id", rows_schema_id)
        put(self, "row_count", row_count)
        put(self, "truncated", truncated)
        put(self, "provenance", provenance)
        put(self, "replayed", replayed)
        put(self, "latency", latency)
        put(self, "note", note)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.rows_json,
            self.rows_schema_id,
            self.row_count,
            self.truncated,
            self.provenance,
            self.replayed,
            self.latency,
            self.note,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.rows_json:
            target.rows_json = item
        if item := self.rows_schema_id:
            target.rows_schema_id = item
        if item := self.row_count:
            target.row_count = item
        if item := self.truncated:
            target.truncated = item
        self.provenance.write_to(target.provenance)
        if item := self.replayed:
            target.replayed = item
        write_span(target.latency, self.latency)
        if item := self.note:
            target.note = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.rows_json,
            source.rows_schema_id,
            source.row_count,
            source.truncated,
            within("provenance", Provenance.read_from, source.provenance)
            if source.HasField("provenance")
            else missing("provenance"),
            source.replayed,
            within("latency", span, source.latency) if source.HasField("latency") else missing("latency"),
            source.note,
        )


@dataclass(frozen=True)
class ToolFailure(Mapped):
    """Why a call failed."""

    __slots__ = (
        "reason",
        "message",
        "field",
        "retryable",
        "told",
    )
    MESSAGE = tool_gateway_service_pb2.ToolFailure
    reason: str
    """The tag. Of any call: UNKNOWN_TOOL, SCHEMA_NOT_FOUND, MISSING_REQUIRED_FIELD, TYPE_MISMATCH, VALUE_OUT_OF_RANGE,
    INVALID_FORMAT, UNAUTHORIZED_ACTION, NOT_SET_UP, DEPENDENCY_NOT_MET, NOT_FOUND, TIMED_OUT, OVERLOADED,
    PAYLOAD_TOO_LARGE or TOOL_FAILED. Of actions also: UNKNOWN_ACTION_TYPE, BUSINESS_LOGIC_VIOLATION, KEY_REUSED,
    IN_PROGRESS, APPROVAL_REQUIRED, APPROVAL_EXPIRED, APPROVAL_USED, APPROVAL_REJECTED, APPROVAL_MISMATCH,
    EFFECT_DECLINED.
    """
    message: str
    """A sentence in English that holds no inner detail."""
    field: str
    """The argument that it concerns, as a path; empty where none does."""
    retryable: bool
    """True where the same call may succeed later."""
    told: Said | None
    """Why, as a user is told it; absent where only a program asks."""

    def __init__(self, reason: str, message: str, field: str, retryable: bool, told: Said | None = None) -> None:
        put = object.__setattr__
        put(self, "reason", reason)
        put(self, "message", message)
        put(self, "field", field)
        put(self, "retryable", retryable)
        put(self, "told", told)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.reason,
            self.message,
            self.field,
            self.retryable,
            self.told,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.reason:
            target.reason = item
        if item := self.message:
            target.message = item
        if item := self.field:
            target.field = item
        if item := self.retryable:
            target.retryable = item
        if (item := self.told) is not None:
            item.write_to(target.told)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.reason,
            source.message,
            source.field,
            source.retryable,
            within("told", Said.read_from, source.told) if source.HasField("told") else None,
        )


@dataclass(frozen=True)
class InvokeToolResponse(Mapped):
    """Returns a call's outcome."""

    __slots__ = ("outcome",)
    MESSAGE = tool_gateway_service_pb2.InvokeToolResponse
    outcome: ToolResult | ToolFailure
    """How it ended."""

    def __init__(self, outcome: ToolResult | ToolFailure) -> None:
        put = object.__setattr__
        put(self, "outcome", outcome)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.outcome,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _INVOKETOOLRESPONSE_OUTCOME.write(target, self.outcome)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_INVOKETOOLRESPONSE_OUTCOME.read(source))


_INVOKETOOLRESPONSE_OUTCOME = Cases("outcome", result=ToolResult, failure=ToolFailure)


@dataclass(frozen=True)
class PreviewActionRequest(Mapped):
    """Requests to see what an action would do."""

    __slots__ = (
        "run",
        "step_id",
        "ordinal",
        "action_type",
        "arguments_json",
        "arguments_schema_id",
        "confirmation_forced",
    )
    MESSAGE = tool_gateway_service_pb2.PreviewActionRequest
    run: RunContext
    """Required. The flow."""
    step_id: str
    """Required. The step, 1 to 64 characters."""
    ordinal: int
    """The place of the action among those of its step, 0 to 999."""
    action_type: str
    """Required. The action's type."""
    arguments_json: bytes
    """Required. The arguments as a UTF-8 JSON object; at most 256 KiB."""
    arguments_schema_id: str
    """Required. The arguments' schema, which must be that of the action's tool."""
    confirmation_forced: bool
    """True to ask for an approval even where the action needs none; it is then needed."""

    def __init__(
        self,
        run: RunContext,
        step_id: str,
        ordinal: int,
        action_type: str,
        arguments_json: bytes,
        arguments_schema_id: str,
        confirmation_forced: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "step_id", step_id)
        put(self, "ordinal", ordinal)
        put(self, "action_type", action_type)
        put(self, "arguments_json", arguments_json)
        put(self, "arguments_schema_id", arguments_schema_id)
        put(self, "confirmation_forced", confirmation_forced)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.step_id,
            self.ordinal,
            self.action_type,
            self.arguments_json,
            self.arguments_schema_id,
            self.confirmation_forced,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.step_id:
            target.step_id = item
        if item := self.ordinal:
            target.ordinal = item
        if item := self.action_type:
            target.action_type = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item
        if item := self.confirmation_forced:
            target.confirmation_forced = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.step_id,
            source.ordinal,
            source.action_type,
            source.arguments_json,
            source.arguments_schema_id,
            source.confirmation_forced,
        )


@dataclass(frozen=True)
class PreviewActionResponse(Mapped):
    """Returns what an action would do."""

    __slots__ = ("outcome",)
    MESSAGE = tool_gateway_service_pb2.PreviewActionResponse
    outcome: ActionPreview | ToolFailure
    """How the preview ended."""

    def __init__(self, outcome: ActionPreview | ToolFailure) -> None:
        put = object.__setattr__
        put(self, "outcome", outcome)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.outcome,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _PREVIEWACTIONRESPONSE_OUTCOME.write(target, self.outcome)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_PREVIEWACTIONRESPONSE_OUTCOME.read(source))


_PREVIEWACTIONRESPONSE_OUTCOME = Cases("outcome", preview=ActionPreview, failure=ToolFailure)


@dataclass(frozen=True)
class ApproveActionRequest(Mapped):
    """Says what the user thinks of an action that was previewed."""

    __slots__ = (
        "run",
        "approval_id",
        "action_digest",
        "verdict",
    )
    MESSAGE = tool_gateway_service_pb2.ApproveActionRequest
    run: RunContext
    """Required. The flow; its session must be the one in which the action was shown."""
    approval_id: str
    """Required. The approval."""
    action_digest: str
    """Required. The digest of what the user was shown."""
    verdict: ApprovalVerdict
    """Required. What the user says."""

    def __init__(self, run: RunContext, approval_id: str, action_digest: str, verdict: ApprovalVerdict) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "approval_id", approval_id)
        put(self, "action_digest", action_digest)
        put(self, "verdict", verdict)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.approval_id,
            self.action_digest,
            self.verdict,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.approval_id:
            target.approval_id = item
        if item := self.action_digest:
            target.action_digest = item
        target.verdict = self.verdict.number

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.approval_id,
            source.action_digest,
            within("verdict", ApprovalVerdict.read_from, source.verdict),
        )


@dataclass(frozen=True)
class ApproveActionResponse(Mapped):
    """Returns the approval, or why it could not be decided."""

    __slots__ = ("outcome",)
    MESSAGE = tool_gateway_service_pb2.ApproveActionResponse
    outcome: ActionApproval | ToolFailure
    """How it ended."""

    def __init__(self, outcome: ActionApproval | ToolFailure) -> None:
        put = object.__setattr__
        put(self, "outcome", outcome)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.outcome,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _APPROVEACTIONRESPONSE_OUTCOME.write(target, self.outcome)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_APPROVEACTIONRESPONSE_OUTCOME.read(source))


_APPROVEACTIONRESPONSE_OUTCOME = Cases("outcome", approval=ActionApproval, failure=ToolFailure)


@dataclass(frozen=True)
class ExecuteActionRequest(Mapped):
    """Requests an action."""

    __slots__ = (
        "run",
        "step_id",
        "ordinal",
        "action_type",
        "arguments_json",
        "arguments_schema_id",
        "approval_id",
        "proposed_by",
    )
    MESSAGE = tool_gateway_service_pb2.ExecuteActionRequest
    run: RunContext
    """Required. The flow; its id is a part of the key under which the action is done once."""
    step_id: str
    """Required. The step, 1 to 64 characters; a part of the key."""
    ordinal: int
    """The place of the action among those of its step, 0 to 999; a part of the key."""
    action_type: str
    """Required. The action's type."""
    arguments_json: bytes
    """Required. The arguments as a UTF-8 JSON object; at most 256 KiB."""
    arguments_schema_id: str
    """Required. The arguments' schema, which must be that of the action's tool."""
    approval_id: str
    """The approval; required where the preview said so."""
    proposed_by: str
    """The flow that proposed the action, whose id is then a part of the key; empty where it is the flow itself."""

    def __init__(
        self,
        run: RunContext,
        step_id: str,
        ordinal: int,
        action_type: str,
        arguments_json: bytes,
        arguments_schema_id: str,
        approval_id: str = "",
        proposed_by: str = "",
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "step_id", step_id)
        put(self, "ordinal", ordinal)
        put(self, "action_type", action_type)
        put(self, "arguments_json", arguments_json)
        put(self, "arguments_schema_id", arguments_schema_id)
        put(self, "approval_id", approval_id)
        put(self, "proposed_by", proposed_by)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.step_id,
            self.ordinal,
            self.action_type,
            self.arguments_json,
            self.arguments_schema_id,
            self.approval_id,
            self.proposed_by,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.step_id:
            target.step_id = item
        if item := self.ordinal:
            target.ordinal = item
        if item := self.action_type:
            target.action_type = item
        if item := self.arguments_json:
            target.arguments_json = item
        if item := self.arguments_schema_id:
            target.arguments_schema_id = item
        if item := self.approval_id:
            target.approval_id = item
        if item := self.proposed_by:
            target.proposed_by = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.step_id,
            source.ordinal,
            source.action_type,
            source.arguments_json,
            source.arguments_schema_id,
            source.approval_id,
            source.proposed_by,
        )


@dataclass(frozen=True)
class ExecuteActionResponse(Mapped):
    """Returns what the ledger holds, or why nothing was done."""

    __slots__ = ("outcome",)
    MESSAGE = tool_gateway_service_pb2.ExecuteActionResponse
    outcome: ActionReceipt | ToolFailure
    """How it ended."""

    def __init__(self, outcome: ActionReceipt | ToolFailure) -> None:
        put = object.__setattr__
        put(self, "outcome", outcome)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.outcome,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _EXECUTEACTIONRESPONSE_OUTCOME.write(target, self.outcome)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_EXECUTEACTIONRESPONSE_OUTCOME.read(source))


_EXECUTEACTIONRESPONSE_OUTCOME = Cases("outcome", receipt=ActionReceipt, failure=ToolFailure)


@dataclass(frozen=True)
class ReconcileActionRequest(Mapped):
    """Requests to settle an action of the caller."""

    __slots__ = (
        "run",
        "step_id",
        "ordinal",
        "proposed_by",
    )
    MESSAGE = tool_gateway_service_pb2.ReconcileActionRequest
    run: RunContext
    """Required. The flow."""
    step_id: str
    """Required. The step."""
    ordinal: int
    """The place of the action among those of its step."""
    proposed_by: str
    """The flow that proposed the action; empty where it is the flow itself."""

    def __init__(self, run: RunContext, step_id: str, ordinal: int, proposed_by: str = "") -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "step_id", step_id)
        put(self, "ordinal", ordinal)
        put(self, "proposed_by", proposed_by)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.step_id,
            self.ordinal,
            self.proposed_by,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.step_id:
            target.step_id = item
        if item := self.ordinal:
            target.ordinal = item
        if item := self.proposed_by:
            target.proposed_by = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.step_id,
            source.ordinal,
            source.proposed_by,
        )


@dataclass(frozen=True)
class ReconcileActionResponse(Mapped):
    """Returns what the ledger holds now."""

    __slots__ = ("outcome",)
    MESSAGE = tool_gateway_service_pb2.ReconcileActionResponse
    outcome: ActionReceipt | ToolFailure
    """How it ended."""

    def __init__(self, outcome: ActionReceipt | ToolFailure) -> None:
        put = object.__setattr__
        put(self, "outcome", outcome)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.outcome,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _RECONCILEACTIONRESPONSE_OUTCOME.write(target, self.outcome)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_RECONCILEACTIONRESPONSE_OUTCOME.read(source))


_RECONCILEACTIONRESPONSE_OUTCOME = Cases("outcome", receipt=ActionReceipt, failure=ToolFailure)
