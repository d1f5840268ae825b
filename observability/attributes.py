"""The one registry of the names that spans, metrics, logs and baggage of hapju carry.

Names that an OpenTelemetry semantic convention defines come first: they are re-exported from the semantic
convention package, so that a rename there is an import error here. Names of our own start with ``hapju.`` and
stand in ``REGISTRY`` with one line of meaning each; a test fails when a span or a metric carries a name that
is in neither. Identifiers and enumerated values only: free text of a user, a document or a model is never an
attribute, except under one of the two message names, which ``redaction.keep`` leaves out unless content
capture is on.
"""

from typing import Final

from opentelemetry.semconv._incubating.attributes.gen_ai_attributes import (
    GEN_AI_CONVERSATION_ID,
    GEN_AI_INPUT_MESSAGES,
    GEN_AI_OPERATION_NAME,
    GEN_AI_OUTPUT_MESSAGES,
    GEN_AI_PROVIDER_NAME,
    GEN_AI_REQUEST_MAX_TOKENS,
    GEN_AI_REQUEST_MODEL,
    GEN_AI_REQUEST_TEMPERATURE,
    GEN_AI_RESPONSE_FINISH_REASONS,
    GEN_AI_RESPONSE_MODEL,
    GEN_AI_TOKEN_TYPE,
    GEN_AI_TOOL_NAME,
    GEN_AI_USAGE_INPUT_TOKENS,
    GEN_AI_USAGE_OUTPUT_TOKENS,
)
from opentelemetry.semconv._incubating.attributes.rpc_attributes import (
    RPC_METHOD,
    RPC_RESPONSE_STATUS_CODE,
    RPC_SYSTEM_NAME,
)
from opentelemetry.semconv._incubating.attributes.service_attributes import (
    SERVICE_INSTANCE_ID,
    SERVICE_NAMESPACE,
    SERVICE_PEER_NAME,
)
from opentelemetry.semconv._incubating.metrics.gen_ai_metrics import (
    GEN_AI_CLIENT_OPERATION_DURATION,
    GEN_AI_CLIENT_TOKEN_USAGE,
)
from opentelemetry.semconv._incubating.metrics.rpc_metrics import (
    RPC_CLIENT_CALL_DURATION,
    RPC_SERVER_CALL_DURATION,
)
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.semconv.attributes.service_attributes import SERVICE_NAME, SERVICE_VERSION

__all__ = [
    "ERROR_TYPE",
    "GEN_AI_CLIENT_OPERATION_DURATION",
    "GEN_AI_CLIENT_TOKEN_USAGE",
    "GEN_AI_CONVERSATION_ID",
    "GEN_AI_INPUT_MESSAGES",
    "GEN_AI_OPERATION_NAME",
    "GEN_AI_OUTPUT_MESSAGES",
    "GEN_AI_PROVIDER_NAME",
    "GEN_AI_REQUEST_MAX_TOKENS",
    "GEN_AI_REQUEST_MODEL",
    "GEN_AI_REQUEST_TEMPERATURE",
    "GEN_AI_RESPONSE_FINISH_REASONS",
    "GEN_AI_RESPONSE_MODEL",
    "GEN_AI_TOKEN_TYPE",
    "GEN_AI_TOOL_NAME",
    "GEN_AI_USAGE_INPUT_TOKENS",
    "GEN_AI_USAGE_OUTPUT_TOKENS",
    "REGISTRY",
    "RPC_CLIENT_CALL_DURATION",
    "RPC_METHOD",
    "RPC_RESPONSE_STATUS_CODE",
    "RPC_SERVER_CALL_DURATION",
    "RPC_SYSTEM_NAME",
    "SEMANTIC_CONVENTIONS",
    "SERVICE_INSTANCE_ID",
    "SERVICE_NAME",
    "SERVICE_NAMESPACE",
    "SERVICE_PEER_NAME",
    "SERVICE_VERSION",
]

# Values of the conventions that the package keeps as deprecated enums only (the GenAI ones moved to their own
# repository); the strings are the published ones.
OPERATION_CHAT: Final = "chat"
OPERATION_EXECUTE_TOOL: Final = "execute_tool"
RPC_SYSTEM_GRPC: Final = "grpc"
TOKEN_TYPE_INPUT: Final = "input"  # noqa: S105 - a kind of model token, not a secret
TOKEN_TYPE_OUTPUT: Final = "output"  # noqa: S105 - as above

# Baggage and log fields.
FLOW_RUN_ID: Final = "hapju.flow_run_id"

# Attributes of the flow.
FLOW_PHASE: Final = "hapju.flow.phase"
FLOW_END: Final = "hapju.flow.end"
FLOW_RESUMED: Final = "hapju.flow.resumed"
FLOW_WAITS_FOR: Final = "hapju.flow.waits_for"
LOCALE: Final = "hapju.locale"
DOMAIN: Final = "hapju.domain"
INTENT: Final = "hapju.intent"
SELECTED_TYPE: Final = "hapju.selected_type"
NEXT_ACTION: Final = "hapju.next_action"
POLICY_VERDICT: Final = "hapju.policy.verdict"
FAILURE_TAGS: Final = "hapju.failure.tags"
ASKS: Final = "hapju.asks"
GOAL_ACHIEVED: Final = "hapju.review.goal_achieved"
CANCELLED: Final = "hapju.cancelled"

# Attributes of a decision.
DECISION_KIND: Final = "hapju.decision.kind"
DECISION_SOURCE: Final = "hapju.decision.source"
DECISION_CONFIDENCE: Final = "hapju.decision.confidence"
DECISION_REPAIRED: Final = "hapju.decision.repaired"
FALLBACK_REASON: Final = "hapju.decision.fallback_reason"
PROMPT_NAME: Final = "hapju.prompt.name"
PROMPT_VERSION: Final = "hapju.prompt.version"

# Attributes of a plan, an agent, a tool.
PLAN_STRATEGY: Final = "hapju.plan.strategy"
STEP_ID: Final = "hapju.step.id"
STEP_ATTEMPT: Final = "hapju.step.attempt"
AGENT_ID: Final = "hapju.agent.id"
AGENT_OUTCOME: Final = "hapju.agent.outcome"
TOOL_NAME: Final = "hapju.tool.name"
TOOL_REPLAYED: Final = "hapju.tool.replayed"
TOOL_OUTCOME: Final = "hapju.tool.outcome"
TOOL_ROWS: Final = "hapju.tool.rows"
TEMPLATE_ID: Final = "hapju.template.id"
DATA_SET: Final = "hapju.data.set"
DATA_IS_SAMPLE: Final = "hapju.data.is_sample"

# Attributes of a text that was left out because nothing holds it.
DROP_PLACE: Final = "hapju.drop.place"
DROP_REASON: Final = "hapju.drop.reason"

# Attributes of a failure and of a call.
ERROR_REASON: Final = "hapju.error.reason"
ERROR_ID: Final = "hapju.error.id"
DEADLINE_SECONDS: Final = "hapju.call.deadline_seconds"
STREAM_MESSAGES: Final = "hapju.stream.messages"

# Span names; a span of an RPC is named by its full method, "hapju.router.v1.RouterService/Route".
SPAN_FLOW: Final = "hapju.flow"
SPAN_DECIDE: Final = "hapju.decide"
SPAN_STEP: Final = "hapju.step"

# Names of events within a span.
EVENT_PHASE: Final = "hapju.phase"
EVENT_DROPPED: Final = "hapju.dropped"

# Metric names of our own.
METRIC_DECISIONS: Final = "hapju.decisions"
METRIC_TOOL_CALLS: Final = "hapju.tool.calls"
METRIC_FLOWS: Final = "hapju.flows"
METRIC_FLOW_DURATION: Final = "hapju.flow.duration"
METRIC_FLOWS_ACTIVE: Final = "hapju.flows.active"
METRIC_FLOWS_WAITING: Final = "hapju.flows.waiting"
METRIC_FIRST_EVENT: Final = "hapju.answer.first_event"
METRIC_FIRST_TEXT: Final = "hapju.answer.first_text"
METRIC_AGENT_RUNS: Final = "hapju.agent.runs"
METRIC_TOOL_DURATION: Final = "hapju.tool.duration"
METRIC_MODEL_COST: Final = "hapju.model.cost"
METRIC_SPANS_DROPPED: Final = "hapju.telemetry.spans.dropped"

REGISTRY: Final[dict[str, str]] = {
    FLOW_RUN_ID: "The flow's UUIDv7; on every span, log line and in the baggage.",
    FLOW_PHASE: "The phase that the flow was in, for example EXECUTING.",
    FLOW_END: "The flow's terminal event: finished, failed or cancelled.",
    FLOW_RESUMED: "True when the flow went on after a question or a restart.",
    FLOW_WAITS_FOR: "What a flow waits for: a person, or its turn in a conversation.",
    LOCALE: "The locale of the answer, ko or en.",
    DOMAIN: "The domain that the flow was routed to.",
    INTENT: "The intent that the router chose, a name of the catalog.",
    SELECTED_TYPE: "The selected type of the route, a name of the catalog.",
    NEXT_ACTION: "What the route asks for: PROCEED, CONFIRM, CLARIFY or RESPOND.",
    POLICY_VERDICT: "The policy verdict: ALLOW, WARN or BLOCK.",
    FAILURE_TAGS: "The failure tags of the flow's answer, in the order in which they were noted.",
    ASKS: 'What was asked for and how far it was answered, for example "q1 LEVEL ANSWERED".',
    GOAL_ACHIEVED: "What the review came to: YES, PARTIAL or NO.",
    CANCELLED: "True when the work ended because its caller no longer wanted it.",
    DECISION_KIND: "What was decided: intent, plan, strategy, assessment and so on.",
    DECISION_SOURCE: "Who decided: LLM, RULE or FALLBACK.",
    DECISION_CONFIDENCE: "Confidence of the decision, 0 to 1.",
    DECISION_REPAIRED: "True when the model's first output was outside the schema and its second was inside.",
    FALLBACK_REASON: "Why the model's answer was not used: timeout, unavailable, invalid_output and so on.",
    PROMPT_NAME: "The prompt's owner and name, for example router/intent_analysis.",
    PROMPT_VERSION: "Hash of the prompt file that was rendered.",
    PLAN_STRATEGY: "The execution strategy of the plan.",
    STEP_ID: "The plan step's id, unique in its flow.",
    STEP_ATTEMPT: "Which attempt at the step this is, from 1.",
    AGENT_ID: "The id of the agent, its domain and name with a dot between.",
    AGENT_OUTCOME: "How an attempt at a step ended, a name of hapju.flow.v1.AgentOutcome, for example TIMED_OUT.",
    TOOL_NAME: "The name of the tool.",
    TOOL_REPLAYED: "True when the result came from the ledger and the tool did not run again.",
    TOOL_OUTCOME: "How the tool call ended: ok, empty, refused, failed, timeout, in_doubt or unknown.",
    TOOL_ROWS: "Number of rows that the tool returned.",
    TEMPLATE_ID: "The named query template that the tool bound its parameters to.",
    DATA_SET: "The data set that the rows come from.",
    DATA_IS_SAMPLE: "True when the rows are generated sample data.",
    DROP_PLACE: "Where a text stood that was left out: AGENT_SUMMARY, ANSWER, CITATION or CLAIM.",
    DROP_REASON: "Why a text was left out, a name of hapju.flow.v1.DropReason, for example UNKNOWN_FIGURE.",
    ERROR_REASON: "The reason of the error, a name of the error table, for example TOOL_TIMEOUT.",
    ERROR_ID: "The id that links an INTERNAL status to the one log line with its detail.",
    DEADLINE_SECONDS: "Seconds that the call had left when it began.",
    STREAM_MESSAGES: "Number of messages that the stream carried.",
    SPAN_FLOW: "Span: the whole flow, in the orchestrator, outside any RPC.",
    SPAN_DECIDE: "Span: one decision by model or rule.",
    SPAN_STEP: "Span: one attempt at a step of the plan.",
    EVENT_PHASE: "Event: the flow is in another phase.",
    EVENT_DROPPED: "Event: a sentence, citation or claim was left out because nothing holds it.",
    METRIC_DECISIONS: "Counter: decisions by kind and source.",
    METRIC_TOOL_CALLS: "Counter: tool calls by tool and outcome.",
    METRIC_FLOWS: "Counter: flows by how they ended.",
    METRIC_FLOW_DURATION: "Histogram: seconds from a flow's start, or its going on here, to its end, by how it ended.",
    METRIC_FLOWS_ACTIVE: "Gauge: flows that are driven here, those that wait for a person with them.",
    METRIC_FLOWS_WAITING: "Gauge: flows among them that wait, by for what.",
    METRIC_FIRST_EVENT: "Histogram: seconds from an admitted question to its first event at the gateway.",
    METRIC_FIRST_TEXT: "Histogram: seconds from an admitted question to its first words, or its end without any.",
    METRIC_AGENT_RUNS: "Counter: attempts at steps by agent and how they ended.",
    METRIC_TOOL_DURATION: "Histogram: seconds of a tool call by tool and outcome.",
    METRIC_MODEL_COST: "Counter: what answered model calls cost by model, in micro USD by the prices that are set.",
    METRIC_SPANS_DROPPED: "Counter: spans that were lost, since the export queue was full or no collector took them.",
}

SEMANTIC_CONVENTIONS: Final[frozenset[str]] = frozenset(
    {
        ERROR_TYPE,
        GEN_AI_CLIENT_OPERATION_DURATION,
        GEN_AI_CLIENT_TOKEN_USAGE,
        GEN_AI_CONVERSATION_ID,
        GEN_AI_INPUT_MESSAGES,
        GEN_AI_OPERATION_NAME,
        GEN_AI_OUTPUT_MESSAGES,
        GEN_AI_PROVIDER_NAME,
        GEN_AI_REQUEST_MAX_TOKENS,
        GEN_AI_REQUEST_MODEL,
        GEN_AI_REQUEST_TEMPERATURE,
        GEN_AI_RESPONSE_FINISH_REASONS,
        GEN_AI_RESPONSE_MODEL,
        GEN_AI_TOKEN_TYPE,
        GEN_AI_TOOL_NAME,
        GEN_AI_USAGE_INPUT_TOKENS,
        GEN_AI_USAGE_OUTPUT_TOKENS,
        RPC_CLIENT_CALL_DURATION,
        RPC_METHOD,
        RPC_RESPONSE_STATUS_CODE,
        RPC_SERVER_CALL_DURATION,
        RPC_SYSTEM_NAME,
        SERVICE_INSTANCE_ID,
        SERVICE_NAME,
        SERVICE_NAMESPACE,
        SERVICE_PEER_NAME,
        SERVICE_VERSION,
    },
)


def is_registered(name: str) -> bool:
    """Say whether ``name`` is one of ours or of a semantic convention that we use."""
    return name in REGISTRY or name in SEMANTIC_CONVENTIONS
