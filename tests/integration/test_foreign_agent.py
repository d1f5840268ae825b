"""A foreign A2A agent as a step of a plan: a domain whose agent asks it, through the whole ensemble of the command."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from services.runtime.environment import process_environment
from services.tool_gateway.a2a.agents import MountedAgents
from services.tool_gateway.a2a.mounts import agents_from
from tests.support.a2a_concierge import ADVICE, HELD, ORDER, UNHELD, concierge

EXAMPLE = Path(__file__).parents[1] / "examples" / "concierge"
ASKED = "한강호텔 요금 알려줘"


async def hapju(data: Path, mounts: str, *arguments: str) -> str:
    """Runs the command where the example's domain is installed, and returns what it printed."""
    found = process_environment(HAPJU_DATA_DIR=str(data), HAPJU_DOMAINS="concierge", HAPJU_A2A_AGENTS=mounts)
    paths = [str(EXAMPLE), *sys.path]
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", *arguments),
        env={**found, "PYTHONPATH": ":".join(filter(None, paths))},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    return (await child.communicate())[0].decode()


async def mounts_of(url: str) -> str:
    """Returns the setting that mounts the agent with its card pinned."""
    mount: dict[str, Any] = {"title": "서울 안내소", "card": f"{url}/.well-known/agent-card.json", "skills": ["hotels"]}
    agents = MountedAgents(agents_from(json.dumps({"concierge": mount})))
    try:
        return json.dumps({"concierge": {**mount, "digest": (await agents.pins())["concierge"]}})
    finally:
        await agents.close()


@pytest.mark.slow
@pytest.mark.asyncio
async def test_its_answer_is_told_as_far_as_its_data_holds_it(tmp_path: Path) -> None:
    """Under its name, with its source; what its data does not hold, acts and advice are left out, and that is said.

    It hears the question and the trace and nothing of who asks; the flow's record shows the call. While it is away the
    person is told that nothing could be read.
    """
    async with concierge() as (url, agent, heard):
        mounts = await mounts_of(url)
        await hapju(tmp_path, mounts, "seed")
        heard.clear()
        told = await hapju(tmp_path, mounts, "ask", "--user", "mina", ASKED)
        assert f"서울 안내소의 답: {HELD}" in told
        assert "문장 3개는 뺐습니다" in told
        assert "서울 안내소 —" in told
        assert not any(lost in told for lost in (UNHELD, ORDER, ADVICE))
        assert agent.asked == [ASKED]
        assert all("traceparent" in one and "authorization" not in one for one in heard)
        flow = next(line for line in told.splitlines() if line.startswith("흐름")).split()[1].rstrip(",")
        shown = await hapju(tmp_path, mounts, "flows", "show", "--user", "mina", flow)
        assert "concierge_ask" in shown
    away = await hapju(tmp_path, mounts, "ask", "--user", "mina", ASKED)
    assert "서울 안내소의 답" not in away
    assert "못했습니다" in away
