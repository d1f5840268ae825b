"""What the tool gateway adds to a read, beside the bare driver's call of the same statement; and what searches cost.

    point_read             the newest value of a series, through the gateway's whole way of a call, in this process
    point_read_over_grpc   the same, asked by an agent of a gateway that is a process of its own
    legal_search           questions over the seeded articles
    product_search         over ten thousand products

Every call is of a flow of its own, so none is answered from an earlier one. A round measures each in a shuffled order.
"""

import asyncio
import itertools
import json
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import aiosqlite

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc
from services.cli.problems import Problem
from services.contract.flow import Budget, RunContext
from services.contract.mapping import to_proto
from services.contract.tool import InvokeToolRequest, ToolResult
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.settings import dev_key
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seed.state import ensure_seeded
from services.tool_gateway.invocation import Invocations, ToolInvocation
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from services.tool_gateway.statements import ROW_LIMIT, load_statements
from tests.bench.children import cold, serving
from tests.bench.report import Note, Report, Result, median_result

CALLS: Final = 200
"""Point reads of one round."""
SEARCHES: Final = 26
"""Searches of one round."""
PRODUCTS: Final = 10_000
"""Products that are searched."""
_RUN_SECONDS_MAX: Final = 600.0
_MILLI: Final = 1_000
_AGENT: Final = "finance.macro"
_PRODUCTS: Final = "tests.bench.products"
_BUDGET: Final = Budget(model_calls=0, tokens=0, model_failures=0, cost_micro_usd=0)
_TOOL: Final = "macro_series"
_ARGUMENTS: Final = {"series_ids": ["UNRATE"], "limit": 1}
_LAW: Final = (
    *(
        "전세 보증금은 얼마까지 올릴 수 있나요?",
        "계약 갱신을 몇 번 요구할 수 있어?",
        "확정일자를 받으면 무엇이 좋은가요",
    ),
    *("집주인이 보증금을 안 돌려줘요", "중개 보수는 누가 내나요", "상가 권리금을 지키려면"),
    *("실거래 신고는 며칠 안에 해야 하나", "월세로 바꿀 때의 비율", "how much may the rent be raised"),
)
_GOODS: Final = (
    "무선 이어폰",
    "게이밍 노트북",
    "기계식 키보드",
    "로봇 청소기",
    "러닝화",
    "wireless earphones",
    "손목에 차는 시계",
)

Measure = Callable[[], Awaitable[float]]
"""Returns one round's median in milliseconds."""


@dataclass(frozen=True, slots=True)
class _Places:
    """What is measured against."""

    folder: Path
    """Data directory with the sample data."""
    products: Path
    """Database of many products."""
    gateway: str
    """Address of a tool gateway over the folder."""


def measure(rounds: int, note: Note, calls: int = CALLS, searches: int = SEARCHES, products: int = PRODUCTS) -> Report:
    """Returns the figures.

    Args:
        rounds: Rounds over everything.
        note: Takes lines of progress.
        calls: Point reads of one round.
        searches: Searches of one round.
        products: How many products are searched.

    Raises:
        Problem: Where seeding fails or the gateway does not start.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="hapju-bench-")))
        note("loading the sample data")
        asyncio.run(ensure_seeded(_url(folder / "data.db")))
        note(f"making {products:,} products")
        cold(_PRODUCTS, _url(folder / "products.db"), str(products))
        note("starting the tool gateway")
        environment = {"HAPJU_LISTEN": "127.0.0.1:0", "HAPJU_DATA_DIR": str(folder), "HAPJU_LOG_LEVEL": "warning"}
        unset = {"HAPJU_SQL_URL": "", "HAPJU_SQL_READ_URL": "", "HAPJU_GRAPH_URL": ""}
        gateway = stack.enter_context(serving("services.cli", "up", "--only", "tool_gateway", **environment, **unset))
        places = _Places(folder, folder / "products.db", gateway)
        return asyncio.run(_rounds(rounds, note, (calls, searches), places))


def _url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def _rounds(rounds: int, note: Note, counts: tuple[int, int], places: _Places) -> Report:
    async with AsyncExitStack() as stack:
        measures = await _measures(stack, counts, places)
        figures: dict[str, list[float]] = {name: [] for name in measures}
        for number in range(rounds + 1):
            note(f"round {number}" if number else "warming up")
            for name in random.sample(list(measures), len(measures)):
                figure = await measures[name]()
                if number:
                    figures[name].append(figure)
    return Report(_results(figures), floor="bare driver")


def _results(figures: dict[str, list[float]]) -> tuple[Result, ...]:
    bare, here, there = figures["bare"], figures["point_read"], figures["point_read_over_grpc"]
    return (
        median_result("point_read", "ms", here, bare),
        median_result("point_read_added", "ms", [a - b for a, b in zip(here, bare, strict=True)]),
        median_result("point_read_over_grpc", "ms", there, bare),
        median_result("point_read_over_grpc_added", "ms", [a - b for a, b in zip(there, bare, strict=True)]),
        median_result("legal_search", "ms", figures["legal_search"]),
        median_result("product_search", "ms", figures["product_search"]),
    )


async def _measures(stack: AsyncExitStack, counts: tuple[int, int], places: _Places) -> dict[str, Measure]:
    stack.enter_context(acting_for(Caller("bench", service=_AGENT)))
    stack.enter_context(deadlines.within(_RUN_SECONDS_MAX))
    connection = await stack.enter_async_context(aiosqlite.connect(f"file:{places.folder}/data.db?mode=ro", uri=True))
    data, goods = await _opened(stack, places.folder / "data.db"), await _opened(stack, places.products)
    peers = Peers(_AGENT, {"tool_gateway": places.gateway}, Assertions(await asyncio.to_thread(dev_key, places.folder)))
    stack.push_async_callback(peers.close)
    stub = peers.stub(tool_gateway_service_pb2_grpc.ToolGatewayServiceStub, "tool_gateway")
    calls, searches = counts
    return {
        "bare": lambda: _median(lambda _: _bare(connection), calls),
        "point_read": lambda: _median(lambda _: _invoked(data, _TOOL, _ARGUMENTS), calls),
        "point_read_over_grpc": lambda: _median(lambda _: _asked(stub), calls),
        "legal_search": lambda: _median(lambda n: _invoked(data, "legal_search", _query(_LAW, n)), searches),
        "product_search": lambda: _median(lambda n: _invoked(goods, "product_search", _query(_GOODS, n)), searches),
    }


async def _opened(stack: AsyncExitStack, path: Path) -> Invocations:
    """Returns calls of every tool over a database."""
    reader = Reader.open(_url(path))
    stack.push_async_callback(reader.close)
    registry = load_registry()
    return Invocations(registry, GatewayReads(reader), {_AGENT: frozenset(registry.names)})


async def _median(call: Callable[[int], Awaitable[None]], times: int) -> float:
    seconds = []
    for _ in range(times):
        number = next(_NUMBERS)
        began = perf_counter()
        await call(number)
        seconds.append(perf_counter() - began)
    return median(seconds) * _MILLI


# No text is asked twice, so that nothing that was computed for one is found again.
_NUMBERS: Final = itertools.count()


def _query(texts: tuple[str, ...], number: int) -> dict[str, str]:
    return {"query": f"{texts[number % len(texts)]} {number}"}


_STATEMENT: Final = load_statements()["macro_observations.v1"]
_BOUND: Final = {
    name: value.isoformat() if isinstance(value, date) else value
    for name, value in _STATEMENT.bind(
        {"series_ids": ["UNRATE"], "date_from": date.min, "date_to": date.max, "per_series": 1, ROW_LIMIT: 2}
    ).items()
}


async def _bare(connection: aiosqlite.Connection) -> None:
    async with connection.execute(_STATEMENT.text, _BOUND) as cursor:
        if len(list(await cursor.fetchall())) != 1:
            raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", "the bare read did not return its row")


async def _invoked(invocations: Invocations, tool: str, arguments: dict[str, Any]) -> None:
    document = json.dumps(arguments).encode()
    schema = f"hapju.tool.{tool}.arguments.v1"
    caller = Caller("bench", service=_AGENT)
    outcome = await invocations.invoke(ToolInvocation(new_flow_run_id(), "step-1", tool, document, schema, caller))
    if not isinstance(outcome, ToolResult):
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"{tool}: {outcome.message}")


async def _asked(stub: Any) -> None:
    request = InvokeToolRequest(
        run=RunContext(new_flow_run_id(), "", "ko", datetime.now(UTC), "Asia/Seoul", _BUDGET, ("finance",)),
        step_id="step-1",
        tool=_TOOL,
        arguments_json=json.dumps(_ARGUMENTS).encode(),
        arguments_schema_id=f"hapju.tool.{_TOOL}.arguments.v1",
    )
    reply = await stub.InvokeTool(to_proto(request, pb.InvokeToolRequest))
    if reply.WhichOneof("outcome") != "result":
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"{_TOOL} failed over gRPC: {reply.failure.message}")
