"""From a prompt and its inputs to the request that a model gets."""

from dataclasses import replace
from typing import Final, TypeVar

from prompts.fields import PromptInputs, PromptOutput
from prompts.prompt import BasePrompt, Locale
from services.llm.formats import instruction, repair_words, strict_schema
from services.llm.model import FailureReason, Message, ModelFailure, ModelRequest, OutputMode
from services.runtime import run

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs

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


def in_mode(request: ModelRequest, output: type[PromptOutput], mode: OutputMode) -> ModelRequest:
    """Ask for the output's shape: by schema, or by words in the system message where the endpoint takes none."""
    if mode is OutputMode.JSON_SCHEMA:
        return replace(request, mode=mode, schema=strict_schema(output))
    system, *rest = request.messages
    asking = replace(system, text=f"{system.text}\n\n{instruction(output, locale())}")
    return replace(request, mode=mode, messages=(asking, *rest))


def repair_of(request: ModelRequest, answer: str, failure: ModelFailure) -> ModelRequest:
    """Return the request that shows the model its answer and says what is wrong with it."""
    truncated = failure.reason is FailureReason.OUTPUT_TRUNCATED
    words = repair_words(failure.detail, truncated=truncated, locale=locale())
    shown = (Message("assistant", answer[:QUOTED_CHARS_MAX] or "{}"), Message("user", words))
    return replace(request, messages=(*request.messages, *shown))
