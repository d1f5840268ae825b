"""Connections by TLS: who may call, what is refused at the start, and certificates that change while services run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.runtime import transport
from services.runtime.settings import Settings, SettingsError
from services.runtime.transport import Transport, name_shown
from tests.support.certificates import Authority

METHOD = "/test.Echo/Say"
pytestmark = pytest.mark.asyncio


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Return an authority that both sides know."""
    return Authority(tmp_path / "certificates")


def settings(tmp_path: Path, **given: Any) -> Settings:
    """Return settings with these certificates."""
    return Settings(data_dir=tmp_path, **given)


@asynccontextmanager
async def echo(tls: Transport, *, is_door: bool = False) -> AsyncIterator[str]:
    """Run a server that says who called it."""

    async def say(_: bytes, context: Any) -> bytes:
        return b",".join(context.auth_context().get("x509_common_name", [b"nobody"]))

    server = grpc.aio.server()
    handler = grpc.method_handlers_generic_handler("test.Echo", {"Say": grpc.unary_unary_rpc_method_handler(say)})
    server.add_generic_rpc_handlers((handler,))
    port = tls.listen(server, "127.0.0.1:0", is_door=is_door)
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)


async def said(channel: grpc.aio.Channel) -> bytes:
    """Return who the server says has called."""
    say: Any = channel.unary_unary(METHOD)
    return bytes(await say(b"", timeout=5))


async def test_a_service_is_called_by_those_with_a_certificate(tmp_path: Path, authority: Authority) -> None:
    """Who shows one of the authority is let in under its name; who shows none, or speaks in the clear, is not."""
    router = Transport.from_settings(settings(tmp_path, **authority.sign("router")))
    caller = Transport.from_settings(settings(tmp_path, **authority.sign("orchestrator")))
    stranger = Transport.from_settings(settings(tmp_path, tls_ca=str(tmp_path / "certificates" / "ca.pem")))
    other = Transport.from_settings(settings(tmp_path, **Authority(tmp_path / "other").sign("orchestrator")))
    async with echo(router) as address:
        async with caller.channel(address, ()) as channel:
            assert await said(channel) == b"orchestrator"
        for refused in (stranger, other, Transport()):
            async with refused.channel(address, ()) as channel:
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await said(channel)
                assert error.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_the_door_asks_clients_for_none(tmp_path: Path, authority: Authority) -> None:
    """Clients of the gateway have tokens; a certificate is asked of them only where the deployment says so."""
    given = authority.sign("gateway")
    client = Transport.from_settings(settings(tmp_path, tls_ca=given["tls_ca"]))
    open_door = Transport.from_settings(settings(tmp_path, **given))
    async with echo(open_door, is_door=True) as address, client.channel(address, ()) as channel:
        assert await said(channel) == b"nobody"
    strict = Transport.from_settings(settings(tmp_path, **given, tls_clients="all"))
    async with echo(strict, is_door=True) as address, client.channel(address, ()) as channel:
        with pytest.raises(grpc.aio.AioRpcError):
            await said(channel)


async def test_certificates_are_renewed_while_calls_go_on(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides show the new certificate without a restart; a stub that was made before goes on working."""
    monkeypatch.setattr(transport, "LOOK_SECONDS", 0.0)
    served = Transport.from_settings(settings(tmp_path, **authority.sign("router")))
    caller = Transport.from_settings(settings(tmp_path, **authority.sign("orchestrator")))
    async with echo(served) as address, caller.channel(address, ()) as channel:
        say: Any = channel.unary_unary(METHOD)
        assert await say(b"", timeout=5) == b"orchestrator"
        authority.sign("router")
        renewed = authority.sign("renewed")
        for setting in ("tls_cert", "tls_key"):
            path = Path(renewed[setting])
            path.replace(path.with_stem("orchestrator"))
        assert await say(b"", timeout=5) == b"renewed"


async def test_files_that_cannot_be_read_leave_the_former_ones(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rotation that goes wrong is logged and closes nothing."""
    monkeypatch.setattr(transport, "LOOK_SECONDS", 0.0)
    given = authority.sign("router")
    served = Transport.from_settings(settings(tmp_path, **given))
    caller = Transport.from_settings(settings(tmp_path, **authority.sign("orchestrator")))
    async with echo(served) as address, caller.channel(address, ()) as channel:
        Path(given["tls_key"]).unlink()
        assert await said(channel) == b"orchestrator"


@pytest.mark.parametrize(
    ("leave_out", "message"),
    [("tls_key", "go together"), ("tls_cert", "go together"), ("tls_ca", "HAPJU_TLS_CA is required")],
)
async def test_half_of_what_it_takes_is_refused(
    tmp_path: Path, authority: Authority, leave_out: str, message: str
) -> None:
    """A service that could not show or check a certificate does not start in the clear instead."""
    given = {**authority.sign("router"), leave_out: ""}
    with pytest.raises(SettingsError, match=message):
        async with echo(Transport.from_settings(settings(tmp_path, **given))):
            pass


async def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The error names the variable and the path."""
    with pytest.raises(SettingsError, match=r"HAPJU_TLS_CA=/nowhere/ca.pem cannot be read"):
        Transport.from_settings(settings(tmp_path, tls_ca="/nowhere/ca.pem"))


async def test_a_probe_knows_the_name_that_is_shown(authority: Authority) -> None:
    """It asks this machine under the first name of the certificate, which is the service's own."""
    given = authority.sign("router", "hapju-router.bank.svc", "router")
    assert name_shown(given["tls_cert"]) == "hapju-router.bank.svc"
