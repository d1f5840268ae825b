"""The model of a flow that is replayed: it answers one service from the decisions that its record holds.

A request matches a recorded decision of the same kind on the same inputs, each once and in order; the words of the
prompt may have changed since. The recorded output is given as the answer, a recorded failure as that failure, so that
the answer passes the same checks again. What was not asked then is a failure of its own, NOT_RECORDED: the flow goes on
by its rules, and the difference is seen where it begins. What went by its rule alone goes by it again, and is noted: no
record has an answer to it.
"""

import json
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Iterable

from services.contract.flow import Decision, DecisionSource
from services.llm.model import FailureReason, ModelFailure, ModelReply, ModelRequest, TokenCount


class RecordedModel:
    """A `Model` that answers from the recorded decisions of one service."""

    endpoint = "recorded"

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self.asked_anew: list[Decision] = []
        """Decisions that went by their rule by right, and that are put to a model now."""
        self._decisions: defaultdict[tuple[str, str], deque[Decision]] = defaultdict(deque)
        for decision in decisions:
            self._decisions[decision.kind, decision.input_digest].append(decision)

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:  # noqa: ARG002 - it is at once
        """Answer as the model did when the flow was recorded.

        Raises:
            ModelFailure: As it failed then; NOT_RECORDED where it was not asked this.
        """
        decision = self._next(request)
        if decision.source is not DecisionSource.LLM:
            raise _failure(decision)
        return _reply(decision, decision.output_json.decode())

    async def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:  # noqa: ARG002 - it is at once
        """Yield the recorded text in one piece; raises what `complete` raises, behind the text that came before it."""
        decision = self._next(request)
        text = json.loads(decision.output_json).get("text", "")
        if text:
            yield text
        if decision.source is not DecisionSource.LLM:
            raise _failure(decision)
        yield _reply(decision, "")

    async def aclose(self) -> None:
        """Close nothing."""

    def _next(self, request: ModelRequest) -> Decision:
        left = self._decisions.get((request.kind, request.input_digest))
        if not left:
            raise ModelFailure(FailureReason.NOT_RECORDED, f"{request.kind} was not asked on these inputs")
        decision = left.popleft()
        if decision.source is DecisionSource.RULE and not decision.fallback_reason:
            self.asked_anew.append(decision)
        return decision


def _failure(decision: Decision) -> ModelFailure:
    """Return why no model decided then; a decision that went by its rule alone goes by it again."""
    known = {reason.value: reason for reason in FailureReason} | {"": FailureReason.NOT_CONFIGURED}
    return ModelFailure(known.get(decision.fallback_reason, FailureReason.NOT_RECORDED), "as recorded")


def _reply(decision: Decision, text: str) -> ModelReply:
    tokens = TokenCount(decision.usage.input_tokens, decision.usage.output_tokens)
    return ModelReply(text, "stop", decision.model, tokens)
