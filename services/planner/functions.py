"""What the domains' modules `planning` hold: functions of values and readings of slots, checked at the start."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

from services.plugin.documents import line_of
from services.plugin.installed import DECLARATION, DomainError, InstalledDomain, installed_domains
from services.plugin.questions import SlotReading, ValueFunction
from services.plugin.slots import LANGUAGE_SLOTS

MODULE = "planning"
"""The module of a domain's package that holds them."""


@dataclass(frozen=True, slots=True)
class PlanningFunctions:
    """The functions of every domain."""

    values: Mapping[str, ValueFunction]
    """What says the value of a binding, by the value's name."""
    slots: Mapping[str, SlotReading]
    """How the kinds of slots are read, those of the language too."""


def planning_functions(kinds: Collection[str]) -> PlanningFunctions:
    """Return the functions of the installed domains.

    Args:
        kinds: The kinds of entities, which fill slots by themselves.

    Raises:
        DomainError: A domain names a function or a kind of slot that there is not; every one is listed.
    """
    values: dict[str, ValueFunction] = {}
    slots: dict[str, SlotReading] = dict(LANGUAGE_SLOTS)
    faults: list[str] = []
    for domain in installed_domains():
        module = domain.module(MODULE)
        values |= _value_functions(domain, module)
        slots |= getattr(module, "SLOTS", {})
        faults += _faults(domain, values, {*slots, *kinds})
    if faults:
        raise DomainError("\n".join(faults))
    return PlanningFunctions(values, slots)


def _value_functions(domain: InstalledDomain, module: ModuleType | None) -> dict[str, ValueFunction]:
    named = {name: rule.function for name, rule in domain.declaration.values.items() if rule.function is not None}
    found = {name: getattr(module, function, None) for name, function in named.items()}
    return {name: function for name, function in found.items() if callable(function)}


def _faults(domain: InstalledDomain, values: Collection[str], kinds: Collection[str]) -> Iterator[str]:
    for name, rule in domain.declaration.values.items():
        if rule.function is not None and name not in values:
            where = entry_of(domain, "values", name)
            yield f"{where}: {MODULE}.py has no function {rule.function!r}"
    for name, slot in domain.declaration.slots.items():
        if slot.kind not in kinds:
            yield f"{entry_of(domain, 'slots', name)}: nothing reads a slot of kind {slot.kind!r}; {MODULE}.SLOTS may"


def entry_of(domain: InstalledDomain, *place: str) -> str:
    """Return file, line and name of an entry of a domain's declaration."""
    file = domain.folder / DECLARATION
    return f"{file}:{line_of(file.read_text(encoding='utf-8'), place)}: {'.'.join(place)}"
