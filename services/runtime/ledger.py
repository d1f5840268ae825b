"""What one call has decided and spent. The server opens a ledger for each call; a response or an error carries it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from services.contract.flow import Decision, Spent, Usage


@dataclass(slots=True)
class Ledger:
    """The decisions and usage of one call, in order."""

    decisions: list[Decision] = field(default_factory=list)
    """The decisions made."""
    usage: Usage = Usage()
    """What was spent, the decisions' own usage included."""
    reserved: Usage = Usage()
    """What calls that have not ended may still come to."""

    def spent(self) -> Spent:
        """Returns what stands in the ledger now."""
        return Spent(tuple(self.decisions), self.usage)


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


def add_usage(usage: Usage) -> None:
    """Writes usage down that belongs to no decision, a tool call's for example.

    Raises:
        LookupError: Outside any call.
    """
    _current.get().usage += usage


def reserve(claim: Usage) -> None:
    """Holds back what a call may come to; less than nothing gives it back.

    Raises:
        LookupError: Outside any call.
    """
    _current.get().reserved += claim


def reserved() -> Usage:
    """Returns what is held back for calls that have not ended; nothing outside any call."""
    ledger = _current.get(None)
    return ledger.reserved if ledger is not None else Usage()


def spent() -> Spent:
    """Returns what the current call has decided and spent so far; nothing outside any call."""
    ledger = _current.get(None)
    return ledger.spent() if ledger is not None else Spent()
