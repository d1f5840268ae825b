"""Finance questions through every service, without a model: the answers hold only what the checker finds in rows."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
import yaml
from google.protobuf.timestamp_pb2 import Timestamp

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.catalog.loader import catalog
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_folder
from tests.evals.finance.checker import Checker, Entry
from tests.support.cluster import Cluster, Told, embedded
from tests.support.tokens import token

pytestmark = pytest.mark.xdist_group("finance_questions")

_FILE: Final = Path(__file__).parent / "questions.yaml"
ENTRIES: Final = tuple(Entry.of(entry) for entry in yaml.safe_load(_FILE.read_text(encoding="utf-8")))
STALE_DAYS: Final = 11
"""How long after the newest row the questions of old data are asked."""
_THIN: Final = (
    (
        "DELETE FROM kr_equity_prices WHERE security_id = 'KR:000270' AND date NOT IN "
        "(SELECT date FROM kr_equity_prices WHERE security_id = 'KR:000270' ORDER BY date DESC LIMIT 80)"
    ),
    "DELETE FROM us_equity_prices WHERE security_id = 'US:PLTR'",
    "DELETE FROM equity_financials WHERE security_id IN ('US:PLTR', 'US:TSLA')",
    "DELETE FROM earnings_events WHERE security_id IN ('US:PLTR', 'US:TSLA')",
    (
        "DELETE FROM realty_monthly_summary WHERE region_code = '11440' AND month NOT IN "
        "(SELECT DISTINCT month FROM realty_monthly_summary WHERE region_code = '11440' ORDER BY month DESC LIMIT 4)"
    ),
    (
        "DELETE FROM macro_observations WHERE series_id = 'UNRATE' AND date NOT IN "
        "(SELECT date FROM macro_observations WHERE series_id = 'UNRATE' ORDER BY date DESC LIMIT 1)"
    ),
)
"""What is taken away where data is short: bars, a whole share, its quarters, months, observations."""


@pytest.fixture(scope="module")
def thin(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the seeded data from which rows are taken away."""
    folder = tmp_path_factory.mktemp("thin") / "seeded"
    copy_folder(data.parent, folder)
    with sqlite3.connect(folder / "data.db") as database:
        for statement in _THIN:
            database.execute(statement)
    return folder / "data.db"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the ensemble over the whole data keeps its state."""
    return tmp_path_factory.mktemp("whole")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def whole_cluster(data: Path, state: Path) -> AsyncIterator[Cluster]:
    """The ensemble over the whole data."""
    async with embedded(state, data) as running:
        yield running


@pytest.fixture(scope="module")
def key(whole_cluster: Cluster, state: Path) -> str:  # noqa: ARG001 - the ensemble makes it
    """The key that signs tokens of the ensemble over the whole data."""
    return dev_key(state)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def thin_cluster(thin: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """The ensemble over data that is short."""
    async with embedded(tmp_path_factory.mktemp("short"), thin) as running:
        yield running


def test_the_set_is_wide() -> None:
    """There are at least 40 questions, of every kind, in both languages, of whole, short and old data."""
    assert len(ENTRIES) >= 40
    assert {entry.kind for entry in ENTRIES} == {"share", "series", "home", "cause", "none"}
    assert {entry.data for entry in ENTRIES} == {"whole", "thin", "stale"}
    assert len([entry for entry in ENTRIES if entry.q.isascii()]) >= 12
    assert len({(entry.q, entry.data) for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_set_holds_each_type_of_the_domain(whole_cluster: Cluster) -> None:
    """Every intent of finance, and general knowledge, is the reading of at least one question."""
    asked = [pb.RouteRequest(question=question_pb2.Question(text=entry.q)) for entry in ENTRIES]
    read = {(await whole_cluster.stub.Route(one, timeout=30)).route.intent for one in asked}
    finance = {intent.id for intent in catalog().domains["finance"].intents}
    assert finance | {"general_knowledge"} <= read


def _asked() -> Iterator[Any]:
    """Yield the questions: one of each kind, data and language is asked by default, the others in the long tier."""
    seen = set()
    for entry in ENTRIES:
        key = (entry.kind, entry.data, entry.q.isascii())
        yield pytest.param(entry, id=f"{entry.data}-{entry.q}", marks=[pytest.mark.long] if key in seen else [])
        seen.add(key)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("entry", tuple(_asked()))
async def test_an_answer_holds_only_what_the_database_holds(
    whole_cluster: Cluster, thin_cluster: Cluster, key: str, entry: Entry
) -> None:
    """Figures, dates, trends, crosses, paths and cautions of the answer are those that the rows give."""
    cluster = thin_cluster if entry.data == "thin" else whole_cluster
    told = await (_ask_later(cluster, key, entry.q) if entry.data == "stale" else cluster.ask(entry.q))
    checker = Checker(str(cluster.data))
    try:
        assert checker.faults(entry, told.answer.final_response) == []
    finally:
        checker.close()


async def _ask_later(cluster: Cluster, key: str, question: str) -> Told:
    """Asks as an evaluator, who says what now is: days after the newest row."""
    moment = Timestamp()
    moment.FromDatetime(datetime.now(UTC) + timedelta(days=STALE_DAYS))
    return await cluster.ask(question, token=token(key, "eval-1", roles=("evaluator",)), now=moment)
