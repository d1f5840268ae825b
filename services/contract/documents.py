"""Documents that a person has approved. Field meanings stand in protos/hapju/flow/v1/document.proto."""

from dataclasses import dataclass

from hapju.flow.v1 import document_pb2
from services.contract.mapping import message


@message(document_pb2.Document)
@dataclass(frozen=True, slots=True)
class FinalDocument:
    """A document to be kept as a file."""

    document_id: str
    title: str
    paragraphs: tuple[str, ...]
