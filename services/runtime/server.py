"""serve(): the only place where a server is built, drained and stopped.

start    settings checked -> telemetry -> interceptors -> the service's own register() -> health -> listening -> its
further doors
stop     NOT_SERVING -> further calls refused -> running calls awaited, with a bound -> what register() opened is
closed -> channels closed -> exporters flushed
"""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import structlog
from grpc_health.v1 import health_pb2_grpc

from hapju.flow.v1 import decision_pb2
from hapju.runtime.v1 import hop_service_pb2, hop_service_pb2_grpc
from hapju.runtime.v1 import hop_service_pb2 as pb
from observability.setup import configure
from observability.spans import use
from observability.telemetry import Telemetry
from services.contract.mapping import to_proto
from services.runtime import deadlines
from services.runtime.calls import CHANNEL_OPTIONS, KEEPALIVE_SECONDS, MESSAGE_BYTES_MAX, Listening, Peers, listens
from services.runtime.clock import Clock, utc_now
from services.runtime.environment import load
from services.runtime.garbage import settle
from services.runtime.health import Health
from services.runtime.identity import Assertions
from services.runtime.interceptors import Guard, Identify, Refuse, identify_by
from services.runtime.local import LocalDoor
from services.runtime.settings import ServicePlaces, Settings, SettingsError
from services.runtime.tenants import tenants_from
from services.runtime.transport import Transport

FLUSH_SECONDS_MAX: Final = 5.0
"""How long the exporters may take to send what is left."""
SERVER_OPTIONS: Final[tuple[tuple[str, Any], ...]] = (
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
    # No less than our channels probe, else the server takes a healthy client for a hostile one.
    ("grpc.http2.min_ping_interval_without_data_ms", KEEPALIVE_SECONDS * 1000 // 2),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.so_reuseport", 0),
    *(option for option in CHANNEL_OPTIONS if option[0].startswith(("grpc.keepalive_time", "grpc.http2.ping"))),
)
"""What every server of ours is built with."""

CONNECTION_GRACE_SECONDS: Final = 600
"""How long a call goes on whose connection has grown old."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Service:
    """What a service is given to build itself from."""

    name: str
    """The service's name in the catalog."""
    settings: Settings
    """The process's settings."""
    peers: Peers
    """The other services."""
    telemetry: Telemetry
    """The service's own telemetry."""
    health: Health
    """Takes the service's readiness checks."""
    identify: Identify
    """How the service learns who calls; the gateway replaces it."""
    clock: Clock = utc_now
    """The present instant."""
    refusing: dict[str, Refuse] = field(default_factory=dict)
    """What is turned away before anything is begun for it, by method."""
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    """What is opened here is closed when the service has drained."""
    implements: list[str] = field(default_factory=list)
    """The full names of the gRPC services that it registers, for reflection."""
    local: LocalDoor = field(default_factory=lambda: LocalDoor(lambda _, handler: handler))
    """Takes handlers for calls from within this process, with all that stands around the others."""
    once_listening: list[Callable[[str], Awaitable[None]]] = field(default_factory=list)
    """Called in order with the service's address once it listens: what they open is closed with the stack."""
    doors: dict[str, str] = field(default_factory=dict)
    """Where it listens beside its own address, a URL by the name of what is served there."""


Register = Callable[[grpc.aio.Server, Service], Awaitable[None]]
"""Builds a service's parts and adds its servicers to the server."""


class RunningService:
    """A service that listens.

    Attributes:
        name: Its name.
        address: Where it listens, host:port.
    """

    def __init__(self, name: str, address: str, server: grpc.aio.Server, service: Service, guard: Guard) -> None:
        self.name = name
        self.address = address
        self._server = server
        self._service = service
        self._guard = guard
        self._watch = asyncio.create_task(service.health.watch())
        self._stopped = False

    @property
    def health(self) -> Health:
        """The service's health."""
        return self._service.health

    @property
    def running(self) -> int:
        """How many handlers run now."""
        return self._guard.running

    @property
    def doors(self) -> dict[str, str]:
        """Where it listens beside its own address, by the name of what is served there."""
        return dict(self._service.doors)

    async def stop(self, drain_seconds: float | None = None) -> None:
        """Drain and stop; a second call does nothing. `drain_seconds` is the setting's by default."""
        if self._stopped:
            return
        self._stopped = True
        bound = self._service.settings.drain_seconds_max if drain_seconds is None else drain_seconds
        with use(self._service.telemetry):
            await self._service.health.stop()
            self._guard.drain()
            await asyncio.gather(self._server.stop(bound), self._service.local.drain(bound))
            if not await self._guard.settled(bound + 1.0):
                _log.error("handlers did not end in time", running=self._guard.running)
            self._watch.cancel()
            await self._service.stack.aclose()
            await self._service.peers.close()
            _log.info("stopped")
        await self._service.telemetry.shutdown(FLUSH_SECONDS_MAX)


async def start(  # noqa: PLR0913 - what a process shares, and what is the service's own
    name: str,
    register: Register,
    settings: Settings,
    *,
    listen: str,
    addresses: dict[str, str],
    listening: Listening = listens,
) -> RunningService:
    """Start one service in this process and return it when it listens.

    Args:
        name: Its name in the catalog.
        register: Builds its parts.
        settings: The process's settings.
        listen: host:port to listen at; port 0 takes a free one.
        addresses: Where its peers listen, by name.
        listening: What its calls to a peer wait for.

    Raises:
        SettingsError: Where the settings would leave the service open, or the address cannot be taken.
    """
    settings.check(listen)
    # What is wrong with it is told now, not to the first who asks.
    tenants_from(settings.tenants)
    transport = Transport.from_settings(settings)
    telemetry = configure(name, settings.telemetry)
    assertions = Assertions(settings.assertion_key)
    service = Service(
        name=name,
        settings=settings,
        peers=Peers(name, addresses, assertions, listening, settings.away_seconds_max, transport=transport),
        telemetry=telemetry,
        health=Health(name),
        identify=identify_by(assertions.verify),
    )
    # Looked up at each call: the gateway's register() replaces it.
    guard = Guard(telemetry, lambda metadata: service.identify(metadata), settings.rpcs_max, service.refusing)  # noqa: PLW0108
    service.local = LocalDoor(guard.around)
    behind = service.identify
    server = grpc.aio.server(interceptors=[guard], options=server_options(settings))
    try:
        with use(telemetry):
            await register(server, service)
            if service.identify is behind:
                # The gateway, which identifies its callers in its own way, is no hop: flows do not call it.
                hop_service_pb2_grpc.add_HopServiceServicer_to_server(HopServicer(guard), server)
                service.implements.append(hop_service_pb2.DESCRIPTOR.services_by_name["HopService"].full_name)
            address = await _listening(server, service, transport, listen, is_door=service.identify is not behind)
            _log.info("serving", address=address, **service.doors)
    except BaseException:
        # A start that fails, or that nobody waits for any more, leaves nothing that listens.
        await server.stop(0)
        await service.stack.aclose()
        await service.peers.close()
        raise
    return RunningService(name, address, server, service, guard)


def server_options(settings: Settings) -> tuple[tuple[str, Any], ...]:
    """Return what a server is built with, by the settings of its process."""
    if not settings.connection_seconds_max:
        return SERVER_OPTIONS
    age = ("grpc.max_connection_age_ms", settings.connection_seconds_max * 1000)
    return (*SERVER_OPTIONS, age, ("grpc.max_connection_age_grace_ms", CONNECTION_GRACE_SECONDS * 1000))


async def _listening(
    server: grpc.aio.Server, service: Service, transport: Transport, listen: str, *, is_door: bool
) -> str:
    """Let a server listen, and tell its health; return where it is reached.

    Raises:
        SettingsError: An address cannot be taken.
    """
    health_pb2_grpc.add_HealthServicer_to_server(service.health.servicer, server)
    if service.settings.reflection:
        # Imported only where it is served: it costs a start some tens of milliseconds.
        from grpc_reflection.v1alpha import reflection  # noqa: PLC0415

        reflection.enable_server_reflection((*service.implements, reflection.SERVICE_NAME), server)
    try:
        port = transport.listen(server, listen, is_door=is_door)
    except RuntimeError as taken:
        raise SettingsError(f"{service.name} cannot listen at {listen}: is something else running there?") from taken
    await server.start()
    if service.settings.probe_listen:
        await _open_for_probes(service.settings.probe_listen, service)
    await service.health.start()
    address = listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"
    for opened in service.once_listening:
        await opened(address)
    return address


async def _open_for_probes(listen: str, service: Service) -> None:
    """Serve health alone, in the clear: what kubelets ask, which speak no TLS.

    Raises:
        SettingsError: The address cannot be taken.
    """
    door = grpc.aio.server(options=SERVER_OPTIONS)
    health_pb2_grpc.add_HealthServicer_to_server(service.health.servicer, door)
    try:
        door.add_insecure_port(listen)
    except RuntimeError as taken:
        raise SettingsError(f"HAPJU_PROBE_LISTEN={listen} cannot be taken") from taken
    await door.start()
    service.stack.push_async_callback(door.stop, 0)


def serve(
    name: str, register: Register, topology: Callable[[], ServicePlaces], load_ahead: Callable[[], object] | None = None
) -> None:
    """Run one service until SIGTERM or SIGINT, then drain it and return.

    Exits with 2 on unusable settings or domains; `topology` says which services there are. What `load_ahead` loads is
    there before the service listens: it is ready once its first call takes no longer than the others.
    """
    import uvloop  # noqa: PLC0415 - a command that answers once and ends goes without

    try:
        places = topology()
        settings = load(places)
        if load_ahead is not None:
            load_ahead()
        uvloop.run(_serve(name, register, places, settings))
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


async def _serve(name: str, register: Register, places: ServicePlaces, settings: Settings) -> None:
    addresses = {peer: settings.address(peer, places) for peer in places.names}
    listen = settings.listen or f"127.0.0.1:{places.port(name)}"
    running = await start(name, register, settings, listen=listen, addresses=addresses)
    settle()
    await interrupted()
    await running.stop()


async def interrupted() -> None:
    """Wait for SIGTERM or SIGINT."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked.set)
    try:
        await asked.wait()
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


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
