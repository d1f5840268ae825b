"""The forms that fields have whose type says too little."""

import re
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.contract.mapping import ContractViolation

ID_CHARACTERS_MAX: Final = 64
"""The length of an id."""
UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""How the id of a flow is written."""
LOCALES: Final = ("ko", "en")
"""The languages that are spoken."""
ECHOED_CHARACTERS_MAX: Final = 80
"""How much of a value is repeated in what is wrong with it."""
COMPANION_OF: Final = "companion_of:"
"""How a step's condition begins that holds where the named step's agent asked for the opposite branch."""
CHOICE: Final = "_choice"
"""Ends the name of the slot that asks which of several things of one name is meant; its answer fills the slot."""
WEB_PART: Final = "web.search"
"""What stands in the place of an agent's name in the result that holds pages of the web."""


def check_run(run: Any) -> None:
    """Check the run context that every call bears: what each service builds on.

    Raises:
        ContractViolation: A field does not have its form; names it.
    """
    for name, given in (("flow_run_id", run.flow_run_id), ("session_id", run.session_id)):
        if len(given) > ID_CHARACTERS_MAX:
            raise ContractViolation(name, f"is longer than {ID_CHARACTERS_MAX} characters")
    if not UUID.fullmatch(run.flow_run_id):
        raise ContractViolation("flow_run_id", "must be a UUID" if run.flow_run_id else "is required")
    if run.locale not in {"", *LOCALES}:  # empty where a call says nothing to a person
        raise ContractViolation("locale", "must be ko or en")
    if run.time_zone and (problem := zone_problem(run.time_zone)):
        raise ContractViolation("time_zone", problem)


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
