"""Settings that mount servers of others: an object of JSON, or the path of a file that holds it."""

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from services.runtime.settings import SettingsError

Mounts = TypeVar("Mounts")


def mounts_of(variable: str, setting: str, kind: TypeAdapter[Mounts]) -> Mounts:
    """Return what a setting mounts.

    Raises:
        SettingsError: It cannot be read, or one cannot be mounted as it says; no value is repeated.
    """
    try:
        text = setting if setting.lstrip().startswith("{") else Path(setting).read_text(encoding="utf-8")
        return kind.validate_json(text)
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
        raise SettingsError(f"{variable}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
    except (OSError, ValueError):
        raise SettingsError(f"{variable}: is neither a JSON object nor the path of a file that holds one") from None
