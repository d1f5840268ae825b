"""The sample data set for tests, loaded once a run: the workers of a run share the folder that holds it."""

import asyncio
from datetime import datetime
from pathlib import Path

from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.messages import SeedReport
from services.tool_gateway.data.seed.state import ensure_seeded, seeded


def shared_folder(base: Path, worker_id: str, name: str) -> Path:
    """Returns a folder that all workers of a run share, made where it is missing.

    Args:
        base: The base folder of this worker's temporary files.
        worker_id: "master" where the run has no workers.
        name: What it holds.
    """
    folder = (base if worker_id == "master" else base.parent) / name
    folder.mkdir(exist_ok=True)
    return folder


def seeded_in(folder: Path, as_of: datetime | None = None) -> tuple[str, SeedReport]:
    """Returns the URL of the seeded database in a folder, and what was loaded.

    Seeding is safe for several workers at once: one loads, the others wait for it.

    Args:
        folder: Where the database is or is to be.
        as_of: The moment up to which rows are generated; None for the present, and then any earlier day's is as good.
    """
    url = f"sqlite+aiosqlite:///{folder / 'data.db'}"
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
