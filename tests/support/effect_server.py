"""A system that moves money, in a process of its own: it writes each movement down before it answers.

    python -m tests.support.effect_server JOURNAL

JOURNAL gets one line a movement: `key kind amount order`, on the disk before the reply leaves. While they are there,
JOURNAL.hold keeps replies back, JOURNAL.drop breaks the connection after the movement, JOURNAL.decline moves nothing.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from hapju.tool.v1 import effect_backend_service_pb2 as pb
from hapju.tool.v1 import effect_backend_service_pb2_grpc as pb_grpc


class Bank(pb_grpc.EffectBackendServiceServicer):
    """Moves money once a key."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._moved = {line.split()[0]: line for line in journal.read_text().splitlines()}
        self._closed: set[str] = set()

    async def PerformEffect(
        self, request: pb.PerformEffectRequest, context: "grpc.aio.ServicerContext[object, object]"
    ) -> pb.PerformEffectResponse:
        """Move money, unless the key has done so or is closed."""
        key = request.effect_key
        if self._journal.with_suffix(".decline").exists() or key in self._closed:
            return pb.PerformEffectResponse(done=False, reason="declined")
        line = f"{key} {pb.EffectKind.Name(request.kind)} {request.amount_krw} {request.order_id}"
        known = self._moved.get(key)
        if known is not None and known != line:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the key stands for another request")
        if known is None:
            self._moved[key] = line
            with self._journal.open("a") as journal:
                journal.write(line + "\n")
                journal.flush()
                os.fsync(journal.fileno())
        while self._journal.with_suffix(".hold").exists():
            await asyncio.sleep(0.005)
        if self._journal.with_suffix(".drop").exists():
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection broke")
        return pb.PerformEffectResponse(done=True, reference=f"receipt-{key[:8]}")

    async def SettleEffect(
        self,
        request: pb.SettleEffectRequest,
        context: object,
    ) -> pb.SettleEffectResponse:
        """Say what was done, and close a key for which nothing was."""
        if request.effect_key in self._moved:
            return pb.SettleEffectResponse(done=True, reference=f"receipt-{request.effect_key[:8]}")
        self._closed.add(request.effect_key)
        return pb.SettleEffectResponse(done=False)


@dataclass
class EffectServer:
    """A running server and what it did."""

    address: str
    journal: Path

    @property
    def moved(self) -> list[str]:
        """The movements so far, one line each."""
        return self.journal.read_text().splitlines()

    def set(self, mode: str, *, on: bool) -> None:
        """Turn hold, drop or decline on or off."""
        switch = self.journal.with_suffix(f".{mode}")
        if on:
            switch.touch()
        else:
            switch.unlink(missing_ok=True)


@contextmanager
def effect_server(folder: Path) -> Iterator[EffectServer]:
    """Run a server in a process of its own."""
    journal = folder / "moved.txt"
    journal.touch()
    process = subprocess.Popen([sys.executable, "-m", __name__, str(journal)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield EffectServer(process.stdout.readline().strip(), journal)
    finally:
        process.kill()
        process.communicate()


async def _serve(journal: Path) -> None:
    server = grpc.aio.server()
    pb_grpc.add_EffectBackendServiceServicer_to_server(Bank(journal), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"127.0.0.1:{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
