"""Model calls as spans and metrics, by the GenAI semantic conventions, whichever model is behind them."""

from collections.abc import AsyncGenerator, Callable
from time import perf_counter
from typing import Final

from opentelemetry.util.types import AttributeValue

from observability import attributes as names
from observability import telemetry
from observability.spans import SpanKind, set_attributes, set_messages, span, spanned
from services.llm.model import Model, ModelFailure, ModelReply, ModelRequest

PROVIDER: Final = "openai"
"""The conventions' name for endpoints that speak OpenAI's protocol."""


async def complete(model: Model, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
    """Ask for a whole answer, in a span; raises what `Model.complete` raises."""
    begun = perf_counter()
    with span(_name(request), kind=SpanKind.CLIENT, attributes=_asked(request)):
        _said(request)
        try:
            reply = await model.complete(request, allowed_seconds=allowed_seconds)
        except ModelFailure as failure:
            _count(request, begun, error_type=failure.reason)
            raise
        _answered(request, reply, lambda: reply.text, begun)
    return reply


def stream(model: Model, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
    """Ask for a streamed answer, in a span that lasts as long; raises what `Model.stream` raises."""
    source = _counted(model, request, allowed_seconds)
    return spanned(source, _name(request), kind=SpanKind.CLIENT, attributes=_asked(request))


async def _counted(
    model: Model, request: ModelRequest, allowed_seconds: float
) -> AsyncGenerator[str | ModelReply, None]:
    begun, written = perf_counter(), list[str]()
    _said(request)
    pieces = model.stream(request, allowed_seconds=allowed_seconds)
    try:
        async for piece in pieces:
            if isinstance(piece, ModelReply):
                _answered(request, piece, lambda: "".join(written), begun)
            else:
                written.append(piece)
            yield piece
    except ModelFailure as failure:
        _count(request, begun, error_type=failure.reason)
        raise
    finally:
        await pieces.aclose()


def _name(request: ModelRequest) -> str:
    return f"{names.OPERATION_CHAT} {request.model}"


def _asked(request: ModelRequest) -> dict[str, AttributeValue]:
    return {
        names.GEN_AI_OPERATION_NAME: names.OPERATION_CHAT,
        names.GEN_AI_PROVIDER_NAME: PROVIDER,
        names.GEN_AI_REQUEST_MODEL: request.model,
        names.GEN_AI_REQUEST_TEMPERATURE: request.temperature,
        names.GEN_AI_REQUEST_MAX_TOKENS: request.max_tokens,
        names.DECISION_KIND: request.kind,
    }


def _said(request: ModelRequest) -> None:
    set_messages(names.GEN_AI_INPUT_MESSAGES, lambda: [(one.role, one.text) for one in request.messages])


def _answered(request: ModelRequest, reply: ModelReply, text: Callable[[], str], begun: float) -> None:
    set_messages(names.GEN_AI_OUTPUT_MESSAGES, lambda: [("assistant", text())])
    set_attributes(
        {
            names.GEN_AI_RESPONSE_MODEL: reply.model,
            names.GEN_AI_RESPONSE_FINISH_REASONS: (reply.finish_reason,),
            names.GEN_AI_USAGE_INPUT_TOKENS: reply.tokens.input,
            names.GEN_AI_USAGE_OUTPUT_TOKENS: reply.tokens.output,
        }
    )
    _count(request, begun)
    instruments = telemetry.current().instruments
    instruments.tokens_used(request.model, input_tokens=reply.tokens.input, output_tokens=reply.tokens.output)


def _count(request: ModelRequest, begun: float, *, error_type: str = "") -> None:
    telemetry.current().instruments.model_called(request.model, perf_counter() - begun, error_type=error_type)
