"""Serves hapju.synthesizer.v1.SynthesizerService."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import grpc

from hapju.synthesizer.v1 import synthesizer_service_pb2 as pb
from hapju.synthesizer.v1 import synthesizer_service_pb2_grpc as pb_grpc
from hapju.tool.v1.tool_gateway_service_pb2_grpc import ToolGatewayServiceStub
from services.contract.mapping import from_proto, to_proto
from services.contract.synthesizer import SynthesizeRequest, SynthesizeResponse
from services.llm.build import decider_from
from services.runtime import run
from services.runtime.server import Service
from services.synthesizer.streaming import Synthesis
from services.synthesizer.web import WebFallback


class SynthesizerServicer(pb_grpc.SynthesizerServiceServicer):
    """Writes answers for whoever asks with an answer's parts."""

    def __init__(self, synthesis: Synthesis) -> None:
        self._synthesis = synthesis

    async def Synthesize(
        self,
        request: pb.SynthesizeRequest,
        context: "grpc.aio.ServicerContext[pb.SynthesizeRequest, pb.SynthesizeResponse]",
    ) -> AsyncGenerator[pb.SynthesizeResponse, None]:
        """Stream one answer; the whole of it comes last."""
        asked = from_proto(request, SynthesizeRequest)
        # While the model is asked the caller takes the stream's head in: its first piece would wait for that otherwise.
        await context.send_initial_metadata(())
        with run.use(asked.run):
            async with aclosing(self._synthesis.write(asked)) as events:
                async for event in events:
                    yield to_proto(SynthesizeResponse(event), pb.SynthesizeResponse)


def _web(service: Service) -> WebFallback | None:
    """Return the look at the web, where the deployment has switched it on."""
    if not service.settings.web_search_url:
        return None
    gateway = service.peers.stub(ToolGatewayServiceStub, "tool_gateway")
    return WebFallback(gateway, recorded=service.settings.records_flows)


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Add the synthesizer to a server."""
    decider = decider_from(service.settings.llm, service.name)
    service.stack.push_async_callback(decider.aclose)
    settings = service.settings
    orders, ahead = settings.citation_postprocess, settings.decide_ahead
    synthesis = Synthesis(decider, orders_citations=orders, web=_web(service), ahead=ahead, short=settings.typed_asks)
    pb_grpc.add_SynthesizerServiceServicer_to_server(SynthesizerServicer(synthesis), server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["SynthesizerService"].full_name)
