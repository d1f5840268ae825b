"""The messages of document.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass

from hapju.flow.v1 import document_pb2
from services.contract.mapping import message


@message(document_pb2.Document)
@dataclass(frozen=True, slots=True)
class FinalDocument:
    """A document that a person has approved, for any client to keep as a file. It is made of the words of its form and
    of what the person said; one that was rejected, or waits for approval, is none.
    """

    document_id: str
    """Names it within its flow."""
    title: str
    """Its title, in the flow's language."""
    paragraphs: tuple[str, ...]
    """Its paragraphs, in order; what has to be filled in by hand stands in brackets: 【name】."""
