"""The first judgement: whether what the conversation has found already answers the question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Self

from prompts.fields import Trusted, Untrusted
from prompts.planner import data_sufficiency_check
from services.catalog.loader import Catalog
from services.catalog.reuse import with_reused
from services.catalog.sufficiency import SURE, HeldResult, Need, SufficiencyVerdict, Use, held_of, judged
from services.contract.flow import DecisionSource, ExecutionPlan, HeldLookUp, Sufficiency
from services.llm.ahead import PendingDecision
from services.llm.decider import Decided, Decider
from services.llm.history import history_of
from services.planner.matter import QUESTION_CHARS_MAX, Matter, is_read_at_once
from services.planner.recalled import Recalling, described
from services.planner.rules import PlanningRules
from services.runtime.run import because
from services.runtime.threads import computed

HELD_LINES_MAX = 20


@dataclass(frozen=True, slots=True)
class KnownLookups:
    """Earlier look-ups that a request tells of, the oldest first, as the second judgement measures them."""

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


@dataclass(frozen=True, slots=True)
class FirstJudgement:
    """The first judgement, before and after a model."""

    need: Need
    """What the question needs."""
    ruled: Sufficiency
    """What the rule says."""
    asking: PendingDecision[data_sufficiency_check.Inputs, data_sufficiency_check.Output]
    """What is put to a model."""
    known: KnownLookups | None = None
    """What is held, where the request has told it."""

    def upon(self, decided: Decided[data_sufficiency_check.Output]) -> Sufficiency:
        """Return the judgement. A FALLBACK's confidence is never above verify, and no model lifts a mismatch."""
        if decided.source is DecisionSource.RULE:
            return self.ruled
        if decided.source is DecisionSource.FALLBACK:
            return replace(self.ruled, confidence=min(self.ruled.confidence, SURE / 100))
        return _tempered(decided.output, self.ruled)

    def leaves_little(self, plan: ExecutionPlan, first: int = 100) -> bool:
        """Tell whether what is held leaves one step of a plan at most: then there is nothing to choose among.

        Args:
            plan: The plan.
            first: The confidence of this judgement, in hundredths; the rule's where it has not been made yet.
        """
        return self.known is not None and self.known.leaves_little(plan, self.need, first)


class Judging:
    """Makes the first judgement; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules, decider: Decider, rule_decider: Decider) -> None:
        self._catalog = catalog
        self._decider = decider
        self._rule_decider = rule_decider
        self._recalling = Recalling(catalog, rules)

    async def first(self, matter: Matter) -> "FirstJudgement":
        """Return what the question needs and what the rule says to it, ready to be put to a model."""
        asked = matter.asked
        known = KnownLookups.of(asked.held, asked.run.now, self._catalog)
        by_rule = partial(self._by_rule, matter, known)
        need, held, verdict = await computed(by_rule, at_once=is_read_at_once(asked))
        ruled = _as_sufficiency(need, held, verdict)
        asking = PendingDecision(
            self._decider if held and need.required_types else self._rule_decider,
            data_sufficiency_check.PROMPT,
            self._inputs(matter, need, held),
            lambda _inputs: _as_output(ruled),
        )
        return FirstJudgement(need, ruled, asking, known)

    def need(self, matter: Matter) -> Need:
        """Return what the question needs."""
        now = matter.spoken.now
        required = (kind for intent in matter.intents for kind in self._catalog.intent(intent).required_data)
        subject = self._recalling.subject(now, matter.route.entities)
        return Need(tuple(dict.fromkeys(required)), subject, self._recalling.given_types(now))

    def _by_rule(
        self, matter: Matter, known: KnownLookups | None
    ) -> tuple[Need, tuple[HeldResult, ...], SufficiencyVerdict]:
        need, run = self.need(matter), matter.asked.run
        if known is not None:
            return need, known.held, known.verdict(need)
        held = self._recalling.held(matter.asked.history, run)
        types = self._catalog.held_types
        if need.subject.points_back:
            # Nobody measured these ages: "방금" counts as fresh where the turn bears no time.
            held = tuple(replace(one, found_at=one.found_at or run.now) for one in held)
        return need, held, judged(need, held, now=run.now, types=types)

    def _required(self, name: str) -> data_sufficiency_check.RequiredType:
        declared = self._catalog.held_types.get(name)
        first = declared.ages[-1].older_than_days if declared is not None and declared.ages else 0
        apart = declared.told_apart_by if declared is not None else ()
        return data_sufficiency_check.RequiredType(
            name=Trusted(name), told_apart_by=tuple(Trusted(kind) for kind in apart), days=round(first)
        )

    def _inputs(self, matter: Matter, need: Need, held: Sequence[HeldResult]) -> data_sufficiency_check.Inputs:
        run = matter.asked.run
        return data_sufficiency_check.Inputs(
            question=Untrusted(matter.normalised_question[:QUESTION_CHARS_MAX]),
            intent=Trusted(matter.route.intent),
            required_types=tuple(self._required(one) for one in need.required_types),
            held=tuple(Untrusted(described(one, run.now)) for one in held[-HELD_LINES_MAX:]),
            history=history_of(matter.asked.history).turns,
        )


def _as_sufficiency(need: Need, held: Sequence[HeldResult], verdict: SufficiencyVerdict) -> Sufficiency:
    is_sufficient = verdict.use is not Use.SEARCH
    if not need.required_types:
        reasoning = because("자료가 필요 없는 질문", "the intent needs no data")
    elif not held:
        reasoning = because("앞서 찾아본 것이 없음", "nothing was looked up before")
    else:
        same = because("앞서 찾아본 같은 내용이고 아직 새로움", "looked up before: the same subject, fresh enough")
        reasoning = "; ".join(verdict.issues) or same
    source = verdict.chosen[0].source if is_sufficient and verdict.chosen else "none"
    return Sufficiency(is_sufficient, verdict.confidence, source, verdict.missing_types, reasoning)


def _as_output(ruled: Sufficiency) -> data_sufficiency_check.Output:
    return data_sufficiency_check.Output(
        is_sufficient=ruled.is_sufficient,
        confidence=ruled.confidence,
        data_source=data_sufficiency_check.DataSource(ruled.data_source),
        missing_types=ruled.missing_types,
        reasoning=ruled.reasoning,
    )


def _tempered(output: data_sufficiency_check.Output, ruled: Sufficiency) -> Sufficiency:
    """Return a model's judgement, unless it calls sufficient what the rules find missing or of something else."""
    if output.is_sufficient and (not ruled.is_sufficient or output.confidence is None):
        return ruled if not ruled.is_sufficient else replace(ruled, is_sufficient=False, confidence=0.0)
    # Why is told in the rule's words; the model's own stand in the decision's record.
    return Sufficiency(
        output.is_sufficient,
        output.confidence or 0.0,
        output.data_source.value,
        output.missing_types,
        ruled.reasoning,
    )
