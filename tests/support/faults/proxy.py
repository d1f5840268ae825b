"""A gRPC proxy before one service, which knows no messages: it passes bytes on, and does to a call what a test says.

    caller ─► proxy ─► service          a call without a fault, as it is: metadata, deadline, status and details
                 └─ the first fault that fits the call says what becomes of it

A call belongs to the conversation whose id its bytes hold, so that many flows can run at once, each with its own fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc

from services.runtime.server import SERVER_OPTIONS

Context = Any
_CONNECTION_KEYS = ("grpc-", ":", "te", "content-type", "user-agent")


@dataclass
class Passing:
    """One call on its way."""

    method: str
    """The method's name."""
    request: bytes
    """The request."""
    metadata: tuple[tuple[str, str | bytes], ...]
    """Its metadata."""
    seconds: float | None
    """What it may take."""
    channel: grpc.aio.Channel
    """The service."""

    async def replies(self) -> AsyncGenerator[bytes]:
        """Calls the service and yields what it answers."""
        method: Any = self.channel.unary_stream(f"/{self.method}")
        call = method(self.request, timeout=self.seconds, metadata=grpc.aio.Metadata(*self.metadata))
        try:
            async for reply in call:
                yield reply
        finally:
            call.cancel()


class Refused(Exception):
    """Ends a call with a status."""

    def __init__(self, code: grpc.StatusCode) -> None:
        self.code = code


Doing = Callable[[Passing], AsyncGenerator[bytes]]
"""What becomes of a call: yields the answers that its caller gets, or raises Refused."""


@dataclass
class Fault:
    """What happens to some calls of one conversation."""

    session_id: str
    """The conversation."""
    peer: str
    """The service that is called."""
    method: str
    """The method's last name: InvokeTool."""
    doing: Doing
    """What becomes of the call."""
    fits: Callable[[bytes], bool] = lambda _: True
    """Which requests it is for."""
    first: int = 1
    """The first of the fitting calls that it happens to, from 1."""
    times: int = 1
    """To how many."""
    seen: int = 0
    """Fitting calls so far."""
    done: int = 0
    """How often it has happened."""

    def takes(self, method: str, request: bytes) -> bool:
        """Counts a call that fits, and tells whether the fault happens to it."""
        if not method.endswith(f"/{self.method}") or not self.fits(request):
            return False
        self.seen += 1
        if not self.first <= self.seen < self.first + self.times:
            return False
        self.done += 1
        return True


@dataclass(frozen=True)
class Seen:
    """A call that arrived."""

    peer: str
    """The service that was called."""
    method: str
    """The method's last name."""
    request: bytes
    """The request."""


@dataclass
class Faults:
    """The faults and the calls of every conversation."""

    planted: dict[str, list[Fault]] = field(default_factory=dict)
    """By conversation."""
    routes: dict[tuple[str, str], grpc.aio.Channel] = field(default_factory=dict)
    """By conversation and service, the double that takes the service's place."""
    calls: dict[str, list[Seen]] = field(default_factory=dict)
    """By conversation, for those that are listened to."""

    def of(self, peer: str, method: str, request: bytes) -> tuple[Fault | None, grpc.aio.Channel | None]:
        """Returns the fault that happens to a call, and the double that answers it."""
        fault = next(
            (
                one
                for session_id, faults in self.planted.items()
                if session_id.encode() in request
                for one in faults
                if one.peer == peer and one.takes(method, request)
            ),
            None,
        )
        for session_id, seen in self.calls.items():
            if session_id.encode() in request:
                seen.append(Seen(peer, method.rpartition("/")[2], request))
        double = next((ch for (sid, name), ch in self.routes.items() if name == peer and sid.encode() in request), None)
        return fault, double


class _Relay(grpc.GenericRpcHandler):
    def __init__(self, peer: str, channel: grpc.aio.Channel, faults: Faults) -> None:
        self._peer = peer
        self._channel = channel
        self._faults = faults

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        method = str(handler_call_details.method)

        async def relay(request: bytes, context: Context) -> None:
            fault, double = self._faults.of(self._peer, method, request)
            passing = Passing(
                method.removeprefix("/"),
                request,
                tuple((k, v) for k, v in context.invocation_metadata() if not k.startswith(_CONNECTION_KEYS)),
                context.time_remaining(),
                double or self._channel,
            )
            replies = fault.doing(passing) if fault is not None else passing.replies()
            try:
                async with aclosing(replies):
                    async for reply in replies:
                        await context.write(reply)
            except Refused as refused:
                await context.abort(refused.code, "")
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.CANCELLED and not context.cancelled():
                    await context.abort(grpc.StatusCode.UNAVAILABLE, "the service has left")
                trailing = tuple(error.trailing_metadata() or ())
                await context.abort(error.code(), error.details() or "", trailing)

        return grpc.unary_stream_rpc_method_handler(relay)


@asynccontextmanager
async def proxied(peer: str, address: str, faults: Faults) -> AsyncIterator[str]:
    """Puts a proxy before a service and yields the proxy's address."""
    async with grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        server = grpc.aio.server(options=SERVER_OPTIONS)
        server.add_generic_rpc_handlers((_Relay(peer, channel, faults),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await server.stop(0)


def refusing(code: grpc.StatusCode) -> Doing:
    """The call ends with a status, and the service never hears of it."""

    async def doing(_: Passing) -> AsyncGenerator[bytes]:
        raise Refused(code)
        yield b""

    return doing


async def hanging(_: Passing) -> AsyncGenerator[bytes]:
    """Nobody answers until the caller gives up."""
    await asyncio.Event().wait()
    yield b""


def answering(reply: bytes) -> Doing:
    """Something else answers in the service's place."""

    async def doing(_: Passing) -> AsyncGenerator[bytes]:
        yield reply

    return doing


def changing(change: Callable[[bytes], bytes]) -> Doing:
    """The service answers, and its answers are changed on the way."""

    async def doing(passing: Passing) -> AsyncGenerator[bytes]:
        async with aclosing(passing.replies()) as replies:
            async for reply in replies:
                yield change(reply)

    return doing


def cutting(after: int, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> Doing:
    """The stream breaks after so many messages."""

    async def doing(passing: Passing) -> AsyncGenerator[bytes]:
        told = 0
        async with aclosing(passing.replies()) as replies:
            async for reply in replies:
                if told == after:
                    raise Refused(code)
                told += 1
                yield reply

    return doing


def ending(after: int) -> Doing:
    """The stream ends well after so many messages, and the rest is never told."""

    async def doing(passing: Passing) -> AsyncGenerator[bytes]:
        told = 0
        async with aclosing(passing.replies()) as replies:
            async for reply in replies:
                if told == after:
                    return
                told += 1
                yield reply

    return doing


def losing_reply(code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> Doing:
    """The service does all of it, and its caller hears of nothing."""

    async def doing(passing: Passing) -> AsyncGenerator[bytes]:
        async with aclosing(passing.replies()) as replies:
            async for _ in replies:
                pass
        raise Refused(code)
        yield b""

    return doing
