"""What holds for every test: no setting of the machine, and no way out of it."""

import os
import socket
from typing import Any

import pytest

_LOOPBACK = ("127.", "localhost", "::1", "0.0.0.0")  # noqa: S104 - an address to compare with, not to bind to


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see none of the caller's HAPJU_, OPENAI_ and OTEL_ variables."""
    for name in tuple(os.environ):  # noqa: TID251 - tests clear what services read
        if name.startswith(("HAPJU_", "OPENAI_", "OTEL_")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _no_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that connects to anything but this machine fails, so that no model is reached by accident."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(_LOOPBACK):
            raise AssertionError(f"a test connects to {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
