"""What a deployment has mounted for tools to read from: servers that speak MCP, and agents that speak A2A."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class ServerFailed(RuntimeError):
    """A server cannot be asked, or does not answer as it should.

    Args:
        message: What is wrong, for an operator; nothing of what the server said.
        retryable: Whether the same call may succeed later.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    source: str
    """Whose it is, as the operator calls it."""
    documents: tuple[Mapping[str, Any], ...]
    """The rows as they came, their texts freed of markup and of what cannot be seen."""


class Servers(Protocol):
    """The MCP servers of the deployment."""

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any], timeout_seconds: float) -> Answer:
        """Return what a tool of a server answers.

        Raises:
            ServerFailed: The server or its tool is not mounted, has changed, or does not answer as it should.
            TimeoutError: It takes too long.
        """


@dataclass(frozen=True, slots=True)
class ForeignReply:
    """What a foreign agent answered."""

    source: str
    """Whose it is, as the operator calls it."""
    words: str
    """Its words, freed of markup and of what cannot be seen."""
    documents: tuple[Mapping[str, Any], ...]
    """The objects that it sent as data."""


class ForeignAgents(Protocol):
    """The A2A agents of the deployment."""

    async def ask(self, agent: str, skill: str, question: str, timeout_seconds: float) -> ForeignReply:
        """Return what an agent answers.

        Raises:
            ServerFailed: It is not mounted, has changed, is away, asks back or does not answer as it should.
            TimeoutError: It takes too long.
        """
