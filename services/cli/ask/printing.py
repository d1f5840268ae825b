"""The answer on standard output: its text as it is written, then what it rests on."""

from collections.abc import Iterable
from typing import Final, TextIO

from hapju.flow.v1 import answer_pb2, evidence_pb2
from services.cli.output import clean
from services.contract.sources import held_by

_SOURCES_MAX: Final = 20


class AnswerWriter:
    """Writes the answer's text as it arrives.

    A service may begin the answer anew, which voids what was written. What stands on a terminal or in a pipe cannot be
    taken back, so a line says that the text above it is void. A terminal then shows the new text as it arrives. A pipe
    gets it whole and once, at the end: whatever follows the last such line is the answer.

    Args:
        out: Where the text goes.
        interactive: True for a terminal.
        voided_notice: The line that voids the text above it.
    """

    def __init__(self, out: TextIO, *, interactive: bool, voided_notice: str) -> None:
        self._out = out
        self._interactive = interactive
        self._voided_notice = voided_notice
        self._attempt = 0
        self._text = ""
        self._written = ""
        self._held = False

    def write(self, attempt: int, offset: int, text: str) -> None:
        """Take a piece of an attempt; one that came before, or that belongs to a void attempt, changes nothing.

        Args:
            attempt: The attempt, from 1.
            offset: Where the piece begins, in code points.
            text: The piece.
        """
        if attempt < self._attempt:
            return
        if attempt > self._attempt:
            self._attempt, self._text = attempt, ""
            self._void()
        if offset > len(self._text):
            return  # A piece before it is missing; `finish` writes from there on.
        self._text += text[len(self._text) - offset :]
        if not self._held:
            self._put(self._text)

    def finish(self, text: str) -> None:
        """Complete the text, which is the whole answer, and end its line."""
        if not text.startswith(self._written):
            self._void()
        self._put(text)
        if not text.endswith("\n"):
            self._out.write("\n")
        self._out.flush()

    def _put(self, text: str) -> None:
        self._out.write(clean(text[len(self._written) :]))
        self._out.flush()
        self._written = text

    def _void(self) -> None:
        if not self._written:
            return
        self._out.write(f"\n\n{self._voided_notice}\n\n")
        self._out.flush()
        self._written = ""
        self._held = not self._interactive


def source_lines(answer: answer_pb2.FinalAnswer, phrases: dict[str, str]) -> list[str]:
    """Return the lines that name what an answer rests on; none where it rests on nothing."""
    held = held_by(answer)
    lines = _distinct(_source_line(one, held.get(one.evidence_id, ""), phrases) for one in answer.citations)
    if not lines:
        return []
    more = [phrases["more_sources"].format(count=len(lines) - _SOURCES_MAX)] if len(lines) > _SOURCES_MAX else []
    return ["", phrases["sources"], *(f"  - {line}" for line in (*lines[:_SOURCES_MAX], *more))]


def caution_lines(answer: answer_pb2.FinalAnswer, phrases: dict[str, str], warned: frozenset[str]) -> list[str]:
    """Return the lines of the agents' cautions and of the warnings that the reader has not been told yet."""
    given = _distinct(caution for agent in answer.selected_agents for caution in agent.output.cautions)
    cautions = [caution for caution in given if caution not in answer.final_response]
    warnings = _distinct(warning.message for warning in answer.warnings if warning.message not in warned)
    return [
        *(f"{phrases['caution']}: {text}" for text in cautions),
        *(f"{phrases['warning']}: {text}" for text in warnings),
    ]


def _source_line(citation: evidence_pb2.Citation, held: str, phrases: dict[str, str]) -> str:
    title = f"{citation.title or citation.evidence_id}{f' ({held})' if held else ''}"
    parts = [citation.source] if citation.source else []
    if citation.HasField("as_of_time"):
        day = citation.as_of_time.ToDatetime().date().isoformat()
        parts.append(phrases["as_of"].format(day=day))
    line = " — ".join((title, ", ".join(parts))) if parts else title
    return f"{line} [{phrases['sample']}]" if citation.sample else line


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))
