"""What a file is, by what it holds: its name and its media type are only what somebody says of it."""

from enum import StrEnum
from typing import Final

_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_HEAD_BYTES: Final = 1_024
"""A PDF says so within these."""
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_CONTROLS: Final = frozenset(range(0x20)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1B}


class FileKind(StrEnum):
    """The kinds that are told apart."""

    TEXT = "text"
    """Text."""
    DOCX = "docx"
    """A package of a word processor, which a DOCX is."""
    PDF = "pdf"
    """A PDF."""
    ENCRYPTED = "encrypted"
    """An office document under a password."""
    OTHER = "other"
    """Anything else, an old office document, an HWP or a picture for example."""


MEDIA_TYPES: Final = {
    FileKind.TEXT: "text/plain",
    FileKind.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    FileKind.PDF: "application/pdf",
}
"""The media type of each kind that is read."""


def kind_of(content: bytes) -> FileKind:
    """Return what some bytes are."""
    if b"%PDF-" in content[:_HEAD_BYTES]:
        return FileKind.PDF
    if content.startswith(_ZIP):
        return FileKind.DOCX
    if content.startswith(_OLE):
        return FileKind.ENCRYPTED if _ENCRYPTED_PACKAGE in content else FileKind.OTHER
    return FileKind.OTHER if text_in(content) is None else FileKind.TEXT


def text_in(content: bytes) -> str | None:
    """Return the text that some bytes are, in the encodings that people here have; None where they are none."""
    mark = next((encoding for begin, encoding in _MARKS if content.startswith(begin)), "")
    for encoding in (mark,) if mark else ("utf-8", "cp949"):
        try:
            text = content.decode(encoding)
        except UnicodeError:
            continue
        if not _CONTROLS.intersection(map(ord, text)):
            return text
    return None
