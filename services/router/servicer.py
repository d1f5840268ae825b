"""The router service."""

import asyncio

import grpc

from hapju.router.v1 import router_service_pb2 as pb
from hapju.router.v1 import router_service_pb2_grpc as pb_grpc
from services.catalog.loader import catalog
from services.contract.mapping import from_proto, to_proto
from services.contract.router import RouteRequest, RouteResponse
from services.llm.build import decider_from
from services.router.routing import Routing
from services.runtime import ledger, run
from services.runtime.identity import current_caller
from services.runtime.model_settings import LlmSettings
from services.runtime.server import Service
from services.text.encoder import encode


class RouterServicer(pb_grpc.RouterServiceServicer):
    """Serves hapju.router.v1.RouterService."""

    def __init__(self, routing: Routing) -> None:
        self._routing = routing

    async def Route(self, request: pb.RouteRequest, context: object) -> pb.RouteResponse:
        """Return the domain, intent and entities of one question."""
        asked = from_proto(request, RouteRequest)
        with run.use(asked.run):
            route = await self._routing.route(asked, current_caller())
        return to_proto(RouteResponse(route, ledger.spent()), pb.RouteResponse)


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Add the router service to a server; the catalog's own checks stop a start with gates or owners that cannot hold.

    Raises:
        CatalogError: The catalog contradicts itself.
    """
    await _added(server, service)


async def _added(server: grpc.aio.Server, service: Service) -> Routing:
    decider = decider_from(service.settings.llm, service.name)
    service.stack.push_async_callback(decider.aclose)
    rule_decider = decider_from(LlmSettings(), service.name)
    folder = service.settings.data_dir
    typed, beside = service.settings.typed_asks, service.settings.asks_beside_route
    routing = await asyncio.to_thread(
        lambda: Routing(catalog(), decider, rule_decider, folder, typed_asks=typed, asks_beside=beside)
    )
    pb_grpc.add_RouterServiceServicer_to_server(RouterServicer(routing), server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["RouterService"].full_name)
    return routing


async def register_warm(server: grpc.aio.Server, service: Service) -> None:
    """Add the router service as `register` does, with all that its first questions would load.

    A process that lives long does this, so that no user waits for it; the sentence encoder, which few questions need,
    follows in the background. One that answers a single question loads what that needs. The route is the same either
    way.

    Raises:
        CatalogError: As `register` does.
    """
    routing = await _added(server, service)
    await routing.load_ahead()
    warming = asyncio.ensure_future(asyncio.to_thread(encode, ("",)))
    service.stack.push_async_callback(asyncio.wait, {warming})
