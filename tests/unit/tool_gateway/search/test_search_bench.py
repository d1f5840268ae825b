"""Prints how long searches take: law over the seed, products over ten thousand of them."""

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.domains.commerce.data.sample import products as generator
from services.tool_gateway.data.migrate import upgrade
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seed.child import insert_block, searchable
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from tests.unit.tool_gateway.seeded_data import AGENT, AS_OF, make_call

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

PER_CATEGORY = 556
QUERIES = (
    *(
        "무선 이어폰",
        "게이밍 노트북",
        "블루투스 스피커 화이트",
        "기계식 키보드",
        "로봇 청소기",
        "러닝화",
        "사무용 의자",
    ),
    *(
        "wireless earphones",
        "27인치 모니터",
        "스마트워치 추천",
        "달릴 때 신는 신발",
        "손목에 차는 시계",
        "밥 짓는 기계",
    ),
)
LAW = Path(__file__).parent / "law_questions.tsv"


async def _medians(search: Callable[[str], Awaitable[object]], texts: list[str]) -> str:
    """Return the median time of a search, and the median of the processor time that it took of this process."""
    for text in texts[:3]:
        await search(text)
    seconds, busy = [], []
    for text in texts:
        began, used = time.perf_counter(), time.process_time()
        await search(f"{text} ?")  # another text, so that nothing is remembered
        seconds.append(time.perf_counter() - began)
        busy.append(time.process_time() - used)
    return f"p50 {statistics.median(seconds) * 1_000:.1f} ms, processor {statistics.median(busy) * 1_000:.1f} ms"


@pytest.mark.asyncio
async def test_bench_law(reads: GatewayReads) -> None:
    """Searches the seeded articles with every question of the tuned file; the goal is 15 ms."""
    lines = [line for line in LAW.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    questions = [line.partition("\t")[0] for line in lines]

    async def search(question: str) -> object:
        return await reads.finder.find("law", question, timeout_seconds=30)

    print(f"\nlaw search, {len(questions)} questions: {await _medians(search, questions)}")  # noqa: T201 - a bench


@pytest.fixture
def many_products(tmp_path: Path) -> str:
    """Return a database of over ten thousand products with their index."""
    block = generator.products_block(AS_OF, PER_CATEGORY)
    engine = sa.create_engine(f"sqlite:///{tmp_path}/data.db")
    with engine.begin() as connection:
        upgrade(connection)
        documents = {"products": generator.product_documents(block)}
        insert_block(connection, searchable(replace(block, documents=documents)))
    engine.dispose()
    return f"sqlite+aiosqlite:///{tmp_path}/data.db"


@pytest.mark.asyncio
async def test_bench_products(many_products: str) -> None:
    """Searches ten thousand products by words, and by meaning where no word is known; the goal is 20 ms."""
    reader = Reader.open(many_products)
    registry = load_registry()
    invocations = Invocations(registry, GatewayReads(reader), {AGENT: frozenset(registry.names)})
    flows = iter(range(10_000))

    async def search(query: str) -> object:
        return await invocations.invoke(
            make_call("product_search", {"query": query}, flow_run_id=f"flow-{next(flows)}")
        )

    print(f"\nproduct search over {PER_CATEGORY * 18:,}: {await _medians(search, [*QUERIES] * 4)}")  # noqa: T201 - a bench
    await reader.close()
