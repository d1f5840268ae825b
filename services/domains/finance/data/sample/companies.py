"""Generated financials, earnings announcements and corporate events of the covered shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from services.domains.finance.data.tables import CORPORATE_EVENTS, EARNINGS_EVENTS, EQUITY_FINANCIALS
from services.domains.homes.data.sample.sessions import Session
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc, stream

_CURRENCIES = {"US": "USD", "KR": "KRW"}
_QUARTERS = 8
_SESSIONS_BETWEEN_EVENTS = (6, 35)


@dataclass(frozen=True)
class _Quarter:
    """One fiscal quarter whose figures have been announced."""

    end: date
    label: str
    announced: Session


@dataclass(frozen=True)
class _Company:
    """One covered share with what its figures start from."""

    security_id: str
    name_ko: str
    name_en: str
    currency: str
    close: float
    entry: Mapping[str, Any]
    events: Sequence[Mapping[str, str]]


def companies_block(sessions: Mapping[str, Sequence[Session]]) -> Block:
    """Return the data set of company figures and events; `sessions` gives the trading days by market."""
    financials: list[Row] = []
    earnings: list[Row] = []
    events: list[Row] = []
    for company in _companies():
        days = sessions[company.security_id[:2]]
        for quarter, figures in _history(company, days):
            financials.extend(_items(company, quarter, figures))
            earnings.append(_announcement(company, quarter, figures["eps"]))
        events.extend(_events(company, days))
    newest = max(days[-1].close for days in sessions.values())
    dataset = generated(
        "sample_companies", "기업 재무와 이벤트(예시 데이터)", "Company figures and events (sample)", newest
    )
    return Block(dataset, {EQUITY_FINANCIALS: financials, EARNINGS_EVENTS: earnings, CORPORATE_EVENTS: events})


def _companies() -> Iterator[_Company]:
    universe, events = load_yaml(__package__, "securities.yaml"), load_yaml(__package__, "company_events.yaml")
    for market, entries in load_yaml(__package__, "companies.yaml").items():
        for ticker, entry in entries.items():
            share = universe[market][ticker]
            yield _Company(
                security_id=f"{market}:{ticker}",
                name_ko=share["ko"],
                name_en=share["en"],
                currency=_CURRENCIES[market],
                close=share["close"],
                entry=entry,
                events=events[entry["sector"]],
            )


def _quarters(company: _Company, sessions: Sequence[Session]) -> list[_Quarter]:
    """Return the announced quarters, oldest first: a share always announces the same number of days after the end."""
    lag_days = int(stream(f"announcements/{company.security_id}").integers(24, 44))
    found = []
    for end in _quarter_ends(sessions[0].date, sessions[-1].date):
        announced = next((day for day in sessions if day.date >= end + timedelta(days=lag_days)), None)
        if announced is not None and end > sessions[0].date:
            found.append(_Quarter(end, f"{end.year}Q{end.month // 3}", announced))
    return found[-_QUARTERS:]


def _quarter_ends(first: date, last: date) -> Iterator[date]:
    for year in range(first.year, last.year + 1):
        for month, day in ((3, 31), (6, 30), (9, 30), (12, 31)):
            if first <= date(year, month, day) <= last:
                yield date(year, month, day)


def _history(company: _Company, sessions: Sequence[Session]) -> Iterator[tuple[_Quarter, dict[str, float]]]:
    random = stream(f"financials/{company.security_id}")
    quarters = _quarters(company, sessions)
    entry = company.entry
    shares = entry["shares"] * 1e6
    yearly_income = company.close / entry["per"] * shares
    for back, quarter in zip(range(len(quarters) - 1, -1, -1), quarters, strict=True):
        scale = (1 + entry["growth"]) ** (-back / 4) * float(np.exp(random.normal(0, 0.04)))
        revenue = yearly_income / entry["net_margin"] / 4 * scale
        operating = revenue * entry["operating_margin"] * float(np.exp(random.normal(0, 0.05)))
        net = revenue * entry["net_margin"] * float(np.exp(random.normal(0, 0.06)))
        equity = company.close / entry["pbr"] * shares * (1 + entry["growth"] / 2) ** (-back / 4)
        yield quarter, _figures(company, (revenue, operating, net, equity), shares)


def _figures(company: _Company, totals: tuple[float, float, float, float], shares: float) -> dict[str, float]:
    revenue, operating, net, equity = totals
    step = 1e6 if company.currency == "USD" else 1e8
    digits = 2 if company.currency == "USD" else 0
    amounts = {"revenue": revenue, "operating_income": operating, "net_income": net, "total_equity": equity}
    rounded = {item: round(amount / step) * step for item, amount in amounts.items()}
    return {
        **rounded,
        "eps": round(rounded["net_income"] / shares, digits),
        "bps": round(rounded["total_equity"] / shares, digits),
        "shares_outstanding": shares,
        "dividend_per_share": round(company.close * company.entry["dividend"] / 4, digits + 2),
    }


def _items(company: _Company, quarter: _Quarter, figures: Mapping[str, float]) -> Iterator[Row]:
    per_share = {"eps", "bps", "dividend_per_share"}
    for item, value in figures.items():
        unit = "shares" if item == "shares_outstanding" else company.currency
        yield {
            "security_id": company.security_id,
            "period_end": quarter.end,
            "item": item,
            "fiscal_period": quarter.label,
            "value": value,
            "unit": f"{unit}/share" if item in per_share else unit,
            "as_of": naive_utc(quarter.announced.close),
        }


def _announcement(company: _Company, quarter: _Quarter, eps: float) -> Row:
    random = stream(f"surprise/{company.security_id}/{quarter.label}")
    digits = 2 if company.currency == "USD" else 0
    estimate = round(eps / (1 + float(random.normal(0.02, 0.06))), digits) or eps
    return {
        "security_id": company.security_id,
        "event_date": quarter.announced.date,
        "fiscal_period": quarter.label,
        "eps_actual": eps,
        "eps_estimate": estimate,
        "surprise_percent": round((eps - estimate) / abs(estimate) * 100, 2),
        "currency": company.currency,
        "as_of": naive_utc(quarter.announced.close),
    }


def _events(company: _Company, sessions: Sequence[Session]) -> Iterator[Row]:
    random = stream(f"events/{company.security_id}")
    back = 1
    for number, event in enumerate(company.events, start=1):
        back += int(random.integers(*_SESSIONS_BETWEEN_EVENTS))
        session = sessions[-back]
        yield {
            "event_id": f"{company.security_id.replace(':', '-')}-E{number}",
            "security_id": company.security_id,
            "event_date": session.date,
            "kind": event["kind"],
            "title_ko": f"{company.name_ko}, {event['ko']}",
            "title_en": f"{company.name_en} {event['en']}",
            "as_of": naive_utc(session.close),
        }
