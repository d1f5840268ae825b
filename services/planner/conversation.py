"""Collects what an intent needs: from the question, what was said before it, a profile, and answers to questions.

A value found later in this list holds against one found earlier: profile, history, question, what the flow has
collected, the answer to the question just asked. The plan's slots carry all of it, so that each call can
be made by another replica.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from prompts.fields import Trusted, Untrusted
from prompts.planner import slot_extraction
from services.catalog.facts import entity_facts
from services.catalog.keywords import whole_table
from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.contract.drops import DropReason
from services.contract.entities import Alternative, Entity
from services.contract.flow import DecisionSource, SlotValue, Speaker
from services.contract.forms import shown
from services.contract.planner import DraftPlanRequest, SlotAnswer
from services.grounding.restating import Restating
from services.llm.decider import Decider
from services.planner.matter import is_read_at_once
from services.planner.reading import SlotReader
from services.planner.rules import PlanningRules, which_of
from services.planner.slots import ANSWER, WordingBasis, options_of, question_for, slot_value
from services.planner.values import Bindings
from services.plugin.entities import values
from services.plugin.questions import Spoken, Value
from services.plugin.slots import picked
from services.runtime.errors import InvalidRequest
from services.runtime.run import because
from services.runtime.threads import computed, is_short
from services.text.patterns import Pattern
from services.text.reading import TextReading
from services.text.words import phrase_index

HISTORY_TURNS_MAX = 6
"""How many of the user's earlier turns are looked through for a value."""
ANSWER_CHARS_MAX = 4_000
_PROFILE = "profile"
_OPEN = "_surface"
"""Ends the name of the slot that keeps an ambiguous name, so that the next answer can tell which thing was meant."""
_OTHER_REQUEST_LEAST = 0.90
_SURE = 0.85
"""From which confidence a model's reading of an answer counts."""
_REQUEST_ENDS = Pattern(
    r"(?:[?？]|줘|줘요|주세요|줄래|줄래요|해라|할래|할게|할게요|싶어|싶어요|알려\S*|보여\S*|please)[.!]?$"
)
_REQUEST_BEGINS = Pattern(
    r"^(?:show|tell|find|compare|cancel|recommend|what|how|why|where|when|give|i want)\b", re.IGNORECASE
)
_DIGITS = Pattern(r"\d+")


@dataclass(frozen=True, slots=True)
class NamedValue:
    """What an answer names; without a value where it is nothing or still fits several."""

    value: str = ""
    """The value of the entity."""
    label: str = ""
    """Its name for the reader."""
    open_words: str = ""
    """The words of a name that still fits several."""


@dataclass(frozen=True, slots=True)
class Collected:
    """What is known when the next question is thought of."""

    slots: Mapping[str, SlotValue]
    """Every slot that is known."""
    ambiguous: Entity | None
    """A name that fits several things."""
    was_unreadable: bool
    """Whether the answer just given could not be read."""


class Conversation:
    """Collects slots; made once."""

    def __init__(
        self, catalog: Catalog, rules: PlanningRules, bindings: Bindings, decider: Decider, rule_decider: Decider
    ) -> None:
        self._catalog = catalog
        self._rules = rules
        self._decider = decider
        self._rule_decider = rule_decider
        self._bindings = bindings
        self._reader = SlotReader(catalog, rules, bindings.functions.slots)
        self._named_slots = {kind: slot for slot in catalog.slots if (kind := self._reader.kind(slot)) is not None}
        self._keywords, _ = whole_table(catalog)
        self._names_of_one = frozenset(kind.id for kind in catalog.kinds.values() if kind.is_name)

    async def collected(
        self, asked: DraftPlanRequest, spoken: Spoken, read_slots: Sequence[SlotValue], required: Sequence[str]
    ) -> Collected:
        """Return what is known.

        Args:
            asked: The request.
            spoken: The question and what was said before it.
            read_slots: What the question's own entities come to.
            required: The slots that the intents need.

        Raises:
            InvalidRequest: A given slot is no JSON, or the answer is for a slot that there is not.
        """
        given = _checked(asked)
        self._check_answer(asked.answer)
        found = await computed(lambda: self._found(asked, spoken, required), at_once=is_read_at_once(asked))
        known = {**{slot.slot: slot for slot in given if slot.source == _PROFILE}, **found}
        known.update({slot.slot: slot for slot in read_slots})
        known.update({slot.slot: slot for slot in given if slot.source != _PROFILE})
        ambiguous = self._ambiguous(asked, spoken, known)
        if asked.answer is None:
            return Collected(known, ambiguous, was_unreadable=False)
        answer = await self._answered(asked, asked.answer, WordingBasis(known, ambiguous, (), False, asked.run.locale))
        if not answer:
            return Collected(known, ambiguous, was_unreadable=True)
        said, wanted = asked.answer, [one for one in required if one not in known]
        more = await computed(lambda: self._also_said(asked, said, wanted), at_once=is_short(said.text))
        known.update({**more, **{slot.slot: slot for slot in answer}})
        return Collected(known, self._ambiguous(asked, spoken, known), was_unreadable=False)

    def _check_answer(self, answer: SlotAnswer | None) -> None:
        if answer is not None and answer.slot not in self._rules.slots:
            raise InvalidRequest.of(
                "answer.slot", f"{shown(answer.slot)} is no slot; known are {sorted(self._rules.slots)}"
            )

    def _found(self, asked: DraftPlanRequest, spoken: Spoken, required: Sequence[str]) -> dict[str, SlotValue]:
        """Return what question and history name of the required slots; the question's own words come first."""
        before = [turn.text for turn in asked.history if turn.speaker is Speaker.USER and turn.text.strip()]
        earlier = [_read(text, asked) for text in reversed(before[-HISTORY_TURNS_MAX:])]
        found: dict[str, SlotValue] = {}
        for slot in required:
            if (kind := self._reader.kind(slot)) is not None:
                found |= self._named_before(slot, kind, earlier) if not spoken.now.of(kind) else {}
                continue
            value, source = self._value(slot, asked, spoken.now), "question"
            if value is None:
                value, source = self._value_before(slot, earlier), "history"
            if value is not None:
                found[slot] = slot_value(slot, value, source)
        return found

    def _value(self, slot: str, asked: DraftPlanRequest, question: TextReading) -> Value | None:
        said, names = self._reader.said(slot, question), self._names(slot, asked.route.entities)
        reading = self._reader.reading(slot)
        if said is not None or reading is None or reading.of_names is None or not names:
            return said
        return reading.of_names(names)

    def _names(self, slot: str, entities: Iterable[Entity]) -> tuple[str, ...]:
        """Return the names that fill a slot, kind by kind, each once."""
        reading, found = self._reader.reading(slot), tuple(entities)
        kinds = reading.names if reading is not None else ()
        return tuple(dict.fromkeys(name for kind in kinds for name in values(found, kind)))

    def _value_before(self, slot: str, earlier: Sequence[TextReading]) -> Value | None:
        """Return the newest value of what lasts; two different ones leave open which is meant where there is one."""
        reading = self._reader.reading(slot)
        if reading is None or not reading.lasts:
            return None
        found = [value for one in earlier if (value := self._reader.said(slot, one)) is not None]
        return None if not found or (reading.is_one and len(set(found)) > 1) else found[0]

    def _also_said(self, asked: DraftPlanRequest, answer: SlotAnswer, wanted: Sequence[str]) -> dict[str, SlotValue]:
        """Return what else an answer names outright: "the blue mug, two of them"; any word may be a name."""
        reading = _read(answer.text, asked)
        others = [slot for slot in wanted if slot != answer.slot and not self._takes_names(slot)]
        said = {slot: self._reader.said(slot, reading) for slot in others}
        return {slot: slot_value(slot, value, ANSWER) for slot, value in said.items() if value is not None}

    def _takes_names(self, slot: str) -> bool:
        reading = self._reader.reading(slot)
        return reading is not None and bool(reading.names)

    async def _answered(
        self, asked: DraftPlanRequest, answer: SlotAnswer, asking: WordingBasis
    ) -> tuple[SlotValue, ...]:
        """Return the slots that an answer fills, as the text layer or else a model reads it; empty for neither."""
        filled = await computed(
            lambda: self._filled(answer.text, answer.slot, asked, asking), at_once=is_short(answer.text)
        )
        question = question_for(answer.slot, asking, self._catalog, self._rules)
        inputs = slot_extraction.Inputs(
            slot=Trusted(answer.slot),
            asked=Trusted(
                self._rules.slots[answer.slot].of(asking.locale).replace("{surface}", "…").replace("{topic}", "")
            ),
            options=tuple(Untrusted(option) for option in question.options),
            question=Untrusted(asked.question[:ANSWER_CHARS_MAX]),
            answer=Untrusted(answer.text[:ANSWER_CHARS_MAX]),
        )
        by_rule = _as_output(filled, answer)
        decider = self._rule_decider if filled else self._decider
        decided = await decider.decide(slot_extraction.PROMPT, inputs, lambda _inputs: by_rule)
        output = decided.output
        if decided.source is not DecisionSource.LLM or output.confidence is None or output.confidence < _SURE:
            return filled
        options = [str(option) for option in inputs.options]
        if not output.value or (output.value not in options and not self._is_from(output.value, answer, asked)):
            return ()
        value = output.value
        return await computed(lambda: self._filled(value, answer.slot, asked, asking), at_once=is_short(value))

    def _filled(self, text: str, slot: str, asked: DraftPlanRequest, asking: WordingBasis) -> tuple[SlotValue, ...]:
        options = options_of(slot, asking, self._catalog, self._rules)
        reading = _read(picked(text, options) or text, asked)
        if reading.is_blank or self._is_another_request(reading, slot, asked):
            return ()
        if (kind := self._reader.kind(slot)) is not None:
            return self._named_slot(which_of(slot), kind, meant(reading, kind, asking.ambiguous))
        value = self._answer_value(slot, reading, asked)
        return (slot_value(slot, value, ANSWER),) if value is not None else ()

    def _answer_value(self, slot: str, reading: TextReading, asked: DraftPlanRequest) -> Value | None:
        """Return what an answer says; where names join, those of the question stand before its own."""
        how = self._reader.reading(slot)
        if how is None or not how.joins or how.of_names is None:
            return self._reader.answered(slot, reading)
        own = (one for kind in how.names for one in reading.of(kind))
        return how.of_names(self._names(slot, (*asked.route.entities, *own)))

    def _is_another_request(self, reading: TextReading, slot: str, asked: DraftPlanRequest) -> bool:
        """Tell an answer from "never mind, show me the price of flats instead"."""
        if not (_REQUEST_ENDS.search(reading.text) or _REQUEST_BEGINS.search(reading.text)):
            return False
        index = phrase_index(reading.text)
        facts = entity_facts(one for one in reading.entities if one.kind in self._names_of_one)
        scores = self._keywords.scores(lambda phrase: bool(index.find(phrase)), facts)
        if not scores or scores[0].score < _OTHER_REQUEST_LEAST or scores[0].intent == asked.route.intent:
            return False
        # "send it home please" is an address, though it speaks of delivery.
        how = self._reader.reading(slot)
        is_sure = how is None or how.is_sure
        return not (is_sure and self._is_plain(reading, slot))

    def _is_plain(self, reading: TextReading, slot: str) -> bool:
        return self._reader.said(slot, reading) is not None or self._reader.kind(slot) is not None

    def _is_from(self, value: str, answer: SlotAnswer, asked: DraftPlanRequest) -> bool:
        """Tell whether a model's value rests on the answer: its names and digits stand there, or a counted word's."""
        how = self._reader.reading(answer.slot)
        counted = how is not None and how.is_counted
        run, said = asked.run, (answer.text, asked.question)
        wrong = Restating(said, now=run.now, time_zone=run.time_zone).wrong(value)
        if wrong is not None and not (counted and wrong.reason is DropReason.UNKNOWN_FIGURE):
            return False
        plain = answer.text.replace(",", "")
        return counted or all(digits in plain for digits in _DIGITS.findall(value.replace(",", "")))

    def _ambiguous(self, asked: DraftPlanRequest, spoken: Spoken, known: Mapping[str, SlotValue]) -> Entity | None:
        for kind, slot in self._named_slots.items():
            if (kept := known.get(slot + _OPEN)) is not None:
                return ambiguous_name([_read(str(json.loads(kept.value_json)), asked)], (kind,))
        readings = [reading for reading in (spoken.now, spoken.before) if reading is not None]
        return ambiguous_name(readings, self._named_slots)

    def _named_slot(self, slot: str, kind: str, found: NamedValue) -> tuple[SlotValue, ...]:
        if found.value:
            value = slot_value(self._bindings.value_of_kind(kind), found.value, ANSWER)
            return (slot_value(slot, found.label, ANSWER), value)
        return (slot_value(slot + _OPEN, found.open_words, ANSWER),) if found.open_words else ()

    def _named_before(self, slot: str, kind: str, earlier: Sequence[TextReading]) -> dict[str, SlotValue]:
        """Return the newest thing of a kind that was named alone."""
        for reading in earlier:
            named = reading.of(kind)
            found = {one.value for one in named}
            if len(found) == 1 and named[0].value:
                value = self._bindings.value_of_kind(kind)
                told = {slot: named[0].label, value: named[0].value}
                return {name: slot_value(name, one, "history") for name, one in told.items()}
            if found:
                return {}
        return {}


def _read(text: str, asked: DraftPlanRequest) -> TextReading:
    run = asked.run
    return read_question(text[:ANSWER_CHARS_MAX], now=run.now, time_zone=run.time_zone, locale=run.locale)


def _checked(asked: DraftPlanRequest) -> tuple[SlotValue, ...]:
    for place, slot in enumerate(asked.slots):
        try:
            json.loads(slot.value_json)
        except ValueError:
            raise InvalidRequest.of(
                f"slots.{place}.value_json", f"the value of {shown(slot.slot)} is no JSON"
            ) from None
    return asked.slots


def _as_output(filled: Sequence[SlotValue], answer: SlotAnswer) -> slot_extraction.Output:
    value = filled[0].value_json.decode()[: slot_extraction.VALUE_CHARS_MAX] if filled else ""
    return slot_extraction.Output(
        value=value,
        is_another_request=False,
        confidence=1.0 if filled else 0.0,
        reasoning=because("답에 있는 그대로", f"{answer.slot} as it stands in the answer")
        if filled
        else because("답에 그 값이 없음", f"no {answer.slot} in the answer"),
    )


def ambiguous_name(readings: Iterable[TextReading], kinds: Collection[str]) -> Entity | None:
    """Return the first name of some kinds that fits several things."""
    named = (one for reading in readings for kind in kinds for one in reading.of(kind))
    return next((one for one in named if not one.value), None)


def meant(answer: TextReading, kind: str, ambiguous: Entity | None) -> NamedValue:
    """Return the one thing of a kind that an answer names.

    What lies around the alternatives of an ambiguous name, and so begins their values, picks among them.
    """
    named = answer.of(kind)
    exact = {one.value: one for one in named if one.value}
    open_names = [one for one in named if not one.value]
    if len(exact) > 1 or (exact and open_names):
        return NamedValue()
    if not exact and ambiguous is not None and len(open_names) == 1:
        # "Gwangju" is two places itself, of which one alone has a district that may be meant.
        around = {one.value for one in open_names[0].alternatives}
        return _of(
            other
            for other in ambiguous.alternatives
            if any(len(value) < len(other.value) and other.value.startswith(value) for value in around)
        )
    if not exact:
        return (
            NamedValue(open_words=open_names[0].words) if len(open_names) == 1 and ambiguous is None else NamedValue()
        )
    value, one = next(iter(exact.items()))
    if ambiguous is not None and all(len(value) < len(other.value) for other in ambiguous.alternatives):
        return _of(other for other in ambiguous.alternatives if other.value.startswith(value))
    return NamedValue(value, one.label)


def _of(alternatives: Iterable[Alternative]) -> NamedValue:
    found = tuple(alternatives)
    return NamedValue(found[0].value, found[0].label) if len(found) == 1 else NamedValue()
