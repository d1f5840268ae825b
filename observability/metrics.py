"""The few instruments of a service, created once, and the one method that records each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal, Self

from opentelemetry.metrics import Counter, Histogram, Meter, UpDownCounter

from observability import attributes as names

SECONDS_BOUNDARIES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
"""Bucket boundaries of every duration, in seconds."""

TOKENS_BOUNDARIES: Final = (16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0)
"""Bucket boundaries of the tokens of one model call."""


@dataclass(frozen=True, slots=True)
class Instruments:
    """The instruments of one service; each attribute has few values, so that series stay few."""

    rpc_server_seconds: Histogram
    """Duration of an RPC that this service served."""
    rpc_client_seconds: Histogram
    """Duration of an RPC that this service made."""
    model_seconds: Histogram
    """Duration of one model call."""
    model_tokens: Histogram
    """Tokens of one model call, by type input or output."""
    decisions: Counter
    """Decisions made here."""
    tool_calls: Counter
    """Tool calls that ended here."""
    flows: Counter
    """Flows that ended here."""
    flow_seconds: Histogram
    """Duration of a flow that ended here."""
    flows_active: UpDownCounter
    """Flows that are driven here."""
    flows_waiting: UpDownCounter
    """Those among them that wait."""
    first_event_seconds: Histogram
    """Until the first event of an admitted question."""
    first_text_seconds: Histogram
    """Until its first words, or its end without any."""
    agent_runs: Counter
    """Attempts at steps that ended here."""
    tool_seconds: Histogram
    """Duration of a tool call."""
    model_cost: Counter
    """What model calls cost."""
    spans_dropped: Counter
    """Spans of this service that the full export queue refused."""

    @classmethod
    def create(cls, meter: Meter) -> Self:
        """Create the instruments on ``meter``; call it once for a service."""
        return cls(
            rpc_server_seconds=_seconds(meter, names.RPC_SERVER_CALL_DURATION, "Duration of served RPCs."),
            rpc_client_seconds=_seconds(meter, names.RPC_CLIENT_CALL_DURATION, "Duration of made RPCs."),
            model_seconds=_seconds(meter, names.GEN_AI_CLIENT_OPERATION_DURATION, "Duration of model calls."),
            model_tokens=meter.create_histogram(
                names.GEN_AI_CLIENT_TOKEN_USAGE,
                unit="{token}",
                description="Tokens of a model call.",
                explicit_bucket_boundaries_advisory=TOKENS_BOUNDARIES,
            ),
            decisions=_counter(meter, names.METRIC_DECISIONS, "decision"),
            tool_calls=_counter(meter, names.METRIC_TOOL_CALLS, "call"),
            flows=_counter(meter, names.METRIC_FLOWS, "flow"),
            flow_seconds=_seconds(meter, names.METRIC_FLOW_DURATION, names.REGISTRY[names.METRIC_FLOW_DURATION]),
            flows_active=meter.create_up_down_counter(
                names.METRIC_FLOWS_ACTIVE, unit="{flow}", description=names.REGISTRY[names.METRIC_FLOWS_ACTIVE]
            ),
            flows_waiting=meter.create_up_down_counter(
                names.METRIC_FLOWS_WAITING, unit="{flow}", description=names.REGISTRY[names.METRIC_FLOWS_WAITING]
            ),
            first_event_seconds=_seconds(meter, names.METRIC_FIRST_EVENT, names.REGISTRY[names.METRIC_FIRST_EVENT]),
            first_text_seconds=_seconds(meter, names.METRIC_FIRST_TEXT, names.REGISTRY[names.METRIC_FIRST_TEXT]),
            agent_runs=_counter(meter, names.METRIC_AGENT_RUNS, "run"),
            tool_seconds=_seconds(meter, names.METRIC_TOOL_DURATION, names.REGISTRY[names.METRIC_TOOL_DURATION]),
            model_cost=_counter(meter, names.METRIC_MODEL_COST, "micro_usd"),
            spans_dropped=_counter(meter, names.METRIC_SPANS_DROPPED, "span"),
        )

    def rpc_served(self, method: str, status: str, duration_seconds: float) -> None:
        """Record a served RPC: its full method, its status code's name and its duration."""
        self.rpc_server_seconds.record(duration_seconds, _rpc(method, status))

    def rpc_made(self, method: str, status: str, duration_seconds: float) -> None:
        """Record an RPC made to a peer: its full method, its status code's name and its duration."""
        self.rpc_client_seconds.record(duration_seconds, _rpc(method, status))

    def model_called(self, model: str, duration_seconds: float, *, error_type: str = "") -> None:
        """Record one model call; ``error_type`` is empty when it was answered."""
        attributes = {names.GEN_AI_OPERATION_NAME: names.OPERATION_CHAT, names.GEN_AI_REQUEST_MODEL: model}
        if error_type:
            attributes[names.ERROR_TYPE] = error_type
        self.model_seconds.record(duration_seconds, attributes)

    def tokens_used(self, model: str, *, input_tokens: int, output_tokens: int) -> None:
        """Record the tokens of one model call."""
        used = {names.TOKEN_TYPE_INPUT: input_tokens, names.TOKEN_TYPE_OUTPUT: output_tokens}
        for kind, tokens in used.items():
            attributes = {names.GEN_AI_TOKEN_TYPE: kind, names.GEN_AI_REQUEST_MODEL: model}
            self.model_tokens.record(tokens, attributes)

    def decision_made(self, kind: str, source: str) -> None:
        """Count a decision by its kind and its source LLM, RULE or FALLBACK."""
        self.decisions.add(1, {names.DECISION_KIND: kind, names.DECISION_SOURCE: source})

    def model_cost_known(self, model: str, micro_usd: int) -> None:
        """Count what an answered model call cost."""
        self.model_cost.add(micro_usd, {names.GEN_AI_REQUEST_MODEL: model})

    def tool_called(self, tool: str, outcome: str, duration_seconds: float) -> None:
        """Record a tool call by the tool's catalog name, how it ended and how long it took."""
        attributes = {names.TOOL_NAME: tool, names.TOOL_OUTCOME: outcome}
        self.tool_calls.add(1, attributes)
        self.tool_seconds.record(duration_seconds, attributes)

    def agent_ran(self, agent: str, outcome: str) -> None:
        """Count an attempt at a step by its agent and how it ended."""
        self.agent_runs.add(1, {names.AGENT_ID: agent, names.AGENT_OUTCOME: outcome})

    @contextmanager
    def flow_waits(self, waits_for: Literal["person", "turn"]) -> Iterator[None]:
        """Count a flow among those that wait while the body runs."""
        attributes = {names.FLOW_WAITS_FOR: waits_for}
        self.flows_waiting.add(1, attributes)
        try:
            yield
        finally:
            self.flows_waiting.add(-1, attributes)

    def flow_ended(self, end: str, duration_seconds: float) -> None:
        """Record a flow by its terminal event, finished, failed or cancelled, and how long it was driven here."""
        self.flows.add(1, {names.FLOW_END: end})
        self.flow_seconds.record(duration_seconds, {names.FLOW_END: end})


def _seconds(meter: Meter, name: str, description: str) -> Histogram:
    return meter.create_histogram(
        name,
        unit="s",
        description=description,
        explicit_bucket_boundaries_advisory=SECONDS_BOUNDARIES,
    )


def _counter(meter: Meter, name: str, unit: str) -> Counter:
    return meter.create_counter(name, unit=f"{{{unit}}}", description=names.REGISTRY[name])


def _rpc(method: str, status: str) -> dict[str, str]:
    return {
        names.RPC_SYSTEM_NAME: names.RPC_SYSTEM_GRPC,
        names.RPC_METHOD: method,
        names.RPC_RESPONSE_STATUS_CODE: status,
    }
