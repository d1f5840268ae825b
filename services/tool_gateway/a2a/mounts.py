"""What HAPJU_A2A_AGENTS says: the agents by name, each with its card, the card's digest and the skills allowed."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from services.tool_gateway.mounting import mounts_of

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
    """Return the agents that a setting names: JSON, or the path of a file of it; none where it is empty.

    Raises:
        SettingsError: It cannot be read, or an agent cannot be mounted as it says; no value is repeated.
    """
    return mounts_of(VARIABLE, setting, _MOUNTS) if setting.strip() else {}


def digest_of(card: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a card as its agent serves it; any change of it changes the digest."""
    written = json.dumps(card, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
