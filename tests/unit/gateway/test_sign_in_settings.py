"""An identity provider is one whose keys nobody on the way can replace."""

import pytest

from gateway.http.console.oidc import SignIn
from services.runtime.identity import Caller
from services.runtime.settings import Settings, SettingsError


def sign_in(issuer: str) -> SignIn:
    settings = Settings(auth_mode="jwt", oidc_issuer=issuer, oidc_client_id="console")
    return SignIn(settings, lambda _metadata: Caller("nobody", "default"))


@pytest.mark.parametrize("issuer", ["https://id.example", "http://127.0.0.1:8081", "http://localhost/realm"])
def test_a_guarded_issuer_is_taken(issuer: str) -> None:
    """Over TLS, or on this machine."""
    assert sign_in(issuer)


@pytest.mark.parametrize("issuer", ["http://id.example", "http://127.0.0.1.example", "http://localhost.example"])
def test_an_issuer_in_the_clear_stops_the_start(issuer: str) -> None:
    """Whoever sits on the way would sign anybody in."""
    with pytest.raises(SettingsError, match="HAPJU_OIDC_ISSUER"):
        sign_in(issuer)
