"""A shop to act in: a real database with the sample shop, actions on it, a clock to move, and what it then holds."""

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from services.contract.tool import ActionApproval, ActionPreview, ActionReceipt, ApprovalVerdict, ToolFailure
from services.domains.commerce.data.sample.commerce import commerce_block
from services.domains.commerce.data.sample.products import products_block
from services.plugin.data.sample import GENERATOR_VERSION
from services.runtime.identity import Caller
from services.tool_gateway.data.copying import copy_database
from services.tool_gateway.data.migrate import upgrade
from services.tool_gateway.data.schema import SEED_STATE
from services.tool_gateway.data.seed.child import insert_block
from services.tool_gateway.data.seed.connection import seeding_engine
from services.tool_gateway.data.seed.messages import SeedReport
from services.tool_gateway.data.writer import DataWriter
from services.tool_gateway.effects.actions import Actions
from services.tool_gateway.effects.admission import ActionCall
from services.tool_gateway.effects.approvals import ApprovalWord
from services.tool_gateway.effects.backend import EffectBackend
from services.tool_gateway.effects.key import EffectKey
from services.tool_gateway.registry import Registry, load_registry

AS_OF = datetime(2026, 6, 12, 9, 0, tzinfo=UTC)
MINA = Caller("mina", user_type="consumer", service="orchestrator")
JUN = Caller("jun", user_type="consumer", service="orchestrator")
HANEUL = Caller("haneul", user_type="seller", service="orchestrator")
BARUN = Caller("barun", user_type="seller", service="orchestrator")
# Orders of mina, in the order of `COURSES`.
PENDING, PAID, PREPARING, SHIPPED, DELIVERED, DELIVERED_TOO, LONG_AGO, CANCELLED, CANCEL_REQUESTED, REFUNDED = (
    f"ORD-{number}" for number in range(10001, 10011)
)


def fill(url: str) -> None:
    """Migrate a database and load the sample shop into it."""
    engine = seeding_engine(url)
    products = products_block(AS_OF)
    with engine.begin() as connection:
        upgrade(connection)
        for block in (products, commerce_block(AS_OF, products)):
            insert_block(connection, block)
        connection.execute(SEED_STATE.insert(), _state())
    engine.dispose()


def _state() -> dict[str, Any]:
    """Return the row by which a service knows that the data of its version is there."""
    report = SeedReport(loaded=True, as_of=AS_OF, rows=0, seconds=0, datasets=())
    moment = AS_OF.replace(tzinfo=None)
    times = {"as_of": moment, "completed_at": moment}
    return {"id": 1, "generator_version": GENERATOR_VERSION, **times, "report": report.model_dump_json()}


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: datetime = AS_OF

    def __call__(self) -> datetime:
        """Return the present instant."""
        return self.now

    def move(self, **by: float) -> None:
        """Move it by a timedelta's arguments."""
        self.now += timedelta(**by)


@dataclass
class Shop:
    """Actions on one database."""

    url: str
    actions: Actions
    writer: DataWriter
    clock: Clock
    registry: Registry
    flow_run_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def call(self, action_type: str, arguments: Any, **changed: Any) -> ActionCall:
        """Return an action of mina's in a flow of its own."""
        tool = self.actions.admission.tool_of(action_type)
        fields: dict[str, Any] = {
            "key": EffectKey(str(uuid.uuid4()), "step-1", 0),
            "session_id": "session-1",
            "locale": "ko",
            "action_type": action_type,
            "arguments_json": arguments if isinstance(arguments, bytes) else json.dumps(arguments).encode(),
            "arguments_schema_id": "" if tool is None else tool.arguments_schema_id,
            "caller": MINA,
        }
        return ActionCall(**{**fields, **changed})

    async def previewed(self, call: ActionCall) -> ActionPreview:
        """Preview an action that can be done."""
        outcome = await self.actions.preview(call)
        assert isinstance(outcome, ActionPreview), outcome
        return outcome

    async def approve(
        self, preview: ActionPreview, caller: Caller = MINA, session_id: str = "session-1", *, verdict: str = "APPROVE"
    ) -> ActionApproval | ToolFailure:
        """Say the user's word on what was previewed."""
        word = ApprovalWord(preview.approval_id, preview.action_digest, ApprovalVerdict(verdict), caller, session_id)
        return await self.actions.approve(word)

    async def approved(self, call: ActionCall) -> str:
        """Preview and approve an action; return the approval's id."""
        preview = await self.previewed(call)
        approval = await self.approve(preview, call.caller, call.session_id)
        assert isinstance(approval, ActionApproval), approval
        return preview.approval_id

    async def done(self, call: ActionCall) -> ActionReceipt:
        """Do an action, with its approval where it needs one; it is on the ledger then."""
        preview = await self.previewed(call)
        if preview.confirmation_required:
            await self.approve(preview, call.caller, call.session_id)
        outcome = await self.actions.execute(call, preview.approval_id)
        assert isinstance(outcome, ActionReceipt), outcome
        return outcome

    async def refused(self, call: ActionCall, approval_id: str = "") -> str:
        """Try an action that may not be done, prove that nothing changed, and return the tag."""
        before = self.state()
        outcome = await self.actions.execute(call, approval_id)
        assert isinstance(outcome, ToolFailure), outcome
        assert self.state() == before
        return outcome.reason

    def offer(self, stock_min: int = 100) -> dict[str, Any]:
        """Return the first offer of which many are in stock and nothing lies in mina's cart."""
        return self.rows(
            "SELECT * FROM offers WHERE stock >= :least AND price_krw > 30000 AND offer_id NOT IN"
            " (SELECT offer_id FROM cart_items WHERE user_id = 'mina') ORDER BY offer_id LIMIT 1",
            least=stock_min,
        )[0]

    def rows(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        """Return what a statement reads now."""
        with reading(self.url) as connection:
            return [dict(row) for row in connection.execute(sa.text(statement), values).mappings()]

    def value(self, statement: str, **values: Any) -> Any:
        """Return the one value that a statement reads now."""
        (row,) = self.rows(statement, **values)
        (value,) = row.values()
        return value

    def state(self) -> dict[str, list[Any]]:
        """Return everything that an action may change, the approvals left out."""
        with reading(self.url) as connection:
            state = {
                table: sorted(map(repr, connection.execute(sa.text(f"SELECT * FROM {table}")).all()))  # noqa: S608
                for table in _CHANGING
            }
            # Rows of these are only ever added, and there are many of them.
            counts = [connection.execute(sa.text(f"SELECT COUNT(*) FROM {table}")).scalar() for table in _ADDED]  # noqa: S608
            return {**state, "added": counts}


_CHANGING = (
    *("shop_users", "cart_items", "coupons", "point_entries", "orders", "order_items", "order_events", "payments"),
    *("offers", "listings", "effects"),
)
_ADDED = ("reviews", "products", "product_tokens")


@contextmanager
def reading(url: str) -> Iterator[sa.Connection]:
    """Connect to a database beside the service."""
    engine = seeding_engine(url)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def writing(url: str) -> Iterator[sa.Connection]:
    """Connect to a database beside the service, and commit at the end."""
    engine = seeding_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def open_shop(
    url: str,
    backend: EffectBackend | None = None,
    *,
    change: Callable[[Registry], Registry] = lambda registry: registry,
    clock: Clock | None = None,
) -> Shop:
    """Return actions on a database; `change` may replace tools."""
    registry = change(load_registry())
    writer, clock = DataWriter.open(url), clock or Clock()
    return Shop(url, Actions.of(registry, {}, writer, backend, clock), writer, clock, registry)


def with_tool(name: str, **changed: Any) -> Callable[[Registry], Registry]:
    """Return a change that replaces fields of one tool."""
    return lambda registry: Registry(replace(tool, **changed) if tool.name == name else tool for tool in registry)


def copy_of(filled: Path, folder: Path) -> str:
    """Copy a filled SQLite file and return its URL."""
    target = folder / "shop.db"
    copy_database(filled, target)
    return f"sqlite+aiosqlite:///{target}"
