"""The agents' messages, the same for every agent. Field meanings stand in protos/hapju/agent/v1."""

from dataclasses import dataclass

from hapju.agent.v1 import agent_description_pb2, agent_service_pb2
from services.contract.attachments import Attachment
from services.contract.events import Progress, ToolSettled
from services.contract.flow import AgentResult, PlanStep, RouteDecision, RunContext, SlotValue, Spent, ToolCall
from services.contract.mapping import message


@message(agent_description_pb2.DescribeResponse)
@dataclass(frozen=True, slots=True)
class AgentDescription:
    """Describes an agent."""

    agent: str
    answers: str
    declines: str
    tools: tuple[str, ...]
    definition_digest: str


@message(agent_service_pb2.RunRequest)
@dataclass(frozen=True, slots=True)
class RunRequest:
    """Requests a run."""

    run: RunContext
    step: PlanStep
    calls: tuple[ToolCall, ...]
    prior_results: tuple[AgentResult, ...]
    slots: tuple[SlotValue, ...]
    question: str
    route: RouteDecision
    computed: AgentResult | None = None
    said_before: tuple[AgentResult, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@message(agent_service_pb2.RunResult)
@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended; the last message of its stream."""

    result: AgentResult
    spent: Spent


@message(agent_service_pb2.RunResponse)
@dataclass(frozen=True, slots=True)
class RunResponse:
    """Tells of a run."""

    event: Progress | ToolSettled | RunResult | AgentResult
