"""The sample data set for tests, loaded once a run: the workers of a run share the folder that holds it.

As a module it loads what the tests take: `make test` runs it beside them, so that none waits for a load to begin, and
those that run alone afterwards find what the others had.
"""

import asyncio
import fcntl
import os
from datetime import datetime
from pathlib import Path

from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.messages import SeedReport
from services.tool_gateway.data.seed.state import ensure_seeded, seeded

SHARED_BY_RUNS = "TESTS_SHARED"
"""The variable that names a folder for the data of several runs of pytest."""


def shared_folder(base: Path, worker_id: str, name: str) -> Path:
    """Returns a folder that all workers of a run share, made where it is missing.

    Args:
        base: The base folder of this worker's temporary files.
        worker_id: "master" where the run has no workers.
        name: What it holds.

    Where the environment names a folder that several runs share, it is in that one.
    """
    shared = os.environ.get(SHARED_BY_RUNS)
    folder = (Path(shared) if shared else base if worker_id == "master" else base.parent) / name
    folder.mkdir(exist_ok=True)
    return folder


def seeded_in(folder: Path, as_of: datetime | None = None) -> tuple[str, SeedReport]:
    """Returns the URL of the seeded database in a folder, and what was loaded.

    One worker loads, the others wait for it: seeding is safe for several at once, but each would make every row.

    Args:
        folder: Where the database is or is to be.
        as_of: The moment up to which rows are generated; None for the present, and then any earlier day's is as good.
    """
    url = f"sqlite+aiosqlite:///{folder / 'data.db'}"
    with (folder / "loading").open("w") as loading:
        fcntl.flock(loading, fcntl.LOCK_EX)
        return url, asyncio.run(_seeded(url, as_of))


def folder_as_of(base: Path, worker_id: str, as_of: datetime) -> Path:
    """Returns the folder in which all tests of a run that take the data of one moment share it, seeded.

    Args:
        base: The base folder of this worker's temporary files.
        worker_id: "master" where the run has no workers.
        as_of: The moment up to which rows are generated.
    """
    folder = shared_folder(base, worker_id, f"as_of_{as_of:%Y%m%dT%H%M}")
    seeded_in(folder, as_of)
    return folder


async def _seeded(url: str, as_of: datetime | None) -> SeedReport:
    if as_of is None:
        return await ensure_seeded(url)
    return await seeded(url) or await seed(url, as_of=as_of)


def main() -> None:
    """Loads what the tests take, into the folder that the environment names."""
    from tests.unit.agents.loopback import NOW  # noqa: PLC0415 - the tests' moments stand beside the tests
    from tests.unit.tool_gateway.seeded_data import AS_OF  # noqa: PLC0415

    shared = Path(os.environ[SHARED_BY_RUNS])
    seeded_in(shared_folder(shared, "", "seeded"))
    for moment in (AS_OF, NOW):
        folder_as_of(shared, "", moment)


if __name__ == "__main__":
    main()
