"""Client tokens as an identity provider would issue them."""

from time import time

import jwt


def token(
    key: str, user_id: str, *, roles: tuple[str, ...] = (), user_type: str = "", seconds: int = 60, tenant: str = ""
) -> str:
    """Returns a Bearer token for a user, signed with a shared secret."""
    now = int(time())
    lifetime = {"aud": "hapju", "iat": now, "exp": now + seconds}
    claims = {"sub": user_id, "roles": list(roles), "user_type": user_type}
    if tenant:
        claims["tenant"] = tenant
    return jwt.encode({**claims, **lifetime}, key, "HS256")
