"""Generates the data sets of domains, one block at a time, so that the seed can report progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from types import MappingProxyType

from services.plugin.data.sample import Block, Given
from services.plugin.installed import InstalledDomain, in_order, installed_domains

_MODULE = "data.sample.build"


def with_required(names: Iterable[str]) -> frozenset[str]:
    """Return names of domains with those of all that they require."""
    installed = {one.name: one for one in installed_domains()}
    waiting, reached = list(names), set[str]()
    while waiting:
        reached.add(name := waiting.pop())
        waiting += set(installed[name].declaration.requires) - reached
    return frozenset(reached)


def datasets_of(names: frozenset[str]) -> int:
    """Return how many data sets domains have when every optional package is installed."""
    modules = (one.module(_MODULE) for one in installed_domains() if one.name in names)
    return sum(module.DATASETS for module in modules if module is not None)


def generated_blocks(
    names: frozenset[str], as_of: datetime, warn: Callable[[str], None]
) -> Iterator[tuple[str, Block]]:
    """Yield the data sets of domains with their domain's name; what they build on is generated and not told.

    Args:
        names: The domains.
        as_of: The moment up to which rows are generated.
        warn: Takes a sentence for each data set that is left out.
    """
    needed = with_required(names)
    domains = [one for one in installed_domains() if one.name in needed]
    for domain, block in build_blocks(sorted(domains, key=lambda one: one.name), as_of, warn):
        if domain in names:
            yield domain, block


def build_blocks(
    domains: Sequence[InstalledDomain], as_of: datetime, warn: Callable[[str], None]
) -> Iterator[tuple[str, Block]]:
    """Yield every data set as of the aware moment `as_of` with its domain's name; what others build on comes first.

    Args:
        domains: The domains, with all that they require.
        as_of: The moment up to which rows are generated.
        warn: Takes a sentence for each data set that is left out.
    """
    built_on = {name for domain in domains for name in domain.declaration.requires}
    built: dict[str, Block] = {}
    given = Given(as_of, warn, MappingProxyType(built))
    for domain in in_order(domains):
        module = domain.module(_MODULE)
        for block in module.blocks(given) if module is not None else ():
            if domain.name in built_on:
                built[block.dataset.dataset_id] = block
            yield domain.name, block
