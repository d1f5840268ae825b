"""Makes a question whole: what it leaves out is filled in, and dates, sums and names are resolved.

Two decisions, each with a switch. The user's own words are never lost: a rewrite that drops one is dropped itself.

What a model is shown needs no route, so that it can be asked while the question is checked and routed (`prepare`). What
the rule says does: it fills in what the route holds.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from prompts.fields import PromptOutput, Trusted, Untrusted
from prompts.planner import query_normalization, query_rewrite
from services.catalog.reading import read_question
from services.contract.entities import Entity
from services.contract.flow import DecisionSource, RunContext, Turn
from services.contract.planner import DraftPlanRequest, PrepareQuestionRequest
from services.grounding.restating import Restating
from services.grounding.verdict import Wrong
from services.llm.ahead import PendingDecision, ahead
from services.llm.decider import Decided, Decider
from services.llm.history import history_of
from services.llm.made import Made
from services.plugin.entities import AMOUNT, CORE_KINDS, PERIOD, installed_kinds, of_kind
from services.runtime.run import because
from services.runtime.threads import computed, is_short
from services.text.patterns import Pattern
from services.text.reading import TextReading

O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output

QUESTION_CHARS_MAX = 4_000

_log = logging.getLogger(__name__)
_NUMBERS = Pattern(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Switches:
    """Which decisions are made, and when (HAPJU_QUERY_REWRITE, HAPJU_QUERY_NORMALIZATION, HAPJU_DECIDE_AHEAD)."""

    rewrite: bool = True
    """Whether what the question leaves out is filled in from the conversation."""
    normalization: bool = True
    """Whether dates, sums and names are resolved."""
    ahead: bool = True
    """Whether a decision is asked for before those that it builds on are certain."""


@dataclass(frozen=True, slots=True)
class QuestionSeen:
    """A question as the two decisions see it; what it means is not known yet."""

    run: RunContext
    """The flow."""
    reading: TextReading
    """The question as it was read."""
    history: tuple[Turn, ...]
    """The turns before it."""
    text: str
    """What a model is shown of it; never empty."""

    @classmethod
    def of(cls, asked: DraftPlanRequest | PrepareQuestionRequest, reading: TextReading) -> Self:
        """Return what a request says."""
        return cls(asked.run, reading, asked.history, reading.text[:QUESTION_CHARS_MAX] or asked.question[:1] or "-")


class Normalising:
    """Makes questions whole; made once."""

    def __init__(self, decider: Decider, rule_decider: Decider, switches: Switches) -> None:
        self._decider = decider
        self._rule_decider = rule_decider
        self._switches = switches

    @property
    def takes_time(self) -> bool:
        """Whether a model is asked for anything here."""
        asked = self._switches.rewrite or self._switches.normalization
        return asked and self._decider.configured(query_rewrite.PROMPT.head.role)

    async def prepare(self, said: QuestionSeen) -> None:
        """Make those decisions that a model makes and that need no route, into the current ledger.

        Where the rule has to go on, it goes by what the route holds: nothing more is decided here then.
        """
        rewriting, likely = self._rewriting(said, said.text), self._normalisation(said, said.text, said.text)
        wanted = self._switches.normalization and likely.takes_time
        # Most questions stand alone as they are.
        async with ahead(likely, early=wanted and self._switches.ahead) as foreseen:
            text = said.text
            if self._switches.rewrite and rewriting.takes_time:
                decided = await rewriting.decide()
                rewrite = decided.output.rewritten_question
                if decided.source is not DecisionSource.LLM or await self._lost(rewrite, said):
                    return
                text = rewrite
            if wanted:
                await foreseen.upon(self._normalisation(said, text, text))

    async def whole(self, said: QuestionSeen, entities: Sequence[Entity], made: Made) -> str:
        """Return the question made whole; with both switches off it is the question as it was read.

        Args:
            said: The question.
            entities: What its route holds.
            made: Decisions that were made before the route was known.
        """
        text = said.text
        if self._switches.rewrite:
            by_rule = filled_in(said.reading, entities)[:QUESTION_CHARS_MAX] or text
            rewritten = await made.upon(self._rewriting(said, by_rule))
            text = await self._faithful(rewritten, rewritten.output.rewritten_question, by_rule, said, entities)
        if self._switches.normalization:
            by_rule = resolved(text, entities)[:QUESTION_CHARS_MAX]
            normalised = await made.upon(self._normalisation(said, text, by_rule))
            text = await self._faithful(normalised, normalised.output.normalised_question, by_rule, said, entities)
        return text

    def _rewriting(
        self, said: QuestionSeen, by_rule: str
    ) -> PendingDecision[query_rewrite.Inputs, query_rewrite.Output]:
        # Without a turn before it a question has nothing to be filled in from.
        return PendingDecision(
            self._decider if said.history else self._rule_decider,
            query_rewrite.PROMPT,
            query_rewrite.Inputs(question=Untrusted(said.text), history=history_of(said.history).turns),
            lambda _inputs: query_rewrite.Output(
                rewritten_question=by_rule, reasoning=because("대화에서만 말한 것", "what only the conversation names")
            ),
        )

    def _normalisation(
        self, said: QuestionSeen, text: str, by_rule: str
    ) -> PendingDecision[query_normalization.Inputs, query_normalization.Output]:
        now = said.reading
        return PendingDecision(
            self._decider if now.dates or now.amounts else self._rule_decider,
            query_normalization.PROMPT,
            query_normalization.Inputs(
                question=Untrusted(text), today=now.today, time_zone=Trusted(said.run.time_zone)
            ),
            lambda _inputs: query_normalization.Output(
                normalised_question=by_rule, reasoning=because("날짜와 금액, 코드", "days, sums and codes")
            ),
        )

    async def _faithful(
        self, decided: Decided[O], rewrite: str, by_rule: str, said: QuestionSeen, entities: Sequence[Entity]
    ) -> str:
        """Return the rewrite of a model, or the rule's where there is none, or it loses or adds something."""
        if decided.source is not DecisionSource.LLM:
            return by_rule
        lost = await self._lost(rewrite, said)
        if lost:
            _log.warning("the rewrite was dropped: it lost %d entities or numbers", len(lost))
            return by_rule
        added = await computed(lambda: _added(rewrite, by_rule, said, entities), at_once=is_short(rewrite))
        if added is not None:
            _log.warning("the rewrite was dropped: it says what was not said (%s)", added.reason)
        return rewrite if added is None else by_rule

    @staticmethod
    async def _lost(rewrite: str, said: QuestionSeen) -> tuple[str, ...]:
        if rewrite == said.reading.text:
            return ()
        run = said.run
        reading = await computed(
            lambda: read_question(rewrite, now=run.now, time_zone=run.time_zone), at_once=is_short(rewrite)
        )
        return losses(said.reading, reading)


def _added(rewrite: str, by_rule: str, said: QuestionSeen, entities: Sequence[Entity]) -> Wrong | None:
    """Return what a rewrite says that neither the conversation nor what was read of the question does."""
    texts = (said.text, by_rule, *(turn.text for turn in said.history))
    restating = Restating(texts, now=said.run.now, time_zone=said.run.time_zone, entities=tuple(entities))
    return restating.wrong(rewrite)


def filled_in(question: TextReading, entities: Sequence[Entity]) -> str:
    """Return the question with the names that only the conversation holds, in brackets behind it."""
    left_out = [one.label for one in entities if one.kind not in CORE_KINDS and one.words not in question.text]
    return _with(question.text, left_out)


def resolved(question: str, entities: Sequence[Entity]) -> str:
    """Return the question with days, won and the codes of what it names behind it; its words stay as they are."""
    found = [f"{one.words} {one.value.replace('/', '~')}" for one in of_kind(entities, PERIOD)]
    found += [f"{one.words} {_won(one)}" for one in of_kind(entities, AMOUNT) if one.words]
    names = {kind.id for kind in installed_kinds().values() if kind.is_name}
    coded = (one for one in entities if one.kind in names and one.value not in {"", one.words, one.label})
    found += [f"{one.words} {one.value}" for one in coded]
    return _with(question, found)


def _won(amount: Entity) -> str:
    low, _, high = amount.value.partition("..")
    return f"{low}KRW" if low == high else f"{low or 0}~{high}KRW"


def _with(text: str, added: Sequence[str]) -> str:
    notes = "; ".join(dict.fromkeys(added))
    return f"{text} [{notes}]" if notes else text


def losses(question: TextReading, rewrite: TextReading) -> tuple[str, ...]:
    """Return what a rewrite lost or altered of the question's entities and numbers; empty for a faithful one."""
    before, after = _named(question), _named(rewrite)
    lost = [f"{kind} {value}" for kind, value in before if (kind, value) not in after]
    numbers = Counter(_plain(question.text)) - Counter(_plain(rewrite.text))
    in_dates = {number for period in question.dates for number in _plain(period.surface)}
    lost += [f"number {number}" for number in numbers if number not in in_dates]
    return tuple(lost)


def _named(reading: TextReading) -> list[tuple[str, str]]:
    figures = [("amount", f"{one.low}-{one.high}") for one in reading.amounts]
    figures += [("date", f"{one.start}/{one.end}") for one in reading.dates]
    figures += [("quantity", str(one.value)) for one in reading.quantities]
    names = (one for kind in reading.kinds if kind.is_name for one in reading.of(kind.id))
    return [*((one.kind, one.value or one.words) for one in names), *figures]


def _plain(text: str) -> list[str]:
    return [number.replace(",", "") for number in _NUMBERS.findall(text)]
