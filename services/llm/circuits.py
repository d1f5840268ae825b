"""Whether a model is asked at all: an endpoint that hangs makes one question wait, not each that follows.

    closed ─ one call waited in vain, or FAILURES_MAX in a row failed ─► open ─ one in QUESTIONS questions, or the
       ▲                                                                  ▲      first after AWAY_SECONDS, tries ─┐
       └──────────────────────────── it was answered ◄──────────────┬─────┴── it was not ◄───────────────────────┘

There is a circuit for each role's model, and one for the endpoint as a whole: a wait during which nothing else was
answered tells of both. Meanwhile decisions go by their rules. A call that its caller had little time for, or that was
given up, tells nothing. What other processes have waited for in vain the run context says.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

import structlog
from circuitbreaker import CircuitBreaker

from services.llm.model import FailureReason, ModelFailure
from services.runtime import run

FAILURES_MAX: Final = 5
"""After so many calls in a row that failed at once, a model is not asked for a while."""
QUESTIONS: Final = 20
"""One in so many questions tries a model that is away."""
AWAY_SECONDS: Final = 60
"""After so long the next question tries it, however few have come."""
PATIENCE_SECONDS: Final = 2.0
"""A call that had less than this tells nothing of an endpoint by running out of it."""
_AWAY: Final = frozenset(
    {
        FailureReason.TIMED_OUT,
        FailureReason.CONNECTION,
        FailureReason.SERVER_ERROR,
        FailureReason.RATE_LIMITED,
        FailureReason.STREAM_CUT,
    }
)
_log = structlog.get_logger(__name__)


class _NotAnswered(Exception):
    """A call was not answered."""


class _Circuit:
    """The circuit of one model, or of an endpoint."""

    def __init__(self, name: str) -> None:
        self._breaker = CircuitBreaker(FAILURES_MAX, AWAY_SECONDS, _NotAnswered, name=name)
        self._passed: set[str] = set()
        self._trying = ""
        self.answered_at = 0.0
        """When a call was last answered."""

    def lets(self, question: str) -> bool:
        """Whether a call of this question may be made; one that was refused once stays so."""
        if self._breaker.closed:
            return True
        is_due = not self._breaker.opened or len(self._passed) >= QUESTIONS
        if question in self._passed or self._trying or not is_due:
            self._passed.add(question)
            return False
        return True

    def begun(self, question: str) -> None:
        """Have nobody else try while this question does."""
        if not self._breaker.closed:
            self._trying = question

    def left(self, question: str) -> None:
        """Note that the question's call has ended, in whatever way."""
        if self._trying == question:
            self._trying = ""

    def answered(self) -> None:
        """Note that the call was answered."""
        self._breaker.reset()
        self._passed.clear()
        self.answered_at = monotonic()

    def failed(self, question: str, *, at_once: bool) -> None:
        """Note that the question's call was not answered; `at_once` opens the circuit."""
        was_open = self._breaker.opened
        for _ in range(FAILURES_MAX if at_once else 1):
            try:
                with self._breaker:
                    raise _NotAnswered  # noqa: TRY301 - the library counts what its body raises
            except _NotAnswered:
                continue
        if self._breaker.opened:
            # It has waited, and what it asks further does not count it once more.
            self._passed = {question}
            if not was_open:
                _log.warning("a model is not asked for a while", model=self._breaker.name)


class Circuits:
    """The circuits of one endpoint and its models, for all questions of a process."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = _Circuit(endpoint)
        self._models: dict[str, _Circuit] = {}

    @contextmanager
    def watched(self, model: str, allowed_seconds: float) -> Iterator[None]:
        """Let a call be made in the body, and learn from how it ends.

        Raises:
            ModelFailure: MODEL_AWAY where it must not be made; else what the body raises.
        """
        question = run.current().flow_run_id
        of_model = self._models.setdefault(model, _Circuit(model))
        both = (self._endpoint, of_model)
        # Both are asked, for both count the questions that go by.
        if [one for one in both if not one.lets(question)] or model in run.current().models_away:
            raise ModelFailure(FailureReason.MODEL_AWAY)
        begun_at = monotonic()
        for one in both:
            one.begun(question)
        try:
            yield
        except ModelFailure as failure:
            self._learn(of_model, failure, begun_at, allowed_seconds)
            raise
        else:
            for one in both:
                one.answered()
        finally:
            for one in both:
                one.left(question)

    def _learn(self, of_model: _Circuit, failure: ModelFailure, begun_at: float, allowed_seconds: float) -> None:
        if failure.reason not in _AWAY:
            # It answered, if only to refuse; what no call was made for tells nothing.
            return
        question = run.current().flow_run_id
        waited = failure.reason is FailureReason.TIMED_OUT and allowed_seconds >= PATIENCE_SECONDS
        of_model.failed(question, at_once=waited)
        if waited and self._endpoint.answered_at < begun_at:
            self._endpoint.failed(question, at_once=True)
