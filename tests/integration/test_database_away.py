"""A database that is away at a start is waited for, with a line that says so, and nothing is restarted."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from services.tool_gateway.data.reader import AWAY, Reader
from services.tool_gateway.data.seed.state import schema_lacking
from services.tool_gateway.reads import GatewayReads
from tests.support.cluster import embedded
from tests.support.databases import fresh_database, postgres  # noqa: F401 - a fixture is found by its name here
from tests.support.ports import free_ports

RATES = "미국 기준금리 알려줘"


@asynccontextmanager
async def listening_for(socket: Path, port: int) -> AsyncIterator[None]:
    """Have a database that listens at a socket listen at a port as well."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(socket)
        await asyncio.gather(carry(reader, forth), carry(back, writer), return_exceptions=True)

    server = await asyncio.start_server(answer, "127.0.0.1", port)
    try:
        yield
    finally:
        server.close()


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_flow_store_that_is_away_is_waited_for(
    tmp_path: Path,
    data: Path,
    postgres: sa.URL,  # noqa: F811 - as pytest has it
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Everything starts; a question ends with an error until the database is there, and is answered from then on."""
    (port,) = free_ports(1)
    with fresh_database(postgres) as url:
        given = sa.make_url(url)
        socket = Path(str(given.query["host"])) / f".s.PGSQL.{given.port or 5432}"
        away = given.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)
        settings: dict[str, Any] = {"store_url": away, "log_level": "info", "log_format": "json"}
        async with embedded(tmp_path, data, **settings) as cluster:
            assert (await cluster.ask(RATES, seconds=10)).terminal == ["failed"]
            async with listening_for(socket, port), asyncio.timeout(60):
                while (await cluster.ask(RATES)).terminal != ["finished"]:
                    await asyncio.sleep(0.5)
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    waits = [line for line in lines if "the database is away; waiting for it" in line["event"]]
    assert waits
    assert "refused" in waits[0]["why"]
    assert not any("Traceback" in str(line) for line in lines)


@pytest.mark.asyncio
async def test_data_that_is_away_is_told_from_data_that_is_not_loaded() -> None:
    """Whoever looks at the readiness of the tool gateway learns whether to migrate or to wait."""
    (port,) = free_ports(1)
    reader = Reader.open(f"postgresql://bank:secret@127.0.0.1:{port}/bank", connections_max=1)
    try:
        assert await schema_lacking(GatewayReads(reader)) == AWAY
    finally:
        await reader.close()
