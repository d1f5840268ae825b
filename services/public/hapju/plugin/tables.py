"""What a domain's tables and sample are made with: apart, for it loads SQLAlchemy and an agent's process does not."""

from services.plugin.data.sample import (
    Block,
    Dataset,
    Document,
    Given,
    generated,
    load_yaml,
    load_yaml_list,
    naive_utc,
    stream,
)
from services.plugin.data.tables import KEPT, METADATA, dataset_column, owner_columns

__all__ = [
    "KEPT",
    "METADATA",
    "Block",
    "Dataset",
    "Document",
    "Given",
    "dataset_column",
    "generated",
    "load_yaml",
    "load_yaml_list",
    "naive_utc",
    "owner_columns",
    "stream",
]
