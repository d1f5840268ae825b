"""The tool gateway's messages. Field meanings stand in protos/hapju/tool/v1."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from hapju.tool.v1 import tool_gateway_service_pb2
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


@message(tool_gateway_service_pb2.ToolDescription)
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


@message(tool_gateway_service_pb2.InvokeToolResponse)
@dataclass(frozen=True, slots=True)
class InvokeToolResponse:
    """Returns a call's outcome."""

    outcome: ToolResult | ToolFailure
