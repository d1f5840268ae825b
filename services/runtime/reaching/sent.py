"""Calls that are made: each with its span, its errors as the classes that were raised at the peer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from time import perf_counter
from typing import Any, cast

import grpc
from grpc.aio import AioRpcError
from opentelemetry.trace import Span, Status, StatusCode

from observability import attributes as names
from observability.spans import inject
from observability.telemetry import current as current_telemetry
from services.runtime.errors import DETAILS_KEY, HapjuError, rebuilt
from services.runtime.reaching.reach import Circuit, Reach

_spans_ending: set[asyncio.Task[None]] = set()
Send = Callable[[], Awaitable[tuple[Any, "CallWatch"]]]
"""Makes a call."""
Again = Callable[[AioRpcError], Awaitable["tuple[Any, CallWatch] | None"]]
"""Makes a call that was lost once more; returns None where that may not be done."""


class CallWatch:
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
            self._reach.seen()
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


class _Sent:
    """What both kinds of calls pass on unchanged."""

    def __init__(self, call: Any, watch: CallWatch, again: Again) -> None:
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


class SentUnary(_Sent, grpc.aio.UnaryUnaryCall):  # type: ignore[type-arg]  # generic in its stubs only
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


class SentStream(_Sent, grpc.aio.UnaryStreamCall):  # type: ignore[type-arg]  # generic in its stubs only
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
        """Return the next message, and grpc's end of file behind the last."""
        try:
            return await self._call.read()
        except AioRpcError as rpc_error:
            raise self._error(rpc_error) from None
