"""Finds the definitions of agents: `agents.<agent>` of a domain's package holds `AGENT`, and its id says the same.

A module beside them without `AGENT` computes for one of them. An agent's process imports its own definition only.
"""

from collections.abc import Iterable
from types import ModuleType
from typing import Final

from services.plugin.agent import AgentSpec
from services.plugin.installed import InstalledDomain, installed_domains

_FOLDER: Final = "agents"


class SpecError(ValueError):
    """A definition that does not fit its place, or a name that has none; the text says which."""


def spec_of(name: str) -> AgentSpec:
    """Return the definition of the agent `name`, for example "finance.macro".

    Raises:
        SpecError: There is none; the text names those that there are.
    """
    domain_name, _, agent = name.partition(".")
    domain = next((one for one in installed_domains() if one.name == domain_name), None)
    module = None if domain is None or not agent.isidentifier() else domain.module(f"{_FOLDER}.{agent}")
    found = None if domain is None or module is None else _spec_in(domain, module)
    if found is None:
        raise SpecError(_unknown(name, load_specs()))
    return found


def load_specs() -> dict[str, AgentSpec]:
    """Return every definition by its id, in order.

    Raises:
        SpecError: A module's AGENT bears another id than its place.
    """
    found = (_spec_in(domain, module) for domain in installed_domains() for module in domain.modules(_FOLDER))
    return {spec.id: spec for spec in sorted(filter(None, found), key=lambda spec: spec.id)}


def full_name(asked: str, known: Iterable[str]) -> str:
    """Return the catalog name that a user means: the name itself, or the one whose last part it is.

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


def _spec_in(domain: InstalledDomain, module: ModuleType) -> AgentSpec | None:
    spec = getattr(module, "AGENT", None)
    if spec is None:
        return None
    place = f"{domain.name}.{module.__name__.rpartition('.')[2]}"
    if not isinstance(spec, AgentSpec) or spec.id != place:
        raise SpecError(f"{module.__name__}: AGENT must be an AgentSpec with the id {place!r}")
    return spec


def _unknown(name: str, known: Iterable[str]) -> str:
    return f"no agent is named {name!r}; known: {', '.join(known)}"
