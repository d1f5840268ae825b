"""What a flow's span says of it: how its question was understood, planned for and answered."""

from collections.abc import Iterator

from observability import attributes as names
from observability.spans import AttributeValue
from services.orchestrator.flow.state import FlowState


def described(state: FlowState) -> dict[str, AttributeValue]:
    """Return the attributes of a flow's span, as far as the flow has come; none of them holds what was said."""
    found: dict[str, AttributeValue] = {}
    if (route := state.route) is not None:
        found |= {
            names.DOMAIN: route.domain,
            names.INTENT: route.intent,
            names.SELECTED_TYPE: route.selected_type,
            names.NEXT_ACTION: route.next_action.value,
        }
    if state.plan is not None:
        found[names.PLAN_STRATEGY] = state.plan.strategy.value
    if state.review is not None:
        found[names.GOAL_ACHIEVED] = state.review.goal_achieved.value
    if asks := tuple(_asks(state)):
        found[names.ASKS] = asks
    if state.tags:
        found[names.FAILURE_TAGS] = tuple(tag.value for tag in state.tags)
    return found


def _asks(state: FlowState) -> Iterator[str]:
    """Yield each ask with its form and what came of it; one that no step was given is OPEN."""
    came_of = {answer.ask_id: answer.state.value for result in state.results.values() for answer in result.answers}
    for ask in state.route.asks if state.route is not None else ():
        yield f"{ask.ask_id} {ask.form.value if ask.form else ''} {came_of.get(ask.ask_id, 'OPEN')}"
