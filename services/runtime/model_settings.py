"""How models are reached, and what they cost."""

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class ModelPrice(BaseModel):
    """What a model's tokens cost, in US dollars for a million of them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    model: str
    """The model's name at the endpoint."""
    input: float = Field(ge=0)
    """Price of what it reads."""
    output: float = Field(ge=0)
    """Price of what it writes."""


def priced(value: object) -> object:
    """Read {"model": {"input": 0.4, "output": 1.6}} from JSON text; anything else is left to the field."""
    if not isinstance(value, str):
        return value
    try:
        read = json.loads(value)
        return tuple({**price, "model": model} for model, price in read.items())
    except (ValueError, TypeError, AttributeError):
        raise ValueError('is no JSON object such as {"gpt-4.1": {"input": 2, "output": 8}}') from None


class LlmSettings(BaseModel):
    """How models are reached. Without base URL and key none is configured, and every decision goes by its rule."""

    model_config = ConfigDict(frozen=True)

    base_url: str = ""
    """An OpenAI-compatible endpoint; empty with a key set means the vendor's own."""
    api_key: SecretStr = SecretStr("")
    """The endpoint's key."""
    model_router: str = "gpt-4.1-mini"
    """Model of the router."""
    model_utility: str = "gpt-4.1-mini"
    """Model of policy, planner and the other small decisions."""
    model_agent: str = "gpt-4.1"
    """Model of the domain agents."""
    model_supervisor: str = "gpt-4.1"
    """Model of the orchestrator and the synthesizer."""
    structured_output: Literal["auto", "json_schema", "json_object", "text"] = "auto"
    """How the endpoint is asked for JSON; auto begins with json_schema and steps down where it is refused."""
    brief: bool = False
    """Whether schemas hold models to short reasons: for servers that keep lengths, which not every vendor takes."""
    prices: tuple[ModelPrice, ...] = ()
    """What the models cost; one without a price counts as free."""
    tenants: str = ""
    """See Settings: which models a tenant's content may go to."""
    connect_timeout_seconds: float = Field(default=3.0, gt=0)
    """How long a connection may take."""
    first_token_timeout_seconds: float = Field(default=15.0, gt=0)
    """How long the first token of a stream may take."""
    idle_timeout_seconds: float = Field(default=10.0, gt=0)
    """How long a stream may be silent between two tokens."""
    call_timeout_seconds: float = Field(default=30.0, gt=0)
    """How long one call may take in all."""

    @property
    def configured(self) -> bool:
        """True where a model can be asked at all."""
        return bool(self.base_url or self.api_key.get_secret_value())
