"""Streamed answers over the real client: whole characters, nothing twice, typed ends, and a prompt end on cancel."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, aclosing
from datetime import date

import pytest

from prompts.agents.general_knowledge import PROMPT, Inputs
from services.contract.flow import DecisionSource, Usage
from services.llm.decider import Decider
from services.llm.model import FailureReason
from services.runtime import ledger
from services.runtime.errors import ModelUnavailable
from tests.support.model_server import Cut, ModelServer, Reply

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
MakeDecider = Callable[..., Decider]

KIND = "general_knowledge"
INPUTS = Inputs(question="물은 몇 도에서 끓나요?", today=date(2026, 3, 2))
EMOJI_TEXT = "값 5천원 👩‍👩‍👧 끝"


async def collect(decider: Decider) -> tuple[list[str], str]:
    """Return the pieces and the reason of the failure that ended them, empty if none did."""
    pieces: list[str] = []
    try:
        async with aclosing(decider.stream(PROMPT, INPUTS)) as text:
            async for piece in text:
                pieces.append(piece)  # noqa: PERF401 - what came before a failure counts
    except ModelUnavailable as error:
        return pieces, error.reason
    return pieces, ""


@pytest.mark.asyncio
async def test_pieces_come_as_written_and_usage_at_the_end(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """The pieces of a model that takes its time are its own; the decision is recorded with text, source and tokens."""
    server.script(KIND, Reply(pieces=("물은 ", "100도에서 ", "끓습니다."), piece_delay_seconds=0.05))
    with flow() as opened:
        pieces, failed = await collect(decider)
    decision = opened.decisions[0]
    assert (pieces, failed) == (["물은 ", "100도에서 ", "끓습니다."], "")
    assert (decision.kind, decision.source, json.loads(decision.output_json)) == (
        KIND,
        DecisionSource.LLM,
        {"text": "".join(pieces)},
    )
    assert opened.usage == Usage(model_calls=1, input_tokens=100, output_tokens=len("".join(pieces)))


@pytest.mark.asyncio
async def test_the_first_piece_does_not_wait_for_the_last(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A piece is handed on while the model is still silent about the next."""
    server.script(KIND, Reply(pieces=("처음", "나중"), hang_after=1))
    with flow():
        async with aclosing(decider.stream(PROMPT, INPUTS)) as text:
            first = await anext(text)
            still_open = server.open_requests
    assert (first, still_open) == ("처음", 1)


@pytest.mark.asyncio
@pytest.mark.parametrize("ascii_only", [False, True])
async def test_every_byte_split_gives_the_same_text(
    server: ModelServer, decider: Decider, flow: Flow, *, ascii_only: bool
) -> None:
    """Wherever the bytes of a stream are cut apart, the joined text is equal and no piece breaks a character."""
    plain = Reply(pieces=(EMOJI_TEXT,), usage=False, ascii_only=ascii_only)
    length = len(f"data: {json.dumps({'choices': [{'delta': {'content': EMOJI_TEXT}}]})}".encode()) + 120
    with flow(model_calls=1_000):
        for offset in range(1, length):
            server.script(KIND, Reply(**{**plain.__dict__, "split": (offset,)}))
            pieces, failed = await collect(decider)
            assert ("".join(pieces), failed) == (EMOJI_TEXT, "")
            assert all(piece.encode("utf-8") for piece in pieces)


@pytest.mark.asyncio
async def test_halves_of_a_character_are_joined(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A model whose tokens split a surrogate pair over two events still gives whole characters."""
    server.script(KIND, Reply(pieces=("웃음 \ud83d", "\ude00 끝"), ascii_only=True))
    with flow():
        pieces, failed = await collect(decider)
    assert ("".join(pieces), failed) == ("웃음 😀 끝", "")
    assert all(piece.encode("utf-8") for piece in pieces)


@pytest.mark.asyncio
async def test_thoughts_are_not_shown(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """Text between think tags is left out of the stream and the record, also when a tag is split over pieces."""
    server.script(KIND, Reply(pieces=("<thi", "nk>속으로 {생각}</th", "ink>\n\n답은 a<b", " 입니다.")))
    with flow() as opened:
        pieces, failed = await collect(decider)
    assert ("".join(pieces), failed) == ("답은 a<b 입니다.", "")
    assert "생각" not in opened.decisions[0].output_json.decode()


@pytest.mark.asyncio
@pytest.mark.parametrize("cut", ["eof", "reset", "bad_chunk"])
async def test_a_cut_stream_keeps_what_was_sent_and_is_typed(
    server: ModelServer, decider: Decider, flow: Flow, cut: Cut
) -> None:
    """After an early end, a reset or a broken chunk the sent text stands, nothing repeats, the reason is STREAM_CUT."""
    server.script(KIND, Reply(pieces=tuple(f"말{number} " for number in range(300)), cut_after=200, cut=cut))
    with flow() as opened:
        pieces, failed = await collect(decider)
    assert failed == FailureReason.STREAM_CUT
    said = "".join(pieces).split()
    assert said == [f"말{number}" for number in range(len(said))]
    assert (len(said) <= 200, server.count(KIND)) == (True, 1)
    assert opened.decisions[0].fallback_reason == FailureReason.STREAM_CUT


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(body="<html>proxy</html>", content_type="text/html"), FailureReason.STREAM_CUT),
        (Reply(status=429), FailureReason.RATE_LIMITED),
        (Reply(status=500), FailureReason.SERVER_ERROR),
        (Reply(pieces=("가", "나"), cut_after=0), FailureReason.STREAM_CUT),
    ],
)
async def test_a_stream_that_cannot_begin_sends_nothing(
    server: ModelServer, decider: Decider, flow: Flow, reply: Reply, reason: FailureReason
) -> None:
    """Failures before the first word raise ModelUnavailable with their reason and no text.

    A limit and a fault of the server after two requests, every other after one.
    """
    server.always(reply)
    with flow():
        pieces, failed = await collect(decider)
    requests = 2 if reply.status == 429 or reply.status >= 500 else 1
    assert (pieces, failed, server.count(KIND)) == ([], reason, requests)


@pytest.mark.asyncio
async def test_a_stream_that_does_not_begin_in_time_sends_nothing(
    server: ModelServer, hasty: Decider, flow: Flow
) -> None:
    """A model that says nothing at all is given up after one request."""
    server.always(Reply(hang=True))
    with flow():
        pieces, failed = await collect(hasty)
    assert (pieces, failed) == ([], FailureReason.TIMED_OUT)
    assert server.count(KIND) <= 1


def _events(*data: str) -> Reply:
    """Return a stream of these events, at once, and nothing behind them."""
    body = "".join(f"data: {one}\n\n" for one in data)
    return Reply(body=f": waiting\n\n{body}", content_type="text/event-stream")


_SAID = '{"model": "m", "choices": [{"index": 0, "delta": {"content": "답"}}]}'
_STOPPED = '{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}'


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "odd",
    [
        "null",
        "[]",
        '"text"',
        "{}",
        '{"choices": null, "usage": null}',
        '{"choices": "none"}',
        '{"choices": [null]}',
        '{"choices": [{"delta": null}]}',
        '{"choices": [{"delta": {"content": 5}}], "model": 5}',
        '{"choices": [{"delta": {"role": "assistant", "content": null, "tool_calls": [{"index": 0}]}}]}',
        '{"choices": [], "usage": {"prompt_tokens": -1, "completion_tokens": "3"}}',
        '{"choices": [], "error": null}',
    ],
)
async def test_chunks_without_text_are_passed_over(server: ModelServer, decider: Decider, flow: Flow, odd: str) -> None:
    """Whatever endpoints put between their words takes nothing from them; [DONE] may be left out."""
    server.script(KIND, _events(odd, _SAID, odd, _STOPPED, odd))
    with flow() as opened:
        result = await collect(decider)
    assert (result, opened.usage) == ((["답"], ""), Usage(model_calls=1))


@pytest.mark.asyncio
async def test_an_event_of_several_lines_is_read_whole(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """Data over two lines, with carriage returns, a name, an id and a comment in between, is one chunk."""
    events = _SAID.replace('"choices"', '\r\n: still there\r\ndata: "choices"', 1)
    server.script(KIND, _events(f"{events}\r\nevent: chunk\r\nid: 7\r\nretry: 5", _STOPPED, "[DONE]"))
    with flow():
        assert await collect(decider) == (["답"], "")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "broken", [b'{"choices": [', b"\xff\xfe", b'{"choices": [{"delta": {"content": "\xc3\x28"}}]}']
)
async def test_an_event_that_cannot_be_read_cuts_the_stream(
    server: ModelServer, decider: Decider, flow: Flow, broken: bytes
) -> None:
    """Half an object, or bytes that are no UTF-8, end the stream behind what was said before."""
    body = b"data: %s\n\ndata: %s\n\ndata: %s\n\n" % (_SAID.encode(), broken, _STOPPED.encode())
    server.script(KIND, Reply(body=body, content_type="text/event-stream"))
    with flow():
        result = await collect(decider)
    assert result == (["답"], FailureReason.STREAM_CUT)


@pytest.mark.asyncio
async def test_an_error_event_in_the_stream_is_a_server_error(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """An error that arrives as an event ends the text with SERVER_ERROR."""
    server.script(KIND, Reply(pieces=("가", "나"), cut_after=1, cut="error"))
    with flow():
        result = await collect(decider)
    assert result == (["가"], FailureReason.SERVER_ERROR)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("finish_reason", "reason"),
    [("length", FailureReason.OUTPUT_TRUNCATED), ("content_filter", FailureReason.CONTENT_FILTERED)],
)
async def test_an_answer_that_is_not_whole_is_not_marked_complete(
    server: ModelServer, decider: Decider, flow: Flow, finish_reason: str, reason: FailureReason
) -> None:
    """An answer cut by its limit or withheld ends with an error after its text."""
    server.script(KIND, Reply(pieces=("반만",), finish_reason=finish_reason))
    with flow():
        result = await collect(decider)
    assert result == (["반만"], reason)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_silence_between_words_times_out(server: ModelServer, hasty: Decider, flow: Flow) -> None:
    """A model that falls silent is given up after the idle time, long before the call's time."""
    server.script(KIND, Reply(), Reply(pieces=("가", "나"), hang_after=1))
    clock = asyncio.get_running_loop().time
    with flow():
        await collect(hasty)  # The first call of a process loads what it needs.
        begun = clock()
        result = await collect(hasty)
        took_seconds = clock() - begun
    assert result == (["가"], FailureReason.TIMED_OUT)
    assert 0.3 <= took_seconds < 0.9
    await server.until(lambda it: it.closed_by_peer == 1)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_steady_stream_may_outlast_the_idle_time_but_not_the_calls(
    server: ModelServer, hasty: Decider, flow: Flow
) -> None:
    """Words that keep coming are cut off when the whole call's second is over."""
    server.script(KIND, Reply(pieces=("가",) * 100, piece_delay_seconds=0.05))
    with flow():
        pieces, failed = await collect(hasty)
    assert failed == FailureReason.TIMED_OUT
    assert 10 < len(pieces) < 25


@pytest.mark.asyncio
async def test_the_time_that_a_reader_takes_is_not_the_models(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """A reader that pauses longer than the idle time, with more text waiting than may pile up, loses nothing."""
    pieces = tuple("가" * 100 for _ in range(200))
    server.script(KIND, Reply(pieces=pieces))
    read = ""
    with flow():
        async with aclosing(decider.stream(PROMPT, INPUTS)) as text:
            async for piece in text:
                if not read:
                    await asyncio.sleep(0.5)
                read += piece
    assert read == "".join(pieces)


@pytest.mark.asyncio
async def test_a_stream_whose_token_count_never_comes_is_still_whole(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """Once the model said stop, a lost token count does not void the answer."""
    server.script(KIND, Reply(pieces=("다 썼습니다.",), cut_after=2, cut="reset"))
    with flow() as opened:
        pieces, failed = await collect(decider)
    assert (pieces, failed, opened.usage) == (["다 썼습니다."], "", Usage(model_calls=1))


@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.parametrize("reply", [Reply(hang=True), Reply(pieces=("가",), hang_after=1)])
async def test_a_cancelled_stream_closes_its_request_at_once(
    server: ModelServer, decider: Decider, flow: Flow, reply: Reply
) -> None:
    """Twenty clients that leave before or after the first word close twenty requests within half a second."""
    with flow(model_calls=100):
        await collect(decider)  # The first call of a process loads what it needs.
        server.always(reply)
        tasks = [asyncio.create_task(collect(decider)) for _ in range(20)]
        await server.until(lambda it: it.open_requests == 20)
        for task in tasks:
            task.cancel()
        await server.until(lambda it: it.open_requests == 0, timeout_seconds=0.5)
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(end) for end in ends} == {asyncio.CancelledError}
    assert server.closed_by_peer == 20


@pytest.mark.timed
@pytest.mark.asyncio
async def test_leaving_a_stream_early_closes_its_request(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A consumer that stops reading closes the connection by closing the iterator."""
    server.always(Reply(pieces=("가",) * 1_000, piece_delay_seconds=0.01))
    with flow():
        async with aclosing(decider.stream(PROMPT, INPUTS)) as text:
            await anext(text)
        await server.until(lambda it: it.closed_by_peer == 1, timeout_seconds=0.5)
    assert server.open_requests == 0


@pytest.mark.asyncio
async def test_without_a_model_a_stream_says_so_before_any_text(flow: Flow, decider_over: MakeDecider) -> None:
    """NOT_CONFIGURED is raised at once and recorded as a RULE without a reason."""
    with flow() as opened:
        result = await collect(decider_over(None))
    assert result == ([], FailureReason.NOT_CONFIGURED)
    assert [(item.source, item.fallback_reason) for item in opened.decisions] == [(DecisionSource.RULE, "")]


@pytest.mark.asyncio
async def test_a_refused_stream_option_is_left_out(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """An endpoint that knows no stream_options is asked again without, and answers."""
    server.script(KIND, Reply(status=400, error="Unrecognized request argument: stream_options"))
    with flow():
        pieces, failed = await collect(decider)
    assert (failed, bool(pieces), "stream_options" in server.calls[1].body) == ("", True, False)
