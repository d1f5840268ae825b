"""Checks the cues of a domain: they name its own words, its ground's and the language's, and facts that exist."""

from collections.abc import Collection, Iterator

from services.catalog.facts import is_fact
from services.catalog.lexicon import Lexicon
from services.plugin.declarations import Cue, Domain


def cue_faults(domain: Domain, lexicon: Lexicon, kinds: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the cues of a domain, each fault with its intent."""
    groups = lexicon.groups(domain.domain)
    for group in groups.values():
        for term in group:
            yield from (f"domain {domain.domain}: {fault}" for fault in _term_faults(term, groups, kinds))
    for intent in domain.intents:
        for cue in intent.cues:
            for fault in (*_cue_faults(cue, groups, kinds), *_foreign(cue, domain.domain, lexicon)):
                yield f"intent {intent.id}: cue {cue.all}: {fault}"


def _cue_faults(cue: Cue, groups: Collection[str], kinds: Collection[str]) -> Iterator[str]:
    for item in (*cue.all, *cue.none):
        for term in item.split("|"):
            yield from _term_faults(term, groups, kinds)


def _term_faults(term: str, groups: Collection[str], kinds: Collection[str]) -> Iterator[str]:
    if term.startswith("@") and term[1:] not in groups:
        yield f"no group {term!r}"
    if term.startswith("#") and not is_fact(term, kinds):
        yield f"no fact {term!r}"
    if not term.strip("@#- "):
        yield "an empty term"


def _foreign(cue: Cue, domain: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield the words under `none` that another domain owns: whose a question is is the arbiter's to settle."""
    for term in (term for item in cue.none for term in item.split("|")):
        owner = lexicon.owners.get(term) or lexicon.bare.get(term, domain)
        if owner not in lexicon.ground(domain) and term not in lexicon.language:
            yield f"none: {term!r} is a word of {owner}, which the arbiter settles"
