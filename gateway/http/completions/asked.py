"""Reads a chat completion request: the last message of the user is the question, what stands before it the talk.

A front end sends the whole talk each time and no id of it. The conversation that it belongs to is found by what was
asked in it: it is the caller's one whose questions all stand in the talk and of which most do. Where there is none, the
talk itself goes along as history.
"""

from base64 import b64decode
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gateway.http.reading import object_in
from hapju.flow.v1 import question_pb2, record_pb2
from services.runtime.errors import InvalidRequest

MODEL: Final = "hapju"
"""The model that may answer from every domain; `hapju/DOMAIN` answers from one."""
SESSION_KEY: Final = "session_id"
"""The key of `metadata` by which a client names the conversation itself."""
TURNS_MAX: Final = 100
"""How much of a talk goes along as history."""
TURN_CHARACTERS_MAX: Final = 4_000
"""How much of one message does."""


class MessageFile(BaseModel):
    """A file in a message."""

    model_config = ConfigDict(extra="ignore")

    filename: str = ""
    """Its name."""
    file_data: str = ""
    """The file in base64, as a data URL or by itself; what a client has uploaded before is not here."""

    @property
    def content(self) -> bytes:
        """The file.

        Raises:
            InvalidRequest: There is none, or it is no base64.
        """
        data = self.file_data.partition(",")[2] if self.file_data.startswith("data:") else self.file_data
        try:
            content = b64decode(data, validate=True)
        except ValueError:
            content = b""
        if not content:
            raise InvalidRequest.of("messages.content.file.file_data", "must hold the file in base64; no ids are known")
        return content


class MessagePart(BaseModel):
    """A part of a message."""

    model_config = ConfigDict(extra="ignore")

    type: str
    """Its kind; text and files are read."""
    text: str = ""
    """What it says."""
    file: MessageFile | None = None
    """The file that it is."""


class ChatMessage(BaseModel):
    """One message of the talk."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    """Who says it."""
    content: str | list[MessagePart] | None = None
    """What is said."""

    @property
    def text(self) -> str:
        """What is said, as one text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """What a stream tells beside the answer."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False
    """Whether its last piece tells what the answer cost."""


class Completion(BaseModel):
    """What hapju reads of a request; what steers a model's sampling has no meaning here."""

    model_config = ConfigDict(extra="ignore")

    model: str = MODEL
    """Which domains may answer."""
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    """The talk, the oldest message first."""
    stream: bool = False
    """Whether the answer comes as it is written."""
    stream_options: StreamOptions = StreamOptions()
    """What a stream tells beside it."""
    n: Literal[1] | None = None
    """How many answers; there is one."""
    metadata: dict[str, str] | None = None
    """Under `session_id` the conversation, where the client names it."""

    @property
    def question(self) -> str:
        """What is asked."""
        return self.messages[-1].text

    @property
    def asked_before(self) -> list[str]:
        """What the user said before, the oldest first."""
        return [message.text.strip() for message in self.messages[:-1] if message.role == "user"]

    @property
    def attachments(self) -> list[question_pb2.Attachment]:
        """The files that come with the question; those of earlier messages came with theirs."""
        parts = self.messages[-1].content
        files = [part.file for part in parts if part.type == "file" and part.file] if isinstance(parts, list) else []
        return [question_pb2.Attachment(name=file.filename, content=file.content) for file in files]

    @property
    def domain(self) -> str:
        """The one domain that may answer; empty for all."""
        return self.model.partition("/")[2]

    @property
    def history(self) -> list[question_pb2.Turn]:
        """The talk before the question, as a client's own history."""
        speakers = {"user": question_pb2.SPEAKER_USER, "assistant": question_pb2.SPEAKER_ASSISTANT}
        turns = [
            question_pb2.Turn(speaker=speakers[message.role], text=message.text[:TURN_CHARACTERS_MAX])
            for message in self.messages[:-1]
            if message.role in speakers and message.text.strip()
        ]
        return turns[-TURNS_MAX:]


def completion_in(body: bytes) -> Completion:
    """Return the request that a body holds.

    Raises:
        InvalidRequest: It is none; names the field.
    """
    try:
        read = Completion.model_validate(object_in(body))
    except ValidationError as invalid:
        first: Any = invalid.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"] if not isinstance(part, str) or part.islower())
        raise InvalidRequest.of(field or "body", str(first["msg"])) from None
    if read.model.partition("/")[0] != MODEL:
        raise InvalidRequest.of("model", f"is unknown; /v1/models lists {MODEL} and what it answers from")
    if read.messages[-1].role != "user":
        raise InvalidRequest.of("messages", "the last must be the user's")
    return read


def session_of(talk: Sequence[str], flows: Iterable[record_pb2.FlowSummary]) -> str:
    """Return the conversation that a talk goes on with, or an empty text.

    Args:
        talk: What the user said in it.
        flows: The caller's latest flows, the newest first.
    """
    asked: dict[str, list[str]] = {}
    for flow in flows:
        asked.setdefault(flow.session_id, []).append(flow.question.strip())
    said = set(talk)
    whole = {session: questions for session, questions in asked.items() if said.issuperset(questions)}
    # Of equals the first is the latest.
    return max(whole, key=lambda session: len(whole[session]), default="")
