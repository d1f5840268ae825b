"""Articles of law that homes are asked about: real statutes, numbers and titles with summaries of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from services.domains.realty.data.tables import LAW_ARTICLES
from services.plugin.data.sample import Block, Document, Row, generated, load_yaml_list, naive_utc

_SOURCE = (
    "summaries written for hapju of Korean statutes; statute, article and title as published, not the statutes' text"
)


def law_block(as_of: datetime) -> Block:
    """Return the articles; the moment is that of the seed, since the summaries do not age."""
    rows = [_row(statute, article, as_of) for statute, article in _articles()]
    dataset = generated("sample_law", "법률 조문 요약(예시 데이터)", "Summaries of articles of law (sample)", as_of)
    return Block(replace(dataset, source=_SOURCE), {LAW_ARTICLES: rows})


def law_documents() -> list[Document]:
    """Return the articles as search sees them, with the words that people use for the same thing."""
    return [_document(statute, article) for statute, article in _articles()]


def _articles() -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for entry in load_yaml_list(__package__, "law.yaml"):
        for article in entry["articles"]:
            yield entry, article


def _id(entry: Mapping[str, Any], article: Mapping[str, Any]) -> str:
    return f"{entry['statute']['id']}-{article['n']}"


def _row(entry: Mapping[str, Any], article: Mapping[str, Any], as_of: datetime) -> Row:
    return {
        "article_id": _id(entry, article),
        "statute_ko": entry["statute"]["ko"],
        "statute_en": entry["statute"]["en"],
        "article": article["n"],
        "title_ko": article["ko"],
        "title_en": article["en"],
        "summary_ko": article["sko"],
        "summary_en": article["sen"],
        "topic": article["topic"],
        "is_tenant_protection": bool(entry.get("tenant")),
        "is_tax": bool(entry.get("tax")),
        "as_of": naive_utc(as_of),
    }


def _document(entry: Mapping[str, Any], article: Mapping[str, Any]) -> Document:
    statute = f"{entry['statute']['ko']} {entry['statute']['en']} 제{article['n'].replace('-', '조의')}"
    return Document(
        document_id=_id(entry, article),
        fields=(
            (f"{article['ko']} {article['en']}", 1.5),
            (f"{article['sko']} {article['sen']}", 1.0),
            (article["words"], 1.5),
            (statute, 0.5),
        ),
        meaning=f"{article['ko']}. {article['sko']} {article['words']}",
        prior=entry.get("prior", 1.0),
    )
