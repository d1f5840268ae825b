"""hapju as an A2A agent: the official client finds it by its card, streams, replies, comes back and is refused."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from a2a.client import Client
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import (
    A2AError,
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)
from google.protobuf.json_format import MessageToDict

from services.runtime.settings import dev_key
from tests.support.agents import a2a_agent, message
from tests.support.cluster import Cluster
from tests.support.files import LEASE, docx_of, pdf_of, reviewed
from tests.support.http_client import HttpClient
from tests.support.tokens import token

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

JEONSE = "강남구 아파트 전세 시세 알려줘"
MOVED = "강남구 아파트 전세가 지난 1년 어떻게 변했어?"
VAGUE = "이번 달 전세 시세 알려줘"
NO_FLOW = "01900000-0000-7000-8000-000000000000"


async def told(client: Client, request: a2a.SendMessageRequest) -> list[a2a.StreamResponse]:
    """Sends a message and returns all that is told."""
    return [response async for response in client.send_message(request)]


def text_of(responses: list[a2a.StreamResponse]) -> tuple[str, list[Any]]:
    """Returns the answer that the artifact's updates make, and the data beside it."""
    parts: list[a2a.Part] = []
    for response in responses:
        if response.HasField("artifact_update"):
            update = response.artifact_update
            parts = [*(parts if update.append else []), *update.artifact.parts]
    data = [MessageToDict(part.data) for part in parts if part.HasField("data")]
    return "".join(part.text for part in parts if part.HasField("text")), data


def states_of(responses: list[a2a.StreamResponse]) -> list[int]:
    """Returns the states that were told, the task's own first."""
    first = [one.task.status.state for one in responses if one.HasField("task")]
    return [*first, *(one.status_update.status.state for one in responses if one.HasField("status_update"))]


async def test_the_card_says_who_answers_and_how(cluster: Cluster, http: HttpClient) -> None:
    """The card names this edge as it was reached, the protocol's version and what the domains answer."""
    status, card = await http.call("GET", "/.well-known/agent-card.json")
    assert status == 200
    (interface,) = card["supportedInterfaces"]
    assert interface["url"] == f"{cluster.doors['http']}/a2a"
    assert (interface["protocolBinding"], interface["protocolVersion"]) == ("JSONRPC", "1.0")
    assert {"realty", "finance"} <= {skill["id"] for skill in card["skills"]}
    assert card["capabilities"]["streaming"]


async def test_a_message_streams_its_answer(cluster: Cluster) -> None:
    """The task begins, says what it does, its artifact grows to the whole answer, with sources and charts as data."""
    async with a2a_agent(cluster.doors["http"]) as client:
        responses = await told(client, message(MOVED))
        text, (data,) = text_of(responses)
        assert text.startswith((await cluster.ask(MOVED)).answer.final_response)
        assert data["citations"]
        assert data["charts"][0]["kind"] == "CHART_KIND_LINE"
        states = states_of(responses)
        assert states[0] == a2a.TASK_STATE_SUBMITTED
        assert states[-1] == a2a.TASK_STATE_COMPLETED
        task = await client.get_task(a2a.GetTaskRequest(id=responses[0].task.id))
        assert task.status.state == a2a.TASK_STATE_COMPLETED
        assert task.artifacts[0].parts[0].text == text
        listed = (await client.list_tasks(a2a.ListTasksRequest(context_id=task.context_id))).tasks
        assert [one.id for one in listed] == [task.id]
        with pytest.raises(TaskNotCancelableError):
            await client.cancel_task(a2a.CancelTaskRequest(id=task.id))
        with pytest.raises(UnsupportedOperationError):
            [one async for one in client.subscribe(a2a.SubscribeToTaskRequest(id=task.id))]


async def test_tasks_are_listed_by_page_with_how_many_there_are(cluster: Cluster, folder: Path) -> None:
    """A page says where to go on and how many there are on all of them."""
    bearer = token(dev_key(folder), "lister", seconds=600)
    async with a2a_agent(cluster.doors["http"], bearer) as client:
        context = (await told(client, message(JEONSE)))[0].task.context_id
        await told(client, message(MOVED, context_id=context))
        first = await client.list_tasks(a2a.ListTasksRequest(context_id=context, page_size=1))
        assert (len(first.tasks), first.total_size, bool(first.next_page_token)) == (1, 2, True)


@pytest.mark.slow
async def test_a_stream_cut_at_every_event_is_gone_on_with(cluster: Cluster) -> None:
    """Cut after each of its events, and once more behind it, a task is heard to its end by who subscribes again."""
    whole = (await cluster.ask(MOVED)).answer.final_response
    async with a2a_agent(cluster.doors["http"]) as client:
        for cut in range(1, 200):
            heard = []
            async for response in client.send_message(message(MOVED)):
                heard.append(response)
                if len(heard) == cut:
                    break
            task_id = heard[0].task.id
            with suppress(UnsupportedOperationError):  # it is over
                async for _ in client.subscribe(a2a.SubscribeToTaskRequest(id=task_id)):
                    break
                [one async for one in client.subscribe(a2a.SubscribeToTaskRequest(id=task_id))]
            task = await client.get_task(a2a.GetTaskRequest(id=task_id))
            assert task.status.state == a2a.TASK_STATE_COMPLETED, cut
            assert task.artifacts[0].parts[0].text.startswith(whole), cut
            if states_of(heard)[-1] == a2a.TASK_STATE_COMPLETED:
                return
    pytest.fail("the stream has no end")


async def test_a_client_without_streams_has_the_task(cluster: Cluster) -> None:
    """A message that is sent plainly returns the task with its answer; who does not wait has the task as it begins."""
    async with a2a_agent(cluster.doors["http"], streaming=False) as client:
        (response,) = await told(client, message(JEONSE))
        assert response.task.status.state == a2a.TASK_STATE_COMPLETED
        assert "강남구" in response.task.artifacts[0].parts[0].text
        request = message(VAGUE)
        request.configuration.return_immediately = True
        (response,) = await told(client, request)
        assert response.task.status.state == a2a.TASK_STATE_SUBMITTED
        cancelled = await client.cancel_task(a2a.CancelTaskRequest(id=response.task.id))
        assert cancelled.status.state == a2a.TASK_STATE_CANCELED


async def test_what_hapju_asks_back_is_replied_to(cluster: Cluster) -> None:
    """A task that needs something says what, as text and as data; the reply to the task goes on with it, once."""
    async with a2a_agent(cluster.doors["http"]) as client:
        responses = await told(client, message(VAGUE))
        last = responses[-1].status_update
        assert last.status.state == a2a.TASK_STATE_INPUT_REQUIRED
        assert last.status.message.parts[0].text
        (question,) = MessageToDict(last.status.message.parts[1].data)["questions"]
        assert question["kind"] == "slot"
        seen = [one async for one in client.subscribe(a2a.SubscribeToTaskRequest(id=last.task_id))]
        assert [one.task.status.state for one in seen] == [a2a.TASK_STATE_INPUT_REQUIRED]
        answered = await told(client, message("강남구", task_id=last.task_id, context_id=last.context_id))
        assert "강남구" in text_of(answered)[0]
        assert states_of(answered)[-1] == a2a.TASK_STATE_COMPLETED
        with pytest.raises(UnsupportedOperationError):
            await told(client, message("서초구", task_id=last.task_id, context_id=last.context_id))


async def test_a_caller_is_who_their_token_says(cluster: Cluster, folder: Path, http: HttpClient) -> None:
    """A task is its user's own; what cannot be asked is refused by its kind, a broken token at the door."""
    key = dev_key(folder)
    async with (
        a2a_agent(cluster.doors["http"], token(key, "u-1")) as own,
        a2a_agent(cluster.doors["http"], token(key, "u-2")) as foreign,
    ):
        task = (await told(own, message(JEONSE)))[0].task
        for other in (task.id, NO_FLOW):
            with pytest.raises(TaskNotFoundError):
                await foreign.get_task(a2a.GetTaskRequest(id=other))
            with pytest.raises(TaskNotFoundError):
                await told(foreign, message("네", task_id=other))
        with pytest.raises(InvalidParamsError) as long:
            await told(own, message("가" * 4_001))
        assert "4000" in str(long.value)
        picture = message("?")
        picture.message.parts.append(a2a.Part(url="http://127.0.0.1/x.png"))
        with pytest.raises(A2AError):
            await told(own, picture)
    async with a2a_agent(cluster.doors["http"], "x") as stranger:
        with pytest.raises(A2AClientError, match="401"):
            await told(stranger, message(JEONSE))
    status, problem = await http.call("POST", "/a2a", b"x" * 6_000_000, {"content-type": "application/json"})
    assert (status, problem["reason"]) == (413, "PAYLOAD_TOO_LARGE")


async def test_an_agent_hands_files_over(cluster: Cluster) -> None:
    """A contract comes as bytes or as a named text, with words or none; what is no file is not fetched."""
    parts = [
        a2a.Part(raw=docx_of(LEASE), filename="lease.docx"),
        a2a.Part(raw=pdf_of(LEASE), filename="lease.pdf", media_type="application/pdf"),
        a2a.Part(text="\n".join(LEASE), filename="lease.txt"),
    ]
    async with a2a_agent(cluster.doors["http"]) as client:
        for words, part in zip(("이 계약서 봐줘", "", "문제 없나요?"), parts, strict=True):
            text, _ = text_of(await told(client, message(words, part)))
            assert reviewed(text), text
        locked = a2a.Part(raw=pdf_of(LEASE, password="s3"), filename="a.pdf")
        with pytest.raises(InvalidParamsError, match="password"):
            await told(client, message("Please check this", locked))
        with pytest.raises(InvalidParamsError):
            await told(client, message("?", a2a.Part(raw=b"x" * 3_300_000, filename="a.txt")))
        with pytest.raises(A2AError):
            await told(client, message("봐줘", a2a.Part(url="http://127.0.0.1/lease.pdf", filename="lease.pdf")))


async def test_a_message_that_is_sent_again_is_the_same_task(cluster: Cluster, folder: Path) -> None:
    """By its id it comes to the task that it began; another text under the same id is refused."""
    async with a2a_agent(cluster.doors["http"], token(dev_key(folder), "twice")) as client:
        first = (await told(client, message(JEONSE, message_id="m-1")))[0].task.id
        assert (await told(client, message(JEONSE, message_id="m-1")))[0].task.id == first
        with pytest.raises(InvalidParamsError, match="another question"):
            await told(client, message(MOVED, message_id="m-1"))
