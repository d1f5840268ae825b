"""The forms that fields have whose type says too little."""

import re
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

ID_CHARACTERS_MAX: Final = 64
"""The length of an id."""
UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""How the id of a flow is written."""
LOCALES: Final = ("ko", "en")
"""The languages that are spoken."""
ECHOED_CHARACTERS_MAX: Final = 80
"""How much of a value is repeated in what is wrong with it."""


@lru_cache(maxsize=256)
def zone_problem(given: str) -> str:
    """Return what is wrong with a time zone; an empty text where it is one."""
    problem = f"{shown(given)} is no IANA time zone, such as Asia/Seoul"
    if len(given) > ID_CHARACTERS_MAX:
        return problem
    try:
        ZoneInfo(given)
    except (LookupError, ValueError, OSError):
        return problem
    return ""


def shown(value: str) -> str:
    """Return a value as an error repeats it: in part, for whoever sent it knows it."""
    if len(value) <= ECHOED_CHARACTERS_MAX:
        return repr(value)
    return f"{value[:ECHOED_CHARACTERS_MAX]!r}…"
