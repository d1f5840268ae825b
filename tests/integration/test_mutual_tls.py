"""The whole ensemble over mutual TLS: each service a process with a certificate of its own."""

from pathlib import Path

import grpc
import pytest

from hapju.router.v1 import router_service_pb2, router_service_pb2_grpc
from services.runtime.transport import Certificates, Transport
from tests.support.certificates import Authority
from tests.support.cluster import processes


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_question_goes_through_every_hop_by_certificate(tmp_path: Path, data: Path) -> None:
    """It is answered; who has no certificate reaches no service behind the gateway, in the clear or by TLS."""
    authority = Authority(tmp_path / "certificates")
    ca = authority.sign("nobody")["tls_ca"]
    async with processes(tmp_path, data, authority=authority, HAPJU_TYPED_ASKS="true") as cluster:
        told = await cluster.ask("마포구 아파트 전세 시세 얼마야?")
        assert told.terminal == ["finished"]
        assert "마포구" in told.text
        by_tls = Transport(Certificates("", "", ca))
        for stranger in (Transport(), by_tls):
            async with stranger.channel(cluster.addresses["router"], ()) as channel:
                stub = router_service_pb2_grpc.RouterServiceStub(channel)
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await stub.Route(router_service_pb2.RouteRequest(), timeout=5)
                assert error.value.code() is grpc.StatusCode.UNAVAILABLE
