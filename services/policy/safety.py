"""The pure rule of the policy check: which rules a question meets, and what follows.

BLOCK beats WARN beats ALLOW. The question's own words alone decide; nothing that was retrieved is read here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.contract.policy import PolicyTag, Verdict
from services.plugin.policy import Rule
from services.policy.rule_table import RuleTable
from services.text.ko.morphemes import morphemes
from services.text.negation import is_negated
from services.text.patterns import Pattern
from services.text.reading import TextReading
from services.text.words import PhraseHit, Vocabulary

_FOLLOWS = "asks_what_follows"
"""The group of words of who reports, or suffered, or asks for the law."""
_SEVERITY = {Verdict.ALLOW: 0, Verdict.WARN: 1, Verdict.BLOCK: 2}
_AGE = Pattern(
    r"(?<!\d)(\d{1,2})\s?(?:살|세(?!트|대|계)|years?[\s-]old)|\bI(?:'m| am)\s(\d{1,2})\b(?!\s?(?:%|years? in))"
)

_EARLY_TEENS = (("열한", "열하나"), ("열두", "열둘"), ("열세", "열셋"), ("열네", "열넷"))
_TEENS = {name: age for age, names in enumerate(_EARLY_TEENS, 11) for name in names}
_MARKS = Pattern(r"[.!?;\n](?=\s|$)|\b(?:and|but|then|also)\b|그리고|그런데|하지만", re.IGNORECASE)
# A verb with one of these endings closes a clause; "알려 주고 조회해" are two demands, "사고 싶다" is one.
_CLOSING_ENDINGS = frozenset({"고", "지만", "면서", "으면서", "구요"})
_AUXILIARY_TAGS = ("VX",)
_TEENS |= {"열다섯": 15, "열여섯": 16, "열일곱": 17, "열여덟": 18}
_TEENS_EN = {
    name: age for age, name in enumerate(("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"), 11)
} | {"seventeen": 17, "eighteen": 18}
_SPELT_AGE = Pattern(
    rf"\bI(?:'m| am)\s({'|'.join(_TEENS_EN)})\b(?!\s?(?:%|percent|minutes|days|months|years? in))", re.IGNORECASE
)
# "열일곱인데" states an age, "열두 병인데" none.
_NATIVE_AGE = Pattern(rf"({'|'.join(_TEENS)})\s?(?:살|인데|이에요|이야|입니다|이고|이라|예요)")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say about one question."""

    verdict: Verdict
    """The gravest verdict of the rules that hold; ALLOW where none does."""
    tags: tuple[PolicyTag, ...]
    """The tags of the rules that decided, each once, in the order of the table; empty under ALLOW."""
    rules: tuple[str, ...]
    """The names of all rules that hold."""


class Safety:
    """Judges questions by one table of rules."""

    def __init__(self, table: RuleTable) -> None:
        self._table = table
        self._groups = {
            name: _Phrases(frozenset(group.words), frozenset(group.exceptions)) for name, group in table.groups.items()
        }
        self._vocabulary = Vocabulary(
            phrase for group in self._groups.values() for phrase in (*group.words, *group.exceptions)
        )

    def judge(self, reading: TextReading) -> Judgement:
        """Return the verdict on a question that was read."""
        facts = _Facts(reading, self._groups, reading.phrases.find_all(self._vocabulary))
        met = [rule for rule in self._table.rules if facts.meet(rule)]
        verdict = max((rule.verdict for rule in met), key=_SEVERITY.__getitem__, default=Verdict.ALLOW)
        tags = dict.fromkeys(rule.tag for rule in met if rule.verdict is verdict)
        return Judgement(verdict, tuple(tags), tuple(rule.name for rule in met))

    def asks_what_follows(self, reading: TextReading) -> bool:
        """Tell whether a question speaks of reporting, of harm that was suffered or of what the law says to it."""
        hits = reading.phrases.find_all(self._vocabulary)
        return bool(_Facts(reading, self._groups, hits).places(_FOLLOWS))


def graver(one: Judgement, other: Judgement) -> Judgement:
    """Return both taken together: a second opinion adds caution and never takes any away."""
    if _SEVERITY[other.verdict] <= _SEVERITY[one.verdict]:
        return one
    return Judgement(other.verdict, tuple(dict.fromkeys((*one.tags, *other.tags))), one.rules)


class _Phrases(NamedTuple):
    """The phrases of a group of words."""

    words: frozenset[str]
    exceptions: frozenset[str]


class _Facts:
    """Where each group stands in one question."""

    def __init__(
        self, reading: TextReading, groups: Mapping[str, _Phrases], hits: Mapping[str, Sequence[PhraseHit]]
    ) -> None:
        self._reading = reading
        self._groups = groups
        self._clauses = clauses(reading.text)
        self._hits = hits
        self._found: dict[str, tuple[PhraseHit, ...]] = {}

    def meet(self, rule: Rule) -> bool:
        if not all(self._places(name) for name in (*rule.all, *rule.anywhere)):
            return False
        if any(self._places(name) for name in rule.nowhere):
            return False
        if rule.pieces_min is not None and self._pieces() < rule.pieces_min:
            return False
        if rule.age_below is not None and not any(0 < age < rule.age_below for age in self._ages()):
            return False
        if not rule.all:
            return True
        return any(self._in_clause(rule, start, end) for start, end in self._clauses)

    def _in_clause(self, rule: Rule, start: int, end: int) -> bool:
        def inside(name: str) -> list[PhraseHit]:
            return [hit for hit in self._places(name) if start <= hit.start < end]

        meant = [hit for name in rule.all for hit in inside(name)]
        if not all(inside(name) for name in rule.all):
            return False
        meant += [hit for name in rule.anywhere for hit in self._places(name)]
        excuses = [hit for name in rule.none for hit in inside(name)]
        return all(any(one.start <= hit.start and hit.end <= one.end for one in meant) for hit in excuses)

    def places(self, name: str) -> tuple[PhraseHit, ...]:
        """Return where words of a group stand."""
        return self._places(name)

    def _places(self, name: str) -> tuple[PhraseHit, ...]:
        """Look a group up at its first use: most rules fall at their first group."""
        if name not in self._found:
            self._found[name] = _group_places(self._hits, self._groups[name])
        return self._found[name]

    def _ages(self) -> Iterator[int]:
        """Yield the ages that the user states."""
        text = self._reading.text
        yield from (int(match[1] or match[2]) for match in _AGE.finditer(text))
        yield from (_TEENS[match[1]] for match in _NATIVE_AGE.finditer(text))
        yield from (_TEENS_EN[match[1].lower()] for match in _SPELT_AGE.finditer(text))

    def _pieces(self) -> int:
        text = self._reading.text
        return sum(found.value for found in self._reading.quantities if not is_negated(text, found.start, found.end))


def _group_places(hits: Mapping[str, Sequence[PhraseHit]], group: _Phrases) -> tuple[PhraseHit, ...]:
    # A question holds few phrases of a group's hundreds.
    shielded = [hit for phrase in hits.keys() & group.exceptions for hit in hits[phrase]]
    return tuple(
        hit
        for phrase in hits.keys() & group.words
        for hit in hits[phrase]
        if not any(shield.start <= hit.start and hit.end <= shield.end for shield in shielded)
    )


def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Return the clauses of a normalised text as (start, end) places, in order; together they cover the text."""
    cuts = sorted({mark.end() for mark in _MARKS.finditer(text)} | set(_verb_cuts(text)) | {len(text)})
    starts = [0, *cuts[:-1]]
    return tuple((start, end) for start, end in zip(starts, cuts, strict=True) if start < end)


def _verb_cuts(text: str) -> list[int]:
    pieces = morphemes(text)
    following = (*pieces[1:], None)[: len(pieces)]
    return [
        piece.end
        for piece, after in zip(pieces, following, strict=True)
        if piece.tags[-1] == "EC"
        and piece.surface in _CLOSING_ENDINGS
        and not (after is not None and after.tags[0] in _AUXILIARY_TAGS)
    ]
