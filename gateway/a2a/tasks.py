"""A flow as the protocol's task: its state, what it waits with, and its answer as an artifact."""

from collections.abc import Iterable
from typing import Any, Final

from a2a.types import a2a_pb2 as a2a
from google.protobuf import struct_pb2
from google.protobuf.json_format import ParseDict

from gateway.http.completions.phrases import question_text, source_list
from gateway.mcp.telling import as_object
from hapju.flow.v1 import answer_pb2, flow_event_pb2, record_pb2
from services.text.language import language_of

ANSWER: Final = "answer"
"""The id of the artifact that holds an answer."""
DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop."""
_ENDS: Final = {
    flow_event_pb2.PHASE_FINISHED: a2a.TASK_STATE_COMPLETED,
    flow_event_pb2.PHASE_FAILED: a2a.TASK_STATE_FAILED,
    flow_event_pb2.PHASE_CANCELLED: a2a.TASK_STATE_CANCELED,
}


def task_of(record: record_pb2.FlowRecord) -> a2a.Task:
    """Return a flow's record as a task."""
    summary, asked = record.summary, open_in(record.events)
    state = _ENDS.get(summary.phase, a2a.TASK_STATE_INPUT_REQUIRED if asked else a2a.TASK_STATE_WORKING)
    status = a2a.TaskStatus(state=state)
    if asked and summary.phase not in _ENDS:
        status.message.CopyFrom(asking(asked, summary.flow_run_id, summary.session_id))
    task = a2a.Task(id=summary.flow_run_id, context_id=summary.session_id, status=status)
    for event in record.events:
        if event.WhichOneof("event") == "finished":
            task.artifacts.append(artifact_of(event.finished.answer))
        elif event.WhichOneof("event") == "failed":
            failed = said(event.failed.message, summary.flow_run_id, summary.session_id)
            task.status.message.CopyFrom(failed)
    return task


def summarised(summary: record_pb2.FlowSummary) -> a2a.Task:
    """Return a flow of a list as a task."""
    waits = summary.phase == flow_event_pb2.PHASE_AWAITING_CONFIRMATION
    state = _ENDS.get(summary.phase, a2a.TASK_STATE_INPUT_REQUIRED if waits else a2a.TASK_STATE_WORKING)
    return a2a.Task(id=summary.flow_run_id, context_id=summary.session_id, status=a2a.TaskStatus(state=state))


def open_in(events: Iterable[flow_event_pb2.FlowEvent]) -> list[flow_event_pb2.QuestionAsked]:
    """Return the questions that nobody has answered, the oldest first."""
    held = list(events)
    settled = {event.question_settled.question_id for event in held}
    asked = [event.question_asked for event in held if event.WhichOneof("event") == "question_asked"]
    return [question for question in asked if question.question_id not in settled]


def artifact_of(answer: answer_pb2.FinalAnswer) -> a2a.Artifact:
    """Return an answer: its text with its sources, and as data what a program draws and cites."""
    text = answer.final_response
    data = {
        "status": answer.context_meta.status,
        "citations": [as_object(one) for one in answer.citations],
        "charts": [as_object(one) for one in answer.charts],
    }
    parts = [a2a.Part(text=text + source_list(answer, language_of(text))), _data(data)]
    return a2a.Artifact(artifact_id=ANSWER, name=ANSWER, parts=parts)


def asking(asked: Iterable[flow_event_pb2.QuestionAsked], task_id: str, context_id: str) -> a2a.Message:
    """Return what a flow waits with: as text for a person, and as data what a reply names."""
    questions = list(asked)
    message = said("\n\n".join(map(question_text, questions)), task_id, context_id)
    told = [
        {
            "question_id": one.question_id,
            "kind": flow_event_pb2.QuestionKind.Name(one.kind).removeprefix("QUESTION_KIND_").lower(),
            "options": list(one.options),
            "action_digest": one.action.action_digest,
        }
        for one in questions
    ]
    message.parts.append(_data({"questions": told}))
    return message


def said(text: str, task_id: str, context_id: str) -> a2a.Message:
    """Return a text of hapju's."""
    return a2a.Message(
        message_id=f"{task_id}-said",
        task_id=task_id,
        context_id=context_id,
        role=a2a.ROLE_AGENT,
        parts=[a2a.Part(text=text)],
    )


def _data(value: dict[str, Any]) -> a2a.Part:
    return a2a.Part(data=ParseDict(value, struct_pb2.Value()), media_type="application/json")
