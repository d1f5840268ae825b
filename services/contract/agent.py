"""The messages of agent_description, agent_service.

Generated from protos/hapju/agent/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass

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
from services.contract.mapping import message


@message(agent_description_pb2.DescribeResponse)
@dataclass(frozen=True, slots=True)
class AgentDescription:
    """Describes an agent."""

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


@message(agent_service_pb2.RunRequest)
@dataclass(frozen=True, slots=True)
class RunRequest:
    """Requests a run."""

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
    computed: AgentResult | None = None
    """What this step has computed already, where nobody was left to take the run's result: only its summary is to be
    written, and no tool is called. Absent otherwise.
    """
    said_before: tuple[AgentResult, ...] = ()
    """What this agent has said in earlier flows of the conversation, the latest first and without rows. Where it comes
    to the same again, figure for figure, its summary goes by the rule: a model has worded it then.
    """
    attachments: tuple[Attachment, ...] = ()
    """The files that its asks rest on, without their content."""


@message(agent_service_pb2.RunResult)
@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended."""

    result: AgentResult
    """What the agent found. Its tools' failures are told in here and are no status of the call."""
    spent: Spent
    """What it cost."""


@message(agent_service_pb2.RunResponse)
@dataclass(frozen=True, slots=True)
class RunResponse:
    """Tells of a run."""

    event: Progress | ToolSettled | RunResult | AgentResult
    """What happened."""
