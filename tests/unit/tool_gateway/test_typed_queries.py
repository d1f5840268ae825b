"""Typed queries: every data set on every database, nobody's rows but the caller's, and no text as SQL."""

import math
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from services.contract.tool import ToolFailure
from services.plugin.data.dataset import DataSet
from services.runtime.identity import Caller
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.query.tool import data_sets
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from tests.support.databases import SERVERS
from tests.unit.tool_gateway.seeded_data import AGENT, Invoke, make_call, rows_of

pytestmark = pytest.mark.timeout(300)
MINA = Caller("mina", user_type="consumer", service=AGENT)
HOSTILE = ("' OR 1=1 --", "x'); DROP TABLE orders; --", "%", "_", "\\")


@pytest.fixture(
    params=("sqlite", *(pytest.param(*one.values, marks=(*one.marks, pytest.mark.long)) for one in SERVERS))
)
def query_urls(request: pytest.FixtureRequest, seeded: tuple[str, object]) -> tuple[str, str]:
    """Return the URL of each database in turn, with SQLite's beside it: both hold the same seed."""
    here = seeded[0] if request.param == "sqlite" else request.getfixturevalue(f"{request.param}_seeded")
    return here, seeded[0]


@pytest_asyncio.fixture
async def both(query_urls: tuple[str, str]) -> AsyncIterator[tuple[Invocations, Invocations]]:
    """Return calls on the database in turn, and on SQLite."""
    registry = load_registry()
    async with AsyncExitStack() as stack:
        opened = []
        for url in query_urls:
            reader = Reader.open(url, connections_max=1)
            stack.push_async_callback(reader.close)
            opened.append(Invocations(registry, GatewayReads(reader), {AGENT: frozenset(registry.names)}))
        yield opened[0], opened[1]


def queries(data: DataSet) -> Iterator[dict[str, Any]]:
    """Yield what a data set can be asked: each figure by its first dimension, its rows, its last ones."""
    first = next(iter(data.dimensions))
    when = {"start": "2026-01-01", "end": "2026-06-12"} if data.time else {}
    for name in data.measures:
        yield {"measures": [name], "by": [first], "order_by": name, "limit": 5, **when}
    told = [*data.dimensions, *data.fields][:16]
    for name, dimension in data.dimensions.items():
        value = {"number": 1, "date": "2026-06-02", "moment": "2026-06-02T00:00:00"}.get(dimension.kind, "a")
        op = "ne" if dimension.kind == "text" else "ge"  # databases put texts in orders of their own
        yield {"mode": "rows", "measures": told, "filters": [{"field": name, "op": op, "value": value}], "limit": 3}
    if data.time:
        yield {"mode": "last", "measures": told, "at": "2026-06-05", "limit": 5}


def alike(one: Any, other: Any) -> bool:
    """Tell whether two values are the same but for how a database adds up floating numbers."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return bool(one == other)


@pytest.mark.asyncio
@pytest.mark.parametrize("name", sorted(data_sets()))
@pytest.mark.long
async def test_a_data_set_says_the_same_on_every_database(both: tuple[Invocations, Invocations], name: str) -> None:
    """What it declares is a query that runs, and a figure is the same wherever it is computed."""
    data = data_sets()[name]
    tool = "query_own_data" if data.owner else "query_data"
    for asked in queries(data):
        here, there = [
            rows_of(await calls.invoke(make_call(tool, {"dataset": name, **asked}, caller=MINA))) for calls in both
        ]
        assert [row["total"] for row in here] == [row["total"] for row in there], asked
        if asked.get("mode") is None:
            figure = asked["measures"][0]
            pairs = zip(here, there, strict=True)
            assert all(alike(one["fields"][figure], other["fields"][figure]) for one, other in pairs), asked


@pytest.mark.asyncio
@pytest.mark.parametrize("name", sorted(name for name, data in data_sets().items() if data.owner))
async def test_nobody_reads_what_is_anothers(invoke: Invoke, name: str) -> None:
    """What belongs to persons is refused without one, and each sees the own rows alone, whatever the filters say."""
    data = data_sets()[name]
    asked = {"dataset": data.id, "mode": "rows", "measures": list(data.dimensions)[:16], "limit": 200}
    field, dimension = next(iter(data.dimensions.items()))
    value = {"number": 10**9, "date": "1900-01-01"}.get(dimension.kind, "' OR '1'='1")
    always = {"field": field, "op": "ne", "value": value}
    everybodys = await invoke("query_data", asked, caller=MINA)
    assert isinstance(everybodys, ToolFailure)
    assert everybodys.field == "dataset"
    for stranger in (Caller("mina", tenant="elsewhere", service=AGENT), Caller("nobody-of-this-name", service=AGENT)):
        for filters in ([], [always]):
            found = rows_of(await invoke("query_own_data", {**asked, "filters": filters}, caller=stranger))
            assert found == []


@pytest.mark.asyncio
async def test_a_caller_reads_the_own_rows(invoke: Invoke) -> None:
    """Mina's orders are there for Mina, so that an empty reading of a stranger proves something."""
    asked = {"dataset": "own_orders", "mode": "rows", "measures": ["order_id"], "limit": 200}
    found = {row["fields"]["order_id"] for row in rows_of(await invoke("query_own_data", asked, caller=MINA))}
    assert found == {f"ORD-{number}" for number in range(10001, 10011)}


@pytest.mark.asyncio
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("op", ["eq", "in", "contains", "starts"])
async def test_text_is_a_value(both: tuple[Invocations, Invocations], op: str, text: str) -> None:
    """Signs of SQL and of patterns are looked for as they stand, and no row bears them."""
    value: Any = [text] if op == "in" else text
    filters = [{"field": "product_id", "op": op, "value": value}]
    asked = {"dataset": "products", "mode": "rows", "measures": ["name_en"], "limit": 5, "filters": filters}
    outcome = await both[0].invoke(make_call("query_data", asked))
    assert rows_of(outcome) == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"dataset": "no_such_set"}, "dataset"),
        ({"measures": ["no_such_figure"]}, "measures"),
        ({"by": ["no_such_dimension"]}, "by"),
        ({"measures": ["mean_price", "median_price"]}, "measures"),
        ({"measures": ["median_price"], "minimum": 3}, "measures"),
    ],
)
async def test_what_cannot_be_asked_is_refused_by_its_field(invoke: Invoke, changed: Any, field: str) -> None:
    """A name that is none, and a median that would leave out what else is asked, are refused."""
    asked = {"dataset": next(one.id for one in data_sets().values() if "median_price" in one.measures), **changed}
    refused = await invoke("query_data", asked)
    assert isinstance(refused, ToolFailure)
    assert refused.field == field
