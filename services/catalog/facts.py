"""The facts about a question that cues name as "#name": what its entities come to, and what the language shows.

#security               a security is named; an ambiguous name is one, too
#2security              two or more are
#?region                a name fits several regions
#security[country=US]   one of them has this attribute
#user_type=seller       who asks
#short ...              see `LANGUAGE`
"""

from collections.abc import Iterable
from typing import Final

from services.contract.entities import Entity
from services.text.patterns import Pattern

LANGUAGE: Final = frozenset({"short", "looks_back", "definition", "there_is"})
"""What the language of a question shows: few words; a span of weeks behind; a word's meaning is asked; whether there is
such a thing is asked."""
_FORM: Final = Pattern(r"#?[2?]?(?P<kind>[a-z][a-z0-9_]*)(?:\[[a-z_]+=[^\]]+\])?")
_WHO: Final = Pattern(r"#user_type=[a-z]+")


def entity_facts(entities: Iterable[Entity]) -> frozenset[str]:
    """Return the facts that the entities of a question come to."""
    found: set[str] = set()
    named: dict[str, set[str]] = {}
    for entity in entities:
        named.setdefault(entity.kind, set()).add(entity.value or entity.words)
        found |= {f"{entity.kind}[{name}={value}]" for name, value in entity.attributes.items()}
        if not entity.value:
            found.add(f"?{entity.kind}")
    return frozenset(found | named.keys() | {f"2{kind}" for kind, values in named.items() if len(values) > 1})


def kind_of_fact(fact: str) -> str:
    """Return the kind of entities that a fact is on; empty for a fact of the language."""
    form = _FORM.fullmatch(fact)
    return form["kind"] if form is not None and form["kind"] not in LANGUAGE else ""


def is_fact(fact: str, kinds: Iterable[str]) -> bool:
    """Tell whether a "#name" can be derived, given the kinds that are read."""
    return fact.removeprefix("#") in LANGUAGE or bool(_WHO.fullmatch(fact)) or kind_of_fact(fact) in set(kinds)
