"""Generates the data sets of domains, one block at a time, so that the seed can report progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from types import MappingProxyType

from services.plugin.installed import InstalledDomain, in_order
from services.plugin.sample import Block, Given

_MODULE = "data.sample.build"


def datasets_max(domains: Sequence[InstalledDomain]) -> int:
    """Return how many data sets domains have when every optional package is installed."""
    modules = (domain.module(_MODULE) for domain in domains)
    return sum(module.DATASETS for module in modules if module is not None)


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
