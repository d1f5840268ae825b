"""What understanding a question costs without a model: processor time of router and planner, their start and memory.

The calls are made in this process, without a socket, so that a figure is the service's own work; each start is a
process of its own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Final, TypeVar

from services.catalog.loader import catalog
from services.contract.flow import Budget, RouteDecision, RunContext
from services.contract.planner import DraftPlanRequest
from services.contract.router import RouteRequest
from services.llm.build import decider_from
from services.planner.planning import Planning
from services.planner.rules import checked, planning_rules
from services.router.routing import Routing
from services.runtime import ledger, run
from services.runtime.identity import Caller
from services.runtime.ids import new_flow_run_id
from services.runtime.model_settings import LlmSettings
from tests.bench.children import serving
from tests.bench.report import Note, Report, Result

CALLS: Final = 40
"""Times that each question is asked in one round."""
_NOW: Final = datetime.fromisoformat("2026-11-27T09:00+09:00")
_CALLER: Final = Caller("bench", user_type="consumer")
_MILLI: Final = 1_000
_STARTS_MAX: Final = 5
_START: Final = "tests.bench.start"
R = TypeVar("R")
QUESTIONS: Final = (
    ("ko", "송파구 아파트 전세 시세 알려줘"),
    ("ko", "테슬라 주가가 왜 떨어졌는지 설명해줘"),
    ("ko", "20만원 이하 무선 키보드 추천해줘"),
    ("ko", "지난달 한국 소비자물가 수치 보여줘"),
    ("en", "how have apartment prices in Mapo-gu changed over the last year?"),
    ("en", "show me the trend of SK hynix shares"),
)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Router and planner without their sockets."""

    routing: Routing
    """The router."""
    planning: Planning
    """The planner."""


def measure(rounds: int, note: Note) -> Report:
    """Returns the figures; every text is new to the caches of the text layer.

    Raises:
        Problem: A service cannot be started.
    """
    note("asking")
    routed, planned = asyncio.run(_asked(rounds))
    note("starting")
    starts = [_start("router") for _ in range(min(rounds, _STARTS_MAX))]
    plans = [_start("planner") for _ in range(min(rounds, _STARTS_MAX))]
    return Report(
        (
            _result("router_cpu_p50", "ms", median(routed)),
            _result("router_cpu_p99", "ms", quantiles(routed, n=100)[98]),
            _result("planner_cpu_p50", "ms", median(planned)),
            _result("planner_cpu_p99", "ms", quantiles(planned, n=100)[98]),
            _result("router_start", "s", median(seconds for seconds, _ in starts)),
            _result("router_peak_rss", "MB", median(size for _, size in starts)),
            _result("planner_start", "s", median(seconds for seconds, _ in plans)),
            _result("planner_peak_rss", "MB", median(size for _, size in plans)),
        )
    )


def _start(service: str) -> tuple[float, float]:
    """Returns the seconds until a service listens, and the megabytes that it then has had resident."""
    began = perf_counter()
    with serving(_START, service) as megabytes:
        return perf_counter() - began, float(megabytes)


def _result(name: str, unit: str, value: float) -> Result:
    return Result(name, unit, round(value, 3), None)


async def _asked(rounds: int) -> tuple[list[float], list[float]]:
    decider = decider_from(LlmSettings(), "bench")
    rules = checked(planning_rules(), catalog())
    parts = _Parts(Routing(catalog(), decider, decider), Planning(catalog(), rules, decider, decider))
    routed: list[float] = []
    planned: list[float] = []
    for number in range(rounds * CALLS + 1):
        for locale, text in QUESTIONS:
            # A number behind the question makes its text new, as a user's next question is.
            question = f"{text} ({number})"
            route, route_ms = await _timed(_routing(parts, locale, question))
            _, plan_ms = await _timed(_planning(parts, locale, question, route))
            if number:
                routed.append(route_ms)
                planned.append(plan_ms)
    return routed, planned


def _routing(parts: _Parts, locale: str, question: str) -> Callable[[], Awaitable[RouteDecision]]:
    asked = RouteRequest(_context(locale), question)

    async def ask() -> RouteDecision:
        with ledger.opened(), run.use(asked.run):
            return await parts.routing.route(asked, _CALLER)

    return ask


def _planning(parts: _Parts, locale: str, question: str, route: RouteDecision) -> Callable[[], Awaitable[object]]:
    asked = DraftPlanRequest(_context(locale), question, route)

    async def ask() -> object:
        with ledger.opened(), run.use(asked.run):
            return await parts.planning.draft(asked)

    return ask


async def _timed(ask: Callable[[], Awaitable[R]]) -> tuple[R, float]:
    began = process_time()
    answer = await ask()
    return answer, (process_time() - began) * _MILLI


def _context(locale: str) -> RunContext:
    budget = Budget(model_calls=0, tokens=0, model_failures=0, cost_micro_usd=0)
    return RunContext(new_flow_run_id(), "", locale, _NOW, "Asia/Seoul", budget, tuple(catalog().domains))
