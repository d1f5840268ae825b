"""News and company events: the rows that finance.ontology reads from tables, and the words for them. Pure."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, TypeVar

from services.contract.flow import Evidence, Metric
from services.domains.finance.tools.corporate_events import EVENTS, CorporateEventsRow
from services.domains.finance.tools.news_search import TITLE, NewsSearchRow
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.text.saying import day

TOLD_MAX: Final = 4
"""The pieces of news, and the events, that are told."""
Told = TypeVar("Told", NewsSearchRow, CorporateEventsRow)


def news_findings(readings: Sequence[Reading], asking: Asking) -> Findings:
    """Return the newest news and events with their days; they are reports, and none is told as a cause."""
    events = _newest(readings, CorporateEventsRow)
    articles = _newest(readings, NewsSearchRow)
    pieces: list[Evidence] = []
    lines: list[str] = []
    metrics: list[Metric] = []
    for what, rows in ((EVENTS, events), (TITLE, articles)):
        own = [
            evidence(reading, [row], title=row.title(asking.locale), excerpt=_line(row, asking))
            for reading, row in rows
        ]
        if not own:
            continue
        subject = asking.subject(what.said(asking.locale), *(piece.evidence_id for piece in own))
        metrics.append(subject.figure("told_count", Decimal(len(own)), _as_of(rows, asking)))
        pieces += own
        lines.append(f"{what.said(asking.locale)}: {'; '.join(_line(row, asking) for _, row in rows)}.")
    return Findings(
        summary=" ".join(lines),
        metrics=tuple(metrics),
        evidence=tuple(pieces),
        key_drivers=tuple(row.text(asking.locale) for _, row in articles),
        cautions=(
            asking.say(
                "뉴스와 사건은 같은 때의 보도이며, 값이 움직인 원인으로 확인된 것은 아닙니다.",
                "News and events are reports of the time; they do not prove why values moved.",
            ),
        )
        if lines
        else (),
        rows_used=len(pieces),
    )


def _newest(readings: Sequence[Reading], kind: type[Told]) -> list[tuple[Reading, Told]]:
    held = [(reading, row) for reading in readings for row in reading.rows if isinstance(row, kind)]
    newest = sorted(held, key=lambda pair: (pair[1].day, pair[1].title("en")), reverse=True)
    distinct = {row.title("en"): (reading, row) for reading, row in reversed(newest)}
    return list(reversed(distinct.values()))[:TOLD_MAX]


def _line(row: NewsSearchRow | CorporateEventsRow, asking: Asking) -> str:
    when, title = day(row.day, asking.locale), row.title(asking.locale).rstrip(".")
    return asking.say(f"{title}({when})", f"{title} ({when})")


def _as_of(rows: Sequence[tuple[Reading, NewsSearchRow | CorporateEventsRow]], asking: Asking) -> datetime:
    return asking.day_of(max(row.as_of for _, row in rows))
