"""What reused rows change in a plan, as pure data: steps that are left out, and who takes their rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from services.contract.flow import AgentResult, ExecutionPlan, Metric, PlanStep
from services.plugin.declarations import Domain


@dataclass(frozen=True, slots=True)
class Reused:
    """A plan in which held rows take the place of what would be read."""

    plan: ExecutionPlan
    """The steps that run."""
    left_out: tuple[PlanStep, ...]
    """The steps, or the reads of steps, whose place the reused rows take."""
    takers: Mapping[str, tuple[str, ...]]
    """By step that runs, the ids of left-out steps whose rows it receives."""

    @property
    def left(self) -> tuple[PlanStep, ...]:
        """The steps that do more than hand reused rows on."""
        left_out = {step.step_id for step in self.left_out}
        return tuple(step for step in self.plan.steps if step.step_id not in left_out)

    @property
    def adds_nothing(self) -> bool:
        """Whether reused rows are all that the plan comes to: each step that runs only hands them on."""
        return bool(self.plan.steps) and not self.left

    @property
    def drops_steps(self) -> bool:
        """Whether steps are left out whole, rather than their reads."""
        agents = {step.step_id: step.agent for step in self.plan.steps}
        return any(agents.get(step.step_id) != step.agent for step in self.left_out)


def says_nothing_new(result: AgentResult, before: Sequence[AgentResult], given: Sequence[AgentResult] = ()) -> bool:
    """Tell whether all that a result says of its own has been said before: figure for figure, on the same evidence.

    A result without figures or evidence of its own says what it says in words, which nothing is known of.

    Args:
        result: What an agent has computed.
        before: What it has said in earlier flows.
        given: What it was given to compute from.
    """
    lent = {piece.evidence_id for one in given for piece in one.evidence}
    pieces, figures = {piece.evidence_id for piece in result.evidence}, {_figure(one) for one in result.metrics}
    if not figures and not pieces - lent:
        return False
    return any(
        one.agent == result.agent
        and one.status is result.status
        and figures <= {_figure(metric) for metric in one.metrics}
        and pieces <= {piece.evidence_id for piece in one.evidence}
        for one in before
    )


def _figure(metric: Metric) -> tuple[str, str, str, str, str, frozenset[str]]:
    # Not its day: what is computed today from what was read before is as of today.
    return metric.subject, metric.name, metric.value, metric.word, metric.unit, frozenset(metric.evidence_ids)


def with_reused(plan: ExecutionPlan, holders: Collection[str], domains: Mapping[str, Domain]) -> Reused:
    """Return the plan with search left out.

    Where a domain declares the agent that searches, its step goes; elsewhere the owner agents' reads do, and their
    steps stay: each goes on with its own held rows, and one that has none reads as planned. A plan that would be empty
    keeps one step over the reused rows. A plan that reads nothing is returned as it is.

    Args:
        plan: The plan as it was drawn up.
        holders: The agents that found what is held.
        domains: The domains by name.
    """
    if asked := tuple(step for step in plan.steps if step.asks and step.agent in holders):
        # An ask names its rows exactly: its agent takes those that were read with the same calls, and reads the rest.
        return Reused(plan, asked, {step.step_id: (step.step_id,) for step in asked})
    if any(step.asks for step in plan.steps):
        return Reused(plan, (), {})
    names = {step.agent.partition(".")[0] for step in plan.steps}
    reuse = domains[names.pop()].reuse if len(names) == 1 else None
    if reuse is not None and reuse.search is not None and reuse.over is not None:
        return _without_search(plan, reuse.search, reuse.over)
    reading = tuple(step for step in plan.steps if step.suggested_calls and step.agent in holders)
    steps = tuple(replace(step, suggested_calls=()) if step in reading else step for step in plan.steps)
    return Reused(replace(plan, steps=steps), reading, {step.step_id: (step.step_id,) for step in reading})


def _without_search(plan: ExecutionPlan, search: str, over_rows: str) -> Reused:
    left_out = tuple(step for step in plan.steps if step.agent == search)
    gone = {step.step_id for step in left_out}
    takers = {
        step.step_id: tuple(name for name in step.depends_on if name in gone)
        for step in plan.steps
        if step.step_id not in gone
    }
    rest = tuple(
        replace(step, depends_on=tuple(name for name in step.depends_on if name not in gone))
        for step in plan.steps
        if step.step_id not in gone
    )
    if not rest and left_out:
        over = replace(left_out[0], agent=over_rows, suggested_calls=(), depends_on=())
        return Reused(replace(plan, steps=(over,)), left_out, {over.step_id: tuple(sorted(gone))})
    return Reused(replace(plan, steps=rest), left_out, {step_id: names for step_id, names in takers.items() if names})
