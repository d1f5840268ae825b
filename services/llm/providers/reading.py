"""What a completion and the chunks of a stream say, read from their JSON; nobody has checked it before."""

from typing import Final

from services.llm.model import FailureReason, ModelFailure, ModelReply, TokenCount

TEXT_CHARS_MAX: Final = 65_536
"""As much of a streamed text is read; no answer, its thoughts included, is longer."""


def reply_of(completion: object) -> ModelReply:
    """Read a completion.

    Raises:
        ModelFailure: MALFORMED, or CONTENT_FILTERED where the model refused.
    """
    choice = _at(completion, "choices", 0)
    message = _at(choice, "message")
    if message is None:
        raise ModelFailure(FailureReason.MALFORMED, f"not a completion: {type(completion).__name__}")
    if _text(_at(message, "refusal")):
        raise ModelFailure(FailureReason.CONTENT_FILTERED, "the model refused")
    return ModelReply(
        text=_text(_at(message, "content")),
        finish_reason=_text(_at(choice, "finish_reason")),
        model=_text(_at(completion, "model")),
        tokens=_tokens(_at(completion, "usage")),
    )


class StreamProgress:
    """What a stream has told so far."""

    def __init__(self) -> None:
        self._finish_reason = ""
        self._model = ""
        self._tokens = TokenCount()
        self._length = 0

    @property
    def finished(self) -> bool:
        """Whether the model said that it is done; only the token count may still follow."""
        return bool(self._finish_reason)

    def read(self, chunk: object) -> str:
        """Take one chunk in and return its text, empty where it has none.

        Raises:
            ModelFailure: OUTPUT_TRUNCATED, the text goes on beyond every answer.
        """
        if not self._model:
            self._model = _text(_at(chunk, "model"))
        if (usage := _at(chunk, "usage")) is not None:
            self._tokens = _tokens(usage)
        choice = _at(chunk, "choices", 0)
        if reason := _at(choice, "finish_reason"):
            self._finish_reason = _text(reason)
        text = _text(_at(choice, "delta", "content"))
        self._length += len(text)
        if self._length > TEXT_CHARS_MAX:
            raise ModelFailure(FailureReason.OUTPUT_TRUNCATED, f"a text of more than {TEXT_CHARS_MAX} characters")
        return text

    def reply(self, *, is_done: bool) -> ModelReply:
        """Return what is known at the end.

        Args:
            is_done: Whether the endpoint has said that nothing follows; some say that alone, and no finish_reason.

        Raises:
            ModelFailure: STREAM_CUT, the stream ended before the model was done.
        """
        if not (self.finished or is_done):
            raise ModelFailure(FailureReason.STREAM_CUT, "the stream ended without a finish_reason")
        return ModelReply("", self._finish_reason or "stop", self._model, self._tokens)


def _at(value: object, *path: str | int) -> object:
    """Return what stands at a path; None where there is no such place."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and value and step == 0:
            value = value[0]
        else:
            return None
    return value


def _tokens(usage: object) -> TokenCount:
    return TokenCount(_count(_at(usage, "prompt_tokens")), _count(_at(usage, "completion_tokens")))


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _text(value: object) -> str:
    """Return a text, also where it comes as a list of parts; what is no text is left out."""
    if isinstance(value, list):
        return "".join(_text(_at(part, "text")) for part in value)
    return value if isinstance(value, str) else ""
