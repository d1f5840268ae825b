"""The agent card: who hapju is, what it answers about, and how it is called."""

from importlib.metadata import version
from typing import Any, Final

from a2a.server.request_handlers.response_helpers import agent_card_to_dict
from a2a.types import a2a_pb2 as a2a

from gateway.files.kinds import MEDIA_TYPES
from services.catalog.loader import Catalog

DESCRIPTION: Final = "Answers questions from data, in Korean and English, with the sources that each answer rests on."
"""What hapju says of itself."""
SCHEME: Final = "bearer"
"""How callers say who they are."""


def card_of(catalog: Catalog, url: str, *, needs_token: bool) -> dict[str, Any]:
    """Return the card as JSON.

    Args:
        catalog: The domains and agents of this deployment.
        url: Where the protocol is spoken.
        needs_token: Whether callers bring a token.
    """
    card = a2a.AgentCard(
        name="hapju",
        description=DESCRIPTION,
        version=version("hapju"),
        supported_interfaces=[a2a.AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=a2a.AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=list(MEDIA_TYPES.values()),
        default_output_modes=["text/plain", "application/json"],
        skills=[_skill(catalog, domain) for domain in catalog.domains],
    )
    if needs_token:
        scheme = a2a.HTTPAuthSecurityScheme(scheme="bearer", bearer_format="JWT")
        card.security_schemes[SCHEME].CopyFrom(a2a.SecurityScheme(http_auth_security_scheme=scheme))
        card.security_requirements.append(a2a.SecurityRequirement(schemes={SCHEME: a2a.StringList()}))
    told: dict[str, Any] = agent_card_to_dict(card)
    return told


def _skill(catalog: Catalog, domain: str) -> a2a.AgentSkill:
    answers = [one.answers.en for one in catalog.agents.values() if one.served and one.id.partition(".")[0] == domain]
    description = "; ".join(answers) or domain
    return a2a.AgentSkill(id=domain, name=domain, description=description, tags=[domain])
