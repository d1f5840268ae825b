"""Actions over real sockets: shown, approved by the user's own word, executed once, listed, and refused in order."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc as pb_grpc
from services.contract.flow import Budget, RunContext
from services.contract.mapping import from_proto, to_proto
from services.contract.tool import (
    ActionApproval,
    ActionPreview,
    ActionReceipt,
    ApprovalVerdict,
    ApproveActionRequest,
    ApproveActionResponse,
    EffectStatus,
    ExecuteActionRequest,
    ExecuteActionResponse,
    InvokeToolRequest,
    InvokeToolResponse,
    PreviewActionRequest,
    PreviewActionResponse,
    ReconcileActionRequest,
    ReconcileActionResponse,
    SideEffect,
    ToolDescription,
    ToolFailure,
    ToolResult,
)
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.errors import InvalidRequest
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.server import RunningService, start
from services.runtime.settings import Settings
from services.tool_gateway.servicer import register
from tests.support.shop import AS_OF

MINA = Caller("mina", user_type="consumer")
SCHEMA = "hapju.tool.{}.arguments.v1"


@dataclass
class Peer:
    """A service that calls the tool gateway for a user."""

    stub: Any
    run: RunContext

    async def preview(self, action: str, tool: str, arguments: object, *, ordinal: int = 0) -> Any:
        """Preview an action of mina's."""
        document = json.dumps(arguments).encode()
        asked = PreviewActionRequest(self.run, "step-1", ordinal, action, document, SCHEMA.format(tool))
        with acting_for(MINA), deadlines.within(10):
            reply = await self.stub.PreviewAction(to_proto(asked, pb.PreviewActionRequest))
        return from_proto(reply, PreviewActionResponse).outcome

    async def approve(self, preview: ActionPreview, caller: Caller = MINA) -> Any:
        """Bring a user's word."""
        asked = ApproveActionRequest(self.run, preview.approval_id, preview.action_digest, ApprovalVerdict.APPROVE)
        with acting_for(caller), deadlines.within(10):
            reply = await self.stub.ApproveAction(to_proto(asked, pb.ApproveActionRequest))
        return from_proto(reply, ApproveActionResponse).outcome

    async def execute(self, preview: ActionPreview, *, ordinal: int = 0) -> Any:
        """Execute what was previewed."""
        asked = ExecuteActionRequest(
            self.run,
            "step-1",
            ordinal,
            preview.action_type,
            preview.arguments_json,
            SCHEMA.format(preview.tool),
            preview.approval_id,
        )
        with acting_for(MINA), deadlines.within(10):
            reply = await self.stub.ExecuteAction(to_proto(asked, pb.ExecuteActionRequest))
        return from_proto(reply, ExecuteActionResponse).outcome

    async def reconcile(self, caller: Caller = MINA) -> Any:
        """Reconcile the step's first action."""
        asked = ReconcileActionRequest(self.run, "step-1", 0)
        with acting_for(caller), deadlines.within(10):
            reply = await self.stub.ReconcileAction(to_proto(asked, pb.ReconcileActionRequest))
        return from_proto(reply, ReconcileActionResponse).outcome


@pytest_asyncio.fixture
async def running(sqlite_url: str, tmp_path: Path) -> AsyncIterator[tuple[RunningService, Settings]]:
    """Return a tool gateway on the sample shop."""
    settings = Settings(data_dir=tmp_path / "keys", sql_url=sqlite_url)
    service = await start("tool_gateway", register, settings, listen="127.0.0.1:0", addresses={})
    yield service, settings
    await service.stop(1)


@pytest_asyncio.fixture
async def peer(running: tuple[RunningService, Settings]) -> AsyncIterator[Any]:
    """Return a function that makes a calling service; all of them work for one flow."""
    service, settings = running
    run = RunContext(new_flow_run_id(), "session-1", "ko", AS_OF, "Asia/Seoul", Budget(1, 1, 1, 1), ())
    opened: list[Peers] = []

    def make(name: str) -> Peer:
        peers = Peers(name, {"tool_gateway": service.address}, Assertions(settings.assertion_key))
        opened.append(peers)
        return Peer(peers.stub(pb_grpc.ToolGatewayServiceStub, "tool_gateway"), run)

    yield make
    for peers in opened:
        await peers.close()


@pytest.mark.asyncio
async def test_a_refund_from_preview_to_receipt(peer: Any) -> None:
    """The orchestrator shows it, the gateway brings the user's word, it is done once, and the ledger tells it again."""
    orchestrator, gateway, agent = peer("orchestrator"), peer("gateway"), peer("commerce.after_sales")
    arguments = {"order_id": "ORD-10001", "reason": "마음이 바뀌었어요"}
    preview = await orchestrator.preview("CANCEL_ORDER", "order_cancel", arguments)
    assert isinstance(preview, ActionPreview)
    assert preview.confirmation_required
    assert preview.expire_time is not None
    early = await orchestrator.execute(preview)
    assert isinstance(early, ToolFailure)
    assert early.reason == "APPROVAL_REQUIRED"
    for messenger in (agent, peer("synthesizer")):
        forged = await messenger.approve(preview)
        assert isinstance(forged, ToolFailure)
        assert forged.reason == "UNAUTHORIZED_ACTION"
    assert isinstance(await gateway.approve(preview, Caller("jun")), ToolFailure)
    approval = await gateway.approve(preview)
    assert isinstance(approval, ActionApproval)
    receipt = await orchestrator.execute(preview)
    assert isinstance(receipt, ActionReceipt)
    assert receipt.status is EffectStatus.SUCCEEDED
    assert json.loads(receipt.result_json)["status"] == "cancelled"
    assert await orchestrator.execute(preview) == receipt
    assert await orchestrator.reconcile() == receipt
    assert isinstance(await orchestrator.reconcile(Caller("jun")), ToolFailure)


@pytest.mark.asyncio
async def test_a_flow_reads_anew_what_its_action_has_changed(peer: Any) -> None:
    """A read that was kept for the flow is not returned after an action of the same flow."""
    orchestrator = peer("orchestrator")

    async def cart() -> ToolResult:
        # The agents that own a cart are not served yet, so the grant is made here.
        asked = InvokeToolRequest(orchestrator.run, "step-1", "product_search", b'{"query": "chair"}', _SEARCH)
        with acting_for(MINA), deadlines.within(10):
            agent = peer("commerce.product_search")
            reply = await agent.stub.InvokeTool(to_proto(asked, pb.InvokeToolRequest))
        outcome = from_proto(reply, InvokeToolResponse).outcome
        assert isinstance(outcome, ToolResult)
        return outcome

    first = await cart()
    assert (await cart()).replayed
    product = json.loads(first.rows_json)[0]["product_id"]
    preview = await orchestrator.preview("ADD_TO_CART", "order_add_to_cart", {"product_id": product})
    assert isinstance(preview, ActionPreview)
    assert not preview.confirmation_required
    assert isinstance(await orchestrator.execute(preview), ActionReceipt)
    assert not (await cart()).replayed


_SEARCH = "hapju.tool.product_search.arguments.v1"


@pytest.mark.asyncio
async def test_the_registry_tells_effects_and_how_they_were_used(peer: Any) -> None:
    """ListTools shows effects with their class and role, and the last use moves with an execution."""
    orchestrator = peer("orchestrator")

    async def tools() -> dict[str, ToolDescription]:
        with acting_for(MINA), deadlines.within(10):
            listed = await orchestrator.stub.ListTools(pb.ListToolsRequest(locale="ko"))
        return {tool.name: from_proto(tool, ToolDescription) for tool in listed.tools}

    before = await tools()
    assert before["order_refund"].side_effect is SideEffect.IRREVERSIBLE
    assert before["seller_create_listing"].required_role == "seller"
    assert before["order_add_to_cart"].last_use_time is None
    arguments = {"product_id": "CHAIR-0001", "quantity": 1}
    preview = await orchestrator.preview("ADD_TO_CART", "order_add_to_cart", arguments)
    if isinstance(preview, ActionPreview):
        await orchestrator.execute(preview)
        after = (await tools())["order_add_to_cart"]
        assert after.last_use_time is not None
        assert 0 < after.typical_duration.total_seconds() < 5


@pytest.mark.asyncio
async def test_what_breaks_the_contract_is_a_status(peer: Any) -> None:
    """A missing field and an ordinal out of range are refused with the field's name."""
    orchestrator = peer("orchestrator")
    for ordinal in (-1, 1_000):
        with pytest.raises(InvalidRequest, match="ordinal"):
            await orchestrator.preview("ADD_TO_CART", "order_add_to_cart", {}, ordinal=ordinal)
    with pytest.raises(InvalidRequest, match="action_type"):
        await orchestrator.preview("", "order_add_to_cart", {})
