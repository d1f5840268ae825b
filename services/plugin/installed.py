"""The installed domains, found by their entry points.

A distribution names each of its domains in the entry point group `hapju.domains`: the name is the domain's, the value
is a package. What the package holds is found by its place:

    domain.yaml      intents, agents with their ports, and where the arguments of their tools come from
    utterances.txt   example utterances by intent
    agents/          one module an agent, which holds AGENT
    tools/           one module a tool, which holds TOOL
    actions/         modules that hold TOOLS with effects
    graph.py         SCHEMA, the labels and relations of the graph that it owns
    data/            tables.py, migrations/versions/ (a branch of its own), sample/build.py
    statements/      the named SQL and Cypher statements of the tools
"""

import functools
import importlib
import pkgutil
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Final

from services.plugin.declarations import Domain
from services.plugin.documents import DocumentError, read_model
from services.runtime.environment import domains_enabled
from services.runtime.settings import SettingsError

GROUP: Final = "hapju.domains"
"""The entry point group that names domains."""
_OWN: Final = "services.domains."


DECLARATION: Final = "domain.yaml"
"""The file that makes a package a domain."""


class DomainError(SettingsError):
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
        """The package's files.

        Raises:
            DomainError: The package cannot be imported.
        """
        try:
            return resources.files(self.package)
        except ModuleNotFoundError:
            raise DomainError(f"domain {self.name!r}: its package {self.package} cannot be imported") from None

    @property
    def declaration(self) -> Domain:
        """What its domain.yaml says; read once.

        Raises:
            DocumentError: There is none, or it has another shape; file and line are named.
            DomainError: The package cannot be imported, or its domain.yaml declares another domain.
        """
        return _declared(self)

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
def packaged_domains() -> tuple[InstalledDomain, ...]:
    """Return every domain that a distribution names, enabled or not: hapju's own first, each group by name.

    Raises:
        DomainError: Two distributions name one domain.
    """
    found: dict[str, InstalledDomain] = {}
    for point in metadata.entry_points(group=GROUP):
        domain = InstalledDomain(point.name, point.value)
        if found.setdefault(point.name, domain) != domain:
            raise DomainError(f"domain {point.name!r}: both {found[point.name].package} and {point.value} name it")
    return tuple(sorted(found.values(), key=lambda one: (not is_own(one), one.name)))


@functools.cache
def installed_domains() -> tuple[InstalledDomain, ...]:
    """Return the domains that this deployment knows: those that HAPJU_DOMAINS names, by default all, and their ground.

    Raises:
        DomainError: HAPJU_DOMAINS or a domain names one that is not installed.
        DocumentError: A domain.yaml cannot be read.
    """
    return enabled(packaged_domains(), domains_enabled())


def enabled(packaged: Iterable[InstalledDomain], names: Collection[str]) -> tuple[InstalledDomain, ...]:
    """Return the named domains, by default all, with what they require and those that no deployment leaves out.

    Raises:
        DomainError: A name, or what a domain requires, is not among the packaged ones.
        DocumentError: A domain.yaml cannot be read.
    """
    known = {one.name: one for one in packaged}
    listed = ", ".join(sorted(known))
    if unknown := sorted(set(names) - set(known)):
        raise DomainError(f"HAPJU_DOMAINS: no domain is named {', '.join(unknown)}; installed are {listed}")
    always = (name for name, one in known.items() if one.declaration.always) if names else known
    waiting, reached = [*names, *always], set[str]()
    while waiting:
        one = known[waiting.pop()]
        missing = [name for name in one.declaration.requires if name not in known]
        if missing:
            wants = f"{one.folder / DECLARATION}: {one.name} requires {', '.join(missing)}"
            raise DomainError(f"{wants}, which is not installed; installed are {listed}")
        reached.add(one.name)
        waiting += set(one.declaration.requires) - reached
    return tuple(one for one in known.values() if one.name in reached)


def in_order(domains: Iterable[InstalledDomain]) -> tuple[InstalledDomain, ...]:
    """Return domains in an order in which each comes after those that it requires.

    Raises:
        DomainError: Domains require each other in a circle.
    """
    waiting, ordered = {one.name: one for one in domains}, list[InstalledDomain]()
    while waiting:
        ready = [one for one in waiting.values() if not set(one.declaration.requires) & set(waiting)]
        if not ready:
            raise DomainError(f"domains {', '.join(sorted(waiting))} require each other in a circle")
        ordered += ready
        waiting = {name: one for name, one in waiting.items() if one not in ready}
    return tuple(ordered)


def is_own(domain: InstalledDomain) -> bool:
    """Return whether a domain ships with hapju."""
    return domain.package.startswith(_OWN)


@functools.cache
def _declared(domain: InstalledDomain) -> Domain:
    path = domain.folder / DECLARATION
    if not path.is_file():
        raise DocumentError(f"{path}: {domain.package} is named as domain {domain.name!r}, but holds no {DECLARATION}")
    declared = read_model(path, Domain)
    if declared.domain != domain.name:
        raise DomainError(f"{path}: declares {declared.domain!r}, but its entry point names {domain.name!r}")
    return declared
