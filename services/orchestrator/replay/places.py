"""Where in a flow its decisions are made, and which of those places come before which.

A place is the name of a checkpoint: "policy", "route", "draft/1", "step/s1/1/assessment", "review", "answer". Decisions
of places that nothing binds may come in any order; they did so when they were made side by side.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from google.protobuf import symbol_database

from hapju.flow.v1 import decision_pb2
from services.contract.flow import Decision, ExecutionPlan, Spent
from services.contract.mapping import from_proto
from services.contract.recording import RecordedDecision
from services.durable.checkpoints import Checkpoint

_STAGES: Final = {"policy": 0, "route": 0, "change": 1, "draft": 1, "step": 2, "review": 3, "answer": 4}
_STEP: Final = "step"
_WORDS: Final = "spent"
"""The place of an agent's own decisions, which word what it computed: the steps behind it go on without its words."""


def placed(decisions: Iterable[Decision], checkpoints: Iterable[Checkpoint]) -> tuple[RecordedDecision, ...]:
    """Return decisions in their order, each with the place whose checkpoint holds it; empty where none does."""
    places: defaultdict[Decision, deque[str]] = defaultdict(deque)
    for kept in checkpoints:
        for decision in spent_of(kept).decisions:
            places[decision].append(kept.name)
    return tuple(RecordedDecision(places[one].popleft() if places.get(one) else "", one) for one in decisions)


def spent_of(kept: Checkpoint) -> Spent:
    """Return what a checkpoint says that its call had decided and spent; nothing where it does not say."""
    message: Any = symbol_database.Default().GetSymbol(kept.kind).FromString(kept.message)
    if isinstance(message, decision_pb2.Spent):
        return from_proto(message, Spent)
    field = message.DESCRIPTOR.fields_by_name.get("spent")
    if field is None or field.message_type is not decision_pb2.Spent.DESCRIPTOR:
        return Spent()
    return from_proto(message.spent, Spent)


class FlowOrder:
    """Which places of a flow come before which.

    Args:
        plan: The plan whose steps run; None where there was none.
    """

    def __init__(self, plan: ExecutionPlan | None) -> None:
        steps = plan.steps if plan is not None else ()
        self._needs: Mapping[str, Sequence[str]] = {step.step_id: step.depends_on for step in steps}

    def binds(self, earlier: str, later: str) -> bool:
        """Return whether what happens at one place has to have happened before what happens at the other."""
        first, second = _parts(earlier), _parts(later)
        stages = _STAGES.get(first[0]), _STAGES.get(second[0])
        if stages[0] is None or stages[1] is None:
            return False
        if stages[0] != stages[1]:
            return stages[0] < stages[1]
        if first[0] != _STEP or len(first) < 2 or len(second) < 2 or first[1] == second[1] or first[3:] == [_WORDS]:
            return False
        return self._rests_on(second[1], first[1], set())

    def _rests_on(self, step_id: str, other: str, seen: set[str]) -> bool:
        if step_id in seen:
            return False
        seen.add(step_id)
        needs = self._needs.get(step_id, ())
        return other in needs or any(self._rests_on(need, other, seen) for need in needs)


def _parts(place: str) -> list[str]:
    return place.split("/")
