"""Whether the rulings of a domain name only intents and groups of its own."""

from collections.abc import Iterator

from services.catalog.lexicon import Lexicon
from services.plugin.declarations import Domain


def ruling_faults(domain: Domain, lexicon: Lexicon) -> Iterator[str]:
    """Yield the intents and groups that the rulings of a domain name and that it does not declare."""
    own = {intent.id for intent in domain.intents}
    for where, named in _named(domain):
        if named not in own:
            yield f"{domain.domain}/domain.yaml: rulings.{where}: intent {named!r} is not declared"
    groups = lexicon.groups(domain.domain)
    for intent in domain.intents:
        if intent.graph_words is not None and intent.graph_words not in groups:
            yield f"intent {intent.id}: graph_words: no group {intent.graph_words!r}"


def _named(domain: Domain) -> Iterator[tuple[str, str]]:
    rulings = domain.rulings
    for detection in rulings.detects:
        yield from (("detects", intent) for intent in sorted(detection.intents))
    for merge in rulings.merges:
        yield from (("merges", intent) for intent in (*merge.of, *([merge.into] if merge.into else ())))
    sets = {"excludes": rulings.excludes, "undoes": rulings.undoes}
    for name, several in sets.items():
        yield from ((name, intent) for one in several for intent in one)
    singles = {"widens": rulings.widens, "stands_in": rulings.stands_in, "unexplained": rulings.unexplained}
    for name, intents in singles.items():
        yield from ((name, intent) for intent in intents)
    for name, intent in (("explains", rulings.explains), ("fallback", rulings.fallback)):
        if intent is not None:
            yield name, intent
