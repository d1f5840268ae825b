"""Reads the value of a slot: strictly from a question, and more freely from the answer to the slot's own question."""

from collections.abc import Mapping

from services.catalog.loader import Catalog
from services.planner.rules import PlanningRules
from services.plugin.questions import SlotReading, Value
from services.plugin.slots import letters
from services.text.reading import TextReading

_WORDS_MAX = 4
"""An answer of more words says something, whatever else is in it."""


class SlotReader:
    """Reads slots; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules, readings: Mapping[str, SlotReading]) -> None:
        self._rules = rules
        self._readings = readings
        self._kinds = catalog.kinds

    def reading(self, slot: str) -> SlotReading | None:
        """Return how a slot is read; None where a kind of entity fills it."""
        return self._readings.get(self._rules.slots[slot].kind)

    def kind(self, slot: str) -> str | None:
        """Return the kind of entity that fills a slot; None where it is read otherwise."""
        kind = self._rules.slots[slot].kind
        return kind if kind in self._kinds and kind not in self._readings else None

    def said(self, slot: str, text: TextReading) -> Value | None:
        """Return the value that a text names outright, None where it names none or more than one."""
        reading = self.reading(slot)
        return reading.said(text, self._rules.slots[slot]) if reading is not None else None

    def answered(self, slot: str, text: TextReading) -> Value | None:
        """Return the value that the answer to the slot's question gives, None where it cannot be read."""
        reading, found = self.reading(slot), self.said(slot, text)
        if found is not None or reading is None or reading.answered is None or self._says_nothing(text):
            return found
        return reading.answered(text, self._rules.slots[slot])

    def takes(self, slot: str, text: TextReading) -> bool:
        """Tell whether a text is an answer to the slot's question."""
        how, kind = self.reading(slot), self.kind(slot)
        if kind is not None:
            return any(one.value for one in text.of(kind))
        return (self.said if how is not None and how.joins else self.answered)(slot, text) is not None

    def _says_nothing(self, text: TextReading) -> bool:
        if not letters(text.text) and not any(mark.isdigit() for mark in text.text):
            return True
        return len(text.words) <= _WORDS_MAX and any(text.has(words) for words in self._rules.no_answer)
