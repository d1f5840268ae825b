"""`python -m tests.bench.overhead.spans`: takes what services export, and counts it.

It prints its address and ends with its standard input. `counted` asks it what has come since it was asked last.
"""

import asyncio
import json
import sys
from dataclasses import dataclass

import grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from services.runtime.call_policy import INFRASTRUCTURE_PREFIXES

_SERVICE = "hapju.bench.Spans"


@dataclass(slots=True)
class Counted:
    """What was exported."""

    spans: int = 0
    """Spans."""
    hops: int = 0
    """Those of them that are the serving end of a call."""


async def counted(address: str) -> Counted:
    """Returns what has come since it was asked last."""
    async with grpc.aio.insecure_channel(address) as channel:
        ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{_SERVICE}/Count")
        return Counted(**json.loads(await ask(b"", timeout=10.0)))


class _Traces(trace_service_pb2_grpc.TraceServiceServicer):
    def __init__(self) -> None:
        self.counted = Counted()

    async def Export(
        self,
        request: trace_service_pb2.ExportTraceServiceRequest,
        context: object,
    ) -> trace_service_pb2.ExportTraceServiceResponse:
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.counted.spans += len(scope.spans)
                self.counted.hops += sum(_is_hop(span) for span in scope.spans)
        return trace_service_pb2.ExportTraceServiceResponse()

    async def count(self, _: bytes, context: object) -> bytes:
        count, self.counted = self.counted, Counted()
        return json.dumps({"spans": count.spans, "hops": count.hops}).encode()


class _Metrics(metrics_service_pb2_grpc.MetricsServiceServicer):
    async def Export(
        self,
        request: metrics_service_pb2.ExportMetricsServiceRequest,
        context: object,
    ) -> metrics_service_pb2.ExportMetricsServiceResponse:
        return metrics_service_pb2.ExportMetricsServiceResponse()


def _is_hop(span: Span) -> bool:
    return span.kind == Span.SPAN_KIND_SERVER and not f"/{span.name.removeprefix('/')}".startswith(
        INFRASTRUCTURE_PREFIXES
    )


async def _serve() -> None:
    server, traces = grpc.aio.server(), _Traces()
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(traces, server)  # type: ignore[no-untyped-call]
    metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(_Metrics(), server)  # type: ignore[no-untyped-call]
    count: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(traces.count)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {"Count": count}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"127.0.0.1:{port}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(0)


if __name__ == "__main__":
    asyncio.run(_serve())
