"""One mounted agent: its card is read and held against its pin, then it is asked and heard to the end of its answer.

An agent that fails FAILURES_MAX times in a row is not asked for AWAY_SECONDS. Only what time may mend counts: a card
that was changed, or a question back, stays as it is however long nobody asks, and whoever operates hapju is to read
that and not that the agent is away. A caller that leaves, or whose time is up, has the agent's task cancelled.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import monotonic
from typing import Any, Final
from uuid import uuid4

import httpx
import structlog
from a2a.client import Client, ClientConfig, ClientFactory
from a2a.client.card_resolver import parse_agent_card
from a2a.types import a2a_pb2 as a2a
from circuitbreaker import CircuitBreaker
from opentelemetry import propagate

from services.plugin.tools.mounted import ForeignReply, ServerFailed
from services.tool_gateway.a2a.hearing import AgentHearing
from services.tool_gateway.a2a.mounts import AgentMount, digest_of

FAILURES_MAX: Final = 3
"""After so many failures in a row an agent is not asked for a while."""
AWAY_SECONDS: Final = 30
"""After so long the next question tries it."""
CARD_SECONDS: Final = 60.0
"""How long a card that was read is believed."""
CARD_BYTES_MAX: Final = 1_000_000
"""A longer document is no card."""
CANCEL_SECONDS: Final = 2.0
"""How long an agent is given to take a cancellation."""
_log = structlog.get_logger(__name__)


class ForeignAgent:
    """Asks one agent.

    Args:
        name: Its name.
        mount: What the deployment says of it.
    """

    def __init__(self, name: str, mount: AgentMount) -> None:
        self._name = name
        self._mount = mount
        hooks = {"request": [_with_trace]}
        self._http = httpx.AsyncClient(headers=mount.headers, timeout=mount.timeout_seconds, event_hooks=hooks)
        self._breaker = CircuitBreaker(FAILURES_MAX, AWAY_SECONDS, _says_that_it_is_away, name=f"a2a.{name}")
        self._card: tuple[float, dict[str, Any]] = (0.0, {})
        self._cancelling: set[asyncio.Task[None]] = set()

    async def ask(self, skill: str, question: str, timeout_seconds: float) -> ForeignReply:
        """Return what it answers; raises ServerFailed, TimeoutError."""
        if skill not in self._mount.skills:
            raise ServerFailed(f"{self._name}: the skill {skill} is not mounted", retryable=False)
        if self._breaker.opened:
            raise ServerFailed(f"{self._name}: the agent is away", retryable=True)
        with self._breaker:
            try:
                async with asyncio.timeout(min(timeout_seconds, self._mount.timeout_seconds)):
                    return await self._asked(skill, question)
            except (ServerFailed, TimeoutError):
                raise
            except Exception as error:
                _log.warning("a2a_unreachable", agent=self._name, error=type(error).__name__)
                raise ServerFailed(f"{self._name}: the agent cannot be reached", retryable=True) from error

    async def digest(self) -> str:
        """Return the digest of its card; raises ServerFailed."""
        try:
            return digest_of(await self._read())
        except Exception as error:
            raise ServerFailed(f"{self._name}: the agent cannot be reached", retryable=True) from error

    async def close(self) -> None:
        """Hang up."""
        await asyncio.gather(*self._cancelling, return_exceptions=True)
        await self._http.aclose()

    async def _asked(self, skill: str, question: str) -> ForeignReply:
        card = await self._pinned(skill)
        streams = bool(card.capabilities.streaming)
        client = ClientFactory(ClientConfig(httpx_client=self._http, streaming=streams)).create(card)
        heard = AgentHearing(self._name)
        try:
            async with aclosing(_told(client, question, skill)) as responses:
                async for response in responses:
                    heard.take(response)
        finally:
            if heard.is_running:
                self._cancel(client, heard.task_id)
        return ForeignReply(self._mount.title, heard.words, heard.documents)

    async def _pinned(self, skill: str) -> a2a.AgentCard:
        """Return the card where it is the one that was pinned and has the skill."""
        read, document = self._card
        if not document or monotonic() - read > CARD_SECONDS:
            document = await self._read()
            if digest_of(document) != self._mount.digest:
                _log.error("a2a_card_changed", agent=self._name, found=digest_of(document))
                raise ServerFailed(f"{self._name}: the card is not as it was pinned", retryable=False)
            self._card = (monotonic(), document)
        card = parse_agent_card(dict(document))
        if skill not in {one.id for one in card.skills}:
            raise ServerFailed(f"{self._name}: the card has no skill {skill}", retryable=False)
        return card

    async def _read(self) -> dict[str, Any]:
        served = bytearray()
        async with self._http.stream("GET", self._mount.card) as response:
            response.raise_for_status()
            async for part in response.aiter_bytes():
                served += part
                if len(served) > CARD_BYTES_MAX:
                    raise ServerFailed(f"{self._name}: serves no card", retryable=False)
        document = json.loads(served)
        if not isinstance(document, dict):
            raise ServerFailed(f"{self._name}: serves no card", retryable=False)
        return document

    def _cancel(self, client: Client, task_id: str) -> None:
        """Have a task cancelled that nobody waits for any more, without waiting for it here."""

        async def cancel() -> None:
            try:
                async with asyncio.timeout(CANCEL_SECONDS):
                    await client.cancel_task(a2a.CancelTaskRequest(id=task_id))
            except Exception as error:  # noqa: BLE001 - whatever keeps it from being taken, nobody waits for it
                _log.warning("a2a_not_cancelled", agent=self._name, task=task_id, error=type(error).__name__)

        task = asyncio.create_task(cancel())
        self._cancelling.add(task)
        task.add_done_callback(self._cancelling.discard)


def _says_that_it_is_away(_: type[BaseException], failure: BaseException) -> bool:
    """Tell a failure that time may mend from what the deployment or the agent's own answer has to."""
    return failure.retryable if isinstance(failure, ServerFailed) else isinstance(failure, Exception)


async def _told(client: Client, question: str, skill: str) -> AsyncGenerator[a2a.StreamResponse, None]:
    """Yield all that the agent tells of a question."""
    message = a2a.Message(message_id=str(uuid4()), role=a2a.ROLE_USER, parts=[a2a.Part(text=question)])
    message.metadata.update({"skill": skill})
    async for response in client.send_message(a2a.SendMessageRequest(message=message)):
        yield response


async def _with_trace(request: httpx.Request) -> None:
    """Have the agent's spans stand in the flow's trace."""
    propagate.inject(request.headers)
