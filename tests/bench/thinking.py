"""`python -m tests.bench.thinking SECONDS`: a model that takes its time, to measure how a flow waits for it.

    GET /calls      the calls since the last time, {kind, began, ended} in seconds of the machine's monotonic clock

It answers each kind of decision of the benchmark's question as a well-behaved model would, from what the prompt offers,
and each after the same time. It prints its base URL, and ends with its standard input.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, Final

from aiohttp import web

from prompts.prompt import KIND_LINE

_FENCE: Final = re.compile(r'<data name="(?P<name>[a-z_]+)">\n(?P<body>.*?)\n</data>', re.DOTALL)
_OFFER: Final = re.compile(r"^- (?P<name>[\w.]+): ", re.MULTILINE)
_TOOL: Final = re.compile(r"^- (?P<name>[\w.]+): .*\n  parameters: (?P<schema>.*)$", re.MULTILINE)
_FIGURES_SAID: Final = 4
_CALLS_MAX: Final = 6


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the model."""

    kind: str
    """The decision's kind."""
    began: float
    """When it arrived."""
    ended: float
    """When its answer was sent, or its caller had left."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A prompt as a model reads it."""

    kind: str
    system: str
    user: str

    def data(self, name: str) -> str:
        """Returns what stands in a fence."""
        return next((one["body"] for one in _FENCE.finditer(self.user) if one["name"] == name), "")

    def lines(self, name: str) -> Iterator[Any]:
        """Yields the objects of a fence that holds one a line."""
        return (json.loads(line) for line in self.data(name).splitlines() if line)

    def offers(self) -> list[str]:
        """Returns the names that the system message lists."""
        return [one["name"] for one in _OFFER.finditer(self.system)]


def _echoed(field: str) -> "_Answer":
    return lambda asked: {field: asked.data("question"), "reasoning": "it stands by itself"}


def _team(asked: _Asked) -> dict[str, Any]:
    """Chooses whoever looks prices up, and whoever judges them after that."""
    wanted = [name for name in ("realty.search", "realty.analysis") if name in asked.offers()]
    steps = [
        {"agent": agent, "task": asked.data("question"), "depends_on": [at] if at else []}
        for at, agent in enumerate(wanted)
    ]
    return {"steps": steps, "confidence": 0.9, "reasoning": "figures first, then what they mean"}


def _parts(asked: _Asked) -> dict[str, Any]:
    steps = [
        {"agent": agent, "sub_question": asked.data("question"), "depends_on": [at] if at else [], "condition": ""}
        for at, agent in enumerate(asked.offers())
    ]
    return {"steps": steps, "confidence": 0.9, "reasoning": "each answers its part of the whole"}


def _tools(asked: _Asked) -> dict[str, Any]:
    """Calls every tool whose required arguments are known."""
    known = {value["name"]: json.loads(value["value"]) for value in asked.lines("known_values")}
    calls = []
    for tool in _TOOL.finditer(asked.system):
        schema = json.loads(tool["schema"])
        if known.keys() >= set(schema.get("required", [])):
            arguments = {name: known[name] for name in schema.get("properties", {}) if name in known}
            calls.append({"tool": tool["name"], "arguments": json.dumps(arguments, ensure_ascii=False)})
    return {"calls": calls[:_CALLS_MAX], "skipped": [], "confidence": 0.9, "reasoning": "what is known fits"}


def _figure(metric: Mapping[str, str]) -> str:
    return f"{metric['label']} {metric['value']} {metric['unit']}".rstrip()


def _summary(asked: _Asked) -> dict[str, Any]:
    said = [_figure(metric) for metric in asked.lines("metrics")][:_FIGURES_SAID]
    return {"summary": "; ".join(said) or "-", "key_drivers": said[:1], "primary_trend": "NEUTRAL", "confidence": 0.8}


def _citations(asked: _Asked) -> dict[str, Any]:
    worded = [{"mark": line["mark"], "title": line["title"]} for line in asked.lines("citations")]
    return {"citations": worded, "reasoning": "in order as they are"}


def _written(asked: _Asked) -> str:
    figures = [figure for finding in asked.lines("findings") for figure in finding["figures"][:_FIGURES_SAID]]
    said = [f"{_figure(figure)} {figure['mark']}".rstrip() + "." for figure in figures]
    return "\n".join([*said, *(str(line) for name in ("cautions", "missing") for line in asked.lines(name))])


def _always(**answer: Any) -> "_Answer":
    return lambda _: answer


_Answer = Callable[[_Asked], dict[str, Any] | str]
_ANSWERS: Final[Mapping[str, _Answer]] = {
    "policy_safety": _always(verdict="ALLOW", tags=[], reason="nothing is wrong", confidence=0.95),
    "intent_analysis": _always(
        domain="realty",
        intent="COMPREHENSIVE",
        confidence=0.95,
        alternatives=[],
        sql_need=True,
        graph_need=False,
        reasoning="prices and their risk",
    ),
    "question_asks": _always(asks=[], reasoning="as the rules read it"),
    "query_rewrite": _echoed("rewritten_question"),
    "query_normalization": _echoed("normalised_question"),
    "data_sufficiency_check": _always(
        is_sufficient=False, confidence=0.9, data_source="none", missing_types=[], reasoning="nothing of it is held"
    ),
    "agent_selection": _team,
    "query_decomposition": _parts,
    "execution_strategy": _always(strategy="SEQUENTIAL", confidence=0.9, reasoning="one builds on the other"),
    "tool_orchestration": _tools,
    "agent_summary": _summary,
    "execution_orchestration": _always(
        quality_score=0.9, relevance=0.9, action="continue", confidence=0.9, reasoning="it serves its task"
    ),
    "execution_review": _always(
        goal_achieved="yes", score=0.9, missing=[], confidence=0.9, reasoning="every part has a result"
    ),
    "response_synthesis": _written,
    "citation_postprocess": _citations,
}


class _Model:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._calls: list[Call] = []

    async def calls(self, _: web.Request) -> web.Response:
        calls, self._calls = self._calls, []
        return web.json_response([asdict(call) for call in calls])

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        system, user = (str(message["content"]) for message in body["messages"][:2])
        asked = _Asked(system.partition("\n")[0].removeprefix(KIND_LINE), system, user)
        async with self._timed(asked.kind):
            await asyncio.sleep(self._seconds)
            answer = _ANSWERS[asked.kind](asked)
            text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
            return await _streamed(request, text) if body.get("stream") else web.json_response(_completion(text))

    @asynccontextmanager
    async def _timed(self, kind: str) -> AsyncIterator[None]:
        began = perf_counter()
        try:
            yield
        finally:
            self._calls.append(Call(kind, began, perf_counter()))


def _usage(text: str) -> dict[str, int]:
    return {"prompt_tokens": 100, "completion_tokens": len(text), "total_tokens": 100 + len(text)}


def _completion(text: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    head = {"id": "bench", "object": "chat.completion", "created": 0, "model": "bench"}
    return {**head, "choices": [choice], "usage": _usage(text)}


async def _streamed(request: web.Request, text: str) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    deltas = [{"content": word} for word in re.findall(r"\S+\s*", text)]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    parts: list[dict[str, Any]] = [
        *({"choices": [choice]} for choice in choices),
        {"choices": [], "usage": _usage(text)},
    ]
    head = {"id": "bench", "object": "chat.completion.chunk", "created": 0, "model": "bench"}
    for part in parts:
        await response.write(b"data: " + json.dumps({**head, **part}, ensure_ascii=False).encode() + b"\n\n")
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


async def _serve(seconds: float) -> None:
    model = _Model(seconds)
    app = web.Application(client_max_size=16 * 1_024 * 1_024)
    app.router.add_get("/calls", model.calls)
    app.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sys.stdout.write(f"http://127.0.0.1:{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
