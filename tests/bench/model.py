"""`python -m tests.bench.model`: a model that streams as it is told, to measure what happens to its tokens.

    POST /told      how the next answers are written, see `Manner`
    GET  /marks     when each answer's first token was written, seconds of the machine's monotonic clock

It answers every request as an OpenAI-compatible endpoint does, prints its base URL, and ends with its standard input.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from time import perf_counter
from typing import Final

from aiohttp import web

_WORDS: Final = (
    ("고용은", "소비는", "생산은", "내수는", "심리는", "재고는", "교역은"),
    ("대체로", "여전히", "꾸준히", "비교적", "전반적으로"),
    ("안정적이고", "차분하고", "고르고", "무난하고"),
    ("흐름을", "모습을", "추이를", "방향을"),
    ("지켜볼", "눈여겨볼"),
    ("만하며",),
    ("자료가", "통계가", "지표가"),
    ("더",),
    ("나오면",),
    ("다시", "한번", "거듭"),
    ("살펴봅니다.",),
)
"""The words at each place of a sentence: no figure, no name, no directive, so that nothing has to be held."""
WORDS_A_SENTENCE: Final = len(_WORDS)
"""How many tokens a sentence has."""
_STRIDE: Final = 7_919
"""Apart in number, so that sentences close to each other differ in most places; prime to how many there are."""
_COMMENT: Final = b": thinking\n\n"
"""What servers send to keep a stream open; readers pass it over."""
_BURST: Final = 32
"""Tokens that are written to the socket at once where there is no gap between them."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How an answer is written."""

    tokens: int = WORDS_A_SENTENCE
    """How many tokens it has."""
    first_seconds: float = 0.03
    """How long the first token takes."""
    gap_seconds: float = 0.0
    """How long each further one takes."""
    head_first: bool = True
    """Whether the response's head goes out before the first token, or with it."""

    def as_json(self) -> dict[str, float]:
        """Returns its object."""
        return asdict(self)


def tokens() -> Iterator[str]:
    """Yields the tokens of an endless text; thousands of sentences pass until one comes again."""
    number = 0
    while True:
        rest = number = number + _STRIDE
        for choices in _WORDS:
            rest, chosen = divmod(rest, len(choices))
            yield f"{choices[chosen]} "


class _Model:
    def __init__(self) -> None:
        self.manner = Manner()
        self.marks: list[float] = []

    async def told(self, request: web.Request) -> web.Response:
        self.manner = Manner(**await request.json())
        self.marks.clear()
        return web.Response()

    async def marked(self, _: web.Request) -> web.Response:
        return web.json_response(self.marks)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        manner = self.manner
        events = [_event(token) for token in islice(tokens(), manner.tokens)]
        if manner.head_first:
            await response.write(_COMMENT)
        await asyncio.sleep(manner.first_seconds)
        self.marks.append(perf_counter())
        await response.write(events[0])
        if manner.gap_seconds:
            for event in events[1:]:
                await asyncio.sleep(manner.gap_seconds)
                await response.write(event)
        else:
            for at in range(1, len(events), _BURST):
                await response.write(b"".join(events[at : at + _BURST]))
        await response.write(_end(manner.tokens))
        return response


def _event(token: str) -> bytes:
    return _data({"choices": [{"index": 0, "delta": {"content": token}, "finish_reason": None}]})


def _end(tokens: int) -> bytes:
    usage = {"prompt_tokens": 1, "completion_tokens": tokens, "total_tokens": tokens + 1}
    stopped = _data({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return stopped + _data({"choices": [], "usage": usage}) + b"data: [DONE]\n\n"


def _data(part: dict[str, object]) -> bytes:
    whole = {"id": "bench", "object": "chat.completion.chunk", "created": 0, "model": "bench", **part}
    return b"data: " + json.dumps(whole, ensure_ascii=False).encode() + b"\n\n"


async def _serve() -> None:
    model = _Model()
    app = web.Application()
    app.router.add_post("/told", model.told)
    app.router.add_get("/marks", model.marked)
    app.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sys.stdout.write(f"http://127.0.0.1:{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_serve())
