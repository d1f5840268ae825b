"""What people say for each intent: the texts that the router's scope voter is fitted on."""

from typing import Final

from services.catalog.loader import Catalog, CatalogError
from services.plugin.installed import InstalledDomain, installed_domains

FILE: Final = "utterances.txt"
"""Where a domain lists what people say."""
_HEAD: Final = "## "


def utterances(catalog: Catalog) -> tuple[tuple[str, str], ...]:
    """Return (intent, text) pairs: the utterance files in order, then the examples of the domain files.

    Raises:
        CatalogError: A file names an intent that the catalog does not have, or has a text before the first intent.
    """
    collected: list[tuple[str, str]] = []
    installed = {one.name: one for one in installed_domains()}
    for domain in catalog.domains:
        collected += _listed(installed[domain], catalog)
    for intent in catalog.intents.values():
        collected += [(intent.id, text) for texts in intent.examples.values() for text in texts]
    return tuple(dict.fromkeys(collected))


def _listed(domain: InstalledDomain, catalog: Catalog) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    intent = ""
    for number, line in enumerate(map(str.strip, domain.text(FILE).splitlines()), start=1):
        where = f"{domain.folder / FILE}:{number}"
        if line.startswith(_HEAD):
            intent = line.removeprefix(_HEAD)
            if catalog.intents.get(intent) is None or catalog.domain_of(intent) != domain.name:
                raise CatalogError(f"{where}: {intent!r} is no intent of {domain.name}")
        elif line and not line.startswith("# "):
            if not intent:
                raise CatalogError(f"{where}: {line!r} stands before the first intent")
            found.append((intent, line))
    return found
