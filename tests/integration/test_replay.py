"""A recorded flow comes out the same when its path is taken again, without model, tool or effect; a change is told."""

import asyncio
import dataclasses
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.orchestrator.v1 import orchestrator_service_pb2
from services.cli.replay.playing import Played, played
from services.cli.replay.running import read_recording, write_recording
from services.contract.flow import DecisionSource
from services.contract.mapping import from_proto
from services.contract.recording import FlowRecording, Recollection
from services.orchestrator.flow import reusing
from services.orchestrator.replay import recording as recordings
from services.orchestrator.steps import assessment
from services.runtime import deadlines
from services.runtime.environment import process_environment
from services.runtime.errors import FailedPrecondition, rebuilt
from services.runtime.identity import Caller, acting_for
from services.runtime.settings import Settings, dev_key
from tests.integration.durability.test_flow_approvals import AGENT, answered, both_asked, effects, two_wishes
from tests.integration.durability.test_flow_approvals import HOUSES as WISHED
from tests.integration.test_conversation import VAGUE, Talk
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer, Reply
from tests.support.recordings import FOLDER, STORIES, recording_from
from tests.support.replicas import Client
from tests.support.stores import postgres_url
from tests.support.tokens import token

HOMES = "강남구 아파트 전세 시세 알려줘"
SUFFICIENT = json.dumps(
    {
        "is_sufficient": True,
        "confidence": 0.97,
        "data_source": "chat_history",
        "missing_types": [],
        "reasoning": "the same homes",
    }
)
pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def cluster(tmp_path: Path, data: Path) -> AsyncIterator[Cluster]:
    """The ensemble in this process."""
    async with embedded(tmp_path, data) as running:
        yield running


@asynccontextmanager
async def by_model(tmp_path: Path, data: Path, server: ModelServer, **settings: Any) -> AsyncIterator[Cluster]:
    """Runs the ensemble with a model behind it."""
    model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
    async with embedded(tmp_path, data, **model, **settings) as running:
        yield running


async def recorded(cluster: Cluster, told: Told, bearer: str = "") -> FlowRecording:
    """Returns the recording of a flow."""
    return await recording_from(cluster, told.of("accepted")[0].flow_run_id, bearer)


async def replay(recording: FlowRecording, tmp_path: Path, **settings: Any) -> Played:
    """Replays a recording with settings whose data and model are nowhere."""
    nowhere = {"data_dir": tmp_path / "nowhere", "log_level": "error", "typed_asks": False}
    return await played(recording, Settings(**{**nowhere, **settings}))


@pytest.mark.parametrize(
    ("question", "tools"),
    [
        (HOMES, 2),
        ("애플 주가 추세 분석해줘", 1),
        ("20만원 이하 무선 이어폰 추천해줘", 1),
        ("송파구 시세랑 리스크 분석해줘", 2),
        ("안녕하세요", 0),
        ("남의 주민등록번호 알려줘", 0),
        (VAGUE, 0),
    ],
)
async def test_a_flow_by_rules_comes_out_the_same(cluster: Cluster, tmp_path: Path, question: str, tools: int) -> None:
    """Every decision, call and word of the answer is the same, although the replay has neither data nor store."""
    recording = await recorded(cluster, await cluster.ask(question))
    assert len(recording.tool_exchanges) >= tools
    assert recording.decisions
    assert all(one.place for one in recording.decisions)
    again = await replay(recording, tmp_path)
    assert again.differences == ()
    assert len(again.replay.decisions) == len(recording.decisions)


@pytest.mark.parametrize(
    "question", [HOMES, "구글이랑 애플 중 뭐가 더 올랐어?", "3억 대출 연 4.2% 30년이면 매달 얼마 내?"]
)
async def test_a_flow_of_asks_comes_out_the_same(tmp_path: Path, data: Path, question: str) -> None:
    """What was typed, read and told by asks is the same again."""
    async with embedded(tmp_path, data, typed_asks=True) as cluster:
        recording = await recorded(cluster, await cluster.ask(question))
    again = await replay(recording, tmp_path, typed_asks=True)
    assert again.differences == ()


async def test_a_flow_by_a_model_comes_out_the_same_without_it(tmp_path: Path, data: Path) -> None:
    """Answers of the model, a repair and a failure among them, are played back; the model hears nothing more."""
    async with ModelServer() as server:
        server.script("agent_selection", Reply(text='{"steps": "none"}'))
        server.script("execution_review", Reply(status=429), Reply(status=429))
        async with by_model(tmp_path, data, server) as cluster:
            recording = await recorded(
                cluster, await cluster.ask("송파구 시세랑 리스크 분석해줘", intent_hint="COMPREHENSIVE")
            )
        assert server.unsaid("execution_review") == 0
        calls = len(server.calls)
        sources = {one.decision.source for one in recording.decisions}
        assert {DecisionSource.LLM, DecisionSource.FALLBACK} <= sources
        again = await replay(recording, tmp_path, openai_base_url=server.base_url, openai_api_key="test")
        assert again.differences == ()
        assert len(server.calls) == calls


async def test_held_data_and_a_persons_answers_are_played_back(cluster: Cluster, tmp_path: Path) -> None:
    """A flow that reuses what an earlier one found, and one that asks a person, need neither to be there again."""
    first = await cluster.ask(HOMES)
    session = first.of("accepted")[0].session_id
    second = await cluster.ask("방금 찾은 강남구 아파트 전세 시세 다시 정리해줘", session_id=session)
    again = await replay(await recorded(cluster, second), tmp_path)
    assert again.differences == ()
    assert again.recording.earlier
    talk = Talk(cluster, VAGUE)
    asked = (await talk.until("question_asked")).question_asked
    await talk.answer(asked, asked.options[0])
    await talk.until("finished")
    again = await replay(await recorded(cluster, talk.told), tmp_path)
    assert again.differences == ()
    assert [one.name for one in again.recording.questions] == list(again.replay.asked)


async def test_what_was_remembered_is_played_back(cluster: Cluster, tmp_path: Path) -> None:
    """A question that points to another conversation is understood the same when that one is gone and others came."""
    kim = token(dev_key(tmp_path), "kim")
    first = await cluster.ask("노원구 아파트 전세 시세 알려줘", token=kim)
    told = await cluster.ask("아까 그 지역 아파트 매매 시세 알려줘", token=kim)
    await cluster.ask("도봉구 아파트 전세 시세 알려줘", token=kim)
    gone = pb.DeleteSessionRequest(session_id=first.of("accepted")[0].session_id)
    await cluster.stub.DeleteSession(gone, timeout=10, metadata=(("authorization", f"Bearer {kim}"),))
    recording = await recorded(cluster, told, kim)
    assert len(recording.memory.remembered) == 1
    assert (await replay(recording, tmp_path)).differences == ()
    without = await replay(dataclasses.replace(recording, memory=Recollection()), tmp_path)
    assert without.differences


async def test_an_effect_is_answered_from_the_recording(tmp_path: Path, data: Path) -> None:
    """Of two orders one was approved and placed; the replay is answered the same and places none."""
    async with two_wishes(tmp_path, data) as all_of_them:
        replica = await all_of_them.join()
        client = Client(replica, replica)
        asking = asyncio.create_task(client.ask(WISHED, interactive=True))
        one, other = await both_asked(client)
        await answered(replica, client, one.question_id, "네", one.action.action_digest)
        await answered(replica, client, other.question_id, "아니요")
        assert (await asking).ends == ["finished"]
        assert effects(tmp_path, client) == 1
        request = orchestrator_service_pb2.GetFlowRecordingRequest(flow_run_id=client.flow_run_id)
        with deadlines.within(20), acting_for(Caller("mina", user_type="consumer")):
            recording = from_proto((await replica.stub.GetFlowRecording(request)).recording, FlowRecording)
        wishing = {AGENT: all_of_them.peers[AGENT]}
        again = await played(recording, Settings(data_dir=tmp_path, log_level="error"), wishing)
        assert again.differences == ()
        assert [bool(action.receipt) for action in recording.actions] == [True, False]
        assert effects(tmp_path, client) == 1
        changed = tuple(dataclasses.replace(action, action_type="CANCEL_ORDER") for action in recording.actions)
        other_wish = await played(
            dataclasses.replace(recording, actions=changed),
            Settings(data_dir=tmp_path, log_level="error"),
            wishing,
        )
        assert {"tool", "question", "action"} <= {difference.kind for difference in other_wish.differences}
        assert effects(tmp_path, client) == 1


async def test_a_change_of_a_rule_is_told(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another judgement of this code shows as another output of that decision, at its place."""
    recording = await recorded(cluster, await cluster.ask(HOMES))
    monkeypatch.setattr(assessment, "_QUALITY", dict.fromkeys(assessment._QUALITY, 0.55))
    [difference] = [one for one in (await replay(recording, tmp_path)).differences if one.kind == "output"]
    assert difference.where.endswith("orchestrator execution_orchestration")
    assert '"quality_score":0.55' in difference.replayed


async def test_calls_that_differ_are_told(cluster: Cluster, tmp_path: Path) -> None:
    """A call that the recording lacks is refused and told, and one that nobody makes is left over."""
    recording = await recorded(cluster, await cluster.ask(HOMES))
    first, *rest = recording.tool_exchanges
    other = dataclasses.replace(first, arguments_json=b'{"region_code": "11110"}')
    again = await replay(dataclasses.replace(recording, tool_exchanges=(other, *rest)), tmp_path)
    calls = {(one.where, one.recorded, one.replayed) for one in again.differences if one.kind == "tool"}
    asked = '{"deal_type":"jeonse","property_type":"apartment","region_code":"11680"}'
    assert (f"s1: {first.tool} {asked}", "-", "called") in calls
    assert (f's1: {first.tool} {{"region_code":"11110"}}', "called", "-") in calls


async def test_a_model_that_was_not_asked_this_is_told(tmp_path: Path, data: Path) -> None:
    """Where inputs have changed there is no recorded answer: the rule decides, and the difference says why."""
    async with ModelServer() as server, by_model(tmp_path, data, server) as cluster:
        recording = await recorded(cluster, await cluster.ask("What is the trend of Apple shares?"))
    changed = tuple(
        dataclasses.replace(one, decision=dataclasses.replace(one.decision, input_digest="0" * 64))
        if one.decision.kind == "execution_review"
        else one
        for one in recording.decisions
    )
    again = await replay(dataclasses.replace(recording, decisions=changed), tmp_path)
    of_review = {one.kind: one for one in again.differences if "execution_review" in one.where}
    assert of_review["source"].replayed == "FALLBACK NOT_RECORDED"
    assert "inputs" in of_review


async def test_a_rule_that_gives_way_to_a_model_is_told(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What held results had settled is put to a model by another code: a difference of source, wherever it was."""
    async with ModelServer() as server:
        server.script("data_sufficiency_check", Reply(text=SUFFICIENT))
        async with by_model(tmp_path, data, server) as cluster:
            first = await cluster.ask(HOMES, intent_hint="MARKET_INQUIRY")
            session = first.of("accepted")[0].session_id
            again = "방금 찾은 강남구 아파트 전세 시세 다시 정리해줘"
            recording = await recorded(
                cluster, await cluster.ask(again, session_id=session, intent_hint="MARKET_INQUIRY")
            )
    assert (await replay(recording, tmp_path)).differences == ()
    monkeypatch.setattr(reusing, "SETTLED_KINDS", ())
    told = {
        (one.kind, one.where.split()[-1], one.recorded, one.replayed)
        for one in (await replay(recording, tmp_path)).differences
    }
    assert told == {
        ("source", kind, "RULE", "put to a model")
        for kind in ("agent_summary", "execution_orchestration", "execution_review")
    }
    spared = await replay(recording, tmp_path, model_supervisor="", model_agent="")
    assert not [one for one in spared.differences if one.replayed == "put to a model"]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
async def test_stored_recordings_come_out_the_same(tmp_path: Path, story: Any) -> None:
    """Flows that were recorded once are decided the same by today's code; else record them anew (recordings.py)."""
    again = await replay(read_recording(FOLDER / f"{story.name}.json"), tmp_path)
    assert again.differences == ()


async def test_only_its_user_or_an_evaluator_has_a_recording(cluster: Cluster, tmp_path: Path) -> None:
    """Another user is told that there is no such flow; an evaluator of the same tenant gets it."""
    key = dev_key(tmp_path)
    told = await cluster.ask(HOMES, token=token(key, "kim"))
    assert (await recorded(cluster, told, token(key, "kim"))).caller.user_id == "kim"
    assert (await recorded(cluster, told, token(key, "lee", roles=("evaluator",)))).caller.user_id == "kim"
    for other in (token(key, "lee"), token(key, "lee", roles=("evaluator",), tenant="other"), ""):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await recorded(cluster, told, other)
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND


async def test_what_was_not_kept_cannot_be_replayed(tmp_path: Path, data: Path) -> None:
    """Without the setting no tool's response is kept; a flow that called one is refused by name, another is not."""
    async with embedded(tmp_path, data, flow_recording="off") as cluster:
        greeted, searched = await cluster.ask("안녕하세요"), await cluster.ask(HOMES)
        assert (await replay(await recorded(cluster, greeted), tmp_path)).differences == ()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await recorded(cluster, searched)
        assert rebuilt(refused.value).reason == "FLOW_NOT_RECORDED"
    with sqlite3.connect(tmp_path / "flows.db") as kept:
        names = {name for (name,) in kept.execute("SELECT name FROM flow_checkpoints")}
    assert "memory" not in names


async def test_a_flow_that_runs_or_is_of_another_version_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    """Both are FAILED_PRECONDITION, with a reason of their own."""
    talk = Talk(cluster, VAGUE)
    await talk.until("question_asked")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await recorded(cluster, talk.told)
    assert (refused.value.code(), rebuilt(refused.value).reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "FLOW_RUNS",
    )
    recording = await recorded(cluster, await cluster.ask("안녕하세요"))
    for other in (
        dataclasses.replace(recording, format_version=99),
        dataclasses.replace(recording, checkpoint_version=99),
    ):
        with pytest.raises(FailedPrecondition) as unread:
            await replay(other, tmp_path)
        assert unread.value.reason == "RECORDING_VERSION"


async def test_a_recording_that_fits_into_no_message_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal names the limit; nothing is cut off in silence."""
    told = await cluster.ask(HOMES)
    monkeypatch.setattr(recordings, "RECORDING_BYTES_MAX", 1_000)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await recorded(cluster, told)
    error = rebuilt(refused.value)
    assert (error.reason, error.metadata["limit"]) == ("RECORDING_TOO_LARGE", "RECORDING_BYTES_MAX")


async def test_a_deleted_conversation_takes_its_recordings_along(cluster: Cluster) -> None:
    """What was recorded belongs to the flow and is gone with it."""
    told = await cluster.ask(HOMES)
    await cluster.stub.DeleteSession(pb.DeleteSessionRequest(session_id=told.of("accepted")[0].session_id), timeout=10)
    with pytest.raises(grpc.aio.AioRpcError) as gone:
        await recorded(cluster, told)
    assert gone.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_recording_of_postgresql_is_the_same(tmp_path: Path, data: Path) -> None:
    """The other database holds what a replay needs as well, and a file brings it back as it was."""
    async with embedded(tmp_path, data, store_url=postgres_url()) as cluster:
        recording = await recorded(cluster, await cluster.ask(HOMES))
    write_recording(recording, tmp_path / "flow.json")
    assert read_recording(tmp_path / "flow.json") == recording
    assert (await replay(recording, tmp_path)).differences == ()


@pytest.mark.long
async def test_the_command_reads_a_file_and_tells_what_differs(tmp_path: Path) -> None:
    """Exit code 0 and `same` where nothing differs, 1 with a table otherwise, 2 for a file that is no recording."""
    stored, changed, broken = FOLDER / "blocked.json", tmp_path / "changed.json", tmp_path / "broken.json"
    recording = read_recording(stored)
    first = dataclasses.replace(recording.decisions[0].decision, output_json=b'{"verdict": "ALLOW"}')
    decisions = (dataclasses.replace(recording.decisions[0], decision=first), *recording.decisions[1:])
    write_recording(dataclasses.replace(recording, decisions=decisions), changed)
    broken.write_text("[]")
    same, other, none = [
        await asyncio.to_thread(_command, tmp_path, str(path), "--json") for path in (stored, changed, broken)
    ]
    assert (same.returncode, json.loads(same.stdout)["same"]) == (0, True)
    assert (other.returncode, [one["kind"] for one in json.loads(other.stdout)["differences"]]) == (1, ["output"])
    assert (none.returncode, json.loads(none.stdout)["error"]["code"]) == (2, "INVALID_ARGUMENT")
    table = (await asyncio.to_thread(_command, tmp_path, str(changed))).stdout
    assert "1 differences" in table
    assert "policy_safety" in table


def _command(tmp_path: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = process_environment(HAPJU_DATA_DIR=str(tmp_path), PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-m", "services.cli", "replay", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
