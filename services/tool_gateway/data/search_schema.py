"""What is searched by words and meaning, and the index that finds it (spec 3.2).

    law_articles, glossary_terms, news_articles 1-n news_subjects      what is found
    realty_listings                                                    homes on offer, found by filters alone
    search_collections 1-n search_terms, search_postings, search_vectors

A posting holds what one token of one document weighs (BM25 without the term's rarity, which stands in search_terms), so
that one SQL text ranks on every database. A vector is 512 half-precision numbers of length 1, little endian.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from services.tool_gateway.data.metadata import METADATA, dataset_column

LAW_ARTICLES = Table(
    "law_articles",
    METADATA,
    Column("article_id", String(24), primary_key=True),
    Column("statute_ko", String(80), nullable=False),
    Column("statute_en", String(120), nullable=False),
    Column("article", String(8), nullable=False),
    Column("title_ko", String(120), nullable=False),
    Column("title_en", String(160), nullable=False),
    Column("summary_ko", Text, nullable=False),
    Column("summary_en", Text, nullable=False),
    Column("topic", String(24), nullable=False, index=True),
    Column("is_tenant_protection", Boolean, nullable=False),
    Column("is_tax", Boolean, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
)

GLOSSARY_TERMS = Table(
    "glossary_terms",
    METADATA,
    Column("term_id", String(40), primary_key=True),
    Column("domain", String(16), nullable=False, index=True),
    Column("term_ko", String(80), nullable=False),
    Column("term_en", String(120), nullable=False),
    Column("definition_ko", Text, nullable=False),
    Column("definition_en", Text, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
)

NEWS_ARTICLES = Table(
    "news_articles",
    METADATA,
    Column("news_id", String(24), primary_key=True),
    Column("published_at", DateTime, nullable=False, index=True),
    Column("country", String(2), nullable=False),
    Column("title_ko", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("body_ko", Text, nullable=False),
    Column("body_en", Text, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
)

NEWS_SUBJECTS = Table(
    "news_subjects",
    METADATA,
    Column("news_id", String(24), ForeignKey("news_articles.news_id"), primary_key=True),
    Column("subject_id", String(40), primary_key=True),
    Column("kind", String(8), nullable=False),
    CheckConstraint("kind IN ('security', 'series', 'region')", name="kind"),
    Index("ix_news_subjects_subject_id", "subject_id"),
)

REALTY_LISTINGS = Table(
    "realty_listings",
    METADATA,
    Column("listing_id", String(24), primary_key=True),
    Column("region_code", String(5), ForeignKey("regions.region_code"), nullable=False, index=True),
    Column("dong", String(40), nullable=False),
    Column("complex_name", String(80), nullable=False),
    Column("property_type", String(12), nullable=False),
    Column("deal_type", String(14), nullable=False),
    Column("area_m2", Float, nullable=False),
    Column("floor", Integer, nullable=False),
    Column("room_count", Integer, nullable=False),
    Column("price_krw", BigInteger, nullable=False),
    Column("monthly_rent_krw", BigInteger, nullable=True),
    Column("listed_on", Date, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
    CheckConstraint("property_type IN ('apartment', 'officetel', 'villa', 'house')", name="property_type"),
    CheckConstraint("deal_type IN ('sale', 'jeonse', 'monthly_rent')", name="deal_type"),
)

SEARCH_COLLECTIONS = Table(
    "search_collections",
    METADATA,
    Column("collection", String(16), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("document_count", Integer, nullable=False),
    Column("encoder", String(60), nullable=False),
)


def _collection() -> Column[str]:
    return Column("collection", String(16), ForeignKey("search_collections.collection"), primary_key=True)


SEARCH_TERMS = Table(
    "search_terms",
    METADATA,
    _collection(),
    Column("token", String(60), primary_key=True),
    Column("rarity", Float, nullable=False),
)

SEARCH_POSTINGS = Table(
    "search_postings",
    METADATA,
    _collection(),
    Column("token", String(60), primary_key=True),
    Column("document_id", String(40), primary_key=True),
    Column("weight", Float, nullable=False),
)

SEARCH_VECTORS = Table(
    "search_vectors",
    METADATA,
    _collection(),
    Column("document_id", String(40), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)
