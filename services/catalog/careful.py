"""Domains are installed parts: one that stumbles over what it is given has nothing to say, and the others go on.

What it is given comes over the wire, an earlier message of a conversation too, and may be of a release whose words this
one does not know. A fault of a domain's own is no different to the person who asked; it stands in the log.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import structlog

from services.contract.asks import Ask, Said
from services.plugin.asks.answering import Answerer, Found, Outcome, open_ask

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
