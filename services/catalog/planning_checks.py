"""Whether what domains declare of planning names only what there is: a line for each mistake, with file and entry."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable

from services.catalog.lexicon import Lexicon
from services.plugin.declarations import Agent, Domain, Intent
from services.plugin.documents import line_of
from services.plugin.installed import DECLARATION, installed_domains


def planning_faults(domains: Sequence[Domain], kinds: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the planning, values, slots and reuse of domains.

    Args:
        domains: The domains.
        kinds: The kinds of entities that are read, the core's too.
    """
    files = {one.name: one.folder / DECLARATION for one in installed_domains()}
    for domain in domains:
        for where, fault in _faults(domain, {*kinds, *domain.reuse.facets}):
            yield f"{_place(files.get(domain.domain), where)}{where}: {fault}"
    yield from _repeated(domains)


def _place(file: Traversable | None, where: str) -> str:
    """Return the file and line of an entry such as "planning.adds.0"; those of an agent or intent are found by name."""
    if file is None or where.startswith(("agent ", "intent ")):
        return ""
    place = [int(part) if part.isdigit() else part for part in where.split(".")]
    return f"{file}:{line_of(file.read_text(encoding='utf-8'), place)}: "


def _faults(domain: Domain, kinds: Collection[str]) -> Iterator[tuple[str, str]]:
    types = {tool.data_type for tool in domain.tools} | set(domain.reuse.types)
    yield from _unknown("agent", _agents_named(domain), {agent.id for agent in domain.agents})
    yield from _unknown("intent", _intents_named(domain), {intent.id for intent in domain.intents})
    yield from _unknown("subject", _subjects_named(domain.agents), domain.planning.subjects)
    yield from _unknown("data type", _types_named(domain), types)
    yield from _unknown("kind of entity", _kinds_named(domain), kinds)
    for name, rule in domain.slots.items():
        if rule.kind == "choice" and not rule.choices:
            yield f"slots.{name}", "a choice without choices"
    if (domain.reuse.search is None) is not (domain.reuse.over is None):
        yield "reuse", "search and over stand together or not at all"


def _unknown(what: str, named: Iterator[tuple[str, str]], known: Collection[str]) -> Iterator[tuple[str, str]]:
    yield from ((where, f"{what} {name!r} is not declared") for where, name in named if name not in known)


def _agents_named(domain: Domain) -> Iterator[tuple[str, str]]:
    planning, reuse = domain.planning, domain.reuse
    for intent in domain.intents:
        yield from ((f"intent {intent.id}: always", name) for name in intent.always)
    for place, one in enumerate(planning.adds):
        yield from ((f"planning.adds.{place}", name) for name in one.agents)
    yield from (("planning.facts", name) for name in planning.facts)
    yield from (("reuse", name) for name in (reuse.search, reuse.over) if name is not None)


def _intents_named(domain: Domain) -> Iterator[tuple[str, str]]:
    for place, addition in enumerate(domain.planning.adds):
        yield from ((f"planning.adds.{place}", name) for name in (*addition.intents, *addition.never_to))
    for place, consequence in enumerate(domain.planning.consequences):
        yield f"planning.consequences.{place}", consequence.intent
    for name, rule in domain.values.items():
        yield from ((f"values.{name}", intent) for case in rule.cases for intent in case.intents)


def _subjects_named(agents: Sequence[Agent]) -> Iterator[tuple[str, str]]:
    for agent in agents:
        yield from ((f"agent {agent.id}", name) for name in (*agent.only_for, *agent.also_for))


def _kinds_named(domain: Domain) -> Iterator[tuple[str, str]]:
    for name, rule in domain.values.items():
        if rule.kind is not None:
            yield f"values.{name}.kind", rule.kind
    for name, subject in domain.planning.subjects.items():
        yield from ((f"planning.subjects.{name}", kind) for kind in (*subject.kinds, *subject.unless))
    yield from ((f"evaluated.{name}", kind) for name, kind in domain.evaluated.items())
    for name, held in domain.reuse.types.items():
        yield from ((f"reuse.types.{name}", kind) for kind in held.told_apart_by)


def _types_named(domain: Domain) -> Iterator[tuple[str, str]]:
    for name, rule in domain.values.items():
        yield from ((f"values.{name}.for_data", data_type) for data_type in rule.for_data)


def _repeated(domains: Sequence[Domain]) -> Iterator[str]:
    """Yield each name that two domains declare, though it has one meaning on the wire."""
    sections: Mapping[str, Sequence[Mapping[str, object]]] = {
        "values": [domain.values for domain in domains],
        "slots": [domain.slots for domain in domains],
        "reuse.types": [domain.reuse.types for domain in domains],
        "reuse.facets": [domain.reuse.facets for domain in domains],
    }
    for section, tables in sections.items():
        names = [name for table in tables for name in table]
        for name in sorted({name for name in names if names.count(name) > 1}):
            where = [domain.domain for domain, table in zip(domains, tables, strict=True) if name in table]
            yield f"{section}.{name}: declared by {' and '.join(where)}"


def unasked_slots(intents: Sequence[Intent], slots: Mapping[str, object]) -> Iterator[str]:
    """Yield each intent that requires a slot which no question asks for."""
    for intent in intents:
        for name in intent.required_slots:
            if name not in slots:
                yield f"intent {intent.id}: required_slots: nothing asks for {name!r}"


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
