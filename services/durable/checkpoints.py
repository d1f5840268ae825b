"""Checkpoints: what each finished stage or step of a flow came to, kept before anybody is told of it.

A replica that goes on with a flow takes the same path again from its beginning. Wherever a checkpoint stands, the call
is not made again: what it came to is read instead, so that the path comes out where the former driver left it, with the
same route, plan, results, decisions and usage. Only what was under way when that driver was lost is done again.

    routed = await state.checkpoints.once("route", RouteResponse, lambda: ensemble.route(request))

A name is a place in the flow ("route", "draft/2", "step/s1"), derived from what is done and never from the order of
calls. A new VERSION is due when a name or a message comes to mean something else; a flow of another version is not
resumed.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from google.protobuf.message import DecodeError

from services.contract.mapping import ContractViolation, Mapped, from_proto, to_proto
from services.runtime.errors import FailedPrecondition

VERSION: Final = 1
"""How checkpoints are named and read by this code."""

D = TypeVar("D", bound=Mapped)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One checkpoint as it is kept."""

    name: str
    """Its place in the flow."""
    kind: str
    """The full name of its message."""
    message: bytes
    """The message."""


Record = Callable[[tuple[Checkpoint, ...]], Awaitable[None]]
"""Writes checkpoints down, all or none."""


async def _record_nothing(_: tuple[Checkpoint, ...]) -> None:
    """Record nothing: a flow that is kept nowhere remembers its checkpoints for itself."""


class Checkpoints:
    """The checkpoints of one flow.

    Args:
        record: Writes them down.
        kept: Those of the flow's former drivers, by name.
    """

    def __init__(
        self,
        record: Record = _record_nothing,
        kept: Mapping[str, Checkpoint] = MappingProxyType({}),
    ) -> None:
        self._record = record
        self._kept = dict(kept)

    def get(self, name: str, kind: type[D]) -> D | None:
        """Return what a stage came to, or None where it has not been finished.

        Raises:
            FailedPrecondition: The checkpoint is none that this code can read.
        """
        kept = self._kept.get(name)
        if kept is None:
            return None
        if kept.kind != kind.MESSAGE.DESCRIPTOR.full_name:
            raise _unreadable(name)
        try:
            return from_proto(kind.MESSAGE.FromString(kept.message), kind)
        except (ContractViolation, DecodeError) as broken:
            raise _unreadable(name) from broken

    def has(self, name: str) -> bool:
        """Return whether a stage has been finished."""
        return name in self._kept

    def unused(self, name: str) -> str:
        """Return a name that no checkpoint has: this one with the first number that is free."""
        number = 1
        while f"{name}/{number}" in self._kept:
            number += 1
        return f"{name}/{number}"

    async def once(self, name: str, kind: type[D], call: Callable[[], Awaitable[D]]) -> D:
        """Return what a stage came to: as it is kept, or from `call`, whose return is then kept.

        Args:
            name: The stage's place in the flow.
            kind: The dataclass of its message.
            call: Does the work. What it raises is not kept: a stage that failed is done again.
        """
        kept = self.get(name, kind)
        if kept is not None:
            return kept
        made = await call()
        await self.keep({name: made})
        return made

    async def keep(self, finished: Mapping[str, object]) -> None:
        """Keep what stages came to, by name, all or none; return when they are kept.

        Raises:
            Superseded: Another replica drives the flow.
            TypeError: A value is no dataclass of the contract.
        """
        made = tuple(checkpoint(name, value) for name, value in finished.items())
        await self._record(made)
        self._kept.update({one.name: one for one in made})


def checkpoint(name: str, value: object) -> Checkpoint:
    """Return a message of the contract as it is kept under a name.

    Raises:
        TypeError: The value is no dataclass of the contract.
    """
    if not isinstance(value, Mapped):
        raise TypeError(f"{type(value).__name__} is no message of the contract")
    message = to_proto(value, value.MESSAGE)
    return Checkpoint(name, message.DESCRIPTOR.full_name, message.SerializeToString())


def _unreadable(name: str) -> FailedPrecondition:
    return FailedPrecondition(
        f"the flow's checkpoint {name} was made by another version of hapju",
        reason="CHECKPOINT_UNREADABLE",
    )
