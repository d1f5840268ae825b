"""Where the HTTP edge listens: an address that was set is that one or none, one that was not gives way."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.http import edge
from services.runtime.settings import Settings, SettingsError


def settings(tmp_path: Path, listen: str) -> Settings:
    """Returns settings of dev mode that serve HTTP at an address."""
    return Settings(data_dir=tmp_path, http_listen=listen)


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """A port that something else listens at."""
    other = socket.socket()
    other.bind(("127.0.0.1", 0))
    other.listen()
    yield other
    other.close()


def test_an_address_that_was_set_fails_the_start(tmp_path: Path, taken: socket.socket) -> None:
    """Where it is taken, the error names the variable."""
    listen = f"127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(SettingsError, match=f"HAPJU_HTTP_LISTEN={listen}"):
        edge._socket(settings(tmp_path, listen))


def test_the_default_gives_way(tmp_path: Path, taken: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under auto a port that is taken is no failure: a free one is."""
    monkeypatch.setattr(edge, "DEFAULT", taken.getsockname())
    with edge._socket(settings(tmp_path, "auto")) as found:
        assert found.getsockname()[0] == "127.0.0.1"
        assert found.getsockname()[1] not in {0, taken.getsockname()[1]}


def test_dev_mode_serves_this_machine_alone(tmp_path: Path) -> None:
    """Anonymous callers are let in there, so that no other machine may reach it."""
    with pytest.raises(SettingsError, match="HAPJU_HTTP_LISTEN"):
        settings(tmp_path, "0.0.0.0:8080").check("127.0.0.1:0")
    settings(tmp_path, "127.0.0.1:8080").check("127.0.0.1:0")
