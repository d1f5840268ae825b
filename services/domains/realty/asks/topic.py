"""One kind of question about money, as its readers and those of its numbers see it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from services.plugin.asks.roles import Role


@dataclass(frozen=True, slots=True)
class Topic:
    """One kind of question about money: its words, what its numbers may be, who answers it."""

    answerer: str
    """The answerer."""
    intent: str
    """The intent that it belongs to."""
    roles: tuple[Role, ...]
    """What its numbers may be for."""
    rest: Mapping[str, str]
    """The role of the one number of a unit that no word binds."""
    needs: tuple[str, ...] = ()
    """Roles without which nothing is computed."""
    apart: tuple[frozenset[str], ...] = ()
    """Groups of roles of which a question has one: an edit that names one group drops the others."""
    moved: str = ""
    """The role of a sum that an edit names barely, where it can have it beside what was given: the demand, not the lease."""
    takes: tuple[str, ...] = ()
    """Roles that a sum told or given just before fills, where the question lacks them."""
    holds: Callable[[Mapping[str, Decimal]], bool] | None = None
    """Whether sums can have their roles at once, which chooses where the words leave it open; None without such a rule."""
