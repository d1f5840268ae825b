"""Conversations in which something is done: judged by orders, stock, money, coupons, points and the ledger."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
import pytest_asyncio

from hapju.flow.v1.failure_pb2 import FailureTag
from hapju.tool.v1 import effect_backend_service_pb2 as bank_pb
from hapju.tool.v1 import effect_backend_service_pb2_grpc as bank_grpc
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.cluster import embedded
from tests.support.effect_server import Bank
from tests.support.liar import INVENTED, lying
from tests.support.model_server import ModelServer
from tests.support.till import Till, differences, expected
from tests.support.tokens import token

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "acts").glob("*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
pytestmark = pytest.mark.asyncio(loop_scope="module")
OF_EACH, OF_EACH_LONG = 1, 3
"""So many conversations of each outcome, kind of user and language are held by default, and long; the newest."""
EVERY = 3
"""Of the others one of so many is held in the long tier; all of them in the slow one."""


def outcomes(row: dict[str, Any]) -> set[tuple[str, str, bool]]:
    """Return what a conversation comes to: tables, effects, orders and tags, each with who talks in which language."""
    after = row["after"]
    orders = after.get("orders", [])
    found = {*after, *after.get("effects", {}), *(key for one in orders for key in one)}
    found |= {str(one.get("status")) for one in orders} | {tag for tags in row.get("tags", {}).values() for tag in tags}
    return {(one, row["user_type"], " ".join(row["turns"]).isascii()) for one in found or {"nothing"}}


def some_of_each(rows: list[dict[str, Any]], count: int) -> set[str]:
    """Return the ids of those that bring an outcome which fewer than so many later ones have."""
    seen: Counter[tuple[str, str, bool]] = Counter()
    chosen = set()
    for row in reversed(rows):
        if any(seen[one] < count for one in outcomes(row)):
            chosen.add(row["id"])
            seen.update(outcomes(row))
    return chosen


_BY_DEFAULT, _LONG = some_of_each(ROWS, OF_EACH), some_of_each(ROWS, OF_EACH_LONG)


def tier(row: dict[str, Any], at: int) -> list[pytest.MarkDecorator]:
    """Return the mark of the tier that a conversation is held in; none by default."""
    if row["id"] in _BY_DEFAULT:
        return []
    return [pytest.mark.long if row["id"] in _LONG or at % EVERY == 0 else pytest.mark.slow]


_HELD = [
    pytest.param(
        row,
        id=row["id"],
        marks=[
            *tier(row, at),
            *([pytest.mark.xfail(reason=row["open"], strict=True)] if row.get("open") else []),
        ],
    )
    for at, row in enumerate(ROWS)
]
"""What is `open` in a row is not read yet, and known."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def till(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[Till]:
    """One ensemble for all conversations, on a copy of the sample that is put back after each."""
    folder = tmp_path_factory.mktemp("till")
    shop = folder / "shop.db"
    copy_database(data, shop)
    async with embedded(folder, shop, typed_asks=True) as cluster:
        yield Till(cluster, folder, shop, data)


def misses(row: dict[str, Any], answers: list[Any]) -> list[str]:
    """Return what the answers do not say, and what they must not."""
    found = []
    for at, patterns in row["says"].items():
        text = answers[int(at)].final_response
        found += [f"turn {at} lacks {one}: {text}" for one in patterns if not re.search(one, text, re.IGNORECASE)]
    texts = "\n".join(answer.final_response for answer in answers)
    found += [f"says {one}: {texts}" for one in row["never"] if re.search(one, texts, re.IGNORECASE)]
    for at, tags in row.get("tags", {}).items():
        there = [FailureTag.Name(one).removeprefix("FAILURE_TAG_") for one in answers[int(at)].failure_tags]
        there += [one.reason for one in answers[int(at)].actions if one.reason]
        found += [f"turn {at} bears {there}, not {one}" for one in tags if one not in there]
    return found


@pytest.mark.parametrize("row", _HELD)
async def test_what_is_asked_for_is_done_and_nothing_else(till: Till, row: dict[str, Any]) -> None:
    """The tables hold what was approved and nothing else; the answers say it, and never what is not so."""
    till.clear()
    answers = await till.talk(row)
    wrong = differences(row, till.changed(row["as"])) + misses(row, answers)
    assert wrong == [], "\n".join([*wrong, *(answer.final_response for answer in answers)])


STREAMED = ("buy-ko-1", "buy-en-1", "mind-1", "mind-5", "mind-8", "between-1", "between-2", "between-6", "cancel-3")
"""Conversations that a client holds as well that can be asked: its flows wait for the person's word."""


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] in STREAMED], ids=lambda row: row["id"])
async def test_a_client_that_can_be_asked_comes_to_the_same(till: Till, row: dict[str, Any]) -> None:
    """A flow that waits for a yes is answered by the next message, or let go by what changes its mind."""
    till.clear()
    said = await till.talk_streaming(row)
    assert differences(row, till.changed(row["as"])) == [], said
    assert len(said) == len(row["turns"])


CLAIMS = {
    r"주문이 완료되었|order is placed and paid": "CREATE_ORDER",
    r"주문\([^)]*\)이 취소되었|is cancelled\.": "CANCEL_ORDER",
    r"환불이 접수되어|is refunded:": "REFUND_ORDER",
    r"장바구니에 .{2,90} 담았습니다|went into your cart": "ADD_TO_CART",
}
"""What an answer claims to have done, and the effect that has to stand in the ledger for it."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def lied_to(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[Till]:
    """An ensemble whose model lies in everything that it is asked."""
    folder = tmp_path_factory.mktemp("lied")
    shop = folder / "shop.db"
    copy_database(data, shop)
    async with ModelServer(lying()) as server:
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(folder, shop, typed_asks=True, **model) as cluster:
            yield Till(cluster, folder, shop, data)
        assert server.calls, "the liar was asked"


async def unharmed(till: Till, row: dict[str, Any]) -> None:
    """Hold a conversation with the liar behind it: nothing wrong is done, and nothing false is said."""
    till.clear()
    texts = "\n".join(answer.final_response for answer in await till.talk(row))
    changed, wanted = till.changed(row["as"]), expected(row)
    done, meant = changed.get("effects", {}), wanted.get("effects", {})
    # A lie may keep what was wanted from being done; what is done is what was wanted.
    assert all(count <= meant.get(name, 0) for name, count in done.items()), (row["id"], changed)
    assert done != meant or differences(row, changed) == [], (row["id"], changed)
    assert not re.search(INVENTED, texts), texts
    assert [claim for claim, effect in CLAIMS.items() if re.search(claim, texts) and effect not in done] == [], texts


LIED = ("buy-ko-1", "mind-6", "between-3", "cancel-3", "cancel-10", "refund-7", "coupon-5", "inject-3")


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] in LIED], ids=lambda row: row["id"])
async def test_a_lying_model_does_nothing_and_is_not_told(lied_to: Till, row: dict[str, Any]) -> None:
    """Whatever a model says is done, found or allowed, only the person's yes does anything and the ledger tells it."""
    await unharmed(lied_to, row)


LIED_RUNS = 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", [ROWS[at * len(ROWS) // LIED_RUNS] for at in range(LIED_RUNS)], ids=lambda row: row["id"]
)
async def test_two_hundred_runs_with_a_liar(lied_to: Till, row: dict[str, Any]) -> None:
    """The same over conversations of every kind, each with the lies that are next."""
    await unharmed(lied_to, row)


PRESSED = 10


async def pressed(till: Till, at_once: int) -> None:
    """Have a person order, and say yes at once on several devices."""
    till.clear()
    session, bearer = f"s-{uuid4()}", token(dev_key(till.folder), "mina", user_type="consumer", seconds=600)
    await till.told("벨로닉 타자기 K30 키보드 3개 카드로 주문해줘", bearer, session)
    yes = [till.told("네", bearer, session) for _ in range(at_once)]
    texts = [answer.final_response for answer in await asyncio.gather(*yes)]
    changed = till.changed("mina")
    assert (len(changed["orders"]), changed["orders"][0]["net"], changed["effects"]) == (1, 41_700, {"CREATE_ORDER": 1})
    assert changed["used"] == {"CREATE_ORDER": 1}
    (number,) = {match for text in texts for match in re.findall(r"ORD-\d+", text)}
    assert all(number in text and "41,700" in text for text in texts), texts


@pytest.mark.parametrize("at_once", [2, PRESSED])
async def test_a_yes_said_many_times_at_once_orders_once(till: Till, at_once: int) -> None:
    """Two devices, or ten presses: one order, one charge, and every reply tells the same order."""
    await pressed(till, at_once)


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [2, PRESSED])
@pytest.mark.parametrize("trial", range(100))
async def test_a_hundred_rounds_of_it(till: Till, at_once: int, trial: int) -> None:
    """The same a hundred times over."""
    assert trial >= 0
    await pressed(till, at_once)


class SilentBank(Bank):
    """A bank that moves the money and says nothing of it, until it speaks again."""

    speaks = False

    async def PerformEffect(self, request: bank_pb.PerformEffectRequest, context: Any) -> bank_pb.PerformEffectResponse:
        """Move the money and break the connection."""
        moved = await super().PerformEffect(request, context)
        await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection broke")
        return moved

    async def SettleEffect(self, request: bank_pb.SettleEffectRequest, context: Any) -> bank_pb.SettleEffectResponse:
        """Say what was done once it speaks."""
        if not self.speaks:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection broke")
        return await super().SettleEffect(request, context)


async def test_what_is_not_known_is_said_so_and_told_once_it_is(tmp_path: Path, data: Path) -> None:
    """No order is claimed or repeated whose payment was not heard of; the next message tells how it came out."""
    shop, bank, server = tmp_path / "shop.db", SilentBank(_journal(tmp_path)), grpc.aio.server()
    copy_database(data, shop)
    bank_grpc.add_EffectBackendServiceServicer_to_server(bank, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        async with embedded(tmp_path, shop, typed_asks=True, payment_gateway=address) as cluster:
            till, session = Till(cluster, tmp_path, shop, data), f"s-{uuid4()}"
            bearer = token(dev_key(tmp_path), "mina", user_type="consumer", seconds=600)
            said = [
                (await cluster.ask(turn, token=bearer, session_id=session)).answer.final_response
                for turn in ("벨로닉 타자기 K30 키보드 3개 카드로 주문해줘", "네")
            ]
            assert "확인되지 않았습니다" in said[1], said
            assert "완료되었습니다" not in said[1], said
            assert till.changed("mina")["orders"][0]["status"] == "pending"
            bank.speaks = True
            later = (await cluster.ask("내 포인트 얼마야?", token=bearer, session_id=session)).answer.final_response
            assert "12,400" in later, later
            assert "41,700" in later, later
            assert (len(till.changed("mina")["orders"]), till.changed("mina")["orders"][0]["status"]) == (1, "paid")
    finally:
        await server.stop(0)


def _journal(folder: Path) -> Path:
    journal = folder / "journal"
    journal.touch()
    return journal
