"""The market's part of an analysis: how far prices lie apart, and where the price of the question stands. Pure."""

from collections import defaultdict
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.realty.agents.market import prices_of
from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart, missing
from services.domains.realty.agents.standing import Priced, PriceStanding, Spread, spread, standing
from services.domains.realty.tools.market_data import MarketDataRow
from services.text.saying import figure

_MAIN: Final = {"sale": "price", "jeonse": "deposit"}
"""The figure that a deal is compared by; a monthly rent has two, which no spread is told of."""

_MARKETS_MAX: Final = 3
"""How many markets of one kind of deal are told of, the most traded first."""


def priced(rows: tuple[MarketDataRow, ...], deal: str) -> tuple[Priced, ...]:
    """Return the prices of one kind of deal."""
    name = _MAIN[deal]
    found = ((row, prices_of(row, name)) for row in rows if row.deal_type == deal)
    return tuple(Priced(prices.mean, row.area_m2, prices.deals) for row, prices in found if prices.mean > 0)


def market_part(ground: AnalysisGround) -> AnalysisPart:
    """Return the spread of each market, the most traded first, and where the given price stands in its own."""
    if not ground.homes:
        return missing(
            ground.asking.say(
                "비교할 시세 자료가 없어 시세 수준과 편차는 분석하지 못했습니다.",
                "There are no prices to compare with, so that level and spread of the market were not analysed.",
            )
        )
    parts = [part for deal in _MAIN for part in _of_deal(ground, deal)]
    used = {piece.evidence_id: piece for part in parts for piece in part.evidence}
    return AnalysisPart(
        summary=" ".join(part.summary for part in parts),
        metrics=tuple(metric for part in parts for metric in part.metrics),
        evidence=tuple(used.values()) or tuple(piece for piece, _ in ground.homes),
        key_drivers=tuple(part.summary for part in parts),
        coverage=Decimal(1) if parts else Decimal(0),
    )


def _of_deal(ground: AnalysisGround, deal: str) -> list[AnalysisPart]:
    """Return a part for each market of a kind of deal: region and kind of home."""
    groups: defaultdict[tuple[str, str], list[tuple[Evidence, MarketDataRow]]] = defaultdict(list)
    for piece, rows in ground.homes:
        for row in rows:
            if row.deal_type == deal:
                groups[row.region_code, row.property_type].append((piece, row))
    by_deals = sorted(groups.values(), key=lambda found: -sum(row.deal_count for _, row in found))[:_MARKETS_MAX]
    parts = (_market(ground, deal, tuple(found)) for found in by_deals)
    return [part for part in parts if part is not None]


def _market(
    ground: AnalysisGround, deal: str, found: tuple[tuple[Evidence, MarketDataRow], ...]
) -> AnalysisPart | None:
    rows = tuple(row for _, row in found)
    pieces = tuple({piece.evidence_id: piece for piece, _ in found}.values())
    homes = priced(rows, deal)
    apart = spread(homes)
    given = ground.given.sums.get(_MAIN[deal])
    where = standing(given, ground.given.area_m2, homes) if given is not None else None
    if apart is None and where is None:
        return None
    asking, name = ground.asking, rows[0].subject(ground.asking.locale)
    said = [_spread_said(ground, name, apart)] if apart is not None else []
    said += [_standing_said(ground, name, given, where)] if where is not None and given is not None else []
    as_of = asking.day_of(max(row.as_of for row in rows))
    subject = ground.subject(name, *pieces, *((ground.own,) if where is not None else ()))
    metrics: list[Metric] = []
    if apart is not None:
        for place, value in (("low", apart.low), ("median", apart.median), ("high", apart.high)):
            metrics.append(subject.figure(f"price_per_m2_{place}", value, as_of))
        metrics.append(subject.figure("price_spread", apart.percent, as_of))
    if where is not None:
        metrics.append(subject.figure("from_mean_change", where.from_mean_percent, as_of))
        metrics.append(subject.figure("share_below", where.share_below_percent, as_of))
    evidence = (*pieces, *((ground.own,) if where is not None else ()))
    return AnalysisPart(" ".join(said), tuple(metrics), evidence)


def _spread_said(ground: AnalysisGround, name: str, apart: Spread) -> str:
    locale = ground.asking.locale
    low, mid, high = (figure(value, "krw", locale) for value in (apart.low, apart.median, apart.high))
    percent = figure(apart.percent, "percent", locale)
    return ground.asking.say(
        f"{name}의 ㎡당 가격은 {low}에서 {high}까지이고 중간값은 {mid}, 편차는 중간값의 {percent}입니다.",
        f"{name} costs {low} to {high} a square metre, {mid} at the median; the spread is {percent} of the median.",
    )


def _standing_said(ground: AnalysisGround, name: str, given: int, where: PriceStanding) -> str:
    locale = ground.asking.locale
    price = figure(Decimal(given), "krw", locale)
    size = figure(abs(where.from_mean_percent), "percent", locale)
    below = figure(where.share_below_percent, "percent", locale)
    fewer = f"거래의 {below}가 이보다 쌌습니다" if where.share_below_percent else "이보다 싼 거래는 없었습니다"
    higher = where.from_mean_percent >= 0
    by_area = ground.asking.say("같은 면적으로 환산한 ", "area-adjusted ") if where.by_area else ""
    if locale == "ko":
        return f"말씀하신 {price}은 {name}의 {by_area}평균보다 {size} {'높고' if higher else '낮고'}, {fewer}."
    return (
        f"The {price} that you name is {size} {'above' if higher else 'below'} the {by_area}mean of {name}, "
        f"and {below} of the deals cost less."
    )
