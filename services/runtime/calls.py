"""Calls to other services: one channel per target for the life of a service, and interceptors of our own.

The stock OpenTelemetry aio interceptor awaits a unary call inside the interceptor, so that a cancel never reaches the
server. Ours return the call at once, wrapped: the wrapper ends the span and rebuilds the peer's error as the class that
was raised there; a done-callback ends the span of a call that nobody awaits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from random import uniform
from time import monotonic, perf_counter
from typing import Any, Final, TypeVar, cast

import grpc
from grpc.aio import AioRpcError, ClientCallDetails
from opentelemetry.trace import Span, Status, StatusCode

from observability import attributes as names
from observability.spans import AttributeValue, SpanKind, current_flow_run_id, inject, tracer
from observability.telemetry import current as current_telemetry
from services.runtime import deadlines
from services.runtime.call_policy import CALL_POLICY, is_infrastructure, service_config
from services.runtime.errors import DETAILS_KEY, HapjuError, Unavailable, rebuilt
from services.runtime.identity import CALLER_KEY, Assertions, current_caller
from services.runtime.reaching.reach import AWAY_SECONDS_MAX, Circuit, Reach
from services.runtime.reaching.unsent import UnsentStream, UnsentUnary
from services.runtime.transport import Transport

MESSAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The size of one message, the same at both ends."""
KEEPALIVE_SECONDS: Final = 20
"""How often an idle connection with a running call is probed; no less than servers permit."""
RECONNECT_BACKOFF_SECONDS_MAX: Final = 1.0
"""How long a channel waits at most before it tries a lost peer again."""
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
    ("grpc.enable_retries", 1),
    ("grpc.use_local_subchannel_pool", 1),
)
"""What every channel of ours is opened with."""

S = TypeVar("S")
R = TypeVar("R")
Listening = Callable[[str], Awaitable[None]]
"""Returns when the peer of that name listens."""
_spans_ending: set[asyncio.Task[None]] = set()


_Send = Callable[[], Awaitable[tuple[Any, "_CallWatch"]]]
_Again = Callable[[AioRpcError], Awaitable["tuple[Any, _CallWatch] | None"]]


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

    async def prepare(self, details: ClientCallDetails) -> tuple[ClientCallDetails, _CallWatch]:
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
        watch = _CallWatch(method, started, self._circuit, self._reach)
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

    def again(self, details: ClientCallDetails, send: _Send) -> _Again:
        """Return what makes a call once more that was not taken in, as long as its caller may wait."""
        method, until = _method_of(details), 0.0

        async def again(lost: AioRpcError) -> tuple[Any, _CallWatch] | None:
            nonlocal until
            if not self._reach.may_send_again(method, lost):
                return None
            until = until or monotonic() + self._reach.patience(details.timeout)
            await asyncio.sleep(uniform(0.5, 1.5) * AGAIN_SECONDS)  # noqa: S311 - no secret
            return await send() if monotonic() < until else None

        return again


class _CallWatch:
    """The span, the duration and the reach of one call; ended once, by whichever comes first."""

    def __init__(self, method: str, started: Span, circuit: Circuit, reach: Reach) -> None:
        self._method = method
        self._circuit = circuit
        self._reach = reach
        self._span = started
        self._begin = perf_counter()
        self._telemetry = current_telemetry()
        self._ended = False

    def inject(self, metadata: list[tuple[str, str | bytes]]) -> None:
        """Append the trace context of this call's own span."""
        from opentelemetry.trace import use_span  # noqa: PLC0415 - one name used once

        with use_span(self._span, end_on_exit=False):
            inject(metadata)

    def end(self, code: grpc.StatusCode, trailing: Any = None) -> None:
        """End the span with the call's status and its trailing metadata."""
        if self._ended:
            return
        self._ended = True
        told = any(key == DETAILS_KEY for key, _ in trailing or ())
        if code is grpc.StatusCode.OK or told:
            self._circuit.ended(reached=True)
        elif code is grpc.StatusCode.UNAVAILABLE and self._reach.is_ready:
            # A target whose channel is down is waited for; the circuit is for one that is connected and of no use.
            self._circuit.ended(reached=False)
        if code is not grpc.StatusCode.OK:
            self._span.set_attribute(names.RPC_RESPONSE_STATUS_CODE, code.name)
        if code not in {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}:
            self._span.set_status(Status(StatusCode.ERROR, code.name))
        self._span.end()
        seconds = perf_counter() - self._begin
        self._telemetry.instruments.rpc_made(self._method, code.name, seconds)

    def end_when_done(self, call: grpc.aio.Call) -> None:
        """End the span of a call that nobody awaits to its end, a cancelled stream for example."""

        async def finish() -> None:
            self.end(await call.code(), await call.trailing_metadata())

        def finish_alone() -> None:
            if not self._ended:
                task = asyncio.get_running_loop().create_task(finish())
                _spans_ending.add(task)
                task.add_done_callback(_spans_ending.discard)

        def done(_: object) -> None:
            # Whoever awaits the call is woken in this turn of the loop, and ends the span without a task for it.
            asyncio.get_running_loop().call_soon(finish_alone)

        call.add_done_callback(done)


class _Wrapped:
    """What both kinds of wrapped calls pass on unchanged."""

    def __init__(self, call: Any, watch: _CallWatch, again: _Again) -> None:
        self._call = call
        self._watch = watch
        self._again = again
        watch.end_when_done(call)

    def cancelled(self) -> bool:
        return bool(self._call.cancelled())

    def done(self) -> bool:
        return bool(self._call.done())

    def time_remaining(self) -> float | None:
        return cast("float | None", self._call.time_remaining())

    def cancel(self) -> bool:
        return bool(self._call.cancel())

    def add_done_callback(self, callback: Any) -> None:
        self._call.add_done_callback(callback)

    async def initial_metadata(self) -> Any:
        return await self._call.initial_metadata()

    async def trailing_metadata(self) -> Any:
        return await self._call.trailing_metadata()

    async def code(self) -> grpc.StatusCode:
        return cast("grpc.StatusCode", await self._call.code())

    async def details(self) -> str:
        return str(await self._call.details())

    async def wait_for_connection(self) -> None:
        await self._call.wait_for_connection()

    def _error(self, rpc_error: AioRpcError) -> HapjuError:
        self._watch.end(rpc_error.code(), rpc_error.trailing_metadata())
        return rebuilt(rpc_error)

    async def _made_again(self, lost: AioRpcError) -> bool:
        """Make a call once more that was not taken in; False where that may not be done."""
        made = await self._again(lost)
        if made is None:
            return False
        self._call, self._watch = made
        self._watch.end_when_done(self._call)
        return True


class _UnaryCall(_Wrapped, grpc.aio.UnaryUnaryCall):  # type: ignore[type-arg]  # generic in its stubs only
    """A unary call whose errors are ours."""

    def __await__(self) -> Generator[Any, None, Any]:
        return self._answered().__await__()

    async def _answered(self) -> Any:
        while True:
            try:
                response = await self._call
            except AioRpcError as rpc_error:
                error = self._error(rpc_error)
                if await self._made_again(rpc_error):
                    continue
                raise error from None
            self._watch.end(grpc.StatusCode.OK)
            return response


class _StreamCall(_Wrapped, grpc.aio.UnaryStreamCall):  # type: ignore[type-arg]  # generic in its stubs only
    """A server stream whose errors are ours."""

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._messages()

    async def _messages(self) -> AsyncIterator[Any]:
        begun = False
        while True:
            try:
                async for message in self._call:
                    begun = True
                    yield message
            except AioRpcError as rpc_error:
                error = self._error(rpc_error)
                if not begun and await self._made_again(rpc_error):
                    continue
                raise error from None
            except (GeneratorExit, asyncio.CancelledError):
                self._call.cancel()
                raise
            self._watch.end(grpc.StatusCode.OK)
            return

    async def read(self) -> Any:
        try:
            return await self._call.read()
        except AioRpcError as rpc_error:
            raise self._error(rpc_error) from None


class _UnaryUnary(grpc.aio.UnaryUnaryClientInterceptor):
    def __init__(self, outgoing: _Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        async def send() -> tuple[Any, _CallWatch]:
            details, watch = await self._outgoing.prepare(client_call_details)
            return await continuation(details, request), watch

        try:
            return _UnaryCall(*await send(), self._outgoing.again(client_call_details, send))
        except HapjuError as error:
            return UnsentUnary(error)


class _UnaryStream(grpc.aio.UnaryStreamClientInterceptor):
    def __init__(self, outgoing: _Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        async def send() -> tuple[Any, _CallWatch]:
            details, watch = await self._outgoing.prepare(client_call_details)
            return await continuation(details, request), watch

        try:
            return _StreamCall(*await send(), self._outgoing.again(client_call_details, send))
        except HapjuError as error:
            return UnsentStream(error)
