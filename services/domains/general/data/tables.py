"""The table of the glossary."""

from __future__ import annotations

from sqlalchemy import Column, DateTime, String, Table, Text

from services.plugin.data.tables import METADATA, dataset_column

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
