"""Makes a file for a word processor of a document that a flow's answer holds."""

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from hapju.flow.v1 import document_pb2, flow_event_pb2
from services.runtime.errors import NotFound
from services.text.patterns import Pattern

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
"""What such a file is."""
_NO_FILE_NAME: Final = Pattern(r"[^\w가-힣 ()-]+")
_KOREAN_FONT: Final = "Malgun Gothic"


def document_in(events: Iterable[flow_event_pb2.FlowEvent], document_id: str) -> document_pb2.Document:
    """Return the document of that id in a flow's final answer.

    Raises:
        NotFound: The flow has not finished, or its answer holds no such document.
    """
    ends = (event.finished.answer for event in events if event.WhichOneof("event") == "finished")
    for one in (document for answer in ends for document in answer.documents):
        if one.document_id == document_id:
            return one
    raise NotFound("document_id: the flow's answer holds no such document", reason="UNKNOWN_DOCUMENT")


def file_name(document: document_pb2.Document) -> str:
    """Return what to call a document's file: its title, without signs that a file system may refuse."""
    return f"{_NO_FILE_NAME.sub(' ', document.title).strip() or 'document'}.docx"


def as_docx(document: document_pb2.Document) -> bytes:
    """Return a document as a DOCX file; takes tens of milliseconds, so not on a loop."""
    # Loaded where it is needed: few gateways make files, and every one starts.
    from docx import Document  # noqa: PLC0415
    from docx.oxml.ns import qn  # noqa: PLC0415

    made = Document()
    made.styles["Normal"].element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), _KOREAN_FONT)
    about = made.core_properties
    about.title, about.author, about.comments = document.title, "", ""
    about.created = about.modified = datetime.now(UTC).replace(tzinfo=None)
    made.add_heading(document.title, level=1)
    for paragraph in document.paragraphs:
        made.add_paragraph(paragraph)
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()
