"""How a command reaches a gateway: the one that HAPJU_GATEWAY names, or one inside this process."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from services.catalog.topology import topology
from services.cli.client import GatewayClient, dialled
from services.cli.embedded import Note, embedded
from services.cli.problems import interrupted, problem_from_settings
from services.cli.tokens import Identity, bearer_token
from services.runtime.settings import Settings, SettingsError, load
from services.runtime.transport import Transport

R = TypeVar("R")


def settings_now() -> Settings:
    """Returns the settings that the environment gives.

    Raises:
        Problem: For an unknown or unusable variable; names it.
    """
    try:
        return load(topology())
    except SettingsError as error:
        raise problem_from_settings(str(error)) from None


def finish(work: Coroutine[Any, Any, R], *, run: Callable[[Coroutine[Any, Any, R]], R] = asyncio.run) -> R:
    """Runs a command's work to its end on a loop of its own, which `run` makes.

    Raises:
        Problem: CANCELLED where the user stops it; calls in flight are cancelled first.
    """
    try:
        return run(work)
    except KeyboardInterrupt:
        raise interrupted() from None


@asynccontextmanager
async def connected(identity: Identity, note: Note) -> AsyncIterator[GatewayClient]:
    """Yields a client of the gateway that answers this command.

    Args:
        identity: Whom the command acts for.
        note: Takes lines of progress until the gateway can be called.

    Raises:
        Problem: Where settings, user or data cannot be used.
    """
    settings = settings_now()
    bearer_token(identity, settings)

    def token() -> str:  # a token holds for minutes, and a command may run for longer
        return bearer_token(identity, settings)

    if settings.gateway:
        async with dialled(settings.gateway, token, Transport.from_settings(settings)) as client:
            yield client
        return
    async with embedded(settings, note) as address, dialled(address, token) as client:
        yield client
