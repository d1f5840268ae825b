"""What holds for every test: no setting of the machine, and no way out of it."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes says something about the machine, and nothing about what is tested.
settings.register_profile("hapju", deadline=None)
settings.load_profile("hapju")

WORKER_DIED = 70
"""What a run ends with of which a worker died: a crash below Python, in a library's own thread."""
_DEAD = pytest.StashKey[bool]()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Note that a worker has died."""
    if error:
        node.config.stash[_DEAD] = True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End a run whose worker died in its own way, so that whoever began it can tell it from a test that fails."""
    if session.config.stash.get(_DEAD, False):
        session.exitstatus = WORKER_DIED


_LOOPBACK = ("127.", "localhost", "::1", "0.0.0.0")  # noqa: S104 - an address to compare with, not to bind to


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see none of the caller's HAPJU_, OPENAI_ and OTEL_ variables."""
    for name in tuple(os.environ):
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


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A data file with the sample data set, as of now."""
    # Imported here, so that unit tests do not pay for the database.
    from tests.support.seeding import seeded_in, shared_folder  # noqa: PLC0415

    folder = shared_folder(tmp_path_factory.getbasetemp(), worker_id, "seeded")
    seeded_in(folder)
    return folder / "data.db"
