"""Answers what a flow asks, where a person sits at the terminal."""

import asyncio
import sys

from hapju.flow.v1 import flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2
from services.cli import output
from services.cli.ask.open_questions import shown_fields
from services.cli.client import GatewayClient
from services.cli.problems import Problem

STOP = "cancel"
"""What is answered for a person who ends their input."""


def can_answer() -> bool:
    """Return whether a person can be asked: they read standard error and write standard input."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def answer_question(gateway: GatewayClient, flow_run_id: str, asked: flow_event_pb2.QuestionAsked) -> None:
    """Ask the person and hand their answer over; the number of an option stands for it.

    An answer that comes too late is told and changes nothing; the flow's own end follows.
    """
    output.say(asked.text)
    for line in shown_fields(asked):
        output.say(f"  {line}")
    said = {choice.value: f"{choice.label} — {choice.description}" for choice in asked.choices}
    for number, option in enumerate(asked.options, 1):
        output.say(f"  {number}. {said.get(option, option)}")
    line = await asyncio.to_thread(_read_line)
    request = gateway_service_pb2.AnswerQuestionRequest(
        flow_run_id=flow_run_id,
        question_id=asked.question_id,
        answer=chosen(line, tuple(asked.options)),
        action_digest=asked.action.action_digest,  # an approval is for exactly what was shown
    )
    try:
        await gateway.call(gateway.stub.AnswerQuestion, request)
    except Problem as problem:
        output.say(f"hapju: {problem}")


def chosen(line: str, options: tuple[str, ...]) -> str:
    """Return what a line answers: the option of that number, the line itself, or a stop where there is none."""
    said = line.strip()
    if said.isascii() and said.isdigit() and 1 <= int(said) <= len(options):
        return options[int(said) - 1]
    return said or STOP


def _read_line() -> str:
    sys.stderr.write("> ")
    sys.stderr.flush()
    return sys.stdin.readline()
