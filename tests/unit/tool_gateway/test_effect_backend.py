"""Effects outside our own database: asked once, recorded before and after, settled where the answer is lost."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator

import grpc
import pytest
import pytest_asyncio

from services.contract.tool import ActionReceipt, EffectKind, EffectStatus, ToolFailure
from services.plugin.tools.effect import Money
from services.tool_gateway.data.writer import WriteBusy
from services.tool_gateway.effects import executions
from services.tool_gateway.effects.backend import GrpcBackend, OutcomeUnknown
from services.tool_gateway.effects.key import EffectKey
from tests.support.effect_server import EffectServer, effect_server
from tests.support.shop import DELIVERED, JUN, MINA, PAID, Shop, open_shop

REFUND = {"order_id": DELIVERED, "reason": "고장났어요", "amount_krw": 20_000}


@pytest.fixture(scope="module")
def bank_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EffectServer]:
    """Return a bank in a process of its own, for all tests of this file."""
    with effect_server(tmp_path_factory.mktemp("bank")) as server:
        yield server


@pytest.fixture
def bank(bank_process: EffectServer) -> Iterator[EffectServer]:
    """Return that bank with everything switched off."""
    yield bank_process
    for mode in ("hold", "drop", "decline"):
        bank_process.set(mode, on=False)


@pytest_asyncio.fixture
async def outside(shop_url: str, bank: EffectServer) -> AsyncIterator[Shop]:
    """Return actions whose money is moved by that bank."""
    backend = GrpcBackend(bank.address)
    opened = open_shop(shop_url, backend)
    yield opened
    await opened.actions.executions.close()
    await backend.close()
    await opened.writer.close()


async def _reached(shop: Shop, status: str) -> None:
    """Wait until the ledger's only effect has a status."""
    async with asyncio.timeout(10):
        while [row["status"] for row in shop.rows("SELECT status FROM effects")] != [status]:
            await asyncio.sleep(0.02)


@pytest.mark.asyncio
async def test_money_moves_once_and_is_recorded(outside: Shop, bank: EffectServer) -> None:
    """The bank moves the amount that was shown, under the effect's key; the order is settled with its answer."""
    before = len(bank.moved)
    call = outside.call("REFUND_ORDER", REFUND)
    receipt = await outside.done(call)
    assert receipt.status is EffectStatus.SUCCEEDED
    assert bank.moved[before:] == [f"{call.key.text} EFFECT_KIND_REFUND 14000 {DELIVERED}"]
    assert json.loads(receipt.result_json)["status"] == "delivered"
    assert outside.value("SELECT status FROM payments WHERE payment_id LIKE :k", k=f"{call.key.text}%") == "done"
    assert await outside.actions.execute(call, "") == receipt


@pytest.mark.asyncio
async def test_fifty_calls_of_one_key(outside: Shop, bank: EffectServer) -> None:
    """However many call at once, in one process or in two, the bank moves money once and all replies are equal."""
    before = len(bank.moved)
    call = outside.call("REFUND_ORDER", REFUND)
    approval_id = await outside.approved(call)
    backend = GrpcBackend(bank.address)
    replica = open_shop(outside.url, backend, clock=outside.clock)
    try:
        shops = [outside, replica] * 25
        replies = await asyncio.gather(*(shop.actions.execute(call, approval_id) for shop in shops))
    finally:
        await backend.close()
        await replica.writer.close()
    assert len(set(map(repr, replies))) == 1
    assert isinstance(replies[0], ActionReceipt)
    assert len(bank.moved) == before + 1


@pytest.mark.asyncio
async def test_a_declined_payment_takes_everything_back(outside: Shop, bank: EffectServer) -> None:
    """An order whose charge is declined is cancelled: stock, points and cart stay as they were, and it has failed."""
    bank.set("decline", on=True)
    offer = outside.offer()
    items = [{"product_id": offer["product_id"], "quantity": 1}]
    call = outside.call("CREATE_ORDER", {"items": items, "payment_method": "card", "points_krw": 700})
    receipt = await outside.done(call)
    assert (receipt.status, receipt.failure_reason) == (EffectStatus.FAILED, "EFFECT_DECLINED")
    assert outside.value("SELECT stock FROM offers WHERE offer_id = :o", o=offer["offer_id"]) == offer["stock"]
    assert outside.value("SELECT points_krw FROM shop_users WHERE user_id = 'mina'") == 12_400
    status = outside.rows("SELECT status FROM orders WHERE user_id = 'mina' ORDER BY ordered_at DESC LIMIT 1")
    assert status == [{"status": "cancelled"}]


@pytest.mark.asyncio
async def test_an_order_whose_payment_is_under_way_is_not_cancelled(outside: Shop, bank: EffectServer) -> None:
    """Until the bank has answered, a pending order stays."""
    bank.set("hold", on=True)
    items = [{"product_id": outside.offer()["product_id"], "quantity": 1}]
    call = outside.call("CREATE_ORDER", {"items": items, "payment_method": "card"})
    approval_id = await outside.approved(call)
    buying = asyncio.create_task(outside.actions.execute(call, approval_id))
    await _reached(outside, "STARTED")
    latest = outside.rows("SELECT order_id FROM orders WHERE user_id = 'mina' ORDER BY ordered_at DESC LIMIT 1")
    cancel = outside.call("CANCEL_ORDER", latest[0])
    refused = await outside.actions.preview(cancel)
    assert isinstance(refused, ToolFailure)
    assert "payment is being made" in refused.message
    bank.set("hold", on=False)
    outcome = await buying
    assert isinstance(outcome, ActionReceipt)
    assert outcome.status is EffectStatus.SUCCEEDED


@pytest.mark.asyncio
async def test_a_lost_answer_is_in_doubt_and_then_known(outside: Shop, bank: EffectServer) -> None:
    """The bank has moved the money and its answer is lost: in doubt, not repeated, and settled by asking."""
    before = len(bank.moved)
    bank.set("drop", on=True)
    call = outside.call("REFUND_ORDER", REFUND)
    receipt = await outside.done(call)
    assert receipt.status is EffectStatus.IN_DOUBT
    assert receipt.result_json == b""
    assert await outside.actions.execute(call, "") == receipt
    bank.set("drop", on=False)
    settled = await outside.actions.reconcile(call.key, MINA)
    assert isinstance(settled, ActionReceipt)
    assert (settled.status, settled.reconciled) == (EffectStatus.SUCCEEDED, True)
    assert await outside.actions.execute(call, "") == settled
    assert len(bank.moved) == before + 1


@pytest.mark.asyncio
async def test_what_was_never_asked_for_is_settled_as_not_done_and_a_late_request_does_nothing(
    outside: Shop, bank: EffectServer
) -> None:
    """Reconciling closes the key at the bank: the same request that arrives afterwards moves nothing."""
    call = outside.call("REFUND_ORDER", REFUND)
    bank.set("drop", on=True)
    bank.set("decline", on=True)
    bank.set("decline", on=False)
    backend = GrpcBackend(bank.address)
    try:
        settled = await backend.settle(call.key.text)
        assert not settled.done
        bank.set("drop", on=False)
        late = await backend.perform(call.key.text, Money(EffectKind.REFUND, 14_000, DELIVERED), 5)
        assert not late.done
    finally:
        await backend.close()


@pytest.mark.asyncio
async def test_a_bank_that_cannot_be_reached_leaves_doubt_and_the_sweep_settles_it(outside: Shop) -> None:
    """With the bank away the effect stays in doubt; when it is back, the next sweep settles it without being asked."""
    away = GrpcBackend("127.0.0.1:1")
    lost = open_shop(outside.url, away, clock=outside.clock)
    call = outside.call("REFUND_ORDER", REFUND)
    approval_id = await outside.approved(call)
    try:
        receipt = await lost.actions.execute(call, approval_id)
        assert isinstance(receipt, ActionReceipt)
        assert receipt.status is EffectStatus.IN_DOUBT
        unsettled = await lost.actions.reconcile(call.key, MINA)
        assert isinstance(unsettled, ActionReceipt)
        assert unsettled.status is EffectStatus.IN_DOUBT
    finally:
        await away.close()
        await lost.writer.close()
    assert await outside.actions.reconciling.sweep() == 1
    assert outside.value("SELECT status FROM effects") == "FAILED"
    row = outside.rows("SELECT status, refunded_krw FROM orders WHERE order_id = :o", o=DELIVERED)
    assert row == [{"status": "delivered", "refunded_krw": 0}]


@pytest.mark.asyncio
async def test_a_claim_that_was_never_asked_for_is_finished_under_its_key(
    outside: Shop, bank: EffectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is gone between claim and request: the same key finishes it, once, without another approval."""
    before = len(bank.moved)
    call = outside.call("REFUND_ORDER", REFUND)
    approval_id = await outside.approved(call)

    async def gone(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(executions.Executions, "_ask", gone)
        with pytest.raises(asyncio.CancelledError):
            await outside.actions.execute(call, approval_id)
    assert outside.value("SELECT status FROM effects") == "PENDING"
    backend = GrpcBackend(bank.address)
    restarted = open_shop(outside.url, backend, clock=outside.clock)
    outside.clock.move(seconds=30)
    try:
        receipt = await restarted.actions.execute(call, "")
    finally:
        await backend.close()
        await restarted.writer.close()
    assert isinstance(receipt, ActionReceipt)
    assert receipt.status is EffectStatus.SUCCEEDED
    assert len(bank.moved) == before + 1


@pytest.mark.asyncio
async def test_an_answer_that_cannot_be_written_down_is_not_called_nothing(
    outside: Shop, bank: EffectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The money has moved and the database is busy: it is still being done, and asking the bank settles it later."""
    before = len(bank.moved)
    call = outside.call("REFUND_ORDER", REFUND)
    approval_id = await outside.approved(call)

    async def busy(*_: object, **__: object) -> None:
        raise WriteBusy("no turn")

    with monkeypatch.context() as patched:
        patched.setattr(executions.Executions, "settle", busy)
        outcome = await outside.actions.execute(call, approval_id)
    assert isinstance(outcome, ToolFailure)
    assert outcome.reason == "IN_PROGRESS"
    outside.clock.move(seconds=30)
    settled = await outside.actions.reconcile(call.key, MINA)
    assert isinstance(settled, ActionReceipt)
    assert settled.status is EffectStatus.SUCCEEDED
    assert len(bank.moved) == before + 1


@pytest.mark.asyncio
async def test_reconciling_is_for_the_owner(outside: Shop) -> None:
    """Somebody else's effect looks like a missing one."""
    call = outside.call("CANCEL_ORDER", {"order_id": PAID})
    await outside.done(call)
    foreign = await outside.actions.reconcile(call.key, JUN)
    missing = await outside.actions.reconcile(EffectKey("no-flow", "step-1", 0), JUN)
    assert foreign == missing
    assert isinstance(foreign, ToolFailure)
    assert foreign.reason == "NOT_FOUND"


@pytest.mark.asyncio
async def test_a_key_stands_for_one_request(bank: EffectServer) -> None:
    """The client reads a refusal that the backend gives before it does anything as not done, and silence as unknown."""
    backend = GrpcBackend(bank.address)
    try:
        first = await backend.perform("a" * 40, Money(EffectKind.CHARGE, 100, "ORD-1"), 5)
        other = await backend.perform("a" * 40, Money(EffectKind.CHARGE, 200, "ORD-1"), 5)
        assert (first.done, other.done, other.reason) == (True, False, grpc.StatusCode.INVALID_ARGUMENT.name)
        bank.set("hold", on=True)
        with pytest.raises(OutcomeUnknown):
            await backend.perform("b" * 40, Money(EffectKind.CHARGE, 100, "ORD-2"), 0.2)
    finally:
        await backend.close()
