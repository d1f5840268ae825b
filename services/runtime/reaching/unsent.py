"""Calls that are not made: whoever waits for one gets its error."""

from collections.abc import AsyncIterator, Generator
from typing import Any

import grpc

from services.runtime.errors import HapjuError


class _Unsent:
    """A call that is not made: whoever waits for it gets its error.

    An interceptor that raised the error instead would have it raised once more when the call is collected as garbage.
    """

    def __init__(self, error: HapjuError) -> None:
        self._why = error

    def cancelled(self) -> bool:
        return False

    def done(self) -> bool:
        return True

    def time_remaining(self) -> float | None:
        return None

    def cancel(self) -> bool:
        return False

    def add_done_callback(self, callback: Any) -> None:
        callback(self)

    async def initial_metadata(self) -> Any:
        return grpc.aio.Metadata()

    async def trailing_metadata(self) -> Any:
        return grpc.aio.Metadata()

    async def code(self) -> grpc.StatusCode:
        return self._why.code

    async def details(self) -> str:
        return self._why.message

    async def wait_for_connection(self) -> None:
        raise self._why


class UnsentUnary(_Unsent, grpc.aio.UnaryUnaryCall):  # type: ignore[type-arg]  # generic in its stubs only
    """A unary call that is not made."""

    def __await__(self) -> Generator[Any, None, Any]:
        raise self._why
        yield


class UnsentStream(_Unsent, grpc.aio.UnaryStreamCall):  # type: ignore[type-arg]  # generic in its stubs only
    """A server stream that is not opened."""

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._messages()

    async def _messages(self) -> AsyncIterator[Any]:
        raise self._why
        yield

    async def read(self) -> Any:
        """Raise why the call was not made."""
        raise self._why
