"""A small OpenAI-compatible server for tests: real HTTP on port 0, scriptable per prompt kind, and it counts.

    async with ModelServer() as server:                          answers every kind sensibly (tests.support.models)
        server.script("intent_analysis", Reply(status=429))      the next request of this kind, then sensible again
        server.always(Reply(hang=True))                          every call that has no script
        settings = LlmSettings(base_url=server.base_url)

The prompt kind of a request is the first line of its system message, "Task: <kind>"; the json_schema's name, where
there is one, says the same. As its own process: `python -m tests.support.model_server --port 8099 --status 500`
prints its base URL as the first line.
"""

import argparse
import asyncio
import json
import re
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal, Self

from aiohttp import web

from tests.support.models import SENSIBLE, Answer, Asked

Cut = Literal["eof", "reset", "bad_chunk", "error"]


@dataclass(frozen=True)
class Reply:
    """How one call is answered; the defaults are a sensible answer at once."""

    text: str | None = None
    """What the model writes, in place of the kind's sensible answer."""
    finish_reason: str = "stop"
    """As stated at the end."""
    latency_seconds: float = 0.0
    """Wait before the first byte."""
    beside: tuple[str, ...] = ()
    """Wait, before the first byte, until as many calls of these kinds have arrived as of this one: they meet."""
    hang: bool = False
    """Never answer; the request stays open until the client leaves."""
    status: int = 200
    """HTTP status; other than 200 an OpenAI error body follows."""
    error: str = "scripted"
    """The error's message."""
    retry_after: str = ""
    """The error's Retry-After, where it has one."""
    body: str | bytes | None = None
    """Raw body in place of a completion: HTML, broken JSON, another shape, events of one's own."""
    content_type: str = "application/json"
    """Content type of `body`."""
    pieces: tuple[str, ...] | None = None
    """The streamed pieces, in place of the text's words."""
    piece_delay_seconds: float = 0.0
    """Wait before each piece."""
    cut_after: int | None = None
    """Break the stream after so many pieces."""
    cut: Cut = "eof"
    """How it breaks: closed early, reset, an invalid chunk, or an error event."""
    hang_after: int | None = None
    """Say nothing more after so many pieces, connection open."""
    split: tuple[int, ...] = ()
    """Offsets at which the whole event stream's bytes are sent apart."""
    ascii_only: bool = False
    """Write \\u escapes instead of UTF-8."""
    usage: bool = True
    """Whether the tokens are stated."""
    refuses: tuple[str, ...] = ()
    """response_format types that get a refusal."""
    status_of_refusal: int = 400
    """Its HTTP status."""
    refusal: str = ""
    """Its words; empty for ones that name the type."""


@dataclass(frozen=True)
class Call:
    """One request that arrived."""

    kind: str
    """The prompt's kind."""
    body: Mapping[str, Any]
    """The request."""


@dataclass(frozen=True)
class Span:
    """How long one request was being answered, in seconds of a clock that only goes forward."""

    kind: str
    """The prompt's kind."""
    began: float
    """When it arrived."""
    ended: float
    """When its answer was sent, or its client left."""

    def overlaps(self, other: "Span") -> bool:
        """Return whether both were being answered at one time."""
        return self.began < other.ended and other.began < self.ended


@dataclass
class ModelServer:
    """The server; an async context manager."""

    answers: Mapping[str, Answer] = field(default_factory=lambda: SENSIBLE)
    """What is written for each kind when no text is scripted."""
    calls: list[Call] = field(default_factory=list)
    """Every request, in order of arrival."""
    spans: list[Span] = field(default_factory=list)
    """When each request was being answered, in order of their ends."""
    open_requests: int = 0
    """Requests being answered now."""
    closed_by_peer: int = 0
    """Requests whose client left before the end."""
    base_url: str = ""
    """http://127.0.0.1:<port>/v1 once it runs."""

    def __post_init__(self) -> None:
        self._scripts: defaultdict[str, deque[Reply]] = defaultdict(deque)
        self._default = Reply()
        self._runner: web.AppRunner | None = None
        self._changed = asyncio.Condition()

    def script(self, kind: str, *replies: Reply) -> None:
        """Answer the next calls of a kind so, one after the other."""
        self._scripts[kind].extend(replies)

    def always(self, reply: Reply) -> None:
        """Answer every call without a script so."""
        self._default = reply

    def unsaid(self, kind: str) -> int:
        """Return how many scripted replies of a kind nobody has asked for yet."""
        return len(self._scripts[kind])

    def forget(self) -> None:
        """Drop what is scripted and was not asked for."""
        self._scripts.clear()

    def count(self, kind: str) -> int:
        """Return how many calls of a kind have arrived."""
        return sum(call.kind == kind for call in self.calls)

    async def until(self, holds: Callable[["ModelServer"], bool], timeout_seconds: float = 5.0) -> None:
        """Wait until something holds of this server.

        Raises:
            TimeoutError: It does not hold in time.
        """
        async with asyncio.timeout(timeout_seconds), self._changed:
            await self._changed.wait_for(lambda: holds(self))

    async def start(self, port: int = 0) -> None:
        """Listen on loopback."""
        app = web.Application(client_max_size=16 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        host, bound = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{bound}/v1"

    async def stop(self) -> None:
        """Stop listening and drop open connections."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.stop()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        asked = Asked.of(body)
        async with self._counted(Call(asked.kind, body)):
            script = self._scripts[asked.kind]
            reply = script.popleft() if script else self._default
            await self._met(asked.kind, reply.beside)
            await asyncio.sleep(reply.latency_seconds)
            if reply.hang:
                await asyncio.Event().wait()
            refused = (body.get("response_format") or {}).get("type")
            if refused in reply.refuses:
                words = f"Invalid parameter: 'response_format' of type '{refused}' is not supported"
                return _error(reply.status_of_refusal, reply.refusal or words)
            if reply.status != 200:
                return _error(reply.status, reply.error, reply.retry_after)
            if reply.body is not None:
                raw = reply.body.encode() if isinstance(reply.body, str) else reply.body
                return web.Response(body=raw, content_type=reply.content_type, charset="utf-8")
            text = reply.text if reply.text is not None else self.answers[asked.kind](asked)
            if body.get("stream"):
                return await _stream(request, reply, text)
            return web.json_response(_completion(body, reply, text))

    async def _met(self, kind: str, others: tuple[str, ...]) -> None:
        """Wait for the calls that are made beside this one; one that comes too late is not waited for any longer."""
        place = self.count(kind)
        with suppress(TimeoutError):
            await self.until(lambda it: all(it.count(other) >= place for other in others))

    @asynccontextmanager
    async def _counted(self, call: Call) -> AsyncIterator[None]:
        self.calls.append(call)
        began = perf_counter()
        self.open_requests += 1
        await self._notify()
        try:
            yield
        except asyncio.CancelledError:
            self.closed_by_peer += 1
            raise
        finally:
            self.spans.append(Span(call.kind, began, perf_counter()))
            self.open_requests -= 1
            await asyncio.shield(self._notify())

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def _error(status: int, message: str, retry_after: str = "") -> web.Response:
    error = {"message": message, "type": "scripted", "param": None, "code": None}
    return web.json_response(
        {"error": error}, status=status, headers={"Retry-After": retry_after} if retry_after else {}
    )


def _usage(text: str) -> dict[str, int]:
    return {"prompt_tokens": 100, "completion_tokens": len(text), "total_tokens": 100 + len(text)}


def _completion(body: Mapping[str, Any], reply: Reply, text: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reply.finish_reason}
    completion = {"id": "c-1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
    return {**completion, "usage": _usage(text)} if reply.usage else completion


def _events(reply: Reply, pieces: tuple[str, ...], text: str) -> list[bytes]:
    """Return the bytes of each server-sent event: the pieces, the end, the token count, [DONE]."""
    choices: list[list[dict[str, Any]]] = [[{"index": 0, "delta": {"content": piece}}] for piece in pieces]
    choices.append([{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}])
    chunks: list[dict[str, Any]] = [{"choices": choice} for choice in choices]
    if reply.usage:
        chunks.append({"choices": [], "usage": _usage(text)})
    head = {"id": "c-1", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    lines = [json.dumps({**head, **chunk}, ensure_ascii=reply.ascii_only) for chunk in chunks]
    return [f"data: {line}\n\n".encode("utf-8", "surrogatepass") for line in (*lines, "[DONE]")]


async def _stream(request: web.Request, reply: Reply, text: str) -> web.StreamResponse:
    pieces = reply.pieces if reply.pieces is not None else _words(text)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    events = _events(reply, pieces, "".join(pieces))
    if reply.split:
        await _send_split(response, b"".join(events), reply.split)
        return response
    for sent, event in enumerate(events):
        if sent == reply.hang_after:
            await asyncio.Event().wait()
        if sent == reply.cut_after:
            await _cut(request, response, reply.cut)
            return response
        await asyncio.sleep(reply.piece_delay_seconds)
        await response.write(event)
    await response.write_eof()
    return response


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\S+\s*|\s+", text))


async def _send_split(response: web.StreamResponse, data: bytes, offsets: tuple[int, ...]) -> None:
    for begin, end in zip((0, *offsets), (*offsets, len(data)), strict=True):
        if data[begin:end]:
            await response.write(data[begin:end])
            await asyncio.sleep(0)
    await response.write_eof()


async def _cut(request: web.Request, response: web.StreamResponse, how: Cut) -> None:
    """Break the connection, or the protocol, in the middle of a stream."""
    if how == "error":
        await response.write(b'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n')
        await response.write_eof()
        return
    transport = request.transport
    if transport is None:
        return
    if how == "bad_chunk":
        transport.write(b"zz\r\nnot a chunk\r\n")
    if how == "reset":
        transport.abort()
    else:
        transport.close()


async def _serve(port: int, reply: Reply) -> None:
    server = ModelServer()
    server.always(reply)
    await server.start(port)
    print(server.base_url, flush=True)  # noqa: T201 - the parent process reads it
    await asyncio.Event().wait()


def main() -> None:
    """Run as a process of its own until it is stopped."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--status", type=int, default=200)
    parser.add_argument("--latency-seconds", type=float, default=0.0)
    parser.add_argument("--piece-delay-seconds", type=float, default=0.0)
    parser.add_argument("--hang", action="store_true")
    parser.add_argument("--text")
    parser.add_argument("--cut-after", type=int)
    given = vars(parser.parse_args())
    port = given.pop("port")
    asyncio.run(_serve(port, Reply(**given)))


if __name__ == "__main__":
    main()
