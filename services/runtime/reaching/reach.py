"""Whether a target can be reached, and how long a call waits until it can.

    ready ─ its channel fails, or a call is lost with it ─► away ─ its channel is ready again ─► ready

A service that is started anew is away for some seconds. Whoever calls it meanwhile waits: for a share of the time that
they have, and no longer than AWAY_SECONDS_MAX after the target was first missed. From then on a call fails at once, so
that a part which is gone for good costs a flow its wait once and not at every call. Those who waited do not all rush in
at the same moment.
"""

from __future__ import annotations

import asyncio
from random import uniform
from time import monotonic
from typing import Final

import grpc
from circuitbreaker import CircuitBreaker

from services.runtime import deadlines
from services.runtime.call_policy import CALL_POLICY, CallPolicy, Retry, is_infrastructure
from services.runtime.errors import DETAILS_KEY, Draining, Unavailable, rebuilt

AWAY_SECONDS_MAX: Final = 15.0
"""How long a target may be away before calls to it fail at once; a restart takes one to three seconds on a machine that
has a core for it, and several times as long on one that has none."""
NEVER_SEEN_SECONDS_MAX: Final = 8.0
"""The same for a target that has not been there yet since this process began."""
WAIT_SHARE: Final = 0.5
"""The share of what a call has left that it may wait: what is left behind it is time for an answer."""
SPREAD_SECONDS: Final = 0.2
"""Over how long those who waited are spread."""
_LOOK_SECONDS: Final = 0.05
_NEVER_WAIT: Final = ("/hapju.runtime.v1.HopService/",)
"""A hop that is away works for nobody: that is its answer."""
_UNKNOWN: Final = CallPolicy(None, Retry.NEVER)
_TRYING: Final = frozenset({grpc.ChannelConnectivity.IDLE, grpc.ChannelConnectivity.CONNECTING})


class Reach:
    """One target as one caller reaches it.

    Args:
        target: Its name.
        away_seconds_max: See AWAY_SECONDS_MAX.
    """

    def __init__(self, target: str, away_seconds_max: float = AWAY_SECONDS_MAX) -> None:
        self._target = target
        self._away_seconds_max = away_seconds_max
        self._channel: grpc.aio.Channel | None = None
        self._seen = False
        self._since = 0.0
        self._back: asyncio.Event | None = None
        self._looking: asyncio.Task[None] | None = None

    def over(self, channel: grpc.aio.Channel) -> None:
        """Name the channel that leads there."""
        self._channel = channel

    @property
    def is_ready(self) -> bool:
        """True where the channel leads to a target that serves."""
        return self._state() is grpc.ChannelConnectivity.READY

    def seen(self) -> None:
        """Tell that the target has answered a call."""
        self._seen = True

    async def ready(self, method: str, asked_seconds: float | None) -> None:
        """Wait until a call may be made, which may take so many seconds by its caller's wish.

        What may be done once only is not sent into a connection that is still being made, for whether it was sent
        could not be told if that failed.

        Raises:
            Unavailable: The target has been away for too long.
        """
        if is_infrastructure(method) or method.startswith(_NEVER_WAIT):
            return
        state = self._state()
        if state is grpc.ChannelConnectivity.READY:
            self._seen = True
            return
        if self._back is None and state in _TRYING and CALL_POLICY.get(method, _UNKNOWN).retry is Retry.READ:
            return
        if not await self._back_within(self.patience(asked_seconds)):
            raise Unavailable(f"{self._target} cannot be reached")

    def patience(self, asked_seconds: float | None) -> float:
        """Return how many seconds a call may wait from now on that may take so many by its caller's wish."""
        most = self._away_seconds_max if self._seen else min(self._away_seconds_max, NEVER_SEEN_SECONDS_MAX)
        bounds = [seconds for seconds in (deadlines.remaining_seconds(), asked_seconds) if seconds is not None]
        own = min(bounds) * WAIT_SHARE if bounds else most
        away = monotonic() - self._since if self._back is not None else 0.0
        return max(0.0, min(own, most - away))

    def may_send_again(self, method: str, lost: grpc.aio.AioRpcError) -> bool:
        """Return whether a call that failed may be made once more: it changes nothing, or it was not taken in."""
        if lost.code() is not grpc.StatusCode.UNAVAILABLE or _is_not_to_be_repeated(lost):
            return False
        if is_infrastructure(method) or method.startswith(_NEVER_WAIT):
            return False
        if _is_told(lost):
            return isinstance(rebuilt(lost), Draining)
        if self.is_ready or CALL_POLICY.get(method, _UNKNOWN).retry is not Retry.READ:
            # A target that is connected and says so was reached: asking it again would not change its mind.
            return False
        self._look()
        return True

    async def close(self) -> None:
        """End the look-out."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})

    def _state(self) -> grpc.ChannelConnectivity:
        if self._channel is None:
            return grpc.ChannelConnectivity.READY
        return self._channel.get_state(try_to_connect=True)

    async def _back_within(self, seconds: float) -> bool:
        """Wait until the target is back; one look-out for all who wait."""
        back, begin = self._look(), monotonic()
        try:
            async with asyncio.timeout(seconds):
                await back.wait()
        except TimeoutError:
            return False
        if (waited := monotonic() - begin) > 2 * _LOOK_SECONDS:
            await asyncio.sleep(uniform(0.0, min(SPREAD_SECONDS, waited)))  # noqa: S311 - no secret
        return True

    def _look(self) -> asyncio.Event:
        """Look out for the target, and return what is set when it is back."""
        if self._back is None:
            self._since, self._back = monotonic(), asyncio.Event()
            self._looking = asyncio.create_task(self._look_out(self._back), name=f"look out for {self._target}")
        return self._back

    async def _look_out(self, back: asyncio.Event) -> None:
        pause = _LOOK_SECONDS / 10
        while self._state() is not grpc.ChannelConnectivity.READY:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LOOK_SECONDS)
        self._back, self._seen = None, True
        back.set()


def _is_told(lost: grpc.aio.AioRpcError) -> bool:
    """Return whether one of our own services said it."""
    return any(key == DETAILS_KEY for key, _ in lost.trailing_metadata() or ())


def _is_not_to_be_repeated(lost: grpc.aio.AioRpcError) -> bool:
    return any(key == "grpc-retry-pushback-ms" and value == "-1" for key, value in lost.trailing_metadata() or ())


UNREACHED_MAX: Final = 5
"""After so many calls in a row that did not reach a target, it is called no more for a while."""
OPEN_SECONDS: Final = 2
"""How long that is; then the next call tells."""
CIRCUIT_OPEN: Final = "CIRCUIT_OPEN"
"""The reason of a call that was not made."""


class _Unreached(Exception):
    """A call did not reach its target."""


class Circuit:
    """The circuit of one target, as one caller sees it."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._breaker = CircuitBreaker(UNREACHED_MAX, OPEN_SECONDS, _Unreached, name=target)

    def check(self, method: str) -> None:
        """Let a call pass.

        Raises:
            Unavailable: The circuit is open and the call is none that must get through.
        """
        policy = CALL_POLICY.get(method)
        must_pass = is_infrastructure(method) or (policy is not None and policy.critical)
        if self._breaker.opened and not must_pass:
            raise Unavailable(f"{self._target} has not been reached for a while", reason=CIRCUIT_OPEN)

    def ended(self, *, reached: bool) -> None:
        """Count a call that was made."""
        try:
            with self._breaker:
                if not reached:
                    raise _Unreached  # noqa: TRY301 - the library counts what its body raises
        except _Unreached:
            return
