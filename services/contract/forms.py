"""The forms that fields have whose type says too little."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from services.contract.mapping import ContractViolation

if TYPE_CHECKING:
    from services.contract.flow import RunContext

ID_CHARACTERS_MAX: Final = 64
"""The length of an id."""
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
LOCALES: Final = frozenset({"", "ko", "en"})
"""The languages that are spoken; empty where a call says nothing to a person."""
ECHOED_CHARACTERS_MAX: Final = 80
"""How much of a value is repeated in what is wrong with it."""


def check_run(run: "RunContext") -> None:
    """Checks the run context that every call bears: what each service builds on.

    Raises:
        ContractViolation: A field does not have its form; names it.
    """
    for field, given in (("flow_run_id", run.flow_run_id), ("session_id", run.session_id)):
        if len(given) > ID_CHARACTERS_MAX:
            raise ContractViolation(field, f"is longer than {ID_CHARACTERS_MAX} characters")
    if not _UUID.fullmatch(run.flow_run_id):
        raise ContractViolation("flow_run_id", "must be a UUID" if run.flow_run_id else "is required")
    if run.locale not in LOCALES:
        raise ContractViolation("locale", "must be ko or en")
    if run.time_zone and (problem := zone_problem(run.time_zone)):
        raise ContractViolation("time_zone", problem)


@lru_cache(maxsize=256)
def zone_problem(given: str) -> str:
    """Returns what is wrong with a time zone; an empty text where it is one."""
    problem = f"{shown(given)} is no IANA time zone, such as Asia/Seoul"
    if len(given) > ID_CHARACTERS_MAX:
        return problem
    try:
        ZoneInfo(given)
    except (LookupError, ValueError, OSError):
        return problem
    return ""


def shown(value: str) -> str:
    """Returns a value as an error repeats it: in part, for whoever sent it knows it."""
    if len(value) <= ECHOED_CHARACTERS_MAX:
        return repr(value)
    return f"{value[:ECHOED_CHARACTERS_MAX]!r}…"
