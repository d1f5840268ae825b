"""Clients that leave before they have been answered."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.types import Receive

from services.runtime.errors import Aborted


@asynccontextmanager
async def while_connected(receive: Receive) -> AsyncIterator[None]:
    """End the body where its client has gone.

    The body runs in the request's own task: a task of its own would have each answer wait until the loop comes round.

    Raises:
        Aborted: The client has gone.
    """
    try:
        async with asyncio.timeout(None) as bound:
            leaving = asyncio.create_task(_left(receive, bound))
            try:
                yield
            finally:
                leaving.cancel()
    except TimeoutError:
        if bound.expired():
            raise Aborted("the client has gone") from None
        raise


async def _left(receive: Receive, bound: asyncio.Timeout) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    bound.reschedule(asyncio.get_running_loop().time())
