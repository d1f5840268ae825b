"""A strict double of a model: it answers a written list of steps, in order, and nothing else.

Its errors are AssertionErrors, not model failures: a decision never falls back over a wrong test.

    with ScriptedModel(Step("intent_analysis", text='{...}'), Step("agent_summary", fails=RATE_LIMITED)) as model:
        ...                               leaving checks that every step was used
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from services.llm.model import FailureReason, ModelFailure, ModelReply, ModelRequest, TokenCount


class UnexpectedCall(AssertionError):
    """The model was asked although the script is at its end."""


class WrongKind(AssertionError):
    """The model was asked for another kind than the script's next step."""


class LeftOverSteps(AssertionError):
    """The script ended with steps that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Step:
    """One expected call and its answer."""

    kind: str
    """The prompt's kind that must be asked for."""
    text: str = ""
    """The whole answer of a call that is not streamed."""
    pieces: tuple[str, ...] = ()
    """The pieces of a streamed answer."""
    finish_reason: str = "stop"
    """As an endpoint would say."""
    tokens: TokenCount = field(default=TokenCount())
    """What the call is said to have used."""
    fails: FailureReason | None = None
    """The failure in place of an answer; in a stream, after the pieces."""


class ScriptedModel:
    """A `Model` that keeps to its script."""

    endpoint = "scripted"

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.requests: list[ModelRequest] = []
        """What was asked, in order."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Check the script's end, unless something went wrong already."""
        if error is None:
            self.check_done()

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
        """Answer the next step.

        Raises:
            UnexpectedCall: The script is at its end.
            WrongKind: The next step is of another kind.
            ModelFailure: The step says so.
        """
        step = self._next(request)
        if step.fails is not None:
            raise ModelFailure(step.fails, "scripted")
        return ModelReply(step.text, step.finish_reason, request.model, step.tokens)

    async def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
        """Yield the next step's pieces; raises what `complete` raises."""
        step = self._next(request)
        for piece in step.pieces:
            yield piece
        if step.fails is not None:
            raise ModelFailure(step.fails, "scripted")
        yield ModelReply("", step.finish_reason, request.model, step.tokens)

    async def aclose(self) -> None:
        """Close nothing; whether the script was used up is `check_done`'s question."""

    def check_done(self) -> None:
        """Check that every step was used.

        Raises:
            LeftOverSteps: Some were not.
        """
        if self._steps:
            raise LeftOverSteps(f"never asked for: {[step.kind for step in self._steps]}")

    def _next(self, request: ModelRequest) -> Step:
        self.requests.append(request)
        if not self._steps:
            raise UnexpectedCall(f"asked for {request.kind} after the end of the script")
        if self._steps[0].kind != request.kind:
            raise WrongKind(f"asked for {request.kind} where the script has {self._steps[0].kind}")
        return self._steps.pop(0)
