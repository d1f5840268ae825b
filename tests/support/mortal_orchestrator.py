"""An orchestrator that dies at a chosen moment: python mortal_orchestrator.py MOMENT. It serves as the real one does.

A MOMENT that is a number is a write: the process is killed with SIGKILL right after the write with that number, counted
over the fenced writes of all its flows, has been committed, and before anybody is told of it. Each event that is kept
counts as a write, also where several are kept in one go, and so does a flow's end; 0 never dies. A MOMENT that is a
name is a call of the ensemble, for example execute_action: the process is killed when the call has been answered and
nothing of that has been written down.
"""

import os
import signal
import sys
from typing import Any

from services.catalog.topology import topology
from services.durable.schema import FLOW_EVENTS
from services.durable.store import FlowStore
from services.durable.writer import FlowRow, Lease, Writer
from services.orchestrator.calls import PeerEnsemble
from services.orchestrator.caretaker import Caretaker
from services.orchestrator.servicer import register
from services.runtime.server import serve


def mortal(moment: str) -> None:
    """Makes this process die at a moment."""

    async def take_nothing(_: Caretaker) -> None:
        """It is to die of the flow that it was asked for, not of one that it has taken over."""

    Caretaker.take = take_nothing  # type: ignore[method-assign,assignment]
    if moment.isdigit():
        _after_write(int(moment))
    else:
        _after_call(moment)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _after_call(name: str) -> None:
    call = getattr(PeerEnsemble, name)

    async def answered(self: PeerEnsemble, request: Any) -> Any:
        await call(self, request)
        _die()

    setattr(PeerEnsemble, name, answered)


def _after_write(number: int) -> None:
    left = number
    append, end = Writer.append, FlowStore.end

    def written(count: int) -> None:
        nonlocal left
        is_due = 0 < left <= count
        left -= count
        if is_due:
            _die()

    async def counted_append(self: Writer, lease: Lease, *rows: FlowRow) -> None:
        await append(self, lease, *rows)
        written(max(1, sum(row.table is FLOW_EVENTS for row in rows)))

    async def counted_end(self: FlowStore, *arguments: Any) -> None:
        await end(self, *arguments)
        written(1)

    Writer.append = counted_append  # type: ignore[method-assign]
    FlowStore.end = counted_end  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    if sys.argv[1] != "0":
        mortal(sys.argv[1])
    serve("orchestrator", register, topology)
