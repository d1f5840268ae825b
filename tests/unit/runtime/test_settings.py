"""Settings from the environment."""

from pathlib import Path

import pytest

from services.catalog.topology import topology
from services.runtime.environment import load
from services.runtime.model_settings import ModelPrice
from services.runtime.settings import Settings, SettingsError, dev_key, is_loopback


def test_unknown_variable_names_the_nearest() -> None:
    """A typing mistake is an error that names what was meant."""
    with pytest.raises(SettingsError, match=r"HAPJU_LISTN .* did you mean HAPJU_LISTEN\?"):
        load(topology(), {"HAPJU_LISTN": "127.0.0.1:1"})


def test_address_variables_are_known_for_every_process() -> None:
    """Each service's address can be set, and a wrong one names the nearest."""
    given = {topology().address_variable(name): f"{name}:1" for name in topology().names}
    assert {name: f"{name}:1" for name in topology().names} == dict(load(topology(), given).addresses)
    with pytest.raises(SettingsError, match="HAPJU_ROUTER_ADDR"):
        load(topology(), {"HAPJU_ROUTR_ADDR": "x:1"})


def test_unusable_value_names_its_variable() -> None:
    """A value outside its range names the variable, not a field of ours."""
    with pytest.raises(SettingsError, match=r"^HAPJU_RPCS_MAX: "):
        load(topology(), {"HAPJU_RPCS_MAX": "none"})


def test_empty_value_is_no_value() -> None:
    """An empty variable, which deployment tools like to set, counts as unset."""
    assert Settings().listen == load(topology(), {"HAPJU_LISTEN": ""}).listen


def test_model_settings_come_from_their_owners_variables() -> None:
    """OPENAI_ variables configure the endpoint, HAPJU_ ones the rest."""
    llm = load(topology(), {"OPENAI_BASE_URL": "http://m/v1", "HAPJU_MODEL_ROUTER": "tiny"}).llm
    assert (llm.base_url, llm.model_router, llm.configured) == ("http://m/v1", "tiny", True)
    assert not load(topology(), {}).llm.configured


def test_prices_are_an_object_by_model() -> None:
    """Prices come as JSON by the model's name; what is no price names the variable."""
    priced = load(topology(), {"HAPJU_LLM_PRICES": '{"a": {"input": 0.4, "output": 1.6}}'}).llm
    assert priced.prices == (ModelPrice(model="a", input=0.4, output=1.6),)
    for broken in ("[1]", "{", '{"a": 3}', '{"a": {"input": -1, "output": 1}}', '{"a": {"input": 1}}'):
        with pytest.raises(SettingsError, match=r"^HAPJU_LLM_PRICES: "):
            load(topology(), {"HAPJU_LLM_PRICES": broken})


@pytest.mark.parametrize(
    ("address", "expected"),
    [("127.0.0.1:1", True), ("[::1]:1", True), ("localhost:1", True), ("0.0.0.0:1", False), ("router:1", False)],
)
def test_loopback(address: str, expected: bool) -> None:
    """Only what this machine alone can reach is loopback."""
    assert expected == is_loopback(address)


def test_dev_mode_refuses_other_addresses(tmp_path: Path) -> None:
    """Without keys a service listens at loopback only."""
    with pytest.raises(SettingsError, match="loopback"):
        Settings(data_dir=tmp_path).check("0.0.0.0:1")
    with pytest.raises(SettingsError, match="HAPJU_CALLER_KEY"):
        Settings(data_dir=tmp_path, auth_mode="jwt").check("0.0.0.0:1")


def test_dev_key_is_made_once_and_kept_to_its_owner(tmp_path: Path) -> None:
    """Every process of a data directory gets the same key, and no other user can read it."""
    first = dev_key(tmp_path / "new")
    assert (first, 0o600) == (dev_key(tmp_path / "new"), (tmp_path / "new" / "dev.key").stat().st_mode & 0o777)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["dev.key"]
