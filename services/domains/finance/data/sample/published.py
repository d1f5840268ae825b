"""Series that were really published, as installed packages carry them: read from their files, nothing imported.

Each package is its own data set with its own dates. A package that is not installed is reported, and the seed goes on.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import metadata

from services.domains.finance.data.tables import MACRO_OBSERVATIONS, MACRO_SERIES, SECURITIES, US_EQUITY_PRICES
from services.plugin.data.sample import Block, Dataset, Row


@dataclass(frozen=True)
class PublishedSeries:
    """One macro series inside a package's data file."""

    series_id: str
    """Id under which the tool serves it."""
    column: str
    """Column of the file."""
    title_ko: str
    """Title for Korean readers."""
    title_en: str
    """Title for English readers, with the source's own words on adjustment and base."""
    unit: str
    """Unit of the values."""
    frequency: str
    """daily, monthly or quarterly."""


_QUARTERLY = tuple(
    PublishedSeries(f"US_{column.upper()}_Q", column, f"미국 {ko}(분기, 1959-2009)", en, unit, "quarterly")
    for column, ko, en, unit in (
        ("realgdp", "실질 국내총생산", "US Real GDP, quarterly, SAAR", "billion chained 2005 USD"),
        ("realcons", "실질 개인소비지출", "US Real Personal Consumption, quarterly, SAAR", "billion chained 2005 USD"),
        ("realinv", "실질 민간투자", "US Real Private Investment, quarterly, SAAR", "billion chained 2005 USD"),
        ("realgovt", "실질 연방정부지출", "US Real Federal Expenditure, quarterly, SAAR", "billion chained 2005 USD"),
        ("realdpi", "실질 가처분소득", "US Real Disposable Income, quarterly, SAAR", "billion chained 2005 USD"),
        ("cpi", "소비자물가지수", "US CPI, All Items, end of quarter, SA", "index 1982-84=100"),
        ("m1", "통화량 M1", "US M1 Money Stock, end of quarter, SA", "billion USD"),
        ("tbilrate", "국채 3개월물 금리", "US 3-Month Treasury Bill Rate, quarterly mean", "%"),
        ("unemp", "실업률", "US Unemployment Rate, quarterly, SA", "%"),
        ("pop", "인구", "US Population, end of quarter", "million persons"),
        ("infl", "물가상승률", "US Inflation, annualised log change of CPI", "%"),
        ("realint", "실질금리", "US Real Interest Rate (bill rate less inflation)", "%"),
    )
)
_ARCH_FILES: Mapping[str, tuple[PublishedSeries, ...]] = {
    "core_cpi/core-cpi": (
        PublishedSeries(
            "CPILFESL", "CPILFESL", "미국 근원 소비자물가지수", "US Core CPI, SA", "index 1982-84=100", "monthly"
        ),
    ),
    "default/default": (
        PublishedSeries("AAA", "AAA", "미국 회사채 Aaa 금리", "Moody's Aaa Corporate Bond Yield", "%", "monthly"),
        PublishedSeries("BAA", "BAA", "미국 회사채 Baa 금리", "Moody's Baa Corporate Bond Yield", "%", "monthly"),
    ),
    "vix/vix": (
        PublishedSeries("VIX_2014_2019", "vix", "VIX 지수(2014-2019)", "CBOE VIX, 2014-2019", "index", "daily"),
    ),
    "wti/wti": (
        PublishedSeries(
            "DCOILWTICO", "DCOILWTICO", "서부텍사스산 원유 가격", "WTI Crude Oil, Cushing", "USD per barrel", "daily"
        ),
    ),
}
_INDICES = {
    "SPX": ("sp500/sp500", "S&P 500 지수", "S&P 500"),
    "IXIC": ("nasdaq/nasdaq", "나스닥 종합지수", "NASDAQ Composite"),
}


def published_blocks() -> tuple[list[Block], list[str]]:
    """Return the published data sets that are installed, and a sentence for each package that is missing."""
    blocks: list[Block] = []
    missing: list[str] = []
    builders: dict[str, Callable[[metadata.Distribution], list[Block]]] = {"statsmodels": _statsmodels, "arch": _arch}
    for package, build in builders.items():
        try:
            blocks.extend(build(metadata.distribution(package)))
        except (metadata.PackageNotFoundError, FileNotFoundError) as error:
            missing.append(f"package {package} is not installed or lacks its data, its series are left out ({error})")
    return blocks, missing


def _statsmodels(package: metadata.Distribution) -> list[Block]:
    records = list(_records(package, "statsmodels/datasets/macrodata/macrodata.csv"))
    rows = [
        _observation(series, date(int(float(r["year"])), int(float(r["quarter"])) * 3 - 2, 1), r[series.column])
        for series in _QUARTERLY
        for r in records
    ]
    dataset = _dataset(
        package,
        "statsmodels_macrodata",
        ("미국 분기 거시 지표 1959-2009", "US quarterly macro data 1959-2009"),
        "FRED (Federal Reserve Bank of St. Louis) and BLS, public domain; compiled by statsmodels",
        rows,
    )
    return [Block(dataset, {MACRO_SERIES: [_series(s) for s in _QUARTERLY], MACRO_OBSERVATIONS: rows})]


def _arch(package: metadata.Distribution) -> list[Block]:
    observations = [
        _observation(series, _us_date(record["Date"]), record[series.column])
        for name, wanted in _ARCH_FILES.items()
        for record in _records(package, f"arch/data/{name}.csv.gz")
        for series in wanted
        # FRED writes a point for a day without a value.
        if record[series.column] not in {"", "."}
    ]
    macro = _dataset(
        package,
        "arch_macro",
        ("미국 물가·금리·변동성·유가 과거 자료", "US prices, yields, volatility and oil, historical"),
        "FRED (Federal Reserve Bank of St. Louis) and CBOE, as carried by arch",
        observations,
    )
    series = [_series(one) for wanted in _ARCH_FILES.values() for one in wanted]
    bars = [bar for ticker, (name, *_) in _INDICES.items() for bar in _index_bars(package, ticker, name)]
    indices = _dataset(
        package,
        "arch_us_indices",
        ("미국 주가지수 일봉 1999-2018", "US index daily bars 1999-2018"),
        "S&P 500 and NASDAQ Composite daily prices, as carried by arch",
        bars,
    )
    securities = [_index(ticker, ko, en) for ticker, (_, ko, en) in _INDICES.items()]
    return [
        Block(macro, {MACRO_SERIES: series, MACRO_OBSERVATIONS: observations}),
        Block(indices, {SECURITIES: securities, US_EQUITY_PRICES: bars}),
    ]


def _records(package: metadata.Distribution, path: str) -> Iterable[dict[str, str]]:
    # Only files that lie in a directory are read; a package inside an archive reports FileNotFoundError.
    with open(str(package.locate_file(path)), "rb") as file:  # noqa: PTH123 - locate_file promises no Path
        content = file.read()
    text = gzip.decompress(content) if path.endswith(".gz") else content
    return csv.DictReader(io.StringIO(text.decode("utf-8")))


def _dataset(
    package: metadata.Distribution, dataset_id: str, titles: tuple[str, str], source: str, rows: list[Row]
) -> Dataset:
    return Dataset(
        dataset_id=dataset_id,
        title_ko=titles[0],
        title_en=titles[1],
        source=source,
        licence=_licence(package),
        package=package.metadata["Name"],
        package_version=package.version,
        sample=False,
        as_of=max(row["as_of"] for row in rows).replace(tzinfo=UTC),
    )


def _licence(package: metadata.Distribution) -> str:
    stated = (package.metadata[key] for key in ("License-Expression", "License") if key in package.metadata)
    return next(stated, "as stated in the package")


def _series(series: PublishedSeries) -> Row:
    return {
        "series_id": series.series_id,
        "country": "US",
        "title_ko": series.title_ko,
        "title_en": series.title_en,
        "unit": series.unit,
        "frequency": series.frequency,
        "release_lag_days": 0,
    }


def _observation(series: PublishedSeries, start: date, value: str) -> Row:
    return {
        "series_id": series.series_id,
        "date": start,
        "value": float(value),
        "as_of": _period_end(start, series.frequency),
        # The series has ended: no further release is due.
        "next_release_date": None,
    }


def _period_end(start: date, frequency: str) -> datetime:
    months = {"daily": 0, "monthly": 1, "quarterly": 3}[frequency]
    index = start.year * 12 + start.month - 1 + months
    end = start if months == 0 else date(index // 12, index % 12 + 1, 1) - timedelta(days=1)
    return datetime(end.year, end.month, end.day, 21, 0)  # noqa: DTZ001 - stored as UTC without a zone


def _us_date(text: str) -> date:
    """Read 2018-11-01 or 11/1/2018."""
    if "/" in text:
        month, day, year = (int(part) for part in text.split("/"))
        return date(year, month, day)
    return date.fromisoformat(text[:10])


def _index(ticker: str, ko: str, en: str) -> Row:
    return {
        "security_id": f"US:{ticker}",
        "market": "US",
        "ticker": ticker,
        "name_ko": ko,
        "name_en": en,
        "kind": "index",
        "currency": "USD",
    }


def _index_bars(package: metadata.Distribution, ticker: str, name: str) -> list[Row]:
    return [
        {
            "security_id": f"US:{ticker}",
            "date": (day := _us_date(record["Date"])),
            **{column.lower(): float(record[column]) for column in ("Open", "High", "Low", "Close")},
            "volume": int(float(record["Volume"])),
            "currency": "USD",
            "as_of": _period_end(day, "daily"),
        }
        for record in _records(package, f"arch/data/{name}.csv.gz")
    ]
