"""Data sets: what of a domain's tables a typed query may ask for, measure by measure and dimension by dimension.

A domain's module `datasets` holds DATASETS. Every SQL fragment in it is the domain's own text; what a caller names is
looked up here, and a value is bound, so that no words of a question or of a model become SQL.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from services.plugin.wording import Text

Kind = Literal["text", "number", "date", "moment"]
Aggregate = Literal["mean", "weighted_mean", "median", "sum", "count", "min", "max", "ratio", "expression"]


@dataclass(frozen=True, slots=True)
class Dimension:
    """What rows are grouped, filtered and told by."""

    sql: str
    """The expression, over the data set's aliases: "p.region_code"."""
    kind: Kind = "text"
    """What its values are."""
    key: str = ""
    """Of a column that holds a JSON object the key whose value it is; the column itself where empty."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that is computed over rows, or of one row."""

    how: Aggregate
    """How rows become one figure; "expression" is an aggregate of its own in `sql`."""
    sql: str = ""
    """The expression of one row; of a ratio the measure above the line."""
    weight: str = ""
    """The weight of a row in a weighted mean; of a ratio the measure below the line."""
    where: str = ""
    """Rows that count for it, as a condition; all where empty."""
    unit: str = ""
    """krw, usd, percent, count, index, ratio, days ...; what a metric's unit is."""
    factor: float = 1.0
    """What the figure is multiplied by: 100 for a ratio told in percent."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Rows of one subject that a typed query may read."""

    id: str
    """Its id, unique among the installed domains: "home_prices"."""
    title: Text
    """What a user calls the data."""
    data_type: str
    """The kind of data, which decides how it ages."""
    table: str
    """The table whose rows it reads, for provenance."""
    source: str
    """What stands behind FROM, with aliases: "orders AS p JOIN datasets AS d ON ..."; it joins `datasets AS d`."""
    as_of: str
    """The expression of the moment up to which a row's figures stand."""
    dimensions: Mapping[str, Dimension]
    """By name."""
    measures: Mapping[str, Measure]
    """By name."""
    time: str = ""
    """The dimension that orders rows in time; empty where rows have none."""
    rows_of: str = "1"
    """The expression that counts what a row stands for: "p.deal_count"; one by itself."""
    key: tuple[str, ...] = ()
    """The dimensions that tell one subject of a time series from another."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Further columns that rows are told with, by name, beside dimensions."""
    owner: tuple[str, str] | None = None
    """The columns of tenant and user where rows belong to a person: only the caller's are read."""
