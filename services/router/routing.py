"""How a question gets its route, by what goes before what.

settled     a rule decides (settling.py): a hint, a thing whose kind decides, common knowledge
vote        keyword, scope and, where those two do not agree, the model
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from prompts.fields import Trusted, Untrusted
from prompts.router import intent_analysis
from services.catalog.loader import Catalog
from services.catalog.references import with_referents
from services.contract.flow import Budget, DecisionSource, NextAction, RouteDecision, RunContext, Speaker, VoterScore
from services.contract.router import RouteRequest
from services.llm.decider import Decider
from services.llm.history import history_of
from services.plugin.asks.answering import Claim
from services.plugin.asks.closings import is_closing
from services.plugin.asks.edits import corrects, short
from services.plugin.asks.forms import forms_in
from services.plugin.entities import PERIOD
from services.router.ask_reading import AskReading
from services.router.outcome import RouteGrounds, RouteReader
from services.router.route_asks import stayed, with_asks
from services.router.settling import Settling
from services.router.sight import Eye, Sight
from services.router.voters import KEYWORD, LLM, SCOPE
from services.router.weighing import Ballot, Standing, Vote, scored, standings
from services.runtime.clock import utc_now
from services.runtime.identity import Caller
from services.runtime.run import because
from services.runtime.threads import computed, is_short

QUESTION_CHARS_MAX = 4_000
_ALTERNATIVES_MAX = 3
_LIKE_NONE_ELSE = 0.93
"""From this confidence on the scope vote speaks for an action; what the action does is confirmed all the same."""
_AGREED = "skipped: keyword and scope agree"


class Routing:
    """Routes questions."""

    def __init__(  # noqa: PLR0913 - what it asks, and each way to do without
        self,
        catalog: Catalog,
        decider: Decider,
        rule_decider: Decider,
        data_dir: Path | None = None,
        *,
        typed_asks: bool = True,
        asks_beside: bool = True,
    ) -> None:
        """Make the routing.

        Args:
            catalog: What is answered.
            decider: Asks the model.
            rule_decider: Asks nobody: it writes down a model's vote that was skipped.
            data_dir: Keeps what is fitted to the installed domains; without it that is fitted for this process.
            typed_asks: Whether the asks of a question are put beside its route.
            asks_beside: Whether a model is asked for them while another votes.
        """
        self._typed_asks = typed_asks
        self._asks_beside = asks_beside
        self._catalog = catalog
        self._decider = decider
        self._rule_decider = rule_decider
        self._eye = Eye(catalog, data_dir)
        self._ask_reading = AskReading(catalog, decider, self._eye)
        self._settling = Settling(catalog)
        self._reader = RouteReader(catalog, self._eye)
        self._briefs = {language: _briefs(catalog, language) for language in ("ko", "en")}

    async def load_ahead(self) -> None:
        """Load what first questions would: an example of each language is seen and read by rule, for nobody."""
        for language in ("ko", "en"):
            text = next(texts[0] for one in self._catalog.intents.values() if (texts := one.examples.get(language)))
            run = RunContext("", "", language, utc_now(), "UTC", Budget(0, 0, 0, 0), tuple(self._catalog.domains))
            asked, nobody = RouteRequest(run, text, (), "", None), Caller("")
            sight = self._see(asked, nobody)
            claims = await self._ask_reading.asks(asked, sight, nobody, by_model=False)
            self._with_asks(RouteGrounds(asked, nobody, sight, (), "rule", (), None), claims, asked, sight, nobody)

    async def route(self, asked: RouteRequest, caller: Caller) -> RouteDecision:
        """Return the route of a question.

        Raises:
            InvalidRequest: intent_hint or router_output names an intent that there is not.
        """
        self._settling.check_names(asked)
        at_once = _is_short(asked)
        asked = await computed(lambda: _with_referents(asked), at_once=at_once)
        sight = await computed(lambda: self._see(asked, caller), at_once=at_once)
        ruled = self._settling.of(asked, sight)
        async with asyncio.TaskGroup() as side_by_side:
            balloting = side_by_side.create_task(self._balloted(asked, sight, ruled))
            if not self._asks_beside:
                await asyncio.wait({balloting})
            reading = side_by_side.create_task(self._asks(asked, sight, caller, is_settled=ruled is not None))
        ballot, claims = balloting.result(), reading.result()
        outcome = RouteGrounds(asked, caller, sight, ballot.ranked, ballot.source, ballot.scores, ballot.graph_need)
        return await computed(lambda: self._with_asks(outcome, claims, asked, sight, caller), at_once=at_once)

    def _with_asks(
        self, outcome: RouteGrounds, claims: Sequence[Claim], asked: RouteRequest, sight: Sight, caller: Caller
    ) -> RouteDecision:
        """Return the route with its asks: those that were read, else what its intent alone asks."""
        decision = self._reader.decide(outcome)
        if (
            not claims
            and not is_closing(asked.question)
            and (intent := self._spoken_of(asked, sight))
            and self._catalog.domain_of(intent) != decision.domain
        ):
            # A few words behind an answer that ask nothing are not about another subject for being like it.
            return stayed(decision, intent, self._catalog)
        goes = decision.next_action in {NextAction.PROCEED, NextAction.CONFIRM}
        if claims or not goes or not self._typed_asks or sight.question.reading.is_blank:
            return with_asks(decision, claims, self._catalog)
        return with_asks(decision, self._ask_reading.of_route(decision, asked, sight, caller), self._catalog)

    def _spoken_of(self, asked: RouteRequest, sight: Sight) -> str:
        """Return the intent that was last answered, where a message names, asks and says nothing by its own words."""
        last = next((one for one in asked.before if one.asks), None)
        things = (one for one in sight.question.entities if one.end and one.kind != PERIOD)
        named = any(one.value and one.value != one.words for one in things)
        says = bool(forms_in(asked.question)) and not corrects(asked.question)
        if last is None or not last.answers or named or says or sight.keyword is not None or not short(asked.question):
            return ""
        intent = last.asks[-1].intent
        return intent if intent in self._catalog.intents else ""

    async def _balloted(self, asked: RouteRequest, sight: Sight, ruled: Ballot | None) -> Ballot:
        if ruled is None:
            return await self._voted(asked, sight)
        await self._write_down(asked, ruled)
        return ruled

    async def _asks(self, asked: RouteRequest, sight: Sight, caller: Caller, *, is_settled: bool) -> tuple[Claim, ...]:
        """Return the asks of a question; where the rules settled its route without a vote, no model is asked."""
        if not self._typed_asks or (sight.question.reading.is_blank and not asked.attachments):
            return ()
        return await self._ask_reading.asks(asked, sight, caller, by_model=not is_settled)

    def _see(self, asked: RouteRequest, caller: Caller) -> Sight:
        return self._eye.see(
            asked.question,
            asked.history,
            now=asked.run.now,
            time_zone=asked.run.time_zone,
            user_type=caller.user_type,
        )

    async def _voted(self, asked: RouteRequest, sight: Sight) -> Ballot:
        gates = self._catalog.routing.gates
        cast = [vote for vote in (sight.keyword, sight.scope) if vote is not None]
        scores = [scored(vote) for vote in cast]
        scores += _silent(sight)
        model, remark, graph_need = await self._model_vote(asked, cast)
        if model is None:
            scores.append(VoterScore(LLM, "", 0.0, 0.0, remark))
            ranked = self._restrained(standings(cast, gates.cap), cast)
            return Ballot("vote", ranked, tuple(scores), graph_need)
        cast.append(model)
        ranked = self._restrained(standings(cast, gates.cap), cast)
        return Ballot("vote", ranked, (*scores, scored(model)), graph_need)

    async def _model_vote(self, asked: RouteRequest, cast: Sequence[Vote]) -> tuple[Vote | None, str, bool | None]:
        """Ask the model, unless keyword and scope are of one mind; say why where there is no vote."""
        gates = self._catalog.routing.gates
        agreed = len(cast) == 2 and cast[0].intent == cast[1].intent and min(v.score for v in cast) >= gates.fast_path
        decider = self._rule_decider if agreed else self._decider
        ranked = standings(cast, gates.cap)
        decided = await decider.decide(
            intent_analysis.PROMPT,
            self._inputs(asked),
            lambda _: self._by_rule(ranked, _said(agreed=agreed)),
        )
        if agreed:
            return None, _AGREED, None
        if decided.source is not DecisionSource.LLM:
            return None, decided.fallback_reason or "no model is configured", None
        output = decided.output
        if output.confidence is None:
            return None, "its confidence cannot be read", None
        votes = {one.intent: one.confidence for one in output.alternatives if one.confidence is not None}
        weight = self._catalog.routing.weights.llm
        # Its own words stand in the record of the decision; what is told of a vote is ours.
        why = because("모델이 고름", "the model's choice")
        vote = Vote(LLM, weight, {**votes, output.intent: output.confidence}, why)
        return vote, "", output.graph_need

    def _restrained(self, ranked: tuple[Standing, ...], cast: Sequence[Vote]) -> tuple[Standing, ...]:
        """Hold back an intent that acts on the user's account where its own words do not speak for it.

        With the model alone it is confirmed first; a faint likeness alone says nothing.
        """
        gates = self._catalog.routing.gates
        spoken = {intent for vote in cast if vote.voter == KEYWORD for intent in vote.scores}
        spoken |= {
            intent for vote in cast if vote.voter == SCOPE for intent in vote.scores if vote.score >= _LIKE_NONE_ELSE
        }
        modelled = {intent for vote in cast if vote.voter == LLM for intent in vote.scores}
        held = []
        for one in ranked:
            most = gates.proceed if one.intent in modelled else gates.alternative
            limited = Standing(one.intent, min(one.hundredths, round(most * 100) - 1))
            acts = self._acts(one.intent, is_modelled=one.intent in modelled)
            held.append(limited if acts and one.intent not in spoken else one)
        return tuple(sorted(held, key=lambda one: -one.hundredths))

    def _acts(self, intent: str, *, is_modelled: bool) -> bool:
        """Tell whether an intent changes something; of a model's choice also whether it touches the account."""
        entry = self._catalog.intent(intent)
        return entry.requires_confirmation or (entry.requires_login and is_modelled)

    async def _write_down(self, asked: RouteRequest, ballot: Ballot) -> None:
        """Record a decision that was made before any vote, as every decision of a flow is."""
        reasoning = ballot.scores[0].reason
        await self._rule_decider.decide(
            intent_analysis.PROMPT, self._inputs(asked), lambda _: self._by_rule(ballot.ranked, reasoning)
        )

    def _by_rule(self, ranked: tuple[Standing, ...], reasoning: str) -> intent_analysis.Output:
        intent = ranked[0].intent if ranked else self._catalog.fallback_intent
        entry = self._catalog.intent(intent)
        return intent_analysis.Output(
            domain=self._catalog.domain_of(intent),
            intent=intent,
            confidence=ranked[0].confidence if ranked else 0.0,
            alternatives=tuple(
                intent_analysis.Alternative(intent=one.intent, confidence=one.confidence)
                for one in ranked[1 : 1 + _ALTERNATIVES_MAX]
            ),
            sql_need=entry.sql,
            graph_need=entry.graph,
            reasoning=reasoning,
        )

    def _inputs(self, asked: RouteRequest) -> intent_analysis.Inputs:
        return intent_analysis.Inputs(
            question=Untrusted(asked.question[:QUESTION_CHARS_MAX]),
            domains=self._briefs["en" if asked.run.locale.lower().startswith("en") else "ko"],
            history=history_of(asked.history).turns,
        )


def _said(*, agreed: bool) -> str:
    """Return why the rule decides as it does."""
    if agreed:
        return because("낱말과 쓰임새가 같은 뜻을 가리켜 모델에 묻지 않음", _AGREED)
    return because("낱말과 쓰임새로 정함", "keyword and scope vote")


def _is_short(asked: RouteRequest) -> bool:
    """Tell whether question and conversation are read at once."""
    said = (turn.text for turn in asked.history if turn.speaker is Speaker.USER)
    return not asked.memory and is_short(asked.question, *said)


def _with_referents(asked: RouteRequest) -> RouteRequest:
    """Return a request in whose conversation stands what the question points to in an earlier one."""
    run = asked.run
    history = with_referents(asked.question, asked.history, asked.memory, now=run.now, time_zone=run.time_zone)
    return replace(asked, history=history)


def _briefs(catalog: Catalog, language: str) -> tuple[intent_analysis.DomainBrief, ...]:
    """Return what the model reads of every domain, the ones not enabled too: a question for those is told apart."""
    return tuple(
        intent_analysis.DomainBrief(
            name=Trusted(domain.domain),
            description=Trusted(domain.title.of(language)),
            told_apart=Trusted(domain.told_apart.of(language) if domain.told_apart else ""),
            intents=tuple(
                intent_analysis.IntentBrief(name=Trusted(one.id), description=Trusted(one.description.of(language)))
                for one in domain.intents
            ),
        )
        for domain in catalog.domains.values()
    )


def _silent(sight: Sight) -> list[VoterScore]:
    """Return the voters that have nothing to say, and those that are not heard, with weight 0."""
    unheard = {vote.voter: VoterScore(vote.voter, vote.intent, vote.score, 0.0, why) for vote, why in sight.silent}
    voters = ((KEYWORD, sight.keyword), (SCOPE, sight.scope))
    none = [VoterScore(name, "", 0.0, 0.0, "nothing to go by") for name, vote in voters if vote is None]
    return [unheard.get(one.voter, one) for one in none]
