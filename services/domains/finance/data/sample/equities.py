"""Generated daily bars of the covered shares: a random walk that ends at the level named in securities.yaml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from services.domains.finance.data.tables import KR_EQUITY_PRICES, SECURITIES, US_EQUITY_PRICES
from services.domains.homes.data.sample.sessions import Session
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc, stream

_TABLES = {"US": US_EQUITY_PRICES, "KR": KR_EQUITY_PRICES}
_CURRENCIES = {"US": "USD", "KR": "KRW"}
_SESSIONS_PER_YEAR = 252
# Price steps of the Korea Exchange: (below this price in KRW, step in KRW).
_KRX_STEPS = ((2_000, 1), (5_000, 5), (20_000, 10), (50_000, 50), (200_000, 100), (500_000, 500))


def equities_block(market: str, sessions: Sequence[Session]) -> Block:
    """Return the data set of one market (US or KR) with a bar a session for every covered share."""
    rows: list[Row] = []
    securities: list[Row] = []
    for ticker, entry in load_yaml(__package__, "securities.yaml")[market].items():
        securities.append(_security(market, ticker, entry))
        rows.extend(_bars(market, ticker, entry, sessions))
    dataset = generated(
        f"sample_{market.lower()}_equities",
        {"US": "미국 주식 일봉(예시 데이터)", "KR": "한국 주식 일봉(예시 데이터)"}[market],
        {"US": "US daily share prices (sample)", "KR": "Korean daily share prices (sample)"}[market],
        sessions[-1].close,
    )
    return Block(dataset, {SECURITIES: securities, _TABLES[market]: rows})


def _security(market: str, ticker: str, entry: Mapping[str, Any]) -> Row:
    return {
        "security_id": f"{market}:{ticker}",
        "market": market,
        "ticker": ticker,
        "name_ko": entry["ko"],
        "name_en": entry["en"],
        "kind": "share",
        "currency": _CURRENCIES[market],
    }


def _bars(market: str, ticker: str, entry: Mapping[str, Any], sessions: Sequence[Session]) -> list[Row]:
    random = stream(f"equity/{market}:{ticker}")
    closes = _closes(entry, len(sessions), random)
    daily = entry["volatility"] / np.sqrt(_SESSIONS_PER_YEAR)
    opens = np.concatenate(([closes[0]], closes[:-1])) * np.exp(random.normal(0, daily / 3, len(closes)))
    highs = np.maximum(opens, closes) * np.exp(np.abs(random.normal(0, daily / 2, len(closes))))
    lows = np.minimum(opens, closes) * np.exp(-np.abs(random.normal(0, daily / 2, len(closes))))
    volumes = entry["volume"] * np.exp(random.normal(0, 0.3, len(closes)))
    return [
        {
            "security_id": f"{market}:{ticker}",
            "date": session.date,
            **{name: _to_step(market, float(price)) for name, price in zip(_PRICES, bar, strict=True)},
            "volume": int(volume),
            "currency": _CURRENCIES[market],
            "as_of": naive_utc(session.close),
        }
        for session, *bar, volume in zip(sessions, opens, highs, lows, closes, volumes, strict=True)
    ]


_PRICES = ("open", "high", "low", "close")


def _closes(entry: Mapping[str, Any], count: int, random: np.random.Generator) -> np.ndarray:
    daily_drift = entry["drift"] / _SESSIONS_PER_YEAR
    steps = random.normal(daily_drift, entry["volatility"] / np.sqrt(_SESSIONS_PER_YEAR), count)
    path = np.cumsum(steps)
    return np.asarray(entry["close"] * np.exp(path - path[-1]))


def _to_step(market: str, price: float) -> float:
    if market == "US":
        return round(price, 2)
    step = next((step for below, step in _KRX_STEPS if price < below), 1_000)
    return float(round(price / step) * step)
