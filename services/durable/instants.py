"""Instants as the flow store keeps them: whole microseconds since 1970 in UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def micros_of(instant: datetime) -> int:
    """Return an aware instant in microseconds."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def instant_of(micros: int) -> datetime:
    """Return microseconds as an instant in UTC."""
    return _EPOCH + timedelta(microseconds=micros)
