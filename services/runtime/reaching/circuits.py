"""Whether a target is called at all: after some calls in a row that did not reach it, for a while none is made.

    closed ─ UNREACHED_MAX calls in a row did not reach it ─► open ─ OPEN_SECONDS ─► half open ─ reached ─► closed
                                                                ▲                          └ not reached ─┐
                                                                └─────────────────────────────────────────┘

A target is reached where any of our own services has answered, whatever it said: an error that it tells of is an
answer. A call that was given up says nothing either way. Calls that must get through are made all the same: effects,
approvals, ends and states.
"""

from typing import Final

from circuitbreaker import CircuitBreaker

from services.runtime.call_policy import CALL_POLICY, is_infrastructure
from services.runtime.errors import Unavailable

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
