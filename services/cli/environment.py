"""What every command stands on: the settings that the environment gives, and a loop for its work."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from services.catalog.topology import topology
from services.cli.problems import interrupted, problem_from_settings
from services.runtime.environment import load
from services.runtime.settings import Settings, SettingsError

R = TypeVar("R")


def settings_now() -> Settings:
    """Return the settings that the environment gives.

    Raises:
        Problem: For an unknown or unusable variable; names it.
    """
    try:
        return load(topology())
    except SettingsError as error:
        raise problem_from_settings(str(error)) from None


def finish(work: Coroutine[Any, Any, R], *, run: Callable[[Coroutine[Any, Any, R]], R] = asyncio.run) -> R:
    """Run a command's work to its end on a loop of its own, which `run` makes.

    Raises:
        Problem: CANCELLED where the user stops it; calls in flight are cancelled first.
    """
    try:
        return run(work)
    except KeyboardInterrupt:
        raise interrupted() from None
