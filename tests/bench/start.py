"""`python -m tests.bench.start NAME`: one service in a process of its own.

Its one line ends with the megabytes that it has had resident when it listens; it stops when its input ends.
"""

import asyncio
import importlib
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from services.catalog.topology import topology
from services.runtime.server import start
from services.runtime.settings import Settings


def _resident_megabytes() -> float:
    """Returns the most that this process has had resident; rusage would count the process that it was forked from."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    kilobytes = next((line.split()[1] for line in lines if line.startswith("VmHWM")), "0")
    return int(kilobytes) * 1_024 / 1_000_000


async def _once(name: str) -> None:
    register = importlib.import_module(f"{topology().process(name).module}.servicer").register
    with TemporaryDirectory(prefix="hapju-bench-") as folder:
        settings = Settings(data_dir=Path(folder), log_level="warning")
        running = await start(name, register, settings, listen="127.0.0.1:0", addresses={})
        sys.stdout.write(f"{running.address} {_resident_megabytes():.1f}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)
        await running.stop(0)


if __name__ == "__main__":
    asyncio.run(_once(sys.argv[1]))
