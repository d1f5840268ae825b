"""What an intent cannot do without, and the one question that asks for it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.catalog.loader import Catalog
from services.contract.entities import Entity
from services.contract.flow import FailureTag, SlotQuestion, SlotValue
from services.planner.rules import CHOICE, PlanningRules, which_of
from services.text.ko.written import josa

OPTIONS_MAX = 10
QUESTIONS_MAX = 5
ANSWER = "answer"
"""Where a slot's value was found: question, history, profile, or the answer to the slot's question."""


@dataclass(frozen=True, slots=True)
class MissingSlot:
    """What the plan waits for; both are empty where it may run."""

    question: SlotQuestion | None = None
    """The one question to ask now."""
    obstacle: str = ""
    """Why the plan cannot go on."""


def slot_value(slot: str, value: object, source: str) -> SlotValue:
    """Return a slot's value as it travels."""
    return SlotValue(slot, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), source)


def required_slots(intents: Sequence[str], catalog: Catalog) -> tuple[str, ...]:
    """Return the slots that the intents need, in the order of asking, each once."""
    return tuple(dict.fromkeys(slot for intent in intents for slot in catalog.intent(intent).required_slots))


@dataclass(frozen=True, slots=True)
class WordingBasis:
    """What there is to go by when the next question is worded."""

    known: Mapping[str, SlotValue]
    """The slots that are filled."""
    ambiguous: Entity | None
    """A name that fits several things; None where none was said."""
    asked_slots: tuple[str, ...]
    """The slots that this flow has asked for already."""
    was_unreadable: bool
    """Whether the answer to the last question could not be read."""
    locale: str
    """The user's language."""


def missing(asking: WordingBasis, required: Sequence[str], catalog: Catalog, rules: PlanningRules) -> MissingSlot:
    """Return the question for the first required slot that is missing, one a turn and none twice, five at the most."""
    if asking.was_unreadable:
        return MissingSlot(obstacle=FailureTag.INVALID_SLOT_VALUE.value)
    slot = next((slot for slot in required if slot not in asking.known), None)
    if slot is None:
        return MissingSlot()
    if is_ambiguous(slot, asking.ambiguous, rules):
        slot += CHOICE
    if slot in asking.asked_slots:
        return MissingSlot(obstacle=FailureTag.INVALID_SLOT_VALUE.value)
    if len(asking.asked_slots) >= QUESTIONS_MAX:
        return MissingSlot(obstacle=FailureTag.TOO_MANY_QUESTIONS.value)
    return MissingSlot(question_for(slot, asking, catalog, rules), FailureTag.MISSING_REQUIRED_SLOTS.value)


def is_ambiguous(slot: str, ambiguous: Entity | None, rules: PlanningRules) -> bool:
    """Tell whether a name that fits several things is what the slot asks for, so that it is asked which is meant."""
    rule = rules.slots[slot]
    return ambiguous is not None and rule.which is not None and rule.kind == ambiguous.kind


def question_for(slot: str, asking: WordingBasis, catalog: Catalog, rules: PlanningRules) -> SlotQuestion:
    """Return the question for a slot with the options that can be offered."""
    text, ambiguous = rules.slots[slot].of(asking.locale), asking.ambiguous
    if ambiguous is not None and slot.endswith(CHOICE) and is_ambiguous(which_of(slot), ambiguous, rules):
        text = text.format(surface=ambiguous.words, topic=josa(ambiguous.words, "은/는")[-1])
    return SlotQuestion(slot, text, options_of(slot, asking, catalog, rules))


def options_of(slot: str, asking: WordingBasis, catalog: Catalog, rules: PlanningRules) -> tuple[str, ...]:
    """Return the values to choose from, in the user's language; empty where any will do."""
    kind = rules.slots[slot].kind
    if asking.ambiguous is not None and slot.endswith(CHOICE) and asking.ambiguous.kind == kind:
        return tuple(one.label for one in asking.ambiguous.alternatives)[:OPTIONS_MAX]
    if kind in catalog.kinds and (rows := catalog.kinds[kind].rows):
        return tuple(row.name.of(asking.locale) for row in rows)[:OPTIONS_MAX]
    return tuple(choice.of(asking.locale) for choice in rules.slots[slot].choices)[:OPTIONS_MAX]
