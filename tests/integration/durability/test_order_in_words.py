"""A person orders in one message and says yes in the next; the orchestrator dies at any moment of the yes.

One order is made, it is paid once, and the reply is that of a yes to which nothing happened. The first message proposes
and ends; the second one is a flow of its own, which approves what was shown and does it.
"""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from services.tool_gateway.data.copying import copy_database
from tests.support.replicas import Client, Heard, Replica, Replicas, replicas
from tests.support.stores import STORES, store_url

WISH, YES = "벨로닉 타자기 K30 키보드 3개 카드로 주문해줘", "네"
SUM_KRW = 41_700
"""Three at 13,900, with free shipping."""
USER = "mina"
AT_ONCE = 3
"""How many processes die side by side: each of their orders is another one."""
OUTSIDE = ("approve_action", "execute_action")
"""Calls after whose answer, and before its record, a process dies too."""
WRITES_MIN = 6
"""A yes takes at least so many writes; how many more depends on how many rows a database is given in one go."""


@dataclass
class Stage:
    """Replicas, the shop that they act on, and a yes to which nothing happened."""

    replicas: Replicas
    survivor: Replica
    shop: Path
    reply: str

    def made(self, session_id: str) -> list[tuple[object, ...]]:
        """Return the effects of a conversation with the order of each and what was paid for it."""
        query = (
            "SELECT e.status, o.status, o.paid_krw, (SELECT SUM(amount_krw) FROM payments p"
            " WHERE p.order_id = o.order_id AND p.status = 'done' AND p.kind = 'charge') FROM effects e JOIN orders o"
            " ON e.result LIKE '%\"' || o.order_id || '\"%' WHERE e.session_id = ?"
        )
        with closing(sqlite3.connect(f"file:{self.shop}?mode=ro", uri=True, timeout=30)) as connection:
            return connection.execute(query, (session_id,)).fetchall()

    async def survived(self, moment: int | str) -> bool:
        """Say yes to a replica that dies at a moment, and hear the rest at one that lives; tell whether it died."""
        session = f"s-{uuid4()}"
        await Client(self.survivor, self.survivor).ask(WISH, session_id=session)
        mortal = await self.replicas.start(dies_after=moment)
        client = Client(mortal, self.survivor)
        heard = await client.ask(YES, session_id=session)
        assert heard.ends == ["finished"], moment
        assert _reply(heard) == self.reply, moment
        assert self.made(session) == [("SUCCEEDED", "paid", SUM_KRW, SUM_KRW)], moment
        return await mortal.has_died()


def _reply(heard: Heard) -> str:
    return re.sub(r"ORD-\d+", "ORD", str(heard.events[-1].finished.answer.final_response))


@asynccontextmanager
async def staged(tmp_path: Path, data: Path, database: str) -> AsyncIterator[Stage]:
    """Set the stage on a database of flows."""
    shop, url = tmp_path / "shop.db", store_url(tmp_path, database)
    copy_database(data, shop)
    async with replicas(tmp_path, shop, url, user=USER) as all_of_them:
        survivor, session = await all_of_them.start(), f"s-{uuid4()}"
        shown = await Client(survivor, survivor).ask(WISH, session_id=session)
        assert "41,700" in _reply(shown)
        client = Client(survivor, survivor)
        heard = await client.ask(YES, session_id=session)
        assert "완료" in _reply(heard), _reply(heard)
        stage = Stage(all_of_them, survivor, shop, _reply(heard))
        assert stage.made(session) == [("SUCCEEDED", "paid", SUM_KRW, SUM_KRW)]
        yield stage


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_killed_between_the_effect_and_its_record(tmp_path: Path, data: Path) -> None:
    """Killed at its first write, and when the order is made and nobody has been told, a yes orders once and says so."""
    async with staged(tmp_path, data, "sqlite") as stage:
        assert await asyncio.gather(*(stage.survived(moment) for moment in (2, "execute_action"))) == [True, True]


@pytest.mark.asyncio
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("database", STORES)
async def test_killed_at_every_moment_of_a_yes(tmp_path: Path, data: Path, database: str) -> None:
    """Killed after any write of the yes, or between a call and its record, one order is made and paid once."""
    async with staged(tmp_path, data, database) as stage:
        assert await asyncio.gather(*map(stage.survived, OUTSIDE)) == [True] * len(OUTSIDE)
        died: list[bool] = []
        while all(died):
            first = len(died) + 1
            died += await asyncio.gather(*map(stage.survived, range(first, first + AT_ONCE)))
        assert died.index(False) >= WRITES_MIN, died
