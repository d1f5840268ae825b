"""What makes two requests the same: everything that a client said, but not when or how long it waits for it.

And what a list shows of a request.
"""

from dataclasses import replace
from hashlib import sha256

from hapju.flow.v1 import question_pb2
from services.contract.flow import Question
from services.contract.mapping import to_proto
from services.text.normalise import is_blank


def digest_of(question: Question) -> str:
    """Return SHA-256 over a question, without its request id, deadlines and what it says about others."""
    same = replace(question, request_id="", flow_timeout=None, on_disconnect=None, on_busy=None)
    return sha256(to_proto(same, question_pb2.Question).SerializeToString(deterministic=True)).hexdigest()


def shown_text(question: Question) -> str:
    """Return what a list shows of a question: its words, or the names of the files that came without any."""
    return question.text if not is_blank(question.text) else ", ".join(one.name for one in question.attachments)
