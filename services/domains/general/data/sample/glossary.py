"""Terms of homes, finance and selling, explained in our own words."""

from __future__ import annotations

from datetime import datetime

from services.domains.general.data.tables import GLOSSARY_TERMS
from services.plugin.data.sample import Block, Document, Row, generated, load_yaml_list, naive_utc


def glossary_block(as_of: datetime) -> Block:
    """Return the terms; the moment is that of the seed."""
    rows: list[Row] = [
        {
            "term_id": entry["id"],
            "domain": entry["d"],
            "term_ko": entry["ko"],
            "term_en": entry["en"],
            "definition_ko": entry["dko"],
            "definition_en": entry["den"],
            "as_of": naive_utc(as_of),
        }
        for entry in load_yaml_list(__package__, "glossary.yaml")
    ]
    dataset = generated("sample_glossary", "용어 풀이(예시 데이터)", "Glossary (sample)", as_of)
    return Block(dataset, {GLOSSARY_TERMS: rows})


def glossary_documents() -> list[Document]:
    """Return the terms as search sees them."""
    return [
        Document(
            document_id=entry["id"],
            fields=((f"{entry['ko']} {entry['en']}", 3.0), (f"{entry['dko']} {entry['den']} {entry['words']}", 1.0)),
            meaning=f"{entry['ko']}. {entry['dko']}",
        )
        for entry in load_yaml_list(__package__, "glossary.yaml")
    ]
