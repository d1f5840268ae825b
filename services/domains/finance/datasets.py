"""Data sets of finance: share prices, accounts, announcements, series, news."""

from typing import Final

from services.plugin.data.dataset import DataSet, Dimension, Measure
from services.plugin.wording import Text

_PRICES: Final = (
    "(SELECT security_id, date, open, high, low, close, volume, as_of, dataset_id FROM us_equity_prices UNION ALL "
    "SELECT security_id, date, open, high, low, close, volume, as_of, dataset_id FROM kr_equity_prices) AS p "
    "JOIN securities AS s ON s.security_id = p.security_id JOIN datasets AS d ON d.dataset_id = p.dataset_id"
)
_SECURITY: Final = {
    "security_id": Dimension("p.security_id"),
    "market": Dimension("s.market"),
    "kind": Dimension("s.kind"),
    "name_ko": Dimension("s.name_ko"),
    "name_en": Dimension("s.name_en"),
    "currency": Dimension("s.currency"),
}
_OF_SECURITY: Final = (
    "JOIN securities AS s ON s.security_id = p.security_id JOIN datasets AS d ON d.dataset_id = p.dataset_id"
)
SHARE_PRICES: Final = DataSet(
    id="share_prices",
    title=Text("주가", "share prices"),
    data_type="price",
    table="equity_prices",
    source=_PRICES,
    as_of="p.as_of",
    dimensions={**_SECURITY, "date": Dimension("p.date", "date")},
    measures={
        "highest_close": Measure("max", "p.close"),
        "lowest_close": Measure("min", "p.close"),
        "highest": Measure("max", "p.high"),
        "lowest": Measure("min", "p.low"),
        "mean_close": Measure("mean", "p.close"),
        "volume": Measure("sum", "p.volume", unit="count"),
        "bar_count": Measure("count", unit="count"),
        "first_day": Measure("min", "p.date"),
        "last_day": Measure("max", "p.date"),
    },
    time="date",
    key=("security_id",),
    fields={"open": "p.open", "high": "p.high", "low": "p.low", "close": "p.close", "day_volume": "p.volume"},
)
FINANCIALS: Final = DataSet(
    id="financials",
    title=Text("재무 자료", "company accounts"),
    data_type="financials",
    table="equity_financials",
    source=f"equity_financials AS p {_OF_SECURITY}",
    as_of="p.as_of",
    dimensions={
        **_SECURITY,
        "item": Dimension("p.item"),
        "period_end": Dimension("p.period_end", "date"),
        "fiscal_period": Dimension("p.fiscal_period"),
        "unit": Dimension("p.unit"),
    },
    measures={"sum": Measure("sum", "p.value"), "mean": Measure("mean", "p.value")},
    time="period_end",
    key=("security_id", "item"),
    fields={"value": "p.value"},
)
EARNINGS: Final = DataSet(
    id="earnings",
    title=Text("실적 발표", "earnings announcements"),
    data_type="financials",
    table="earnings_events",
    source=f"earnings_events AS p {_OF_SECURITY}",
    as_of="p.as_of",
    dimensions={
        **_SECURITY,
        "event_date": Dimension("p.event_date", "date"),
        "fiscal_period": Dimension("p.fiscal_period"),
    },
    measures={
        "surprise": Measure("max", "p.surprise_percent", unit="percent"),
        "eps_sum": Measure("sum", "p.eps_actual"),
    },
    time="event_date",
    key=("security_id",),
    fields={
        "eps_actual": "p.eps_actual",
        "eps_estimate": "p.eps_estimate",
        "surprise_percent": "p.surprise_percent",
    },
)
SERIES: Final = DataSet(
    id="series",
    title=Text("거시 지표", "macro series"),
    data_type="macro",
    table="macro_observations",
    source=(
        "macro_observations AS p JOIN macro_series AS s ON s.series_id = p.series_id "
        "JOIN datasets AS d ON d.dataset_id = p.dataset_id"
    ),
    as_of="p.as_of",
    dimensions={
        "series_id": Dimension("p.series_id"),
        "country": Dimension("s.country"),
        "title_ko": Dimension("s.title_ko"),
        "title_en": Dimension("s.title_en"),
        "unit": Dimension("s.unit"),
        "frequency": Dimension("s.frequency"),
        "date": Dimension("p.date", "date"),
        "next_release_date": Dimension("p.next_release_date", "date"),
    },
    measures={
        "highest": Measure("max", "p.value"),
        "lowest": Measure("min", "p.value"),
        "mean": Measure("mean", "p.value"),
        "value_count": Measure("count", unit="count"),
        "first_day": Measure("min", "p.date"),
        "last_day": Measure("max", "p.date"),
    },
    time="date",
    key=("series_id",),
    fields={"value": "p.value"},
)
EVENTS: Final = DataSet(
    id="company_events",
    title=Text("기업 소식", "company events"),
    data_type="news",
    table="corporate_events",
    source=f"corporate_events AS p {_OF_SECURITY}",
    as_of="p.as_of",
    dimensions={
        **_SECURITY,
        "event_date": Dimension("p.event_date", "date"),
        "event_kind": Dimension("p.kind"),
        "title_ko": Dimension("p.title_ko"),
        "title_en": Dimension("p.title_en"),
    },
    measures={"event_count": Measure("count", unit="count")},
    time="event_date",
    key=("security_id",),
)
NEWS: Final = DataSet(
    id="news",
    title=Text("뉴스", "news"),
    data_type="news",
    table="news_articles",
    source=(
        "news_articles AS p JOIN news_subjects AS s ON s.news_id = p.news_id "
        "JOIN datasets AS d ON d.dataset_id = p.dataset_id"
    ),
    as_of="p.as_of",
    dimensions={
        "news_id": Dimension("p.news_id"),
        "subject_id": Dimension("s.subject_id"),
        "subject_kind": Dimension("s.kind"),
        "country": Dimension("p.country"),
        "published_at": Dimension("p.published_at", "moment"),
        "title_ko": Dimension("p.title_ko"),
        "title_en": Dimension("p.title_en"),
    },
    measures={"news_count": Measure("count", unit="count")},
    time="published_at",
    key=("subject_id",),
    fields={"body_ko": "p.body_ko", "body_en": "p.body_en"},
)
DATASETS: Final = (SHARE_PRICES, FINANCIALS, EARNINGS, SERIES, EVENTS, NEWS)
