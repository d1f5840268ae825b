"""`python -m tests.bench.overhead.endpoint FLOW`: the same script behind an OpenAI-compatible endpoint.

It answers at once, prints its base URL, and ends with its standard input. What is no prompt of ours gets a word.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from prompts.prompt import KIND_LINE
from tests.bench.overhead.flows import FLOWS, Flow

_USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}


class _Endpoint:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    async def answer(self, request: web.Request) -> web.Response:
        asked = json.loads(await request.read())
        text = self._said(asked["messages"])
        if asked.get("stream"):
            return web.Response(body=_stream(text), content_type="text/event-stream")
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return web.json_response({**_head("chat.completion"), "choices": [choice], "usage": _USAGE})

    def _said(self, messages: list[Mapping[str, str]]) -> str:
        first = messages[0]["content"].partition("\n")[0]
        return self._flow.answer(first.removeprefix(KIND_LINE), messages[1]["content"]) if len(messages) > 1 else "done"


def _stream(text: str) -> bytes:
    choices: tuple[dict[str, Any], ...] = ({"delta": {"content": text}}, {"delta": {}, "finish_reason": "stop"})
    parts: list[dict[str, Any]] = [{"choices": [{"index": 0, **choice}]} for choice in choices]
    lines = (
        json.dumps({**_head("chat.completion.chunk"), **part}) for part in (*parts, {"choices": [], "usage": _USAGE})
    )
    return "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]")).encode()


def _head(kind: str) -> dict[str, Any]:
    return {"id": "bench", "object": kind, "created": 0, "model": "bench"}


async def _serve(flow: Flow) -> None:
    app = web.Application()
    app.router.add_post("/v1/chat/completions", _Endpoint(flow).answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sys.stdout.write(f"http://127.0.0.1:{runner.addresses[0][1]}/v1\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_serve(FLOWS[sys.argv[1]]))
