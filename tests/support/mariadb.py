"""A MariaDB of the tests' own: installed into a new folder, on a socket of that folder, and stopped with them.

Nothing of it is on the network. It writes nothing through to the disk, since nobody pulls this machine's plug.
"""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa

_START_SECONDS_MAX: Final = 60
_STOP_SECONDS_MAX: Final = 30
_MISSING: Final = "no MariaDB here: apt-get install mariadb-server"
_SMALL: Final = (
    "--no-defaults",
    "--innodb-log-file-size=16M",
    "--innodb-flush-method=nosync",
    "--innodb-doublewrite=0",
    "--innodb-file-per-table=0",
    "--innodb-stats-persistent=0",
    "--sync-frm=0",
    "--innodb-flush-log-at-trx-commit=0",
    "--aria-log-file-size=8M",
    "--skip-name-resolve",
)


@contextmanager
def mariadb_server() -> Iterator[sa.URL]:
    """Run a server for the body, and yield the URL of its root user; skip the test where none is installed.

    Raises:
        RuntimeError: It does not start, or none is installed in CI, where a missing server is a failure.
    """
    install, server = shutil.which("mariadb-install-db"), shutil.which("mariadbd")
    if install is None or server is None:
        if os.environ.get("CI"):
            raise RuntimeError(_MISSING)
        pytest.skip(_MISSING)
    # Not below pytest's own folder: a socket's path is at most 107 characters long.
    folder = Path(tempfile.mkdtemp(prefix="hapju-mariadb-"))
    try:
        yield from _served(folder, install, server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _served(folder: Path, install: str, server: str) -> Iterator[sa.URL]:
    data, path, said = folder / "data", folder / "s", folder / "said.log"
    common = (*_SMALL, f"--user={getpass.getuser()}", f"--datadir={data}")
    done = subprocess.run(
        [install, *common, "--skip-test-db", "--auth-root-authentication-method=normal"],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"mariadb-install-db failed: {done.stderr[-2_000:]}")
    with said.open("w") as output:
        running = subprocess.Popen(
            [server, *common, f"--socket={path}", "--skip-networking"], stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _wait(path, running, said)
        yield sa.URL.create("mysql+pymysql", "root", host="localhost", query={"unix_socket": str(path)})
    finally:
        running.terminate()
        running.wait(_STOP_SECONDS_MAX)


def _wait(path: Path, server: "subprocess.Popen[bytes]", said: Path) -> None:
    until = time.monotonic() + _START_SECONDS_MAX
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as knocking:
                knocking.connect(str(path))
        except OSError as error:
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"mariadbd does not listen: {said.read_text()[-2_000:]}") from error
            time.sleep(0.05)
        else:
            return
