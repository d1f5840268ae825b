"""Makes a question whole: what it leaves out is filled in, and dates, sums and names are resolved (spec 2.1.1).

Two decisions, each with a switch. The user's own words are never lost: a rewrite that drops one is dropped itself.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from prompts.fields import Trusted, Untrusted
from prompts.fields import Turn as PromptTurn
from prompts.planner import query_normalization, query_rewrite
from services.contract.flow import DecisionSource, Speaker
from services.contract.planner import DraftPlanRequest
from services.llm.decider import Decider
from services.planner.rewriting import filled_in, losses, resolved
from services.planner.values import Spoken
from services.text.reading import read

HISTORY_TURNS_MAX = 10
QUESTION_CHARS_MAX = 4_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Switches:
    """Which decisions are made, and when (HAPJU_QUERY_REWRITE, HAPJU_QUERY_NORMALIZATION, HAPJU_DECIDE_AHEAD)."""

    rewrite: bool = True
    """Whether what the question leaves out is filled in from the conversation."""
    normalization: bool = True
    """Whether dates, sums and names are resolved."""
    ahead: bool = True
    """Whether a decision is asked for before those that it builds on are certain."""


class Normalising:
    """Makes questions whole; made once."""

    def __init__(self, decider: Decider, rule_decider: Decider, switches: Switches) -> None:
        self._decider = decider
        self._rule_decider = rule_decider
        self._switches = switches

    async def whole(self, asked: DraftPlanRequest, spoken: Spoken) -> str:
        """Return the question made whole; with both switches off it is the question as it was read."""
        question = spoken.now.text[:QUESTION_CHARS_MAX] or asked.question[:1] or "-"
        if self._switches.rewrite:
            question = await self._rewritten(question, asked, spoken)
        if self._switches.normalization:
            question = await self._normalised(question, asked, spoken)
        return question

    async def _rewritten(self, question: str, asked: DraftPlanRequest, spoken: Spoken) -> str:
        by_rule = filled_in(spoken.now, asked.route.entities)[:QUESTION_CHARS_MAX] or question
        inputs = query_rewrite.Inputs(question=Untrusted(question), history=_turns(asked))
        # Without a turn before it a question has nothing to be filled in from.
        decider = self._decider if asked.history else self._rule_decider
        decided = await decider.decide(
            query_rewrite.PROMPT,
            inputs,
            lambda _inputs: query_rewrite.Output(
                rewritten_question=by_rule, reasoning="what only the conversation names"
            ),
        )
        model = decided.source is DecisionSource.LLM
        return await self._faithful(decided.output.rewritten_question, by_rule, asked, spoken) if model else by_rule

    async def _normalised(self, question: str, asked: DraftPlanRequest, spoken: Spoken) -> str:
        by_rule = resolved(question, asked.route.entities)[:QUESTION_CHARS_MAX]
        inputs = query_normalization.Inputs(
            question=Untrusted(question), today=spoken.now.today, time_zone=Trusted(asked.run.time_zone)
        )
        now = spoken.now
        decider = self._decider if now.dates or now.amounts else self._rule_decider
        decided = await decider.decide(
            query_normalization.PROMPT,
            inputs,
            lambda _inputs: query_normalization.Output(normalised_question=by_rule, reasoning="days, sums and codes"),
        )
        model = decided.source is DecisionSource.LLM
        return await self._faithful(decided.output.normalised_question, by_rule, asked, spoken) if model else by_rule

    @staticmethod
    async def _faithful(rewrite: str, by_rule: str, asked: DraftPlanRequest, spoken: Spoken) -> str:
        """Return the rewrite of a model, or the rule's where it loses an entity or a number."""
        reading = await asyncio.to_thread(read, rewrite, now=asked.run.now, time_zone=asked.run.time_zone)
        lost = losses(spoken.now, reading)
        if lost:
            _log.warning("the rewrite was dropped: it lost %d entities or numbers", len(lost))
            return by_rule
        return rewrite


def _turns(asked: DraftPlanRequest) -> Sequence[PromptTurn]:
    return tuple(
        PromptTurn.of("user" if turn.speaker is Speaker.USER else "assistant", turn.text)
        for turn in asked.history[-HISTORY_TURNS_MAX:]
    )
