"""What a flow waits with: the questions that nobody has answered yet."""

from collections.abc import Sequence

from hapju.flow.v1 import flow_event_pb2, record_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli.output import print_line
from services.cli.problems import Problem, usage


def open_in(record: record_pb2.FlowRecord) -> list[flow_event_pb2.QuestionAsked]:
    """Return the open questions of a flow, the oldest first."""
    if record.summary.HasField("end_time"):
        return []
    settled = {event.question_settled.question_id for event in record.events}
    asked = [event.question_asked for event in record.events if event.WhichOneof("event") == "question_asked"]
    return [question for question in asked if question.question_id not in settled]


def chosen(asked: Sequence[flow_event_pb2.QuestionAsked], question_id: str) -> flow_event_pb2.QuestionAsked:
    """Return the question that is answered: the one that is named, or the only one.

    Raises:
        Problem: It does not wait, or it has to be named.
    """
    found = [question for question in asked if question_id in {"", question.question_id}]
    if not found:
        raise Problem("FAILED_PRECONDITION", "NOT_PENDING", "the flow does not wait with this question")
    if len(found) > 1:
        raise usage("--question", f"several wait: {', '.join(question.question_id for question in found)}")
    return found[0]


def print_question(asked: flow_event_pb2.QuestionAsked) -> None:
    """Print a question: its id, what it asks, what would be done, and what may be answered."""
    print_line(f"{asked.question_id}  {asked.text}")
    for line in shown_fields(asked):
        print_line(f"  {line}")
    for option in asked.options:
        print_line(f"  - {option}")


def shown_fields(asked: flow_event_pb2.QuestionAsked) -> list[str]:
    """Return the lines of the action that an approval is asked for, from its typed values."""
    return [
        f"{field.label or field.name}: {f'{field.number:,}' if field.number else field.text}"
        for field in asked.action.fields
    ]


def outcome(response: pb.AnswerQuestionResponse) -> str:
    """Return how a question was settled."""
    return flow_event_pb2.QuestionOutcome.Name(response.outcome).removeprefix("QUESTION_OUTCOME_")
