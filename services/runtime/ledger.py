"""What one call has decided and spent. The server opens a ledger for each call; a response or an error carries it.

A decision that may come to nothing is made with a ledger aside: what it spends counts in the call's at once, and the
decision itself once it is adopted.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final, Optional

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
    reserved: Usage = Usage()
    """What calls that have not ended may still come to."""
    exchanges: list[ToolExchange] = field(default_factory=list)
    """The calls of tools, where flows are recorded."""
    beside: Optional["Ledger"] = None
    """The call's ledger, where this one is aside."""

    def spent(self) -> Spent:
        """Return what stands in the ledger now; in one that is aside, in the call's as well."""
        if self.beside is None:
            return Spent(tuple(self.decisions), self.usage, tuple(self.exchanges))
        before = self.beside.spent()
        return Spent((*before.decisions, *self.decisions), before.usage, before.tool_exchanges)

    def add(self, usage: Usage) -> None:
        """Add what was spent."""
        self.usage += usage
        if self.beside is not None:
            self.beside.add(usage)

    def hold_back(self, claim: Usage) -> None:
        """Hold back what a call may come to; less than nothing gives it back."""
        self.reserved += claim
        if self.beside is not None:
            self.beside.hold_back(claim)

    def held_back(self) -> Usage:
        """Return what is held back; in a ledger that is aside, what is in the call's."""
        return self.reserved if self.beside is None else self.beside.held_back()


_current: ContextVar[Ledger] = ContextVar("hapju_ledger")


@contextmanager
def opened() -> Iterator[Ledger]:
    """Open a ledger for the calls and tasks of its body."""
    with _use(Ledger()) as book:
        yield book


@contextmanager
def aside() -> Iterator[Ledger]:
    """Open a ledger for a decision of its body, or of a task begun there, that may come to nothing.

    Raises:
        LookupError: Outside any call.
    """
    with _use(Ledger(beside=_current.get())) as book:
        yield book


@contextmanager
def _use(book: Ledger) -> Iterator[Ledger]:
    token = _current.set(book)
    try:
        yield book
    finally:
        _current.reset(token)


def record(decision: Decision) -> None:
    """Write a decision and its usage down.

    Raises:
        LookupError: Outside any call.
    """
    adopt((decision,))
    add_usage(decision.usage)


def adopt(decisions: Iterable[Decision]) -> None:
    """Write decisions down whose usage stands in the ledger already.

    Raises:
        LookupError: Outside any call.
    """
    _current.get().decisions.extend(decisions)


def add_usage(usage: Usage) -> None:
    """Write usage down that belongs to no decision, a tool call's for example.

    Raises:
        LookupError: Outside any call.
    """
    _current.get().add(usage)


def reserve(claim: Usage) -> None:
    """Hold back what a call may come to; less than nothing gives it back.

    Raises:
        LookupError: Outside any call.
    """
    _current.get().hold_back(claim)


def reserved() -> Usage:
    """Return what is held back for calls that have not ended; nothing outside any call."""
    ledger = _current.get(None)
    return ledger.held_back() if ledger is not None else Usage()


def record_exchange(exchange: ToolExchange) -> None:
    """Write a tool call down with what it came to; a response above EXCHANGE_BYTES_MAX in all is left out.

    Raises:
        LookupError: Outside any call.
    """
    ledger = _current.get()
    recorded = sum(len(one.response) for one in ledger.exchanges)
    if recorded + len(exchange.response) > EXCHANGE_BYTES_MAX:
        exchange = replace(exchange, response=b"", left_out=True)
    ledger.exchanges.append(exchange)


def spent() -> Spent:
    """Return what the current call has decided and spent so far; nothing outside any call."""
    ledger = _current.get(None)
    return ledger.spent() if ledger is not None else Spent()


def tokens_of(text: str) -> int:
    """Return a bound of how many tokens a text takes: a Hangul syllable, or three other letters, each."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)
