"""A shop's till: conversations with the whole ensemble, and what each has changed in the shop, table by table.

pristine    the sample as it was seeded; what a conversation has changed is the difference to it
clear       puts every table that an action may change back as it was, so that one ensemble serves all conversations
"""

import asyncio
import sqlite3
import uuid
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import grpc

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster
from tests.support.tokens import token

CHANGING = (
    *("payments", "order_events", "order_items", "orders", "point_entries", "coupons", "cart_items", "reviews"),
    *("shop_users", "listings", "offers", "product_tokens", "products"),
)
"""The tables that actions change, those that refer to others first."""
LEDGERS = ("effects", "approvals")
"""What the tool gateway keeps of actions."""
CONFIRMED = ("CREATE_ORDER", "CANCEL_ORDER", "REFUND_ORDER", "CREATE_LISTING", "UPDATE_LISTING", "UPDATE_PROFILE")
"""The actions that a person approves."""

COMES_AGAIN_SECONDS = 0.2
"""How long a client that was refused stays away."""
REFUSED_SECONDS_MAX = 60.0
"""How long a client that is refused goes on coming again."""


@dataclass
class Till:
    """One ensemble over one copy of the sample."""

    cluster: Cluster
    folder: Path
    shop: Path
    pristine: Path

    async def talk(self, row: Mapping[str, Any]) -> list[Any]:
        """Hold a conversation as a person does whose client sends messages; return the answers."""
        session, who, answers = f"s-{uuid.uuid4()}", row["as"], []
        for turn in row["turns"]:
            bearer = token(dev_key(self.folder), who, user_type=row.get("user_type", "")) if who else ""
            answers.append(await self.told(turn, bearer, session))
        return answers

    async def told(self, text: str, bearer: str, session: str) -> Any:
        """Return the answer to a message; where the door has no room it is sent again, as any client would."""
        end = monotonic() + REFUSED_SECONDS_MAX
        while True:
            try:
                return (await self.cluster.ask(text, token=bearer, session_id=session)).answer
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED or monotonic() > end:
                    raise
            await asyncio.sleep(COMES_AGAIN_SECONDS)

    async def talk_streaming(self, row: Mapping[str, Any]) -> list[Any]:
        """Hold a conversation as a client does that can be asked: a message is answered by a question or an answer."""
        session, who = f"s-{uuid.uuid4()}", row["as"]
        said: list[str] = []
        bearer = token(dev_key(self.folder), who, user_type=row.get("user_type", ""), seconds=600)
        metadata = (("authorization", f"Bearer {bearer}"),)
        for turn in row["turns"]:
            question = question_pb2.Question(text=turn, session_id=session, interactive=True)
            call = self.cluster.stub.Ask(pb.AskRequest(question=question), timeout=60, metadata=metadata)
            async for message in call:
                event = message.event
                if event.WhichOneof("event") == "question_asked":
                    said.append(event.question_asked.text)
                    break
                if event.WhichOneof("event") in {"finished", "cancelled", "failed"}:
                    said.append(event.finished.answer.final_response or str(event.WhichOneof("event")))
                    break
            call.cancel()
        return said

    def clear(self) -> None:
        """Put the shop back as it was seeded."""
        with closing(sqlite3.connect(self.shop, timeout=30)) as connection, connection:
            connection.execute("ATTACH ? AS pristine", (str(self.pristine),))
            for table in (*CHANGING, *LEDGERS):
                connection.execute(f"DELETE FROM main.{table}")  # noqa: S608 - names of our own tables
            for table in reversed((*CHANGING, *LEDGERS)):
                connection.execute(f"INSERT INTO main.{table} SELECT * FROM pristine.{table}")  # noqa: S608 - as above
            connection.commit()
            connection.execute("DETACH pristine")

    def changed(self, user: str) -> dict[str, Any]:
        """Return what differs from the sample; what is as it was is left out."""
        with closing(sqlite3.connect(f"file:{self.shop}?mode=ro", uri=True, timeout=30)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("ATTACH ? AS pristine", (f"file:{self.pristine}?mode=ro",))
            return {name: found for name, find in _FINDERS.items() if (found := find(connection, user))}


def _orders(connection: sqlite3.Connection, _user: str) -> list[dict[str, Any]]:
    query = "SELECT * FROM main.orders WHERE order_id NOT IN (SELECT order_id FROM pristine.orders) ORDER BY ordered_at"
    return [_order(connection, row) for row in connection.execute(query)]


def _order(connection: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    items = connection.execute("SELECT * FROM main.order_items WHERE order_id = ?", (row["order_id"],)).fetchall()
    assert row["goods_krw"] == sum(one["quantity"] * one["unit_price_krw"] for one in items)
    due = row["goods_krw"] - row["coupon_discount_krw"] - row["points_used_krw"] + row["shipping_krw"]
    assert row["status"] == "cancelled" or row["paid_krw"] == due
    return {
        "user": row["user_id"],
        "status": row["status"],
        "goods": row["goods_krw"],
        "coupon": row["coupon_discount_krw"],
        "points": row["points_used_krw"],
        "shipping": row["shipping_krw"],
        "paid": row["paid_krw"],
        "method": row["payment_method"],
        "address": row["shipping_address"],
        "items": {one["offer_id"]: one["quantity"] for one in items},
        "net": _net(connection, row["order_id"]),
    }


def _net(connection: sqlite3.Connection, order_id: str) -> int:
    query = (
        "SELECT COALESCE(SUM(CASE kind WHEN 'charge' THEN amount_krw ELSE -amount_krw END), 0) FROM main.payments"
        " WHERE order_id = ? AND status = 'done'"
    )
    return int(connection.execute(query, (order_id,)).fetchone()[0])


def _states(connection: sqlite3.Connection, _user: str) -> dict[str, str]:
    query = (
        "SELECT n.order_id, n.status FROM main.orders n JOIN pristine.orders o USING (order_id)"
        " WHERE n.status <> o.status"
    )
    return dict(connection.execute(query).fetchall())


def _refunds(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    query = (
        "SELECT order_id, SUM(amount_krw) FROM main.payments WHERE kind = 'refund' AND status = 'done'"
        " AND payment_id NOT IN (SELECT payment_id FROM pristine.payments)"
        " AND order_id IN (SELECT order_id FROM pristine.orders) GROUP BY order_id"
    )
    return dict(connection.execute(query).fetchall())


def _stock(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    query = (
        "SELECT n.offer_id, n.stock - o.stock FROM main.offers n JOIN pristine.offers o USING (offer_id)"
        " WHERE n.stock <> o.stock"
    )
    return dict(connection.execute(query).fetchall())


def _points(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    query = (
        "SELECT n.user_id, n.points_krw - o.points_krw FROM main.shop_users n JOIN pristine.shop_users o"
        " USING (tenant, user_id) WHERE n.points_krw <> o.points_krw"
    )
    return dict(connection.execute(query).fetchall())


def _coupons(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    query = "SELECT coupon_id, 1 FROM main.coupons WHERE used_order_id IS NOT NULL"
    return dict(connection.execute(query).fetchall())


def _cart(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    lines: Counter[str] = Counter()
    for schema, sign in (("main", 1), ("pristine", -1)):
        for row in connection.execute(f"SELECT user_id, offer_id, quantity FROM {schema}.cart_items"):  # noqa: S608
            lines[f"{row['user_id']}:{row['offer_id']}"] += sign * row["quantity"]
    return {line: count for line, count in lines.items() if count}


def _coupon_on_cart(connection: sqlite3.Connection, user: str) -> str:
    row = connection.execute("SELECT cart_coupon_id FROM main.shop_users WHERE user_id = ?", (user,)).fetchone()
    return (row["cart_coupon_id"] or "") if row is not None else ""


def _address(connection: sqlite3.Connection, user: str) -> str:
    query = (
        "SELECT n.shipping_address FROM main.shop_users n JOIN pristine.shop_users o USING (tenant, user_id)"
        " WHERE n.user_id = ? AND n.shipping_address <> o.shipping_address"
    )
    row = connection.execute(query, (user,)).fetchone()
    return str(row["shipping_address"]) if row is not None else ""


def _reviews(connection: sqlite3.Connection, _user: str) -> list[list[Any]]:
    query = (
        "SELECT product_id, rating FROM main.reviews WHERE review_id NOT IN (SELECT review_id FROM pristine.reviews)"
    )
    return [list(row) for row in connection.execute(query)]


def _listings(connection: sqlite3.Connection, _user: str) -> dict[str, list[Any]]:
    shape = (
        "SELECT l.listing_id, f.price_krw, f.stock, l.status FROM {0}.listings l JOIN {0}.offers f USING (product_id)"
    )
    before = {row[0]: list(row)[1:] for row in connection.execute(shape.format("pristine"))}
    now = {row[0]: list(row)[1:] for row in connection.execute(shape.format("main"))}
    sold = {key: [one[0], one[2]] for key, one in now.items()}
    return {
        key if key in before else "new": one
        for key, one in now.items()
        if key not in before or sold[key] != [before[key][0], before[key][2]] or _restocked(connection, key)
    }


def _restocked(connection: sqlite3.Connection, listing_id: str) -> bool:
    query = "SELECT COUNT(*) FROM main.effects WHERE action_type = 'UPDATE_LISTING' AND arguments LIKE ?"
    return bool(connection.execute(query, (f'%"{listing_id}"%',)).fetchone()[0])


def _effects(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    query = "SELECT action_type, COUNT(*) FROM main.effects WHERE status = 'SUCCEEDED' GROUP BY action_type"
    return dict(connection.execute(query).fetchall())


def _used(connection: sqlite3.Connection, _user: str) -> dict[str, int]:
    query = "SELECT action_type, COUNT(*) FROM main.approvals WHERE status = 'USED' GROUP BY action_type"
    return dict(connection.execute(query).fetchall())


_FINDERS = {
    "orders": _orders,
    "changed": _states,
    "refunds": _refunds,
    "stock": _stock,
    "points": _points,
    "coupons": _coupons,
    "cart": _cart,
    "coupon_on_cart": _coupon_on_cart,
    "address": _address,
    "reviews": _reviews,
    "listings": _listings,
    "effects": _effects,
    "used": _used,
}


def expected(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a conversation has to have changed, and nothing else: what follows from the rest is filled in."""
    after, who = dict(row["after"]), row["as"]
    orders = after.get("orders", [])
    effects = after.setdefault("effects", {"CREATE_ORDER": len(orders)} if orders else {})
    # Beside an act that is approved another one may wait for the same yes.
    used = {name: count for name, count in effects.items() if name in CONFIRMED} | after.get("used", {})
    stock: Counter[str] = Counter(after.get("stock", {}))
    for order in orders:
        if order["status"] != "cancelled":
            stock.subtract(order["items"])
    for listing_id, (_, left, _) in after.get("listings", {}).items():
        stock[_offer_of(listing_id)] += left - row.get("stock_before", left)
    filled = {
        **after,
        "stock": {offer: count for offer, count in stock.items() if count},
        "cart": {f"{who}:{offer}": count for offer, count in after.get("cart", {}).items()},
        "points": {who: after["points"]} if after.get("points") else {},
        "used": used,
    }
    return {name: value for name, value in filled.items() if value and name != "cart_pieces"}


def _offer_of(listing_id: str) -> str:
    return f"{listing_id.removeprefix('L-')}-1"


def differences(row: Mapping[str, Any], changed: Mapping[str, Any]) -> list[str]:
    """Return where what has changed is not what should have."""
    wanted, found = expected(row), dict(changed)
    if "cart_pieces" in row["after"]:
        found["cart"] = {}
        assert sum(changed.get("cart", {}).values()) == row["after"]["cart_pieces"]
        found = {name: value for name, value in found.items() if value}
    if "listings" in wanted:
        for part in ("stock",):
            wanted.pop(part, None), found.pop(part, None)
    problems = [
        f"{name}: {found.get(name)} is not {wanted.get(name)}"
        for name in sorted({*wanted, *found} - {"orders"})
        if wanted.get(name) != found.get(name)
    ]
    return problems + _order_differences(row["as"], wanted.get("orders", []), found.get("orders", []))


def _order_differences(who: str, wanted: list[dict[str, Any]], found: list[dict[str, Any]]) -> list[str]:
    if len(wanted) != len(found):
        return [f"{len(found)} orders, not {len(wanted)}: {found}"]
    problems = []
    for one, other in zip(wanted, found, strict=True):
        asked = {"user": who, "net": one["paid"], **{name: value for name, value in one.items() if value is not None}}
        if one["status"] == "cancelled":
            asked.pop("paid")
        problems += [f"{name}: {other[name]} is not {value}" for name, value in asked.items() if other[name] != value]
    return problems
