"""The installed domains that answer asks: their readers, and the answerers that serve what they read.

What a domain raises while it reads or answers is logged and counts as nothing read, or as left open.
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import structlog

from services.catalog.loader import CatalogError, catalog
from services.contract.asks import Ask, Said
from services.contract.flow import RouteDecision
from services.plugin.asks.answering import Answerer, Found, Outcome, Reader, RoutedReader, open_ask
from services.plugin.installed import installed_domains


@dataclass(frozen=True, slots=True)
class AskDomain:
    """What one domain declares to answer asks."""

    name: str
    """The domain."""
    read: Reader
    """Its reader."""
    answerers: Mapping[str, Answerer]
    """Its answerers by their full id: "realty.market_level"."""
    routed: RoutedReader | None = None
    """What it reads by the route alone; None where it reads nothing so."""
    meant: Reader | None = None
    """What it reads by the meaning of a whole message; None where it reads nothing so."""
    near: Reader | None = None
    """What it reads by nearness in what no reader is sure of; None where it reads nothing so."""


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
        by_id = {f"{domain.name}.{one.id}": careful_answerer(domain.name, one) for one in answerers}
        if len(by_id) != len(answerers):
            raise CatalogError(f"{module.__name__}: two answerers bear one id")
        routed, meant, near = (
            careful(domain.name, name, reader) if (reader := getattr(module, name, None)) is not None else None
            for name in ("ROUTED", "MEANT", "NEAR")
        )
        found[domain.name] = AskDomain(domain.name, careful(domain.name, "READ", read), by_id, routed, meant, near)
    return found


def answerer_of(ask: Ask) -> Answerer | None:
    """Return what answers an ask; None where its domain has nothing of that id."""
    domain = ask_domains().get(ask.domain)
    return domain.answerers.get(ask.answerer) if domain is not None else None


@functools.cache
def answering_agents() -> frozenset[str]:
    """Return the agents that answer asks."""
    return frozenset(name for one in ask_domains().values() for it in one.answerers.values() for name in it.agents)


def is_unread(route: RouteDecision | None, agents: Collection[str]) -> bool:
    """Tell whether no request was read in a question though those who were sent for it answer by requests.

    What they find for it is no answer: it only lies near. A question for a report asks for nothing in particular.
    """
    if route is None or route.asks or not agents or not set(agents) <= answering_agents():
        return False
    intent = catalog().intents.get(route.intent)
    return intent is not None and not (intent.tells_all or intent.direct or intent.requires_confirmation)


P = ParamSpec("P")
T = TypeVar("T")
_NOT_ANSWERED: Final = Said("이 부분은 지금 답하지 못했습니다.", "This part could not be answered this time.")
_log = structlog.get_logger(__name__)


def careful(domain: str, part: str, work: Callable[P, Sequence[T]]) -> Callable[P, Sequence[T]]:
    """Return a function of a domain's that returns nothing where it stumbles.

    Args:
        domain: The domain, for the log.
        part: What the function is, for the log.
        work: The function.
    """

    @wraps(work)
    def done(*given: P.args, **named: P.kwargs) -> Sequence[T]:
        try:
            return work(*given, **named)
        except Exception as error:  # noqa: BLE001 - whatever an installed part raises
            _stumbled(domain, part, error)
            return ()

    return done


def careful_answerer(domain: str, answerer: Answerer) -> Answerer:
    """Return an answerer that leaves an ask open where it stumbles over it."""

    def answer(ask: Ask, found: Found) -> Outcome:
        try:
            return answerer.answer(ask, found)
        except Exception as error:  # noqa: BLE001 - whatever an installed part raises
            _stumbled(domain, answerer.id, error)
            return Outcome(open_ask(ask, _NOT_ANSWERED))

    return replace(answerer, answer=answer, calls=careful(domain, f"{answerer.id} calls", answerer.calls))


def _stumbled(domain: str, part: str, error: Exception) -> None:
    _log.error("a domain has stumbled", domain=domain, part=part, exc_info=error)
