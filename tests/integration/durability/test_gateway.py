"""A client of the gateway does not notice that the orchestrator which served it is gone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from gateway.servicer import register
from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.runtime.server import start
from services.runtime.settings import Settings
from tests.support.cluster import Told
from tests.support.replicas import Replica, Replicas, replicas

APPLE = "애플 주가 추세 분석해줘"
ASKS_MAX = 4
"""Calls are spread over two replicas, so that the mortal one gets one of the first few."""


@asynccontextmanager
async def gateway_before(all_of_them: Replicas, *owners: Replica) -> AsyncIterator[Any]:
    """Serves a gateway whose calls are spread over some orchestrators."""
    spread = "ipv4:" + ",".join(owner.address for owner in owners)
    given = all_of_them.settings.model_dump(exclude_defaults=True)
    addresses = {**all_of_them.peers, "orchestrator": spread}
    running = await start("gateway", register, Settings(**given), listen="127.0.0.1:0", addresses=addresses)
    try:
        async with grpc.aio.insecure_channel(running.address) as channel:
            yield gateway_service_pb2_grpc.GatewayServiceStub(channel)
    finally:
        await running.stop(0)


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_an_ask_goes_on_when_its_orchestrator_is_killed(tmp_path: Path, data: Path) -> None:
    """Killed early, before a record and late: the stream goes on, 1..n once, to one answer."""
    async with replicas(tmp_path, data) as all_of_them:
        survivor = await all_of_them.start()
        for moment in (4, "route", 30):
            mortal = await all_of_them.start(dies_after=moment)
            async with gateway_before(all_of_them, mortal, survivor) as stub:
                for _ in range(ASKS_MAX):
                    told = await asked(stub)
                    assert told.terminal == ["finished"], (moment, told.events[-1])
                    assert told.sequences == list(range(1, len(told.sequences) + 1)), moment
                    assert told.text == told.answer.final_response, moment
                    if mortal.process.returncode is not None:
                        break
                assert await asyncio.wait_for(mortal.process.wait(), 5) == -9, moment


@pytest.mark.long
@pytest.mark.asyncio
async def test_an_ask_whose_orchestrators_are_all_gone_says_so(tmp_path: Path, data: Path) -> None:
    """With nobody left to go on, the deadline of the caller still holds."""
    async with replicas(tmp_path, data) as all_of_them:
        mortal = await all_of_them.start(dies_after=10)
        async with gateway_before(all_of_them, mortal) as stub:
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await asked(stub, seconds=4.0)
            assert refused.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def asked(stub: Any, seconds: float = 30.0) -> Told:
    """Asks, and returns all that was told."""
    request = pb.AskRequest(question=question_pb2.Question(text=APPLE))
    return Told(tuple([message.event async for message in stub.Ask(request, timeout=seconds)]))
