"""The mounted agents, as tools ask them; the SDK is loaded where one is mounted."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from services.plugin.tools.mounted import ForeignReply, ServerFailed
from services.runtime.tenants import Tenants
from services.tool_gateway.a2a.mounts import AgentMount

if TYPE_CHECKING:
    from services.tool_gateway.a2a.asking import ForeignAgent


class MountedAgents:
    """Asks mounted agents.

    Args:
        mounts: The agents by name.
        tenants: Whose questions may go there; everybody's by default.
    """

    def __init__(self, mounts: Mapping[str, AgentMount], tenants: Tenants | None = None) -> None:
        self._mounts = mounts
        self._tenants = tenants or Tenants()
        self._agents: dict[str, ForeignAgent] = {}

    async def ask(self, agent: str, skill: str, question: str, timeout_seconds: float) -> ForeignReply:
        """Return what an agent answers; see `ForeignAgents.ask`."""
        asked = self._agent(agent)
        if not self._tenants.granted().may_reach(self._mounts[agent].card):
            raise ServerFailed(f"{agent}: questions of this tenant may not go there", retryable=False)
        return await asked.ask(skill, question, timeout_seconds)

    async def pins(self) -> Mapping[str, str]:
        """Return the digest of each agent's card; raises ServerFailed."""
        return {name: await self._agent(name).digest() for name in self._mounts}

    async def close(self) -> None:
        """Hang up."""
        for agent in self._agents.values():
            await agent.close()

    def _agent(self, name: str) -> "ForeignAgent":
        if name not in self._mounts:
            raise ServerFailed(f"{name}: no such agent is mounted here", retryable=False)
        if name not in self._agents:
            from services.tool_gateway.a2a.asking import ForeignAgent  # noqa: PLC0415 - the SDK takes a second

            self._agents[name] = ForeignAgent(name, self._mounts[name])
        return self._agents[name]
