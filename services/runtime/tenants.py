"""What a deployment grants each tenant: how much it may ask, and where what its people say may go.

    HAPJU_TENANTS='{"bank": {"questions_a_day": 20000, "models": ["gpt-4.1"], "destinations": ["models.bank.example"]},
                    "*": {"questions_a_minute": 60, "destinations": []}}'

A tenant that is named has its own entry and nothing of `*`, which is everybody else's. What an entry leaves out is not
limited; without the setting nothing is.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from services.runtime.identity import current_caller
from services.runtime.settings import SettingsError

VARIABLE: Final = "HAPJU_TENANTS"
"""The setting."""
OTHERS: Final = "*"
"""The name of everybody who is not named."""


class Tenant(BaseModel):
    """What one tenant is granted."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    questions_a_minute: int | None = Field(default=None, ge=0)
    """Questions that may be begun within a minute; None for any number."""
    questions_a_day: int | None = Field(default=None, ge=0)
    """Questions that may be begun within 24 hours; None for any number."""
    tokens_a_day: int | None = Field(default=None, ge=0)
    """Tokens that models may read and write within 24 hours; None for any number. A flow counts once it has ended, so
    that those under way may go beyond it by what each may spend."""
    flows_max: int | None = Field(default=None, ge=0)
    """Questions that may be under way at once; None for any number."""
    models: tuple[str, ...] | None = None
    """Models that may be asked, by their names at the endpoint; None for those that the services are set to."""
    destinations: tuple[Annotated[str, Field(min_length=1)], ...] | None = None
    """Hosts, or host:port, outside hapju that what its people say may go to: endpoints of models, a web search, mounted
    servers and agents. A mounted command is named by its mount. None for all that the deployment has set up."""

    @property
    def has_quota(self) -> bool:
        """Whether it has to be counted what the tenant asks."""
        bounds = (self.questions_a_minute, self.questions_a_day, self.tokens_a_day, self.flows_max)
        return any(one is not None for one in bounds)

    def may_ask(self, model: str) -> bool:
        """Return whether a model may be asked."""
        return self.models is None or model in self.models

    def may_reach(self, destination: str) -> bool:
        """Return whether what is said may go to a URL, or to a mounted command by its name."""
        if self.destinations is None:
            return True
        parts = urlsplit(destination)
        places = {destination} if not parts.netloc else {parts.hostname or "", parts.netloc.rpartition("@")[2]}
        return not places.isdisjoint(self.destinations)


UNLIMITED: Final = Tenant()
"""A tenant of a deployment that says nothing of tenants."""


class Tenants:
    """The tenants that a deployment tells apart.

    Args:
        named: What each is granted, by name.
    """

    def __init__(self, named: Mapping[str, Tenant] = MappingProxyType({})) -> None:
        self._named = named

    def of(self, name: str) -> Tenant:
        """Return what a tenant is granted."""
        return self._named.get(name) or self._named.get(OTHERS, UNLIMITED)

    def granted(self) -> Tenant:
        """Return what the tenant behind the call that is being served is granted.

        Raises:
            Unauthenticated: Tenants are told apart, and nobody is known to be behind the call.
        """
        return self.of(current_caller().tenant) if self._named else UNLIMITED


_NAMED: Final = TypeAdapter(dict[Annotated[str, Field(min_length=1, max_length=64)], Tenant])


@lru_cache(maxsize=8)
def tenants_from(setting: str) -> Tenants:
    """Return the tenants that a setting tells apart: JSON, or the path of a file of it; an empty one tells none.

    Raises:
        SettingsError: It cannot be read, or says something that is not known; names the tenant and the field.
    """
    if not setting.strip():
        return Tenants()
    try:
        text = setting if setting.lstrip().startswith("{") else Path(setting).read_text(encoding="utf-8")
        return Tenants(_NAMED.validate_json(text))
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
        raise SettingsError(f"{VARIABLE}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
    except (OSError, ValueError):
        raise SettingsError(f"{VARIABLE}: is neither a JSON object nor the path of a file that holds one") from None
