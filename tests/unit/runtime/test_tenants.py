"""What a deployment grants each tenant."""

from pathlib import Path

import pytest

from services.runtime.errors import Unauthenticated
from services.runtime.identity import Caller, acting_for
from services.runtime.settings import SettingsError
from services.runtime.tenants import UNLIMITED, tenants_from

SETTING = """{"bank": {"models": ["small"], "destinations": ["models.bank.example", "127.0.0.1:8080", "files"]},
              "*": {"questions_a_day": 10, "models": []}}"""


def test_without_the_setting_nothing_is_limited() -> None:
    """Nobody has to be known, and whatever the deployment has set up may be reached."""
    assert tenants_from("").granted() == UNLIMITED
    assert UNLIMITED.may_ask("any")
    assert UNLIMITED.may_reach("https://anywhere.example/v1")
    assert not UNLIMITED.has_quota


def test_a_tenant_has_its_own_entry_or_everybody_elses(tmp_path: Path) -> None:
    """Who is named has nothing of the entry for others; a file says the same as the text itself."""
    file = tmp_path / "tenants.json"
    file.write_text(SETTING, encoding="utf-8")
    for tenants in (tenants_from(SETTING), tenants_from(str(file))):
        with acting_for(Caller("mina", tenant="bank")):
            bank = tenants.granted()
        assert (bank.has_quota, bank.may_ask("small"), bank.may_ask("large")) == (False, True, False)
        other = tenants.of("shop")
        assert (other.has_quota, other.may_ask("small"), other.may_reach("https://a.example")) == (True, False, True)


@pytest.mark.parametrize(
    ("destination", "may"),
    [
        ("https://models.bank.example/v1", True),
        ("https://models.bank.example:8443/v1", True),
        ("https://models.bank.example.evil.example/v1", False),
        ("https://evil.example/models.bank.example", False),
        ("https://models.bank.example@evil.example/v1", False),
        ("http://127.0.0.1:8080/search", True),
        ("http://127.0.0.1:8081/search", False),
        ("files", True),
        ("openai", False),
    ],
)
def test_a_destination_is_known_by_its_host(destination: str, *, may: bool) -> None:
    """The host of an address decides, alone or with its port; a command is known by the name of its mount."""
    assert tenants_from(SETTING).of("bank").may_reach(destination) is may


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('{"bank": {"question_a_day": 1}}', "bank.question_a_day"),
        ('{"bank": {"questions_a_day": -1}}', "bank.questions_a_day"),
        ("/no/such/file", "neither a JSON object nor the path"),
    ],
)
def test_what_cannot_be_read_is_named(setting: str, told: str) -> None:
    """A typing mistake must not pass as no limit."""
    with pytest.raises(SettingsError, match=f"HAPJU_TENANTS: .*{told}"):
        tenants_from(setting)


def test_nobody_is_no_tenant() -> None:
    """Where tenants are told apart, a call of nobody is let through to nothing."""
    with pytest.raises(Unauthenticated):
        tenants_from(SETTING).granted()
