"""Who calls. The gateway verifies the client's token; from there on each hop signs what it knows of the caller anew.

The assertion travels in the metadata key `hapju-caller`. It is a JWT (HS256 under HAPJU_CALLER_KEY) that names the user
(sub, tenant, user_type, roles) and the service that makes the call (iss). Nothing else is trusted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import time
from typing import Any, Final, TypeVar

import jwt

from services.runtime.errors import Unauthenticated
from services.runtime.ids import NAME_PATTERN

CALLER_KEY: Final = "hapju-caller"
"""Metadata key of the assertion."""
ASSERTION_SECONDS: Final = 60
"""How long an assertion holds; each hop makes its own, so a call's length does not matter."""
CLOCKS_APART_SECONDS: Final = 10
"""How far the clocks of two services may be apart."""
UNREADABLE: Final = (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError)
"""The library reads what anybody may have written; whatever it stumbles over is no token that holds."""
_ALGORITHM: Final = "HS256"
_AUDIENCE: Final = "hapju"


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated user behind a call."""

    user_id: str = ""
    """The user; empty for an anonymous one."""
    tenant: str = "default"
    """The tenant that the user belongs to."""
    user_type: str = ""
    """consumer or seller; empty where it is not known."""
    roles: frozenset[str] = frozenset()
    """What the user may do beyond asking."""
    service: str = ""
    """The service that made this call; empty for a client."""

    @property
    def is_logged_in(self) -> bool:
        """True where the user is known."""
        return bool(self.user_id)


_current: ContextVar[Caller] = ContextVar("hapju_caller")


def current_caller() -> Caller:
    """Return who is behind the call that is being served.

    Raises:
        Unauthenticated: Where nobody is known: a missing identity never means "anybody".
    """
    caller = _current.get(None)
    if caller is None:
        raise Unauthenticated("no caller is known")
    return caller


@contextmanager
def acting_for(caller: Caller) -> Iterator[Caller]:
    """Make `caller` the one behind every call of its body."""
    token = _current.set(caller)
    try:
        yield caller
    finally:
        _current.reset(token)


class Assertions:
    """Signs and verifies assertions with one key; what was signed or verified is remembered until it is over."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._signed: dict[tuple[Caller, str], tuple[float, str]] = {}
        self._verified: dict[str, tuple[float, Caller]] = {}

    def sign(self, caller: Caller, service: str) -> str:
        """Return an assertion that `service` makes a call for `caller`."""
        now = time()
        cached = self._signed.get((caller, service))
        # Where the clock was put back, what was signed before is of a time that has not come.
        if cached is not None and 0 <= now - cached[0] < ASSERTION_SECONDS / 2:
            return cached[1]
        token = jwt.encode({**_claims(caller), "iss": service, **_lifetime(now)}, self._key, _ALGORITHM)
        _remember(self._signed, (caller, service), (now, token))
        return token

    def verify(self, token: str) -> Caller:
        """Return the caller that an assertion names.

        Raises:
            Unauthenticated: Where it is missing, forged or over.
        """
        if not token:
            raise Unauthenticated("the call bears no caller assertion", reason="CALLER_MISSING")
        cached = self._verified.get(token)
        if cached is not None and cached[0] > time():
            return cached[1]
        try:
            claims = jwt.decode(
                token,
                self._key,
                [_ALGORITHM],
                audience=_AUDIENCE,
                options={"require": _REQUIRED},
                leeway=CLOCKS_APART_SECONDS,
            )
        except UNREADABLE as invalid:
            raise Unauthenticated("the caller assertion does not hold", reason="CALLER_INVALID") from invalid
        caller = caller_from_claims(claims, service=str(claims["iss"]))
        _remember(self._verified, token, (float(claims["exp"]), caller))
        return caller


_REMEMBERED_MAX: Final = 1_024
K = TypeVar("K")
V = TypeVar("V")


def _remember(memory: dict[K, V], key: K, value: V) -> None:
    """Keep a bounded memory: a JWT costs a tenth of a hop to sign or to verify, and the same one comes often."""
    if len(memory) >= _REMEMBERED_MAX:
        memory.clear()
    memory[key] = value


_TEXTS: Final = {"sub": "", "tenant": "default", "user_type": ""}
_REQUIRED: Final = ["exp", "iat", "iss", "sub", "aud"]


ROLES_MAX: Final = 64
"""Roles of one user, and the length of each: they travel with every call."""


def caller_from_claims(claims: dict[str, Any], service: str = "") -> Caller:
    """Return the caller that verified claims name.

    Raises:
        Unauthenticated: A claim is of another form than its own: what a token does not say plainly it does not say.
    """
    texts = {name: claims.get(name, default) for name, default in _TEXTS.items()}
    roles = claims.get("roles", ())
    if not all(isinstance(text, str) for text in texts.values()) or not _are_names(texts) or not _are_roles(roles):
        raise Unauthenticated("authorization: a claim of the token does not have its form", reason="TOKEN_INVALID")
    return Caller(texts["sub"], texts["tenant"], texts["user_type"], frozenset(roles), service)


def _are_names(texts: dict[str, Any]) -> bool:
    """Return whether user and tenant are names, or nobody in particular: what is kept is kept under them."""
    return all(not texts[claim] or NAME_PATTERN.fullmatch(texts[claim]) for claim in ("sub", "tenant"))


def _are_roles(given: object) -> bool:
    if not isinstance(given, list | tuple) or len(given) > ROLES_MAX:
        return False
    return all(isinstance(role, str) and len(role) <= ROLES_MAX for role in given)


def _claims(caller: Caller) -> dict[str, Any]:
    return {
        "sub": caller.user_id,
        "tenant": caller.tenant,
        "user_type": caller.user_type,
        "roles": sorted(caller.roles),
        "aud": _AUDIENCE,
    }


def _lifetime(now: float) -> dict[str, int]:
    return {"iat": int(now), "exp": int(now) + ASSERTION_SECONDS}
