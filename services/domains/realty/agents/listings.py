"""Homes on offer that a search found. Pure."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.homes.kinds import DEALS, PROPERTIES
from services.domains.realty.tools.real_estate_search import RealEstateSearchRow
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.text.saying import day, figure

SCHEMA: Final = "hapju.tool.real_estate_search.rows.v1"
"""The schema of the rows."""
TOLD_MAX: Final = 3
"""How many homes the summary tells of; the evidence holds all."""


def findings_of(readings: Sequence[Reading], asking: Asking) -> Findings | None:
    """Return the homes on offer of some readings, newest first; None where there is none."""
    found = list(_listings(readings, asking))
    if not found:
        return None
    rows = [row for row, _ in found]
    when = day(asking.day_of(max(row.as_of for row in rows)).date(), asking.locale)
    opening = asking.say(
        f"나온 매물은 {len(rows)}건입니다({when} 기준).", f"{len(rows)} homes are on offer (as of {when})."
    )
    return Findings(
        summary=" ".join((opening, *(_told(row, asking) for row in rows[:TOLD_MAX]))),
        metrics=tuple(metric for row, piece in found[:TOLD_MAX] for metric in _metrics(row, piece, asking)),
        evidence=tuple(dict.fromkeys(piece for _, piece in found)),
        key_drivers=tuple(_told(row, asking) for row in rows[:TOLD_MAX]),
        cautions=(
            asking.say(
                "매물의 가격은 부르는 값이라 실제 거래가와 다를 수 있습니다.",
                "Prices of homes on offer are asked, not paid.",
            ),
        ),
        rows_used=len(rows),
        rows_min=1,
    )


def _listings(readings: Sequence[Reading], asking: Asking) -> Iterator[tuple[RealEstateSearchRow, Evidence]]:
    for reading in readings:
        rows = [row for row in reading.rows if isinstance(row, RealEstateSearchRow)]
        if rows:
            title = asking.say(f"{rows[0].region_ko} 매물", f"Homes on offer in {rows[0].region_en}")
            excerpt = " ".join(_told(row, asking) for row in rows[:TOLD_MAX])
            piece = evidence(reading, rows, title=title, excerpt=excerpt)
            yield from ((row, piece) for row in rows)


def _metrics(row: RealEstateSearchRow, piece: Evidence, asking: Asking) -> tuple[Metric, ...]:
    subject, as_of = asking.subject(row.subject(asking.locale), piece.evidence_id), asking.day_of(row.as_of)
    found = [subject.figure(row.price_name, Decimal(row.price_krw), as_of)]
    if row.monthly_rent_krw is not None:
        found.append(subject.figure("monthly_rent_asked", Decimal(row.monthly_rent_krw), as_of))
    return tuple(found)


def _told(row: RealEstateSearchRow, asking: Asking) -> str:
    locale = asking.locale
    kind, deal = PROPERTIES[row.property_type].said(locale), DEALS[row.deal_type].said(locale)
    price = figure(Decimal(row.price_krw), "krw", locale)
    rent = "" if row.monthly_rent_krw is None else f" / {figure(Decimal(row.monthly_rent_krw), 'krw', locale)}"
    return asking.say(
        f"{row.subject('ko')} {kind} {deal} {price}{rent}({row.floor}층).",
        f"{row.subject('en')}: {kind}, {deal}, {price}{rent} (floor {row.floor}).",
    )
