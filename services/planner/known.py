"""What a request for a plan tells to be held: the facts of earlier look-ups, as the second judgement measures them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from services.catalog.loader import Catalog
from services.catalog.reuse import with_reused
from services.catalog.sufficiency import HeldResult, Need, SufficiencyVerdict, Use, held_of, judged
from services.contract.flow import ExecutionPlan, HeldLookUp


@dataclass(frozen=True, slots=True)
class KnownLookups:
    """Earlier look-ups, the oldest first."""

    held: tuple[HeldResult, ...]
    """What they found."""
    agents: tuple[str, ...]
    """Who looked it up, in the same order."""
    now: datetime
    """The moment of the question."""
    catalog: Catalog
    """How each type of data is judged, and what becomes of the steps that would look it up."""

    @classmethod
    def of(cls, told: Sequence[HeldLookUp], now: datetime, catalog: Catalog) -> Self | None:
        """Return what a request tells, the latest first; None where it tells nothing."""
        oldest_first = told[::-1]
        held, agents = tuple(map(held_of, oldest_first)), tuple(one.agent for one in oldest_first)
        return cls(held, agents, now, catalog) if told else None

    def verdict(self, need: Need, first: int = 100) -> SufficiencyVerdict:
        """Return the measured verdict, from the confidence of the first judgement in hundredths."""
        return judged(need, self.held, now=self.now, types=self.catalog.held_types, first_hundredths=first)

    def leaves_little(self, plan: ExecutionPlan, need: Need, first: int) -> bool:
        """Tell whether held results take the place of a plan's look-ups and one step at most is left beside them."""
        verdict = self.verdict(need, first)
        if verdict.use is Use.SEARCH or not need.required_types:
            return False
        found = zip(self.held, self.agents, strict=True)
        holders = {agent for held, agent in found if any(held is one for one in verdict.chosen)}
        reused = with_reused(plan, holders, self.catalog.domains)
        return bool(reused.left_out) and len(reused.left) <= 1
