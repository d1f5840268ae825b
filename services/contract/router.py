"""The router's messages. Field meanings stand in protos/hapju/router/v1."""

from dataclasses import dataclass

from hapju.router.v1 import router_service_pb2
from services.contract.asks import AskedBefore
from services.contract.attachments import Attachment
from services.contract.flow import Remembered, RouteDecision, RouterOutput, RunContext, Spent, Turn
from services.contract.mapping import message


@message(router_service_pb2.RouteRequest)
@dataclass(frozen=True, slots=True)
class RouteRequest:
    """Requests a route."""

    run: RunContext
    question: str
    history: tuple[Turn, ...] = ()
    intent_hint: str = ""
    router_output: RouterOutput | None = None
    memory: tuple[Remembered, ...] = ()
    before: tuple[AskedBefore, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@message(router_service_pb2.RouteResponse)
@dataclass(frozen=True, slots=True)
class RouteResponse:
    """Returns a route."""

    route: RouteDecision
    spent: Spent
