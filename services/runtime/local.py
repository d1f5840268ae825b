"""Calls of a service by something else in its own process: everything that stands around a handler, and no wire.

    door.call(...)  ──►  Guard: telemetry, errors, admission, deadline, identity, ledger  ──►  handler

A request is written and read again, so that what is done to one that comes over a wire is done to it too. Each call
runs in a task of its own, as over gRPC: leaving it cancels the handler, which thereby learns that its client has left.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NoReturn, TypeAlias

import grpc
from grpc.aio import AbortError, AioRpcError

from services.runtime.errors import DeadlineExceeded, HapjuError, rebuilt

BACKSTOP_SECONDS: Final = 1.0
"""How long after its deadline a handler is cut that has not ended by itself."""
Metadata = tuple[tuple[str, str], ...]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Around: TypeAlias = "Callable[[str, Handler], Handler]"
"""Returns a handler with everything around it."""


class LocalDoor:
    """Takes a service's handlers as a server does, and makes calls of them.

    Args:
        around: Puts everything around a handler that stands there for calls over a wire.
    """

    def __init__(self, around: Around) -> None:
        self._around = around
        self._handlers: dict[str, Handler] = {}
        self._running: set[asyncio.Task[Any]] = set()

    def add_generic_rpc_handlers(self, _: object) -> None:
        """Take nothing: the same handlers come by their names."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Take the handlers of a service."""
        for name, handler in handlers.items():
            method = f"/{service}/{name}"
            self._handlers[method] = self._around(method, handler)

    async def call(self, method: str, request: Any, seconds: float | None, metadata: Metadata) -> Any:
        """Return the response of a call that has one message.

        Raises:
            HapjuError: As the handler's status says.
        """
        handler, context = self._handlers[method], _Context(seconds, metadata)
        task = self._begun(handler.unary_unary, handler, request, context)
        try:
            if not (await asyncio.wait({task}, timeout=context.backstop_seconds()))[0]:
                raise DeadlineExceeded("the call's time is over")
            return _result(task, context)
        finally:
            await _left(task)

    async def stream(
        self, method: str, request: Any, seconds: float | None, metadata: Metadata, opened_seconds: float | None = None
    ) -> AsyncGenerator[Any]:
        """Yield the messages of a call; closing the iterator cancels the handler.

        Args:
            method: The call's name.
            request: What is asked.
            seconds: How long it may take; None for as long as it wants.
            metadata: The caller's own.
            opened_seconds: Where nothing is heard for so long from the beginning, None is yielded, once.

        Raises:
            HapjuError: As the handler's status says.
        """
        handler, context = self._handlers[method], _Context(seconds, metadata)
        task = self._begun(handler.unary_stream, handler, request, context)
        task.add_done_callback(context.over)
        try:
            if opened_seconds is not None and not await context.until(opened_seconds):
                yield None
            while await context.until(context.backstop_seconds()):
                if not context.holds_one:
                    _result(task, context)
                    return
                yield context.taken()
            raise DeadlineExceeded("the call's time is over")
        finally:
            await _left(task)

    async def drain(self, seconds_max: float) -> None:
        """Let running calls end, and cut those that take longer."""
        if self._running:
            _, late = await asyncio.wait(tuple(self._running), timeout=seconds_max)
            for task in late:
                task.cancel()

    def _begun(self, inner: Any, handler: Handler, request: Any, context: "_Context") -> asyncio.Task[Any]:
        decode: Any = handler.request_deserializer
        task = asyncio.create_task(inner(decode(request.SerializeToString()), context))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


class _Context:
    """What a handler's surroundings ask of a call, without a wire.

    One message waits at most: a reader that takes none holds the handler up, as over a wire. Who waits is woken by what
    it waits for and by nothing in between: a task for each message would have it stand behind all that a flow begins.
    """

    def __init__(self, seconds: float | None, metadata: Metadata) -> None:
        self._until = None if seconds is None else monotonic() + seconds
        self._metadata = metadata
        self.aborted: HapjuError | None = None
        self._message: Any = None
        self._is_over = False
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None

    def invocation_metadata(self) -> Metadata:
        return self._metadata

    def time_remaining(self) -> float | None:
        return None if self._until is None else self._until - monotonic()

    def backstop_seconds(self) -> float | None:
        """Return how long the handler may still be waited for."""
        left = self.time_remaining()
        return None if left is None else max(0.0, left) + BACKSTOP_SECONDS

    async def write(self, message: Any) -> None:
        while self._message is not None:
            self._writer = asyncio.get_running_loop().create_future()
            await self._writer
        self._message = message
        _wake(self._reader)

    async def abort(self, code: grpc.StatusCode, details: str, trailing: tuple[Any, ...]) -> NoReturn:
        status = AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailing), details)
        self.aborted = rebuilt(status)
        raise AbortError

    def over(self, _: "asyncio.Task[Any]") -> None:
        """Note that the handler has ended."""
        self._is_over = True
        _wake(self._reader)

    @property
    def holds_one(self) -> bool:
        """Whether a message waits to be read."""
        return self._message is not None

    def taken(self) -> Any:
        """Return the message that waits, and make room for the next."""
        message, self._message = self._message, None
        _wake(self._writer)
        return message

    async def until(self, seconds: float | None) -> bool:
        """Wait for a message or the handler's end; return whether there is either."""
        if not self.holds_one and not self._is_over:
            loop = asyncio.get_running_loop()
            self._reader = loop.create_future()
            late = None if seconds is None else loop.call_later(seconds, _wake, self._reader)
            try:
                await self._reader
            finally:
                self._reader = None
                if late is not None:
                    late.cancel()
        return self.holds_one or self._is_over


def _wake(waiting: "asyncio.Future[None] | None") -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)


def _result(task: asyncio.Task[Any], context: _Context) -> Any:
    try:
        return task.result()
    except AbortError:
        raise context.aborted or AssertionError from None


async def _left(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(task, return_exceptions=True)
