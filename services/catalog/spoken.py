"""What people say for each intent: the texts that the router's scope voter is fitted on."""

from typing import Final

from services.catalog.loader import Catalog
from services.plugin.installed import installed_domains

_HEAD: Final = "## "


def utterances(catalog: Catalog) -> tuple[tuple[str, str], ...]:
    """Return (intent, text) pairs: the utterance files in order, then the examples of the domain files.

    Raises:
        ValueError: A file names an intent that the catalog does not have, or has a text before the first intent.
    """
    collected: list[tuple[str, str]] = []
    installed = {one.name: one for one in installed_domains()}
    for domain in catalog.domains:
        collected += _listed(installed[domain].text("utterances.txt"), domain, catalog)
    for intent in catalog.intents.values():
        collected += [(intent.id, text) for texts in intent.examples.values() for text in texts]
    return tuple(dict.fromkeys(collected))


def _listed(text: str, domain: str, catalog: Catalog) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    intent = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith(_HEAD):
            intent = line.removeprefix(_HEAD)
            if catalog.intents.get(intent) is None or catalog.domain_of(intent) != domain:
                raise ValueError(f"{domain}/utterances.txt: {intent!r} is no intent of {domain}")
        elif not line.startswith("# "):
            if not intent:
                raise ValueError(f"{domain}/utterances.txt: {line!r} stands before the first intent")
            found.append((intent, line))
    return found
