"""Serves HopService: a flow that is cancelled learns from each hop when it has let go."""

from hapju.flow.v1 import decision_pb2
from hapju.runtime.v1 import hop_service_pb2 as pb
from hapju.runtime.v1 import hop_service_pb2_grpc
from services.contract.mapping import to_proto
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
        """Wait until no handler works for a flow."""
        left = (deadlines.remaining_seconds() or 0.0) - MARGIN_SECONDS
        running = await self._guard.let_go(request.flow_run_id, max(0.0, left))
        interrupted = to_proto(self._guard.interrupted(request.flow_run_id), decision_pb2.Usage)
        return pb.AwaitFlowEndResponse(running=running, interrupted=interrupted)
