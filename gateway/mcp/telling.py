"""What the tools return: a text for a model to read, and the same as an object for a program."""

import json
from collections.abc import Sequence
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from mcp_types import CallToolResult, TextContent

from gateway.http.completions.phrases import CANCELLED, question_text, source_list
from gateway.http.door import Refusal
from hapju.flow.v1 import answer_pb2, flow_event_pb2
from services.text.language import language_of

_TEXT: Final = {"type": "string"}
_CITATION: Final = {
    "type": "object",
    "properties": {
        "evidence_id": _TEXT,
        "title": _TEXT,
        "source": _TEXT,
        "as_of": _TEXT,
        "sample": {"type": "boolean"},
    },
}
_QUESTION: Final = {
    "type": "object",
    "properties": {
        "question_id": _TEXT,
        "kind": _TEXT,
        "text": _TEXT,
        "options": {"type": "array", "items": _TEXT},
        "action_digest": {**_TEXT, "description": "Under an approval, what the user is shown; empty otherwise."},
    },
}
ASKED_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["flow_run_id", "session_id", "status", "answer", "citations", "waiting"],
    "properties": {
        "flow_run_id": {**_TEXT, "description": "The flow; its record is the resource hapju://flows/ID."},
        "session_id": {**_TEXT, "description": "The conversation; name it in the next question to go on with it."},
        "status": {
            **_TEXT,
            "description": "ok, partial, no_data, asked, blocked, out_of_scope; waiting where the flow waits for the "
            "user; cancelled where the user said stop.",
        },
        "answer": {**_TEXT, "description": "The whole answer; empty while the flow waits."},
        "citations": {"type": "array", "items": _CITATION, "description": "What the answer rests on."},
        "charts": {"type": "array", "items": {"type": "object"}, "description": "Pictures of what was asked, to draw."},
        "waiting": {"type": "array", "items": _QUESTION, "description": "What the user is asked; for the tool answer."},
    },
}
"""What `ask` and `answer` return."""


def answered(answer: answer_pb2.FinalAnswer, session_id: str) -> CallToolResult:
    """Return an answer with its sources."""
    citations = [
        {
            "evidence_id": one.evidence_id,
            "title": one.title,
            "source": one.source,
            "as_of": one.as_of_time.ToDatetime().date().isoformat() if one.HasField("as_of_time") else "",
            "sample": one.sample,
        }
        for one in answer.citations
    ]
    charts = [as_object(chart) for chart in answer.charts]
    text = answer.final_response
    parts = {"answer": text, "citations": citations, "charts": charts}
    told = _told(answer.flow_run_id, session_id, answer.context_meta.status, **parts)
    return _result(text + source_list(answer, language_of(text)), told)


def waiting(flow_run_id: str, session_id: str, asked: Sequence[flow_event_pb2.QuestionAsked]) -> CallToolResult:
    """Return what a flow waits with."""
    questions = [
        {
            "question_id": one.question_id,
            "kind": flow_event_pb2.QuestionKind.Name(one.kind).removeprefix("QUESTION_KIND_").lower(),
            "text": one.text,
            "options": list(one.options),
            "action_digest": one.action.action_digest,
        }
        for one in asked
    ]
    text = "\n\n".join(map(question_text, asked))
    return _result(text, _told(flow_run_id, session_id, "waiting", waiting=questions))


def declined(flow_run_id: str, session_id: str) -> CallToolResult:
    """Return what is told where the user said stop."""
    return _result(CANCELLED["en"], _told(flow_run_id, session_id, "cancelled"))


def message(told: Message, *, without: Sequence[str] = ()) -> CallToolResult:
    """Return a message of the contract as JSON."""
    found = as_object(told)
    for name in without:
        found.pop(name, None)
    return _result(json.dumps(found, ensure_ascii=False), found)


def as_object(told: Message) -> dict[str, Any]:
    """Return a message as proto JSON with the contract's names."""
    found: dict[str, Any] = MessageToDict(
        told, always_print_fields_with_no_presence=True, preserving_proto_field_name=True
    )
    return found


def refused(refusal: Refusal) -> CallToolResult:
    """Return a refusal as a result that a model can act on."""
    problem = refusal.problem
    text = f"{problem['code']}: {problem['message']}"
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content={"error": problem}, is_error=True
    )


def _told(flow_run_id: str, session_id: str, status: str, **fields: object) -> dict[str, Any]:
    told = {"flow_run_id": flow_run_id, "session_id": session_id, "status": status}
    return {**told, "answer": "", "citations": [], "charts": [], "waiting": [], **fields}


def _result(text: str, told: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=told)
