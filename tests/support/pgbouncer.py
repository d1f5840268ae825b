"""A real PgBouncer in transaction mode before a real PostgreSQL; skipped where it is not installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import MappingProxyType

import psycopg
import pytest
import sqlalchemy as sa

from tests.support.ports import free_ports

POOL = 4
"""Sessions that all clients share."""


@contextmanager
def pooled(server: sa.URL, tls: Mapping[str, str] = MappingProxyType({})) -> Iterator[sa.URL]:
    """Returns the URL of a database behind a pooler that gives each transaction another session.

    Args:
        server: The database.
        tls: What the pooler is told of TLS towards its clients, by its own names; none by default.
    """
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        if os.environ.get("CI"):
            raise FileNotFoundError("pgbouncer")
        pytest.skip("no PgBouncer here: apt-get install pgbouncer")
    folder, (port,) = Path(tempfile.mkdtemp(prefix="hapju-pgbouncer-")), free_ports(1)
    host = server.query.get("host") or server.host
    behind = f"host={host} port={server.port or 5432} dbname={server.database} user={server.username}"
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\nhapju = {behind}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
        f"auth_type = any\npool_mode = transaction\ndefault_pool_size = {POOL}\nmax_client_conn = 500\n"
        f"unix_socket_dir =\nlogfile = {folder}/log\npidfile = {folder}/pid\n"
        + "".join(f"{name} = {value}\n" for name, value in tls.items())
    )
    folder.chmod(0o777)
    # It refuses to run as root, and has to reach the server's socket: it runs as whoever runs the server.
    owner = pwd.getpwuid(Path(str(host)).stat().st_uid).pw_name if Path(str(host)).is_dir() else "nobody"
    user = ("-u", owner if owner != "root" else "nobody") if os.geteuid() == 0 else ()
    process = subprocess.Popen([program, *user, str(folder / "pgbouncer.ini")], stderr=subprocess.DEVNULL)
    url = sa.URL.create("postgresql", username=server.username, host="127.0.0.1", port=port, database="hapju")
    try:
        _until_it_answers(url)
        yield url
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def _until_it_answers(url: sa.URL, seconds: float = 10.0) -> None:
    bound = monotonic() + seconds
    while True:
        try:
            with psycopg.connect(url.render_as_string(hide_password=False), connect_timeout=2):
                return
        except psycopg.OperationalError:
            if monotonic() > bound:
                raise
            sleep(0.1)
