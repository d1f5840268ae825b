"""Collects what an intent needs: from the question, what was said before it, a profile, and answers to questions.

A value found later in this list holds against one found earlier: profile, history, question, what the flow has
collected, the answer to the question just asked (spec 2.1.2). The plan's slots carry all of it, so that each call can
be made by another replica.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prompts.fields import Trusted, Untrusted
from prompts.planner import slot_extraction
from services.catalog.keywords import KeywordTable
from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.contract.flow import DecisionSource, Entity, SlotValue, Speaker
from services.contract.planner import DraftPlanRequest, SlotAnswer
from services.llm.decider import Decider
from services.planner.matter import is_read_at_once
from services.planner.places import Located, ambiguous_region, located
from services.planner.rules import PlanningRules
from services.planner.slot_reading import Json, SlotReader, goods_and_codes, picked
from services.planner.slots import ANSWER, REGION, REGION_CHOICE, Asking, options_of, question_for, slot_value
from services.planner.values import Spoken
from services.plugin.entities import values
from services.runtime.errors import InvalidRequest
from services.runtime.threads import computed, is_short
from services.text.reading import Reading
from services.text.words import phrase_index

HISTORY_TURNS_MAX = 6
"""How many of the user's earlier turns are looked through for a value."""
ANSWER_CHARS_MAX = 4_000
_PROFILE = "profile"
_REGION_KINDS = (REGION, REGION_CHOICE)
_REGION_SURFACE = "region_surface"
"""Keeps an ambiguous name that an answer gave, so that the next answer can tell which place was meant."""
_OTHER_REQUEST_LEAST = 0.90
_SURE = 0.85
"""From which confidence a model's reading of an answer counts."""
_REQUEST_ENDS = re.compile(
    r"(?:[?？]|줘|줘요|주세요|줄래|줄래요|해라|할래|할게|할게요|싶어|싶어요|알려\S*|보여\S*|please)[.!]?$"
)
_REQUEST_BEGINS = re.compile(
    r"^(?:show|tell|find|compare|cancel|recommend|what|how|why|where|when|give|i want)\b", re.IGNORECASE
)
_GOODS_KINDS = frozenset({"products", "product", "items", "name"})
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Collected:
    """What is known when the next question is thought of."""

    slots: Mapping[str, SlotValue]
    """Every slot that is known."""
    ambiguous: Entity | None
    """A place named that fits several districts."""
    was_unreadable: bool
    """Whether the answer just given could not be read."""


class Conversation:
    """Collects slots; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules, decider: Decider, rule_decider: Decider) -> None:
        self._catalog = catalog
        self._rules = rules
        self._decider = decider
        self._rule_decider = rule_decider
        self._reader = SlotReader(catalog, rules)
        self._keywords = KeywordTable(catalog)

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
        answer = await self._answered(asked, asked.answer, Asking(known, ambiguous, (), False, asked.run.locale))
        if not answer:
            return Collected(known, ambiguous, was_unreadable=True)
        said, wanted = asked.answer, [one for one in required if one not in known]
        more = await computed(lambda: self._also_said(asked, said, wanted), at_once=is_short(said.text))
        known.update({**more, **{slot.slot: slot for slot in answer}})
        return Collected(known, self._ambiguous(asked, spoken, known), was_unreadable=False)

    def _check_answer(self, answer: SlotAnswer | None) -> None:
        if answer is not None and answer.slot not in self._rules.slots:
            raise InvalidRequest.of("answer.slot", f"{answer.slot!r} is no slot; known are {sorted(self._rules.slots)}")

    def _found(self, asked: DraftPlanRequest, spoken: Spoken, required: Sequence[str]) -> dict[str, SlotValue]:
        """Return what question and history name of the required slots; the question's own words come first."""
        before = [turn.text for turn in asked.history if turn.speaker is Speaker.USER and turn.text.strip()]
        earlier = [_read(text, asked) for text in reversed(before[-HISTORY_TURNS_MAX:])]
        found: dict[str, SlotValue] = {}
        for slot in required:
            if self._rules.slots[slot].kind == "region":
                found |= _region_said_before(earlier) if not spoken.now.of("region") else {}
                continue
            value, source = self._value(slot, asked, spoken.now), "question"
            if value is None:
                value, source = self._value_before(slot, earlier), "history"
            if value is not None:
                found[slot] = slot_value(slot, value, source)
        return found

    def _value(self, slot: str, asked: DraftPlanRequest, question: Reading) -> Json | None:
        kind, goods = self._rules.slots[slot].kind, values(asked.route.entities, "product")
        said = self._reader.said(slot, question)
        if said is not None or kind not in _GOODS_KINDS or not goods:
            return said
        if kind == "products":
            return goods if len(goods) > 1 else None
        return goods if kind == "items" else goods[0]

    def _value_before(self, slot: str, earlier: Sequence[Reading]) -> Json | None:
        """Return the newest value; two different order numbers leave open which one is meant."""
        values = [value for reading in earlier if (value := self._reader.said(slot, reading)) is not None]
        if not values or (self._rules.slots[slot].kind == "order_id" and len(set(values)) > 1):
            return None
        # Ratings, counts, prices and reasons belong to the request that they were said in.
        lasting = {"products", "product", "items", "name", "order_id", "address", "period"}
        return values[0] if self._rules.slots[slot].kind in lasting else None

    def _also_said(self, asked: DraftPlanRequest, answer: SlotAnswer, wanted: Sequence[str]) -> dict[str, SlotValue]:
        """Return what else an answer names outright: "the blue mug, two of them"."""
        reading = _read(answer.text, asked)
        others = [slot for slot in wanted if slot != answer.slot and self._rules.slots[slot].kind not in _GOODS_KINDS]
        said = {slot: self._reader.said(slot, reading) for slot in others}
        return {slot: slot_value(slot, value, ANSWER) for slot, value in said.items() if value is not None}

    async def _answered(self, asked: DraftPlanRequest, answer: SlotAnswer, asking: Asking) -> tuple[SlotValue, ...]:
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
        if not output.value or not _is_from(output.value, answer.text, self._rules.slots[answer.slot].kind):
            return ()
        value = output.value
        return await computed(lambda: self._filled(value, answer.slot, asked, asking), at_once=is_short(value))

    def _filled(self, text: str, slot: str, asked: DraftPlanRequest, asking: Asking) -> tuple[SlotValue, ...]:
        options = options_of(slot, asking, self._catalog, self._rules)
        reading = _read(picked(text, options) or text, asked)
        if reading.is_blank or self._is_another_request(reading, slot, asked):
            return ()
        if slot in _REGION_KINDS:
            return _region_slots(located(reading, asking.ambiguous))
        value = self._answer_value(slot, reading, asked)
        return (slot_value(slot, value, ANSWER),) if value is not None else ()

    def _answer_value(self, slot: str, reading: Reading, asked: DraftPlanRequest) -> Json | None:
        """Return what an answer says; goods to compare join those that the question names."""
        if self._rules.slots[slot].kind != "products":
            return self._reader.answered(slot, reading)
        goods = tuple(dict.fromkeys((*values(asked.route.entities, "product"), *goods_and_codes(reading))))
        return goods if len(goods) > 1 else None

    def _is_another_request(self, reading: Reading, slot: str, asked: DraftPlanRequest) -> bool:
        """Tell an answer from "never mind, show me the price of flats instead"."""
        if not (_REQUEST_ENDS.search(reading.text) or _REQUEST_BEGINS.search(reading.text)):
            return False
        index = phrase_index(reading.text)
        facts = {kind for kind in ("region", "security") if reading.of(kind)}
        scores = self._keywords.scores(lambda phrase: bool(index.find(phrase)), facts)
        if not scores or scores[0].score < _OTHER_REQUEST_LEAST or scores[0].intent == asked.route.intent:
            return False
        # "send it home please" is an address, though it speaks of delivery.
        return self._rules.slots[slot].kind in {"choice", "category", *_GOODS_KINDS} or not self._is_plain(
            reading, slot
        )

    def _is_plain(self, reading: Reading, slot: str) -> bool:
        return self._reader.said(slot, reading) is not None or slot in _REGION_KINDS

    def _ambiguous(self, asked: DraftPlanRequest, spoken: Spoken, known: Mapping[str, SlotValue]) -> Entity | None:
        surface = known.get(_REGION_SURFACE)
        if surface is not None:
            return ambiguous_region([_read(str(json.loads(surface.value_json)), asked)])
        return ambiguous_region([reading for reading in (spoken.now, spoken.before) if reading is not None])


def _region_slots(place: Located) -> tuple[SlotValue, ...]:
    if place.code:
        return (slot_value(REGION, place.name, ANSWER), slot_value("region_code", place.code, ANSWER))
    return (slot_value(_REGION_SURFACE, place.surface, ANSWER),) if place.surface else ()


def _region_said_before(earlier: Sequence[Reading]) -> dict[str, SlotValue]:
    """Return the newest place that was named alone."""
    for reading in earlier:
        regions = reading.of("region")
        codes = {one.value for one in regions}
        if len(codes) == 1 and (code := regions[0].value):
            region = slot_value(REGION, regions[0].label, "history")
            return {REGION: region, "region_code": slot_value("region_code", code, "history")}
        if codes:
            return {}
    return {}


def _read(text: str, asked: DraftPlanRequest) -> Reading:
    run = asked.run
    return read_question(text[:ANSWER_CHARS_MAX], now=run.now, time_zone=run.time_zone, locale=run.locale)


def _checked(asked: DraftPlanRequest) -> tuple[SlotValue, ...]:
    for place, slot in enumerate(asked.slots):
        try:
            json.loads(slot.value_json)
        except ValueError:
            raise InvalidRequest.of(f"slots.{place}.value_json", f"the value of {slot.slot!r} is no JSON") from None
    return asked.slots


def _is_from(value: str, answer: str, kind: str) -> bool:
    """Tell whether a model's value rests on the answer: its digits stand there, unless they write a counted word."""
    if kind in {"quantity", "rating"}:
        return True
    plain = answer.replace(",", "")
    return all(digits in plain for digits in _DIGITS.findall(value.replace(",", "")))


def _as_output(filled: Sequence[SlotValue], answer: SlotAnswer) -> slot_extraction.Output:
    value = filled[0].value_json.decode()[: slot_extraction.VALUE_CHARS_MAX] if filled else ""
    return slot_extraction.Output(
        value=value,
        is_another_request=False,
        confidence=1.0 if filled else 0.0,
        reasoning=f"{answer.slot} as it stands in the answer" if filled else f"no {answer.slot} in the answer",
    )
