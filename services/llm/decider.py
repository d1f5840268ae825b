"""One decision: a prompt, its inputs and a rule go in; a validated output comes out, from a model or from the rule.

    no model for the prompt's role           RULE       nothing to say
    the flow leaves nothing to decide        RULE       nothing to say
    budget, failures or deadline spent       RULE       fallback_reason says which
    the model answers inside the schema      LLM        at once or after one repair
    the model fails, or stays outside        FALLBACK   the same rule; fallback_reason says why

Each decision is written to the ledger of the current call and is a span.
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Generic, TypeVar

import structlog

from observability import attributes as names
from observability import telemetry
from observability.spans import set_attributes, span, spanned
from prompts.fields import PromptInputs, PromptOutput
from prompts.prompt import BasePrompt, Locale, ModelRole, Prompt, TextPrompt
from services.contract.flow import DecisionSource, Usage
from services.llm import observed, spending
from services.llm.circuits import Circuits
from services.llm.formats import OutputModes, instruction, repair_words, strict_schema
from services.llm.model import (
    FailureReason,
    FormatRefused,
    Message,
    Model,
    ModelFailure,
    ModelReply,
    ModelRequest,
    OutputMode,
    TokenCount,
)
from services.llm.prices import Prices
from services.llm.records import DecisionEntry, DecisionOutcome, asked, reasoning_of
from services.llm.structured import TRUNCATING_REASONS, read_answer
from services.llm.visible import VisibleText
from services.runtime import run
from services.runtime.errors import ModelUnavailable
from services.runtime.tenants import Tenants

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs
O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output

REPAIRABLE: Final = (FailureReason.OUTPUT_INVALID, FailureReason.OUTPUT_TRUNCATED)
"""What is worth asking once more; an endpoint that fails is not asked again."""
LEFT_MIDWAY: Final = (FailureReason.TIMED_OUT, FailureReason.STREAM_CUT)
"""Behind these an endpoint may have read and written all that it was asked for, and asks money for it."""
TRUNCATED_TIMES: Final = 2
"""Where an answer was cut it may have so many times as many tokens: at the same limit it would be cut again."""
UNASKED: Final = (
    FailureReason.NOT_CONFIGURED,
    FailureReason.MODEL_CALLS_SPENT,
    FailureReason.TOKENS_SPENT,
    FailureReason.COST_SPENT,
    FailureReason.MODEL_FAILURES_SPENT,
    FailureReason.DEADLINE_SPENT,
    FailureReason.MODEL_AWAY,
)
"""With these no model was asked: the rule decides by right, not as a fallback."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Decided(Generic[O]):
    """A decision as its caller sees it."""

    output: O
    """Inside the schema, whoever decided."""
    source: DecisionSource
    """LLM, RULE or FALLBACK."""
    fallback_reason: str
    """A FailureReason under FALLBACK and under a RULE that a spent budget forced; else empty."""
    model: str
    """The model that was asked; empty under RULE."""
    usage: Usage
    """What it cost, failures included."""
    latency: timedelta
    """Wall time from being asked to having decided."""

    @property
    def degraded(self) -> bool:
        """Whether a model should have decided and did not; the flow says so in a warning."""
        return bool(self.fallback_reason)


class Decider:
    """Makes the decisions of one service; get it from `services.llm.build.decider_from`."""

    def __init__(  # noqa: PLR0913 - what one is made of
        self,
        service: str,
        *,
        model: Model | None,
        model_names: Mapping[ModelRole, str],
        modes: OutputModes,
        prices: Prices | None = None,
        circuits: Circuits | None = None,
        tenants: Tenants | None = None,
    ) -> None:
        """`service` is the catalog name that decisions bear; without `model` every decision is a RULE.

        Without `circuits` a model is asked however often it has failed, without `tenants` whoever asks.
        """
        self._tenants = tenants or Tenants()
        self._circuits = circuits
        self._service = service
        self._model = model
        self._model_names = {role: name for role, name in model_names.items() if name}
        self._modes = modes
        self._prices = prices or Prices()

    def configured(self, role: ModelRole) -> bool:
        """Say whether a model answers for this role."""
        return self._model is not None and role in self._model_names

    async def aclose(self) -> None:
        """Let go of the model; call it once, when the service stops."""
        if self._model is not None:
            await self._model.aclose()

    async def decide(self, prompt: Prompt[I, O], inputs: I, rule: Callable[[I], O]) -> Decided[O]:
        """Decide, and write the decision down; `rule` is pure and quick, for it runs on the event loop.

        Raises:
            LookupError: Outside any flow or call. Nothing that a model does raises.
        """
        entry = DecisionEntry(self._service, prompt, inputs)
        with span(names.SPAN_DECIDE, attributes=asked(prompt)):
            try:
                output, outcome = await self._by_model(prompt, inputs, entry)
            except ModelFailure as failure:
                output, outcome = rule(inputs), self._without_model(prompt, failure)
            entry.write(
                outcome,
                output.model_dump_json().encode(),
                confidence=getattr(output, "confidence", None),
                reasoning=reasoning_of(output),
            )
        return Decided(output, outcome.source, outcome.reason, outcome.model, entry.usage, entry.latency)

    async def stream(
        self, prompt: TextPrompt[I], inputs: I, holds: Callable[[], bool] = lambda: True
    ) -> AsyncGenerator[str, None]:
        """Yield the answer as the model writes it, none of it twice; at the end the decision is written down.

        Where nothing of a whole text `holds`, which is asked at its end, the decision is no model's.

        It asks once: after a failure the caller goes on from what was sent. Closing it closes the connection at
        once; a caller that may leave early wraps it in `contextlib.aclosing`.

        Raises:
            ModelUnavailable: Its reason is a FailureReason; one of UNASKED before any text.
        """
        entry = DecisionEntry(self._service, prompt, inputs)
        pieces = spanned(self._recorded(prompt, inputs, entry, holds), names.SPAN_DECIDE, attributes=asked(prompt))
        async with aclosing(pieces):
            async for piece in pieces:
                yield piece
        if entry.unasked is not None:
            raise _unavailable(prompt, entry.unasked) from entry.unasked

    async def _by_model(self, prompt: Prompt[I, O], inputs: I, entry: DecisionEntry) -> tuple[O, DecisionOutcome]:
        model, name = self._askable(prompt)
        request = request_for(prompt, inputs, name, entry.input_digest)
        reply = await self._complete(model, prompt, request, entry)
        try:
            output = _accepted(prompt, inputs, reply)
        except ModelFailure as outside:
            if outside.reason not in REPAIRABLE:
                raise
            reply = await self._repaired(model, prompt, repair_of(request, reply.text, outside), entry, outside)
            output = _accepted(prompt, inputs, reply)
            set_attributes({names.DECISION_REPAIRED: True})
        return output, DecisionOutcome(DecisionSource.LLM, model=name)

    def _askable(self, prompt: BasePrompt[I]) -> tuple[Model, str]:
        """Return the model and its name for this prompt.

        Raises:
            ModelFailure: One of UNASKED.
        """
        name = self._model_names.get(prompt.head.role)
        if self._model is None or name is None or prompt.kind in run.current().settled_kinds:
            raise ModelFailure(FailureReason.NOT_CONFIGURED)
        granted = self._tenants.granted()
        if not (granted.may_ask(name) and granted.may_reach(self._model.endpoint)):
            raise ModelFailure(FailureReason.NOT_CONFIGURED)
        return self._model, name

    async def _repaired(
        self, model: Model, prompt: Prompt[I, O], request: ModelRequest, entry: DecisionEntry, outside: ModelFailure
    ) -> ModelReply:
        """Ask once more; where nothing is left for that, the first answer's failure stands."""
        try:
            return await self._complete(model, prompt, request, entry)
        except ModelFailure as failure:
            if failure.reason in UNASKED:
                raise outside from None
            raise

    async def _complete(
        self, model: Model, prompt: Prompt[I, O], request: ModelRequest, entry: DecisionEntry
    ) -> ModelReply:
        """Make one call in the mode that the endpoint takes, learning which that is."""
        mode: OutputMode | None = self._modes.of(model.endpoint, request.model)
        refused: FormatRefused | None = None
        while mode is not None:
            asking = in_mode(request, prompt.output, mode, is_brief=self._modes.is_brief)
            seconds = spending.decision_seconds()
            try:
                with self._asking(asking, entry, seconds, prompt.output):
                    reply = await observed.complete(model, asking, allowed_seconds=seconds)
            except FormatRefused as failure:
                refused = failure
                mode = self._modes.step_down(model.endpoint, request.model, mode, is_certain=failure.is_certain)
                continue
            if refused is not None:
                self._modes.works(model.endpoint, request.model, mode)
            entry.spent.call_ended(self._paid(request.model, reply.tokens))
            return reply
        if refused is None:
            raise AssertionError("there is a mode to begin with")
        raise ModelFailure(refused.reason, refused.detail)

    def _watched(self, model: str, allowed_seconds: float) -> AbstractContextManager[None]:
        return nullcontext() if self._circuits is None else self._circuits.watched(model, allowed_seconds)

    @contextmanager
    def _asking(
        self, request: ModelRequest, entry: DecisionEntry, seconds: float, output: type[O] | None = None
    ) -> Iterator[None]:
        """Hold back what a call may come to while it is made; one that is left in the middle has come to that.

        Raises:
            ModelFailure: One of UNASKED; so much is not left.
        """
        with self._watched(request.model, seconds):
            claim = self._prices.claim(request, output)
            if refused := spending.refusal(claim):
                raise ModelFailure(refused)
            entry.spent.call_begins(claim)
            try:
                yield
            except ModelFailure as failure:
                if failure.reason in LEFT_MIDWAY:
                    entry.spent.call_ended(claim)
                    telemetry.current().instruments.model_cost_known(request.model, claim.cost_micro_usd)
                raise

    async def _recorded(
        self, prompt: TextPrompt[I], inputs: I, entry: DecisionEntry, holds: Callable[[], bool]
    ) -> AsyncGenerator[str, None]:
        """Pass the text on, and write down who wrote it and how it ended."""
        sent: list[str] = []
        failed: ModelFailure | None = None
        try:
            pieces = self._written(prompt, inputs, entry)
            async with aclosing(pieces):
                async for piece in pieces:
                    sent.append(piece)
                    yield piece
            _check_told(sent, holds)
            outcome = DecisionOutcome(DecisionSource.LLM, model=self._model_names[prompt.head.role])
        except ModelFailure as failure:
            failed, outcome = failure, self._without_model(prompt, failure)
        entry.write(outcome, json.dumps({"text": "".join(sent)}, ensure_ascii=False).encode())
        if failed is None:
            return
        if failed.reason in UNASKED:
            # Nothing went wrong: that no model was asked is told outside of the span, which would bear it as an error.
            entry.unasked = failed
            return
        raise _unavailable(prompt, failed) from failed

    async def _written(self, prompt: TextPrompt[I], inputs: I, entry: DecisionEntry) -> AsyncGenerator[str, None]:
        """Yield what a user may see of the model's stream.

        Raises:
            ModelFailure: The stream broke, or its text is not the whole answer.
        """
        model, name = self._askable(prompt)
        visible, reply = VisibleText(), None
        request = request_for(prompt, inputs, name, entry.input_digest)
        seconds = spending.stream_seconds()
        with self._asking(request, entry, seconds):
            async with aclosing(observed.stream(model, request, allowed_seconds=seconds)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelReply):
                        reply = piece
                    elif shown := visible.feed(piece):
                        yield shown
            if rest := visible.finish():
                yield rest
            if reply is None:
                raise ModelFailure(FailureReason.STREAM_CUT, "the stream ended without its reply")
        entry.spent.call_ended(self._paid(name, reply.tokens))
        if reason := TRUNCATING_REASONS.get(reply.finish_reason):
            raise ModelFailure(reason, f"finish_reason {reply.finish_reason}")

    def _paid(self, model: str, tokens: TokenCount) -> Usage:
        """Return what an answered call used, and count its cost."""
        usage = self._prices.usage(model, tokens)
        telemetry.current().instruments.model_cost_known(model, usage.cost_micro_usd)
        return usage

    def _without_model(self, prompt: BasePrompt[I], failure: ModelFailure) -> DecisionOutcome:
        """Return the outcome of a decision that goes by its rule, and log why where that is news."""
        if failure.reason in UNASKED:
            reason = "" if failure.reason is FailureReason.NOT_CONFIGURED else failure.reason.value
            return DecisionOutcome(DecisionSource.RULE, reason)
        _log.warning("a decision fell back to its rule", kind=prompt.kind, reason=failure.reason.value)
        # What an endpoint or a model said may hold the question, or the key that it was asked with.
        _log.debug("what was said", kind=prompt.kind, content=failure.detail)
        return DecisionOutcome(DecisionSource.FALLBACK, failure.reason.value, self._model_names[prompt.head.role])


def _check_told(sent: Sequence[str], holds: Callable[[], bool]) -> None:
    """Check that something of a whole text may be told.

    Raises:
        ModelFailure: OUTPUT_EMPTY where nothing was written, OUTPUT_INVALID where nothing of it holds.
    """
    if not "".join(sent).strip():
        raise ModelFailure(FailureReason.OUTPUT_EMPTY, "the model wrote nothing that may be shown")
    if not holds():
        raise ModelFailure(FailureReason.OUTPUT_INVALID, "nothing of the text holds")


def _accepted(prompt: Prompt[I, O], inputs: I, reply: ModelReply) -> O:
    """Return the answer if it is inside the schema and fits its inputs."""
    output = read_answer(reply.text, reply.finish_reason, prompt.output)
    if problems := prompt.problems(inputs, output):
        raise ModelFailure(FailureReason.OUTPUT_INVALID, "; ".join(problems))
    return output


def _unavailable(prompt: BasePrompt[I], failure: ModelFailure) -> ModelUnavailable:
    return ModelUnavailable(f"{prompt.kind}: no whole answer from the model", reason=failure.reason)


QUOTED_CHARS_MAX: Final = 4_000
"""As much of an unusable answer goes back to the model that wrote it."""


def locale() -> Locale:
    """Return the flow's language; anything but Korean is asked in English."""
    return "ko" if run.current().locale == "ko" else "en"


def request_for(prompt: BasePrompt[I], inputs: I, model: str, input_digest: str = "") -> ModelRequest:
    """Return the request in plain text mode; `input_digest` is that of the decision's record."""
    rendered = prompt.render(inputs, locale())
    return ModelRequest(
        kind=prompt.kind,
        model=model,
        messages=(Message("system", rendered.system), Message("user", rendered.user)),
        temperature=prompt.head.temperature,
        max_tokens=prompt.head.max_tokens,
        input_digest=input_digest,
    )


def in_mode(
    request: ModelRequest, output: type[PromptOutput], mode: OutputMode, *, is_brief: bool = False
) -> ModelRequest:
    """Ask for the output's shape: by schema, or by words in the system message where the endpoint takes none."""
    if mode is OutputMode.JSON_SCHEMA:
        return replace(request, mode=mode, schema=strict_schema(output, is_brief=is_brief))
    system, *rest = request.messages
    asking = replace(system, text=f"{system.text}\n\n{instruction(output, locale())}")
    return replace(request, mode=mode, messages=(asking, *rest))


def repair_of(request: ModelRequest, answer: str, failure: ModelFailure) -> ModelRequest:
    """Return the request that shows the model its answer and says what is wrong with it."""
    truncated = failure.reason is FailureReason.OUTPUT_TRUNCATED
    words = repair_words(failure.detail, truncated=truncated, locale=locale())
    shown = (Message("assistant", answer[:QUOTED_CHARS_MAX] or "{}"), Message("user", words))
    limit = request.max_tokens * (TRUNCATED_TIMES if truncated else 1)
    return replace(request, messages=(*request.messages, *shown), max_tokens=limit)
