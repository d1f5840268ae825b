"""Puts the final message of a flow together."""

from dataclasses import dataclass

from services.contract.asks import AnswerState, AskAnswer, Origin
from services.contract.documents import FinalDocument
from services.contract.events import ActionOutcome, ContextMeta, FinalAnswer, GoalAchieved, Review, SelectedAgent
from services.contract.flow import AgentResult, DecisionSource, FailureTag, Strategy
from services.contract.forms import COMPANION_OF
from services.contract.synthesizer import SynthesizedAnswer
from services.orchestrator import texts
from services.orchestrator.flow.state import FlowState
from services.plugin.asks.reports import HEADING


@dataclass(frozen=True, slots=True)
class Reply:
    """A text that ends a flow without agents: guidance, a question back, a refusal."""

    text: str
    """The text in the flow's language."""
    status: str
    """asked, blocked, out_of_scope or guided."""
    suggestions: tuple[str, ...] = ()
    """What the user may do next."""
    requires_confirmation: bool = False
    """True where the flow waits for a yes."""


def answer_of_reply(state: FlowState, reply: Reply) -> FinalAnswer:
    """Return the final message of a flow that ends before any agent runs."""
    return FinalAnswer(
        flow_run_id=state.flow_run_id,
        source=DecisionSource.RULE,
        final_response=reply.text,
        confidence_score=_route_confidence(state),
        requires_confirmation=reply.requires_confirmation,
        next_suggested_actions=reply.suggestions,
        failure_tags=tuple(state.tags),
        usage=state.budget.usage,
        context_meta=_meta(state, reply.status),
        decisions=tuple(state.budget.decisions),
        warnings=tuple(state.warnings),
    )


def answer_of_results(state: FlowState, written: SynthesizedAnswer) -> FinalAnswer:
    """Return the final message of a flow whose agents have run."""
    results = state.findings.in_order()
    asked = (tag for result in results for one in result.answers if (tag := _tag_of(one)) is not None)
    for tag in (*written.failure_tags, *asked):
        state.tag(tag)
    waiting = {
        (settled.step_id, settled.ordinal)
        for settled in state.findings.actions
        if settled.outcome is ActionOutcome.AWAITING_APPROVAL
    }
    requests = tuple(
        request
        for step_id, result in state.findings.results.items()
        for ordinal, request in enumerate(result.action_requests)
        if (step_id, ordinal) in waiting
    )
    return FinalAnswer(
        flow_run_id=state.flow_run_id,
        source=written.source,
        final_response=written.final_response,
        selected_agents=tuple(SelectedAgent(result.agent, order, result) for order, result in enumerate(results, 1)),
        action_requests=requests,
        confidence_score=_mean_confidence(results) if results else _route_confidence(state),
        requires_confirmation=bool(requests),
        next_suggested_actions=written.next_suggested_actions,
        citations=written.citations,
        data_freshness=written.data_freshness,
        failure_tags=tuple(state.tags),
        usage=state.budget.usage,
        context_meta=_meta(state, _status(results, state.findings.review), written.evidence_confidence),
        decisions=tuple(state.budget.decisions),
        warnings=tuple(state.warnings),
        actions=tuple(state.findings.actions),
        review=state.findings.review,
        dropped=written.dropped,
        charts=written.charts,
        documents=(
            *(one for result in results for answer in result.answers for one in answer.documents),
            *_report(state, written.final_response),
        ),
    )


def _tag_of(answer: AskAnswer) -> FailureTag | None:
    """Return how a flow is tagged whose ask lacks something: it is asked for, asked for once more, or no longer."""
    if not answer.missing:
        return None
    if answer.state is AnswerState.DECLINED:
        return FailureTag.TOO_MANY_QUESTIONS
    given = {one.label for one in answer.inputs if one.origin is Origin.GIVEN}
    is_given = bool(given & set(answer.missing))
    tag = FailureTag.INVALID_SLOT_VALUE if is_given else FailureTag.MISSING_REQUIRED_SLOTS
    return tag if answer.state is AnswerState.ASKING else None


def _report(state: FlowState, text: str) -> tuple[FinalDocument, ...]:
    """Return a report as a document; none where the answer is no report."""
    asks = state.route.asks if state.route is not None else ()
    if not any(ask.notes.get(HEADING) for ask in asks):
        return ()
    lines = tuple(line for line in text.splitlines() if line.strip())
    return (FinalDocument("report", texts.say(state.locale, "report"), lines),)


def _status(results: tuple[AgentResult, ...], review: Review | None) -> str:
    found = [bool(result.metrics or result.evidence or _is_answered(result)) for result in results]
    if not results or all(found):
        return "ok" if review is None or review.goal_achieved is GoalAchieved.YES else "partial"
    return "partial" if any(found) else "no_data"


def _is_answered(result: AgentResult) -> bool:
    return any(one.state in {AnswerState.ANSWERED, AnswerState.ASKING} for one in result.answers)


def _meta(state: FlowState, status: str, evidence_confidence: float | None = None) -> ContextMeta:
    results = state.findings.in_order()
    return ContextMeta(
        domain=state.route.domain if state.route is not None else "",
        intent=state.route.intent if state.route is not None else "",
        status=status,
        dispatch_mode=_dispatch_mode(state),
        fallback_used=_fell_back(state),
        invoked_agent_count=len(results) - len(state.findings.held),
        data_reused=state.findings.reuse is not None and bool(state.findings.reuse.flow_run_ids),
        reused_data_source=state.findings.reuse.source if state.findings.reuse is not None else "none",
        user_confirmed=state.findings.reuse is not None and state.findings.reuse.user_confirmed,
        sample_data=any(item.provenance.sample for result in results for item in result.evidence),
        evidence_confidence=evidence_confidence,
        normalised_question=state.plan.normalised_question if state.plan is not None else "",
    )


def _fell_back(state: FlowState) -> bool:
    steps = state.plan.steps if state.plan is not None else ()
    companions = {step.step_id for step in steps if step.condition.startswith(COMPANION_OF)}
    ruled = any(decision.source is DecisionSource.FALLBACK for decision in state.budget.decisions)
    return ruled or not companions.isdisjoint(state.findings.results)


def _dispatch_mode(state: FlowState) -> str:
    if state.plan is None or not state.findings.results:
        return "none"
    strategy: Strategy = state.plan.strategy
    return strategy.value.lower()


def _mean_confidence(results: tuple[AgentResult, ...]) -> float:
    return round(sum(result.confidence for result in results) / len(results), 4)


def _route_confidence(state: FlowState) -> float:
    return state.route.confidence if state.route is not None else 0.0
