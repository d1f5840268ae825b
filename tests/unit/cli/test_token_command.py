"""Keys and tokens of a deployment under jwt: made, checked, and taken by a gateway with the same keys."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.authentication import Authentication
from services.runtime.settings import Settings

Hapju = Callable[..., tuple[int, str, str]]


@pytest.fixture
def keys(hapju: Hapju, tmp_path: Path) -> Path:
    """Return a folder with a key and its set."""
    code, _, _ = hapju("keys", "new", "--at", str(tmp_path / "keys"))
    assert code == 0
    return tmp_path / "keys"


def minted(hapju: Hapju, keys: Path, *more: str) -> str:
    """Return a token of mina's."""
    code, out, err = hapju("token", "mint", "--key", str(keys / "private.json"), "--user", "mina", *more)
    assert (code, err) == (0, "")
    return out.strip()


def test_a_token_is_taken_by_a_gateway_with_the_set(hapju: Hapju, keys: Path, tmp_path: Path) -> None:
    """User, type, tenant and roles are those that were named; the private key is its owner's alone."""
    token = minted(hapju, keys, "--user-type", "seller", "--tenant", "bank", "--role", "operator", "--role", "router")
    settings = Settings(
        auth_mode="jwt", jwt_keys=str(keys / "jwks.json"), caller_key="k" * 32, data_dir=tmp_path / "data"
    )
    caller = Authentication.from_settings(settings).identify((("authorization", f"Bearer {token}"),))
    assert (caller.user_id, caller.tenant, caller.user_type) == ("mina", "bank", "seller")
    assert caller.roles == {"operator", "router"}
    assert stat.S_IMODE((keys / "private.json").stat().st_mode) == 0o600
    assert "d" not in json.loads((keys / "jwks.json").read_text())["keys"][0]


def test_a_token_is_checked(hapju: Hapju, keys: Path, tmp_path: Path) -> None:
    """What holds is told with its claims; what does not, with why."""
    token = minted(hapju, keys)
    where = ("--keys", str(keys / "jwks.json"))
    code, out, _ = hapju("token", "check", token, *where)
    assert (code, json.loads(out)["sub"]) == (0, "mina")
    code, _, err = hapju("token", "check", token, *where, "--audience", "other")
    assert (code, "udience" in err) == (1, True)
    hapju("keys", "new", "--at", str(tmp_path / "others"), "--kid", "theirs")
    code, _, err = hapju("token", "check", token, "--keys", str(tmp_path / "others" / "jwks.json"))
    assert (code, "theirs" in err) == (1, True)


def test_a_second_key_leaves_the_first_in_the_set(hapju: Hapju, keys: Path) -> None:
    """Keys are rotated without cutting off tokens of the former; an id is used once."""
    former = minted(hapju, keys)
    assert hapju("keys", "new", "--at", str(keys), "--kid", "hapju-2")[0] == 0
    for token in (former, minted(hapju, keys)):
        assert hapju("token", "check", token, "--keys", str(keys / "jwks.json"))[0] == 0
    code, _, err = hapju("keys", "new", "--at", str(keys), "--kid", "hapju-2")
    assert (code, "--kid" in err) == (2, True)


@pytest.mark.parametrize(("option", "value"), [("--key", "/nowhere.json"), ("--keys", "/nowhere.json")])
def test_what_is_no_key_is_named(hapju: Hapju, option: str, value: str) -> None:
    """A missing file is a usage error of its option."""
    command = ("token", "mint", "--user", "u") if option == "--key" else ("token", "check", "a.b.c")
    code, _, err = hapju(*command, option, value)
    assert (code, option in err) == (2, True)
