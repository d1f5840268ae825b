"""What a sentence says without a figure: signals, trends and moves, held against the words and changes of the rows.

declared signals         a metric says it, of that subject, on the day that is named; or it is said to be none
trend words              a metric says it of that subject; a negated one only where none says it
"rose", "내렸습니다"     some change or trend of that subject goes that way, where its changes are known
declared as foreign      no agent computes it, so never
"""

import re
from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Final

from services.contract.drops import DropReason
from services.grounding.causes import NEGATED
from services.grounding.facts import Fact, WordFact
from services.grounding.movement import directions
from services.grounding.readings import Day, Sentence
from services.grounding.verdict import Wrong
from services.grounding.vocabulary import vocabulary
from services.text.ko.written import PAST_SYLLABLES
from services.text.patterns import Pattern
from services.text.stated.dates import When

_TRENDS: Final = {"up": 1, "down": -1}
_SUPPOSED: Final = Pattern(
    r"면\s|면,|경우|때(?:는|에)?\s|여부|수\s?있|수도|가능|지\s?(?:확인|살펴|지켜)|\?|기본:|상승:|하락:"
    r"|\b(?:if|when|whether|may|might|could|would|can|unless|should|case)\b",
    re.IGNORECASE,
)
_PAST_KO: Final = Pattern(rf"[{PAST_SYLLABLES}](?:습니다|다|고|으며)|고\s?있습니다|중입니다")
_PAST_EN: Final = Pattern(
    r"\b(?:rose|fell|climbed|gained|declined|dropped|jumped|surged|slipped|slid|grew|shrank|decreased|increased|plunged|tumbled"
    r"|(?:is|are|was|were|has\sbeen|have\sbeen)\s(?:up|down|rising|falling|higher|lower|climbing|declining))\b",
    re.IGNORECASE,
)
_LETTERS: Final = Pattern(r"[A-Za-z]{2}")


def false_signal(
    sentence: Sentence,
    words: Collection[WordFact],
    changes: Callable[[], Iterable[Fact]],
    *,
    named: frozenset[str] | None,
    has_change: bool,
) -> Wrong | None:
    """Return the signal or move that a sentence says and nothing holds; None where there is none.

    Args:
        sentence: The sentence.
        words: The signals that metrics hold.
        changes: Returns the changes that are known; few sentences need them.
        named: Whom it is about; None where it may be anybody.
        has_change: Whether one of its figures is told as a change, and so is checked as that.
    """
    text, own = sentence.text, [word for word in words if named is None or word.name in named]

    def known() -> list[Fact]:
        return [fact for fact in changes() if named is None or not fact.names or fact.names & named]

    if vocabulary().signal_hints.stand_in(text) and (said := _named_falsely(sentence, own, known)):
        return Wrong(DropReason.SIGNAL, said)
    if not has_change and _moves_falsely(text, own, known):
        return Wrong(DropReason.WRONG_MOVEMENT, "")
    return None


def _named_falsely(sentence: Sentence, own: list[WordFact], changes: Callable[[], list[Fact]]) -> str:
    """Return the signal that a sentence names and no metric holds, or that no agent computes; empty where none is."""
    text, known = sentence.text, vocabulary()
    if match := known.foreign.search(text):
        return match.group()
    for word, pattern in known.signals.items():
        match = pattern.search(text)
        if match and not _holds(word, own, _days_of(match, sentence.days), text, changes):
            return match.group()
    return ""


def _holds(word: str, own: list[WordFact], whens: list[When], text: str, changes: Callable[[], list[Fact]]) -> bool:
    if _SUPPOSED.search(text):
        return word in _TRENDS or any(one.word == word for one in own)
    holding = [one for one in own if one.word == word]
    if NEGATED.search(text):
        return not holding
    if word in _TRENDS and not holding and not any(one.word in _TRENDS for one in own):
        return _goes(_TRENDS[word], changes())
    if word not in _TRENDS and whens:
        return any(_covers(when, day) for one in holding for when in whens for day in one.days)
    return bool(holding)


def _moves_falsely(text: str, own: list[WordFact], changes: Callable[[], list[Fact]]) -> bool:
    """Tell whether a statement without a figure says a move that is against every known change of its subject."""
    if not (_PAST_KO.search(text) or (_LETTERS.search(text) and _PAST_EN.search(text))):
        return False
    told = directions(text)
    if len(told) != 1 or _SUPPOSED.search(text) or NEGATED.search(text):
        return False
    direction = next(iter(told))
    wanted = "up" if direction > 0 else "down"
    moves = changes()
    if not moves and not any(one.word in _TRENDS for one in own):
        return False
    return not _goes(direction, moves) and not any(one.word == wanted for one in own)


def _goes(direction: int, changes: Iterable[Fact]) -> bool:
    return any(fact.known.value * direction > 0 for fact in changes)


def _days_of(match: re.Match[str], days: Collection[Day]) -> list[When]:
    """Return the day nearest to a signal."""
    ranked = sorted(days, key=lambda day: min(abs(day.end - match.start()), abs(day.start - match.end())))
    return [day.when for day in ranked[:1]]


def _covers(when: When, day: date | When) -> bool:
    return when.covers(day) if isinstance(day, When) else when.holds(day)
