"""Calls to other services: one channel per target for the life of a service, and interceptors of our own.

The stock OpenTelemetry aio interceptor awaits a unary call inside the interceptor, so that a cancel never reaches the
server. Ours return the call at once, wrapped: the wrapper ends the span and rebuilds the peer's error as the class that
was raised there; a done-callback ends the span of a call that nobody awaits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from random import uniform
from time import monotonic, perf_counter
from typing import Any, Final, TypeVar, cast

import grpc
from grpc.aio import AioRpcError, ClientCallDetails

from observability import attributes as names
from observability.spans import AttributeValue, SpanKind, current_flow_run_id, tracer
from observability.telemetry import current as current_telemetry
from services.runtime import deadlines
from services.runtime.call_policy import CALL_POLICY, is_infrastructure, service_config
from services.runtime.errors import HapjuError, Unavailable
from services.runtime.identity import CALLER_KEY, Assertions, current_caller
from services.runtime.reaching.reach import AWAY_SECONDS_MAX, Circuit, Reach
from services.runtime.reaching.sent import Again, CallWatch, Send, SentStream, SentUnary
from services.runtime.reaching.unsent import UnsentStream, UnsentUnary
from services.runtime.transport import Transport

MESSAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The size of one message, the same at both ends."""
KEEPALIVE_SECONDS: Final = 20
"""How often an idle connection with a running call is probed; no less than servers permit."""
RECONNECT_BACKOFF_SECONDS_MAX: Final = 1.0
"""How long a channel waits at most before it tries a lost peer again."""
RESOLVED_AGAIN_SECONDS_MIN: Final = 1.0
"""How soon the name of a lost peer is looked up anew. A container or pod that is started anew has another address, and
grpc's own half a minute would keep callers at the old one for longer than any of them waits."""
PING_TIMEOUT_SECONDS: Final = 5
"""How long a probe may stay unanswered. grpc's keepalive timeout alone leaves a frozen peer unnoticed for a minute."""

AGAIN_SECONDS: Final = 0.1
"""The pause before a call that was not taken in is made once more, give or take a half."""

CHANNEL_OPTIONS: Final[tuple[tuple[str, Any], ...]] = (
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
    ("grpc.keepalive_time_ms", KEEPALIVE_SECONDS * 1000),
    ("grpc.keepalive_timeout_ms", PING_TIMEOUT_SECONDS * 1000),
    ("grpc.http2.ping_timeout_ms", PING_TIMEOUT_SECONDS * 1000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", int(RECONNECT_BACKOFF_SECONDS_MAX * 1000)),
    ("grpc.dns_min_time_between_resolutions_ms", int(RESOLVED_AGAIN_SECONDS_MIN * 1000)),
    ("grpc.enable_retries", 1),
    ("grpc.use_local_subchannel_pool", 1),
)
"""What every channel of ours is opened with."""

S = TypeVar("S")
R = TypeVar("R")
Listening = Callable[[str], Awaitable[None]]
"""Returns when the peer of that name listens."""


async def listens(_: str) -> None:
    """Take every peer for one that listens; where it does not, the call itself tells."""


class Peers:
    """The other services as one service sees them.

    Args:
        service: The caller's own name, which its assertions bear.
        addresses: Where each peer listens, by name.
        assertions: Signs who is behind a call.
        listening: What a call waits for first, on nobody's deadline but its caller's.
        away_seconds_max: How long a peer may be away before calls to it fail at once.
        transport: Opens the channels; in the clear by default.
    """

    def __init__(  # noqa: PLR0913 - what every call bears, each with its sentence above
        self,
        service: str,
        addresses: dict[str, str],
        assertions: Assertions,
        listening: Listening = listens,
        away_seconds_max: float = AWAY_SECONDS_MAX,
        *,
        transport: Transport | None = None,
    ) -> None:
        self._service = service
        self._addresses = addresses
        self._assertions = assertions
        self._listening = listening
        self._transport = transport or Transport()
        self._away_seconds_max = away_seconds_max
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._reaches: dict[str, Reach] = {}

    def stub(self, kind: Callable[[grpc.aio.Channel], S], peer: str) -> S:
        """Return a stub of `peer`; calls through it bear deadline, identity and trace without more.

        Raises:
            KeyError: Where no address of the peer is known.
        """
        if peer not in self._channels:
            self._channels[peer] = self._open(self._addresses[peer], peer)
        return kind(self._channels[peer])

    def knows(self, peer: str) -> bool:
        """Return whether the peer's address is known."""
        return peer in self._addresses

    async def close(self) -> None:
        """Close every channel; calls in flight are cancelled."""
        for peer, channel in self._channels.items():
            await self._reaches[peer].close()
            await channel.close()
        self._channels.clear()

    def _open(self, address: str, peer: str) -> grpc.aio.Channel:
        reach = self._reaches[peer] = Reach(peer, self._away_seconds_max)
        outgoing = _Outgoing(self._service, peer, self._assertions, self._listening, reach)
        options = (*CHANNEL_OPTIONS, ("grpc.service_config", service_config(peer)))
        channel = self._transport.channel(address, options, [_UnaryUnary(outgoing), _UnaryStream(outgoing)])
        reach.over(channel)
        return channel


async def messages(call: grpc.aio.UnaryStreamCall[Any, R]) -> AsyncGenerator[R]:
    """Yield a stream's messages, and cancel the call when the consumer leaves early; close it by `aclosing`."""
    try:
        async for message in call:
            yield message
    finally:
        call.cancel()


def bare_channel(address: str, transport: Transport | None = None) -> grpc.aio.Channel:
    """Return a channel without identity or trace; in the clear by default."""
    return (transport or Transport()).channel(address, CHANNEL_OPTIONS)


def _method_of(details: ClientCallDetails) -> str:
    return details.method.decode() if isinstance(details.method, bytes) else str(details.method)


class _Outgoing:
    """What every outgoing call of one service bears."""

    def __init__(self, service: str, peer: str, assertions: Assertions, listening: Listening, reach: Reach) -> None:
        self._service = service
        self._peer = peer
        self._assertions = assertions
        self._listening = listening
        self._reach = reach
        self._circuit = Circuit(peer)

    async def prepare(self, details: ClientCallDetails) -> tuple[ClientCallDetails, CallWatch]:
        """Return the call's details with timeout, identity and trace, and the watch over its span.

        Raises:
            DeadlineExceeded: No time is left.
            Unavailable: The target's circuit is open, or it has been away for too long.
        """
        await self._listening(self._peer)
        method = _method_of(details)
        begun = perf_counter()
        try:
            self._circuit.check(method)
            await self._reach.ready(method, details.timeout)
        except Unavailable:
            # No call was made, and whoever watches must see all the same that the peer is not reached.
            seconds = perf_counter() - begun
            current_telemetry().instruments.rpc_made(method, grpc.StatusCode.UNAVAILABLE.name, seconds)
            raise
        policy = CALL_POLICY.get(method)
        timeout = deadlines.timeout_for_call(policy.deadline_seconds if policy else None, details.timeout)
        attributes: dict[str, AttributeValue] = {
            names.RPC_SYSTEM_NAME: names.RPC_SYSTEM_GRPC,
            names.RPC_METHOD: method.removeprefix("/"),
            names.SERVICE_PEER_NAME: self._peer,
        }
        if timeout is not None:
            attributes[names.DEADLINE_SECONDS] = round(timeout, 3)
        if flow_run_id := current_flow_run_id():
            attributes[names.FLOW_RUN_ID] = flow_run_id
        started = tracer().start_span(method, kind=SpanKind.CLIENT, attributes=attributes)
        watch = CallWatch(method, started, self._circuit, self._reach)
        metadata: list[tuple[str, str | bytes]] = list(cast("Any", details.metadata) or ())
        watch.inject(metadata)
        if not is_infrastructure(method):
            metadata.append((CALLER_KEY, self._assertions.sign(current_caller(), self._service)))
        prepared = ClientCallDetails(
            details.method,
            timeout,
            grpc.aio.Metadata(*metadata),
            details.credentials,
            details.wait_for_ready,
        )
        return prepared, watch

    def again(self, details: ClientCallDetails, send: Send) -> Again:
        """Return what makes a call once more that was not taken in, as long as its caller may wait."""
        method, until = _method_of(details), 0.0

        async def again(lost: AioRpcError) -> tuple[Any, CallWatch] | None:
            nonlocal until
            if not self._reach.may_send_again(method, lost):
                return None
            until = until or monotonic() + self._reach.patience(details.timeout)
            await asyncio.sleep(uniform(0.5, 1.5) * AGAIN_SECONDS)  # noqa: S311 - no secret
            return await send() if monotonic() < until else None

        return again


class _UnaryUnary(grpc.aio.UnaryUnaryClientInterceptor):
    def __init__(self, outgoing: _Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        async def send() -> tuple[Any, CallWatch]:
            details, watch = await self._outgoing.prepare(client_call_details)
            return await continuation(details, request), watch

        try:
            return SentUnary(*await send(), self._outgoing.again(client_call_details, send))
        except HapjuError as error:
            return UnsentUnary(error)


class _UnaryStream(grpc.aio.UnaryStreamClientInterceptor):
    def __init__(self, outgoing: _Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        async def send() -> tuple[Any, CallWatch]:
            details, watch = await self._outgoing.prepare(client_call_details)
            return await continuation(details, request), watch

        try:
            return SentStream(*await send(), self._outgoing.again(client_call_details, send))
        except HapjuError as error:
            return UnsentStream(error)
