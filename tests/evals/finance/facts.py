"""What the database says of a share, a series, a home market and the brief, computed anew with pandas for the checker.

Nothing of the agents is used here: a formula that is wrong there does not make itself right here.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import pandas as pd

from services.text.stated.figures import Known
from services.text.stated.units import FigureUnit

_UNITS = {
    "%": (FigureUnit.PERCENT, 1),
    "percentage points": (FigureUnit.PERCENTAGE_POINT, 1),
    "thousand persons": (FigureUnit.PERSONS, 1_000),
    "million USD": (FigureUnit.USD, 10**6),
    "billion USD": (FigureUnit.USD, 10**9),
    "KRW": (FigureUnit.KRW, 1),
    "units": (FigureUnit.COUNT, 1),
}
_DEALS = {"sale": ("매매", "sale"), "jeonse": ("전세", "jeonse"), "monthly_rent": ("월세", "monthly rent")}
_RATES = {FigureUnit.PERCENT, FigureUnit.PERCENTAGE_POINT}
_SPANS = {"daily": 5, "weekly": 4, "monthly": 3, "quarterly": 2}


@dataclass
class Facts:
    """What may be said of one subject."""

    names: tuple[str, ...]
    """What a sentence calls it, in either language."""
    newest: date
    """The day or the first day of the period that its newest figure is of."""
    values: list[Known] = field(default_factory=list)
    """Its figures."""
    days: set[date] = field(default_factory=set)
    """The days that it speaks of."""
    words: dict[str, str] = field(default_factory=dict)
    """Its trends: short, long or recent, as up, down or flat."""
    cross: tuple[str, date] | None = None
    """Its newest cross of averages."""
    dated: list[tuple[Known, date]] = field(default_factory=list)
    """Figures that are of one day, month or quarter: they are told under no other."""

    def add_of(self, day: date, value: float, unit: FigureUnit, digits: int = 2) -> None:
        """Adds a figure of a day."""
        self.add(value, unit, digits)
        if not np.isnan(value):
            self.dated.append((self.values[-1], day))

    def add(self, value: float, unit: FigureUnit, digits: int = 2) -> None:
        """Adds a figure, rounded half away from zero."""
        if not np.isnan(value):
            step = Decimal(1).scaleb(-digits)
            self.values.append(Known(Decimal(repr(float(value))).quantize(step, ROUND_HALF_UP), unit))


def frame(data: sqlite3.Connection, query: str, *values: Any) -> pd.DataFrame:
    """Returns the rows of a query."""
    return pd.read_sql_query(query, data, params=values)


def both_days(moments: Iterable[str]) -> set[date]:
    """Returns the days of moments as UTC and as Seoul count them."""
    found = [datetime.fromisoformat(str(moment)) for moment in moments]
    return {moment.date() for moment in found} | {(moment + timedelta(hours=9)).date() for moment in found}


def share_facts(data: sqlite3.Connection, security_id: str) -> Facts | None:
    """Returns what the newest 260 bars, the quarters and the announcements of a share say; None without bars."""
    table = "us_equity_prices" if security_id.startswith("US") else "kr_equity_prices"
    query = f"SELECT * FROM {table} WHERE security_id = ? ORDER BY date DESC LIMIT 260"  # noqa: S608 - a name of ours
    bars = frame(data, query, security_id).iloc[::-1].reset_index(drop=True)
    if bars.empty:
        return None
    names = data.execute("SELECT name_ko, name_en FROM securities WHERE security_id = ?", (security_id,)).fetchone()
    days = [date.fromisoformat(str(one)[:10]) for one in bars["date"]]
    facts = Facts(names, days[-1], days=set(days))
    unit = FigureUnit.USD if security_id.startswith("US") else FigureUnit.KRW
    _price(facts, bars, days, unit)
    closes = bars["close"].to_numpy(float)
    _quarters(facts, data, security_id, unit, dict(zip(days, closes, strict=True)))
    _announcements(facts, data, security_id, unit, (days, closes))
    return facts


def _price(facts: Facts, bars: pd.DataFrame, days: list[date], unit: FigureUnit) -> None:
    close = bars["close"].astype(float)
    means = {span: close.rolling(span).mean() for span in (20, 60, 120)}
    facts.add_of(days[-1], close.iloc[-1], unit)
    for mean in means.values():
        facts.add(mean.iloc[-1], unit, 0 if unit is FigureUnit.KRW else 2)
    for span in (1, 5, 20, 60, 120):
        if len(close) > span:
            facts.add(close.pct_change(span).iloc[-1] * 100, FigureUnit.PERCENT)
    year = [day >= days[-1] - timedelta(weeks=52) for day in days]
    for edge, best in (("high", bars["high"][year].max()), ("low", bars["low"][year].min())):
        for day, value, within in zip(days, bars[edge], year, strict=True):
            if within and value == best:
                facts.add_of(day, best, unit)
    facts.add(((close / close.cummax()) - 1).min() * 100, FigureUnit.PERCENT)
    facts.add(close.pct_change().iloc[-60:].std(ddof=1) * np.sqrt(252) * 100, FigureUnit.PERCENT)
    last = {span: mean.iloc[-1] for span, mean in means.items()}
    if not np.isnan(last[60]):
        up, down = (
            last[20] > last[60] and close.iloc[-1] >= last[20],
            last[20] < last[60] and close.iloc[-1] <= last[20],
        )
        facts.words["short"] = "up" if up else "down" if down else "flat"
    if not np.isnan(last[120]):
        facts.words["long"] = _way(last[60] - last[120])
    signs = np.sign(means[20] - means[60])
    known = signs[signs.notna() & (signs != 0)]
    turns = known[known.diff().fillna(0) != 0]
    if not turns.empty:
        facts.cross = ("golden" if turns.iloc[-1] > 0 else "dead", days[int(turns.index[-1])])


def _way(difference: float) -> str:
    return "up" if difference > 0 else "down" if difference < 0 else "flat"


def _quarters(
    facts: Facts, data: sqlite3.Connection, security_id: str, unit: FigureUnit, closes: dict[date, float]
) -> None:
    query = "SELECT * FROM equity_financials WHERE security_id = ? ORDER BY period_end"
    rows = frame(data, query, security_id)
    if rows.empty:
        return
    wide = rows.pivot(index="period_end", columns="item", values="value").iloc[-8:]
    newest = wide.iloc[-1]
    facts.days |= {date.fromisoformat(str(end)[:10]) for end in wide.index} | both_days(rows["as_of"])
    for item in ("revenue", "operating_income", "net_income", "eps", "bps"):
        facts.add(newest[item], unit)
    for item in ("revenue", "operating_income", "net_income"):
        if len(wide) > 4 and wide[item].iloc[-5] > 0:
            facts.add((newest[item] / wide[item].iloc[-5] - 1) * 100, FigureUnit.PERCENT)
    for item in ("operating_income", "net_income"):
        facts.add(newest[item] / newest["revenue"] * 100, FigureUnit.PERCENT)
    told = rows.groupby("period_end")["as_of"].min().loc[wide.index]
    announced = [datetime.fromisoformat(str(one)).date() for one in told]
    for base in (wide["eps"].rolling(4).sum(), wide["bps"]):
        _multiple(facts, base.to_numpy(float), announced, closes)


def _multiple(facts: Facts, base: np.ndarray, announced: list[date], closes: dict[date, float]) -> None:
    days = sorted(closes)
    if np.isnan(base[-1]) or base[-1] <= 0:
        return
    now = closes[days[-1]] / base[-1]
    facts.add(now, FigureUnit.RATIO)
    held = []
    for day, one in zip(announced, base, strict=True):
        at = next((session for session in days if session >= day), None)
        if day >= days[0] and at is not None and one > 0:
            held.append(closes[at] / one)
    if len(held) >= 3:
        facts.add(float(np.median(held)), FigureUnit.RATIO)
        facts.add((now / np.median(held) - 1) * 100, FigureUnit.PERCENT)
        facts.values.append(Known(Decimal(len(held)), FigureUnit.COUNT))


def _announcements(
    facts: Facts, data: sqlite3.Connection, security_id: str, unit: FigureUnit, bars: tuple[list[date], np.ndarray]
) -> None:
    days, closes = bars
    query = "SELECT * FROM earnings_events WHERE security_id = ? ORDER BY event_date DESC LIMIT 3"
    for event in frame(data, query, security_id).to_dict("records"):
        day = date.fromisoformat(str(event["event_date"])[:10])
        facts.days |= {day} | both_days([event["as_of"]])
        facts.add(event["eps_actual"], unit)
        facts.add(event["eps_estimate"], unit)
        facts.add(event["surprise_percent"], FigureUnit.PERCENT)
        at = next((place for place, one in enumerate(days) if one >= day), len(days))
        for session in (0, 1, 5):
            if 0 < at < len(days) and at + session < len(days):
                facts.add((closes[at + session] / closes[at - 1] - 1) * 100, FigureUnit.PERCENT)


def series_facts(data: sqlite3.Connection, series_id: str) -> Facts | None:
    """Returns what the newest 24 observations of a series within 14 months say; None without one."""
    query = "SELECT * FROM macro_observations WHERE series_id = ? ORDER BY date DESC LIMIT 24"
    rows = frame(data, query, series_id).iloc[::-1].reset_index(drop=True)
    if rows.empty:
        return None
    found = data.execute("SELECT * FROM macro_series WHERE series_id = ?", (series_id,))
    meta = dict(zip([column[0] for column in found.description], found.fetchone(), strict=True))
    unit, scale = _UNITS.get(meta["unit"], (FigureUnit.NONE, 1))
    days = [date.fromisoformat(str(one)[:10]) for one in rows["date"]]
    facts = Facts((_bare(meta["title_ko"]), _bare(meta["title_en"])), days[-1], days={*days} | both_days(rows["as_of"]))
    values = rows["value"].to_numpy(float)
    for day, value in zip(days, values, strict=True):
        facts.add_of(day, value * scale, unit, 4)
    year = days[-1].replace(year=days[-1].year - 1)
    before = [values[-2]] if len(values) > 1 else []
    before += [value for day, value in zip(days, values, strict=True) if day == year][:1]
    for one in before:
        if unit in _RATES:
            facts.add(values[-1] - one, FigureUnit.PERCENTAGE_POINT, 4)
        else:
            facts.add((values[-1] / one - 1) * 100, FigureUnit.PERCENT)
    span = _SPANS[meta["frequency"]]
    if len(values) >= 2 * span:
        new, old = values[-span:].mean(), values[-2 * span : -span].mean()
        flat = abs(new - old) < (0.05 - 1e-12 if unit in _RATES else abs(old) * 0.001)
        facts.words["recent"] = "flat" if flat else _way(new - old)
    return facts


def _bare(title: str) -> str:
    return title.partition(" (")[0] if " (" in title else title.partition("(")[0]


def home_facts(data: sqlite3.Connection, region_code: str, deal: str, months: int) -> Facts | None:
    """Returns what the newest months of apartments of a district say."""
    query = (
        "SELECT * FROM realty_monthly_summary WHERE region_code = ? AND deal_type = ? AND property_type = 'apartment' "
        "ORDER BY month DESC LIMIT ?"
    )
    rows = frame(data, query, region_code, deal, months).iloc[::-1].reset_index(drop=True)
    if rows.empty:
        return None
    ko, en = data.execute("SELECT name_ko, name_en FROM regions WHERE region_code = ?", (region_code,)).fetchone()
    deal_ko, deal_en = _DEALS[deal]
    days = [date.fromisoformat(str(one)[:10]) for one in rows["month"]]
    facts = Facts(
        (f"{ko} 아파트 {deal_ko}", f"Apartment {deal_en} in {en}"), days[-1], days={*days} | both_days(rows["as_of"])
    )
    price, deals = rows["mean_price_krw"].astype(float), rows["deal_count"].astype(float)
    for day, value, count in zip(days, price, deals, strict=True):
        facts.add_of(day, value, FigureUnit.KRW, 0)
        facts.add_of(day, count, FigureUnit.COUNT, 0)
    facts.values.append(Known(Decimal(len(rows)), FigureUnit.MONTHS))
    rents = rows["mean_monthly_rent_krw"].astype(float)
    if deal == "monthly_rent":
        for value in rents:
            facts.add(round(value / 10_000) * 10_000, FigureUnit.KRW, 0)
    for series in (price, deals, rents):
        if len(series) > 1 and not series.isna().any():
            facts.add((series.iloc[-1] / series.iloc[0] - 1) * 100, FigureUnit.PERCENT)
    if len(rows) >= 6:
        new, old = price.iloc[-3:].mean(), price.iloc[:3].mean()
        facts.words["price"] = "flat" if abs(new / old - 1) < 0.01 else _way(new - old)
    return facts


def brief_facts(data: sqlite3.Connection) -> Facts:
    """Returns what the newest brief says."""
    query = (
        "SELECT b.*, s.unit FROM macro_brief_lines b JOIN macro_series s USING (series_id) "
        "WHERE brief_date = (SELECT MAX(brief_date) FROM macro_brief_lines)"
    )
    rows = frame(data, query)
    day = date.fromisoformat(str(rows["brief_date"].iloc[0])[:10])
    facts = Facts(("08:30 미국 거시 브리핑", "US macro brief of 08:30"), day, days={day} | both_days(rows["as_of"]))
    for row in rows.to_dict("records"):
        unit, scale = _UNITS.get(row["unit"], (FigureUnit.NONE, 1))
        facts.add(row["value"] * scale, unit, 4)
        facts.days.add(date.fromisoformat(str(row["observation_date"])[:10]))
    return facts
