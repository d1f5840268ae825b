"""Finds the definitions of agents: `domains/<domain>/<agent>.py` holds `AGENT`, and its id says the same.

A module beside them without `AGENT` computes for one of them. An agent's process imports its own definition only.
"""

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType
from typing import Final

from services.agents import domains
from services.agents.spec import AgentSpec

_PACKAGE: Final = domains.__name__


class SpecError(ValueError):
    """A definition that does not fit its place, or a name that has none; the text says which."""


def spec_of(name: str) -> AgentSpec:
    """Returns the definition of the agent `name`, for example "finance.macro".

    Raises:
        SpecError: There is none; the text names those that there are.
    """
    path = f"{_PACKAGE}.{name}"
    try:
        module = importlib.import_module(path)
    except ModuleNotFoundError as missing:
        # A definition that imports something missing is another matter than a definition that is missing.
        if missing.name is None or not f"{path}.".startswith(f"{missing.name}."):
            raise
        raise SpecError(_unknown(name, load_specs())) from None
    found = _spec_in(module)
    if found is None:
        raise SpecError(_unknown(name, load_specs()))
    return found


def load_specs() -> dict[str, AgentSpec]:
    """Returns every definition by its id, in order.

    Raises:
        SpecError: A module's AGENT bears another id than its place.
    """
    found = (_spec_in(importlib.import_module(path)) for path in _modules())
    return {spec.id: spec for spec in found if spec is not None}


def full_name(asked: str, known: Iterable[str]) -> str:
    """Returns the catalog name that a user means: the name itself, or the one whose last part it is.

    Raises:
        SpecError: Nothing or more than one fits; the text names what is known.
    """
    names = tuple(known)
    fitting = [name for name in names if asked in {name, name.rpartition(".")[2]}]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise SpecError(f"{asked!r} may be {' or '.join(fitting)}")
    raise SpecError(_unknown(asked, names))


def _modules() -> Iterable[str]:
    for domain in pkgutil.iter_modules(domains.__path__):
        package = importlib.import_module(f"{_PACKAGE}.{domain.name}")
        yield from (f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__))


def _spec_in(module: ModuleType) -> AgentSpec | None:
    spec = getattr(module, "AGENT", None)
    if spec is None:
        return None
    place = module.__name__.removeprefix(f"{_PACKAGE}.")
    if not isinstance(spec, AgentSpec) or spec.id != place:
        raise SpecError(f"{module.__name__}: AGENT must be an AgentSpec with the id {place!r}")
    return spec


def _unknown(name: str, known: Iterable[str]) -> str:
    return f"no agent is named {name!r}; known: {', '.join(known)}"
