"""The experiment on reuse over whole conversations: what is avoided, what it saves, and that nothing is reused wrongly.

The same conversations run under every variant with a model behind all decisions; each later turn is labelled with what
is right: to use what the conversation holds, or to search.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.durable.experiments import DATA_REUSE, HYBRID, NO_REUSE, SUPERVISOR_ONLY
from services.runtime.settings import dev_key
from tests.support.reuse_runs import Runs, saved, variants_running
from tests.support.tokens import token
from tests.unit.cli.conftest import Outcome
from tests.unit.cli.conftest import hapju as hapju  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.xdist_group("experiments")

VARIANTS = (HYBRID, SUPERVISOR_ONLY, NO_REUSE)
MARKET, SHARES, GOODS, LAW = "MARKET_INQUIRY", "us_single_stock", "search_product", "LEGAL_CONSULT"
RISK, FULL, CONTRACT = "RISK_ANALYSIS", "COMPREHENSIVE", "CONTRACT_REVIEW"


def turn(text: str, intent: str, right: str = "search") -> dict[str, Any]:
    """Returns what is said, how it is understood, and whether to use what is held or to search is right."""
    return {"user": text, "expect": {"intent": intent, "reuse": right}}


CONVERSATIONS = (
    (
        turn("노원구 아파트 전세 시세 알려줘", MARKET),
        turn("방금 찾은 노원구 아파트 전세 시세만 다시 정리해줘", MARKET, "use"),
        turn("도봉구 아파트 전세 시세는?", MARKET),
    ),
    (
        turn("용산구 아파트 매매 시세 보여줘", MARKET),
        turn("아까 그 용산구 아파트 매매 시세에서 높은 쪽만 짚어줘", MARKET, "use"),
        turn("용산구 아파트 매매 시세 한 번 더 요약해줘", MARKET, "use"),
    ),
    (
        turn("엔비디아 주가 추세 알려줘", SHARES),
        turn("방금 그 엔비디아 주가 추세 한 줄로 줄여줘", SHARES, "use"),
        turn("테슬라 주가 추세도 알려줘", SHARES),
    ),
    (
        turn("10만원 이하 무선 이어폰 찾아줘", GOODS),
        turn("방금 찾은 10만원 이하 무선 이어폰 다시 보여줘", GOODS, "use"),
    ),
    (
        turn("전세금 인상 한도를 정한 법 조항 알려줘", LAW),
        turn("방금 그 전세금 인상 한도 조항 다시 말해줘", LAW, "use"),
    ),
    (
        turn("성북구 아파트 전세 시세하고 보증금 보호 법을 종합해줘", FULL),
        turn("방금 찾은 자료로 성북구 아파트 전세 위험도 말해줘", RISK, "use"),
        turn("방금 종합한 성북구 아파트 전세 내용 짧게 다시 적어줘", FULL, "use"),
        turn("강북구 아파트 전세 위험도는?", RISK),
    ),
    (
        turn("이 계약서 검토해줘: ‘임차인은 계약갱신요구권을 포기하고 수리비를 모두 부담한다’", CONTRACT),
        turn("방금 검토한 계약서에서 불리한 문구만 다시 짚어줘", CONTRACT, "use"),
    ),
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ran(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[tuple[Runs, Path]]:
    """Has one conversation under every variant, each turn labelled."""
    tmp_path = tmp_path_factory.mktemp("experiment")
    async with variants_running(tmp_path, data, VARIANTS) as runs:
        await _had(runs, CONVERSATIONS[:1])
        yield runs, tmp_path


async def _had(runs: Runs, conversations: Sequence[Sequence[dict[str, Any]]]) -> None:
    for number, turns in enumerate(conversations):
        await runs.had({"id": f"talk-{number}", "turns": turns, "clock": (2,) * len(turns)})


def _as(bearer: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {bearer}"),)


@pytest.mark.long
@pytest.mark.asyncio(loop_scope="module")
async def test_reuse_avoids_searches_and_calls_and_is_never_wrong(tmp_path: Path, data: Path) -> None:
    """At least 60 % of what could be reused is, with 40 % fewer model calls, and nothing that has to be searched is.

    The whole of it, over the follow-up sets, is a slow run (tests/evals/test_whole_follow_ups.py).
    """
    async with variants_running(tmp_path, data, VARIANTS) as runs:
        await _had(runs, CONVERSATIONS)
        report = await runs.report()
    assert set(report) == set(VARIANTS)
    later = sum(len(turns) - 1 for turns in CONVERSATIONS)
    without = report[NO_REUSE]
    assert (without.labelled, without.searches_avoided, without.judged) == (later, 0, 0)
    for variant in (HYBRID, SUPERVISOR_ONLY):
        one = report[variant]
        assert one.flows == one.answered == len(CONVERSATIONS) + later
        assert one.labelled == later == runs.right.total()
        assert one.incorrect_skips == 0
        assert one.correct_skips >= 0.6 * runs.right["use"]
        assert saved(one, without) >= 0.4, f"{variant}: {saved(one, without):.0%} fewer model calls"
        assert one.latency_p50.ToTimedelta() <= one.latency_p99.ToTimedelta()


@pytest.mark.asyncio(loop_scope="module")
async def test_the_command_shows_every_variant(
    ran: tuple[Runs, Path], monkeypatch: pytest.MonkeyPatch, hapju: Callable[..., Outcome]
) -> None:
    """In dev mode the report is over every user's flows, as a table and as JSON; a named user sees their own."""
    runs, tmp_path = ran
    cluster = runs.cluster
    monkeypatch.setenv("HAPJU_GATEWAY", cluster.gateway)
    monkeypatch.setenv("HAPJU_DATA_DIR", str(tmp_path))
    code, table, _ = await _in_thread(hapju, "experiment", "report")
    assert code == 0
    assert all(variant in table for variant in VARIANTS)
    _, printed, _ = await _in_thread(hapju, "experiment", "report", "--json")
    shown = json.loads(printed)
    assert [one["variant"] for one in shown["variants"]] == sorted(VARIANTS)
    assert all(int(one["usage"]["model_calls"]) > 0 for one in shown["variants"])
    _, printed, _ = await _in_thread(hapju, "experiment", "report", "--user", "lee", "--json")
    assert json.loads(printed)["variants"] == []
    code, printed, _ = await _in_thread(hapju, "experiment", "label", "0" * 8, "use", "--json")
    assert (code, json.loads(printed)["error"]["code"]) == (2, "INVALID_ARGUMENT")


@pytest.mark.asyncio(loop_scope="module")
async def test_another_user_may_not_label(ran: tuple[Runs, Path]) -> None:
    """A flow of somebody else is not there."""
    runs, tmp_path = ran
    cluster = runs.cluster
    kim, lee = (token(dev_key(tmp_path), name) for name in ("kim", "lee"))
    listed = await cluster.stub.ListFlows(pb.ListFlowsRequest(), timeout=10, metadata=_as(kim))
    request = pb.LabelFlowRequest(flow_run_id=listed.flows[0].flow_run_id, experiment=DATA_REUSE, label="use")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await cluster.stub.LabelFlow(request, timeout=10, metadata=_as(lee))
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


async def _in_thread(hapju: Callable[..., Outcome], *arguments: str) -> Outcome:
    return await asyncio.to_thread(hapju, *arguments)
