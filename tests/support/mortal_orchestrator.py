"""An orchestrator that dies at a chosen write: python mortal_orchestrator.py WRITE. It serves as the real one does.

The process is killed with SIGKILL right after the write with that number, counted over the fenced writes of all its
flows, has been committed, and before anybody is told of it. The number of a flow's end counts as a write; 0 never dies.
"""

import os
import signal
import sys
from typing import Any

from services.catalog.topology import topology
from services.orchestrator.caretaker import Caretaker
from services.orchestrator.servicer import register
from services.orchestrator.store import FlowStore
from services.orchestrator.writer import Lease, Writer
from services.runtime.server import serve


def mortal(number: int) -> None:
    """Makes this process die after a write."""
    left = number
    append, end = Writer.append, FlowStore.end

    def written() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    async def counted_append(self: Writer, lease: Lease, *rows: Any) -> None:
        await append(self, lease, *rows)
        written()

    async def counted_end(self: FlowStore, *arguments: Any) -> None:
        await end(self, *arguments)
        written()

    async def take_nothing(_: Caretaker) -> None:
        """It is to die of the flow that it was asked for, not of one that it has taken over."""

    Caretaker.take = take_nothing  # type: ignore[method-assign,assignment]
    Writer.append = counted_append  # type: ignore[method-assign]
    FlowStore.end = counted_end  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    if int(sys.argv[1]):
        mortal(int(sys.argv[1]))
    serve("orchestrator", register, topology())
