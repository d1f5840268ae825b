"""What a flow has already read: equal calls of one flow read once.

Results are kept for a while and within bounds; the oldest go first. A failed call is not kept, so a failed read may be
repeated. Equal calls that run at once wait for each other.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from services.contract.tool import ToolResult

KEEP_SECONDS: Final = 900.0
RESULTS_MAX: Final = 4_096
BYTES_MAX: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class CallKey:
    """What makes two calls equal."""

    tenant: str
    """Tenant of the user."""
    user_id: str
    """The user, so that nobody gets a result by knowing another's flow_run_id."""
    flow_run_id: str
    """The flow."""
    tool: str
    """The tool with its definition's digest."""
    arguments: bytes
    """The arguments in canonical form."""


@dataclass(slots=True)
class _Turn:
    lock: asyncio.Lock
    waiting: int = 0


class EarlierResults:
    """A bounded memory of results by call."""

    def __init__(
        self,
        *,
        keep_seconds: float = KEEP_SECONDS,
        results_max: int = RESULTS_MAX,
        bytes_max: int = BYTES_MAX,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keep_seconds = keep_seconds
        self._results_max = results_max
        self._bytes_max = bytes_max
        self._monotonic = monotonic
        self._results: OrderedDict[CallKey, tuple[float, ToolResult]] = OrderedDict()
        self._bytes = 0
        self._turns: dict[CallKey, _Turn] = {}

    @asynccontextmanager
    async def turn(self, key: CallKey) -> AsyncIterator[None]:
        """Let one call of equal ones through at a time."""
        turn = self._turns.setdefault(key, _Turn(asyncio.Lock()))
        turn.waiting += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.waiting -= 1
            if not turn.waiting:
                del self._turns[key]

    def get(self, key: CallKey) -> ToolResult | None:
        """Return the earlier result of an equal call, or None."""
        self._expire()
        found = self._results.get(key)
        return None if found is None else found[1]

    def has_result_of(self, key: CallKey, tool: str) -> bool:
        """Return whether the flow of a call has a result of a tool, for the same user."""
        self._expire()
        flow = (key.tenant, key.user_id, key.flow_run_id)
        return any(
            kept.tool.partition("/")[0] == tool and (kept.tenant, kept.user_id, kept.flow_run_id) == flow
            for kept in self._results
        )

    def put(self, key: CallKey, result: ToolResult) -> None:
        """Keep a result; the oldest ones make room."""
        self._drop(key)
        self._results[key] = (self._monotonic() + self._keep_seconds, result)
        self._bytes += len(result.rows_json)
        while len(self._results) > self._results_max or self._bytes > self._bytes_max:
            self._drop(next(iter(self._results)))

    def forget(self, tenant: str, user_id: str, flow_run_id: str) -> None:
        """Drop every result of a user's flow."""
        for key in [kept for kept in self._results if (kept.tenant, kept.user_id) == (tenant, user_id)]:
            if key.flow_run_id == flow_run_id:
                self._drop(key)

    def __len__(self) -> int:
        """Return how many results are kept."""
        return len(self._results)

    def _expire(self) -> None:
        now = self._monotonic()
        while self._results:
            oldest = next(iter(self._results))
            if self._results[oldest][0] > now:
                break
            self._drop(oldest)

    def _drop(self, key: CallKey) -> None:
        dropped = self._results.pop(key, None)
        if dropped is not None:
            self._bytes -= len(dropped[1].rows_json)
