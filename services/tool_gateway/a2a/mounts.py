"""What HAPJU_A2A_AGENTS says: the agents by name, each with its card, the card's digest and the skills allowed."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from services.runtime.settings import SettingsError

VARIABLE: Final = "HAPJU_A2A_AGENTS"
"""The setting."""
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class AgentMount(BaseModel):
    """One agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    title: str = Field(min_length=1, max_length=200)
    """Whose words they are, as sources name them."""
    card: str = Field(pattern=r"^https?://.+$")
    """The address of its card."""
    digest: str = Field(default="", pattern=r"^(?:[0-9a-f]{64})?$")
    """The digest of the card (`hapju mcp --pins` tells it); without one the agent is not asked."""
    skills: tuple[Name, ...] = ()
    """The skills that may be asked for."""
    headers: dict[str, str] = {}
    """Headers of each request: the credentials of this deployment, never those of a user."""
    timeout_seconds: float = Field(default=30.0, gt=0, le=120)
    """How long an answer may take at most, whatever the tool allows."""


_MOUNTS: Final = TypeAdapter(dict[Name, AgentMount])


def agents_from(setting: str) -> dict[str, AgentMount]:
    """Returns the agents that a setting names: JSON, or the path of a file of it; none where it is empty.

    Raises:
        SettingsError: It cannot be read, or an agent cannot be mounted as it says; no value is repeated.
    """
    if not setting.strip():
        return {}
    try:
        text = setting if setting.lstrip().startswith("{") else Path(setting).read_text(encoding="utf-8")
        return _MOUNTS.validate_json(text)
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
        raise SettingsError(f"{VARIABLE}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
    except (OSError, ValueError):
        raise SettingsError(f"{VARIABLE}: is neither a JSON object nor the path of a file that holds one") from None


def digest_of(card: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of a card as its agent serves it; any change of it changes the digest."""
    written = json.dumps(card, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
