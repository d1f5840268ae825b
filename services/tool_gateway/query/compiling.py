"""A typed query as one statement with bound parameters, the same on SQLite, PostgreSQL and MariaDB."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from services.plugin.data.dataset import DataSet, Dimension, Measure
from services.plugin.tools.tool import UnknownIdentifier
from services.tool_gateway.query.model import QueryArguments, QueryFilter

_OPERATORS: Final[Mapping[str, Callable[[ColumnElement[Any], Any], ColumnElement[bool]]]] = {
    "eq": lambda column, value: column == value,
    "ne": lambda column, value: column != value,
    "lt": lambda column, value: column < value,
    "le": lambda column, value: column <= value,
    "gt": lambda column, value: column > value,
    "ge": lambda column, value: column >= value,
    "in": lambda column, value: column.in_(_several(value)),
    "not_in": lambda column, value: column.not_in(_several(value)),
    "contains": lambda column, value: sa.func.lower(column).contains(str(value).lower(), autoescape=True),
    "starts": lambda column, value: column.startswith(str(value), autoescape=True),
}
_TYPES: Final[Mapping[str, sa.types.TypeEngine[Any]]] = {
    "text": sa.String(),
    "number": sa.Float(),
    "date": sa.Date(),
    "moment": sa.DateTime(),
}
_ORIGINS: Final = ("dataset_id", "dataset_source", "dataset_sample", "as_of")
COUNTED: Final = "row_count"
TOTAL: Final = "total"
RESERVED: Final = frozenset({*_ORIGINS, COUNTED, TOTAL})
"""Names of a record's own columns, which no dimension, field or measure may bear."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A query as a statement."""

    statement: sa.Select[Any]
    """The statement; its records bear the names of dimensions and measures, row_count, total and the provenance."""
    names: tuple[str, ...]
    """The names of the fields of a row."""


def compiled(data: DataSet, asked: QueryArguments, owner: tuple[str, str] | None = None) -> Compiled:
    """Return the statement of a query.

    Args:
        data: The data set.
        asked: The query.
        owner: Tenant and user whose rows are read, where the data set belongs to persons.

    Raises:
        UnknownIdentifier: A name is none of the data set's; says which there are.
    """
    names = tuple(dict.fromkeys((*asked.by, *asked.measures)))
    if asked.mode == "groups":
        return Compiled(_groups(data, asked, owner), names)
    return Compiled(_rows(data, asked, names, owner), names)


def _groups(data: DataSet, asked: QueryArguments, owner: tuple[str, str] | None) -> sa.Select[Any]:
    on_rows, on_groups = _divided(data, asked)
    where = [*_conditions(data, asked, on_rows), *_owned(data, owner)]
    where += _newest(data, asked, where)
    medians = [name for name in asked.measures if _measure(data, name).how == "median"]
    if medians:
        if len(asked.measures) > 1 or on_groups or asked.minimum:
            raise UnknownIdentifier("measures", f"{medians[0]} is a median, which stands alone and has no condition")
        return _median(data, asked, medians[0], where)
    keys = [_dimension(data, name).label(name) for name in asked.by]
    figures = [_aggregate(data, name).label(name) for name in asked.measures]
    counted = sa.func.sum(_sql(data.rows_of)).label(COUNTED)
    query = sa.select(*keys, *figures, counted, *_origins(data, grouped=True)).select_from(_from(data)).where(*where)
    if keys:
        query = query.group_by(*(_dimension(data, name) for name in asked.by))
    held = [_condition(_aggregate(data, one.field), one, "number") for one in on_groups]
    # A group whose measure cannot be computed, as no row has what it needs, is none.
    held += [_aggregate(data, asked.order_by).is_not(None)] if asked.order_by in data.measures else []
    held += [sa.func.sum(_sql(data.rows_of)) >= asked.minimum] if asked.minimum else []
    return _ordered(data, asked, query.having(*held) if held else query.having(sa.func.count() > 0))


def _median(data: DataSet, asked: QueryArguments, name: str, where: list[ColumnElement[bool]]) -> sa.Select[Any]:
    """Return the middle value of each group, by row numbers: no database's own function of another name."""
    measure = _measure(data, name)
    value = _sql(measure.sql).label("value")
    keys = [_dimension(data, one).label(one) for one in asked.by]
    parts = [_dimension(data, one) for one in asked.by] or None
    own = [*where, _sql(measure.sql).is_not(None), *([_sql(measure.where)] if measure.where else [])]
    numbered = (
        sa.select(
            *keys,
            value,
            sa.func.row_number().over(partition_by=parts, order_by=_sql(measure.sql)).label("place"),
            sa.func.count().over(partition_by=parts).label("size"),
            *_origins(data, grouped=False),
        )
        .select_from(_from(data))
        .where(*own)
        .subquery("numbered")
    )
    column = numbered.c
    middle = (column.place * 2 >= column.size) & (column.place * 2 <= column.size + 2)
    origins = [sa.func.max(_orderable(one, column[one])).label(one) for one in _ORIGINS]
    query = sa.select(
        *(column[one] for one in asked.by),
        sa.func.avg(column.value).label(name),
        sa.func.max(column.size).label(COUNTED),
        *origins,
    ).where(middle)
    query = query.group_by(*(column[one] for one in asked.by)) if asked.by else query.having(sa.func.count() > 0)
    order = sa.func.avg(column.value)
    total = sa.func.count().over().label(TOTAL)
    return query.add_columns(total).order_by(order.desc() if asked.descending else order).limit(asked.limit + 1)


def _rows(
    data: DataSet, asked: QueryArguments, names: tuple[str, ...], owner: tuple[str, str] | None
) -> sa.Select[Any]:
    where = [*_conditions(data, asked, asked.filters), *_owned(data, owner)]
    columns = [_column(data, name).label(name) for name in names]
    if asked.mode == "rows":
        where += _newest(data, asked, where)
        query = sa.select(*columns, sa.literal(1).label(COUNTED), *_origins(data, grouped=False))
        return _ordered(data, asked, query.select_from(_from(data)).where(*where))
    if not data.time:
        raise UnknownIdentifier("mode", f"{data.id} has no time, and so no last row")
    time = _dimension(data, data.time)
    where += [time <= asked.at] if asked.at is not None else []
    keys = [_dimension(data, name) for name in data.key]
    place = sa.func.row_number().over(partition_by=keys or None, order_by=time.desc()).label("place")
    last = (
        sa.select(*columns, sa.literal(1).label(COUNTED), *_origins(data, grouped=False), place)
        .select_from(_from(data))
        .where(*where)
        .subquery("last_rows")
    )
    kept = [last.c[name] for name in (*names, COUNTED, *_ORIGINS)]
    query = sa.select(*kept, sa.func.count().over().label(TOTAL)).where(last.c.place == 1)
    if asked.order_by in names:
        order = last.c[str(asked.order_by)]
        query = query.order_by(order.desc() if asked.descending else order)
    return query.order_by(*(last.c[name] for name in names if name != asked.order_by)).limit(asked.limit + 1)


def _ordered(data: DataSet, asked: QueryArguments, query: sa.Select[Any]) -> sa.Select[Any]:
    query = query.add_columns(sa.func.count().over().label(TOTAL))
    if asked.order_by is not None:
        is_group = asked.mode == "groups" and asked.order_by in data.measures
        order = _aggregate(data, asked.order_by) if is_group else _column(data, asked.order_by)
        query = query.order_by(order.desc() if asked.descending else order)
    rest = asked.by if asked.mode == "groups" else tuple(dict.fromkeys((*asked.by, *asked.measures)))
    return query.order_by(*(_column(data, name) for name in rest if name != asked.order_by)).limit(asked.limit + 1)


def _conditions(
    data: DataSet, asked: QueryArguments, filters: tuple[QueryFilter, ...]
) -> Iterator[ColumnElement[bool]]:
    for one in filters:
        yield _condition(_column(data, one.field), one, _kind(data, one.field))
    if data.time:
        when = _dimension(data, data.time)
        if asked.start is not None:
            yield when >= _begun(data, asked.start)
        if asked.end is not None and _kind(data, data.time) == "moment":
            yield when < _begun(data, asked.end + timedelta(days=1))
        elif asked.end is not None:
            yield when <= asked.end


def _begun(data: DataSet, day: date) -> date:
    """Return a day as the data set's time is counted: of moments the beginning of the day."""
    return datetime.combine(day, time()) if _kind(data, data.time) == "moment" else day


def _divided(data: DataSet, asked: QueryArguments) -> tuple[tuple[QueryFilter, ...], tuple[QueryFilter, ...]]:
    """Return the filters on rows and those on a group's figure."""
    on_rows = tuple(one for one in asked.filters if one.field not in data.measures)
    return on_rows, tuple(one for one in asked.filters if one.field in data.measures)


def _newest(data: DataSet, asked: QueryArguments, where: list[ColumnElement[bool]]) -> list[ColumnElement[bool]]:
    if not data.time or (asked.at is None and not asked.newest):
        return []
    time = _dimension(data, data.time)
    until = [time <= asked.at] if asked.at is not None else []
    newest = sa.select(sa.func.max(time)).select_from(_from(data)).where(*where, *until).scalar_subquery()
    return [time == newest]


def _owned(data: DataSet, owner: tuple[str, str] | None) -> list[ColumnElement[bool]]:
    if data.owner is None:
        return []
    if owner is None:
        raise UnknownIdentifier("dataset", f"{data.id} belongs to persons; query_own_data reads the caller's")
    return [_sql(column) == value for column, value in zip(data.owner, owner, strict=True)]


def _condition(column: ColumnElement[Any], one: QueryFilter, kind: str) -> ColumnElement[bool]:
    value = _values(one, kind)
    return _OPERATORS[one.op](column, value)


def _values(one: QueryFilter, kind: str) -> Any:
    def typed(value: object) -> object:
        try:
            if kind == "date":
                return date.fromisoformat(str(value))
            if kind == "moment":
                return datetime.fromisoformat(str(value))
            return float(str(value)) if kind == "number" else str(value)
        except ValueError as error:
            raise UnknownIdentifier(f"filters.{one.field}", f"{value!r} is no {kind}") from error

    return tuple(map(typed, one.value)) if isinstance(one.value, tuple) else typed(one.value)


def _several(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _aggregate(data: DataSet, name: str | None) -> ColumnElement[Any]:
    measure = _measure(data, name or "")
    counts = _sql(measure.where) if measure.where else None

    def of(sql: str) -> ColumnElement[Any]:
        return _sql(sql) if counts is None else sa.case((counts, _sql(sql)))

    found: ColumnElement[Any]
    match measure.how:
        case "mean":
            found = sa.func.avg(of(measure.sql) * 1.0)
        case "weighted_mean":
            weighted, weights = of(f"({measure.sql}) * ({measure.weight})"), of(measure.weight)
            found = sa.func.sum(weighted) * 1.0 / sa.func.nullif(sa.func.sum(weights), 0)
        case "ratio":
            found = _aggregate(data, measure.sql) * 1.0 / sa.func.nullif(_aggregate(data, measure.weight), 0)
        case "sum":
            found = sa.func.sum(of(measure.sql))
        case "count":
            found = sa.func.sum(of(measure.sql or data.rows_of))
        case "min":
            found = sa.func.min(of(measure.sql))
        case "max":
            found = sa.func.max(of(measure.sql))
        case _:
            found = _sql(measure.sql)
    return found if measure.factor == 1 else found * measure.factor


def _column(data: DataSet, name: str) -> ColumnElement[Any]:
    if name in data.dimensions:
        return _dimension(data, name)
    if name in data.fields:
        return _sql(data.fields[name])
    if name in data.measures:
        return _sql(data.measures[name].sql)
    known = ", ".join((*data.dimensions, *data.fields, *data.measures))
    raise UnknownIdentifier(name, f"{data.id} has no {name!r}; it has {known}")


def _kind(data: DataSet, name: str) -> str:
    if name in data.dimensions:
        return data.dimensions[name].kind
    return "number" if name in data.measures else "text"


def _dimension(data: DataSet, name: str) -> ColumnElement[Any]:
    dimension = data.dimensions.get(name)
    if dimension is None:
        raise UnknownIdentifier("by", f"{data.id} has no dimension {name!r}; it has {', '.join(data.dimensions)}")
    return _held_under(dimension) if dimension.key else sa.literal_column(dimension.sql, _TYPES[dimension.kind])


def _held_under(dimension: Dimension) -> ColumnElement[Any]:
    """Return the value under a key of a text that holds a JSON object; PostgreSQL alone has it told that it is one."""
    told = sa.cast(sa.literal_column(dimension.sql), sa.Text().with_variant(sa.JSON(), "postgresql"))
    value = sa.type_coerce(told, sa.JSON())[dimension.key]
    # A text of JSON has a collation of its own on MariaDB; as a plain one it compares with what is bound.
    return value.as_float() if dimension.kind == "number" else sa.cast(value.as_string(), sa.String())


def _measure(data: DataSet, name: str) -> Measure:
    measure = data.measures.get(name)
    if measure is None:
        raise UnknownIdentifier("measures", f"{data.id} has no measure {name!r}; it has {', '.join(data.measures)}")
    return measure


def _sql(fragment: str) -> ColumnElement[Any]:
    return sa.literal_column(f"({fragment})")


def _from(data: DataSet) -> sa.TextClause:
    return sa.text(data.source)


def _orderable(name: str, column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a column of provenance of which there is a greatest: PostgreSQL knows none of truth values."""
    return sa.case((column, 1), else_=0) if name == "dataset_sample" else column


def _origins(data: DataSet, *, grouped: bool) -> Iterator[ColumnElement[Any]]:
    columns = {"dataset_id": "d.dataset_id", "dataset_source": "d.source", "dataset_sample": "d.sample"}
    for name, sql in columns.items():
        column = _sql(sql)
        yield (sa.func.max(_orderable(name, column)) if grouped else column).label(name)
    moment: ColumnElement[Any] = sa.literal_column(f"({data.as_of})")
    yield (sa.func.max(moment) if grouped else moment).label("as_of")
