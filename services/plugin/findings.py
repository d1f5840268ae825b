"""What an agent computes with and what it finds; everything here is pure.

ToolResult -> Reading of typed rows -> analyse(readings, asking) -> Findings -> AgentResult
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import accumulate
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.contract.entities import Entity
from services.contract.flow import (
    ActionRequest,
    AgentResult,
    Attachment,
    Evidence,
    Metric,
    Provenance,
    SlotValue,
    Trend,
)
from services.plugin.figures.declared import ANY_UNIT, declared_kind
from services.plugin.figures.kinds import FigureKind
from services.plugin.tools.reads import Row
from services.plugin.wording import plain, rounded

EVIDENCE_BYTES_MAX: Final = 64 * 1024
"""How long the rows of one piece of evidence may be as JSON."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows of one tool call."""

    tool: str
    """The tool."""
    data_type: str
    """The kind of data, which decides how it ages."""
    arguments: Mapping[str, Any]
    """What the tool was asked with."""
    rows: tuple[Row, ...]
    """The rows, typed, in the tool's order."""
    rows_schema_id: str
    """The schema of the rows."""
    provenance: Provenance
    """Where they come from."""
    truncated: bool
    """True where more rows matched than were returned."""
    partial: bool
    """True where a part of what was asked for was left out, an unknown word or identifier for example."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of an agent."""

    question: str
    """The step's part of the question, else the whole."""
    locale: str
    """The language of every text, "ko" or "en"."""
    now: datetime
    """The flow's instant."""
    time_zone: str
    """The user's IANA time zone."""
    intent: str
    """The route's intent."""
    entities: tuple[Entity, ...]
    """What the question names."""
    keywords: tuple[str, ...]
    """Words to search by."""
    prior_results: tuple[AgentResult, ...]
    """What the steps before found."""
    slots: tuple[SlotValue, ...] = ()
    """What the plan has filled in."""
    countries: tuple[str, ...] = ()
    """The countries that the question concerns, "KR" and "US"."""
    attachments: tuple[Attachment, ...] = ()
    """The files that its asks rest on."""

    def day_of(self, moment: datetime) -> datetime:
        """Return the user's day of a moment, so that every text of an answer names the same day."""
        return instant(moment.astimezone(ZoneInfo(self.time_zone)).date())

    def subject(self, name: str, *evidence_ids: str) -> "Subject":
        """Return what a group of metrics is about, in the reader's language."""
        return Subject(name, evidence_ids, self.locale)

    def say(self, ko: str, en: str) -> str:
        """Return the text of the reader's language."""
        return ko if self.locale == "ko" else en


@dataclass(frozen=True, slots=True)
class Findings:
    """What an agent's rows say; nothing in it that the rows do not hold."""

    summary: str
    """A few sentences in the reader's language."""
    metrics: tuple[Metric, ...] = ()
    """The figures."""
    evidence: tuple[Evidence, ...] = ()
    """What they rest on."""
    key_drivers: tuple[str, ...] = ()
    """What stands out, a line each."""
    trend: Trend | None = None
    """Where the thing is heading; None where that is no question."""
    cautions: tuple[str, ...] = ()
    """Conditions and limits."""
    coverage: float = 1.0
    """The share of what was asked that could be found out: below 1 the result is LIMITED, at 0 INSUFFICIENT_DATA."""
    suggested_actions: tuple[str, ...] = ()
    """What the user may do next in this case, before what the agent always suggests."""
    rows_used: int = 0
    """The rows of the subject that has the fewest; below the minimum the result is LIMITED."""
    rows_min: int | None = None
    """The minimum of what was read here; None for the agent's own."""
    causes: tuple[frozenset[str], ...] = ()
    """The names along each relation of cause that evidence supports; a sentence that tells a cause names two of one."""
    actions: tuple[ActionRequest, ...] = ()
    """What the agent wants done: each is shown, approved where that is needed, and done once."""


def action_request(action_type: str, tool: str, *, version: int = 1, **arguments: object) -> ActionRequest:
    """Return the wish for an action.

    Args:
        action_type: The type of the action, one that the agent's domain.yaml allows it.
        tool: The tool that does it.
        version: The version of the tool's schemas.
        arguments: The tool's arguments.
    """
    return ActionRequest(action_type, _json(arguments), f"hapju.tool.{tool}.arguments.v{version}")


def evidence(reading: Reading, rows: Sequence[Row], *, title: str, excerpt: str) -> Evidence:
    """Return the evidence of some rows of a reading.

    Args:
        reading: Where the rows were read.
        rows: The rows, the most telling first; those that exceed 64 KiB as JSON are left out from the end.
        title: A title that a user can read.
        excerpt: What the rows say.
    """
    rows_json = _within_limit(rows)
    provenance = reading.provenance
    key = json.dumps([provenance.fingerprint, provenance.template_id, title, excerpt], ensure_ascii=False).encode()
    return Evidence(
        evidence_id=f"ev-{hashlib.sha256(key + rows_json).hexdigest()[:16]}",
        data_type=reading.data_type,
        title=title,
        excerpt=excerpt,
        rows_json=rows_json,
        rows_schema_id=reading.rows_schema_id,
        provenance=provenance,
    )


def held_rows(piece: Evidence) -> int:
    """Return how many rows a piece of evidence holds."""
    return len(json.loads(piece.rows_json))


@dataclass(frozen=True, slots=True)
class Subject:
    """What a group of metrics is about, and what they rest on."""

    name: str
    """As a user reads it."""
    evidence_ids: tuple[str, ...]
    """The evidence of each metric."""
    locale: str
    """The language of its metrics' labels."""

    def figure(self, kind: str, value: Decimal, as_of: datetime, *, unit: str = "", **said: object) -> Metric:
        """Return a metric that is a number; what it is called and how it is rounded follow from its kind.

        Args:
            kind: The id of a declared kind, with its parameters unfilled: "return_{days}d".
            value: The value.
            as_of: The day or instant that it stands for.
            unit: Its unit, for a kind of `any` unit only.
            said: What fills the parameters of the id and of the label.
        """
        declared = declared_kind(kind)
        free = declared.unit == ANY_UNIT
        if unit and not free:
            raise ValueError(f"{kind}: its figures are in {declared.unit or 'no unit'}, not in {unit!r}")
        kept = value if declared.decimals is None else rounded(value, declared.decimals)
        name, label = self._called(declared, said)
        return Metric(
            name, label, plain(kept), "", unit if free else declared.unit, as_of, self.evidence_ids, self.name
        )

    def word(self, kind: str, word: str, as_of: datetime, **said: object) -> Metric:
        """Return a metric that is a word, "golden_cross" for example; see `figure`."""
        name, label = self._called(declared_kind(kind), said)
        return Metric(name, label, "", word, "", as_of, self.evidence_ids, self.name)

    def _called(self, kind: FigureKind, said: Mapping[str, object]) -> tuple[str, str]:
        return kind.name(said), kind.said(said, self.locale)


def instant(day: date) -> datetime:
    """Return the beginning of a day in UTC: the instant of a figure that is known by its day only."""
    return datetime.combine(day, time(), UTC)


def _within_limit(rows: Sequence[Row]) -> bytes:
    written = _json([row.document for row in rows])
    if len(written) <= EVIDENCE_BYTES_MAX:
        return written
    sizes = accumulate((len(_json(row.document)) + 1 for row in rows), initial=1)
    held = sum(size <= EVIDENCE_BYTES_MAX for size in sizes) - 1
    return _json([row.document for row in rows[:held]])


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
