"""What streaming costs: how soon the first token comes through, and the processor time of a token when behind."""

import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from pydantic import SecretStr

from hapju.synthesizer.v1 import synthesizer_service_pb2 as pb
from hapju.synthesizer.v1 import synthesizer_service_pb2_grpc as pb_grpc
from prompts.prompt import KIND_LINE
from services.contract.events import Delta
from services.contract.mapping import from_proto, to_proto
from services.contract.synthesizer import SynthesizeResponse
from services.grounding.grounds import Grounds
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.errors import InvalidRequest
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.server import start
from services.runtime.settings import Settings
from services.synthesizer.gate import Gate
from services.synthesizer.servicer import register
from tests.support.model_server import ModelServer, Reply
from tests.unit.synthesizer.answer_parts import macro, request

_WORDS = [
    "고용은",
    "안정적이고",
    "흐름을",
    "지켜볼",
    "만하며",
    "자료가",
    "더",
    "나오면",
    "다시",
    "살펴보는",
    "편이",
    "알맞습니다.",
    "",
]
_ROUNDS = 30


@asynccontextmanager
async def _served(data_dir: Path) -> AsyncIterator[tuple[ModelServer, "pb_grpc.SynthesizerServiceAsyncStub"]]:
    async with ModelServer() as model:
        settings = Settings(
            data_dir=data_dir, log_level="error", openai_base_url=model.base_url, openai_api_key=SecretStr("key")
        )
        service = await start("synthesizer", register, settings, listen="127.0.0.1:0", addresses={})
        peers = Peers("orchestrator", {"synthesizer": service.address}, Assertions(settings.assertion_key))
        try:
            with acting_for(Caller("u1")), deadlines.within(60):
                yield model, peers.stub(pb_grpc.SynthesizerServiceStub, "synthesizer")
        finally:
            await peers.close()
            await service.stop(1.0)


@pytest.mark.asyncio
async def test_sentences_come_one_by_one_while_the_reader_keeps_up(tmp_path: Path) -> None:
    """A reader that waits gets each sentence in a delta of its own, before the next is written."""
    pieces = tuple(f"{word} " for word in ("고용은", "안정적입니다.", "흐름을", "봅니다.", "자료가", "있습니다."))
    async with _served(tmp_path) as (model, stub):
        model.script("response_synthesis", Reply(pieces=pieces, piece_delay_seconds=0.02))
        deltas: list[str] = []
        async for message in stub.Synthesize(to_proto(request([macro()]), pb.SynthesizeRequest)):
            event = from_proto(message, SynthesizeResponse).event
            if isinstance(event, Delta):
                deltas.append(event.text)
    assert [text.strip() for text in deltas[:3]] == ["고용은 안정적입니다.", "흐름을 봅니다.", "자료가 있습니다."]


async def _first_token_seconds(stub: "pb_grpc.SynthesizerServiceAsyncStub") -> float:
    began = time.perf_counter()
    call = stub.Synthesize(to_proto(request([macro()]), pb.SynthesizeRequest))
    async for _ in call:
        break
    waited = time.perf_counter() - began
    call.cancel()
    return waited


async def _models_first_token_seconds(base_url: str) -> float:
    """Return how long the model itself takes, asked without any service and without its vendor's library."""
    body = {
        "model": "m",
        "stream": True,
        "messages": [{"role": "system", "content": f"{KIND_LINE}response_synthesis"}, {"role": "user", "content": "q"}],
    }
    began = time.perf_counter()
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{base_url}/chat/completions", json=body) as response,
    ):
        async for line in response.content:
            if b"content" in line:
                break
    return time.perf_counter() - began


async def _bare_hop_seconds(stub: "pb_grpc.SynthesizerServiceAsyncStub") -> float:
    """Return how long a call takes that is refused at once."""
    began = time.perf_counter()
    with pytest.raises(InvalidRequest):
        async for _ in stub.Synthesize(pb.SynthesizeRequest()):
            pass
    return time.perf_counter() - began


@pytest.mark.bench
@pytest.mark.asyncio
async def test_how_soon_the_first_token_comes_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints the client's wait for its first token, the model's own part of it, and a bare hop."""
    reply = Reply(pieces=("고용은 ", "안정적입니다."))
    async with _served(tmp_path) as (model, stub):
        model.always(reply)
        ours = [await _first_token_seconds(stub) for _ in range(_ROUNDS)]
        models = [await _models_first_token_seconds(model.base_url) for _ in range(_ROUNDS)]
        hops = [await _bare_hop_seconds(stub) for _ in range(_ROUNDS)]
    mine, own, hop = (statistics.median(times) * 1e3 for times in (ours, models, hops))
    with capsys.disabled():
        sys.stdout.write(
            f"\nfirst token {mine:.2f} ms after the request; the model alone {own:.2f} ms; a bare hop {hop:.2f} ms\n"
        )


@pytest.mark.bench
def test_what_a_token_costs_at_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    """Prints the processor time of a token in the gate, one by one and many at once, without model and network."""
    grounds = Grounds.of(request([macro()]))
    text = [f"{word} " for word in _WORDS] * 40
    with capsys.disabled():
        for size in (1, 16):
            gate = Gate(grounds.judge, length_max=10_000)
            chunks = ["".join(text[at : at + size]) for at in range(0, len(text), size)]
            began = time.process_time()
            for chunk in chunks:
                gate.feed(chunk)
            spent = (time.process_time() - began) / len(text) * 1e6
            sys.stdout.write(f"\n{size} token(s) at a time: {spent:.1f} us of processor time a token at the gate\n")
