"""The tool gateway's messages. Field meanings stand in protos/hapju/tool/v1."""

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
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class SideEffect(StrEnum):
    """What a tool's call changes."""

    NONE = "NONE"
    IDEMPOTENT = "IDEMPOTENT"
    REVERSIBLE = "REVERSIBLE"
    IRREVERSIBLE = "IRREVERSIBLE"


@message(tool_description_pb2.ToolDescription)
@dataclass(frozen=True, slots=True)
class ToolDescription:
    """A tool as the registry holds it."""

    name: str
    description: str
    arguments_schema_json: bytes
    arguments_schema_id: str
    rows_schema_json: bytes
    rows_schema_id: str
    domain: str
    data_type: str
    cost: ToolCost
    typical_duration: timedelta
    quality: float
    depends_on: tuple[str, ...]
    alternatives: tuple[str, ...]
    side_effect: SideEffect
    required_role: str
    timeout_duration: timedelta
    concurrency_max: int
    definition_digest: str
    last_use_time: datetime | None


@message(tool_gateway_service_pb2.InvokeToolRequest)
@dataclass(frozen=True, slots=True)
class InvokeToolRequest:
    """Requests a call."""

    run: RunContext
    step_id: str
    tool: str
    arguments_json: bytes
    arguments_schema_id: str


@message(tool_gateway_service_pb2.ToolResult)
@dataclass(frozen=True, slots=True)
class ToolResult:
    """The rows of a call."""

    rows_json: bytes
    rows_schema_id: str
    row_count: int
    truncated: bool
    provenance: Provenance
    replayed: bool
    latency: timedelta
    note: str


@message(tool_gateway_service_pb2.ToolFailure)
@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a call failed."""

    reason: str
    message: str
    field: str
    retryable: bool
    told: Said | None = None


@message(tool_gateway_service_pb2.InvokeToolResponse)
@dataclass(frozen=True, slots=True)
class InvokeToolResponse:
    """Returns a call's outcome."""

    outcome: ToolResult | ToolFailure


class EffectStatus(StrEnum):
    """How an action stands in the ledger of effects."""

    PENDING = "PENDING"
    STARTED = "STARTED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    IN_DOUBT = "IN_DOUBT"


class ApprovalVerdict(StrEnum):
    """What a user says on an approval."""

    APPROVE = "APPROVE"
    REJECT = "REJECT"


class ActionFieldKind(StrEnum):
    """What kind of thing a shown field is."""

    MONEY_KRW = "MONEY_KRW"
    QUANTITY = "QUANTITY"
    TARGET = "TARGET"
    TEXT = "TEXT"


class EffectKind(StrEnum):
    """Which way money moves."""

    CHARGE = "CHARGE"
    REFUND = "REFUND"


@message(effect_pb2.ActionField)
@dataclass(frozen=True, slots=True)
class ActionField:
    """One thing that the user is shown before approving."""

    name: str
    label: str
    kind: ActionFieldKind
    number: int
    text: str


@message(effect_pb2.ActionPreview)
@dataclass(frozen=True, slots=True)
class ActionPreview:
    """What an action would do."""

    action_type: str
    tool: str
    tool_version: int
    arguments_json: bytes
    action_digest: str
    fields: tuple[ActionField, ...]
    confirmation_required: bool
    approval_id: str
    expire_time: datetime | None
    asks: Said | None = None
    words: tuple[str, ...] = ()


@message(effect_pb2.ActionApproval)
@dataclass(frozen=True, slots=True)
class ActionApproval:
    """An approval on which the user has spoken."""

    approval_id: str
    action_digest: str
    verdict: ApprovalVerdict
    decide_time: datetime
    expire_time: datetime


@message(effect_pb2.ActionReceipt)
@dataclass(frozen=True, slots=True)
class ActionReceipt:
    """What the ledger of effects holds of an action."""

    action_type: str
    tool: str
    effect_key: str
    status: EffectStatus
    result_json: bytes
    result_schema_id: str
    failure_reason: str
    failure_message: str
    start_time: datetime
    end_time: datetime | None
    reconciled: bool
    told: Said | None = None


@message(tool_gateway_service_pb2.PreviewActionRequest)
@dataclass(frozen=True, slots=True)
class PreviewActionRequest:
    """Requests to see what an action would do."""

    run: RunContext
    step_id: str
    ordinal: int
    action_type: str
    arguments_json: bytes
    arguments_schema_id: str
    confirmation_forced: bool = False


@message(tool_gateway_service_pb2.PreviewActionResponse)
@dataclass(frozen=True, slots=True)
class PreviewActionResponse:
    """Returns what an action would do."""

    outcome: ActionPreview | ToolFailure


@message(tool_gateway_service_pb2.ApproveActionRequest)
@dataclass(frozen=True, slots=True)
class ApproveActionRequest:
    """Says what the user thinks of an action that was previewed."""

    run: RunContext
    approval_id: str
    action_digest: str
    verdict: ApprovalVerdict


@message(tool_gateway_service_pb2.ApproveActionResponse)
@dataclass(frozen=True, slots=True)
class ApproveActionResponse:
    """Returns the approval, or why it could not be decided."""

    outcome: ActionApproval | ToolFailure


@message(tool_gateway_service_pb2.ExecuteActionRequest)
@dataclass(frozen=True, slots=True)
class ExecuteActionRequest:
    """Requests an action."""

    run: RunContext
    step_id: str
    ordinal: int
    action_type: str
    arguments_json: bytes
    arguments_schema_id: str
    approval_id: str = ""
    proposed_by: str = ""


@message(tool_gateway_service_pb2.ExecuteActionResponse)
@dataclass(frozen=True, slots=True)
class ExecuteActionResponse:
    """Returns what the ledger holds, or why nothing was done."""

    outcome: ActionReceipt | ToolFailure


@message(tool_gateway_service_pb2.ReconcileActionRequest)
@dataclass(frozen=True, slots=True)
class ReconcileActionRequest:
    """Requests to settle an action of the caller."""

    run: RunContext
    step_id: str
    ordinal: int
    proposed_by: str = ""


@message(tool_gateway_service_pb2.ReconcileActionResponse)
@dataclass(frozen=True, slots=True)
class ReconcileActionResponse:
    """Returns what the ledger holds now."""

    outcome: ActionReceipt | ToolFailure


@message(effect_backend_service_pb2.PerformEffectRequest)
@dataclass(frozen=True, slots=True)
class PerformEffectRequest:
    """Requests that money be moved outside hapju's own database."""

    effect_key: str
    kind: EffectKind
    amount_krw: int
    order_id: str
    request_digest: str


@message(effect_backend_service_pb2.PerformEffectResponse)
@dataclass(frozen=True, slots=True)
class PerformEffectResponse:
    """Returns what was done."""

    done: bool
    reference: str
    reason: str


@message(effect_backend_service_pb2.SettleEffectRequest)
@dataclass(frozen=True, slots=True)
class SettleEffectRequest:
    """Requests the outcome of a key."""

    effect_key: str


@message(effect_backend_service_pb2.SettleEffectResponse)
@dataclass(frozen=True, slots=True)
class SettleEffectResponse:
    """Returns the outcome of a key, which no longer changes."""

    done: bool
    reference: str
