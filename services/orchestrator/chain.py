"""A flow's call chain: who decided and did what, in order, from its durable events."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from services.contract.drops import Dropped
from services.contract.events import (
    ActionSettled,
    AgentOutcome,
    AgentSettled,
    ChainLink,
    DecisionMade,
    Finished,
    FlowEvent,
    ToolSettled,
)
from services.contract.flow import Decision


def chain_of(events: tuple[FlowEvent, ...]) -> tuple[ChainLink, ...]:
    """Return the decisions, tool calls and settled steps of a flow, in the order in which they were told."""
    links = [link for event in events if (link := _link(event)) is not None]
    return tuple(replace(link, order=order) for order, link in enumerate(links, 1))


def after_chain(chain: tuple[ChainLink, ...], decisions: Iterable[Decision]) -> tuple[ChainLink, ...]:
    """Return decisions that were made once a flow had ended, in an order that goes on from its chain's."""
    return tuple(_decided(decision, order) for order, decision in enumerate(decisions, len(chain) + 1))


def dropped_of(events: Iterable[FlowEvent]) -> tuple[Dropped, ...]:
    """Return what agents and synthesizer left out; that of a result from an earlier flow is in the earlier record."""
    found: list[Dropped] = []
    for told in events:
        event = told.event
        if isinstance(event, AgentSettled) and event.result is not None and event.outcome is not AgentOutcome.REUSED:
            found += event.result.dropped
        if isinstance(event, Finished):
            found += event.answer.dropped
    return tuple(found)


def _decided(decision: Decision, order: int = 0) -> ChainLink:
    return ChainLink(
        order=order,
        service=decision.service,
        name=decision.kind,
        kind=decision.source.value,
        model=decision.model,
        latency=decision.latency,
        input_tokens=decision.usage.input_tokens,
        output_tokens=decision.usage.output_tokens,
        outcome=decision.fallback_reason or decision.reasoning,
        settle_time=decision.decide_time,
    )


def _link(told: FlowEvent) -> ChainLink | None:
    event = told.event
    if isinstance(event, DecisionMade):
        return _decided(event.decision)
    if isinstance(event, ToolSettled):
        outcome = event.reason or f"{event.row_count} rows"
        return ChainLink(0, "tool_gateway", event.tool, "TOOL", "", event.latency, 0, 0, outcome, told.emit_time)
    if isinstance(event, AgentSettled):
        outcome = event.reason or event.outcome.value
        return ChainLink(0, event.agent, event.step_id, "AGENT", "", event.latency, 0, 0, outcome, told.emit_time)
    if isinstance(event, ActionSettled):
        outcome, none = event.reason or event.outcome.value, timedelta()
        return ChainLink(0, "tool_gateway", event.action_type, "ACTION", "", none, 0, 0, outcome, told.emit_time)
    return None
