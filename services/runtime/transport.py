"""How services reach each other: in the clear on one machine, or by TLS with certificates that may change.

HAPJU_TLS_CERT and HAPJU_TLS_KEY   what a service shows to those that call it, and to those that it calls
HAPJU_TLS_CA                       who has signed the certificates of the others

The files are read again where they change, for a certificate lives for weeks and a process for months: a server shows
the new one at the next handshake, a client opens a new connection for its next call and lets running calls end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self, cast

import grpc
import structlog

from services.runtime.settings import Settings, SettingsError

LOOK_SECONDS: Final = 1.0
"""How often the files are looked at for a change, at most."""
CLOSE_SECONDS_MAX: Final = 600.0
"""How long calls over a connection with former certificates may still run."""

_log = structlog.get_logger(__name__)
Options = Sequence[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class _Pem:
    """Certificates as they were read together."""

    key: bytes | None
    chain: bytes | None
    ca: bytes | None


class Certificates:
    """The certificate files of this process, read again where they change."""

    def __init__(self, cert: str, key: str, ca: str) -> None:
        """Take the paths of a certificate chain, its key and its authorities, each PEM; an empty one is none."""
        self._paths = {"HAPJU_TLS_KEY": key, "HAPJU_TLS_CERT": cert, "HAPJU_TLS_CA": ca}
        self.cert = cert
        """The path of the chain; empty for none."""
        self._looked, self._stamps = 0.0, self._stamped()
        self._pem = self._read()
        self.generation = 1
        """Counts the changes."""

    @property
    def pem(self) -> _Pem:
        """The certificates as they are now; files that cannot be read leave the former ones."""
        if monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = monotonic()
            if (stamps := self._stamped()) != self._stamps:
                self._renew(stamps)
        return self._pem

    def _renew(self, stamps: tuple[Any, ...]) -> None:
        try:
            self._pem = self._read()
        except SettingsError as unreadable:
            _log.error("certificates cannot be read again; the former ones stay", why=str(unreadable))
            return
        self._stamps = stamps
        self.generation += 1
        _log.info("certificates renewed", generation=self.generation)

    def _stamped(self) -> tuple[Any, ...]:
        return tuple(_stamp(path) for path in self._paths.values() if path)

    def _read(self) -> _Pem:
        return _Pem(*(_bytes_of(variable, path) for variable, path in self._paths.items()))


def _stamp(path: str) -> tuple[float, int]:
    try:
        found = Path(path).stat()
    except OSError:
        return (0.0, 0)
    return (found.st_mtime, found.st_ino)


def _bytes_of(variable: str, path: str) -> bytes | None:
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as unreadable:
        raise SettingsError(f"{variable}={path} cannot be read: {unreadable.strerror}") from unreadable


def name_shown(cert: str) -> str:
    """Return the first name that a certificate file is for.

    Raises:
        SettingsError: The file cannot be read, or names none.
    """
    from cryptography import x509  # noqa: PLC0415 - a service does not need it

    chain = x509.load_pem_x509_certificate(_bytes_of("HAPJU_TLS_CERT", cert) or b"")
    try:
        names = chain.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        raise SettingsError(f"HAPJU_TLS_CERT={cert} names no host (subjectAltName)") from None
    hosts = [*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))]
    if not hosts:
        raise SettingsError(f"HAPJU_TLS_CERT={cert} names no host (subjectAltName)")
    return hosts[0].replace("*", "probe")


class Transport:
    """Opens ports and channels as the settings ask for."""

    def __init__(self, certificates: Certificates | None = None, *, clients: str = "services") -> None:
        """Take no certificates for the clear; `clients` says whose clients have to show one: services, all or none."""
        self._certificates = certificates
        self._clients = clients

    @classmethod
    def from_settings(cls, settings: Settings) -> Transport:
        """Return the transport of a process.

        Raises:
            SettingsError: A file cannot be read, or one of the three is missing that the others need.
        """
        cert, key, ca = settings.tls_cert, settings.tls_key, settings.tls_ca
        if not (cert or key or ca):
            return cls()
        if bool(cert) is not bool(key):
            raise SettingsError("HAPJU_TLS_CERT and HAPJU_TLS_KEY go together: one of them is not set")
        return cls(Certificates(cert, key, ca), clients=settings.tls_clients)

    def listen(self, server: grpc.aio.Server, address: str, *, is_door: bool) -> int:
        """Open a server's port and return its number.

        Args:
            server: The server.
            address: host:port, or a socket's path, which never leaves the machine and stays in the clear.
            is_door: Whether clients from outside come in here.

        Raises:
            RuntimeError: The address cannot be taken.
            SettingsError: Certificates of clients are asked for, and no authority is named.
        """
        if self._certificates is None or address.startswith("unix:"):
            return server.add_insecure_port(address)
        asks_client = self._clients == "all" or (self._clients == "services" and not is_door)
        if asks_client and self._certificates.pem.ca is None:
            raise SettingsError("HAPJU_TLS_CA is required: callers show certificates, and nothing says who signs them")
        if self._certificates.pem.chain is None:
            raise SettingsError("HAPJU_TLS_CERT is required: a service shows a certificate to those that call it")
        return server.add_secure_port(address, _server_credentials(self._certificates, asks_client=asks_client))

    def channel(
        self, address: str, options: Options, interceptors: Sequence[grpc.aio.ClientInterceptor] | None = None
    ) -> grpc.aio.Channel:
        """Return a channel to an address; where certificates change, its next call goes over a new connection."""
        if self._certificates is None or address.startswith("unix:"):
            return grpc.aio.insecure_channel(address, options=options, interceptors=interceptors)
        certificates = self._certificates

        def connect() -> grpc.aio.Channel:
            pem = certificates.pem
            credentials = grpc.ssl_channel_credentials(pem.ca, pem.key, pem.chain)
            return grpc.aio.secure_channel(address, credentials, options=options, interceptors=interceptors)

        return _RenewedChannel(certificates, connect)

    def own_channel(self, address: str, options: Options) -> grpc.aio.Channel:
        """Return a channel to a service of this machine, by the name that this process's own certificate is for."""
        cert = self._certificates.cert if self._certificates else ""
        named = (("grpc.ssl_target_name_override", name_shown(cert)),) if cert else ()
        return self.channel(address, (*options, *named))


def _server_credentials(certificates: Certificates, *, asks_client: bool) -> grpc.ServerCredentials:
    shown = 0

    def configuration() -> grpc.ServerCertificateConfiguration:
        nonlocal shown
        pem, shown = certificates.pem, certificates.generation
        return grpc.ssl_server_certificate_configuration([(pem.key or b"", pem.chain or b"")], pem.ca)

    def changed() -> grpc.ServerCertificateConfiguration | None:
        """Return what to show from now on; asked at each handshake, None leaves it as it is."""
        _ = certificates.pem
        return configuration() if certificates.generation != shown else None

    # None is documented for an unchanged certificate; the type says otherwise.
    fetch = cast("Callable[[], grpc.ServerCertificateConfiguration]", changed)
    return grpc.dynamic_ssl_server_credentials(configuration(), fetch, require_client_authentication=asks_client)


class _RenewedChannel(grpc.aio.Channel):
    """A channel whose calls go over a connection with the certificates of the moment."""

    def __init__(self, certificates: Certificates, connect: Callable[[], grpc.aio.Channel]) -> None:
        self._certificates = certificates
        self._connect = connect
        self._generation = certificates.generation
        self._channel = connect()
        self._closing: set[asyncio.Task[None]] = set()

    def _current(self) -> grpc.aio.Channel:
        _ = self._certificates.pem
        if self._certificates.generation != self._generation:
            former, self._channel = self._channel, self._connect()
            self._generation = self._certificates.generation
            closing = asyncio.ensure_future(former.close(CLOSE_SECONDS_MAX))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        return self._channel

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self, grace: float | None = None) -> None:
        """Close every connection."""
        for closing in self._closing:
            closing.cancel()
        await self._channel.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:  # noqa: FBT001, FBT002 - grpc's own
        """Return the state of the connection."""
        return self._current().get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Wait until the connection is in another state."""
        await self._current().wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        """Wait until the connection stands."""
        await self._current().channel_ready()

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        """Return what makes calls of a method."""
        return self._method("unary_unary", args, kwargs)

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        """Return what makes calls of a method."""
        return self._method("unary_stream", args, kwargs)

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        """Return what makes calls of a method."""
        return self._method("stream_unary", args, kwargs)

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        """Return what makes calls of a method."""
        return self._method("stream_stream", args, kwargs)

    def _method(self, shape: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any]:
        made: tuple[grpc.aio.Channel | None, Any] = (None, None)

        def call(*given: Any, **named: Any) -> Any:
            nonlocal made
            channel = self._current()
            if made[0] is not channel:
                made = (channel, getattr(channel, shape)(*args, **kwargs))
            return made[1](*given, **named)

        return call
