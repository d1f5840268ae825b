"""Ids that the server makes."""

import re
from time import time
from typing import Final

from uuid_utils import uuid7

FLOW_RUN_ID_PATTERN: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
"""The canonical text of a UUIDv7."""
NAME_PATTERN: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""What a session id, a request id and a user id look like."""


def new_flow_run_id() -> str:
    """Return a new UUIDv7 in canonical form; later ids sort after earlier ones."""
    return str(uuid7())


def made_seconds_ago(flow_run_id: str) -> float:
    """Return how old a UUIDv7 in canonical form is by its own word."""
    return time() - int(flow_run_id.replace("-", "")[:12], 16) / 1000


def new_error_id() -> str:
    """Return a new id under which a log line and the caller's error can be matched."""
    return str(uuid7())


def new_session_id() -> str:
    """Return a new id for a conversation that the client did not name."""
    return f"s-{uuid7()}"
