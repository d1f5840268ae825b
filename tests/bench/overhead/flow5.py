"""The small flow beside a peer's."""

import asyncio
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from typing import Final

import grpc

from tests.bench.overhead.deployment import LAYOUTS, Deployed, deployed
from tests.bench.overhead.flow14 import Setting
from tests.bench.overhead.flows import FLOW5
from tests.bench.overhead.peer import LangGraph
from tests.bench.overhead.sides import Side, interleaved, spread_results
from tests.bench.overhead.timing import Door, Spread
from tests.bench.report import Result, median_result

LIMIT: Final = 1.0
"""What the flow may take beside the peer's."""
_PEER: Final = "langgraph"
_WARM_UP: Final = 8


def flow5(setting: Setting, peer: LangGraph | None) -> list[Result]:
    """Returns the figures, beside the peer's where there is one.

    Raises:
        Problem: Where a side does not start, or a flow does not go as its script says.
    """
    setting.note(f"starting the services of {FLOW5.name}")
    folder = setting.folder / FLOW5.name
    with ExitStack() as stack:
        running = {one: stack.enter_context(deployed(FLOW5, one, setting.grounds, folder)) for one in LAYOUTS}
        return asyncio.run(_measured(setting, peer, running))


async def _measured(setting: Setting, peer: LangGraph | None, running: dict[str, Deployed]) -> list[Result]:
    flows = setting.sizes.flows
    async with AsyncExitStack() as stack:
        sides: dict[str, Side[Spread]] = {}
        for layout, one in running.items():
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(one.gateway))
            door = Door(channel, FLOW5, one.pids)
            await door.asked(_WARM_UP)
            sides[layout] = partial(door.spread, flows)
        if peer is not None:
            sides[_PEER] = partial(asyncio.to_thread, peer.timed, flows)
        taken = await interleaved(setting.rounds, setting.note, [sides])
    return [result for layout in LAYOUTS for result in _compared(layout, taken)]


def _compared(layout: str, taken: dict[str, list[Spread]]) -> list[Result]:
    name, ours, theirs = f"{FLOW5.name}_{layout}", taken[layout], taken.get(_PEER)
    if theirs is None:
        return [median_result(f"{name}_{part}", "ms", [getattr(one, part) for one in ours]) for part in ("p50", "p99")]
    return spread_results(f"{name}_over_langgraph", ours, theirs, beside="LangGraph, SQLite", limit=LIMIT)
