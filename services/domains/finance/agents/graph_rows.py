"""What finance.ontology reads beside paths: stories, correlations and the rows of a checked free statement. Pure."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.domains.finance.tools.graph_correlations import GraphCorrelationsRow
from services.domains.finance.tools.graph_stories import GraphStoriesRow
from services.domains.finance.tools.ontology_cypher import OntologyCypherRow
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.text.ko.written import josa, number

STORIES_MAX: Final = 2
"""The stories that are told."""
PAIRS_MAX: Final = 3
"""The correlations that are told, the closest ones."""
FREE_ROWS_MAX: Final = 5
"""The rows of a free statement that are told."""


def story_findings(readings: Sequence[Reading], asking: Asking) -> Findings:
    """Return the stories, each with what supports it; one without support is not told."""
    told: dict[str, tuple[Reading, list[GraphStoriesRow]]] = {}
    for reading in readings:
        for row in reading.rows:
            if isinstance(row, GraphStoriesRow) and row.evidence_ko.strip() and row.evidence_en.strip():
                told.setdefault(row.story_id, (reading, []))[1].append(row)
    pieces = []
    lines = []
    for reading, rows in list(told.values())[:STORIES_MAX]:
        title, text = rows[0].subject(asking.locale), rows[0].text(asking.locale)
        label = asking.say(f"이야기: {title}", f"Story: {title}")
        pieces.append(evidence(reading, rows, title=label, excerpt=text))
        lines.append(f"{label} - {text}")
    return Findings(summary="", evidence=tuple(pieces), key_drivers=tuple(lines), rows_used=len(lines))


def correlation_findings(readings: Sequence[Reading], asking: Asking) -> Findings:
    """Return the closest pairs, told as moving together and never as cause."""
    rows = [(reading, row) for reading in readings for row in reading.rows if isinstance(row, GraphCorrelationsRow)]
    closest = sorted(rows, key=lambda pair: (-abs(pair[1].coefficient), pair[1].subject("en")))[:PAIRS_MAX]
    pieces, metrics, lines = [], [], []
    for reading, row in closest:
        line = _correlated(row, asking)
        title = asking.say(f"상관관계: {row.subject('ko')}", f"Correlation: {row.subject('en')}")
        piece = evidence(reading, [row], title=title, excerpt=line)
        subject = asking.subject(row.subject(asking.locale), piece.evidence_id)
        as_of = asking.day_of(row.as_of)
        metrics.append(subject.figure("coefficient", row.coefficient, as_of))
        metrics.append(subject.figure("pair_months", row.months, as_of))
        pieces.append(piece)
        lines.append(line)
    return Findings("", tuple(metrics), tuple(pieces), tuple(lines), rows_used=len(lines))


def free_findings(readings: Sequence[Reading], asking: Asking) -> Findings:
    """Return the rows of a free statement as what was read, never as causes: no evidence is known of them."""
    pieces, lines = [], []
    for reading in readings:
        rows = [row for row in reading.rows if isinstance(row, OntologyCypherRow)]
        if not rows:
            continue
        shown = [_shown(row) for row in rows[:FREE_ROWS_MAX]]
        line = f"{rows[0].subject(asking.locale)}: {'; '.join(one for one in shown if one)}"
        pieces.append(evidence(reading, rows, title=rows[0].subject(asking.locale), excerpt=line))
        lines.append(line)
    return Findings(summary="", evidence=tuple(pieces), key_drivers=tuple(lines), rows_used=len(lines))


def _correlated(row: GraphCorrelationsRow, asking: Asking) -> str:
    first, second = row.names(asking.locale)
    size, months = number(row.coefficient), number(row.months)
    return asking.say(
        f"{josa(first, '과/와')} {josa(second, '은/는')} 월간 변화의 상관계수가 {size}입니다({months}개월). "
        "함께 움직인 정도이며 인과를 뜻하지 않습니다.",
        f"The correlation coefficient of monthly changes of {first} and {second} is {size} over {months} months; "
        "it tells no cause.",
    )


def _shown(row: OntologyCypherRow) -> str:
    numbers = (number(Decimal(str(value))) for value in row.values.values() if _is_number(value))
    return " ".join((*row.names, *numbers))


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)
