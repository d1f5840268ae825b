"""The files that come with a question. Field meanings stand in protos/hapju/flow/v1/question.proto."""

from bisect import bisect_right
from dataclasses import dataclass

from hapju.flow.v1 import question_pb2
from services.contract.mapping import message


@message(question_pb2.Attachment)
@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that comes with a question; behind the gateway, what it says."""

    name: str = ""
    media_type: str = ""
    content: bytes = b""
    text: str = ""
    page_starts: tuple[int, ...] = ()
    digest: str = ""
    earlier: bool = False

    def page_of(self, place: int) -> int:
        """Return the page, from 1, that a place of the text lies on; 0 where the file has no pages."""
        return bisect_right(self.page_starts, place)
