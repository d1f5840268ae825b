"""Tokens of dev mode: the command line says who its user is, and signs it with the key of this data directory.

Outside dev mode tokens come from the deployment's own issuer, by HAPJU_TOKEN, and nothing is signed here.
"""

from dataclasses import dataclass
from time import time
from typing import Final

import jwt

from services.cli.problems import usage
from services.runtime.settings import Settings, dev_key

TOKEN_SECONDS: Final = 300
"""How long a token holds. It is verified when a call begins, so a long flow does not outlive it."""
_TENANT: Final = "default"


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a command acts for."""

    user_id: str = ""
    """The user; empty for an anonymous one."""
    user_type: str = ""
    """consumer or seller; empty where it is not said."""
    roles: tuple[str, ...] = ()
    """What they may do beyond asking."""


def bearer_token(identity: Identity, settings: Settings) -> str:
    """Return the token that is set, a short-lived one for a user, or an empty text for an anonymous one.

    Raises:
        Problem: For a user type without a user, and for a user outside dev mode.
    """
    given = settings.token.get_secret_value()
    if given:
        if identity.user_id:
            raise usage("--user", "HAPJU_TOKEN says who the user is; give one of the two")
        return given
    if not identity.user_id:
        if identity.user_type:
            raise usage("--user-type", "needs --user: only a known user has a type")
        return ""
    if settings.auth_mode != "dev":
        raise usage(
            "--user",
            f"tokens are issued under HAPJU_AUTH_MODE=dev only, not under {settings.auth_mode}; set HAPJU_TOKEN",
        )
    now = int(time())
    claims = {
        "sub": identity.user_id,
        "tenant": _TENANT,
        "user_type": identity.user_type,
        "roles": list(identity.roles),
        "aud": settings.jwt_audience,
        "iat": now,
        "exp": now + TOKEN_SECONDS,
    }
    if settings.jwt_issuer:
        claims["iss"] = settings.jwt_issuer
    return jwt.encode(claims, dev_key(settings.data_dir), "HS256")
