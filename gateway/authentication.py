"""Who a client is: its verified Bearer token, and nothing else.

Under jwt every call bears a token that one of the configured keys verifies. In dev mode, which binds to loopback only,
a call without a token is an anonymous caller, and a token is verified with the key that the processes of this data
directory share.
"""

from collections.abc import Callable
from typing import Any, Final

import jwt

from gateway.keys import KeySet
from services.runtime.errors import Unauthenticated, Unavailable
from services.runtime.identity import UNREADABLE, Caller, caller_from_claims
from services.runtime.ids import NAME_PATTERN
from services.runtime.settings import Settings, dev_key

AUTHORIZATION_KEY: Final = "authorization"
"""Metadata key of the Bearer token."""
ALGORITHMS: Final = ("RS256", "PS256", "ES256", "EdDSA", "HS256")
"""The algorithms that a configured key may be used with; each key is used with its own only."""
USER_TYPES: Final = frozenset({"", "consumer", "seller"})
"""What a user may be."""

Metadata = tuple[tuple[str, str | bytes], ...]
Verify = Callable[[str], dict[str, Any]]


class Authentication:
    """Verifies clients' tokens."""

    def __init__(self, verify: Verify, *, anonymous_allowed: bool, keys: KeySet | None = None) -> None:
        self._verify = verify
        self._anonymous_allowed = anonymous_allowed
        self.keys = keys
        """What tokens are verified with; None in dev mode."""

    @classmethod
    def from_settings(cls, settings: Settings) -> "Authentication":
        """Return the authentication that the settings ask for.

        Raises:
            SettingsError: Under jwt without usable keys; names the variable.
        """
        if settings.auth_mode == "dev":
            return cls(_dev_verify(dev_key(settings.data_dir), settings.jwt_audience), anonymous_allowed=True)
        keys = KeySet(settings.jwt_keys.get_secret_value())
        return cls(_jwt_verify(keys, settings.jwt_audience, settings.jwt_issuer), anonymous_allowed=False, keys=keys)

    def identify(self, metadata: Metadata) -> Caller:
        """Return who calls.

        Raises:
            Unauthenticated: Where a token is missing or does not hold; the text says which, never the token.
            Unavailable: The identity provider's keys have not been had yet.
        """
        header = next((value for key, value in metadata if key == AUTHORIZATION_KEY), "")
        scheme, _, token = header.partition(" ") if isinstance(header, str) else ("", "", "")
        if not header and self._anonymous_allowed:
            return Caller()
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("authorization: a Bearer token is required", reason="TOKEN_MISSING")
        if self.keys is not None and not self.keys.are_known:
            raise Unavailable("the keys of the identity provider have not been had yet")
        try:
            claims = self._verify(token)
        except UNREADABLE as invalid:
            raise Unauthenticated("authorization: the token does not hold", reason="TOKEN_INVALID") from invalid
        return _checked(caller_from_claims(claims))


def _checked(caller: Caller) -> Caller:
    if not NAME_PATTERN.fullmatch(caller.user_id) or not NAME_PATTERN.fullmatch(caller.tenant):
        raise Unauthenticated("authorization: sub or tenant is no name that can be used", reason="TOKEN_INVALID")
    if caller.user_type not in USER_TYPES:
        raise Unauthenticated("authorization: user_type is neither consumer nor seller", reason="TOKEN_INVALID")
    return caller


def _dev_verify(key: str, audience: str) -> Verify:
    def verify(token: str) -> dict[str, Any]:
        return jwt.decode(token, key, ["HS256"], audience=audience, options={"require": ["exp", "sub"]})

    return verify


def _jwt_verify(keys: KeySet, audience: str, issuer: str) -> Verify:
    def verify(token: str) -> dict[str, Any]:
        key = keys.get(str(jwt.get_unverified_header(token).get("kid", "")))
        if key is None:
            raise jwt.InvalidKeyError("no key of that id")
        algorithm = key.algorithm_name
        if algorithm not in ALGORITHMS:
            raise jwt.InvalidKeyError("the key's algorithm is not allowed")
        return jwt.decode(
            token,
            key.key,
            [algorithm],
            audience=audience,
            issuer=issuer or None,
            options={"require": ["exp", "sub"]},
        )

    return verify
