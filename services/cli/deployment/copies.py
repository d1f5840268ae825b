"""Copies a deployment's embedded databases."""

from pathlib import Path
from typing import Final

from services.cli.environment import settings_now
from services.cli.problems import ExitCode, Problem, usage
from services.tool_gateway.data.copying import copy_database, copy_folder

FLOWS: Final = "flows.db"
"""What is copied first."""


def backed_up(target: Path) -> dict[str, int]:
    """Return the copied files with their sizes.

    Raises:
        Problem: The folder is there already, or there is nothing to copy.
    """
    settings = settings_now()
    if target.exists():
        raise usage("FOLDER", f"{target} is there already", "FOLDER_TAKEN")
    # Keys are no data: a copy of it opens nothing.
    stores = [one for one in (FLOWS, "data.db", "graph") if (settings.data_dir / one).exists()]
    if not stores:
        message = (
            f"{settings.data_dir} holds no database; those that HAPJU_STORE_URL and HAPJU_SQL_URL name are not here"
        )
        raise Problem("FAILED_PRECONDITION", "NOTHING_TO_COPY", message, ExitCode.FAILED)
    target.mkdir(parents=True, mode=0o700)
    for name in stores:
        copy = copy_folder if (settings.data_dir / name).is_dir() else copy_database
        copy(settings.data_dir / name, target / name)
    return {str(file.relative_to(target)): file.stat().st_size for file in sorted(target.rglob("*")) if file.is_file()}
