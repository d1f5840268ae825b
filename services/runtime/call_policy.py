"""What every RPC may take and whether it may be repeated: one row each, and a test that none is missing."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Retry(StrEnum):
    """Whether a call may be sent again when its peer could not be reached."""

    READ = "READ"
    """It changes nothing: up to three attempts."""
    NEVER = "NEVER"
    """It may have been done: one attempt."""


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """The policy of one RPC."""

    deadline_seconds: float | None
    """The longest that a caller of ours waits; None for a stream that lives as long as its flow."""
    retry: Retry
    """Whether it may be repeated."""
    deadline_required: bool = True
    """False for RPCs that a client may hold open for as long as it likes."""
    critical: bool = False
    """True for what must get through when the service is full: ends, states, confirmations."""


def _read(seconds: float) -> CallPolicy:
    return CallPolicy(seconds, Retry.READ)


FLOW_SECONDS_MAX: Final = 600.0
"""The longest that a flow may take."""
FLOW_SECONDS_DEFAULT: Final = 120.0
"""How long a flow may take when nobody says."""

CALL_POLICY: Final[dict[str, CallPolicy]] = {
    "/hapju.gateway.v1.GatewayService/Ask": CallPolicy(FLOW_SECONDS_MAX, Retry.NEVER),
    "/hapju.gateway.v1.GatewayService/StartFlow": CallPolicy(10.0, Retry.NEVER),
    "/hapju.gateway.v1.GatewayService/WatchFlow": CallPolicy(None, Retry.READ, deadline_required=False),
    "/hapju.gateway.v1.GatewayService/CancelFlow": CallPolicy(10.0, Retry.NEVER, critical=True),
    "/hapju.gateway.v1.GatewayService/AnswerQuestion": CallPolicy(10.0, Retry.NEVER, critical=True),
    "/hapju.gateway.v1.GatewayService/GetFlow": CallPolicy(10.0, Retry.READ, critical=True),
    "/hapju.gateway.v1.GatewayService/GetDocument": _read(10.0),
    "/hapju.gateway.v1.GatewayService/GetFlowRecording": _read(10.0),
    "/hapju.gateway.v1.GatewayService/ReportExperiment": _read(30.0),
    "/hapju.gateway.v1.GatewayService/LabelFlow": CallPolicy(10.0, Retry.NEVER),
    "/hapju.gateway.v1.GatewayService/ListFlows": _read(10.0),
    "/hapju.gateway.v1.GatewayService/ListSessions": _read(10.0),
    "/hapju.gateway.v1.GatewayService/GetSession": _read(10.0),
    "/hapju.gateway.v1.GatewayService/DeleteSession": CallPolicy(10.0, Retry.NEVER, critical=True),
    "/hapju.gateway.v1.GatewayService/Route": _read(30.0),
    "/hapju.gateway.v1.GatewayService/Plan": _read(60.0),
    "/hapju.gateway.v1.GatewayService/ListAgents": _read(10.0),
    "/hapju.gateway.v1.GatewayService/ListTools": _read(10.0),
    "/hapju.orchestrator.v1.OrchestratorService/StartFlow": CallPolicy(10.0, Retry.NEVER),
    "/hapju.orchestrator.v1.OrchestratorService/RunFlow": CallPolicy(FLOW_SECONDS_MAX, Retry.NEVER),
    "/hapju.orchestrator.v1.OrchestratorService/WatchFlow": CallPolicy(None, Retry.READ, deadline_required=False),
    "/hapju.orchestrator.v1.OrchestratorService/CancelFlow": CallPolicy(10.0, Retry.NEVER, critical=True),
    "/hapju.orchestrator.v1.OrchestratorService/AnswerQuestion": CallPolicy(10.0, Retry.NEVER, critical=True),
    "/hapju.orchestrator.v1.OrchestratorService/GetFlow": CallPolicy(10.0, Retry.READ, critical=True),
    "/hapju.orchestrator.v1.OrchestratorService/GetFlowRecording": _read(10.0),
    "/hapju.orchestrator.v1.OrchestratorService/ReportExperiment": _read(30.0),
    "/hapju.orchestrator.v1.OrchestratorService/LabelFlow": CallPolicy(10.0, Retry.NEVER),
    "/hapju.orchestrator.v1.OrchestratorService/ListFlows": _read(10.0),
    "/hapju.orchestrator.v1.OrchestratorService/ListSessions": _read(10.0),
    "/hapju.orchestrator.v1.OrchestratorService/GetSession": _read(10.0),
    "/hapju.orchestrator.v1.OrchestratorService/DeleteSession": CallPolicy(10.0, Retry.NEVER, critical=True),
    "/hapju.policy.v1.PolicyService/CheckPolicy": _read(20.0),
    "/hapju.router.v1.RouterService/Route": _read(30.0),
    "/hapju.planner.v1.PlannerService/PrepareQuestion": _read(60.0),
    "/hapju.planner.v1.PlannerService/DraftPlan": _read(60.0),
    "/hapju.agent.v1.AgentService/Describe": _read(5.0),
    "/hapju.agent.v1.AgentService/Run": CallPolicy(120.0, Retry.READ),
    "/hapju.tool.v1.ToolGatewayService/ListTools": _read(5.0),
    "/hapju.tool.v1.ToolGatewayService/DescribeTool": _read(5.0),
    "/hapju.tool.v1.ToolGatewayService/InvokeTool": CallPolicy(60.0, Retry.READ),
    # A preview opens an approval, and a second one would be another approval.
    "/hapju.tool.v1.ToolGatewayService/PreviewAction": CallPolicy(15.0, Retry.NEVER),
    "/hapju.tool.v1.ToolGatewayService/ApproveAction": CallPolicy(10.0, Retry.NEVER, critical=True),
    # Its key makes it safe to send again, which the flow does when it resumes; a channel never does.
    "/hapju.tool.v1.ToolGatewayService/ExecuteAction": CallPolicy(60.0, Retry.NEVER, critical=True),
    "/hapju.tool.v1.ToolGatewayService/ReconcileAction": CallPolicy(30.0, Retry.NEVER, critical=True),
    "/hapju.tool.v1.EffectBackendService/PerformEffect": CallPolicy(20.0, Retry.NEVER),
    "/hapju.tool.v1.EffectBackendService/SettleEffect": CallPolicy(10.0, Retry.NEVER),
    "/hapju.runtime.v1.HopService/AwaitFlowEnd": CallPolicy(5.0, Retry.READ, critical=True),
    "/hapju.synthesizer.v1.SynthesizerService/Synthesize": CallPolicy(120.0, Retry.READ),
}
"""Every RPC of ours, by its full method. A stream is repeated only before its head or its first message has come."""

INFRASTRUCTURE_PREFIXES: Final = ("/grpc.health.v1.", "/grpc.reflection.")
"""RPCs of grpc itself: open to every peer, with or without a deadline."""

ATTEMPTS_MAX: Final = 3
"""How often a read is tried in all."""


def is_infrastructure(method: str) -> bool:
    """Return whether an RPC belongs to grpc itself and bears neither identity nor deadline."""
    return method.startswith(INFRASTRUCTURE_PREFIXES)


def service_config(peer: str) -> str:
    """Return the service config of channels to a peer: spread over replicas, ready ones only, reads repeated."""
    retried = [_name(method) for method, policy in CALL_POLICY.items() if policy.retry is Retry.READ]
    config: dict[str, Any] = {
        "loadBalancingConfig": [{"round_robin": {}}],
        "healthCheckConfig": {"serviceName": peer},
        "methodConfig": [
            {
                "name": retried,
                "retryPolicy": {
                    "maxAttempts": ATTEMPTS_MAX,
                    "initialBackoff": "0.05s",
                    "maxBackoff": "0.5s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            },
        ],
        "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1},
    }
    return json.dumps(config)


def _name(method: str) -> dict[str, str]:
    service, name = method.removeprefix("/").split("/")
    return {"service": service, "method": name}
