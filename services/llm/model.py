"""What a model is asked and what it answers, whichever vendor or double is behind it."""

import hashlib
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol


class OutputMode(StrEnum):
    """How the answer's shape is asked for, from the strictest to the loosest."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


class FailureReason(StrEnum):
    """Why there is no usable answer; it becomes the decision's fallback_reason and the warning's text."""

    NOT_RECORDED = "NOT_RECORDED"
    """A recorded flow is replayed, and no model was asked this when it was recorded."""
    NOT_CONFIGURED = "NOT_CONFIGURED"
    """No model is named for the prompt's role, or none that the tenant's content may go to."""
    MODEL_CALLS_SPENT = "MODEL_CALLS_SPENT"
    """The flow has no model call left."""
    TOKENS_SPENT = "TOKENS_SPENT"
    """The flow has no token left."""
    COST_SPENT = "COST_SPENT"
    """The flow has no money left."""
    MODEL_FAILURES_SPENT = "MODEL_FAILURES_SPENT"
    """The model failed too often in this flow; it is not asked again."""
    MODEL_AWAY = "MODEL_AWAY"
    """It did not answer earlier questions, and this one is not the one that tries again."""
    DEADLINE_SPENT = "DEADLINE_SPENT"
    """Too little of the request's deadline is left for a call."""
    RATE_LIMITED = "RATE_LIMITED"
    """HTTP 429."""
    TIMED_OUT = "TIMED_OUT"
    """No connection, no first token, no next token or no end within its time."""
    CONNECTION = "CONNECTION"
    """The endpoint cannot be reached, or it hung up before it answered."""
    SERVER_ERROR = "SERVER_ERROR"
    """HTTP 5xx, or an error inside the stream."""
    UNAUTHORIZED = "UNAUTHORIZED"
    """HTTP 401 or 403."""
    REQUEST_REFUSED = "REQUEST_REFUSED"
    """Another HTTP 4xx: the endpoint does not take what we ask."""
    STREAM_CUT = "STREAM_CUT"
    """The stream ended before the model said that it was done."""
    MALFORMED = "MALFORMED"
    """HTTP 200 with something that is no completion."""
    CONTENT_FILTERED = "CONTENT_FILTERED"
    """The endpoint withheld the answer."""
    OUTPUT_TRUNCATED = "OUTPUT_TRUNCATED"
    """The token limit cut the answer, also after a repair; or it went on beyond every answer."""
    OUTPUT_INVALID = "OUTPUT_INVALID"
    """The answer is outside the schema, also after a repair; or nothing of a text holds."""
    OUTPUT_EMPTY = "OUTPUT_EMPTY"
    """The model wrote nothing that a person may see."""


class ModelFailure(Exception):
    """A model gave no usable answer. Inside this package only: callers see a fallback or a typed error."""

    def __init__(self, reason: FailureReason, detail: str = "", *, retry_after_seconds: float | None = None) -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.retry_after_seconds = retry_after_seconds
        """After how long the same may be asked again; None where that would come to the same."""
        self.reason = reason
        """Why, for the record."""
        self.detail = detail
        """What happened, for the log; it may quote the model and is never shown to a user."""


class FormatRefused(ModelFailure):
    """The endpoint does not take the response_format that was asked for."""

    def __init__(
        self, detail: str, *, reason: FailureReason = FailureReason.REQUEST_REFUSED, is_certain: bool = True
    ) -> None:
        super().__init__(reason, detail)
        self.is_certain = is_certain
        """Whether the refusal says so; else a looser format has to show it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the request."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    text: str
    """What is said."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call, complete: the same request has the same digest."""

    kind: str
    """The prompt's kind."""
    model: str
    """The model's name at the endpoint."""
    messages: tuple[Message, ...]
    """System, user, and for a repair the answer and what was wrong with it."""
    temperature: float
    """Sampling temperature, 0 to 2."""
    max_tokens: int
    """Limit of the answer in tokens."""
    mode: OutputMode = OutputMode.TEXT
    """How the shape is asked for."""
    schema: Mapping[str, Any] | None = None
    """The strict JSON Schema, only in mode JSON_SCHEMA."""
    input_digest: str = field(default="", compare=False)
    """The digest of the decision's inputs, as its record bears it; no endpoint is told, and `digest` leaves it out."""

    def digest(self) -> str:
        """Return the SHA-256 of the canonical request, in hex."""
        told = {name: value for name, value in asdict(self).items() if name != "input_digest"}
        text = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens of one call as the endpoint counts them; both 0 where it does not say."""

    input: int = 0
    """Tokens read."""
    output: int = 0
    """Tokens written."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A whole answer; in a stream, what is known at its end (`text` is empty there)."""

    text: str
    """What the model wrote."""
    finish_reason: str
    """As the endpoint says: stop, length, content_filter, ..."""
    model: str
    """The model that answered, as the endpoint names it."""
    tokens: TokenCount = field(default=TokenCount())
    """What it cost."""


class Model(Protocol):
    """Something that answers requests: an endpoint, or a double of one."""

    @property
    def endpoint(self) -> str:
        """Where it is, without credentials; the output mode is remembered per endpoint and model."""
        ...

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
        """Answer in one piece.

        Raises:
            FormatRefused: the endpoint does not take `request.mode`.
            ModelFailure: any other way in which there is no answer within `allowed_seconds`.
        """
        ...

    def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
        """Yield text as it comes, none of it twice, and last one ModelReply.

        Raises:
            ModelFailure: the stream cannot begin, or breaks; what was yielded stays valid.
        """
        ...

    async def aclose(self) -> None:
        """Close connections; the model is not used afterwards."""
        ...
