"""Streams that have ended, positions that are none, and readers that stall."""

import asyncio
import socket
from pathlib import Path

import pytest

from tests.support.cluster import Cluster
from tests.support.http_client import HttpClient, Listener

pytestmark = pytest.mark.asyncio(loop_scope="session")

APPLE = "애플 주가 추세 분석해줘"


async def test_what_has_been_heard_whole_is_over(http: HttpClient) -> None:
    """A client that comes back after the end is told so, and one that names what never was is refused."""
    heard = await http.listen(Listener(), "POST", "/v1/ask", {"text": APPLE})
    flow = heard.last_id.partition(":")[0]
    path = f"/v1/flows/{flow}/events"
    assert await http.call("GET", path, headers={"last-event-id": heard.last_id}) == (204, None)
    status, problem = await http.call("GET", path, headers={"last-event-id": f"{flow}:999"})
    assert (status, problem["code"], problem["reason"]) == (400, "OUT_OF_RANGE", "RESUME_POSITION_INVALID")
    for bad in ("x", "1:2:3", f"{flow}:-1", "01900000-0000-7000-8000-000000000000:1"):
        status, problem = await http.call("GET", path, headers={"last-event-id": bad})
        assert (status, problem["violations"][0]["field"]) == (400, "last-event-id")


async def test_a_reader_that_stalls_is_let_go_and_hears_the_rest(http: HttpClient, cluster: Cluster) -> None:
    """One that reads nothing is closed after its time; by its last id it hears everything."""
    heard = await http.listen(Listener(), "POST", "/v1/ask", {"text": APPLE})
    flow = heard.last_id.partition(":")[0]
    host, _, port = cluster.doors["http"].rpartition("/")[2].partition(":")
    loop = asyncio.get_running_loop()
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
    stalled.setblocking(False)
    await loop.sock_connect(stalled, (host, int(port)))
    # Many requests on one connection that reads nothing: the first responses fill what the kernel holds.
    request = f"GET /v1/flows/{flow}/events HTTP/1.1\r\nhost: {host}:{port}\r\n\r\n".encode()
    await loop.sock_sendall(stalled, request * 40)
    async with asyncio.timeout(20):
        while await _open_at(int(port), stalled.getsockname()[1]):
            await asyncio.sleep(0.1)
    stalled.close()
    again = await http.listen(Listener(), "GET", f"/v1/flows/{flow}/events")
    assert again.sequences == heard.sequences


async def _open_at(server: int, client: int) -> bool:
    """Returns whether the server's end of a connection is still open."""
    lines = await asyncio.to_thread(lambda: Path("/proc/net/tcp").read_text().splitlines()[1:])
    ends = {(int(row[1].split(":")[1], 16), int(row[2].split(":")[1], 16)) for row in map(str.split, lines)}
    return (server, client) in ends
