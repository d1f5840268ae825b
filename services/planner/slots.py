"""What an intent cannot do without, and the one question that asks for it (spec 2.1.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.catalog.loader import Catalog
from services.contract.flow import Entities, SlotQuestion
from services.planner.rules import PlanningRules
from services.planner.values import PlanValues, Spoken
from services.text.entities import Region
from services.text.korean import josa

OPTIONS_MAX = 10


@dataclass(frozen=True, slots=True)
class Asking:
    """What is known when it is asked what is missing."""

    spoken: Spoken
    """The question."""
    entities: Entities
    """The route's entities."""
    values: PlanValues
    """The values that they come to."""
    locale: str
    """The user's language."""


def missing_slot(known: Asking, intents: Sequence[str], catalog: Catalog, rules: PlanningRules) -> SlotQuestion | None:
    """Return the question for the first required slot that is missing, None where the plan may run.

    An intent none of whose agents runs here asks nothing, as the answer would lead nowhere; only which of several
    places is meant is asked all the same, for the next question needs it too.
    """
    for intent in intents:
        for slot in catalog.intent(intent).required_slots:
            leads_on = catalog.is_served(intent) or (slot == "region" and _ambiguous(known.spoken) is not None)
            if leads_on and not _is_filled(slot, known):
                return _question(slot, known.spoken, rules, known.locale)
    return None


def _is_filled(slot: str, known: Asking) -> bool:
    entities, values, spoken = known.entities, known.values, known.spoken
    filled = {
        "region": bool(values.region_codes),
        "products": len(entities.products) > 1 or len(spoken.now.product_codes) > 1,
        "product": bool(entities.products or spoken.now.product_codes),
        "items": bool(entities.products or spoken.now.product_codes),
        "name": bool(entities.products),
        "quantity": bool(entities.quantities),
        "order_id": bool(entities.order_ids),
        "period": bool(entities.dates),
        "price": bool(entities.amounts),
        "new_price": bool(entities.amounts),
    }
    return filled.get(slot, False)


def _question(slot: str, spoken: Spoken, rules: PlanningRules, locale: str) -> SlotQuestion:
    ambiguous = _ambiguous(spoken) if slot == "region" else None
    if ambiguous is None:
        return SlotQuestion(slot, rules.slots[slot].of(locale), ())
    english = locale.lower().startswith("en")
    options = [district.name_en if english else district.name for district in ambiguous.alternatives]
    text = (
        rules.slots["region_ambiguous"]
        .of(locale)
        .format(surface=ambiguous.surface, topic=josa(ambiguous.surface, "은/는")[-1])
    )
    return SlotQuestion(slot, text, tuple(options[:OPTIONS_MAX]))


def _ambiguous(spoken: Spoken) -> Region | None:
    readings = [reading for reading in (spoken.now, spoken.before) if reading is not None]
    return next((one for reading in readings for one in reading.regions if one.code is None), None)
