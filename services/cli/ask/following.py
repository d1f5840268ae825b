"""Follows one flow to its end, for a person or for a script."""

import shutil
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final, Literal, Protocol

from hapju.flow.v1 import answer_pb2, flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2
from services.cli import output
from services.cli.ask.person import answer_question
from services.cli.ask.phrases import PHRASES
from services.cli.ask.printing import AnswerWriter, caution_lines, source_lines
from services.cli.client import GatewayClient
from services.cli.connection import connected
from services.cli.environment import finish
from services.cli.problems import ExitCode, Problem, problem_from_end
from services.cli.progress import ProgressTeller
from services.cli.questions import CommandQuestion
from services.cli.tokens import Identity
from services.text.language import language_of

_TERMINAL: Final = frozenset({"finished", "failed", "cancelled"})


class OutputForm(StrEnum):
    """What is written to standard output."""

    TEXT = "TEXT"
    """The answer as it is written, its charts where a person reads at a terminal, and its sources."""
    PLAIN = "PLAIN"
    """The same without charts."""
    JSON = "JSON"
    """The answer's object."""
    EVENTS = "EVENTS"
    """Every event's object."""


class _Reader(Protocol):
    def told(self, event: flow_event_pb2.FlowEvent) -> None:
        """Take each event when it comes."""

    def ended(self, answer: answer_pb2.FinalAnswer) -> None:
        """Take the answer when the services have ended, and with them all that could still go wrong."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A flow that a command hears to its end."""

    identity: Identity
    """Whose it is."""
    language: Literal["ko", "en"]
    """What the command line speaks about it."""
    interactive: bool
    """Whether a person can answer what it asks."""
    events: Callable[[GatewayClient], AsyncGenerator[flow_event_pb2.FlowEvent]]
    """Returns its events, as a gateway tells them."""
    flow_run_id: str = ""
    """Its id; empty until it is accepted."""


def follow(asked: CommandQuestion, form: OutputForm) -> ExitCode:
    """Ask a question, tell what happens and return what the process ends with.

    Raises:
        Problem: Where there is no answer, unless the form is EVENTS and the flow's own end has been printed.
    """
    request = gateway_service_pb2.AskRequest(question=asked.to_proto(), together=True)
    return finish(
        _follow(
            Followed(
                asked.identity,
                asked.language,
                asked.interactive,
                lambda gateway: gateway.ask(request, asked.call_seconds_max),
            ),
            form,
        )
    )


def follow_flow(followed: Followed, form: OutputForm) -> ExitCode:
    """Tell what happens in a flow that was started elsewhere; return and raise as `follow` does."""
    return finish(_follow(followed, form))


async def _follow(followed: Followed, form: OutputForm) -> ExitCode:
    phrases = PHRASES[followed.language]
    reader = _READERS[form](phrases)
    with ProgressTeller(phrases, followed.flow_run_id) as progress:
        end = await _events(followed, progress, reader)
        problem = problem_from_end(end, progress.flow_run_id)
        if problem is None:
            reader.ended(end.finished.answer)
            progress.conclude(caution_lines(end.finished.answer, phrases, progress.warned))
            return ExitCode.FINISHED
        if form is not OutputForm.EVENTS:
            raise problem
    # The last line is the flow's own end; an error's object after it would be a second one.
    output.say(f"hapju: {problem}")
    return problem.exit_code


async def _events(followed: Followed, progress: ProgressTeller, reader: _Reader) -> flow_event_pb2.FlowEvent:
    async with (
        connected(followed.identity, progress.note) as gateway,
        aclosing(followed.events(gateway)) as events,
    ):
        async for event in events:
            progress.told(event)
            reader.told(event)
            if event.WhichOneof("event") == "question_asked" and followed.interactive:
                await answer_question(gateway, progress.flow_run_id, event.question_asked)
            if event.WhichOneof("event") in _TERMINAL:
                return event
    raise Problem("INTERNAL", "STREAM_CUT", "the gateway's stream ended before the flow had")


class _Text:
    """A person reads."""

    def __init__(self, phrases: dict[str, str], *, draws: bool = True) -> None:
        self._phrases = phrases
        self._draws = draws and sys.stdout.isatty()
        self._writer = AnswerWriter(sys.stdout, interactive=sys.stdout.isatty(), voided_notice=phrases["voided"])

    def told(self, event: flow_event_pb2.FlowEvent) -> None:
        kind = event.WhichOneof("event")
        if kind == "delta":
            self._writer.write(event.delta.answer_attempt, event.delta.text_offset, event.delta.text)
        elif kind == "finished":
            self._writer.finish(event.finished.answer.final_response)
            self._draw(event.finished.answer)
            for line in source_lines(event.finished.answer, self._phrases):
                output.print_line(line)

    def _draw(self, answer: answer_pb2.FinalAnswer) -> None:
        if not self._draws or not answer.charts:
            return
        from services.cli.ask.drawing import drawn  # noqa: PLC0415 - a pipe does without

        language = language_of(answer.final_response)
        for line in drawn(answer.charts, language, shutil.get_terminal_size().columns):
            output.print_line(line)

    def ended(self, answer: answer_pb2.FinalAnswer) -> None:
        pass


class _Json:
    """A script reads the answer."""

    def __init__(self, _: dict[str, str]) -> None:
        pass

    def told(self, event: flow_event_pb2.FlowEvent) -> None:
        pass

    def ended(self, answer: answer_pb2.FinalAnswer) -> None:
        output.print_json(output.message_json(answer))


class _Events:
    """A script reads every event, each once."""

    def __init__(self, _: dict[str, str]) -> None:
        self._sequence = 0
        self._attempt = 0
        self._length = 0

    def told(self, event: flow_event_pb2.FlowEvent) -> None:
        if self._is_new(event):
            output.print_json(output.message_json(event))

    def ended(self, answer: answer_pb2.FinalAnswer) -> None:
        pass

    def _is_new(self, event: flow_event_pb2.FlowEvent) -> bool:
        if event.HasField("sequence"):
            is_new = event.sequence > self._sequence
            self._sequence = max(self._sequence, event.sequence)
            return is_new
        if event.WhichOneof("event") != "delta":
            return True
        delta = event.delta
        reached = (delta.answer_attempt, delta.text_offset + len(delta.text))
        is_new = reached > (self._attempt, self._length)
        if is_new:
            self._attempt, self._length = reached
        return is_new


_READERS: Final[dict[OutputForm, Callable[[dict[str, str]], _Reader]]] = {
    OutputForm.TEXT: _Text,
    OutputForm.PLAIN: partial(_Text, draws=False),
    OutputForm.JSON: _Json,
    OutputForm.EVENTS: _Events,
}
