"""A message that completes what was left open before it: the two are read as one.

"The mug is 12,000 won" asks nothing; with "what if it goes up by a tenth?" behind it, it gives one of the numbers. A
message before it was left open where nothing in it was answered, or where both give numbers and this one alone asks
nothing that is understood.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from services.contract.asks import AnswerState, AskedBefore, AskForm, AskQuantity, Origin
from services.contract.flow import Speaker
from services.contract.router import RouteRequest
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import is_fresh, short
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.router.route_asks import LIKELY

T = TypeVar("T", Entity, AskQuantity)
_WORDS_MAX: Final = 16
_MESSAGES_MAX: Final = 2
"""How many messages before it a message may complete."""


def left_open(said: Sheet, asked: RouteRequest, see: Callable[[str], Sheet]) -> tuple[str, ...]:
    """Return the messages just before that a message may complete, the earliest first; none where it completes none."""
    before = asked.before
    texts = [turn.text for turn in asked.history if turn.speaker is Speaker.USER][::-1]
    if is_fresh(said) or not short(said.text, _WORDS_MAX) or not before or not texts:
        return ()
    open_ = []
    for text, message in zip(texts[:_MESSAGES_MAX], before, strict=False):
        if not _waits(message) or len(text) > _CHARS_MAX:
            break
        open_.append(text)
    if open_:
        return tuple(reversed(open_))
    if (earlier := interposed(asked)) and not said.numbers:
        return (earlier,)
    gives = bool(said.numbers) and len(texts[0]) <= _CHARS_MAX and bool(see(texts[0]).numbers)
    return (texts[0],) if gives else ()


_CHARS_MAX: Final = 200


def interposed(asked: RouteRequest) -> str:
    """Return the question that asked for something when another was put in between and answered; empty without one."""
    texts = [turn.text for turn in asked.history if turn.speaker is Speaker.USER][::-1][:_MESSAGES_MAX]
    if len(texts) < _MESSAGES_MAX or len(asked.before) < _MESSAGES_MAX or len(texts[1]) > _CHARS_MAX:
        return ""
    between, asking = asked.before[0], asked.before[1]
    return texts[1] if not _waits(between) and _waits(asking) else ""


def fuller(claims: Sequence[Claim], joined: Sequence[Claim], before: Sequence[AskedBefore] = ()) -> Sequence[Claim]:
    """Return the asks of a message alone, or of it with what it completes where those give more to answer them.

    An edit of what was answered just before has taken over from it all that it does not replace.
    """
    if not joined or min(one.score for one in joined) < LIKELY:
        return claims
    if not claims:
        # What is to be done is changed as its own domain reads it, and is never begun again by what says nothing of it.
        return () if any(one.ask.form is AskForm.ACT for one in joined) else joined
    answered = {ask.answerer for message in before[:1] if not _waits(message) for ask in message.asks}
    # What changes something under way has taken the messages before it into account.
    changes = any(one.is_whole and one.ask.form is AskForm.ACT for one in claims)
    if changes or all(one.ask.answerer in answered for one in claims):
        return claims
    waiting = {ask.answerer for message in before[:1] if _waits(message) for ask in message.asks}
    answers = {one.ask.answerer for one in joined} <= waiting and _numbers(joined) > _numbers(claims) + _numbers_of(
        before
    )
    # What was told before asked for nothing yet: together with it all its numbers have a use.
    completes = before and not before[0].asks and not loose(joined) and _numbers(joined) > _numbers(claims)
    if answers or completes:
        # It answers what was asked back, and what else it may be taken for has no use for its numbers.
        return joined
    given = [one for claim in claims for one in claim.ask.quantities]
    # A message that says which of several was meant has settled it; beside what it answers its words are open again.
    opens = loose(joined) > loose(claims) or _unsettled(joined) > _unsettled(claims)
    if opens or any(one.origin is Origin.CARRIED for one in given):
        return claims
    same = [one.ask.answerer for one in claims] == [one.ask.answerer for one in joined]
    return joined if same and _given(joined, claims) > _given(claims, claims) else claims


def _numbers(claims: Sequence[Claim]) -> int:
    return sum(len(one.ask.quantities) + len(one.ask.conditions) for one in claims)


def _numbers_of(before: Sequence[AskedBefore]) -> int:
    """Return how many numbers the message that waits had given."""
    return sum(len(ask.quantities) for message in before[:1] for ask in message.asks)


def _waits(message: AskedBefore) -> bool:
    """Tell whether a message waits for what was asked back, or was not answered at all."""
    return not message.answers or any(one.state is AnswerState.ASKING for one in message.answers)


def _given(claims: Sequence[Claim], own: Sequence[Claim]) -> int:
    """Return how much some asks are given: numbers, and things where the message alone names none of its own."""
    lacks = not all(any(it.end for it in one.ask.subjects) for one in own)
    return sum(len(one.ask.quantities) + (len(one.ask.subjects) if lacks else 0) for one in claims)


def _unsettled(claims: Sequence[Claim]) -> int:
    """Return how many names of some asks fit several things."""
    return sum(bool(one.alternatives) for claim in claims for one in claim.ask.subjects)


def loose(claims: Sequence[Claim]) -> int:
    """Return how many numbers of some asks have no role."""
    return sum(not one.role for claim in claims for one in claim.ask.quantities)


def of_message(claim: Claim, said: Sheet, offset: int) -> Claim:
    """Return a claim whose places are those of the message; what was said before it has none."""
    if claim.ask.words == said.text:
        return claim
    ask = claim.ask
    subjects = tuple(_moved(one, offset) for one in ask.subjects)
    quantities = tuple(_moved(one, offset) for one in ask.quantities)
    made = replace(ask, words=said.text, start=0, end=len(said.text), subjects=subjects, quantities=quantities)
    return replace(claim, ask=made)


def _moved(one: T, offset: int) -> T:
    if one.start < offset:
        return replace(one, start=0, end=0)
    return replace(one, start=one.start - offset, end=one.end - offset)
