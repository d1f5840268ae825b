"""Routes, plans and decisions as a person reads them."""

from hapju.flow.v1 import decision_pb2, plan_pb2, route_pb2
from services.cli import options
from services.cli.output import print_line, print_table
from services.cli.progress import milliseconds
from services.cli.questions import CommandQuestion
from services.cli.tokens import Identity
from services.contract.forms import COMPANION_OF


def asked(  # noqa: PLR0913, PLR0917 - one argument an option
    question: str,
    domain: list[str],
    locale: options.LocaleName | None,
    session: str,
    user: str,
    user_type: options.UserType | None,
    timeout_seconds: float | None,
) -> CommandQuestion:
    """Return the question that the options of `route` and `plan` make."""
    identity = Identity(user, user_type or "")
    return CommandQuestion(question, options.names(domain), locale or "", session, "", timeout_seconds, identity)


def print_route(route: route_pb2.RouteDecision) -> None:
    """Print how a question is understood."""
    next_action = route_pb2.NextAction.Name(route.next_action).removeprefix("NEXT_ACTION_")
    print_line(f"{route.domain or '-'} / {route.intent or '-'}  {route.confidence:.2f}  {next_action}")
    others = ", ".join(f"{other.intent} {other.confidence:.2f}" for other in route.alternatives)
    facts = {
        "decided by": route.route_source,
        "agents": ", ".join(route.target_agents),
        "alternatives": others,
        "reason": route.reason,
        "says": route.message,
        "examples": " / ".join(route.examples),
    }
    for name, value in facts.items():
        if value:
            print_line(f"  {name}: {value}")
    if route.voter_scores:
        voters = (
            (vote.voter, vote.intent, f"{vote.score:.2f}", f"{vote.weight:.2f}", vote.reason)
            for vote in route.voter_scores
        )
        print_line()
        print_table(("voter", "intent", "score", "weight", "reason"), voters, frozenset({"score", "weight"}))


def print_plan(plan: plan_pb2.ExecutionPlan) -> None:
    """Print how a question would be answered."""
    strategy = plan_pb2.Strategy.Name(plan.strategy).removeprefix("STRATEGY_")
    print_line()
    print_line(
        f"{strategy}, about {plan.estimated_duration.ToTimedelta().total_seconds():.1f} s: {plan.normalised_question}"
    )
    if plan.HasField("slot_question"):
        print_line(f"  asks for {plan.slot_question.slot}: {plan.slot_question.question}")
    if plan.steps:
        print_table(("step", "agent", "after", "tools", "task"), (_step(step) for step in plan.steps))
    if plan.unavailable_agents:
        print_line(f"  not served here: {', '.join(plan.unavailable_agents)}")


def print_decisions(spent: decision_pb2.Spent) -> None:
    """Print who decided what, by model or by rule, and what it cost."""
    if spent.decisions:
        print_line()
        columns = ("service", "decision", "source", "model", "ms", "tokens", "reasoning")
        print_table(columns, (_decision(made) for made in spent.decisions), frozenset({"ms", "tokens"}))


def _step(step: plan_pb2.PlanStep) -> tuple[str, ...]:
    tools = ", ".join(call.tool for call in step.suggested_calls)
    after = ", ".join(step.depends_on) + (" if it asks" if step.condition.startswith(COMPANION_OF) else "")
    return step.step_id, step.agent, after, tools, step.task


def _decision(made: decision_pb2.Decision) -> tuple[str, ...]:
    source = decision_pb2.DecisionSource.Name(made.source).removeprefix("DECISION_SOURCE_")
    source = f"{source} ({made.fallback_reason})" if made.fallback_reason else source
    tokens = f"{made.usage.input_tokens}+{made.usage.output_tokens}" if made.usage.model_calls else ""
    return made.service, made.kind, source, made.model, milliseconds(made.latency), tokens, made.reasoning
