"""What endpoints do to a stream and a request beside answering: all of it is borne, told as what it is, and bounded."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from services.contract.flow import DecisionSource
from services.llm.decider import Decider
from services.llm.model import FailureReason
from services.llm.providers.reading import TEXT_CHARS_MAX
from services.llm.visible import Unfenced
from services.runtime import ledger
from tests.support.model_server import ModelServer, Reply
from tests.unit.llm.test_decide_over_http import KIND as DECISION
from tests.unit.llm.test_decide_over_http import decide, good
from tests.unit.llm.test_stream_over_http import KIND, collect

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
WORDS = ("물은 ", "100도에서 ", "끓습니다.")
SAYS_NOTHING = (
    "retry: 1000\n\n",
    "id: 7\n\n",
    "event: ping\n\n",
    "event: ping\nid: 8\nretry: 5\n\n",
    "data:\n\n",
    "data: \n\n",
    "data\n\n",
    ": comment\n\n",
    "id: 9\n: comment\n\n",
    "\n\n",
    "\r\n\r\n",
    "unknown: field\n\n",
)


def chunk(text: str = "", finish: str | None = None) -> str:
    """Return an event with a piece of text."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]}, ensure_ascii=False)}\n\n"


def stream(*events: str) -> Reply:
    """Return a stream of these bytes."""
    return Reply(body="".join(events), content_type="text/event-stream")


@pytest.mark.asyncio
@pytest.mark.parametrize("silent", SAYS_NOTHING)
async def test_what_says_nothing_takes_nothing(server: ModelServer, decider: Decider, flow: Flow, silent: str) -> None:
    """Before, between and behind the words, with ids on every chunk: the whole answer, by the model."""
    said = [f"id: {place}\n{chunk(word)}" for place, word in enumerate(WORDS)]
    whole = [part for one in said for part in (silent, one)]
    server.script(KIND, stream(silent, *whole, chunk(finish="stop"), silent, "data: [DONE]\n\n", silent))
    with flow() as opened:
        pieces, failed = await collect(decider)
    assert ("".join(pieces), failed) == ("".join(WORDS), "")
    assert opened.decisions[0].source is DecisionSource.LLM


@pytest.mark.asyncio
async def test_done_alone_ends_a_stream_in_order(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """[DONE] without any finish_reason is no cut; bytes that end without either are one."""
    server.script(KIND, stream(*map(chunk, WORDS), "data: [DONE]\n\n"), stream(*map(chunk, WORDS)))
    with flow():
        ended, broken = await collect(decider), await collect(decider)
    assert ("".join(ended[0]), ended[1]) == ("".join(WORDS), "")
    assert ("".join(broken[0]), broken[1]) == ("".join(WORDS), FailureReason.STREAM_CUT)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (("```markdown\n물은 끓습니다.\n```",), "물은 끓습니다.\n"),
        (("```\n", "물은 ", "끓습니다.\n", "```\n"), "물은 끓습니다.\n"),
        (("`", "``", "mark", "down", "\n물은 끓습니다.", "\n", "`", "`", "`"), "물은 끓습니다.\n"),
        (("~~~~text\n물은 끓습니다.\n~~~~",), "물은 끓습니다.\n"),
        (("<think>생각</think>\n```\n물은 끓습니다.\n```",), "물은 끓습니다.\n"),
        (("물은 `H2O`입니다.\n``두``\n끝",), "물은 `H2O`입니다.\n``두``\n끝"),
    ],
)
async def test_a_fence_is_no_part_of_an_answer(
    server: ModelServer, decider: Decider, flow: Flow, pieces: tuple[str, ...], shown: str
) -> None:
    """However its marks are split over pieces, a fence is not shown, and what stands inside a line is left alone."""
    server.script(KIND, Reply(pieces=pieces))
    with flow():
        told, failed = await collect(decider)
    assert ("".join(told), failed) == (shown, "")


def test_every_split_of_a_fenced_text_gives_the_same() -> None:
    """The lines that are fences go wherever the text is cut apart; all others stay to the letter."""
    text = "앞줄\n```python\n값 = `1`\n  ```\n``\n~~~\n끝 ```\n"
    expected = "앞줄\n값 = `1`\n``\n끝 ```\n"
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            fences = Unfenced()
            parts = [fences.feed(part) for part in (text[:first], text[first:second], text[second:])]
            assert "".join(parts) + fences.finish() == expected, (first, second)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "reply",
    [
        Reply(pieces=()),
        Reply(pieces=("", " \n")),
        Reply(pieces=("<think>끝나지 않는 생각",)),
        Reply(pieces=("<think>생각</think>", "\n\n")),
        Reply(pieces=("```\n", "```")),
        stream("data: [DONE]\n\n"),
    ],
    ids=["no text", "spaces", "open thought", "thought alone", "fence alone", "done alone"],
)
async def test_an_empty_answer_is_told_as_such(server: ModelServer, decider: Decider, flow: Flow, reply: Reply) -> None:
    """Where the model wrote nothing to be shown, the decision is a FALLBACK that says so."""
    server.script(KIND, reply)
    with flow() as opened:
        pieces, failed = await collect(decider)
    assert ("".join(pieces).strip(), failed) == ("", FailureReason.OUTPUT_EMPTY)
    decision = opened.decisions[0]
    assert (decision.source, decision.fallback_reason) == (DecisionSource.FALLBACK, FailureReason.OUTPUT_EMPTY)


@pytest.mark.asyncio
async def test_text_in_parts_is_text(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """Content that comes as a list of typed parts is read for its texts."""
    parts = [{"type": "text", "text": "물은 "}, {"type": "image"}, {"type": "text", "text": "끓습니다."}]
    event = {"choices": [{"delta": {"content": parts}, "finish_reason": "stop"}]}
    server.script(KIND, stream(f"data: {json.dumps(event)}\n\n", "data: [DONE]\n\n"))
    with flow():
        assert await collect(decider) == (["물은 끓습니다."], "")


@pytest.mark.timed  # the first of its words is heard within a second
@pytest.mark.asyncio
async def test_a_reply_without_end_is_left_while_it_streams(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """No more is read of a text than an answer can have, and its connection is closed."""
    server.script(KIND, Reply(pieces=("끝없는 말 " * 200,) * 5_000))
    with flow() as opened:
        pieces, failed = await collect(decider)
    assert (failed, len("".join(pieces)) <= TEXT_CHARS_MAX) == (FailureReason.OUTPUT_TRUNCATED, True)
    assert opened.decisions[0].source is DecisionSource.FALLBACK
    await server.until(lambda one: one.open_requests == 0)
    assert server.closed_by_peer == 1


@pytest.mark.asyncio
async def test_an_endless_decision_is_not_read(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A decision's body beyond every answer is left, and the rule decides."""
    server.script(DECISION, Reply(text="가" * 5_000_000))
    with flow():
        decided = await decide(decider)
    assert (decided.source, decided.fallback_reason) == (DecisionSource.FALLBACK, FailureReason.OUTPUT_TRUNCATED)


REFUSALS = [
    (400, "The provided JSON schema contains features not supported by this engine."),
    (400, "Failed to initialize samplers: failed to parse grammar"),
    (400, "Failed to compile the grammar"),
    (400, "Bad Request"),
    (400, "Extra inputs are not permitted"),
    (405, "json_object response format is not supported for model"),
    (405, "Method Not Allowed"),
    (415, "Unsupported Media Type"),
    (422, "Unprocessable Entity"),
    (500, 'Grammar error: Unimplemented keys: ["propertyNames"]'),
    (500, "guided decoding backend raised"),
    (501, "Not Implemented"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize("said", REFUSALS)
@pytest.mark.parametrize("refused", [("json_schema",), ("json_schema", "json_object")], ids=["schema", "both"])
async def test_any_refusal_of_the_format_steps_down_and_is_remembered(
    server: ModelServer, decider: Decider, flow: Flow, said: tuple[int, str], refused: tuple[str, ...]
) -> None:
    """Whatever its words and status, the next looser format is asked for, and the next decision begins with it."""
    server.always(Reply(text=good(), refuses=refused, status_of_refusal=said[0], refusal=said[1]))
    with flow():
        first, second = await decide(decider), await decide(decider)
    formats = [(call.body.get("response_format") or {}).get("type") for call in server.calls]
    taken = "json_object" if len(refused) == 1 else None
    assert formats == [*refused, taken, taken]
    assert {first.source, second.source} == {DecisionSource.LLM}


@pytest.mark.asyncio
async def test_what_is_refused_in_every_format_is_no_matter_of_the_format(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """Such a request is tried a few times in looser formats, then asked once as before; the strictest one stays."""
    server.always(Reply(status=400, error="Bad Request"))
    with flow(model_failures=9):
        for _ in range(4):
            decided = await decide(decider)
            assert decided.fallback_reason == FailureReason.REQUEST_REFUSED
    formats = [(call.body.get("response_format") or {}).get("type") for call in server.calls]
    assert len(formats) <= 4 + 3
    assert formats[-1] == "json_schema"
