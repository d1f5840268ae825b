"""A TCP link before one service, which a test slows down, makes lossy or cuts."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

RESENT_SECONDS = 0.2
"""How long a piece takes that was lost and sent again."""
_PIECE_BYTES = 65_536


@dataclass
class Link:
    """Passes bytes on, as well as it is let."""

    target: tuple[str, int] | str
    """Where to: host and port, or the path of a socket."""
    port: int = 0
    """Where from."""
    delay_seconds: float = 0.0
    """How late each piece comes."""
    lost_share: float = 0.0
    """The share of pieces that are sent again."""
    reset_share: float = 0.0
    """The share of pieces with which the connection breaks."""
    is_cut: bool = False
    """True while nobody gets through."""
    _open: set[asyncio.StreamWriter] = field(default_factory=set)
    _chance: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311 - chances, no secrets

    def cut(self) -> None:
        """Breaks every connection and lets none be made."""
        self.is_cut = True
        for one in tuple(self._open):
            one.transport.abort()

    def mend(self) -> None:
        """Lets everything pass again."""
        self.delay_seconds = self.lost_share = self.reset_share = 0.0
        self.is_cut = False

    async def passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Passes one connection on."""
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            if isinstance(self.target, str):
                there = await asyncio.open_unix_connection(self.target)
            else:
                there = await asyncio.open_connection(*self.target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, there[1]}
        self._open |= ends
        try:
            await asyncio.gather(self._flow(reader, there[1]), self._flow(there[0], writer))
        finally:
            self._open -= ends
            for one in ends:
                one.transport.abort()

    async def _flow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(_PIECE_BYTES):
                if self._chance.random() < self.reset_share:
                    break
                late = self.delay_seconds + (RESENT_SECONDS if self._chance.random() < self.lost_share else 0.0)
                if late:
                    await asyncio.sleep(late)
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()


@asynccontextmanager
async def linked(target: tuple[str, int] | str) -> AsyncIterator[Link]:
    """Opens a link to an address."""
    link = Link(target)
    server = await asyncio.start_server(link.passed, "127.0.0.1", 0)
    link.port = server.sockets[0].getsockname()[1]
    try:
        yield link
    finally:
        server.close()
        link.cut()
