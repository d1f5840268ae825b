"""What an agent asks for is done when its own user says yes to exactly that, once, and otherwise not at all."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from hapju.flow.v1 import action_pb2, flow_event_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from services.runtime.errors import FailedPrecondition, InvalidRequest
from services.tool_gateway.data.copying import copy_database
from tests.support.replicas import Client, Neighbour, Replicas, replicas
from tests.support.wishing_agent import wishing_agent

HOUSES = "서울 강남구 아파트 매물 찾아줘"
AGENT = "realty.search"
DONE, REJECTED, AWAITING = (
    action_pb2.ACTION_OUTCOME_DONE,
    action_pb2.ACTION_OUTCOME_REJECTED,
    action_pb2.ACTION_OUTCOME_AWAITING_APPROVAL,
)
pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def two_wishes(tmp_path: Path, data: Path) -> AsyncIterator[Replicas]:
    """Runs an ensemble whose agent wants two orders."""
    copy_database(data, tmp_path / "shop.db")
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        query = "SELECT product_id FROM offers WHERE stock > 100 AND price_krw > 30000 ORDER BY offer_id LIMIT 2"
        products = [product_id for (product_id,) in connection.execute(query)]
    connection.close()
    orders = [{"items": [{"product_id": one, "quantity": 1}], "payment_method": "card"} for one in products]
    async with (
        wishing_agent(tmp_path, AGENT, *orders) as wishing,
        replicas(tmp_path, tmp_path / "shop.db", elsewhere={AGENT: wishing}, user="mina") as all_of_them,
    ):
        yield all_of_them


def effects(tmp_path: Path, client: Client) -> int:
    """Returns how many effects of a flow the ledger holds."""
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        query = "SELECT count(*) FROM effects WHERE flow_run_id = ?"
        (count,) = connection.execute(query, (client.flow_run_id,)).fetchone()
    connection.close()
    return int(count)


async def answered(replica: Neighbour, client: Client, question_id: str, said: str, digest: str = "") -> int:
    """Answers a question at a replica."""
    request = pb.AnswerQuestionRequest(
        flow_run_id=client.flow_run_id, question_id=question_id, answer=said, action_digest=digest
    )
    return int((await replica.stub.AnswerQuestion(request)).outcome)


async def both_asked(client: Client) -> list[flow_event_pb2.QuestionAsked]:
    """Waits until both approvals are asked for."""
    async with asyncio.timeout(20):
        while len(client.heard.of("question_asked")) < 2:
            await asyncio.sleep(0.02)
    return client.heard.of("question_asked")


async def test_several_approvals_wait_at_once_and_survive_a_restart(tmp_path: Path, data: Path) -> None:
    """One is given before every replica is gone and the other to the next one; each holds for what it was shown for."""
    async with two_wishes(tmp_path, data) as all_of_them:
        first = await all_of_them.join()
        client = Client(first, first)
        asking = asyncio.create_task(client.ask(HOUSES, interactive=True))
        one, other = await both_asked(client)
        assert one.kind == other.kind == flow_event_pb2.QUESTION_KIND_APPROVAL
        assert one.action.action_digest != other.action.action_digest
        with pytest.raises(FailedPrecondition) as refused:
            await answered(first, client, one.question_id, "네", other.action.action_digest)
        assert refused.value.reason == "APPROVAL_MISMATCH"
        with pytest.raises(InvalidRequest):
            await answered(first, client, one.question_id, "글쎄요, 잘 모르겠네요")
        assert await answered(first, client, one.question_id, "네", one.action.action_digest)
        assert effects(tmp_path, client) == 0, "nothing is done while a word is missing"
        asking.cancel()
        await first.running.stop(0)
        second = await all_of_them.join()
        with pytest.raises(FailedPrecondition):
            await answered(second, client, one.question_id, "아니요")
        assert await answered(second, client, other.question_id, "아니요")
        heard = await client.watch(second)
        assert (heard.ends, heard.sequences) == (["finished"], list(range(1, len(heard.sequences) + 1)))
        assert [settled.outcome for settled in heard.events[-1].finished.answer.actions] == [DONE, REJECTED]
        assert len(heard.of("question_asked")) == len(heard.of("question_settled")) == 2
        assert effects(tmp_path, client) == 1


async def test_an_approval_that_nobody_gives_ends_the_flow(tmp_path: Path, data: Path) -> None:
    """When the wait is over the flow is cancelled and nothing is done, the approved one included."""
    async with two_wishes(tmp_path, data) as all_of_them:
        replica = await all_of_them.join(question_seconds_max=2)
        client = Client(replica, replica)
        asking = asyncio.create_task(client.ask(HOUSES, interactive=True))
        one, _ = await both_asked(client)
        assert await answered(replica, client, one.question_id, "네")
        heard = await asking
        assert (heard.ends, heard.events[-1].cancelled.reason) == (["cancelled"], "QUESTION_EXPIRED")
        assert effects(tmp_path, client) == 0


async def test_where_nobody_can_be_asked_the_actions_wait(tmp_path: Path, data: Path) -> None:
    """A flow that may not ask ends with its actions listed as waiting, and the ledger holds none."""
    async with two_wishes(tmp_path, data) as all_of_them:
        replica = await all_of_them.join()
        client = Client(replica, replica)
        answer = (await client.ask(HOUSES)).events[-1].finished.answer
        assert [settled.outcome for settled in answer.actions] == [AWAITING, AWAITING]
        assert (len(answer.action_requests), answer.requires_confirmation) == (2, True)
        assert effects(tmp_path, client) == 0
