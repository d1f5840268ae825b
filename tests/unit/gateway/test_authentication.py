"""Clients' tokens under jwt: the configured keys, each with its own algorithm, and nothing else."""

import json
from pathlib import Path
from time import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from gateway.authentication import Authentication
from services.runtime.errors import Unauthenticated
from services.runtime.identity import Caller
from services.runtime.settings import Settings, SettingsError

RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
KEYS = {
    "keys": [
        {**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(RSA_KEY.public_key())), "kid": "r", "alg": "RS256"},
        {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(EC_KEY.public_key())), "kid": "e", "alg": "ES256"},
    ],
}


def settings(tmp_path: Path, **given: Any) -> Settings:
    """Returns settings under jwt."""
    defaults = {"auth_mode": "jwt", "jwt_keys": json.dumps(KEYS), "caller_key": "k" * 32, "data_dir": tmp_path}
    return Settings(**{**defaults, **given})


def signed(key: RSAPrivateKey | EllipticCurvePrivateKey | str, kid: str, algorithm: str, **claims: Any) -> str:
    """Returns a token."""
    now = int(time())
    whole = {"sub": "u-1", "aud": "hapju", "exp": now + 60, **claims}
    return jwt.encode(whole, key, algorithm, headers={"kid": kid})


def identified(tmp_path: Path, token: str, **given: Any) -> Caller:
    """Returns who a token is taken for."""
    authentication = Authentication.from_settings(settings(tmp_path, **given))
    return authentication.identify((("authorization", f"Bearer {token}"),))


def test_a_token_of_a_configured_key_names_the_caller(tmp_path: Path) -> None:
    """Both kinds of key verify, and the claims are the caller."""
    claims = {"tenant": "t", "user_type": "seller", "roles": ["router"]}
    expected = Caller("u-1", "t", "seller", frozenset({"router"}))
    assert expected == identified(tmp_path, signed(RSA_KEY, "r", "RS256", **claims))
    assert expected == identified(tmp_path, signed(EC_KEY, "e", "ES256", **claims))


@pytest.mark.parametrize(
    "token",
    [
        signed(STRANGER, "r", "RS256"),
        signed(RSA_KEY, "unknown", "RS256"),
        signed(RSA_KEY, "e", "RS256"),
        signed(RSA_KEY, "r", "PS256"),
        signed(RSA_KEY, "r", "RS256", exp=int(time()) - 60),
        signed(RSA_KEY, "r", "RS256", aud="other"),
        signed(RSA_KEY, "r", "RS256", sub=""),
        signed(RSA_KEY, "r", "RS256", sub="two words"),
        signed(RSA_KEY, "r", "RS256", user_type="admin"),
        signed("x" * 32, "r", "HS256"),
        "a.b.c",
    ],
    ids=[
        "stranger",
        "unknown kid",
        "other kid",
        "other algorithm",
        "over",
        "audience",
        "nobody",
        "name",
        "type",
        "hmac",
        "none",
    ],
)
def test_any_other_token_is_refused(tmp_path: Path, token: str) -> None:
    """A stranger's key, another algorithm, a token that is over or meant for others: none is let in."""
    with pytest.raises(Unauthenticated):
        identified(tmp_path, token)


def test_a_token_is_required(tmp_path: Path) -> None:
    """Under jwt nobody is anonymous."""
    with pytest.raises(Unauthenticated) as caught:
        Authentication.from_settings(settings(tmp_path)).identify(())
    assert caught.value.reason == "TOKEN_MISSING"


def test_an_issuer_that_is_set_is_required(tmp_path: Path) -> None:
    """Where an issuer is named, only its tokens count."""
    token = signed(RSA_KEY, "r", "RS256", iss="https://id.example")
    assert identified(tmp_path, token, jwt_issuer="https://id.example").user_id == "u-1"
    with pytest.raises(Unauthenticated):
        identified(tmp_path, token, jwt_issuer="https://other.example")


def test_keys_may_stand_in_a_file(tmp_path: Path) -> None:
    """A path to a JWK set serves as well as the set."""
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(KEYS))
    assert identified(tmp_path, signed(RSA_KEY, "r", "RS256"), jwt_keys=str(path)).user_id == "u-1"


@pytest.mark.parametrize("keys", ["", "{}", "no such file", '{"keys": [{"kty": "oct", "k": "AA"}]}'])
def test_unusable_keys_stop_the_start(tmp_path: Path, keys: str) -> None:
    """Missing, broken or nameless keys are named by their variable."""
    with pytest.raises(SettingsError, match="HAPJU_JWT_KEYS"):
        Authentication.from_settings(settings(tmp_path, jwt_keys=keys))


def test_dev_mode_lets_anonymous_callers_in_and_nobody_on_a_bad_token(tmp_path: Path) -> None:
    """Without a token a dev caller is nobody in particular; a token that does not hold is still refused."""
    authentication = Authentication.from_settings(Settings(data_dir=tmp_path))
    assert Caller() == authentication.identify(())
    with pytest.raises(Unauthenticated):
        authentication.identify((("authorization", "Bearer a.b.c"),))
