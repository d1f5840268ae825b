"""What one more service on the way of a call adds, with identity, deadline and exported spans, in bare hops."""

import asyncio
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import grpc

from hapju.agent.v1 import agent_service_pb2_grpc
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.settings import dev_key
from tests.bench.children import serving
from tests.bench.echo import SERVICE
from tests.bench.overhead.sides import Sizes, interleaved, spread_results
from tests.bench.overhead.timing import Hops, Spread
from tests.bench.report import Note, Result

LIMIT: Final = 2.0
"""What one more service may add, in bare hops."""
_ECHO: Final = "tests.bench.echo"
_RUN_SECONDS_MAX: Final = 600.0


def nested_hop(rounds: int, note: Note, sizes: Sizes, collector: str, folder: Path) -> list[Result]:
    """Returns what a call takes through two services of the runtime more than through one.

    Raises:
        Problem: Where a server does not start.
    """
    with ExitStack() as stack:
        bare = stack.enter_context(serving(_ECHO, "bare"))
        direct = stack.enter_context(serving(_ECHO, "runtime", str(folder), collector))
        through = stack.enter_context(serving(_ECHO, "runtime", str(folder), collector, direct))
        return asyncio.run(_measured(rounds, note, sizes, folder, (bare, direct, through)))


async def _measured(rounds: int, note: Note, sizes: Sizes, folder: Path, places: tuple[str, str, str]) -> list[Result]:
    bare, direct, through = places
    async with AsyncExitStack() as stack:
        stack.enter_context(acting_for(Caller("bench")))
        stack.enter_context(deadlines.within(_RUN_SECONDS_MAX))
        key = await asyncio.to_thread(dev_key, folder)
        ways = {
            way: Peers("bench", {SERVICE: address}, Assertions(key))
            for way, address in (("direct", direct), ("through", through))
        }
        for peers in ways.values():
            stack.push_async_callback(peers.close)
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(bare))
        kind = agent_service_pb2_grpc.AgentServiceStub
        hops = {
            "bare": Hops(kind(channel)),
            **{way: Hops(peers.stub(kind, SERVICE)) for way, peers in ways.items()},
        }
        sides = {name: partial(one.timed, sizes.hops) for name, one in hops.items()}
        figures = await interleaved(rounds, note, [sides])
    added = [_less(one, other) for one, other in zip(figures["through"], figures["direct"], strict=True)]
    return spread_results("nested_hop", added, figures["bare"], beside="bare hop", limit=LIMIT)


def _less(whole: Spread, part: Spread) -> Spread:
    return Spread(whole.p50 - part.p50, whole.p99 - part.p50)
