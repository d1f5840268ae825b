"""Any sequence of actions by several people, in whatever order: the shop's sums hold after each of them."""

import asyncio
import itertools
import uuid
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from services.contract.tool import ActionPreview, ActionReceipt
from services.runtime.identity import Caller
from services.tool_gateway.effects.admission import ActionCall
from services.tool_gateway.effects.key import EffectKey
from tests.support.shop import JUN, MINA, Shop, copy_of, open_shop, writing

PEOPLE: Final = (MINA, JUN, Caller("sora", user_type="consumer", service="orchestrator"))
OFFERS: Final = 6
"""So few goods that people get into each other's way."""
_UNITS: Final = (
    "SELECT f.offer_id, f.stock + COALESCE((SELECT SUM(i.quantity) FROM order_items i JOIN orders o USING (order_id)"
    " WHERE i.offer_id = f.offer_id AND o.status NOT IN ('cancelled', 'refunded')), 0) AS units FROM offers f"
)
_WORTH: Final = (
    "SELECT points_krw + COALESCE((SELECT SUM(points_used_krw) FROM orders o WHERE o.user_id = u.user_id"
    " AND o.status NOT IN ('cancelled', 'refunded')), 0) AS worth FROM shop_users u WHERE user_id = :who"
)
_TWICE: Final = (
    "SELECT coupon_id FROM orders WHERE coupon_id IS NOT NULL AND status NOT IN ('cancelled', 'refunded')"
    " GROUP BY coupon_id HAVING COUNT(*) > 1"
)
_HELD: Final = (
    "SELECT c.coupon_id FROM coupons c JOIN orders o ON o.order_id = c.used_order_id"
    " WHERE o.status IN ('cancelled', 'refunded')"
)
_MOVED: Final = (
    "SELECT COALESCE(SUM(amount_krw), 0) AS moved FROM payments WHERE order_id = :id AND kind = :kind"
    " AND status = 'done'"
)
_CONFIRMED: Final = (
    "SELECT COUNT(*) AS n FROM effects WHERE status = 'SUCCEEDED' AND approval_id IS NOT NULL AND approval_id <> ''"
)
WHO = st.sampled_from(PEOPLE)
GOODS = st.integers(0, OFFERS - 1)
PIECES = st.integers(1, 4)


class ShopMachine(RuleBasedStateMachine):
    """People who buy, put back, cancel and refund at random, with and without saying yes."""

    filled: Path
    folder: Path
    count = itertools.count()

    def __init__(self) -> None:
        super().__init__()
        place = self.folder / str(next(self.count))
        place.mkdir()
        self.runner = asyncio.Runner()
        self.shop: Shop = open_shop(copy_of(self.filled, place))
        query = (
            "SELECT product_id FROM offers WHERE stock BETWEEN 2 AND 12 AND price_krw < 60000"
            " ORDER BY offer_id LIMIT :n"
        )
        self.products = [row["product_id"] for row in self.shop.rows(query, n=OFFERS)]
        self.units = self._units()
        self.points = {one.user_id: self._worth(one) for one in PEOPLE}
        self.done: list[tuple[ActionCall, str, ActionReceipt]] = []
        self.approved = 0

    def teardown(self) -> None:
        self.runner.run(self.shop.writer.close())
        self.runner.close()

    def _call(self, who: Caller, action: str, **arguments: Any) -> ActionCall:
        return self.shop.call(action, arguments, caller=who, key=EffectKey(str(uuid.uuid4()), "s1", 0))

    def _do(self, call: ActionCall, *, says_yes: bool = True) -> None:
        """Preview an action, say the person's word, and try it: what was not approved has no effect."""
        before = self.shop.state()
        preview = self.runner.run(self.shop.actions.preview(call))
        assert self.shop.state() == before, "a preview changes nothing"
        if not isinstance(preview, ActionPreview):
            assert not isinstance(self.runner.run(self.shop.actions.execute(call, "")), ActionReceipt)
            return
        verdict = "APPROVE" if says_yes else "REJECT"
        if preview.confirmation_required:
            self.runner.run(self.shop.approve(preview, call.caller, call.session_id, verdict=verdict))
        outcome = self.runner.run(self.shop.actions.execute(call, preview.approval_id))
        if preview.confirmation_required and not says_yes:
            assert not isinstance(outcome, ActionReceipt)
            assert self.shop.state() == before, "without a yes nothing is done"
            return
        assert isinstance(outcome, ActionReceipt), outcome
        self.approved += preview.confirmation_required
        self.done.append((call, preview.approval_id, outcome))

    @rule(who=WHO, goods=GOODS, pieces=PIECES)
    def add(self, who: Caller, goods: int, pieces: int) -> None:
        self._do(self._call(who, "ADD_TO_CART", product_id=self.products[goods], quantity=pieces))

    @rule(who=WHO, goods=GOODS)
    def remove(self, who: Caller, goods: int) -> None:
        self._do(self._call(who, "REMOVE_FROM_CART", product_id=self.products[goods]))

    @rule(
        who=WHO,
        goods=GOODS,
        pieces=PIECES,
        points=st.sampled_from([0, 0, 500, 3000]),
        yes=st.booleans(),
        coupon=st.booleans(),
    )
    def buy(self, who: Caller, goods: int, pieces: int, points: int, *, yes: bool, coupon: bool) -> None:
        items = [{"product_id": self.products[goods], "quantity": pieces}]
        extra = {"coupon_id": f"CPN-{who.user_id.upper()}-SEASON"} if coupon else {}
        call = self._call(who, "CREATE_ORDER", items=items, payment_method="card", points_krw=points, **extra)
        self._do(call, says_yes=yes)

    @rule(who=WHO, yes=st.booleans())
    def buy_the_cart(self, who: Caller, *, yes: bool) -> None:
        self._do(self._call(who, "CREATE_ORDER", payment_method="card"), says_yes=yes)

    @rule(who=WHO, goods=GOODS, pieces=PIECES, yes=st.booleans())
    def buy_of_the_cart(self, who: Caller, goods: int, pieces: int, *, yes: bool) -> None:
        """Part of the cart: what is bought leaves it, as many pieces as are bought, and nothing else does."""
        before = self._cart(who)
        items = [{"product_id": self.products[goods], "quantity": pieces}]
        call = self._call(who, "CREATE_ORDER", items=items, payment_method="card", from_cart=True)
        done = len(self.done)
        self._do(call, says_yes=yes)
        bought = {self.products[goods]: pieces} if len(self.done) > done else {}
        left = {one: count - bought.get(one, 0) for one, count in before.items()}
        assert self._cart(who) == {one: count for one, count in left.items() if count > 0}

    def _cart(self, who: Caller) -> dict[str, int]:
        query = (
            "SELECT f.product_id, c.quantity FROM cart_items c JOIN offers f USING (offer_id) WHERE c.user_id = :who"
        )
        return {row["product_id"]: row["quantity"] for row in self.shop.rows(query, who=who.user_id)}

    @rule(who=WHO)
    def use_coupon(self, who: Caller) -> None:
        self._do(self._call(who, "APPLY_COUPON", coupon_id=f"CPN-{who.user_id.upper()}-SEASON"))

    @rule(who=WHO, number=st.integers(1, 99), yes=st.booleans())
    def move(self, who: Caller, number: int, *, yes: bool) -> None:
        """Another address on file, for its owner alone and after a yes; orders that are made keep theirs."""
        sent_to = "SELECT order_id, shipping_address FROM orders ORDER BY order_id"
        before, orders = self._addresses(), self.shop.rows(sent_to)
        wanted = f"서울시 중구 예시로 {number}, 3층"
        self._do(self._call(who, "UPDATE_PROFILE", shipping_address=wanted), says_yes=yes)
        assert self._addresses() == (before | {who.user_id: wanted} if yes else before)
        assert self.shop.rows(sent_to) == orders

    def _addresses(self) -> dict[str, str]:
        return {row["user_id"]: row["shipping_address"] for row in self.shop.rows("SELECT * FROM shop_users")}

    @rule(who=WHO, other=WHO, place=st.integers(0, 5), yes=st.booleans())
    def cancel(self, who: Caller, other: Caller, place: int, *, yes: bool) -> None:
        """Cancel an order, sometimes somebody else's: that is as if it were missing."""
        if order_id := self._order_of(other, place):
            self._do(self._call(who, "CANCEL_ORDER", order_id=order_id), says_yes=yes)

    @rule(who=WHO, place=st.integers(0, 5), part=st.sampled_from([None, 7000, 9000]), yes=st.booleans())
    def refund(self, who: Caller, place: int, part: int | None, *, yes: bool) -> None:
        if order_id := self._order_of(who, place):
            amount = {} if part is None else {"amount_krw": part}
            self._do(self._call(who, "REFUND_ORDER", order_id=order_id, reason="변심", **amount), says_yes=yes)

    @rule(who=WHO, place=st.integers(0, 5))
    def deliver(self, who: Caller, place: int) -> None:
        """The carrier brings an order that was paid."""
        if order_id := self._order_of(who, place):
            statement = (
                "UPDATE orders SET status = 'delivered', delivered_at = :now WHERE order_id = :id AND status = 'paid'"
            )
            now = self.shop.clock.now.replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
            with writing(self.shop.url) as connection:
                connection.exec_driver_sql(statement.replace(":now", f"'{now}'").replace(":id", f"'{order_id}'"))

    @rule(days=st.integers(1, 4))
    def time_passes(self, days: int) -> None:
        self.shop.clock.move(days=days)

    @precondition(lambda self: self.done)
    @rule(place=st.integers(0, 30))
    def again(self, place: int) -> None:
        """Pressed again, an action returns its first outcome."""
        call, approval_id, first = self.done[place % len(self.done)]
        before = self.shop.state()
        assert self.runner.run(self.shop.actions.execute(call, approval_id)) == first
        assert self.shop.state() == before

    def _order_of(self, who: Caller, place: int) -> str:
        query = "SELECT order_id FROM orders WHERE user_id = :who AND LENGTH(order_id) > 9 ORDER BY order_id"
        found = [row["order_id"] for row in self.shop.rows(query, who=who.user_id)]
        return str(found[place % len(found)]) if found else ""

    def _units(self) -> dict[str, int]:
        return {row["offer_id"]: row["units"] for row in self.shop.rows(_UNITS)}

    def _worth(self, who: Caller) -> int:
        return int(self.shop.value(_WORTH, who=who.user_id))

    @invariant()
    def stock_is_conserved_and_never_negative(self) -> None:
        assert self._units() == self.units
        assert self.shop.value("SELECT MIN(stock) AS least FROM offers") >= 0

    @invariant()
    def points_and_coupons_are_conserved(self) -> None:
        assert {one.user_id: self._worth(one) for one in PEOPLE} == self.points
        assert self.shop.value("SELECT MIN(points_krw) AS least FROM shop_users") >= 0
        assert self.shop.rows(_TWICE) == []
        assert self.shop.rows(_HELD) == []

    @invariant()
    def sums_add_up(self) -> None:
        orders = self.shop.rows("SELECT * FROM orders WHERE LENGTH(order_id) > 9")
        for order in orders:
            lines = "SELECT SUM(quantity * unit_price_krw) AS goods FROM order_items WHERE order_id = :id"
            assert order["goods_krw"] == self.shop.value(lines, id=order["order_id"])
            due = order["goods_krw"] - order["coupon_discount_krw"] - order["points_used_krw"] + order["shipping_krw"]
            assert order["paid_krw"] == due
            assert 0 <= order["refunded_krw"] <= order["paid_krw"]
            assert 0 <= self._moved(order["order_id"], "refund") <= self._moved(order["order_id"], "charge") == due

    def _moved(self, order_id: str, kind: str) -> int:
        return int(self.shop.value(_MOVED, id=order_id, kind=kind))

    @invariant()
    def one_effect_an_approval_and_none_without(self) -> None:
        used = "SELECT COUNT(*) AS n FROM approvals WHERE status = 'USED'"
        assert self.shop.value(_CONFIRMED) == self.shop.value(used) == self.approved


def _run(filled: Path, tmp_path: Path, examples: int, steps: int) -> None:
    machine = type("Machine", (ShopMachine,), {"filled": filled, "folder": tmp_path})
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    how = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks, database=None
    )
    run_state_machine_as_test(machine, settings=how)


def test_a_few_sequences(filled_file: Path, tmp_path: Path) -> None:
    """Stock, money, points, coupons and approvals add up after every action of a few random sequences."""
    _run(filled_file, tmp_path, examples=3, steps=12)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_many_sequences(filled_file: Path, tmp_path: Path) -> None:
    """The same over many and long ones."""
    _run(filled_file, tmp_path, examples=12, steps=30)
