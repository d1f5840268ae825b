"""What the conversation shows to have been looked up already, and what a question is about."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from services.catalog.facts import entity_facts
from services.catalog.keywords import whole_table
from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.catalog.sufficiency import DataSubject, HeldResult
from services.contract.entities import Entity
from services.contract.flow import RunContext, Speaker, Turn
from services.planner.rules import PlanningRules
from services.plugin.entities import AMOUNT, PERIOD, values
from services.text.reading import TextReading
from services.text.words import Vocabulary

TURNS_MAX = 20
"""How many turns are looked back on."""
_ROWS_ASSUMED = 3
"""An answered look-up is taken to have found enough; the second judgement counts the rows."""
_INTENT_LEAST = 0.85


@dataclass(frozen=True, slots=True)
class Recall:
    """What a turn was about."""

    types: tuple[str, ...]
    """Data types that its answer rested on."""
    subject: DataSubject
    """What it was about."""


class Recalling:
    """Reads subjects; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules) -> None:
        self._catalog = catalog
        self._rules = rules
        self._keywords, self._cues = whole_table(catalog)
        listed = (word for values in catalog.facets.values() for words in values.values() for word in words)
        self._listed = Vocabulary(listed)
        self._pointing_back = (*rules.pointing_back, *catalog.pointing_back)
        self._names = frozenset(kind.id for kind in catalog.kinds.values() if kind.is_name)
        self._kinds = (*catalog.kinds, AMOUNT, PERIOD)

    def subject(self, reading: TextReading, entities: Sequence[Entity]) -> DataSubject:
        """Return what a question is about: its own words, and what its route took from the conversation."""
        own = self._facets(reading)
        inherited = {one.kind: frozenset(values(entities, one.kind)) for one in entities if one.kind in self._names}
        facets = {name: own.get(name) or inherited.get(name) or frozenset() for name in {*own, *inherited}}
        return DataSubject(
            {name: values for name, values in facets.items() if values},
            self._words(reading),
            points_back=any(reading.has(word) for word in self._pointing_back),
            asks_anew=any(reading.has(word) for word in self._rules.asking_anew),
        )

    def held(self, history: Sequence[Turn], run: RunContext) -> tuple[HeldResult, ...]:
        """Return what the user's earlier, answered turns looked up, the oldest first."""
        found: list[HeldResult] = []
        before: Recall | None = None
        for turn, answer in _answered(history[-TURNS_MAX:]):
            before = self._recall(read_question(turn.text, now=run.now, time_zone=run.time_zone), before)
            rows = 0 if self._found_nothing(answer.text, run) else _ROWS_ASSUMED
            found += [HeldResult(one, rows, before.subject, _moment(answer, turn)) for one in before.types]
        return tuple(found)

    def given_types(self, reading: TextReading) -> frozenset[str]:
        """Return the data types that a question brings along itself, in quotes."""
        if not any(mark in reading.text for mark in "'\"“「『:"):
            return frozenset()
        length, types = len(reading.text), self._catalog.held_types
        limits = {name: kind.quoted_chars_min for name, kind in types.items()}
        return frozenset(name for name, least in limits.items() if least is not None and length >= least)

    def _recall(self, reading: TextReading, before: Recall | None) -> Recall:
        facts = entity_facts(one for one in reading.entities if one.kind in self._names)
        scores = self._keywords.scores(frozenset(reading.phrases.find_all(self._cues)), facts)
        sure = scores and scores[0].score >= _INTENT_LEAST
        types = self._catalog.intent(scores[0].intent).required_data if sure else before.types if before else ()
        facets = self._facets(reading)
        inherited = dict(before.subject.facets) if before is not None else {}
        words = self._words(reading) | (before.subject.words if before is not None and not sure else frozenset())
        return Recall(types, DataSubject({**inherited, **facets}, words))

    def _facets(self, reading: TextReading) -> Mapping[str, frozenset[str]]:
        said = reading.said(self._listed)
        found = {kind: set(values(reading.of(kind), kind)) for kind in self._kinds}
        found |= {name: _named(table, said) for name, table in self._catalog.facets.items()}
        return {name: frozenset(named) for name, named in found.items() if named}

    def _words(self, reading: TextReading) -> frozenset[str]:
        nouns = (piece for piece in reading.morphemes if piece.tags[0] in {"NNG", "NNP", "SL", "XR"})
        return frozenset(
            one.lemma for one in nouns if one.lemma not in self._rules.function_words and len(one.surface) > 1
        )

    def _found_nothing(self, answer: str, run: RunContext) -> bool:
        reading = read_question(answer, now=run.now, time_zone=run.time_zone)
        return any(reading.has(word) for word in self._rules.found_nothing)


def _named(table: Mapping[str, tuple[str, ...]], said: AbstractSet[str]) -> set[str]:
    return {name for name, words in table.items() if any(word in said for word in words)}


def described(held: HeldResult, now: datetime) -> str:
    """Return one look-up in a line: its type, what it was about and how long ago."""
    names = ", ".join(f"{kind} {'/'.join(sorted(values))}" for kind, values in sorted(held.subject.facets.items()))
    age = "unknown age" if held.found_at is None else f"{(now - held.found_at).total_seconds() / 3600:.1f} h old"
    return f"{held.data_type}: {names or '-'}; {held.row_count} rows or more; {age}"


def _answered(history: Sequence[Turn]) -> list[tuple[Turn, Turn]]:
    """Return each turn of the user with the answer that follows it."""
    pairs = pairwise(history)
    return [
        (turn, answer)
        for turn, answer in pairs
        if turn.speaker is Speaker.USER and answer.speaker is Speaker.ASSISTANT and turn.text.strip()
    ]


def _moment(answer: Turn, turn: Turn) -> datetime | None:
    return answer.say_time or turn.say_time
