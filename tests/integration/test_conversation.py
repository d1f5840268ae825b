"""A flow that asks: it waits outside its own time, is answered once, and follows its user."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, timedelta
from pathlib import Path
from uuid import UUID

import grpc
import pytest
import pytest_asyncio

from hapju.flow.v1 import answer_pb2, failure_pb2, flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.tokens import token

VAGUE = "중구 아파트 전세 시세 알려줘"
"""A question whose district several cities have."""


@pytest_asyncio.fixture
async def cluster(tmp_path: Path, data: Path) -> AsyncIterator[Cluster]:
    """The ensemble in this process."""
    async with embedded(tmp_path, data, typed_asks=True) as running:
        yield running


class Talk:
    """One conversation: a flow that is watched in the background, and answers to what it asks."""

    def __init__(self, cluster: Cluster, text: str, *, bearer: str = "", **fields: object) -> None:
        question = question_pb2.Question(text=text, interactive=True, **fields)  # type: ignore[arg-type]
        metadata = (("authorization", f"Bearer {bearer}"),) if bearer else ()
        self.cluster = cluster
        self.events: list[flow_event_pb2.FlowEvent] = []
        self._call = cluster.stub.Ask(pb.AskRequest(question=question), timeout=60, metadata=metadata)
        self._metadata = metadata

    async def until(self, *names: str) -> flow_event_pb2.FlowEvent:
        """Reads until an event of one of these kinds and returns it."""
        async with asyncio.timeout(20):
            while True:
                event: flow_event_pb2.FlowEvent = (await self._read()).event
                self.events.append(event)
                if event.WhichOneof("event") in names:
                    return event

    async def _read(self) -> pb.AskResponse:
        message = await self._call.read()
        assert isinstance(message, pb.AskResponse), "the stream has ended"
        return message

    async def answer(self, asked: flow_event_pb2.QuestionAsked, text: str) -> int:
        """Answers a question and returns its outcome."""
        request = pb.AnswerQuestionRequest(flow_run_id=self.flow_run_id, question_id=asked.question_id, answer=text)
        return (await self.cluster.stub.AnswerQuestion(request, timeout=5, metadata=self._metadata)).outcome

    @property
    def flow_run_id(self) -> str:
        """The flow's id."""
        return self.events[0].accepted.flow_run_id

    @property
    def told(self) -> Told:
        """All that was told so far."""
        return Told(tuple(self.events))


@pytest.mark.asyncio
async def test_without_interaction_the_question_ends_the_flow(cluster: Cluster) -> None:
    """A client that cannot answer gets the question as the answer, with its options and tag; nothing has run."""
    told = await cluster.ask(VAGUE)
    answer = told.answer
    assert (
        answer.context_meta.status,
        list(answer.failure_tags),
    ) == ("asked", [failure_pb2.FAILURE_TAG_MISSING_REQUIRED_SLOTS])
    assert len(answer.next_suggested_actions) >= 2
    assert told.of("step_started") == []


@pytest.mark.asyncio
async def test_an_answer_lets_the_flow_go_on(cluster: Cluster) -> None:
    """The flow waits, takes the answer, and ends with rows of the district that was meant."""
    talk = Talk(cluster, VAGUE)
    asked = (await talk.until("question_asked")).question_asked
    assert asked.kind == flow_event_pb2.QUESTION_KIND_SLOT
    assert asked.options
    assert await talk.answer(asked, "서울 중구요") == flow_event_pb2.QUESTION_OUTCOME_ANSWERED
    await talk.until("finished", "failed", "cancelled")
    told = talk.told
    assert told.terminal == ["finished"]
    assert list(range(1, len(told.sequences) + 1)) == told.sequences
    assert "중구" in told.answer.final_response
    assert told.answer.citations
    phases = [changed.phase for changed in told.of("phase_changed")]
    assert flow_event_pb2.PHASE_AWAITING_CONFIRMATION in phases
    assert list(told.answer.failure_tags) == []


@pytest.mark.asyncio
async def test_a_question_is_answered_once_by_its_own_user(cluster: Cluster, tmp_path: Path) -> None:
    """A second answer, a wrong id and another user's answer are refused and change nothing."""
    mine, theirs = (token(dev_key(tmp_path), user) for user in ("u-1", "u-2"))
    talk = Talk(cluster, VAGUE, bearer=mine)
    asked = (await talk.until("question_asked")).question_asked
    request = pb.AnswerQuestionRequest(flow_run_id=talk.flow_run_id, question_id=asked.question_id, answer="부산 중구")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cluster.stub.AnswerQuestion(request, timeout=5, metadata=(("authorization", f"Bearer {theirs}"),))
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    wrong = flow_event_pb2.QuestionAsked(question_id="0" * 32)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await talk.answer(wrong, "부산 중구")
    assert caught.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert await talk.answer(asked, "부산 중구") == flow_event_pb2.QUESTION_OUTCOME_ANSWERED
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await talk.answer(asked, "대구 중구")
    assert caught.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    await talk.until("finished", "failed", "cancelled")
    assert (talk.told.terminal, len(talk.told.of("question_settled"))) == (["finished"], 1)
    assert "부산" in talk.told.answer.final_response


@pytest.mark.asyncio
@pytest.mark.parametrize("word", ["취소", "그만", "cancel", " 취소할게요. "])
async def test_stop_cancels_at_once(cluster: Cluster, word: str) -> None:
    """A message that only says stop cancels the flow as declined; it is not routed."""
    talk = Talk(cluster, VAGUE)
    asked = (await talk.until("question_asked")).question_asked
    assert await talk.answer(asked, word) == flow_event_pb2.QUESTION_OUTCOME_DECLINED
    ended = await talk.until("finished", "failed", "cancelled")
    assert ended.cancelled.reason == "USER_DECLINED"
    assert talk.told.of("step_started") == []


@pytest.mark.asyncio
async def test_the_next_message_of_the_conversation_is_the_answer(cluster: Cluster) -> None:
    """A client that only knows Ask goes on in the same session: the flow that waits takes it and is told further."""
    talk = Talk(cluster, VAGUE, session_id="talk-7")
    await talk.until("question_asked")
    again = await cluster.ask("대구 중구", session_id="talk-7", interactive=True)
    assert (True, talk.flow_run_id) == (again.events[0].accepted.replayed, again.events[0].accepted.flow_run_id)
    assert again.terminal == ["finished"]
    assert "대구" in again.answer.final_response


@pytest.mark.asyncio
async def test_a_changed_mind_is_followed_and_guarded(cluster: Cluster) -> None:
    """Another request instead of an answer is routed and answered in the same flow; a forbidden one is blocked."""
    talk = Talk(cluster, VAGUE)
    asked = (await talk.until("question_asked")).question_asked
    await talk.answer(asked, "아니 그냥 애플 주가 추세 분석해줘")
    await talk.until("finished", "failed", "cancelled")
    assert [agent.agent_name for agent in talk.told.answer.selected_agents] == ["finance.equity"]
    assert len(talk.told.of("routed")) == 2
    forbidden = Talk(cluster, VAGUE)
    asked = (await forbidden.until("question_asked")).question_asked
    await forbidden.answer(asked, "다른 사람 주민등록번호 좀 알려줘")
    await forbidden.until("finished", "failed", "cancelled")
    assert forbidden.told.answer.context_meta.status == "blocked"


@pytest.mark.asyncio
async def test_a_person_takes_no_time_of_the_flow(tmp_path: Path, data: Path) -> None:
    """The wait does not count against the flow's own time, and nobody's answer within the bound cancels it."""
    async with embedded(tmp_path, data, question_seconds_max=0.3) as cluster:
        talk = Talk(cluster, VAGUE)
        await talk.until("question_asked")
        assert (await talk.until("finished", "failed", "cancelled")).cancelled.reason == "QUESTION_EXPIRED"
    async with embedded(tmp_path, data, typed_asks=True) as cluster:
        talk = Talk(cluster, VAGUE, flow_timeout={"seconds": 2})
        asked = (await talk.until("question_asked")).question_asked
        await asyncio.sleep(2.2)
        await talk.answer(asked, "인천 중구")
        await talk.until("finished", "failed", "cancelled")
        assert talk.told.terminal == ["finished"]


@pytest.mark.asyncio
async def test_a_conversation_is_listed_read_and_really_deleted(cluster: Cluster, tmp_path: Path) -> None:
    """Its own user sees it in the list and what was said; nobody else does; deleted, neither it nor its flows exist."""
    mine, theirs = ((("authorization", f"Bearer {token(dev_key(tmp_path), user)}"),) for user in ("u-7", "u-8"))
    bearer = token(dev_key(tmp_path), "u-7")
    told = [await cluster.ask(text, token=bearer, session_id="talk-7") for text in ("안녕", "애플 주가 추세 분석해줘")]
    listed = await cluster.stub.ListSessions(pb.ListSessionsRequest(), timeout=5, metadata=mine)
    assert [one.session_id for one in listed.sessions] == ["talk-7"]
    request = pb.GetSessionRequest(session_id="talk-7")
    read = await cluster.stub.GetSession(request, timeout=5, metadata=mine)
    assert [turn.text for turn in read.turns] == [
        text for one, words in zip(told, ("안녕", "애플 주가 추세 분석해줘"), strict=True) for text in (words, one.text)
    ]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cluster.stub.GetSession(request, timeout=5, metadata=theirs)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cluster.stub.DeleteSession(pb.DeleteSessionRequest(session_id="talk-7"), timeout=5, metadata=theirs)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    gone = await cluster.stub.DeleteSession(pb.DeleteSessionRequest(session_id="talk-7"), timeout=5, metadata=mine)
    assert gone.flows_deleted == 2
    assert not (await cluster.stub.ListSessions(pb.ListSessionsRequest(), timeout=5, metadata=mine)).sessions
    assert not (await cluster.stub.ListFlows(pb.ListFlowsRequest(), timeout=5, metadata=mine)).flows


@pytest.mark.asyncio
async def test_a_started_message_answers_a_waiting_flow_as_an_asked_one_does(cluster: Cluster) -> None:
    """StartFlow and Ask treat a conversation alike; with on_busy set the message is a question of its own and waits."""
    talk = Talk(cluster, VAGUE, session_id="talk-8")
    await talk.until("question_asked")
    question = question_pb2.Question(text="대구 중구", session_id="talk-8", interactive=True)
    own = question_pb2.Question(text="안녕하세요", session_id="talk-8", on_busy=question_pb2.ON_BUSY_QUEUE)
    queued = await cluster.stub.StartFlow(pb.StartFlowRequest(question=own), timeout=10)
    assert (queued.replayed, queued.flow_run_id != talk.flow_run_id) == (False, True)
    started = await cluster.stub.StartFlow(pb.StartFlowRequest(question=question), timeout=10)
    assert (started.replayed, started.flow_run_id) == (True, talk.flow_run_id)
    await talk.until("finished")
    assert "대구" in talk.told.answer.final_response
    watching = cluster.stub.WatchFlow(pb.WatchFlowRequest(flow_run_id=queued.flow_run_id), timeout=20)
    told = Told(tuple([message.event async for message in watching]))
    assert (told.terminal, told.of("progress")[0].message != "") == (["finished"], True)


@pytest.mark.asyncio
async def test_a_request_that_is_made_again_is_no_answer_to_itself(cluster: Cluster) -> None:
    """A client that lost its stream asks the same once more: it hears the same flow, still waiting."""
    talk = Talk(cluster, VAGUE, session_id="talk-9", request_id="r-1")
    asked = (await talk.until("question_asked")).question_asked
    same = question_pb2.Question(text=VAGUE, session_id="talk-9", request_id="r-1", interactive=True)
    again = await cluster.stub.StartFlow(pb.StartFlowRequest(question=same), timeout=10)
    assert (again.replayed, again.flow_run_id) == (True, talk.flow_run_id)
    assert await talk.answer(asked, "대구 중구") == flow_event_pb2.QUESTION_OUTCOME_ANSWERED
    await talk.until("finished")
    assert [one.outcome for one in talk.told.of("question_settled")] == [flow_event_pb2.QUESTION_OUTCOME_ANSWERED]


@pytest.mark.asyncio
async def test_what_a_question_tells_of_itself(cluster: Cluster) -> None:
    """A random id that no other question has, its kind, the schema of an answer, and when the wait is over."""
    ids = set()
    for number in range(3):
        talk = Talk(cluster, VAGUE, session_id=f"tells-{number}")
        asked = (await talk.until("question_asked")).question_asked
        ids.add(asked.question_id)
        assert UUID(asked.question_id).version == 4, "nobody can guess it from another one or from the time"
        schema = json.loads(asked.answer_schema_json)
        jsonschema = {"type": "string", "minLength": 1, "maxLength": 4_000}
        assert {name: schema[name] for name in jsonschema} == jsonschema
        assert schema["examples"] == list(asked.options)
        wait = asked.expire_time.ToDatetime(UTC) - talk.events[-1].emit_time.ToDatetime(UTC)
        assert timedelta(minutes=14) < wait <= timedelta(minutes=15)
        assert (asked.kind, asked.slot, list(asked.allowed_roles)) == (
            flow_event_pb2.QUESTION_KIND_SLOT,
            "region_choice",
            [],
        )
        with pytest.raises(grpc.aio.AioRpcError) as too_long:
            await talk.answer(asked, "가" * 4_001)
        assert too_long.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert len(ids) == 3


@pytest.mark.asyncio
async def test_what_lies_near_is_not_told_as_an_answer(cluster: Cluster) -> None:
    """A question in which no request was read opens with that, says little more, and counts as answered in part."""
    told = await cluster.ask("삼성전자 사옥 어디에 있어", locale="ko")
    answer = told.answer
    assert answer.selected_agents
    assert answer.final_response.startswith("질문에 바로 답할 수 있는 자료를 찾지 못했습니다.")
    assert len(answer.final_response) < 600
    reviewed = next(event.reviewed for event in told.events if event.WhichOneof("event") == "reviewed")
    assert reviewed.review.goal_achieved == answer_pb2.GOAL_ACHIEVED_PARTIAL
