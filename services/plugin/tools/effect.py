"""What an effect is: the function that does it, what is shown of it before, and how it is refused.

`apply` runs inside a transaction and finds everything it needs through its `Scope`: it locks and checks the rows,
changes them, and returns what was done. A preview runs the same function and rolls back, so that it cannot show
anything else than what would be done. Where money moves, `settle` follows in the same transaction or, with an outside
system, in a later one: it makes what `apply` reserved final, or takes it back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from services.contract.asks import Said
from services.contract.tool import ActionFieldKind, EffectKind
from services.plugin.wording import Text
from services.runtime.identity import Caller
from services.text.visible import visible

if TYPE_CHECKING:
    from sqlalchemy import Connection

SHOWN_CHARACTERS_MAX: Final = 500
KEY_PARTS: Final = ("flow_run_id", "step_id", "ordinal")
"""The parts of the key under which an effect happens once."""


class EffectRefused(Exception):
    """An action that may not be done; nothing is.

    Attributes:
        reason: Its tag.
        field: The argument that it concerns; empty where none does.
        message: Why, in English.
        told: Why, as the user is told it; None where the effect words none.
    """

    reason = "BUSINESS_LOGIC_VIOLATION"

    def __init__(self, field: str, message: str, told: Said | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.told = told


class RuleViolated(EffectRefused):
    """A rule of the business says no."""


class Missing(EffectRefused):
    """What the action is about does not exist, or is somebody else's: the two look alike."""

    reason = "NOT_FOUND"


class NotTheirs(Missing):
    """What belongs to persons and is none of the caller's: somebody else's, or nobody's; the two look alike."""

    reason = "UNAUTHORIZED_ACTION"


@dataclass(frozen=True, slots=True)
class Shown:
    """One typed value that the user sees before approving."""

    name: str
    """The field's name, for example "amount_krw"."""
    kind: ActionFieldKind
    """What it is."""
    number: int = 0
    """Its value where it is a number."""
    text: str = ""
    """Its value where it is text; a number's digits are written by the preview."""


@dataclass(frozen=True, slots=True)
class Money:
    """Money that the effect moves; at most one movement an effect."""

    kind: EffectKind
    """Which way."""
    amount_krw: int
    """How much, above 0."""
    order_id: str
    """For which order."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What `apply` did."""

    result: BaseModel
    """The row that tells it."""
    shown: tuple[Shown, ...]
    """What the user is to see of it."""
    money: Money | None = None
    """What is to be moved."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an effect works."""

    connection: Connection
    """The transaction."""
    caller: Caller
    """The user; every statement over owned rows binds their tenant and id."""
    now: datetime
    """The present instant, aware."""
    effect_key: str
    """The effect's own key: ids of new rows are made of it, so they are the same however often it is tried."""

    @property
    def moment(self) -> datetime:
        """The present instant as the database keeps it: UTC without a zone."""
        return self.now.astimezone(UTC).replace(tzinfo=None)

    @property
    def number(self) -> str:
        """Twelve digits made of the key, for ids that people say and write."""
        return f"{int(self.effect_key[:16], 16) % 10**12:012}"

    @property
    def owner(self) -> dict[str, str]:
        """The owner columns of a row of this user."""
        return {"tenant": self.caller.tenant, "user_id": self.caller.user_id}


@dataclass(frozen=True)
class Effect:
    """The part of a tool that changes something."""

    action_type: str
    """The action's type, for example "REFUND_ORDER"."""
    apply: Callable[[Any, Scope], Applied]
    """Does it for validated arguments, or raises EffectRefused."""
    confirmation_required: bool
    """Whether the user has to approve it."""
    labels: Mapping[str, Text]
    """What a user calls each field that is shown before approving, by the field's name."""
    settle: Callable[[Any, Scope, bool], BaseModel] | None = None
    """Makes what `apply` reserved final (True: the money has moved) or takes it back; needed where money moves."""
    note: str = ""
    """How it is undone, or that it is not: for whoever has to by hand."""
    asks: Callable[[Any], Said] | None = None
    """Asks for the user's word on the row that would be its result."""
    tells: Callable[[Any], Said] | None = None
    """Tells what was done, from the row that is its result."""
    declined: Said | None = None
    """Tells that an outside system moved no money and nothing was done."""
    words: tuple[str, ...] = ()
    """What people call doing it, Korean nouns and English verbs: a yes may name it."""
    words_of: Callable[[Any], tuple[str, ...]] = lambda _: ()
    """Words for what is shown that a yes may say beside them: how an order is paid, of the one that is shown."""


def cleaned(text: str) -> str:
    """Return text without control, direction and other invisible format characters; line breaks become spaces."""
    return re.sub(r"[\n\t]", " ", visible(text))


def money_krw(name: str, amount_krw: int) -> Shown:
    """Return an amount to be shown."""
    return Shown(name, ActionFieldKind.MONEY_KRW, number=amount_krw)


def quantity(name: str, count: int) -> Shown:
    """Return a count to be shown."""
    return Shown(name, ActionFieldKind.QUANTITY, number=count)


def target(name: str, identifier: str, title: str = "") -> Shown:
    """Return what the action is about, with its id and its name."""
    return Shown(name, ActionFieldKind.TARGET, text=f"{title} ({identifier})" if title else identifier)


def text(name: str, value: str) -> Shown:
    """Return anything else to be shown."""
    return Shown(name, ActionFieldKind.TEXT, text=value)
