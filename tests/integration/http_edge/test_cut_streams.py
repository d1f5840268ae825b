"""Streams cut at every event, twice in a row, between two gateways over one store, at every edge.

Whoever comes back, at whichever gateway, hears each event once and the whole text; a foreign token hears nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import grpc
import openai
import pytest
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import TaskNotFoundError, UnsupportedOperationError

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.agents import a2a_agent, artifact_text, mcp_agent, message
from tests.support.cluster import Cluster, Told
from tests.support.http_client import Listener, http_client
from tests.support.tokens import token

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

APPLE = "애플 주가 추세 분석해줘"
CUTS_MAX = 200
"""No flow of these tests tells more events."""
Metadata = tuple[tuple[str, str], ...]


def of(folder: Path, user: str) -> str:
    """Returns a person's token."""
    return token(dev_key(folder), user, seconds=600)


def bearing(bearer: str) -> Metadata:
    """Returns a token as gRPC sends it."""
    return (("authorization", f"Bearer {bearer}"),)


async def whole_of(cluster: Cluster) -> str:
    """Returns the text that a client hears that nobody cuts off."""
    return (await cluster.ask(APPLE)).answer.final_response


def runs_from_one(sequences: Sequence[int]) -> bool:
    """Tells whether each event came, once, in order."""
    return len(sequences) > 3 and list(sequences) == list(range(1, len(sequences) + 1))


async def kept(cluster: Cluster, flow: str, bearer: str) -> list[int]:
    """Returns the sequences of a flow's record."""
    request = pb.GetFlowRequest(flow_run_id=flow)
    record = (await cluster.stub.GetFlow(request, timeout=20, metadata=bearing(bearer))).record
    return [event.sequence for event in record.events]


async def test_over_grpc(cluster: Cluster, beside: Cluster, folder: Path) -> None:
    """Left after each event that is kept, and once more before the next, the stream goes on at the other gateway."""
    gateways, mina = (cluster, beside), bearing(of(folder, "cut-grpc"))
    events: list[flow_event_pb2.FlowEvent] = []
    flow, last = "", 0
    for cut in range(CUTS_MAX):
        here, there = gateways[cut % 2].stub, gateways[(cut + 1) % 2].stub
        call: Any
        if flow:
            call = here.WatchFlow(pb.WatchFlowRequest(flow_run_id=flow, after_sequence=last), metadata=mina)
        else:
            question = question_pb2.Question(text=APPLE, on_disconnect=question_pb2.ON_DISCONNECT_CONTINUE)
            call = here.Ask(pb.AskRequest(question=question), metadata=mina, timeout=60)
        async for told in call:
            events.append(told.event)
            flow = flow or told.event.accepted.flow_run_id
            if told.event.sequence > last:
                last = told.event.sequence
                break
        call.cancel()
        if events[-1].WhichOneof("event") == "finished":
            break
        # Cut again, before anything of it was heard.
        there.WatchFlow(pb.WatchFlowRequest(flow_run_id=flow, after_sequence=last), metadata=mina).cancel()
    heard = Told(tuple(events))
    assert runs_from_one(heard.sequences)
    assert heard.answer.final_response == await whole_of(cluster)
    assert heard.answer.final_response.startswith(heard.text)
    for place in gateways:
        strange = place.stub.WatchFlow(pb.WatchFlowRequest(flow_run_id=flow), metadata=bearing(of(folder, "mallory")))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await anext(aiter(strange))
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("by_ask", [True, False])
async def test_over_server_sent_events(cluster: Cluster, beside: Cluster, folder: Path, by_ask: bool) -> None:
    """Gone on with by Last-Event-ID, of the question itself or of the flow's path; a stranger has a 404, no event."""
    heard = Listener()
    async with (
        http_client(cluster.doors["http"], of(folder, "cut-sse")) as one,
        http_client(beside.doors["http"], of(folder, "cut-sse")) as other,
    ):
        gateways = (one, other)
        for cut in range(CUTS_MAX):
            flow, before = heard.last_id.partition(":")[0], heard.last_id
            path = f"/v1/flows/{flow}/events"
            asks = by_ask or not flow
            method, where, body = ("POST", "/v1/ask", {"text": APPLE}) if asks else ("GET", path, None)
            async with gateways[cut % 2].stream(method, where, body, heard.last_id) as events:
                async for sent in events:
                    heard.take(sent)
                    if heard.last_id != before:
                        break
            if heard.events[-1].name == "finished":
                break
            path = f"/v1/flows/{heard.last_id.partition(':')[0]}/events"
            async with gateways[(cut + 1) % 2].stream("GET", path, last_id=heard.last_id):
                pass
        assert runs_from_one(heard.sequences)
        assert heard.answer["final_response"] == await whole_of(cluster)
        assert heard.answer["final_response"].startswith(heard.text)
        for client in gateways:
            status, problem = await client.acting(of(folder, "mallory")).call("GET", path, headers={"accept": "*/*"})
            assert (status, problem["reason"]) == (404, "UNKNOWN_FLOW")


@asynccontextmanager
async def chatting(place: Cluster, bearer: str) -> AsyncIterator[openai.AsyncOpenAI]:
    """Opens OpenAI's client at a gateway for the body."""
    async with openai.AsyncOpenAI(base_url=f"{place.doors['http']}/v1", api_key=bearer, max_retries=0) as made:
        yield made


async def pieces_of(client: openai.AsyncOpenAI, cut: int, **more: Any) -> list[Any]:
    """Returns the pieces of a completion until it is cut."""
    said: list[Any] = [{"role": "user", "content": APPLE}]
    key = {"idempotency-key": "cut-chat"}
    stream = await client.chat.completions.create(model="hapju", messages=said, stream=True, extra_headers=key, **more)
    pieces = []
    async for piece in stream:
        pieces.append(piece)
        if len(pieces) == cut:
            break
    await stream.close()
    return pieces


async def test_over_chat_completions(cluster: Cluster, beside: Cluster, folder: Path) -> None:
    """Asked for again under its key at the other gateway, one flow runs; its text is told whole, and once."""
    flows: set[str] = set()
    mina = of(folder, "cut-chat")
    async with chatting(cluster, mina) as one, chatting(beside, mina) as other:
        gateways = (one, other)
        for cut in range(1, CUTS_MAX):
            pieces = await pieces_of(gateways[cut % 2], cut)
            flows |= {piece.id for piece in pieces}
            if pieces[-1].choices[0].finish_reason == "stop":
                break
            flows |= {piece.id for piece in await pieces_of(gateways[(cut + 1) % 2], 1)}
        said: list[Any] = [{"role": "user", "content": APPLE}]
        plain = await one.chat.completions.create(model="hapju", messages=said)
    (flow,) = flows
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces)
    assert text == plain.choices[0].message.content
    assert text.startswith(await whole_of(cluster))
    assert runs_from_one(await kept(beside, flow.removeprefix("chatcmpl-"), mina))
    async with chatting(beside, of(folder, "mallory")) as stranger:
        assert {piece.id for piece in await pieces_of(stranger, CUTS_MAX)}.isdisjoint(flows)
        session = pieces[0].model_extra["hapju"]["session_id"]
        with pytest.raises(openai.NotFoundError):
            await stranger.chat.completions.create(
                model="hapju", messages=said, stream=True, extra_headers={"hapju-session": session}
            )


async def test_over_mcp(cluster: Cluster, beside: Cluster, folder: Path) -> None:
    """A call that breaks at each thing that it tells is made again under its key: one flow, and its whole answer."""
    gateways, mina = (cluster, beside), of(folder, "cut-mcp")
    for cut in range(1, CUTS_MAX):
        told = await _called(gateways[cut % 2], mina, cut)
        if told is not None:
            break
        await _called(gateways[(cut + 1) % 2], mina, 1)
    else:
        pytest.fail("the call has no end")
    assert told["answer"] == await whole_of(cluster)
    async with mcp_agent(beside.doors["http"], mina) as client:
        (flow,) = (await client.call_tool("list_flows", {})).structured_content["flows"]
    assert flow["flow_run_id"] == told["flow_run_id"]
    assert runs_from_one(await kept(beside, told["flow_run_id"], mina))
    stranger = await _called(beside, of(folder, "mallory"), CUTS_MAX)
    assert stranger is not None
    assert stranger["flow_run_id"] != told["flow_run_id"]


async def _called(place: Cluster, bearer: str, cut: int) -> dict[str, Any] | None:
    """Returns what a call of the tool comes to; None where its connection broke at the cut."""
    reached = asyncio.Event()
    heard = 0

    async def moved(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001 - the SDK's names
        nonlocal heard
        heard += 1
        if heard >= cut:
            reached.set()

    given = {"question": APPLE, "request_id": "cut-mcp"}
    async with mcp_agent(place.doors["http"], bearer) as client:
        call = asyncio.create_task(client.call_tool("ask", given, progress_callback=moved))
        waiting = asyncio.create_task(reached.wait())
        await asyncio.wait({call, waiting}, return_when=asyncio.FIRST_COMPLETED)
        over = call.done()
        for task in (call, waiting):
            task.cancel()
        await asyncio.gather(call, waiting, return_exceptions=True)
        return dict(call.result().structured_content) if over else None


async def test_over_a2a(cluster: Cluster, beside: Cluster, folder: Path) -> None:
    """A task is gone on with by subscribing, or by the same message again, at either gateway, to its whole text."""
    mina, whole = of(folder, "cut-a2a"), await whole_of(cluster)
    async with a2a_agent(cluster.doors["http"], mina) as one, a2a_agent(beside.doors["http"], mina) as other:
        gateways = (one, other)
        request = message(APPLE, message_id="cut-a2a")
        tasks: set[str] = set()
        for cut in range(1, CUTS_MAX):
            heard = await _heard(gateways[cut % 2].send_message(request), cut)
            tasks |= {response.task.id for response in heard if response.HasField("task")}
            if _is_over(heard):
                break
            follow = a2a.SubscribeToTaskRequest(id=heard[0].task.id)
            try:
                await _heard(gateways[(cut + 1) % 2].subscribe(follow), 1)
                again = await _heard(gateways[cut % 2].subscribe(follow), CUTS_MAX)
                assert not artifact_text(again) or artifact_text(again).startswith(whole)
            except UnsupportedOperationError:
                pass  # the task was over before
        (task,) = tasks
        assert artifact_text(heard).startswith(whole)
        shown = await other.get_task(a2a.GetTaskRequest(id=task))
        assert shown.artifacts[0].parts[0].text.startswith(whole)
    assert runs_from_one(await kept(beside, task, mina))
    async with a2a_agent(beside.doors["http"], of(folder, "mallory")) as stranger:
        with pytest.raises(TaskNotFoundError):
            await _heard(stranger.subscribe(a2a.SubscribeToTaskRequest(id=task)), 1)
        assert (await _heard(stranger.send_message(request), 1))[0].task.id != task


async def _heard(stream: AsyncIterator[a2a.StreamResponse], cut: int) -> list[a2a.StreamResponse]:
    """Returns what a stream tells until it is cut."""
    heard = []
    async with aclosing(cast("AsyncGenerator[a2a.StreamResponse]", stream)) as told:
        async for response in told:
            heard.append(response)
            if len(heard) == cut:
                break
    return heard


def _is_over(heard: list[a2a.StreamResponse]) -> bool:
    return heard[-1].HasField("status_update") and heard[-1].status_update.status.state == a2a.TASK_STATE_COMPLETED
