"""The installed domains, found by their entry points.

A distribution names each of its domains in the entry point group `hapju.domains`: the name is the domain's, the value
is a package. What the package holds is found by its place:

    domain.yaml      intents, agents, and where the arguments of their tools come from
    utterances.txt   example utterances by intent
    agents/          one module an agent, which holds AGENT
    tools/           one module a tool, which holds TOOL
    actions/         modules that hold TOOLS with effects
    statements/      the named SQL and Cypher statements of the tools
"""

import functools
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Final

GROUP: Final = "hapju.domains"
"""The entry point group that names domains."""
_OWN: Final = "services.domains."


class DomainError(ValueError):
    """The installed domains cannot be used as they are; the text names the domain and the fault."""


@dataclass(frozen=True, slots=True)
class InstalledDomain:
    """One domain with the package that holds it."""

    name: str
    """Its name, by which a deployment enables it."""
    package: str
    """The importable package."""

    @property
    def folder(self) -> Traversable:
        """The package's files."""
        return resources.files(self.package)

    def text(self, file: str) -> str:
        """Return the text of one of its files; empty where there is none of that name."""
        path = self.folder.joinpath(file)
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def module(self, name: str) -> ModuleType | None:
        """Return a module of the package by its name below it ("entities", "agents.macro"); None where there is none.

        An import that fails inside the module is raised: a broken module is not a missing one.
        """
        path = f"{self.package}.{name}"
        try:
            return importlib.import_module(path)
        except ModuleNotFoundError as missing:
            if missing.name is None or not f"{path}.".startswith(f"{missing.name}."):
                raise
            return None

    def modules(self, folder: str) -> Iterator[ModuleType]:
        """Yield the modules of one of its folders, in the order of their names."""
        package = self.module(folder)
        for found in pkgutil.iter_modules(package.__path__) if package is not None else ():
            yield importlib.import_module(f"{self.package}.{folder}.{found.name}")


@functools.cache
def installed_domains() -> tuple[InstalledDomain, ...]:
    """Return every installed domain: those that ship with hapju first, each group by name.

    Raises:
        DomainError: Two distributions name one domain.
    """
    found: dict[str, InstalledDomain] = {}
    for point in metadata.entry_points(group=GROUP):
        domain = InstalledDomain(point.name, point.value)
        if found.setdefault(point.name, domain) != domain:
            raise DomainError(f"domain {point.name!r}: both {found[point.name].package} and {point.value} name it")
    return tuple(sorted(found.values(), key=lambda one: (not one.package.startswith(_OWN), one.name)))
