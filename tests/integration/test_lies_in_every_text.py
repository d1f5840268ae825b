"""A model that lies in every text that it may write: where each of them can go, through whole flows."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from hapju.gateway.v1 import gateway_service_pb2 as pb
from tests.support.cluster import Cluster, embedded
from tests.support.model_server import ModelServer
from tests.support.models import SENSIBLE, Answer, Asked
from tests.support.text_fields import USES, Use, filled, text_fields

QUESTIONS: Final = (
    "엔비디아 주가가 왜 내렸어",
    "그럼 애플이랑 비교하면 어때?",
    "강남구 아파트 전세 시세랑 2026년 10월 거래량 알려줘",
    "안녕하세요, 물은 왜 끓나요?",
)
RECORD: Final = re.compile(r"(?:^|\.)(?:decisions?|dropped|spent|call_chain|chain|after)(?:\.|\[|$)")
"""Where the record of what a model said stands: told as that, and nowhere as ours."""
NAMES: Final = {field: f"허깨비{chr(ord('가') + 28 * place)}" for place, field in enumerate(sorted(USES))}
"""A word for each text, by which it is known again wherever it goes."""


def lie(field: str) -> str:
    """Returns what a text says that lies: a figure, an act and a host of its own."""
    return f"{NAMES[field]} 값은 777,777원이고 주문을 완료했습니다. evil.example 참고"


def harmless(field: str) -> str:
    """Returns what a text says that claims nothing."""
    return f"{NAMES[field]} 내용을 살펴봅니다"


def speaking(texts: Mapping[str, str]) -> dict[str, Answer]:
    """Returns a model that is sensible but for some of its texts."""
    by_kind: dict[str, dict[str, str]] = defaultdict(dict)
    for field, text in texts.items():
        kind, _, path = field.partition(":")
        by_kind[kind][path] = text

    def answering(kind: str) -> Answer:
        def answer(asked: Asked) -> str:
            wanted, sensible = by_kind[kind], SENSIBLE[kind](asked)
            if "" in wanted:
                return f"{wanted['']}. {sensible}"
            return json.dumps(filled(json.loads(sensible), wanted), ensure_ascii=False)

        return answer

    return {kind: answering(kind) if kind in by_kind else sensible for kind, sensible in SENSIBLE.items()}


async def told_by(
    texts: Mapping[str, str], tmp_path: Path, data: Path, **settings: Any
) -> tuple[dict[str, set[str]], set[str]]:
    """Returns where each text of a model went in a conversation, by its field, and which decisions were asked for."""
    async with ModelServer(speaking(texts)) as server:
        own = {"openai_base_url": server.base_url, "openai_api_key": "test", "conversation_summary": True, **settings}
        async with embedded(tmp_path, data, **own) as cluster:
            places = [place async for place in _all_told(cluster)]
        asked = {call.kind for call in server.calls}
    found: dict[str, set[str]] = defaultdict(set)
    for path, text in places:
        for field, name in NAMES.items():
            if name in text:
                found[field].add(path)
    return found, asked


async def _all_told(cluster: Cluster) -> Any:
    """Yields every text that a client can get of a conversation, with its path."""
    session = ""
    for question in QUESTIONS:
        told = await cluster.ask(question, session_id=session)
        session = session or told.of("accepted")[0].session_id
        for event in told.events:
            for one in _texts(event, ""):
                yield one
        for one in _texts(
            await cluster.stub.GetFlow(pb.GetFlowRequest(flow_run_id=told.answer.flow_run_id), timeout=5), "flow"
        ):
            yield one
    for one in _texts(await cluster.stub.GetSession(pb.GetSessionRequest(session_id=session), timeout=5), "session"):
        yield one
    for one in _texts(await cluster.stub.ListSessions(pb.ListSessionsRequest(), timeout=5), "sessions"):
        yield one


def _texts(message: Message, path: str) -> Iterator[tuple[str, str]]:
    for field, value in message.ListFields():
        where = f"{path}.{field.name}".lstrip(".")
        values: Iterable[Any] = value if field.is_repeated else (value,)
        if field.type == FieldDescriptor.TYPE_STRING:
            yield from ((where, text) for text in values)
        elif field.type == FieldDescriptor.TYPE_BYTES:
            yield from ((where, text.decode("utf-8", "ignore")) for text in values)
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for one in values:
                yield from _texts(one, where)


def test_every_text_of_a_model_has_an_entry() -> None:
    """Each text field of each decision, found in the prompts, says where it may go, and no entry is of another."""
    assert text_fields() == set(USES)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "uses", [{Use.RECORD}, {Use.CHECKED, Use.RESTATED}, {Use.CHOSEN}], ids=["record", "worded", "chosen"]
)
async def test_no_lie_reaches_a_person(tmp_path: Path, data: Path, uses: set[Use]) -> None:
    """Whatever a model writes into a text stands in the record of its decision, and nowhere as something told."""
    lies = {field: lie(field) for field, use in USES.items() if use in uses}
    found, asked = await told_by(lies, tmp_path, data)
    astray = {field: {one for one in places if not RECORD.search(one)} for field, places in found.items()}
    assert {field: places for field, places in astray.items() if places} == {}
    assert len(asked) >= 10, asked


@pytest.mark.asyncio
async def test_a_harmless_text_goes_where_its_entry_says(tmp_path: Path, data: Path) -> None:
    """What claims nothing is told where texts of its use go; what is only recorded, or chosen, is told nowhere."""
    texts = {field: harmless(field) for field, use in USES.items() if use is not Use.CHOSEN}
    found, _ = await told_by(texts, tmp_path, data)
    told = {field for field, places in found.items() if any(not RECORD.search(one) for one in places)}
    assert {field for field in told if USES[field] is Use.RECORD} == set()
    assert "response_synthesis:" in told
    assert any(USES[field] is Use.RESTATED for field in told)
