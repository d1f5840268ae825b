"""Files that go along with a question."""

from os import PathLike
from pathlib import Path

from hapju.flow.v1 import question_pb2


def attachment(path: str | PathLike[str]) -> question_pb2.Attachment:
    """Return a file as an attachment of a question: `Question(text="...", attachments=[attachment("lease.pdf")])`.

    What the gateway takes - texts, DOCX and PDF, how many, how large - it says itself, by the field's name.

    Raises:
        OSError: It cannot be read.
    """
    file = Path(path)
    return question_pb2.Attachment(name=file.name, content=file.read_bytes())
