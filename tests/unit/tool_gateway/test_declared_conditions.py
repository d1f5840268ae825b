"""Every declared condition changes the rows as it says: each dimension of a typed query, each argument of a tool."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from services.domains.homes.datasets import DATASETS as HOMES
from services.domains.realty.datasets import DATASETS as REALTY
from services.plugin.data.dataset import DataSet
from services.tool_gateway.registry import load_registry
from tests.unit.tool_gateway.seeded_data import Invoke, rows_of

pytestmark = pytest.mark.timeout(300)
DATA: Final = {one.id: one for one in (*HOMES, *REALTY)}
_HOLDS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "eq": lambda told, value: told == value,
    "ne": lambda told, value: told != value,
    "lt": lambda told, value: told < value,
    "le": lambda told, value: told <= value,
    "gt": lambda told, value: told > value,
    "ge": lambda told, value: told >= value,
    "in": lambda told, value: told in value,
    "not_in": lambda told, value: told not in value,
    "contains": lambda told, value: value.lower() in told.lower(),
    "starts": lambda told, value: told.lower().startswith(value.lower()),
}
_OPPOSITES: Final = (("eq", "ne"), ("lt", "ge"), ("le", "gt"), ("in", "not_in"))
_OF_TEXT: Final = ("contains", "starts")
_UNORDERED: Final = {"lt", "le", "gt", "ge"}
_NEVER: Final = {"text": "", "number": -1, "date": "1900-01-01", "moment": "1900-01-01T00:00:00"}
"""What no row has: all that are something else have a value."""
_PAGE: Final = 200
_LARGE: Final = {"home_deals"}
"""What is read through for some seconds each time."""


def _rows(data: DataSet, name: str, filters: list[dict[str, Any]]) -> dict[str, Any]:
    return {"dataset": data.id, "mode": "rows", "measures": [name], "filters": filters, "limit": _PAGE}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("dataset", "name"),
    [
        pytest.param(data.id, name, id=f"{data.id}-{name}", marks=[pytest.mark.long] if data.id in _LARGE else [])
        for data in DATA.values()
        for name in data.dimensions
    ],
)
async def test_a_filter_keeps_what_it_says(invoke: Invoke, dataset: str, name: str) -> None:
    """Each row meets the condition, and it and its opposite hold all rows that have a value."""
    data = DATA[dataset]
    known_ones = [{"field": name, "op": "ne", "value": _NEVER[data.dimensions[name].kind]}]
    seen = rows_of(await invoke("query_data", _rows(data, name, known_ones)))
    told = sorted({row["fields"][name] for row in seen})
    assert told
    value = told[len(told) // 2]
    totals: dict[str, int] = {}
    for op, wanted in _conditions(data, name, value):
        found = rows_of(await invoke("query_data", _rows(data, name, [{"field": name, "op": op, "value": wanted}])))
        kept = [row["fields"][name] for row in found]
        assert all(one is not None and _HOLDS[op](one, wanted) for one in kept), (op, wanted, kept[:3])
        totals[op] = found[0]["total"] if found else 0
    known = totals["eq"] + totals["ne"]
    assert 0 < totals["eq"] <= known
    assert all(totals[one] + totals[other] == known for one, other in _OPPOSITES if one in totals)


def _conditions(data: DataSet, name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the conditions on a dimension: databases put texts in orders of their own."""
    is_text = data.dimensions[name].kind == "text"
    for pair in _OPPOSITES:
        yield from ((op, [value] if op.endswith("in") else value) for op in pair if not (is_text and op in _UNORDERED))
    if is_text:
        yield from ((op, value[:2]) for op in _OF_TEXT)


_TRIED: Final[Mapping[str, tuple[dict[str, Any], Mapping[str, tuple[Any, Callable[[dict[str, Any]], bool]]]]]] = {
    "market_data": (
        {"region_code": "11", "limit": 200},
        {
            "region_code": ("11680", lambda row: row["region_code"] == "11680"),
            "property_type": ("villa", lambda row: row["property_type"] == "villa"),
            "deal_type": ("jeonse", lambda row: row["deal_type"] == "jeonse"),
        },
    ),
    "real_estate_search": (
        {"region_code": "11", "limit": 100},
        {
            "region_code": ("11680", lambda row: row["region_code"] == "11680"),
            "property_type": ("officetel", lambda row: row["property_type"] == "officetel"),
            "deal_type": ("sale", lambda row: row["deal_type"] == "sale"),
            "price_min": (300_000_000, lambda row: row["price_krw"] >= 300_000_000),
            "price_max": (300_000_000, lambda row: row["price_krw"] <= 300_000_000),
        },
    ),
    "loan_data": (
        {"limit": 100},
        {
            "purpose": ("jeonse", lambda row: row["purpose"] == "jeonse"),
            "bank": ("가온은행", lambda row: row["bank_ko"] == "가온은행"),
        },
    ),
    "legal_search": (
        {"query": "보증금 반환", "limit": 20},
        {"topic": ("deposit", lambda row: row["topic"] == "deposit")},
    ),
}
"""A call of each tool, and of each argument a value with what it says of a row."""
_NO_CONDITIONS: Final = {"limit", "query"}


@pytest.mark.asyncio
@pytest.mark.parametrize(("tool", "name"), [(tool, name) for tool, (_, ways) in _TRIED.items() for name in ways])
async def test_an_argument_keeps_what_it_says(invoke: Invoke, tool: str, name: str) -> None:
    """Each row is as the argument says, some that were there without it are not, and none that fits is left out."""
    asked, ways = _TRIED[tool]
    value, fits = ways[name]
    every = rows_of(await invoke(tool, asked))
    kept = rows_of(await invoke(tool, {**asked, name: value}, flow_run_id="flow-2"))
    assert kept
    assert all(map(fits, kept))
    assert not all(map(fits, every))
    assert len(kept) >= sum(map(fits, every))


@pytest.mark.asyncio
@pytest.mark.parametrize("tool", _TRIED)
async def test_no_more_rows_than_the_limit(invoke: Invoke, tool: str) -> None:
    """The first of all rows are told where fewer are wanted."""
    asked, _ = _TRIED[tool]
    every = rows_of(await invoke(tool, asked))
    few = rows_of(await invoke(tool, {**asked, "limit": 2}, flow_run_id="flow-2"))
    assert few == every[:2]


def test_each_argument_is_tried() -> None:
    """No tool on homes declares a condition that no test holds against its rows."""
    registry = load_registry()
    for tool, (_, ways) in _TRIED.items():
        found = registry.get(tool)
        assert found is not None
        declared = set(found.arguments.model_fields) - _NO_CONDITIONS
        assert declared == ways.keys(), tool
