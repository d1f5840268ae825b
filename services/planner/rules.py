"""The planner's data, typed and read once from planning.yaml."""

from collections.abc import Mapping
from functools import cache
from importlib import resources

from services.catalog.loader import Catalog, CatalogError
from services.catalog.planning_checks import unasked_slots
from services.contract.forms import CHOICE as CHOICE  # noqa: PLC0414 - handed on by name
from services.plugin.documents import read_model
from services.plugin.entries import Bilingual, Entry
from services.plugin.planning import SlotRule, Want

FIRST = "1"
"""An answer that picks the first option."""


class PlanningRules(Entry):
    """What the planner goes by in every domain."""

    wants: Mapping[Want, tuple[str, ...]]
    """Words of the language that say what is wanted beyond a fact."""
    verbs: tuple[str, ...]
    """English verbs with which a request begins that follows its condition without a comma."""
    slots: Mapping[str, SlotRule]
    """Slots of the language, which any domain may ask for, by name."""
    no_answer: tuple[str, ...]
    """Words of an answer that says nothing."""
    pointing_back: tuple[str, ...]
    """Words of a question that means what was found before."""
    asking_anew: tuple[str, ...]
    """Words of a question that wants its data looked up anew."""
    found_nothing: tuple[str, ...]
    """Words of an answer that had no data."""
    function_words: frozenset[str]
    """Words that carry no content to search by."""
    task: Bilingual
    """How a step's task is worded."""


def which_of(slot: str) -> str:
    """Return the slot that is filled by the answer to which of several things of one name is meant, or the slot."""
    return slot.removesuffix(CHOICE)


@cache
def planning_rules() -> PlanningRules:
    """Return the rules of the installed planner.

    Raises:
        DocumentError: The data is malformed; the text names the line and the entry.
    """
    return read_model(resources.files("services.planner") / "planning.yaml", PlanningRules)


def checked(rules: PlanningRules, catalog: Catalog) -> PlanningRules:
    """Return the rules with the slots of every domain beside those of the language.

    Raises:
        CatalogError: An intent needs a slot that nothing asks for, or a domain declares one of the language's slots.
    """
    faults = [f"slots.{name}: the language has a slot of this name" for name in rules.slots if name in catalog.slots]
    slots = {**catalog.slots, **rules.slots}
    for name, rule in catalog.slots.items():
        if rule.which is not None:
            told = {"ko": rule.which.ko, "en": rule.which.en, "which": None, "example": FIRST}
            slots[name + CHOICE] = rule.model_copy(update=told)
    faults += unasked_slots(tuple(catalog.intents.values()), slots)
    if faults:
        raise CatalogError("\n".join(faults))
    return rules.model_copy(update={"slots": slots})
