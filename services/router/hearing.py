"""Which of the keyword and the scope vote are cast where the two do not say the same.

A mean of two voters who contradict each other would turn most questions into a question back. Where one of them has
little to go by, it keeps silent instead; its score stays in the record with the reason.
"""

from dataclasses import dataclass
from typing import Final

from services.router.weighing import Vote

SURE: Final = 0.97
"""A scope vote of this confidence stands against words that are not plain."""
_PLAIN: Final = 0.96
"""Words of this score say plainly what is wanted."""
_LIKELY: Final = 0.93
"""A scope vote of this confidence stands against words that merely name a thing, and decides between two readings."""
_NAMED: Final = 0.90
"""Words of this score name a thing or a deed, and may stand for more than one request."""
_UNDERSTOOD: Final = 0.93
"""Words of this score were understood, whatever the scope voter makes of the rest."""
_SECOND: Final = 0.85
"""Words that say two things, this one too, leave the choice between them to the scope voter."""


@dataclass(frozen=True, slots=True)
class CastVotes:
    """The votes that are cast, and those that are not."""

    keyword: Vote | None
    """The keyword vote."""
    scope: Vote | None
    """The scope vote."""
    silent: tuple[tuple[Vote, str], ...] = ()
    """Votes that are not cast, with why."""


def heard(keyword: Vote | None, scope: Vote | None, fallback_intent: str) -> CastVotes:
    """Return who is heard.

    Args:
        keyword: What the words say.
        scope: What the question is like.
        fallback_intent: The intent of what nobody understands; being like it is no vote for anything.
    """
    if scope is None or (keyword is not None and keyword.intent == scope.intent):
        return CastVotes(keyword, scope)
    if scope.intent == fallback_intent:
        return _not_understood(keyword, scope)
    if keyword is None or (keyword.scores.get(scope.intent, 0.0) >= _SECOND and scope.score >= _LIKELY):
        return CastVotes(keyword, scope)
    if (scope.score >= SURE and keyword.score < _PLAIN) or (scope.score >= _LIKELY and keyword.score <= _NAMED):
        return CastVotes(None, scope, ((keyword, "silent: the question is like another intent's"),))
    return CastVotes(keyword, None, ((scope, "silent: the words are plain"),))


def _not_understood(keyword: Vote | None, scope: Vote) -> CastVotes:
    unclear = (scope, "silent: nothing is understood")
    if keyword is None:
        return CastVotes(None, None, (unclear,))
    if scope.score >= SURE and keyword.score < _UNDERSTOOD:
        return CastVotes(None, None, (unclear, (keyword, "silent: the question is like none that can be answered")))
    return CastVotes(keyword, None, ((scope, "silent: the words are plain"),))
