"""What a question asks for: as the rules read it, and where they are unsure, as a model says it in plain words."""

from collections.abc import Sequence
from dataclasses import replace

from prompts.fields import Trusted, Untrusted
from prompts.router import question_asks
from services.catalog.asks import asks_of_route, read_asks
from services.catalog.leaning import REPLACES
from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.contract.asks import AskForm
from services.contract.flow import DecisionSource, RouteDecision, Speaker
from services.contract.router import RouteRequest
from services.llm.decider import Decider
from services.llm.history import TURNS_LAST, history_of
from services.plugin.asks.answering import Claim
from services.plugin.asks.asides import without_asides
from services.plugin.asks.closings import is_closing
from services.plugin.asks.sheet import Sheet
from services.router.completing import fuller, interposed, left_open, loose, of_message
from services.router.replacing import with_replaced
from services.router.restating import restated
from services.router.route_asks import LIKELY
from services.router.sight import Eye, Sight
from services.router.unread import not_served, told_unread, unread, without, without_trace
from services.router.weighing import Vote
from services.runtime.identity import Caller
from services.runtime.run import because
from services.runtime.threads import computed, is_short


class AskReading:
    """Reads the asks of questions; made once."""

    def __init__(self, catalog: Catalog, decider: Decider, eye: Eye) -> None:
        self._catalog = catalog
        self._decider = decider
        self._eye = eye

    async def asks(self, asked: RouteRequest, sight: Sight, caller: Caller, *, by_model: bool) -> tuple[Claim, ...]:
        """Return the asks of a question with how sure each is.

        Args:
            asked: The request.
            sight: Its question as it is seen.
            caller: Who asks.
            by_model: Whether a model is asked where the rules are unsure.
        """
        whole = _sheet(sight, asked, caller)

        def vote_on(text: str) -> Vote | None:
            run = asked.run
            return self._eye.vote_on_part(text, now=run.now, time_zone=run.time_zone, user_type=caller.user_type)

        left_out = await computed(lambda: not_served(whole, vote_on, self._catalog), at_once=_is_short(asked))
        said = without(whole, left_out)
        ruled = await computed(lambda: read_asks(said, asked.before, asked.run.domains), at_once=_is_short(asked))
        ruled = await computed(lambda: self._completed(ruled, said, asked, caller), at_once=_is_short(asked))
        ruled = await computed(lambda: self._replaced(ruled, said, asked, caller), at_once=_is_short(asked))
        if by_model and not (ruled and min(one.score for one in ruled) >= LIKELY):
            ruled = await self._by_model(asked, said, caller) or ruled
        missed = await computed(lambda: unread(said, ruled, vote_on, self._catalog), at_once=_is_short(asked))
        missed += await computed(
            lambda: without_trace(said, ruled, lambda it: read_asks(it, asked.before, asked.run.domains)),
            at_once=_is_short(asked),
        )
        return (*ruled, *told_unread((*left_out, *missed), ruled)) if ruled else ()

    def of_route(self, decision: RouteDecision, asked: RouteRequest, sight: Sight, caller: Caller) -> tuple[Claim, ...]:
        """Return what is asked by the route alone, for a question of which no reader is sure."""
        said = _sheet(sight, asked, caller)
        return asks_of_route(decision.domain, decision.intent, said, asked.before, asked.run.domains)

    def _completed(
        self, claims: tuple[Claim, ...], said: Sheet, asked: RouteRequest, caller: Caller
    ) -> tuple[Claim, ...]:
        """Return the asks of a message read as one with what it completes, where that says more than it alone."""
        earlier = left_open(said, asked, lambda text: _seen(text, asked, caller))
        is_over = earlier == (interposed(asked),)
        if not earlier or is_closing(said.text) or (is_over and claims):
            return claims
        # What a message puts aside ("매매 아니고 전세요") was asked before it.
        told: list[str] = []
        for text in (*earlier, said.text):
            for one in without_asides(_seen(text, asked, caller)).aside:
                told = [before.replace(one.words, " ") for before in told]
            told.append(text)
        text = _JOINT.join(told)
        whole = _seen(text, asked, caller)
        joined = read_asks(whole, asked.before[len(earlier) + is_over :], asked.run.domains)
        if not (said.numbers or is_over) and _is_elsewhere(joined, asked):
            return claims
        return tuple(
            of_message(one, said, len(whole.text) - len(said.text)) for one in fuller(claims, joined, asked.before)
        )

    def _replaced(
        self, claims: tuple[Claim, ...], said: Sheet, asked: RouteRequest, caller: Caller
    ) -> tuple[Claim, ...]:
        """Return the asks of the question before with the part that a message replaces, where none is read in it."""
        # What has a number of no role is no sure reading of a message that may replace one.
        if not asked.before or (claims and max(one.score for one in claims) >= LIKELY and not loose(claims)):
            return claims
        earlier = [turn.text for turn in reversed(asked.history) if turn.speaker is Speaker.USER]
        text = with_replaced(said, earlier, lambda words: _seen(words, asked, caller))
        if not text:
            return claims
        whole = _seen(text, asked, caller)
        read = read_asks(whole, asked.before[1:], asked.run.domains)
        unsure = not read or min(one.score for one in read) < LIKELY or bool(loose(read))
        if unsure or _is_elsewhere(read, asked) or any(one.ask.form is AskForm.ACT for one in read):
            return claims
        return tuple(replace(of_message(one, said, len(whole.text)), score=REPLACES) for one in read)

    async def _by_model(self, asked: RouteRequest, said: Sheet, caller: Caller) -> tuple[Claim, ...]:
        def see(text: str) -> Sheet:
            return _seen(text, asked, caller)

        decided = await self._decider.decide(question_asks.PROMPT, self._inputs(asked), lambda _: _unread())
        if decided.source is not DecisionSource.LLM or not decided.output.asks:
            return ()
        earlier = [turn.text for turn in asked.history[-TURNS_LAST:] if turn.speaker is Speaker.USER]
        return await computed(
            lambda: restated(
                decided.output.asks,
                said,
                [see(text) for text in earlier],
                see,
                lambda sheet: read_asks(sheet, (), asked.run.domains),
            ),
            at_once=False,
        )

    def _inputs(self, asked: RouteRequest) -> question_asks.Inputs:
        language = "en" if asked.run.locale.lower().startswith("en") else "ko"
        return question_asks.Inputs(
            question=Untrusted(asked.question),
            domains=tuple(
                question_asks.DomainTitle(name=Trusted(one.domain), description=Trusted(one.title.of(language)))
                for one in self._catalog.domains.values()
                if one.always or not asked.run.domains or one.domain in asked.run.domains
            ),
            history=history_of(asked.history).turns,
        )


def _is_elsewhere(claims: Sequence[Claim], asked: RouteRequest) -> bool:
    """Tell whether asks are of no domain that was spoken of: of what was last read, also over a message not read."""
    spoken = {ask.domain for ask in next((one.asks for one in asked.before if one.asks), ())}
    return bool(spoken and claims) and not spoken & {one.ask.domain for one in claims}


_JOINT = ". "


def _seen(text: str, asked: RouteRequest, caller: Caller) -> Sheet:
    reading = read_question(text, now=asked.run.now, time_zone=asked.run.time_zone)
    own = tuple(one for one in reading.entities if one.end)
    return Sheet(reading.text, reading.language, reading.today, own, caller.user_type, unclear=reading.asks)


def _unread() -> question_asks.Output:
    why = because("규칙으로는 요청을 확실히 읽지 못함", "the rules read no request with certainty")
    return question_asks.Output(asks=(), reasoning=why)


def _is_short(asked: RouteRequest) -> bool:
    return is_short(asked.question, *(one.text for one in asked.attachments))


def _sheet(sight: Sight, asked: RouteRequest, caller: Caller) -> Sheet:
    """Return the question as the readers see it: with what its own words name, and the files that came with it."""
    reading = sight.question.reading
    own = tuple(one for one in sight.question.entities if one.end)
    return Sheet(
        reading.text,
        reading.language,
        reading.today,
        own,
        caller.user_type,
        attached=asked.attachments,
        unclear=reading.asks,
    )
