"""The messages of tool_description, effect, effect_backend_service, tool_gateway_service.

Generated from protos/hapju/tool/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from hapju.tool.v1 import effect_backend_service_pb2, effect_pb2, tool_description_pb2, tool_gateway_service_pb2
from services.contract.asks import Said
from services.contract.flow import Provenance, RunContext
from services.contract.mapping import message


class ToolCost(StrEnum):
    """What a tool's call costs."""

    LOW = "LOW"
    """A point read."""
    MEDIUM = "MEDIUM"
    """A search."""
    HIGH = "HIGH"
    """A computation over many rows, or a model."""


class SideEffect(StrEnum):
    """What a tool's call changes."""

    NONE = "NONE"
    """Nothing."""
    IDEMPOTENT = "IDEMPOTENT"
    """Something, and doing it twice is doing it once."""
    REVERSIBLE = "REVERSIBLE"
    """Something that can be undone."""
    IRREVERSIBLE = "IRREVERSIBLE"
    """Something that cannot be undone."""


class EffectStatus(StrEnum):
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


class ApprovalVerdict(StrEnum):
    """What a user says on an approval."""

    APPROVE = "APPROVE"
    """The action as shown may be done."""
    REJECT = "REJECT"
    """It may not."""


class ActionFieldKind(StrEnum):
    """What kind of thing a shown field is."""

    MONEY_KRW = "MONEY_KRW"
    """An amount in whole won, in `number`."""
    QUANTITY = "QUANTITY"
    """A count of pieces, in `number`."""
    TARGET = "TARGET"
    """The id and name of what the action is about, in `text`."""
    TEXT = "TEXT"
    """Anything else that the user should see, in `text`."""


class EffectKind(StrEnum):
    """Which way money moves."""

    CHARGE = "CHARGE"
    """From the user."""
    REFUND = "REFUND"
    """To the user."""


@message(tool_description_pb2.ToolDescription)
@dataclass(frozen=True, slots=True)
class ToolDescription:
    """A tool as the registry holds it."""

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
    last_use_time: datetime | None = None
    """When it was last called; absent before the first call."""


@message(effect_pb2.ActionField)
@dataclass(frozen=True, slots=True)
class ActionField:
    """One thing that the user is shown before approving. It comes from typed values of the action, never from a model's
    text.
    """

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


@message(effect_pb2.ActionPreview)
@dataclass(frozen=True, slots=True)
class ActionPreview:
    """What an action would do."""

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
    expire_time: datetime | None = None
    """Until when it can be approved and executed; absent where no approval is needed."""
    asks: Said | None = None
    """The question that asks for the user's word, with what it would do in a sentence; absent where the effect words
    none.
    """
    words: tuple[str, ...] = ()
    """What people call doing it, in both languages."""


@message(effect_pb2.ActionApproval)
@dataclass(frozen=True, slots=True)
class ActionApproval:
    """An approval on which the user has spoken."""

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


@message(effect_pb2.ActionReceipt)
@dataclass(frozen=True, slots=True)
class ActionReceipt:
    """What the ledger of effects holds of an action. Every call under one key gets an equal one."""

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
    told: Said | None = None
    """What was done, or why not, in a sentence; absent where the effect words none."""


@message(effect_backend_service_pb2.PerformEffectRequest)
@dataclass(frozen=True, slots=True)
class PerformEffectRequest:
    """Requests that money be moved."""

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


@message(effect_backend_service_pb2.PerformEffectResponse)
@dataclass(frozen=True, slots=True)
class PerformEffectResponse:
    """Returns what was done."""

    done: bool
    """True where money was moved under this key."""
    reference: str
    """The backend's own reference, for example a receipt number; empty where nothing was done."""
    reason: str
    """Why nothing was done, for a log; empty where it was."""


@message(effect_backend_service_pb2.SettleEffectRequest)
@dataclass(frozen=True, slots=True)
class SettleEffectRequest:
    """Requests the outcome of a key."""

    effect_key: str
    """Required. The idempotency key."""


@message(effect_backend_service_pb2.SettleEffectResponse)
@dataclass(frozen=True, slots=True)
class SettleEffectResponse:
    """Returns the outcome of a key, which no longer changes."""

    done: bool
    """True where money was moved under this key."""
    reference: str
    """The backend's own reference; empty where nothing was done."""


@message(tool_gateway_service_pb2.InvokeToolRequest)
@dataclass(frozen=True, slots=True)
class InvokeToolRequest:
    """Requests a call."""

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


@message(tool_gateway_service_pb2.ToolResult)
@dataclass(frozen=True, slots=True)
class ToolResult:
    """The rows of a call."""

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


@message(tool_gateway_service_pb2.ToolFailure)
@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a call failed."""

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
    told: Said | None = None
    """Why, as a user is told it; absent where only a program asks."""


@message(tool_gateway_service_pb2.InvokeToolResponse)
@dataclass(frozen=True, slots=True)
class InvokeToolResponse:
    """Returns a call's outcome."""

    outcome: ToolResult | ToolFailure
    """How it ended."""


@message(tool_gateway_service_pb2.PreviewActionRequest)
@dataclass(frozen=True, slots=True)
class PreviewActionRequest:
    """Requests to see what an action would do."""

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
    confirmation_forced: bool = False
    """True to ask for an approval even where the action needs none; it is then needed."""


@message(tool_gateway_service_pb2.PreviewActionResponse)
@dataclass(frozen=True, slots=True)
class PreviewActionResponse:
    """Returns what an action would do."""

    outcome: ActionPreview | ToolFailure
    """How the preview ended."""


@message(tool_gateway_service_pb2.ApproveActionRequest)
@dataclass(frozen=True, slots=True)
class ApproveActionRequest:
    """Says what the user thinks of an action that was previewed."""

    run: RunContext
    """Required. The flow; its session must be the one in which the action was shown."""
    approval_id: str
    """Required. The approval."""
    action_digest: str
    """Required. The digest of what the user was shown."""
    verdict: ApprovalVerdict
    """Required. What the user says."""


@message(tool_gateway_service_pb2.ApproveActionResponse)
@dataclass(frozen=True, slots=True)
class ApproveActionResponse:
    """Returns the approval, or why it could not be decided."""

    outcome: ActionApproval | ToolFailure
    """How it ended."""


@message(tool_gateway_service_pb2.ExecuteActionRequest)
@dataclass(frozen=True, slots=True)
class ExecuteActionRequest:
    """Requests an action."""

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
    approval_id: str = ""
    """The approval; required where the preview said so."""
    proposed_by: str = ""
    """The flow that proposed the action, whose id is then a part of the key; empty where it is the flow itself."""


@message(tool_gateway_service_pb2.ExecuteActionResponse)
@dataclass(frozen=True, slots=True)
class ExecuteActionResponse:
    """Returns what the ledger holds, or why nothing was done."""

    outcome: ActionReceipt | ToolFailure
    """How it ended."""


@message(tool_gateway_service_pb2.ReconcileActionRequest)
@dataclass(frozen=True, slots=True)
class ReconcileActionRequest:
    """Requests to settle an action of the caller."""

    run: RunContext
    """Required. The flow."""
    step_id: str
    """Required. The step."""
    ordinal: int
    """The place of the action among those of its step."""
    proposed_by: str = ""
    """The flow that proposed the action; empty where it is the flow itself."""


@message(tool_gateway_service_pb2.ReconcileActionResponse)
@dataclass(frozen=True, slots=True)
class ReconcileActionResponse:
    """Returns what the ledger holds now."""

    outcome: ActionReceipt | ToolFailure
    """How it ended."""
