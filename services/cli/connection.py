"""How a command reaches a gateway: the one that HAPJU_GATEWAY names, or one inside this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.cli.client import GatewayClient, dialled
from services.cli.embedded import Note, embedded
from services.cli.environment import settings_now
from services.cli.tokens import Identity, bearer_token
from services.runtime.transport import Transport


@asynccontextmanager
async def connected(identity: Identity, note: Note) -> AsyncIterator[GatewayClient]:
    """Yield a client of the gateway that answers this command.

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
