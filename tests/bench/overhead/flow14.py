"""The large flow beside the reference's, and beside as many bare hops as it makes."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import grpc

from hapju.agent.v1 import agent_service_pb2_grpc
from tests.bench.children import serving
from tests.bench.overhead.deployment import LAYOUTS, Deployed, Grounds, deployed
from tests.bench.overhead.flows import FLOW14
from tests.bench.overhead.reference import Reference
from tests.bench.overhead.sides import Side, Sizes, interleaved, spread_results
from tests.bench.overhead.spans import Counted, counted
from tests.bench.overhead.timing import Door, Hops, Taken
from tests.bench.report import Note, Result, paired_result

REFERENCE_LIMIT: Final = 1.25
"""What the flow may take beside the reference's."""
PER_CORE_LIMIT: Final = 0.5
"""What a core must carry at least beside the reference's."""
FIRST_EVENT_LIMIT: Final = 3.0
"""When the first event must be there, in bare hops."""
_ECHO: Final = "tests.bench.echo"
_ENDPOINT: Final = "tests.bench.overhead.endpoint"
_WARM_UP: Final = 8
_CENSUS: Final = 4
_EXPORTED_AFTER_SECONDS: Final = 2.0
_BARE: Final = "bare"
_REFERENCE: Final = "_reference"


@dataclass(frozen=True, slots=True)
class Setting:
    """What the flow is measured with."""

    rounds: int
    """Rounds over every side."""
    note: Note
    """Takes lines of progress."""
    sizes: Sizes
    """How much one round measures."""
    reference: Reference | None
    """What it is measured beside, where there is one."""
    grounds: Grounds
    """What its deployments stand on."""
    folder: Path
    """Where they live."""


def flow14(setting: Setting, *, over_http: bool) -> tuple[list[Result], str]:
    """Returns the figures, and how much the flow is: its hops and its spans.

    Args:
        setting: What it is measured with.
        over_http: Whether both sides ask their model through the vendor's SDK; else it is a function.

    Raises:
        Problem: Where a side does not start, or a flow does not go as its script says.
    """
    name = f"{FLOW14.name}_http" if over_http else FLOW14.name
    with ExitStack() as stack:
        if over_http:
            endpoint = stack.enter_context(serving(_ENDPOINT, FLOW14.name))
            setting = replace(setting, grounds=replace(setting.grounds, endpoint=endpoint))
        setting.note(f"starting the services of {name}")
        folder = setting.folder / name
        running = {one: stack.enter_context(deployed(FLOW14, one, setting.grounds, folder)) for one in LAYOUTS}
        bare = stack.enter_context(serving(_ECHO, "bare"))
        return asyncio.run(_Measured(setting, name, running).results(bare))


class _Measured:
    """One kind of model's run."""

    def __init__(self, setting: Setting, name: str, running: Mapping[str, Deployed]) -> None:
        self._setting = setting
        self._name = name
        self._running = running

    async def results(self, bare: str) -> tuple[list[Result], str]:
        """Measures every side."""
        async with AsyncExitStack() as stack:
            doors = {
                layout: Door(await stack.enter_async_context(grpc.aio.insecure_channel(one.gateway)), FLOW14, one.pids)
                for layout, one in self._running.items()
            }
            echo = await stack.enter_async_context(grpc.aio.insecure_channel(bare))
            hops = Hops(agent_service_pb2_grpc.AgentServiceStub(echo))
            for door in doors.values():
                await door.asked(_WARM_UP)
            size = await self._census(doors["packed"])
            setting = self._setting
            groups = [self._sides(layout, door) for layout, door in doors.items()]
            bare_hops: dict[str, Side[Taken]] = {_BARE: partial(self._bare_hops, hops, size.hops)}
            taken = await interleaved(setting.rounds, setting.note, [*groups, bare_hops])
        told = (
            f"{self._name}: {FLOW14.model_calls} model calls, {size.hops} hops and {size.spans} exported spans a flow"
        )
        return [result for layout in LAYOUTS for result in self._compared(layout, taken, size.hops)], told

    def _sides(self, layout: str, door: Door) -> dict[str, Side[Taken]]:
        sizes, reference = self._setting.sizes, self._setting.reference
        sides: dict[str, Side[Taken]] = {layout: partial(door.timed, sizes.flows, sizes.seconds)}
        if reference is not None:
            endpoint = self._setting.grounds.endpoint
            sides[f"{layout}{_REFERENCE}"] = lambda: asyncio.to_thread(
                reference.timed, layout, sizes.flows, sizes.seconds, endpoint
            )
        return sides

    async def _bare_hops(self, hops: Hops, in_a_row: int) -> Taken:
        """Returns what bare hops take in the flow's place: as many in a row, and one until the first event."""
        sizes = self._setting.sizes
        return Taken(await hops.timed(sizes.flows, in_a_row), await hops.timed(sizes.hops), 0.0)

    async def _census(self, door: Door) -> Counted:
        """Returns how many hops and spans a flow is, by what the services export."""
        collector = self._setting.grounds.collector.removeprefix("http://")
        await asyncio.sleep(_EXPORTED_AFTER_SECONDS)
        await counted(collector)
        await door.asked(_CENSUS)
        await asyncio.sleep(_EXPORTED_AFTER_SECONDS)
        whole = await counted(collector)
        return Counted(spans=round(whole.spans / _CENSUS), hops=round(whole.hops / _CENSUS))

    def _compared(self, layout: str, taken: Mapping[str, list[Taken]], hops: int) -> list[Result]:
        name, ours, bare = f"{self._name}_{layout}", taken[layout], taken[_BARE]
        flows = [one.flow for one in ours]
        results = spread_results(f"{name}_over_hops", flows, [one.flow for one in bare], beside=f"{hops} bare hops")
        firsts = [one.first_event for one in ours], [one.first_event for one in bare]
        results += spread_results(f"{name}_first_event", *firsts, beside="bare hop", limit=FIRST_EVENT_LIMIT)
        if theirs := taken.get(f"{layout}{_REFERENCE}"):
            their_flows = [one.flow for one in theirs]
            beside = "reference"
            results += spread_results(
                f"{name}_over_reference", flows, their_flows, beside=beside, limit=REFERENCE_LIMIT
            )
            rates = [one.per_core for one in ours], [one.per_core for one in theirs]
            results.append(paired_result(f"{name}_per_core", "1/s", *rates, beside=beside, limit=PER_CORE_LIMIT))
        return results
