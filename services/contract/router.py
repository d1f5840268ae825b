"""The messages of router_service.

Generated from protos/hapju/router/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass

from hapju.router.v1 import router_service_pb2
from services.contract.asks import AskedBefore
from services.contract.flow import Attachment, Remembered, RouteDecision, RouterOutput, RunContext, Spent, Turn
from services.contract.mapping import message


@message(router_service_pb2.RouteRequest)
@dataclass(frozen=True, slots=True)
class RouteRequest:
    """Requests a route."""

    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    history: tuple[Turn, ...] = ()
    """The turns before it, the oldest first."""
    intent_hint: str = ""
    """The intent, where the client knows it; decides at confidence .99."""
    router_output: RouterOutput | None = None
    """A reading that replaces routing."""
    memory: tuple[Remembered, ...] = ()
    """What is remembered of the user's earlier conversations, the latest first; for what the question only points to.
    """
    before: tuple[AskedBefore, ...] = ()
    """What the messages before it asked for and what came of that, the latest first; at most eight."""
    attachments: tuple[Attachment, ...] = ()
    """The files that came with it, else those that came last in the conversation; without their content."""


@message(router_service_pb2.RouteResponse)
@dataclass(frozen=True, slots=True)
class RouteResponse:
    """Returns a route."""

    route: RouteDecision
    """The route."""
    spent: Spent
    """What it cost."""
