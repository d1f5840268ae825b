"""Reads the settings of a process from its environment; the only module that reads it.

Every variable begins with HAPJU_, except OPENAI_BASE_URL, OPENAI_API_KEY and the OTEL_ ones, which their owners define.
An unknown HAPJU_ variable is an error that names the nearest known one: a typing mistake must not pass as a default.
"""

import difflib
import os
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from services.runtime.settings import SHORTCUTS, ServicePlaces, Settings, SettingsError

PREFIX: Final = "HAPJU_"
_FOREIGN: Final = {
    "openai_base_url": "OPENAI_BASE_URL",
    "openai_api_key": "OPENAI_API_KEY",
    "otlp_endpoint": "OTEL_EXPORTER_OTLP_ENDPOINT",
}


def shortcuts(*, on: bool) -> dict[str, str]:
    """Return the variables that turn every shortcut on or off."""
    return dict.fromkeys((_variable(name) for name in SHORTCUTS), str(on).lower())


PROFILES: Final[Mapping[str, Mapping[str, Any]]] = {
    # Nothing is asked beside another, what a rule does well is not asked at all, and four calls of four seconds are all
    # that a question may wait for: with what hapju does itself, an answer comes within twenty.
    "local": {
        **dict.fromkeys(SHORTCUTS, False),
        "llm_first_token_timeout_seconds": 4.0,
        "llm_idle_timeout_seconds": 4.0,
        "llm_call_timeout_seconds": 4.0,
        "model_calls_max": 4,
        "llm_brief": True,
        "agent_summary": False,
        "citation_postprocess": False,
        "conversation_summary": False,
    },
}
"""What each profile sets, unless the environment says otherwise."""


def load(places: ServicePlaces, environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of this process.

    Args:
        places: The services whose HAPJU_<SERVICE>_ADDR are known.
        environ: The variables; the process's own by default.

    Raises:
        SettingsError: For an unknown or unusable variable; names it.
    """
    given = {name: value for name, value in (os.environ if environ is None else environ).items() if value}  # noqa: TID251
    variables = {_variable(field): field for field in Settings.model_fields if field != "addresses"}
    addresses = {places.address_variable(name): name for name in places.names}
    _refuse_unknown(given, (*variables, *addresses, *places.variables_idle))
    values: dict[str, Any] = {field: given[name] for name, field in variables.items() if name in given}
    values = {**PROFILES.get(values.get("llm_profile", ""), {}), **values}
    values["addresses"] = {service: given[name] for name, service in addresses.items() if name in given}
    try:
        return Settings.model_validate(values)
    except ValidationError as invalid:
        first = invalid.errors(include_input=False, include_url=False)[0]
        raise SettingsError(f"{_variable(str(first['loc'][0]))}: {first['msg']}") from None


def domains_enabled(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return what HAPJU_DOMAINS names: read before the settings, whose variables depend on the domains' agents."""
    given = (os.environ if environ is None else environ).get(f"{PREFIX}DOMAINS", "")  # noqa: TID251 - reads it
    return tuple(part.strip() for part in given.split(",") if part.strip())


def tls_files(environ: Mapping[str, str] | None = None) -> tuple[str, str, str]:
    """Return the paths of certificate, key and authorities, for a command that needs no other setting."""
    given = os.environ if environ is None else environ  # noqa: TID251 - reads it
    cert, key, ca = (given.get(f"{PREFIX}TLS_{name}", "") for name in ("CERT", "KEY", "CA"))
    return cert, key, ca


def process_environment(**added: str) -> dict[str, str]:
    """Return this process's environment with additions, for a child process."""
    return {**os.environ, **added}  # noqa: TID251 - the one module that reads it


def _variable(field: str) -> str:
    """Return the variable of a setting."""
    return _FOREIGN.get(field, PREFIX + field.upper())


def _refuse_unknown(given: Mapping[str, str], known: tuple[str, ...]) -> None:
    for name in sorted(given):
        if name.startswith(PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
            raise SettingsError(f"{name} is no setting of hapju; did you mean {nearest[0]}?")
