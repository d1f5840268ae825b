"""A row's conversation with the gateway: its turns in order, each answered before the next is said."""

from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2
from services.cli.client import GatewayClient, dialled
from services.cli.evaluation.rows import Row
from services.cli.problems import Problem, problem_from_end
from services.cli.questions import ANSWER_GRACE_SECONDS
from services.cli.tokens import Identity, bearer_token
from services.runtime.settings import Settings

TURN_SECONDS: Final = 60
"""How long one answer may take."""


@dataclass(slots=True)
class _Conversation:
    """A conversation that goes on."""

    session_id: str = ""
    """Its id; empty before its first answer."""


async def had(row: Row, address: str, settings: Settings) -> list[str]:
    """Return the answers to a row's turns; the text of one that fails says why.

    Args:
        row: A row with its turns and who says them.
        address: The gateway's.
        settings: The settings that the gateway's tokens go by.
    """
    conversation = _Conversation()
    answers = []
    for turn in row["turns"]:
        async with dialled(address, bearer_token(_speaker(row), settings)) as gateway:
            answers.append(await _answer(turn, conversation, gateway))
    return answers


def _speaker(row: Row) -> Identity:
    """Return who speaks: whom the row names; else somebody of its own where more than one turn is said."""
    speaker = row.get("as") or {}
    if speaker.get("user"):
        return Identity(speaker["user"], speaker.get("user_type", "consumer"))
    if len(row["turns"]) > 1 and not row.get("anonymous"):
        return Identity(f"eval-{row['id']}", "consumer")
    return Identity()


async def _answer(text: str, conversation: _Conversation, gateway: GatewayClient) -> str:
    question = question_pb2.Question(text=text, session_id=conversation.session_id)
    question.flow_timeout.FromSeconds(TURN_SECONDS)
    request = gateway_service_pb2.AskRequest(question=question, together=True)
    try:
        async with aclosing(gateway.ask(request, TURN_SECONDS + ANSWER_GRACE_SECONDS)) as events:
            async for event in events:
                if event.HasField("accepted"):
                    conversation.session_id = event.accepted.session_id
                if event.HasField("finished"):
                    return event.finished.answer.final_response
                if problem := problem_from_end(event, ""):
                    raise problem
    except Problem as problem:
        return f"[{problem.reason}: {problem}]"
    return "[STREAM_CUT: the stream ended before the flow had]"
