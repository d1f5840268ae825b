"""hapju under the real watchers: its configuration is theirs, a trace is found by its flow, each alert fires.

The faults are made for real: a service that is not there, a model that does not answer, a collector that is away.
"""

import asyncio
import json
import subprocess
import urllib.parse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import isfinite
from pathlib import Path
from typing import Any

import grpc
import pytest

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from observability import attributes as names
from services.runtime.settings import SHORTCUTS, dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.cluster import Cluster, embedded
from tests.support.effect_server import effect_server
from tests.support.model_server import ModelServer, Reply
from tests.support.tokens import token
from tests.support.watchers import ROOT, Watchers, asked, has_tail_sampling, program, watching

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

NOWHERE = "127.0.0.1:9"
"""An address at which nothing listens."""
BUYER = "mina"
REFUNDED = ("주문 ORD-10002 취소해줘", "네")
"""How a buyer takes an order back, and approves it."""
RATES = "미국 기준금리 알려줘"
SLOWLY = {**dict.fromkeys(SHORTCUTS, False), "typed_asks": False}
"""Settings under which one decision of a model waits for another."""
WAIT_SECONDS = 120.0
"""How long an alert may take, with every span of time in its rule shortened."""


def told(watchers: Watchers, **settings: Any) -> dict[str, Any]:
    """Return the settings of an ensemble that is watched."""
    return {"otlp_endpoint": watchers.endpoint, "metrics_interval_seconds": 1.0, "typed_asks": True} | settings


async def refused(cluster: Cluster) -> None:
    """Ask for what no call can answer."""
    with pytest.raises(grpc.aio.AioRpcError):
        await cluster.stub.ListFlows(pb.ListFlowsRequest(), timeout=5)


def test_prometheus_takes_the_rules_and_the_configuration() -> None:
    """Promtool reads the project's files as they are and finds no fault."""
    rules = ROOT / "observability" / "alerts.yaml"
    checked = subprocess.run(
        [program("promtool"), "check", "rules", str(rules)], check=False, capture_output=True, text=True
    )
    assert (checked.returncode, "SUCCESS" in checked.stdout) == (0, True), checked.stderr


@pytest.mark.asyncio
async def test_a_question_is_found_by_its_flow_in_jaeger(tmp_path: Path, data: Path) -> None:
    """Jaeger's API finds one trace by the tag of the flow's id, with every service that took part, all of its kin."""
    async with watching(tmp_path, with_jaeger=True) as watchers, embedded(tmp_path, data, **told(watchers)) as cluster:
        flow = (await cluster.ask(RATES)).answer.flow_run_id
        async with asyncio.timeout(30):
            while not _services(found := await traces_of(watchers, flow)) >= _TOOK_PART:
                await asyncio.sleep(0.5)
    assert len(found) == 1
    spans = found[0]["spans"]
    ids = {span["spanID"] for span in spans}
    tags = [{tag["key"]: tag["value"] for tag in span["tags"]} for span in spans]
    assert {one.get(names.FLOW_RUN_ID) for one in tags} == {flow}
    orphans = [span for span in spans for of in span["references"] if of["spanID"] not in ids]
    assert orphans == []


@pytest.mark.asyncio
async def test_a_flow_that_fails_or_is_slow_is_kept_where_few_are(tmp_path: Path, data: Path) -> None:
    """With no trace kept by chance, Jaeger has those of a failed and a slow flow all the same, and no other."""
    if not has_tail_sampling():
        pytest.skip("the collector here was built without: tests/deploy/watchers/build.sh collector")
    settings = {"away_seconds_max": 0.2}
    async with watching(tmp_path, with_jaeger=True, kept_percent=0) as watchers:
        async with embedded(tmp_path, data, **told(watchers)) as cluster:
            well = (await cluster.ask(RATES)).answer.flow_run_id
        away = {"router": NOWHERE}
        async with embedded(tmp_path, data, elsewhere=away, **told(watchers, **settings)) as cluster:
            failed = (await cluster.ask(RATES)).events[0].accepted.flow_run_id
        async with ModelServer() as server:
            server.always(Reply(latency_seconds=6.0))
            model = {"openai_base_url": server.base_url, "openai_api_key": "test", **SLOWLY}
            async with embedded(tmp_path, data, **told(watchers, **model)) as cluster:
                slow = (await cluster.ask(RATES)).answer.flow_run_id
        async with asyncio.timeout(60):
            while not (await traces_of(watchers, failed) and await traces_of(watchers, slow)):
                await asyncio.sleep(0.5)
        assert await traces_of(watchers, well) == []


async def traces_of(watchers: Watchers, flow: str) -> list[dict[str, Any]]:
    """Return the traces that Jaeger has of a flow."""
    query = {"service": "orchestrator", "tags": json.dumps({names.FLOW_RUN_ID: flow})}
    found: list[dict[str, Any]] = (await asked(f"{watchers.jaeger}/api/traces?{urllib.parse.urlencode(query)}"))["data"]
    return found


_TOOK_PART = {"gateway", "orchestrator", "policy", "router", "planner", "synthesizer", "tool_gateway", "finance.macro"}


def _services(traces: list[dict[str, Any]]) -> set[str]:
    return {process["serviceName"] for trace in traces for process in trace["processes"].values()}


def panels() -> list[tuple[str, str]]:
    """Return each query of the dashboard with its panel's title."""
    board = json.loads((ROOT / "observability" / "dashboards" / "hapju.json").read_text(encoding="utf-8"))
    return [(panel["title"], target["expr"]) for panel in board["panels"] for target in panel["targets"]]


@pytest.mark.asyncio
async def test_each_panel_of_the_dashboard_shows_a_figure(tmp_path: Path, data: Path) -> None:
    """Prometheus answers each query of it with a number, once questions were answered, one waits and a call failed."""
    async with ModelServer() as server, watching(tmp_path) as watchers:
        model = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, **told(watchers, **model)) as cluster:
            for text in (RATES, "고양이는 왜 가르랑거려?"):
                await cluster.ask(text)
            with pytest.raises(grpc.aio.AioRpcError):
                await cluster.stub.CancelFlow(pb.CancelFlowRequest(flow_run_id="none"), timeout=5)
            async with waits_for_a_person(cluster, "waits"):
                for title, query in panels():
                    async with asyncio.timeout(30):
                        while (shown := await watchers.value(query)) is None or not isfinite(shown):
                            await asyncio.sleep(0.5)
                            await cluster.ask(RATES)
                    assert shown >= 0, title


@asynccontextmanager
async def waits_for_a_person(cluster: Cluster, session_id: str) -> AsyncIterator[None]:
    """Ask what has to be asked back, and answer nothing while the body runs."""
    question = question_pb2.Question(text="중구 아파트 전세 시세 알려줘", interactive=True, session_id=session_id)
    waiting: Any = cluster.stub.Ask(pb.AskRequest(question=question), timeout=600)
    while (await waiting.read()).event.WhichOneof("event") != "question_asked":
        pass
    try:
        yield
    finally:
        waiting.cancel()


@pytest.mark.asyncio
async def test_what_is_well_wakes_nobody(tmp_path: Path, data: Path) -> None:
    """No alert fires before the first question nor while many are answered; once the processes end, that is told."""
    async with watching(tmp_path) as watchers:
        async with embedded(tmp_path, data, **told(watchers)) as cluster:
            await asyncio.sleep(45)
            assert await watchers.firing() == set()
            for _ in range(30):
                await cluster.ask(RATES)
                await asyncio.sleep(0.5)
            async with asyncio.timeout(30):
                while await watchers.value('sum(hapju_flows_total{hapju_flow_end="finished"})') != 30:
                    await asyncio.sleep(0.5)
            assert await watchers.firing() == set()
        await watchers.until_firing("HapjuProcessAbsent", WAIT_SECONDS)


@pytest.mark.asyncio
async def test_a_lost_orchestrator_is_told(tmp_path: Path, data: Path) -> None:
    """Nothing listens where the orchestrator should: its callers say so, and that it tells nothing is told."""
    away = {"orchestrator": NOWHERE}
    async with watching(tmp_path) as watchers, embedded(tmp_path, data, elsewhere=away, **told(watchers)) as cluster:
        for name in ("HapjuCallsUnreachable", "HapjuCallsFail", "HapjuProcessAbsent"):
            await watchers.until_firing(name, WAIT_SECONDS, lambda: refused(cluster))


@pytest.mark.asyncio
async def test_flows_that_fail_are_told(tmp_path: Path, data: Path) -> None:
    """Without a router every question fails, and the page on failed flows goes out."""
    away = {"router": NOWHERE}
    settings = {"away_seconds_max": 0.2}
    async with (
        watching(tmp_path) as watchers,
        embedded(tmp_path, data, elsewhere=away, **told(watchers, **settings)) as cluster,
    ):
        await watchers.until_firing("HapjuFlowsFail", WAIT_SECONDS, lambda: cluster.ask(RATES))


@pytest.mark.asyncio
async def test_an_agent_and_a_model_that_are_away_are_told(tmp_path: Path, data: Path) -> None:
    """An agent at which nothing listens leaves its questions open; decisions fall back where no model answers."""
    away = {"finance.macro": NOWHERE}
    model = {"openai_base_url": f"http://{NOWHERE}/v1", "openai_api_key": "test", "away_seconds_max": 0.2}
    async with (
        watching(tmp_path) as watchers,
        embedded(tmp_path, data, elsewhere=away, **told(watchers, **model)) as cluster,
    ):
        for name in ("HapjuAgentLimited", "HapjuModelAway"):
            await watchers.until_firing(name, WAIT_SECONDS, lambda: cluster.ask(RATES))


@pytest.mark.asyncio
async def test_a_lost_collector_loses_spans_and_says_so(tmp_path: Path, data: Path) -> None:
    """Questions are answered while the collector is away; once it is back, it hears what was lost, and it is told."""
    lost = "sum(hapju_telemetry_spans_dropped_total)"
    async with watching(tmp_path) as watchers, embedded(tmp_path, data, **told(watchers)) as cluster:
        await cluster.ask(RATES)
        async with asyncio.timeout(60):
            while await watchers.value(lost) != 0:
                await asyncio.sleep(0.5)
        async with watchers.collector_away():
            for _ in range(20):
                assert (await cluster.ask(RATES)).terminal == ["finished"]
            await asyncio.sleep(15)
        async with asyncio.timeout(90):
            while not await watchers.value(lost):
                await asyncio.sleep(0.5)
        await watchers.until_firing("HapjuSpansDropped", WAIT_SECONDS)


@asynccontextmanager
async def keeps_asking(cluster: Cluster, side_by_side: int) -> AsyncIterator[None]:
    """Ask again and again while the body runs, as several people do."""

    async def person() -> None:
        while True:
            await cluster.ask(RATES, seconds=120)

    people = [asyncio.create_task(person()) for _ in range(side_by_side)]
    try:
        yield
    finally:
        for one in people:
            one.cancel()
        await asyncio.gather(*people, return_exceptions=True)


@pytest.mark.asyncio
async def test_answers_that_come_late_are_told(tmp_path: Path, data: Path) -> None:
    """A model takes five seconds for each answer, and one decision waits for another: the first text is late."""
    async with ModelServer() as server:
        server.always(Reply(latency_seconds=5.0))
        model = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with watching(tmp_path) as watchers:
            settings = told(watchers, **model, **SLOWLY)
            async with embedded(tmp_path, data, **settings) as cluster, keeps_asking(cluster, 6):
                await watchers.until_firing("HapjuFirstTextLate", 2 * WAIT_SECONDS)


@pytest.mark.asyncio
async def test_flows_that_do_not_end_are_told(tmp_path: Path, data: Path) -> None:
    """A question that is asked back waits for a person, which is well; the next one waits behind it, which is told."""
    async with (
        watching(tmp_path) as watchers,
        embedded(tmp_path, data, **told(watchers)) as cluster,
        waits_for_a_person(cluster, "stuck"),
    ):
        async with asyncio.timeout(60):
            while await watchers.value("sum(hapju_flows_waiting)") != 1:
                await asyncio.sleep(0.5)
        await asyncio.sleep(45)
        assert "HapjuFlowsStuck" not in await watchers.firing()
        behind = asyncio.create_task(
            cluster.ask(RATES, seconds=600, session_id="stuck", on_busy=question_pb2.ON_BUSY_QUEUE)
        )
        for name in ("HapjuQuestionsQueued", "HapjuFlowsStuck"):
            await watchers.until_firing(name, 2 * WAIT_SECONDS)
        behind.cancel()


@pytest.mark.asyncio
async def test_an_effect_that_nobody_knows_of_is_told(tmp_path: Path, data: Path) -> None:
    """The bank moves money and its answer is lost: the first effect in doubt wakes somebody."""
    shop = tmp_path / "shop.db"
    copy_database(data, shop)
    with effect_server(tmp_path) as bank:
        bank.set("drop", on=True)
        settings = {"payment_gateway": bank.address}
        async with watching(tmp_path) as watchers, embedded(tmp_path, shop, **told(watchers, **settings)) as cluster:
            bearer = token(dev_key(tmp_path), BUYER, user_type="consumer", seconds=600)
            for text in REFUNDED:
                await cluster.ask(text, token=bearer, session_id="refund")
            assert bank.moved
            await watchers.until_firing("HapjuEffectsInDoubt", WAIT_SECONDS)
