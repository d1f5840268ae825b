"""Conversations in which something is done: judged by orders, stock, money, coupons, points and the ledger."""

import json
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.support.cluster import embedded
from tests.support.till import Till, differences

FILE = Path(__file__).parent / "acts" / "conversations.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def till(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[Till]:
    """One ensemble for all conversations, on a copy of the sample that is put back after each."""
    folder = tmp_path_factory.mktemp("till")
    shop = folder / "shop.db"
    shutil.copy(data, shop)
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
    return found


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
async def test_what_is_asked_for_is_done_and_nothing_else(till: Till, row: dict[str, Any]) -> None:
    """The tables hold what was approved and nothing else; the answers say it, and never what is not so."""
    till.clear()
    answers = await till.talk(row)
    wrong = differences(row, till.changed(row["as"])) + misses(row, answers)
    assert wrong == [], "\n".join([*wrong, *(answer.final_response for answer in answers)])
