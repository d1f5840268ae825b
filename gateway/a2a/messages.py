"""What a message says: the words of a question with its files, or the words of a reply."""

from hashlib import sha256

from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import ContentTypeNotSupportedError

from hapju.flow.v1 import question_pb2


def question_in(message: a2a.Message) -> question_pb2.Question:
    """Return the question that a message asks; one that is sent again, by its id, is the same question.

    Raises:
        ContentTypeNotSupportedError: It says nothing, or holds what is neither text nor a file.
    """
    words = [part.text for part in message.parts if _is_words(part)]
    files = [_attachment(part) for part in message.parts if not _is_words(part)]
    if not files and not any(words):
        raise ContentTypeNotSupportedError("a message is text, with files or without")
    return question_pb2.Question(
        text="\n".join(filter(None, words)),
        attachments=files,
        session_id=message.context_id,
        request_id=_request_id(message.message_id),
        interactive=True,
        # A client that leaves comes back to its task; who wants to stop it says so.
        on_disconnect=question_pb2.ON_DISCONNECT_CONTINUE,
    )


def reply_in(message: a2a.Message) -> str:
    """Return what a message says to what a task waits with.

    Raises:
        ContentTypeNotSupportedError: It says nothing, or brings a file, which is no reply.
    """
    text = "\n".join(part.text for part in message.parts if part.text)
    if not text or not all(map(_is_words, message.parts)):
        raise ContentTypeNotSupportedError("a reply is text")
    return text


def _is_words(part: a2a.Part) -> bool:
    """Tell what is said from a file; a text that bears a file's name is one."""
    return part.WhichOneof("content") == "text" and not part.filename


def _attachment(part: a2a.Part) -> question_pb2.Attachment:
    match part.WhichOneof("content"):
        case "text":
            return question_pb2.Attachment(name=part.filename, media_type=part.media_type, text=part.text)
        case "raw":
            return question_pb2.Attachment(name=part.filename, media_type=part.media_type, content=part.raw)
        case _:
            # Nothing is fetched for a caller, and data is no question.
            raise ContentTypeNotSupportedError("a part is text, or a file's own bytes")


def _request_id(message_id: str) -> str:
    """Return the key of a message: whatever its sender takes for an id, in the form that keys have here."""
    return f"a2a.{sha256(message_id.encode()).hexdigest()[:40]}" if message_id else ""
