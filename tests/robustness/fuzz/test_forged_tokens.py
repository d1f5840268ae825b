"""Forged tokens and assertions at every door: each call is refused as UNAUTHENTICATED, and none of them is an error."""

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from gateway.authentication import AUTHORIZATION_KEY
from services.runtime.call_policy import CALL_POLICY
from services.runtime.identity import CALLER_KEY
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.robustness.fuzz.test_every_rpc import SERVERS
from tests.support.cluster import Cluster, embedded
from tests.support.fuzz.forged import forged
from tests.support.fuzz.messages import request_of

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(300)]
NOT_METADATA = "\n\0é"
"""What gRPC itself sends to nobody."""


@pytest_asyncio.fixture
async def cluster(tmp_path: Path, data: Path) -> AsyncIterator[Cluster]:
    """The ensemble in this process."""
    copy_database(data, tmp_path / "data.db")
    async with embedded(tmp_path, tmp_path / "data.db", log_level="error") as running:
        yield running


def _sendable(tokens: list[str]) -> list[str]:
    return [one for one in tokens if not set(one) & set(NOT_METADATA)]


async def _status(channel: grpc.aio.Channel, method: str, metadata: Any) -> str:
    sending: Any = channel.unary_stream(method)
    call = sending(request_of(method)().SerializeToString(), timeout=5, metadata=metadata)
    try:
        async for _ in call:
            return "OK"
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


async def test_forged_tokens_of_clients(cluster: Cluster, tmp_path: Path) -> None:
    """Every call of the gateway, whichever token it bears, and whatever stands before it."""
    tokens = _sendable(list(forged(dev_key(tmp_path))))
    methods = [one for one in CALL_POLICY if one.startswith("/hapju.gateway.")]
    heard: Counter[str] = Counter()
    for number, token in enumerate(tokens):
        for scheme in ("Bearer ", "bearer  ", "", "Basic "):
            method = methods[number % len(methods)]
            if not f"{scheme}{token}":
                # In dev mode who says nothing is nobody in particular.
                continue
            heard[await _status(cluster.channel, method, ((AUTHORIZATION_KEY, f"{scheme}{token}"),))] += 1
    assert set(heard) == {"UNAUTHENTICATED"}, heard
    assert heard.total() >= 52


async def test_direct_calls_of_inner_services(cluster: Cluster, tmp_path: Path) -> None:
    """Every call of every inner service: without an assertion, with a client's token, and with each forged one."""
    key = dev_key(tmp_path)
    tokens = _sendable(list(forged(key)))
    channels = {name: grpc.aio.insecure_channel(address) for name, address in cluster.addresses.items()}
    heard: Counter[tuple[str, str]] = Counter()
    inner = [one for one in CALL_POLICY if not one.startswith("/hapju.gateway.") and "EffectBackend" not in one]
    places = [(method, name) for method in inner for name in SERVERS[method.split(".")[1]]]
    for number, (method, name) in enumerate(places):
        bearing: list[tuple[tuple[str, str], ...]] = [(), ((AUTHORIZATION_KEY, f"Bearer {tokens[-1]}"),)]
        bearing += [((CALLER_KEY, token),) for token in tokens[number % 4 :: 4]]
        for metadata in bearing:
            heard[method, await _status(channels[name], method, metadata)] += 1
    for channel in channels.values():
        await channel.close()
    let_in = {method: status for method, status in heard if status != "UNAUTHENTICATED"}
    assert let_in == {}
    assert heard.total() >= 333
