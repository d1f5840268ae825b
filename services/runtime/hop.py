"""Serves HopService: a flow that is cancelled learns from each hop when it has let go."""

from hapju.runtime.v1 import hop_service_pb2 as pb
from hapju.runtime.v1 import hop_service_pb2_grpc
from services.runtime import deadlines
from services.runtime.interceptors import Guard

MARGIN_SECONDS = 0.05
"""What is left of the caller's time when the hop says that it still works."""


class HopServicer(hop_service_pb2_grpc.HopServiceServicer):
    """Tells when nothing works for a flow any more.

    Args:
        guard: Knows the running handlers of the service.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def AwaitFlowEnd(self, request: pb.AwaitFlowEndRequest, context: object) -> pb.AwaitFlowEndResponse:
        """Waits until no handler works for a flow."""
        left = (deadlines.remaining_seconds() or 0.0) - MARGIN_SECONDS
        return pb.AwaitFlowEndResponse(running=await self._guard.let_go(request.flow_run_id, max(0.0, left)))
