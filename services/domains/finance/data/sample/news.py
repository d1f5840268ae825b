"""Invented news about the covered shares, series and districts; where it tells a direction, the sample data has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from services.domains.finance.data.tables import CORPORATE_EVENTS, MACRO_OBSERVATIONS, NEWS_ARTICLES, NEWS_SUBJECTS
from services.domains.homes.data.sample.market import provinces
from services.domains.homes.data.tables import REALTY_MONTHLY_SUMMARY
from services.plugin.data.sample import Block, Document, Row, generated, load_yaml, naive_utc, stream, utc
from services.text.ko.written import josa

_DAYS = 14


@dataclass(frozen=True)
class Sources:
    """The generated data sets that the news speaks of."""

    companies: Block
    """Corporate events."""
    macro: Block
    """Macro series."""
    monthly: Block
    """Monthly home deals."""


def news_block(as_of: datetime, sources: Sources) -> Block:
    """Return invented news of the last two weeks before `as_of`."""
    content = load_yaml(__package__, "news.yaml")
    articles: list[Row] = []
    subjects: list[Row] = []
    for number, (article, named) in enumerate(_articles(content, sources), start=1):
        news_id = f"NEWS-{number:04d}"
        published = _published(news_id, as_of)
        articles.append({"news_id": news_id, **article, "published_at": published, "as_of": published})
        subjects.extend({"news_id": news_id, "subject_id": one, "kind": kind} for one, kind in named)
    dataset = generated("sample_news", "경제 뉴스(지어낸 예시)", "Economic news (invented sample)", as_of)
    return Block(dataset, {NEWS_ARTICLES: articles, NEWS_SUBJECTS: subjects})


def news_documents(block: Block) -> list[Document]:
    """Return the news as search sees it."""
    return [
        Document(
            document_id=row["news_id"],
            fields=(
                (f"{row['title_ko']} {row['title_en']}", 2.0),
                (f"{row['body_ko']} {row['body_en']}", 1.0),
            ),
            meaning=f"{row['title_ko']}. {row['body_ko']}",
        )
        for row in block.rows[NEWS_ARTICLES]
    ]


def _published(news_id: str, as_of: datetime) -> datetime:
    random = stream(f"news/{news_id}")
    back = timedelta(minutes=int(random.integers(30, _DAYS * 24 * 60)))
    return naive_utc((utc(as_of) - back).replace(second=0, microsecond=0))


def _articles(content: Mapping[str, Any], sources: Sources) -> Iterator[tuple[Row, list[tuple[str, str]]]]:
    yield from _company_news(content, sources.companies)
    yield from _macro_news(content, sources.macro)
    yield from _region_news(content, sources.monthly)


def _company_news(content: Mapping[str, Any], companies: Block) -> Iterator[tuple[Row, list[tuple[str, str]]]]:
    sectors = {
        ticker: e["sector"]
        for shares in load_yaml(__package__, "companies.yaml").values()
        for ticker, e in shares.items()
    }
    names = {
        f"{m}:{t}": e for m, shares in load_yaml(__package__, "securities.yaml").items() for t, e in shares.items()
    }
    newest: dict[str, Row] = {}
    for event in companies.rows[CORPORATE_EVENTS]:
        newest.setdefault(event["security_id"], event)
    for security_id, event in newest.items():
        name = names[security_id]
        sector = content["sectors"][sectors[security_id[3:]]]
        subject = [(security_id, "security")]
        country = security_id[:2]
        yield _article(country, event, content["event"], {"ko": name["ko"], "en": name["en"]}), subject
        title = {"title_ko": f"{name['ko']}, {sector['ko']}", "title_en": f"{name['en']}: {sector['en']}"}
        yield _article(country, title, content["outlook"], {"ko": josa(name["ko"], "이/가"), "en": name["en"]}), subject


def _article(country: str, title: Mapping[str, Any], body: Mapping[str, str], name: Mapping[str, str]) -> Row:
    return {
        "country": country,
        "title_ko": title["title_ko"],
        "title_en": title["title_en"],
        "body_ko": body["ko"].format(name=name["ko"]),
        "body_en": body["en"].format(name=name["en"]),
    }


def _macro_news(content: Mapping[str, Any], macro: Block) -> Iterator[tuple[Row, list[tuple[str, str]]]]:
    values: dict[str, list[float]] = {}
    for row in macro.rows[MACRO_OBSERVATIONS]:
        values.setdefault(row["series_id"], []).append(row["value"])
    for series_id, entry in load_yaml(__package__, "macro.yaml").items():
        moved = content["moves"][_direction(values[series_id])]
        title = {"title_ko": f"{entry['ko']}, {moved['ko']}", "title_en": f"{entry['en']} {moved['en']}"}
        body = content["macro"][entry["country"]]
        article = _article(entry["country"], title, body, {"ko": entry["ko"], "en": entry["en"]})
        yield article, [(series_id, "series")]


def _region_news(content: Mapping[str, Any], monthly: Block) -> Iterator[tuple[Row, list[tuple[str, str]]]]:
    prices: dict[str, list[float]] = {}
    for row in monthly.rows[REALTY_MONTHLY_SUMMARY]:
        if (row["property_type"], row["deal_type"]) == ("apartment", "sale"):
            prices.setdefault(row["region_code"], []).append(row["mean_price_krw"])
    regions = {code: r for province in provinces().values() for code, r in province["regions"].items()}
    for code in content["region_codes"]:
        moved, name = content["moves"][_direction(prices[code])], regions[code]
        title = {
            "title_ko": f"{name['ko']} 아파트 매매가, {moved['ko']}",
            "title_en": f"{name['en']} apartment prices {moved['en']}",
        }
        yield _article("KR", title, content["region"], {"ko": name["ko"], "en": name["en"]}), [(code, "region")]


def _direction(values: Sequence[float]) -> str:
    change = values[-1] - values[-2]
    return "up" if change > 0 else "down" if change < 0 else "flat"
