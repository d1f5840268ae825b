"""OpenAI's own client talks to hapju as to a model."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest
import pytest_asyncio

from services.runtime.settings import dev_key
from tests.support.cluster import Cluster
from tests.support.http_client import HttpClient
from tests.support.tokens import token

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

JEONSE = "강남구 아파트 전세 시세 알려줘"
VAGUE = "이번 달 전세 시세 알려줘"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def client(cluster: Cluster, folder: Path) -> AsyncIterator[openai.AsyncOpenAI]:
    """OpenAI's client with the token of a user of its own."""
    key = token(dev_key(folder), "chatty", seconds=600)
    async with openai.AsyncOpenAI(base_url=f"{cluster.doors['http']}/v1", api_key=key, max_retries=0) as made:
        yield made


def said(*texts: str) -> list[Any]:
    """Returns a talk in which user and assistant take turns."""
    return [{"role": "user" if place % 2 == 0 else "assistant", "content": text} for place, text in enumerate(texts)]


async def test_an_answer_is_a_completion(client: openai.AsyncOpenAI, cluster: Cluster) -> None:
    """The text is the flow's, its citations are annotations, and what it cost is told."""
    made = await client.chat.completions.create(model="hapju", messages=said(JEONSE))
    message = made.choices[0].message
    answer = (await cluster.ask(JEONSE)).answer
    assert message.content is not None
    assert message.content.startswith(answer.final_response)
    assert [one.url_citation.title for one in message.annotations or ()] == [one.title for one in answer.citations]
    assert all(one.title in message.content for one in answer.citations)
    assert made.choices[0].finish_reason == "stop"
    assert made.usage is not None
    assert made.usage.total_tokens == made.usage.prompt_tokens + made.usage.completion_tokens


async def test_a_completion_is_streamed(client: openai.AsyncOpenAI, cluster: Cluster) -> None:
    """The pieces make the same text, the last says that it is over, and the cost follows where it is asked for."""
    stream = await client.chat.completions.create(
        model="hapju/realty", messages=said(JEONSE), stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.startswith((await cluster.ask(JEONSE)).answer.final_response)
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None


async def test_the_reply_to_a_question_goes_on_with_its_flow(client: openai.AsyncOpenAI) -> None:
    """What hapju asks is a message; the reply to it, sent with the whole talk as front ends do, is its answer."""
    asked = await client.chat.completions.create(model="hapju", messages=said(VAGUE))
    question = asked.choices[0].message.content or ""
    replied = await client.chat.completions.create(model="hapju", messages=said(VAGUE, question, "강남구"))
    assert "강남구" in (replied.choices[0].message.content or "")
    assert replied.id == asked.id
    again = await client.chat.completions.create(
        model="hapju",
        messages=said(VAGUE, question, "강남구", replied.choices[0].message.content or "", "서초구는?"),
    )
    assert "서초구" in (again.choices[0].message.content or "")
    assert (again.model_extra or {})["hapju"]["session_id"] == (asked.model_extra or {})["hapju"]["session_id"]


async def test_stop_ends_what_was_asked(client: openai.AsyncOpenAI) -> None:
    """A user who says stop to a question is told that nothing was done."""
    talk = said("이번 달 전세 시세를 알려줘")
    asked = await client.chat.completions.create(model="hapju", messages=talk)
    question = asked.choices[0].message.content or ""
    stopped = await client.chat.completions.create(
        model="hapju", messages=[*talk, {"role": "assistant", "content": question}, {"role": "user", "content": "취소"}]
    )
    assert stopped.id == asked.id
    assert "취소" in (stopped.choices[0].message.content or "")


async def test_a_talk_that_hapju_does_not_know_goes_along(client: openai.AsyncOpenAI) -> None:
    """A talk from elsewhere is the history of a new conversation: its follow-up is understood."""
    made = await client.chat.completions.create(
        model="hapju",
        messages=said("마포구 아파트 전세 얼마야?", "찾아보겠습니다.", "그럼 송파구는?"),
    )
    assert "송파구" in (made.choices[0].message.content or "")


async def test_a_completion_that_is_asked_for_again_is_the_same(client: openai.AsyncOpenAI) -> None:
    """Cut at each piece and asked for again under its key, one flow runs, and its whole text is told at last."""
    sending: dict[str, Any] = {"model": "hapju", "messages": said(JEONSE), "stream": True}
    flows: set[str] = set()
    for cut in range(1, 20):
        stream = await client.chat.completions.create(**sending, extra_headers={"idempotency-key": "once-1"})
        pieces = []
        async for chunk in stream:
            pieces.append(chunk)
            flows.add(chunk.id)
            if len(pieces) == cut:
                break
        await stream.close()
        if pieces[-1].choices[0].finish_reason == "stop":
            break
    text = "".join(chunk.choices[0].delta.content or "" for chunk in pieces)
    whole = await client.chat.completions.create(model="hapju", messages=said(JEONSE))
    assert len(flows) == 1
    assert text == whole.choices[0].message.content


async def test_refusals_are_those_of_the_format(client: openai.AsyncOpenAI) -> None:
    """OpenAI's client raises its own error for each refusal, with the field where there is one."""
    with pytest.raises(openai.BadRequestError) as refused:
        await client.chat.completions.create(model="gpt-4.1", messages=said(JEONSE))
    assert refused.value.param == "model"
    with pytest.raises(openai.BadRequestError):
        await client.chat.completions.create(model="hapju/none", messages=said(JEONSE))
    with pytest.raises(openai.BadRequestError):
        await client.chat.completions.create(model="hapju", messages=said(JEONSE, "네"))
    with pytest.raises(openai.BadRequestError):
        await client.chat.completions.create(model="hapju", messages=said(JEONSE), n=2)
    with pytest.raises(openai.BadRequestError):
        await client.chat.completions.create(model="hapju", messages=said("가" * 4_001), stream=True)
    with pytest.raises(openai.AuthenticationError):
        await client.with_options(api_key="nobody").chat.completions.create(model="hapju", messages=said(JEONSE))
    with pytest.raises(openai.NotFoundError):
        await client.models.retrieve("gpt-4.1")


async def test_models_are_listed(client: openai.AsyncOpenAI, http: HttpClient) -> None:
    """All domains, and each by itself."""
    listed = [model.id async for model in client.models.list()]
    assert listed[0] == "hapju"
    assert {"hapju/realty", "hapju/finance", "hapju/commerce"} <= set(listed)
    assert (await client.models.retrieve("hapju/realty")).id == "hapju/realty"
    assert (await http.call("GET", "/v1/models"))[0] == 200
