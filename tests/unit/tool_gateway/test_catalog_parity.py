"""What the catalog and the text layer name is what the data holds."""

from importlib import resources
from typing import get_args

import pytest

from services.catalog.loader import catalog
from services.domains.commerce.tools.product_search import Category
from services.domains.homes.kinds import DealType, PropertyType
from services.plugin.data.sample import load_yaml
from services.plugin.declarations import Agent, ToolBinding
from services.plugin.entries import Bilingual
from services.tool_gateway.grants import grants_of
from services.tool_gateway.registry import RegistrationError, load_registry

FINANCE = "services.domains.finance.data.sample"


def test_served_agents_are_granted_their_bindings() -> None:
    """Every tool that a served agent is bound to is registered and takes the bound arguments, and so is each action."""
    registry = load_registry()
    grants = grants_of(catalog(), registry)
    assert set(grants) == {agent.id for agent in catalog().agents.values() if agent.served}
    tool_of = {tool.effect.action_type: tool.name for tool in registry if tool.effect is not None}
    for name, granted in grants.items():
        agent = catalog().agents[name]
        assert granted == {*(bound.name for bound in agent.tools), *(tool_of[action] for action in agent.actions)}


@pytest.mark.parametrize(
    ("binding", "problem"),
    [
        (ToolBinding(name="no_such_tool", arguments={}), "not registered"),
        (ToolBinding(name="market_data", arguments={"region": "11"}), "does not take"),
    ],
)
def test_a_binding_that_cannot_work_stops_the_start(binding, problem) -> None:
    """A served agent that is bound to a missing tool or argument is refused by name before anything is served."""

    class OneAgent:
        text = Bilingual(ko="가", en="a")
        texts = {"title": text, "answers": text, "declines": text}  # noqa: RUF012
        agents = {"realty.x": Agent(id="realty.x", **texts, tools=(binding,), served=True)}  # noqa: RUF012

    with pytest.raises(RegistrationError, match=rf"realty\.x.*{problem}"):
        grants_of(OneAgent(), load_registry())  # type: ignore[arg-type]


def test_an_action_that_no_tool_does_stops_the_start() -> None:
    """Every action that any agent can emit, running or only declared, is one that the gateway does."""
    emitted = {action for agent in catalog().agents.values() for action in agent.actions}
    done = {tool.effect.action_type for tool in load_registry() if tool.effect is not None}
    assert emitted == done

    class OneAgent:
        text = Bilingual(ko="가", en="a")
        texts = {"title": text, "answers": text, "declines": text}  # noqa: RUF012
        agents = {"commerce.x": Agent(id="commerce.x", **texts, actions=("SHIP_ORDER",))}  # noqa: RUF012

    with pytest.raises(RegistrationError, match=r"commerce\.x.*SHIP_ORDER"):
        grants_of(OneAgent(), load_registry())  # type: ignore[arg-type]


def test_the_catalogs_tools_are_the_registrys() -> None:
    """A domain's tool that reads stands in the catalog with its arguments, kind of data and domain as registered."""
    declared = catalog().tools
    domain_of = {tool.name: name for name, domain in catalog().domains.items() for tool in domain.tools}
    for tool in load_registry():
        if tool.effect is None and tool.domain:
            fields = tool.arguments.model_fields
            entry = declared[tool.name]
            assert set(entry.parameters) == set(fields)
            assert set(entry.required) == {name for name, field in fields.items() if field.is_required()}
            assert entry.data_type == tool.data_type
            assert domain_of.get(tool.name, "general") == tool.domain


def _ids(kind: str) -> set[str]:
    return {row.id for row in catalog().kinds[kind].rows}


def test_kinds_and_categories_are_those_of_the_catalog() -> None:
    """Property types, deal types and product categories bear the catalog's names, and no others exist."""
    assert _ids("property_type") == set(get_args(PropertyType))
    assert _ids("deal_type") == set(get_args(DealType))
    products = load_yaml("services.domains.commerce.data.sample", "products.yaml")
    assert _ids("category") == set(get_args(Category)) == set(products["categories"])


def test_every_series_of_the_catalog_is_generated() -> None:
    """A series that a question may name has recent values."""
    assert _ids("series") == set(load_yaml(FINANCE, "macro.yaml"))


def test_covered_shares_have_prices() -> None:
    """Each security that the text layer calls covered is in the sample universe."""
    content = (resources.files("services.domains.finance") / "data" / "securities.tsv").read_text(encoding="utf-8")
    covered = {line.split("\t")[0] for line in content.splitlines() if line.split("\t")[3:4] == ["yes"]}
    universe = load_yaml(FINANCE, "securities.yaml")
    assert covered
    assert covered <= {f"{market}:{ticker}" for market, shares in universe.items() for ticker in shares}


def test_every_district_with_prices_is_one_that_a_question_can_name() -> None:
    """Codes and names of the covered districts are those of the text layer."""
    content = (resources.files("services.domains.homes") / "data" / "districts.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in content.splitlines() if not line.startswith("#")]
    named = {row[0]: " ".join(part for part in row[2:4] if part) for row in rows}
    for province in load_yaml("services.domains.homes.data.sample", "regions.yaml").values():
        for code, region in province["regions"].items():
            assert named[code].split()[-1] in region["ko"]
