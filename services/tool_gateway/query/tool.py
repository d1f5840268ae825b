"""query_data and query_own_data: figures and rows of the declared data sets."""

import functools
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from services.contract.tool import ToolCost
from services.plugin.asks.telling import QueryRow
from services.plugin.data.dataset import DataSet
from services.plugin.installed import installed_domains
from services.plugin.tools.reads import ReadResult, Reads, StatementOrigin, reading_of
from services.plugin.tools.tool import Tool, UnknownIdentifier
from services.runtime.identity import Caller
from services.tool_gateway.query.compiling import COUNTED, RESERVED, TOTAL, Compiled, compiled
from services.tool_gateway.query.model import QueryArguments
from services.tool_gateway.reads import GatewayReads

Value = str | int | float | None


@functools.cache
def data_sets() -> Mapping[str, DataSet]:
    """Return the data sets of the installed domains by id.

    Raises:
        ValueError: Two domains declare one id, or a name that a record bears itself.
    """
    found: dict[str, DataSet] = {}
    for domain in installed_domains():
        module = domain.module("datasets")
        for one in getattr(module, "DATASETS", ()) if module is not None else ():
            if found.setdefault(one.id, one) is not one:
                raise ValueError(f"{domain.name}: the data set {one.id!r} is declared twice")
            if taken := RESERVED & {*one.dimensions, *one.fields, *one.measures}:
                raise ValueError(f"{domain.name}: data set {one.id!r}: {', '.join(sorted(taken))} is taken")
    return found


@functools.cache
def _declared(dataset_id: str) -> str:
    """Return what a data set is declared as: with the query's arguments, all that its statement is made of."""
    return repr(data_sets()[dataset_id])


@functools.lru_cache(maxsize=256)
def _query(arguments: QueryArguments, owner: tuple[str, str] | None) -> Compiled:
    """Return the statement of a query: what many ask is built once, which takes longer than to run it."""
    return compiled(data_sets()[arguments.dataset], arguments, owner)


async def _read(arguments: QueryArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    return await _queried(arguments, reads, timeout_seconds, None)


async def _read_own(arguments: QueryArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    return await _queried(arguments, reads, timeout_seconds, (caller.tenant, caller.user_id))


async def _queried(
    arguments: QueryArguments, reads: Reads, timeout_seconds: float, owner: tuple[str, str] | None
) -> ReadResult:
    if not isinstance(reads, GatewayReads):
        raise TypeError("a typed query runs on the gateway's own connections")
    data = data_sets().get(arguments.dataset)
    if data is None:
        raise UnknownIdentifier("dataset", f"{arguments.dataset!r} is no data set; known: {', '.join(data_sets())}")
    query = _query(arguments, owner)
    records = await reads.records_of(query.statement, timeout_seconds=timeout_seconds)
    origin = StatementOrigin(f"query.{data.id}.v1", data.table, _declared(data.id))
    values = arguments.model_dump(mode="json", exclude_defaults=True)
    return reading_of(origin, QueryRow, values, _documents(records, query), rows_max=arguments.limit)


def _documents(records: Sequence[Mapping[str, Any]], query: Compiled) -> list[dict[str, Any]]:
    return [
        {
            **{name: record[name] for name in ("dataset_id", "dataset_source", "as_of")},
            "dataset_sample": bool(record["dataset_sample"]),
            "fields": {name: _plain(record[name]) for name in query.names},
            "row_count": int(record[COUNTED] or 0),
            "total": int(record[TOTAL]),
        }
        for record in records
    ]


def _plain(value: Any) -> Value:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, str | int | float) or value is None else str(value)


_SHARED: Final[Mapping[str, Any]] = {
    "arguments": QueryArguments,
    "row": QueryRow,
    "domain": "",
    "data_type": "query",
    "cost": ToolCost.LOW,
    "typical_seconds": 0.2,
    "quality_prior": 0.9,
    "timeout_seconds": 5,
    "concurrency_max": 8,
}
QUERY_DATA: Final = Tool(
    name="query_data",
    description_ko="선언된 자료 모음에서 평균·합계·순위·변화와 조건에 맞는 행을 계산해 돌려줍니다.",
    description_en="Computes means, sums and ranks over declared data sets, or returns rows that meet conditions.",
    read=_read,
    **_SHARED,
)
QUERY_OWN_DATA: Final = Tool(
    name="query_own_data",
    description_ko="로그인한 이용자 자신의 자료에서 같은 방식으로 계산하고 조회합니다.",
    description_en="The same over what belongs to the calling user.",
    read_own=_read_own,
    **_SHARED,
)
