"""The registry: typed definitions, refused where they are unsound."""

import json
from dataclasses import replace

import pytest

from services.contract.tool import SideEffect
from services.tool_gateway.registry import RegistrationError, Registry, load_registry


def test_every_packaged_tool_is_registered_with_its_schemas() -> None:
    """The tools of the folder are there with descriptions in both languages and schemas that name every field."""
    registry = load_registry()
    assert registry.names == ("equity_prices", "macro_series", "market_data", "product_search")
    for tool in registry:
        assert tool.description("ko") != tool.description("en")
        assert len(tool.description_ko) <= 500 >= len(tool.description_en)
        arguments = json.loads(tool.arguments_schema_json)
        assert set(arguments["properties"]) == set(tool.arguments.model_fields)
        assert arguments["additionalProperties"] is False
        assert all("description" in field for field in arguments["properties"].values())
        assert set(json.loads(tool.rows_schema_json)["properties"]) == set(tool.row.model_fields)


def test_the_digest_follows_the_definition() -> None:
    """Equal definitions have equal digests of 12 hexadecimal digits; any change gives another."""
    tool = load_registry().get("market_data")
    assert tool is not None
    assert replace(tool).digest == tool.digest
    assert len(bytes.fromhex(tool.digest)) == 6
    assert replace(tool, timeout_seconds=6).digest != tool.digest
    assert replace(tool, version=2).digest != tool.digest


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"side_effect": SideEffect.REVERSIBLE}, "idempotency key"),
        ({"depends_on": ("no_such_tool",)}, "no_such_tool"),
        ({"alternatives": ("no_such_tool",)}, "no_such_tool"),
        ({"quality_prior": 1.5}, "0..1"),
        ({"timeout_seconds": 0}, "positive"),
        ({"concurrency_max": 0}, "at least one"),
    ],
)
def test_an_unsound_definition_is_refused(change, problem) -> None:
    """A tool that could not be called as it says fails registration by its name."""
    tool = load_registry().get("market_data")
    assert tool is not None
    with pytest.raises(RegistrationError, match=f"market_data.*{problem}"):
        Registry([replace(tool, **change)])


def test_a_name_is_taken_once() -> None:
    """Two tools of one name are refused."""
    tool = load_registry().get("market_data")
    assert tool is not None
    with pytest.raises(RegistrationError, match="taken"):
        Registry([tool, tool])


def test_an_effect_with_a_key_is_registered() -> None:
    """A side-effect tool that says its idempotency key is accepted."""
    tool = load_registry().get("market_data")
    assert tool is not None
    effect = replace(tool, side_effect=SideEffect.IRREVERSIBLE, idempotency_key=("flow_run_id", "step_id", "ordinal"))
    assert Registry([effect]).names == ("market_data",)
