"""Texts of every hostile shape, as long as they may be and longer: reading them never holds the loop up.

pytest -m slow tests/robustness/fuzz -k shapes        prints what the loop computed in one go, the most of each shape

All services share one loop here, so that whatever one of them reads on it, instead of in a thread, is seen.
"""

import asyncio
import os
from pathlib import Path

import grpc
import pytest

from gateway.admission import HISTORY_CHARACTERS_MAX, HISTORY_TURNS_MAX, QUESTION_CHARACTERS_MAX
from hapju.flow.v1 import question_pb2
from services.tool_gateway.data.copying import copy_database
from tests.robustness.fuzz.test_every_rpc import LAG_SECONDS_MAX, Heard, _lag
from tests.support.cluster import Cluster, embedded

pytestmark = [pytest.mark.slow, pytest.mark.asyncio, pytest.mark.timeout(1_800)]
SHORT = 190
"""So little that it may be read at once."""
TOO_LONG = 900_000
"""Far above what a question may have, and below what a message may."""
PIECES = {
    "commas": ",",
    "digits": "7",
    "dots": ".",
    "spaces": " \t",
    "lines": "가\n",
    "hangul": "나",
    "latin": "b ",
    "ranges": "2~",
    "brackets": "[1",
    "rounds": "(((",
    "codes": "1/2-a",
    "amounts": "1만원 ",
    "sums": "집값 5억 대출 3억 ",
    "particles": "만",
    "conjunctions": "그리고 ",
    "questions": "가? ",
    "months": "지난달 ",
    "or": "or ",
    "not": "not ",
    "names": "삼성전자, 강남구, ",
    "pairs": "랑 애플이랑 ",
    "quotes": '"a" ',
    "links": "http://a.b/c ",
    "addresses": "a@b.c ",
    "json": '{"a":[',
    "fences": "```a ",
    "clauses": "제1조 임차인은 ",
    "english": "what is the price of apple and ",
    "controls": "a\u200b\x1b[0m",
    "tags": "\U000e0041a",
    "bidi": "\u202ea",
    "combining": "가\u0301",
    "emoji": "👨\u200d👩\u200d👧",
}


async def _asked(cluster: Cluster, text: str, *, turns: str = "") -> tuple[float, str, Heard]:
    """Asks a question, and returns the most that the loop computed in one go, how the question ended, and where."""
    heard = Heard()
    watching = asyncio.create_task(_lag(heard))
    each = HISTORY_CHARACTERS_MAX // HISTORY_TURNS_MAX
    history = [
        question_pb2.Turn(speaker=question_pb2.SPEAKER_USER, text=(turns * each)[:each])
        for _ in range(HISTORY_TURNS_MAX if turns else 0)
    ]
    with heard.standing.looked_at():
        try:
            end = str((await cluster.ask(text, history=history)).terminal)
        except grpc.aio.AioRpcError as error:
            end = error.code().name
    watching.cancel()
    return max(heard.computed, default=0.0), end, heard


async def test_shapes_leave_the_loop_free(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each shape as a short text, as the longest question, as a whole history, and far too long."""
    copy_database(data, tmp_path / "data.db")
    found: list[tuple[float, str, str, Heard]] = []
    async with embedded(tmp_path, tmp_path / "data.db", typed_asks=True, log_level="error") as cluster:
        for question in ("애플 주가 알려줘", "강남구 아파트 매매 시세 알려줘", "3만원 이하 이어폰 추천해줘"):
            await cluster.ask(question)
        for name, piece in PIECES.items():
            most = QUESTION_CHARACTERS_MAX
            for kind, told in (
                ("short", await _asked(cluster, (piece * SHORT)[:SHORT])),
                ("long", await _asked(cluster, (piece * most)[:most])),
                ("history", await _asked(cluster, "그럼 작년은?", turns=piece)),
                ("too long", await _asked(cluster, (piece * TOO_LONG)[: TOO_LONG // len(piece[0].encode())])),
            ):
                found.append((told[0], f"{name}, {kind}", told[1], told[2]))
    found.sort(key=lambda one: -one[0])
    with capsys.disabled():
        print(f"\nload average {os.getloadavg()[0]:.1f}")  # noqa: T201
        for seconds, name, end, heard in found[:12]:
            print(f"{seconds * 1e3:.0f} ms: {name}: {end}; {'; '.join(heard.standing.lines()[:1])}")  # noqa: T201
    assert {end for _, name, end, _ in found if "too long" in name} <= {"INVALID_ARGUMENT", "['finished']"}
    assert {end for _, name, end, _ in found if "too long" not in name} == {"['finished']"}
    assert found[0][0] <= LAG_SECONDS_MAX, found[0][1:3]
