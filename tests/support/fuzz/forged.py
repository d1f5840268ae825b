"""Tokens that somebody made who may not: each is refused by whoever reads it, as no token that holds."""

import base64
import json
from collections.abc import Iterator
from time import time
from typing import Any

import jwt

AUDIENCE = "hapju"
HEADERS = (
    '{"alg":"none"}',
    '{"alg":"None","typ":"JWT"}',
    '{"alg":"HS512"}',
    '{"alg":"RS256"}',
    '{"alg":["HS256"]}',
    '{"alg":{"a":"HS256"}}',
    '{"alg":null}',
    '{"alg":"\\ud800"}',
    '{"alg":"HS256","kid":1}',
    '{"alg":"HS256","kid":"../../etc/passwd"}',
    '{"alg":"HS256","jwk":{"kty":"oct","k":"AA"}}',
    '{"alg":"HS256","b64":false,"crit":["b64"]}',
    '{"alg":"HS256","crit":"b64"}',
    '{"alg":"HS256","typ":1e999}',
    "[]",
    "NaN",
    '"HS256"',
    "[" * 3_000,
    "{}",
    "",
)
"""Headers of which none makes a token that holds, whatever is signed under them."""
EXPIRES: tuple[Any, ...] = (0, -1, "soon", [], {}, None, float("inf"), float("nan"), True, -(10**30))
SUBJECTS: tuple[Any, ...] = (1, None, [], {}, "two words", "a\0b", "x" * 5_000, "u\u202e")
TENANTS: tuple[Any, ...] = (1, [], {}, "two words", "t\n")
"""When a token is over, whose it is and of which tenant, as none may say it."""
PIECES = ("", ".", "..", "a.b.c", "a.b.c.d", "é", " ", "null", "Bearer", "=" * 40, "A" * 6_000, "%00", "eyJ.eyJ.")
"""What is no token at all."""


def _encoded(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(**given: Any) -> dict[str, Any]:
    """Returns claims that hold, with some put in their place."""
    now = int(time())
    return {"sub": "u-1", "iss": "gateway", "aud": AUDIENCE, "iat": now, "exp": now + 60, "roles": [], **given}


def odd_claims() -> Iterator[dict[str, Any]]:
    """Yields claims that make no caller, also where they are signed with the right key."""
    for exp in EXPIRES:
        yield claims(exp=exp)
    for sub in SUBJECTS:
        yield claims(sub=sub)
    for audience in ("other", "", [], ["other"], 1, None):
        yield claims(aud=audience)
    for name in ("exp", "aud"):
        yield {key: value for key, value in claims().items() if key != name}
    yield claims(nbf=int(time()) + 3_600)
    yield claims(nbf="later")
    for roles in ("router", [1], [["router"]], {"router": 1}, ["r" * 65], ["r"] * 65):
        yield claims(roles=roles)
    for tenant in TENANTS:
        yield claims(tenant=tenant)


def forged(key: str) -> Iterator[str]:
    """Yields tokens of which none holds, to whoever takes those of a key."""
    yield from PIECES
    held = jwt.encode(claims(), key, "HS256")
    head, body, signature = held.split(".")
    payload = _encoded(json.dumps(claims()))
    for header in HEADERS:
        yield f"{_encoded(header)}.{payload}."
        yield f"{_encoded(header)}.{payload}.{signature}"
    yield f"{head}.{payload[:-2]}.{signature}"
    yield f"{head}.{_encoded(json.dumps(claims(roles=['router', 'evaluator'])))}.{signature}"
    yield f"{head}.{_encoded(b'{')}.{signature}"
    yield f"{head}.{body}.{signature[:-4]}AAAA"
    yield jwt.encode(claims(), "x" * 64, "HS256")
    yield jwt.encode(claims(), key, "HS512")
    for odd in odd_claims():
        yield jwt.encode(odd, key, "HS256")
