"""Loans by bank and product that a search found: rates, limits and conditions. Pure."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.realty.tools.loan_data import LoanDataRow
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.plugin.wording import Text
from services.text.saying import day, figure

SCHEMA: Final = "hapju.tool.loan_data.rows.v1"
"""The schema of the rows."""
PURPOSES: Final = {
    "mortgage": Text("주택담보대출", "mortgages"),
    "jeonse": Text("전세대출", "jeonse loans"),
    "credit": Text("신용대출", "credit loans"),
}
"""What kinds of loans are called."""
_TOLD_MAX: Final = 3


def findings_of(readings: Sequence[Reading], asking: Asking) -> Findings | None:
    """Return what the loans of some readings offer, the lowest rate first; None where there is none."""
    found = sorted(_loans(readings, asking), key=lambda pair: (pair[0].rate_low_percent, pair[0].loan_id))
    if not found:
        return None
    rows = [row for row, _ in found]
    lowest, highest = min(row.rate_low_percent for row in rows), max(row.rate_high_percent for row in rows)
    kinds = ", ".join(PURPOSES[kind].said(asking.locale) for kind in dict.fromkeys(row.purpose for row in rows))
    span = f"{figure(lowest, 'percent', asking.locale)} ~ {figure(highest, 'percent', asking.locale)}"
    when = day(asking.day_of(max(row.as_of for row in rows)).date(), asking.locale)
    opening = asking.say(
        f"{kinds} {len(rows)}건의 금리는 연 {span}입니다({when} 기준).",
        f"{len(rows)} {kinds} charge {span} a year (as of {when}).",
    )
    return Findings(
        summary=" ".join((opening, *(_told(row, asking) for row in rows[:_TOLD_MAX]))),
        metrics=tuple(metric for row, piece in found for metric in _metrics(row, piece, asking)),
        evidence=tuple(piece for _, piece in found),
        key_drivers=tuple(_told(row, asking) for row in rows[:_TOLD_MAX]),
        cautions=(
            asking.say(
                "금리와 한도는 심사 결과와 우대 조건에 따라 달라지니 은행에서 확인해 주세요.",
                "Rates and limits depend on the bank's review and on discounts; ask the bank.",
            ),
        ),
        rows_used=len(rows),
        rows_min=1,
    )


def _loans(readings: Sequence[Reading], asking: Asking) -> Iterator[tuple[LoanDataRow, Evidence]]:
    seen: set[str] = set()
    for reading in readings:
        for row in reading.rows:
            if isinstance(row, LoanDataRow) and row.loan_id not in seen:
                seen.add(row.loan_id)
                name = row.subject(asking.locale)
                yield row, evidence(reading, [row], title=name, excerpt=_told(row, asking))


def _metrics(row: LoanDataRow, piece: Evidence, asking: Asking) -> tuple[Metric, ...]:
    subject, as_of = asking.subject(row.subject(asking.locale), piece.evidence_id), _day(row, asking)
    return (
        subject.figure("rate_low", row.rate_low_percent, as_of),
        subject.figure("rate_high", row.rate_high_percent, as_of),
        subject.figure("limit", Decimal(row.limit_krw), as_of),
    )


def _day(row: LoanDataRow, asking: Asking) -> datetime:
    return asking.day_of(row.as_of)


def _told(row: LoanDataRow, asking: Asking) -> str:
    locale, name = asking.locale, row.subject(asking.locale)
    rates = f"{figure(row.rate_low_percent, 'percent', locale)} ~ {figure(row.rate_high_percent, 'percent', locale)}"
    limit = figure(Decimal(row.limit_krw), "krw", locale)
    return asking.say(
        f"{name}: 연 {rates}, 한도 {limit}, 최장 {row.term_years_max}년{_conditions(row, asking)}.",
        f"{name}: {rates} a year, up to {limit}, {row.term_years_max} years at most{_conditions(row, asking)}.",
    )


def _conditions(row: LoanDataRow, asking: Asking) -> str:
    found = []
    if row.homeless_only:
        found.append(asking.say("무주택자만", "only without a home"))
    if row.income_max_krw is not None:
        income = figure(Decimal(row.income_max_krw), "krw", asking.locale)
        found.append(asking.say(f"연소득 {income} 이하", f"income up to {income}"))
    return "".join(f", {one}" for one in found)
