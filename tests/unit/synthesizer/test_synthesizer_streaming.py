"""Answers over real gRPC, with the model behind a real OpenAI-compatible server or without any."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from pydantic import SecretStr

from hapju.synthesizer.v1 import synthesizer_service_pb2 as pb
from hapju.synthesizer.v1 import synthesizer_service_pb2_grpc as pb_grpc
from services.contract.events import Delta
from services.contract.flow import Budget, DecisionSource, FailureTag, Speaker, Turn
from services.contract.mapping import from_proto, to_proto
from services.contract.synthesizer import SynthesizedAnswer, SynthesizeRequest, SynthesizeResponse
from services.grounding.sentences import sentences
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.errors import InvalidRequest
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.server import start
from services.runtime.settings import Settings
from services.synthesizer.servicer import register
from tests.support.model_server import Cut, ModelServer, Reply
from tests.unit.synthesizer.answer_parts import equity, evidence, macro, metric, nothing, request

_SAYS = "미국 고용은 안정적입니다. 미국 실업률은 2026년 10월 4.1%입니다 [1]. 흐름을 지켜볼 만합니다."


@asynccontextmanager
async def _synthesizer(
    data_dir: Path,
    base_url: str = "",
    *,
    silence_seconds_max: float = 10.0,
    orders_citations: bool = True,
    ahead: bool = True,
) -> AsyncIterator["pb_grpc.SynthesizerServiceAsyncStub"]:
    settings = Settings(
        data_dir=data_dir,
        log_level="error",
        openai_base_url=base_url,
        openai_api_key=SecretStr("key" if base_url else ""),
        llm_first_token_timeout_seconds=silence_seconds_max,
        llm_idle_timeout_seconds=silence_seconds_max,
        citation_postprocess=orders_citations,
        decide_ahead=ahead,
        typed_asks=False,  # the whole template, whose questions nobody has read
    )
    service = await start("synthesizer", register, settings, listen="127.0.0.1:0", addresses={})
    peers = Peers("orchestrator", {"synthesizer": service.address}, Assertions(settings.assertion_key))
    try:
        with acting_for(Caller("u1")), deadlines.within(10):
            yield peers.stub(pb_grpc.SynthesizerServiceStub, "synthesizer")
    finally:
        await peers.close()
        await service.stop(1.0)


async def _answer(
    stub: "pb_grpc.SynthesizerServiceAsyncStub", asked: SynthesizeRequest
) -> tuple[list[str], SynthesizedAnswer]:
    """Return the deltas' texts and the answer, having checked that they fit together."""
    texts: list[str] = []
    answers: list[SynthesizedAnswer] = []
    async for message in stub.Synthesize(to_proto(asked, pb.SynthesizeRequest)):
        event = from_proto(message, SynthesizeResponse).event
        if isinstance(event, Delta):
            assert (asked.answer_attempt, len("".join(texts)), []) == (event.answer_attempt, event.text_offset, answers)
            texts.append(event.text)
        else:
            answers.append(event)
    (answer,) = answers
    assert "".join(texts) == answer.final_response
    return texts, answer


@pytest.mark.asyncio
@pytest.mark.parametrize("locale", ["ko", "en"])
async def test_without_a_model_the_template_is_told_in_one_piece(tmp_path: Path, locale: str) -> None:
    """A finished text is told at once. The source is RULE, nothing failed, and the whole answer comes last and once."""
    async with _synthesizer(tmp_path) as stub:
        texts, answer = await _answer(stub, request([equity(locale), macro(locale)], locale=locale))
    assert (answer.source, answer.failure_tags) == (DecisionSource.RULE, ())
    assert [one.evidence_id for one in answer.citations] == ["ev-00aa11", "ev-00bb22"]
    assert {one.data_type: one.freshness.value for one in answer.data_freshness} == {"price": "FRESH", "macro": "FRESH"}
    assert [(one.kind, one.source) for one in answer.spent.decisions] == [
        ("response_synthesis", DecisionSource.RULE),
        ("citation_postprocess", DecisionSource.RULE),
    ]
    assert texts == [answer.final_response]


@pytest.mark.asyncio
async def test_a_models_text_is_streamed_and_completed(tmp_path: Path) -> None:
    """What the model left out and every answer holds is put behind it: missing parts, cautions, sample, as-of."""
    asked = request([macro(), nothing()], cautions=["배송 지역을 확인해 주세요."])
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=_SAYS))
        texts, answer = await _answer(stub, asked)
    assert answer.source is DecisionSource.LLM
    assert texts[0] == "미국 고용은 안정적입니다. "
    assert answer.final_response.startswith(_SAYS.replace(" [1]", ""))
    for told in ("부동산 자료 조회: 해당하는", "배송 지역을", "예시 데이터", "자료 기준일"):
        assert told in answer.final_response
    assert [one.evidence_id for one in answer.citations] == ["ev-00bb22"]
    assert (answer.dropped, answer.failure_tags) == ((), ())


@pytest.mark.asyncio
async def test_a_models_conclusion_against_the_newest_move_is_hedged(tmp_path: Path) -> None:
    """Whatever a model concludes, the newest evidence that goes against it is said behind it."""
    rising = metric("trend", "최근 추세", "", "", "미국 실업률", "ev-00bb22", word="up")
    told = macro()
    asked = request([replace(told, metrics=(*told.metrics, rising))])
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=_SAYS))
        _, answer = await _answer(stub, asked)
    assert answer.source is DecisionSource.LLM
    assert "방향을 단정하기 어렵습니다" in answer.final_response


@pytest.mark.asyncio
async def test_a_follow_up_is_read_in_its_conversation_and_rests_on_rows_alone(tmp_path: Path) -> None:
    """A model is shown the conversation as data, cut where it is long; a figure that only it holds is dropped."""
    turns = [
        Turn(Speaker.USER, "첫 질문", None),
        *(Turn(Speaker.ASSISTANT, f"{n}번 " + "가" * 2_000, None) for n in range(5)),
    ]
    said = Turn(Speaker.USER, "지난번에는 7.7%라고 했지?", None)
    asked = replace(request([macro()], question="그럼 실업률은?"), history=(*turns, said))
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text="미국 실업률은 2026년 10월 4.1%입니다. 예전에는 7.7%였습니다."))
        _, answer = await _answer(stub, asked)
        (messages,) = [call.body["messages"] for call in server.calls if call.kind == "response_synthesis"]
    system, user = str(messages[0]["content"]), str(messages[-1]["content"])
    assert answer.final_response.startswith("미국 실업률은 2026년 10월 4.1%입니다.")
    assert ("7.7%" in answer.final_response, len(answer.dropped)) == (False, 1)
    assert ("첫 질문" in user, "4번 가" in user, said.text in user, said.text in system) == (True, True, True, False)
    assert len(user) < 10_000
    assert user.index('name="history"') < user.index(said.text) < user.index('name="question"')


@pytest.mark.asyncio
async def test_a_mark_without_evidence_is_removed_and_counted(tmp_path: Path) -> None:
    """No mark reaches the reader; what is cited is what there is, and each mark of nothing is counted."""
    text = "미국 실업률은 2026년 10월 4.1%입니다 [1][7]. 흐름을 봅니다 [9]."
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=text))
        _, answer = await _answer(stub, request([macro()]))
    assert (len(answer.dropped), [one.evidence_id for one in answer.citations]) == (2, ["ev-00bb22"])
    assert "[" not in answer.final_response


@pytest.mark.asyncio
async def test_false_figures_and_orders_are_dropped_and_counted(tmp_path: Path) -> None:
    """Nothing that no row supports reaches the client, and the confidence is lower for it."""
    text = "미국 실업률은 2026년 10월 4.1%입니다. 9.9%까지 뜁니다. 12월 24일에 다시 봅니다. 매수하세요. 끝입니다."
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=text))
        _, answer = await _answer(stub, request([macro()]))
    assert answer.final_response.startswith("미국 실업률은 2026년 10월 4.1%입니다. 끝입니다.")
    assert (len(answer.dropped), answer.source) == (3, DecisionSource.LLM)
    assert answer.evidence_confidence == 0.55


@pytest.mark.asyncio
async def test_a_sentence_that_loses_its_claim_goes_whole(tmp_path: Path) -> None:
    """No half of it is told, and no note stands in its place; the record says what was left out."""
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text="다음 달 실업률은 9.9%입니다. 미국 고용은 안정적입니다."))
        _, answer = await _answer(stub, request([macro()]))
    assert answer.final_response.startswith("미국 고용은 안정적입니다.")
    assert "다음 달" not in answer.final_response
    assert [one.text for one in answer.dropped] == ["다음 달 실업률은 9.9%입니다."]


@pytest.mark.asyncio
@pytest.mark.parametrize("how", ["eof", "reset", "bad_chunk", "error"])
@pytest.mark.parametrize("after", [0, 2, 7, 8, 10])
async def test_a_cut_stream_goes_on_with_the_template(tmp_path: Path, how: Cut, after: int) -> None:
    """Whatever breaks and wherever: one whole answer, FALLBACK, and nothing is said twice."""
    text = "미국 실업률은 2026년 10월 4.1%로, 전월보다 0.2%p 내렸습니다. 다음 흐름을 지켜볼 만합니다."
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=text, cut_after=after, cut=how))
        _, answer = await _answer(stub, request([macro()]))
    assert answer.source is DecisionSource.FALLBACK
    assert answer.failure_tags == (FailureTag.RESPONSE_SYNTHESIS_FAILED,)
    assert answer.final_response.count("4.1%") == 1
    assert answer.final_response.count("0.2%p") == 1
    assert "1. 관련된 다른 지표와 비교해 보세요." in answer.final_response
    (decision,) = answer.spent.decisions
    assert (decision.source, bool(decision.fallback_reason)) == (DecisionSource.FALLBACK, True)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=500),
        Reply(status=429),
        Reply(hang=True),
        Reply(body="<html>no</html>", content_type="text/html"),
        Reply(text=""),
        Reply(text="9.9%입니다. 매수하세요."),
        Reply(text=_SAYS, finish_reason="length"),
        Reply(text=_SAYS, hang_after=4),
    ],
    ids=["500", "429", "hang", "html", "empty", "all_dropped", "length", "silent"],
)
async def test_a_model_without_a_usable_answer_leaves_the_template(tmp_path: Path, reply: Reply) -> None:
    """The answer is whole, and says by its source and tag that the model failed."""
    waits = 1.0 if reply.hang or reply.hang_after else 10.0
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url, silence_seconds_max=waits) as stub:
        requests = 1 if reply.status == 200 else 2  # a limit and a fault of the server are met once more
        server.script("response_synthesis", *[reply] * requests)
        _, answer = await _answer(stub, request([macro()]))
    assert server.count("response_synthesis") == requests
    assert (answer.source, answer.failure_tags) == (
        DecisionSource.FALLBACK,
        (FailureTag.RESPONSE_SYNTHESIS_FAILED,),
    )
    said = [sentence.strip() for sentence in sentences(answer.final_response)]
    assert len(said) == len(set(said))
    assert "4.1%" in answer.final_response
    assert "자료 기준일" in answer.final_response


@pytest.mark.asyncio
async def test_a_model_that_may_not_be_asked_is_no_failure(tmp_path: Path) -> None:
    """With the budget spent the template is the rule: no tag."""
    asked = request([macro()])
    asked = replace(asked, run=replace(asked.run, budget=Budget(0, 0, 0, 0)))
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        _, answer = await _answer(stub, asked)
        assert server.calls == []
    assert (answer.source, answer.failure_tags) == (DecisionSource.RULE, ())


@pytest.mark.asyncio
async def test_the_text_survives_being_split_at_every_byte(tmp_path: Path) -> None:
    """Whole characters arrive, and each delta is whole UTF-8, wherever the bytes are parted."""
    text = "내부 데이터 없이 드리는 답: 값 3만원 👨‍👩‍👧‍👦 각"
    asked = request([], domain="general", intent="general_knowledge")
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        for offset in range(100, 260):
            server.script("general_knowledge", Reply(pieces=(text,), split=(offset,)))
            texts, answer = await _answer(stub, asked)
            assert text == answer.final_response
            assert "\ufffd" not in "".join(texts)


@pytest.mark.asyncio
async def test_a_citation_leads_to_the_document_that_holds_the_words(tmp_path: Path) -> None:
    """Marks count within the prompt alone; the citation bears the id of what was marked."""
    names = ("alpha-1", "bravo-2", "charlie-3")
    pieces = tuple(evidence(f"ev-{name}", [], data_type="knowledge", title=f"문서 {name}") for name in names)
    held = macro()
    result = type(held)(
        agent="finance.macro", step_id="s-1", status=held.status, summary="찾았습니다.", evidence=pieces
    )
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text="그 낱말은 이 문서에 있습니다 [2]. 다른 곳에는 없습니다 [9]."))
        _, answer = await _answer(stub, request([result]))
    assert answer.citations[0].evidence_id == "ev-bravo-2"
    assert answer.citations[0].title == "문서 bravo-2"


def _ordered(*citations: tuple[str, str]) -> Reply:
    worded = [{"mark": mark, "title": title} for mark, title in citations]
    return Reply(text=json.dumps({"citations": worded, "reasoning": "newest first"}, ensure_ascii=False))


@pytest.mark.asyncio
async def test_a_model_orders_and_words_citations_and_nothing_else(tmp_path: Path) -> None:
    """Ids stay with their documents; a title that gains a figure keeps its wording; the decision is recorded."""
    asked = request([macro(), equity()])
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=_SAYS))
        server.script("citation_postprocess", _ordered(("c2", "애플 주가"), ("c1", "미국 실업률 9.9%")))
        _, answer = await _answer(stub, asked)
    assert [(one.evidence_id, one.title) for one in answer.citations] == [
        ("ev-00aa11", "애플 주가"),
        ("ev-00bb22", "미국 실업률"),
    ]
    assert [(one.kind, one.source) for one in answer.spent.decisions][-1] == (
        "citation_postprocess",
        DecisionSource.LLM,
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "reply",
    [
        _ordered(("c1", "하나")),
        _ordered(("c1", "하나"), ("c1", "둘")),
        _ordered(("c1", "하나"), ("c9", "둘")),
        Reply(status=500),
    ],
    ids=["missing", "twice", "invented", "failing"],
)
async def test_a_list_that_is_not_the_same_one_is_not_taken(tmp_path: Path, reply: Reply) -> None:
    """The order of use stays, after one repair; nothing is lost, doubled or invented."""
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=_SAYS))
        server.script("citation_postprocess", reply, reply)
        _, answer = await _answer(stub, request([macro(), equity()]))
    assert [one.evidence_id for one in answer.citations] == ["ev-00bb22", "ev-00aa11"]
    assert answer.spent.decisions[-1].source is DecisionSource.FALLBACK


def _kinds(answer: SynthesizedAnswer) -> list[tuple[str, DecisionSource]]:
    return [(one.kind, one.source) for one in answer.spent.decisions]


@pytest.mark.asyncio
async def test_citations_are_put_in_order_while_the_text_is_written(tmp_path: Path) -> None:
    """Those that were foreseen are asked about once, beside the text; asked behind it the answer is the same."""
    answers, apart = [], []
    for ahead in (True, False):
        async with ModelServer() as server, _synthesizer(tmp_path, server.base_url, ahead=ahead) as stub:
            server.script("response_synthesis", Reply(text=_SAYS, piece_delay_seconds=0.02))
            # An answer at once could be over before the text is begun.
            ordered = replace(_ordered(("c2", "애플 주가"), ("c1", "미국 실업률")), latency_seconds=0.1)
            server.script("citation_postprocess", ordered)
            _, answer = await _answer(stub, request([macro(), equity()]))
            (ordering,) = (one for one in server.spans if one.kind == "citation_postprocess")
            (writing,) = (one for one in server.spans if one.kind == "response_synthesis")
        answers.append((_kinds(answer), answer.final_response, answer.citations, answer.spent.usage))
        apart.append(not ordering.overlaps(writing))
    assert answers[0] == answers[1]
    assert apart == [False, True]


@pytest.mark.asyncio
async def test_citations_that_come_out_otherwise_are_asked_about_anew(tmp_path: Path) -> None:
    """The order that counts is that of the citations as they stand; the other one is paid for and is no decision."""
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=_SAYS, piece_delay_seconds=0.02))
        server.script(
            "citation_postprocess", _ordered(("c2", "실업"), ("c1", "주가")), _ordered(("c2", "둘"), ("c1", "하나"))
        )
        _, answer = await _answer(stub, request([equity(), macro()]))
    assert [(one.evidence_id, one.title) for one in answer.citations] == [("ev-00aa11", "둘"), ("ev-00bb22", "하나")]
    assert _kinds(answer) == [("response_synthesis", DecisionSource.LLM), ("citation_postprocess", DecisionSource.LLM)]
    assert answer.spent.usage.model_calls == len(server.calls) == 3


@pytest.mark.asyncio
async def test_a_text_that_fails_leaves_no_open_question(tmp_path: Path) -> None:
    """Citations of an answer from the templates are asked about by nobody; the early question is closed."""
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(status=500, latency_seconds=0.1), Reply(status=500))
        server.script("citation_postprocess", Reply(hang=True))
        _, answer = await _answer(stub, request([macro(), equity()]))
        await server.until(lambda now: now.open_requests == 0)
    assert _kinds(answer) == [("response_synthesis", DecisionSource.FALLBACK)]
    assert answer.spent.usage.model_calls == 2


@pytest.mark.asyncio
async def test_nothing_is_asked_ahead_at_the_end_of_a_budget(tmp_path: Path) -> None:
    """A question that may come to nothing is not put where it could be missed."""
    asked = request([macro(), equity()])
    short = replace(asked, run=replace(asked.run, budget=replace(asked.run.budget, model_calls=4)))
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", Reply(text=_SAYS, piece_delay_seconds=0.02))
        _, answer = await _answer(stub, short)
    assert [one.kind for one in server.spans] == ["response_synthesis", "citation_postprocess"]
    assert answer.spent.usage.model_calls == 2


@pytest.mark.asyncio
async def test_the_switch_leaves_the_order_of_use(tmp_path: Path) -> None:
    """No model is asked and no decision is made."""
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url, orders_citations=False) as stub:
        server.script("response_synthesis", Reply(text=_SAYS))
        _, answer = await _answer(stub, request([equity(), macro()]))
        assert server.count("citation_postprocess") == 0
    assert [one.kind for one in answer.spent.decisions] == ["response_synthesis"]


@pytest.mark.asyncio
async def test_the_head_of_the_stream_does_not_wait_for_the_model(tmp_path: Path) -> None:
    """A caller knows that it is being answered while the model is still silent."""
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.always(Reply(hang=True))
        call = stub.Synthesize(to_proto(request([macro()]), pb.SynthesizeRequest))
        async with asyncio.timeout(5):
            await call.initial_metadata()
            await server.until(lambda it: it.open_requests == 1)
        call.cancel()
        await server.until(lambda it: it.open_requests == 0)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_client_that_leaves_closes_the_models_call(tmp_path: Path) -> None:
    """No model call outlives the call that it was made for."""
    reply = Reply(text="미국 고용은 안정적입니다. " * 200, piece_delay_seconds=0.02)
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("response_synthesis", reply)
        call = stub.Synthesize(to_proto(request([macro()]), pb.SynthesizeRequest))
        async for _ in call:
            break
        assert server.open_requests == 1
        call.cancel()
        async with asyncio.timeout(0.5):
            await server.until(lambda now: now.open_requests == 0)


@pytest.mark.asyncio
async def test_general_knowledge_is_streamed_and_says_that_no_data_was_consulted(tmp_path: Path) -> None:
    """The sentence is put behind a text without it, and not behind one that has it."""
    asked = request([], domain="general", intent="general_knowledge")
    async with ModelServer() as server, _synthesizer(tmp_path, server.base_url) as stub:
        server.script("general_knowledge", Reply(text="물은 100도에서 끓습니다."))
        _, bare = await _answer(stub, asked)
        _, told = await _answer(stub, asked)
    assert bare.final_response.startswith("물은 100도에서 끓습니다.")
    assert bare.final_response.count("내부 데이터") == told.final_response.count("내부 데이터") == 1
    assert (bare.source, bare.citations, bare.evidence_confidence) == (DecisionSource.LLM, (), None)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("field", "values"), [("question", {"question": " "}), ("answer_attempt", {"answer_attempt": 0})]
)
async def test_a_request_that_cannot_be_used_is_refused_by_field(
    tmp_path: Path, field: str, values: dict[str, object]
) -> None:
    """The error names what is wrong."""
    message = to_proto(request([macro()]), pb.SynthesizeRequest)
    for name, value in values.items():
        setattr(message, name, value)
    async with _synthesizer(tmp_path) as stub:
        with pytest.raises(InvalidRequest) as refused:
            async for _ in stub.Synthesize(message):
                pass
    assert [one.field for one in refused.value.violations] == [field]
    assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
