"""Falsehoods that sound right, planted into a model's text: none reaches a client, over real gRPC and a real stream."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from hapju.synthesizer.v1 import synthesizer_service_pb2 as pb
from hapju.synthesizer.v1 import synthesizer_service_pb2_grpc as pb_grpc
from services.contract.mapping import from_proto, to_proto
from services.contract.synthesizer import SynthesizedAnswer, SynthesizeRequest, SynthesizeResponse
from services.grounding.grounds import Grounds
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.server import start
from services.runtime.settings import Settings
from services.synthesizer.servicer import register
from tests.support.model_server import ModelServer, Reply
from tests.unit.synthesizer.planted_market import FALSE_EN, FALSE_KO, TRUE_EN, TRUE_KO, market

_FRAMES = {"ko": ("살펴본 내용입니다.", "이상입니다."), "en": ("Here is what was found.", "That is all.")}


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


async def _answer(stub: "pb_grpc.SynthesizerServiceAsyncStub", asked: SynthesizeRequest) -> SynthesizedAnswer:
    events = [
        from_proto(message, SynthesizeResponse).event
        async for message in stub.Synthesize(to_proto(asked, pb.SynthesizeRequest))
    ]
    answer = events[-1]
    assert isinstance(answer, SynthesizedAnswer)
    return answer


@pytest.mark.asyncio
@pytest.mark.parametrize(("locale", "planted"), [("ko", FALSE_KO), ("en", FALSE_EN)])
async def test_no_planted_falsehood_reaches_the_client(tmp_path: Path, locale: str, planted: tuple[str, ...]) -> None:
    """Each is dropped and counted once, its neighbours stay, and its telling end is nowhere in the answer."""
    assert len(FALSE_KO) + len(FALSE_EN) >= 60
    passed: list[str] = []
    opening, closing = _FRAMES[locale]
    async with _served(tmp_path) as (model, stub):
        for falsehood in planted:
            model.script("response_synthesis", Reply(text=f"{opening} {falsehood} {closing}"))
            answer = await _answer(stub, market(locale))
            text = answer.final_response
            whole = falsehood.rstrip(".") in text
            if whole or len(answer.dropped) != 1 or not text.startswith(opening) or closing not in text:
                passed.append(falsehood)
    assert passed == []


@pytest.mark.asyncio
@pytest.mark.parametrize(("locale", "true"), [("ko", TRUE_KO), ("en", TRUE_EN)])
async def test_what_is_true_passes_however_it_is_put(tmp_path: Path, locale: str, true: tuple[str, ...]) -> None:
    """A check that drops what holds would leave answers empty."""
    lost: list[str] = []
    async with _served(tmp_path) as (model, stub):
        for sentence in true:
            model.script("response_synthesis", Reply(text=sentence))
            answer = await _answer(stub, market(locale))
            if answer.dropped or not answer.final_response.startswith(sentence):
                lost.append(sentence)
    assert lost == []


@pytest.mark.parametrize(("locale", "planted"), [("ko", FALSE_KO), ("en", FALSE_EN)])
def test_the_check_alone_finds_each(locale: str, planted: tuple[str, ...]) -> None:
    """The judge refuses each by itself, without the stream around it."""
    grounds = Grounds.of(market(locale))
    assert [sentence for sentence in planted if grounds.judge(sentence).supported] == []


@pytest.mark.parametrize(("locale", "true"), [("ko", TRUE_KO), ("en", TRUE_EN)])
def test_every_changed_digit_is_found(locale: str, true: tuple[str, ...]) -> None:
    """The check is tested by planting an error into each digit of each true sentence."""
    grounds = Grounds.of(market(locale))
    undetected = [
        changed
        for sentence in true
        for at, mark in enumerate(sentence)
        if mark.isdigit()
        for changed in (f"{sentence[:at]}{(int(mark) + 4) % 10}{sentence[at + 1 :]}",)
        if grounds.judge(changed).supported
    ]
    assert undetected == []
