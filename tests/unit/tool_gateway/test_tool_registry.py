"""The registry: typed definitions, refused where they are unsound."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from services.contract.tool import SideEffect, ToolCost
from services.plugin.installed import installed_domains, packaged_domains
from services.runtime.environment import process_environment
from services.tool_gateway.registry import RegistrationError, Registry, load_registry

_SHIPPED = frozenset(
    (
        *("legal_search", "market_data", "real_estate_search", "loan_data", "macro_series", "equity_prices"),
        *("equity_financials", "real_estate_trend", "graph_paths", "news_search", "product_search"),
        *("order_add_to_cart", "order_remove_from_cart", "order_create"),
        *("order_cancel", "order_refund", "order_apply_coupon", "review_write"),
        *("account_update_profile", "seller_create_listing", "seller_update_listing"),
        *("query_data", "query_own_data", "web_search"),
    )
)


def test_every_packaged_tool_is_registered_with_its_schemas() -> None:
    """The tools of the folder are there with descriptions in both languages and schemas that name every field."""
    registry = load_registry()
    assert set(registry.names) >= _SHIPPED
    for tool in registry:
        assert tool.description("ko") != tool.description("en")
        assert len(tool.description_ko) <= 500 >= len(tool.description_en)
        arguments = json.loads(tool.arguments_schema_json)
        assert set(arguments.get("properties", {})) == set(tool.arguments.model_fields)
        assert arguments["additionalProperties"] is False
        assert all("description" in field for field in arguments.get("properties", {}).values())
        assert set(json.loads(tool.rows_schema_json)["properties"]) == set(tool.row.model_fields)


def test_ranges_stand_in_the_schemas_in_the_words_of_json_schema() -> None:
    """A range is minimum and maximum, wherever it stands, so that models and validators see it."""
    for tool in load_registry():
        fields = json.loads(tool.arguments_schema_json).get("properties", {})
        plain = [field for whole in fields.values() for field in (whole, *whole.get("anyOf", ()))]
        assert [field for field in plain if {"ge", "gt", "le", "lt"} & set(field)] == [], tool.name
    loans = load_registry().get("loan_data")
    assert loans is not None
    limit = json.loads(loans.arguments_schema_json)["properties"]["limit"]
    assert limit["minimum"] == 1
    assert limit["maximum"] > 1


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
        ({"side_effect": SideEffect.REVERSIBLE}, "does not fit"),
        ({"depends_on": ("no_such_tool",)}, "no_such_tool"),
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
        Registry([replace(tool, **{"alternatives": (), **change})])


def test_an_alternative_that_is_not_here_is_not_named() -> None:
    """A tool may name one of another domain, which a deployment need not have; in the whole every name is a tool's."""
    whole = load_registry()
    tool = whole.get("market_data")
    assert tool is not None
    assert tool.alternatives == ("real_estate_trend",)
    alone = Registry([tool]).get(tool.name)
    assert alone is not None
    assert alone.alternatives == ()
    modules = [module for domain in installed_domains() for module in domain.modules("tools")]
    assert {name for module in modules for name in module.TOOL.alternatives} <= set(whole.names)


def test_a_name_is_taken_once() -> None:
    """Two tools of one name are refused."""
    tool = load_registry().get("market_data")
    assert tool is not None
    with pytest.raises(RegistrationError, match="taken"):
        Registry([tool, tool])


def test_figures_are_those_of_the_spec() -> None:
    """Cost, seconds and quality that a plan reckons with are as agreed."""
    table = {
        "legal_search": (ToolCost.MEDIUM, 2.5, 0.90),
        "market_data": (ToolCost.LOW, 1.5, 0.85),
        "real_estate_search": (ToolCost.MEDIUM, 3.0, 0.80),
        "loan_data": (ToolCost.LOW, 1.0, 0.75),
    }
    registry = load_registry()
    for name, figures in table.items():
        tool = registry.get(name)
        assert tool is not None
        assert (tool.cost, tool.typical_seconds, tool.quality_prior) == figures


def test_every_effect_says_its_key_and_how_it_is_undone() -> None:
    """Each tool with an effect has a key that the flow fills, none of it an argument, and a note on its undoing."""
    effects = [tool for tool in load_registry() if tool.effect is not None]
    assert {tool.effect.action_type for tool in effects if tool.effect is not None} == {
        *("ADD_TO_CART", "REMOVE_FROM_CART", "CREATE_ORDER", "CANCEL_ORDER", "REFUND_ORDER"),
        *("APPLY_COUPON", "WRITE_REVIEW", "UPDATE_PROFILE", "CREATE_LISTING", "UPDATE_LISTING"),
    }
    for tool in effects:
        assert tool.effect is not None
        assert tool.idempotency_key == ("flow_run_id", "step_id", "ordinal")
        assert not set(tool.idempotency_key) & set(tool.arguments.model_fields)
        assert tool.effect.note


def test_what_needs_the_users_word() -> None:
    """Purchases, cancellations, refunds, listings and the address on file need an approval; nothing else does."""
    effects = [tool.effect for tool in load_registry() if tool.effect is not None]
    assert {effect.action_type for effect in effects if effect.confirmation_required} == {
        *("CREATE_ORDER", "CANCEL_ORDER", "REFUND_ORDER", "CREATE_LISTING", "UPDATE_LISTING", "UPDATE_PROFILE"),
    }


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"idempotency_key": ()}, "idempotency key"),
        ({"side_effect": SideEffect.NONE}, "does not fit"),
        ({"effect": None}, "reads, reads what is the caller's own, or has an effect"),
    ],
)
def test_an_unsound_effect_is_refused(change, problem) -> None:
    """An effect without a key, or one that says it is none, fails registration."""
    tool = load_registry().get("order_refund")
    assert tool is not None
    assert Registry([tool]).names == ("order_refund",)
    with pytest.raises(RegistrationError, match=f"order_refund.*{problem}"):
        Registry([replace(tool, **change)])


def test_an_action_is_done_by_one_tool() -> None:
    """Two tools for one type of action are refused."""
    tool = load_registry().get("order_refund")
    assert tool is not None
    with pytest.raises(RegistrationError, match="REFUND_ORDER"):
        Registry([tool, replace(tool, name="order_refund_again")])


@pytest.mark.parametrize("domain", [one.name for one in packaged_domains()])
def test_each_domain_is_served_without_the_others(domain: str) -> None:
    """What one requires comes with it, and its tools rest on nothing else."""
    script = "from services.tool_gateway.registry import load_registry; print(*load_registry().names)"
    environment = process_environment(HAPJU_DOMAINS=domain)
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False, timeout=100
    )
    assert "query_data" in ended.stdout, ended.stderr


def test_tools_that_need_what_is_lacking_are_not_offered() -> None:
    """They and what depends on them are left out of the list and of alternatives, and it is told why."""
    whole = load_registry()
    needing = {tool.name for tool in whole if tool.needs == "graph"}
    without = load_registry({"graph": "no graph is set"})
    assert (
        set(without.names_off)
        == needing
        == {
            *("graph_paths", "graph_stories", "graph_correlations", "ontology_cypher"),
        }
    )
    assert set(without.names) == set(whole.names) - needing
    assert without.why_off("graph_paths") == "no graph is set"
    assert without.get("graph_paths") is None
    assert (without.why_off("market_data"), whole.why_off("graph_paths")) == ("", "")
    tool = whole.get("graph_paths")
    assert tool is not None
    behind = replace(tool, name="behind", needs="", depends_on=("graph_paths",), alternatives=())
    assert Registry([*whole, behind], {"graph": "none"}).why_off("behind") == "none"
