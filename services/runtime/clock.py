"""The seam for time: services read the clock here, tests set it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present instant, aware and in UTC."""


def utc_now() -> datetime:
    """Return the machine's present instant in UTC."""
    return datetime.now(UTC)
