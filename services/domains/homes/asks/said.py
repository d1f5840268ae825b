"""How answers on homes name places, kinds and figures."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, Ground, Said, Told
from services.domains.homes.asks.homes_named import dong_of, kind_said
from services.domains.homes.gazetteer import gazetteer
from services.plugin.asks.answering import declined
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, month_said, percent, points, won, won_told
from services.plugin.entities import Entity
from services.plugin.wording import rounded
from services.text.ko.romanised import romanised, romanised_place

PYEONG: Final = Decimal(400) / Decimal(121)
MEASURES: Final = {
    "sale_price": Said("매매가", "sale price"),
    "jeonse_deposit": Said("전세 보증금", "jeonse deposit"),
    "monthly_rent": Said("월세", "monthly rent"),
    "rent_deposit": Said("월세 보증금", "deposit of a monthly rent"),
    "jeonse_ratio": Said("전세가율", "jeonse ratio"),
    "sale_price_per_m2": Said("평당 매매가(전용면적 기준)", "sale price per pyeong of exclusive area"),
    "jeonse_deposit_per_m2": Said("평당 전세 보증금(전용면적 기준)", "jeonse deposit per pyeong of exclusive area"),
    "deal_count": Said("거래 건수", "number of deals"),
}
_PER_M2: Final = {
    "sale_price_per_m2": Said("㎡당 매매가(전용면적 기준)", "sale price per m² of exclusive area"),
    "jeonse_deposit_per_m2": Said("㎡당 전세 보증금(전용면적 기준)", "jeonse deposit per m² of exclusive area"),
}
PRICES: Final = Said("주택 시세", "Home prices")
MONTHS: Final = Said("월별 거래", "Deals by month")


def unit_drawn(measure: str) -> str:
    """Return the unit of a measure in a picture; empty for one that is told otherwise than it is counted."""
    if measure in _PER_M2:
        return ""
    return {"jeonse_ratio": "percent", "deal_count": "count"}.get(measure, "krw")


def measure_said(ask: Ask, measure: str) -> Said:
    """Return how a figure is called: per 평, or per square metre where the question says so."""
    return _PER_M2[measure] if ask.notes.get("per") == "m2" and measure in _PER_M2 else MEASURES[measure]


def value_said(ask: Ask, row: QueryRow, measure: str) -> Said | None:
    """Return a figure of a row; None where it has none."""
    value = row.number(measure)
    return None if value is None else figure_said(ask, value, measure)


def gap_said(ask: Ask, low: Decimal, high: Decimal, measure: str) -> Said:
    """Return how far two figures are apart, as they are told themselves."""
    if measure == "jeonse_ratio":
        return points(rounded(high, 1) - rounded(low, 1), 1)
    if measure == "deal_count":
        return figure_said(ask, high - low, measure)
    scale = PYEONG if measure.endswith("_per_m2") and ask.notes.get("per") != "m2" else Decimal(1)
    return won(won_told(high * scale) - won_told(low * scale))


def figure_said(ask: Ask, value: Decimal, measure: str) -> Said:
    """Return a figure as people say it."""
    if measure == "jeonse_ratio":
        return percent(value)
    if measure == "deal_count":
        return Said(f"{int(value):,}건", f"{int(value):,}")
    if measure.endswith("_per_m2"):
        return won(value if ask.notes.get("per") == "m2" else value * PYEONG)
    return won(value)


def place_said(row: QueryRow, place: Entity | None) -> Said:
    """Return how a place is called: province, district, dong."""
    dong = dong_of(place) if place is not None else ""
    ko = f"{row.text('province_ko')} {row.text('region_ko')}".strip()
    en = ", ".join(filter(None, (row.text("region_en"), row.text("province_en"))))
    return Said(f"{ko} {dong}".strip(), f"{romanised_place(dong)}, {en}".strip(", ") if dong else en)


def label_said(place: Entity) -> Said:
    """Return a place by the label that was read; by its English name where it was told in Korean before."""
    label, district = place.label or place.words, gazetteer().districts.get(place.value)
    en = district.name_en if district is not None and not label.isascii() else label
    return Said(label, en)


def complex_said(name: str) -> Said:
    """Return the name of a complex, in Latin letters in English."""
    return Said(name, romanised(name))


def titled(title: Said, place: Said) -> Said:
    """Return the title of data on a place."""
    return Said(f"{place.ko} {title.ko}", f"{title.en} of {place.en}")


def told(place: Entity, said: Said, row: QueryRow, ask: Ask) -> Told:
    """Return a place that was told of, with its figures."""
    figures = {name: f"{value:f}" for name in ask.measures if (value := row.number(name)) is not None}
    return Told("region", place.value, place.label or said.ko, figures)


def ranked(at: int, name: Said, value: Said, *ids: str) -> Ground:
    """Return a line of a ranking."""
    return Ground(Said(f"{at}위 {name.ko} {value.ko}", f"{at}. {name.en} {value.en}"), ids)


def span_said(first: date, last: date) -> Said:
    """Return a period: a year, a month, or its first and last day."""
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return Said(f"{first.year}년", str(first.year))
    if (first.year, first.month) == (last.year, last.month):
        return month_said(first)
    return Said(f"{day_said(first).ko}~{day_said(last).ko}", f"{day_said(first).en} to {day_said(last).en}")


def nothing(ask: Ask) -> AskAnswer:
    """Return that there are no rows of what was asked."""
    places = listed([label_said(one) for one in ask.subjects]) if ask.subjects else Said("", "")
    if name := ask.notes.get("complex", ""):
        sentence = filled(
            "‘{name}’에 대한 자료가 {place}에는 없어 답할 수 없습니다. 단지 이름을 빼고 지역으로 물어보실 수 있습니다.",
            "There is no data on “{name}” in {place}, so I cannot tell. You can ask about the district as a whole.",
            name=complex_said(name),
            place=places,
        )
        return declined(ask, sentence)
    sentence = filled(
        "{place} {kind}의 해당 자료가 없어 답할 수 없습니다.",
        "There is no data on {kind} in {place}, so I cannot tell.",
        place=places,
        kind=kind_said(ask),
    )
    return declined(ask, sentence)


def moved(change: Decimal) -> Said:
    """Return which way a figure went."""
    if change == 0:
        return Said("그대로입니다", "did not change,")
    return Said("올랐습니다" if change > 0 else "내렸습니다", "rose" if change > 0 else "fell")


def together(rows: Sequence[QueryRow], ask: Ask) -> QueryRow | None:
    """Return one row for a place; a city of several districts is weighted by their deals."""
    if len(rows) <= 1:
        return rows[0] if rows else None
    fields: dict[str, str | int | float | None] = dict(rows[0].fields)
    for name in ask.measures:
        known = [(value, row.row_count) for row in rows if (value := row.number(name)) is not None]
        if name == "deal_count":
            fields[name] = float(sum(value for value, _ in known))
            continue
        weight = sum(count for _, count in known)
        fields[name] = float(sum(value * count for value, count in known) / weight) if weight else None
    return rows[0].model_copy(update={"fields": fields, "row_count": sum(row.row_count for row in rows)})
