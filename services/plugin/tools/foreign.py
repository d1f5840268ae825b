"""Tools that ask an A2A agent which the deployment has mounted, and what an agent of ours makes of its answer.

A foreign agent is asked as a tool is, so that a plan, its rights, deadlines, record and trace know nothing new. Its
words are evidence of nothing: they are told under its name, and only as far as the data that it sent along holds them.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from services.contract.flow import Provenance
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.plugin.tools.mounted import ForeignReply
from services.plugin.tools.reads import ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments


class ForeignQuestion(Arguments):
    """What a foreign agent is asked."""

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)] = Field(
        description="The question, in the user's words."
    )


class ForeignAnswer(Row):
    """What it answered."""

    words: str
    """Its words in plain text."""
    data: tuple[dict[str, Any], ...]
    """The objects that it sent as data."""
    answered_at: UtcTime
    """When it answered."""

    def subject(self, locale: str) -> str:  # noqa: ARG002 - it is about whatever was asked
        """Return nothing: its figures stand in its data."""
        return ""


class ForeignFact(Row):
    """One object that it sent as data, as it came."""


def by_a2a(agent: str, skill: str) -> Callable[[Any, Reads, float], Awaitable[ReadResult]]:
    """Return the read of a tool that asks a mounted A2A agent.

    Args:
        agent: The agent, as `HAPJU_A2A_AGENTS` names it.
        skill: The skill of its card that is asked for; the deployment has to allow it.
    """

    async def read(arguments: ForeignQuestion, reads: Reads, timeout_seconds: float) -> ReadResult:
        told = await reads.agents.ask(agent, skill, arguments.question, timeout_seconds)
        row = ForeignAnswer(words=told.words, data=tuple(map(dict, told.documents)), answered_at=datetime.now(UTC))
        rows = (row,) if told.words or told.documents else ()
        return ReadResult(
            rows, _json([one.document for one in rows]), truncated=False, provenance=_origin(agent, skill, told, rows)
        )

    return read


def _origin(agent: str, skill: str, told: ForeignReply, rows: tuple[ForeignAnswer, ...]) -> Provenance:
    template_id = f"a2a.{agent}.{skill}"
    said = _json([told.words, *told.documents])
    return Provenance(
        source=told.source,
        dataset="",
        table="",
        filters_json=b"{}",
        as_of_time=rows[0].answered_at if rows else None,
        row_count=max(1, len(told.documents)) if rows else 0,
        template_id=template_id,
        fingerprint=hashlib.sha256(template_id.encode() + b"\x00" + said).hexdigest(),
        sample=False,
    )


def quoted(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return what foreign agents said, with the data beside it; the host of the agent checks the words (`foreign`)."""
    answers = [(one, row) for one in readings for row in one.rows if isinstance(row, ForeignAnswer)]
    pieces = tuple(
        evidence(one, [ForeignFact.returned(fact) for fact in row.data], title=one.provenance.source, excerpt="")
        for one, row in answers
    )
    names = ", ".join(dict.fromkeys(one.provenance.source for one, _ in answers))
    caution = asking.say(
        f"{names}에서 받은 답이며, 이곳의 자료가 아닙니다.", f"This is what {names} answered; it is no data of ours."
    )
    return Findings(
        " ".join(row.words for _, row in answers),
        evidence=pieces,
        cautions=(caution,) if names else (),
        rows_used=len(answers),
    )


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
