"""What HAPJU_MCP_SERVERS says: the servers by name, each with the tools that may be called and their digests."""

import hashlib
import json
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from services.tool_gateway.mounting import mounts_of

VARIABLE: Final = "HAPJU_MCP_SERVERS"
"""The setting."""
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class Mount(BaseModel):
    """One server."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    title: str = Field(min_length=1, max_length=200)
    """Whose rows they are, as sources name them."""
    command: tuple[str, ...] = ()
    """The command that is started and spoken to over its standard input and output."""
    environment: dict[str, str] = {}
    """Variables of that command; of ours it has none but PATH and the like."""
    url: str = Field(default="", pattern=r"^(?:https?://.+)?$")
    """Its address, for streamable HTTP."""
    headers: dict[str, str] = {}
    """Headers of each request: the credentials of this deployment, never those of a user."""
    timeout_seconds: float = Field(default=10.0, gt=0, le=120)
    """How long a connection may take to be made."""
    tools: dict[Name, Annotated[str, Field(pattern=r"^(?:[0-9a-f]{64})?$")]]
    """The tools that may be called, each with the digest of its definition (`hapju mcp --pins` tells it)."""

    @model_validator(mode="after")
    def _one_way(self) -> "Mount":
        if bool(self.command) == bool(self.url):
            raise ValueError("a server has either a command or a url")
        return self


_MOUNTS: Final = TypeAdapter(dict[Name, Mount])


def mounts_from(setting: str) -> dict[str, Mount]:
    """Return the servers that a setting names: JSON, or the path of a file of it; none where it is empty.

    Raises:
        SettingsError: It cannot be read, or a server cannot be mounted as it says; no value is repeated.
    """
    return mounts_of(VARIABLE, setting, _MOUNTS) if setting.strip() else {}


def digest_of(definition: dict[str, Any]) -> str:
    """Return the SHA-256 of a tool's definition as its server tells it; any change of it changes the digest."""
    told = {
        name: definition.get(name) for name in ("name", "description", "inputSchema", "outputSchema", "annotations")
    }
    written = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
