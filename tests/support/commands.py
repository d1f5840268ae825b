"""`hapju` run as the command that it is, in a process of its own."""

import asyncio
import sys
from dataclasses import dataclass

from services.runtime.environment import process_environment


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int | None
    """Its exit code."""
    output: str
    """What it wrote to standard output."""
    errors: str
    """What it wrote to standard error."""


async def hapju(*arguments: str, **settings: str) -> Ended:
    """Runs one command to its end, with settings beside those of this process."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", *arguments),
        env=process_environment(**settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await child.communicate()
    return Ended(child.returncode, output.decode(), errors.decode())
