"""What the README tells people to type."""

import asyncio
import json
import re
import shlex
from pathlib import Path

import pytest

from tests.support.cluster import Cluster

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

README = Path(__file__).parents[3] / "README.md"


async def said_by(command: str) -> str:
    """Runs a command without a shell and returns what it prints."""
    child = await asyncio.create_subprocess_exec(
        *shlex.split(command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    printed, complaint = await child.communicate()
    assert child.returncode == 0, complaint.decode()
    return printed.decode()


async def test_the_examples_of_the_readme_do_what_they_say(cluster: Cluster) -> None:
    """Each curl line runs as it stands, with the address and a flow's id put in: an answer, its events, the rest."""
    lines = re.findall(r"^ {4}(curl .*)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    flow, printed = "", []
    for line in lines:
        command = line.replace("http://127.0.0.1:8080", cluster.doors["http"]).replace("FLOW_RUN_ID", flow)
        printed.append(await said_by(command))
        flow = flow or json.loads(printed[0])["flow_run_id"]
    answer, events, rest, cancelled, reviewed = printed
    assert "강남구" in json.loads(answer)["final_response"]
    assert events.startswith("id: ")
    assert "event: finished" in events
    assert rest.startswith(f"id: {flow}:4\n")
    assert json.loads(cancelled) == {"phase": "PHASE_FINISHED"}
    assert "모든 수선비는 임차인이 부담한다" in json.loads(reviewed)["final_response"]
