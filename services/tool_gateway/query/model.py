"""The typed query: what is measured, over which rows, told by what, in which order."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from services.plugin.tools.tool import Arguments

LIMIT_MAX = 200
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,60}$")]


class QueryFilter(Arguments):
    """One condition on rows or on groups."""

    field: Name = Field(description="A dimension, a field, or a measure of the data set.")
    op: Literal["eq", "ne", "lt", "le", "gt", "ge", "in", "not_in", "contains", "starts"] = Field(
        default="eq", description="How the field is held against the value."
    )
    value: str | int | float | tuple[str | int | float, ...] = Field(
        description="The value; several for in and not_in."
    )


class QueryArguments(Arguments):
    """What is asked of one data set."""

    dataset: Name = Field(description="The data set.")
    mode: Literal["groups", "rows", "last"] = Field(
        default="groups",
        description="groups: figures over the rows of each group. rows: the rows themselves. last: of each subject of "
        "a series its last row at or before a day.",
    )
    measures: tuple[Name, ...] = Field(
        default=(), max_length=24, description="Figures of each group; in rows and last the fields that are returned."
    )
    by: tuple[Name, ...] = Field(default=(), max_length=8, description="Dimensions that make the groups.")
    filters: tuple[QueryFilter, ...] = Field(default=(), max_length=16, description="All of these hold.")
    start: date | None = Field(default=None, description="Rows from this day on.")
    end: date | None = Field(default=None, description="Rows up to this day.")
    at: date | None = Field(
        default=None, description="In groups: the newest time at or before this day alone. In last: not after this day."
    )
    newest: bool = Field(default=False, description="In groups: rows of the newest time alone.")
    order_by: Name | None = Field(default=None, description="A measure, dimension or field.")
    descending: bool = Field(default=True, description="Whether the greatest comes first.")
    limit: int = Field(default=50, ge=1, le=LIMIT_MAX, description="Groups or rows to return.")
    minimum: int = Field(default=0, ge=0, description="Groups of fewer counted rows are left out.")
