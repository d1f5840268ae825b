"""The asks of a question, read by the installed domains, and the answerers that serve them.

Each domain's reader claims asks with a score. Where two domains claim the same words, the surer one has them; asks of
several domains stand beside each other where their words are apart. The first four are kept, in the order of the text.
"""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from services.catalog.loader import CatalogError
from services.contract.asks import Ask, AskedBefore
from services.plugin.asks.answering import Answerer, Claim, Reader
from services.plugin.asks.sheet import Sheet
from services.plugin.installed import installed_domains

ASKS_MAX: Final = 4
"""How many asks of one message are answered."""


@dataclass(frozen=True, slots=True)
class AskDomain:
    """What one domain declares to answer asks."""

    name: str
    """The domain."""
    read: Reader
    """Its reader."""
    answerers: Mapping[str, Answerer]
    """Its answerers by their full id: "realty.market_level"."""


@functools.cache
def ask_domains() -> Mapping[str, AskDomain]:
    """Return the domains that answer asks, by name.

    Raises:
        CatalogError: A domain's module `asks` lacks READ or ANSWERERS, or an id is declared twice.
    """
    found = {}
    for domain in installed_domains():
        module = domain.module("asks")
        if module is None:
            continue
        read, answerers = getattr(module, "READ", None), getattr(module, "ANSWERERS", None)
        if not callable(read) or not isinstance(answerers, tuple):
            raise CatalogError(f"{module.__name__}: READ is a reader and ANSWERERS a tuple of answerers")
        by_id = {f"{domain.name}.{one.id}": one for one in answerers}
        if len(by_id) != len(answerers):
            raise CatalogError(f"{module.__name__}: two answerers bear one id")
        found[domain.name] = AskDomain(domain.name, read, by_id)
    return found


def answerer_of(ask: Ask) -> Answerer | None:
    """Return what answers an ask; None where its domain has nothing of that id."""
    domain = ask_domains().get(ask.domain)
    return domain.answerers.get(ask.answerer) if domain is not None else None


def read_asks(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str] = ()) -> tuple[Claim, ...]:
    """Return the asks of a question with their scores, in the order of the text, named q1, q2, ...

    Args:
        sheet: The question.
        before: Earlier messages of the conversation, the latest first.
        domains: The domains that may answer; all where empty.
    """
    claims = [_named(claim, domain.name) for domain in ask_domains().values() for claim in domain.read(sheet, before)]
    claims = [claim for claim in claims if not domains or _is_served_in(claim.ask, domains)]
    kept = sorted(_apart(claims), key=lambda claim: (claim.ask.start, claim.ask.end))[:ASKS_MAX]
    ids = {claim.ask.ask_id or f"#{at}": f"q{at}" for at, claim in enumerate(kept, start=1)}
    return tuple(replace(claim, ask=_numbered(claim.ask, f"q{at}", ids)) for at, claim in enumerate(kept, start=1))


def _is_served_in(ask: Ask, domains: Collection[str]) -> bool:
    """Tell whether an agent of one of these domains answers an ask; a ground that others require has none itself."""
    answerer = answerer_of(ask)
    return answerer is not None and any(name.partition(".")[0] in domains for name in answerer.agents)


def _named(claim: Claim, domain: str) -> Claim:
    ask = claim.ask
    answerer = ask.answerer if ask.answerer.startswith(f"{domain}.") else f"{domain}.{ask.answerer}"
    return replace(claim, ask=replace(ask, domain=domain, answerer=answerer))


def _numbered(ask: Ask, ask_id: str, ids: Mapping[str, str]) -> Ask:
    """Return an ask under its place; what it depends on is named by its reader's own ids."""
    return replace(ask, ask_id=ask_id, depends_on=tuple(ids[one] for one in ask.depends_on if one in ids))


def _apart(claims: Sequence[Claim]) -> list[Claim]:
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: -claim.score):
        if all(claim.ask.domain == other.ask.domain or not _overlap(claim.ask, other.ask) for other in kept):
            kept.append(claim)
    return kept


def _overlap(one: Ask, other: Ask) -> bool:
    return one.start < other.end and other.start < one.end
