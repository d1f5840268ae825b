"""What one call has decided and spent. The server opens a ledger for each call; a response or an error carries it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final

from services.contract.flow import Decision, Spent, ToolExchange, Usage

EXCHANGE_BYTES_MAX: Final = 524_288
"""How much of its tools' responses one call records; what goes beyond is left out and said to be."""


@dataclass(slots=True)
class Ledger:
    """The decisions and usage of one call, in order."""

    decisions: list[Decision] = field(default_factory=list)
    """The decisions made."""
    usage: Usage = Usage()
    """What was spent, the decisions' own usage included."""
    exchanges: list[ToolExchange] = field(default_factory=list)
    """The calls of tools, where flows are recorded."""

    def spent(self) -> Spent:
        """Returns what stands in the ledger now."""
        return Spent(tuple(self.decisions), self.usage, tuple(self.exchanges))


_current: ContextVar[Ledger] = ContextVar("hapju_ledger")


@contextmanager
def opened() -> Iterator[Ledger]:
    """Opens a ledger for the calls and tasks of its body."""
    ledger = Ledger()
    token = _current.set(ledger)
    try:
        yield ledger
    finally:
        _current.reset(token)


def record(decision: Decision) -> None:
    """Writes a decision and its usage down.

    Raises:
        LookupError: Outside any call.
    """
    ledger = _current.get()
    ledger.decisions.append(decision)
    ledger.usage += decision.usage


def withdraw(kind: str, input_digest: str) -> None:
    """Takes the newest decision of a kind on some inputs back, because it decides nothing; what it has cost stays.

    Raises:
        LookupError: Outside any call.
    """
    decisions = _current.get().decisions
    for place in reversed(range(len(decisions))):
        if (decisions[place].kind, decisions[place].input_digest) == (kind, input_digest):
            del decisions[place]
            return


def add_usage(usage: Usage) -> None:
    """Writes usage down that belongs to no decision, a tool call's for example.

    Raises:
        LookupError: Outside any call.
    """
    _current.get().usage += usage


def record_exchange(exchange: ToolExchange) -> None:
    """Writes a tool call down with what it came to; a response above EXCHANGE_BYTES_MAX in all is left out.

    Raises:
        LookupError: Outside any call.
    """
    ledger = _current.get()
    recorded = sum(len(one.response) for one in ledger.exchanges)
    if recorded + len(exchange.response) > EXCHANGE_BYTES_MAX:
        exchange = replace(exchange, response=b"", left_out=True)
    ledger.exchanges.append(exchange)


def spent() -> Spent:
    """Returns what the current call has decided and spent so far; nothing outside any call."""
    ledger = _current.get(None)
    return ledger.spent() if ledger is not None else Spent()
