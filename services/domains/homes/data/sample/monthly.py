"""Monthly sums of the generated home deals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from services.domains.homes.data.tables import REALTY_MONTHLY_SUMMARY, REALTY_TRANSACTIONS
from services.plugin.data.sample import Block, Row, generated


def monthly_block(deals: Block) -> Block:
    """Return the monthly sums of the deals: each row is what the deals of its month come to."""
    groups: dict[tuple[str, str, str, date], list[Row]] = {}
    for row in deals.rows[REALTY_TRANSACTIONS]:
        key = (row["region_code"], row["property_type"], row["deal_type"], row["contract_date"].replace(day=1))
        groups.setdefault(key, []).append(row)
    dataset = generated(
        "sample_realty_monthly",
        "지역별 월간 실거래 집계(예시 데이터)",
        "Monthly home deals by district (sample)",
        deals.dataset.as_of,
    )
    return Block(dataset, {REALTY_MONTHLY_SUMMARY: [_summary(*key, rows) for key, rows in sorted(groups.items())]})


def _summary(region_code: str, property_type: str, deal_type: str, month: date, deals: Sequence[Row]) -> Row:
    price_krw = sum(deal["price_krw"] for deal in deals)
    rents = [deal["monthly_rent_krw"] for deal in deals if deal["monthly_rent_krw"] is not None]
    return {
        "region_code": region_code,
        "property_type": property_type,
        "deal_type": deal_type,
        "month": month,
        "deal_count": len(deals),
        "mean_price_krw": _mean(price_krw, len(deals), 10_000),
        "mean_price_krw_per_m2": round(price_krw / sum(deal["area_m2"] for deal in deals) / 1_000) * 1_000,
        "mean_monthly_rent_krw": _mean(sum(rents), len(rents), 1_000) if rents else None,
        "as_of": deals[0]["as_of"],
    }


def _mean(total: int, count: int, step: int) -> int:
    """Return the mean rounded half up to steps, as published sums are."""
    return (2 * total + step * count) // (2 * step * count) * step
