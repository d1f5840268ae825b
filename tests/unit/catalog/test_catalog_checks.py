"""The catalog is whole: what one part names, another declares; a fault stops the start with its name."""

import pytest
from pydantic import ValidationError

from services.catalog.loader import CatalogError, catalog, checked
from services.catalog.topology import topology
from services.plugin.declarations import Agent, Cue, Domain, Intent, ToolBinding
from services.plugin.entries import Bilingual

_SCOPE = {
    "realty": "LEGAL_CONSULT MARKET_INQUIRY LOAN_CONSULT CONTRACT_CREATION CONTRACT_REVIEW COMPREHENSIVE RISK_ANALYSIS",
    "finance": "explain_drop compare_outlook market_summary sector_recommendation fx_driver timing_scenario "
    "us_single_stock kr_single_stock real_estate_detail indicator_lookup general_macro",
    "commerce": "search_product get_recommendation compare_price add_to_cart remove_from_cart purchase track_delivery "
    "cancel_order refund_request exchange_request write_review check_rewards seller_analytics simulate_pricing "
    "analyze_efficiency create_listing",
    "general": "general_knowledge account_help greeting UNCLEAR IRRELEVANT",
}


def _domains(**changes: object) -> tuple[Domain, ...]:
    """Return the catalog's domains with the first finance agent or intent changed."""
    domains = list(catalog().domains.values())
    finance = next(place for place, domain in enumerate(domains) if domain.domain == "finance")
    domains[finance] = domains[finance].model_copy(update=changes)
    return tuple(domains)


def test_the_scope_table_is_declared() -> None:
    """Every domain holds exactly the intents of the scope table."""
    declared = {name: {intent.id for intent in domain.intents} for name, domain in catalog().domains.items()}
    assert declared == {name: set(intents.split()) for name, intents in _SCOPE.items()}


def test_what_runs_is_marked() -> None:
    """The agents that this version runs are the served ones, and the process table's."""
    assert {name for name, agent in catalog().agents.items() if agent.served} == set(topology().agents)


def test_every_intent_has_an_owner_or_is_answered_at_once() -> None:
    """Only greeting, UNCLEAR and IRRELEVANT have nobody."""
    without = {intent.id for intent in catalog().intents.values() if not catalog().owner_agents(intent.id)}
    assert without == {"greeting", "UNCLEAR", "IRRELEVANT"}


def test_every_served_agent_of_data_has_a_tool() -> None:
    """An agent that runs and is to read data names its tools; one over earlier steps none."""
    without = {"realty.analysis", "realty.document"}
    bound = {name for name in topology().agents if catalog().agent(name).tools}
    assert bound == set(topology().agents) - without


def test_priorities_follow_the_order_of_the_spec() -> None:
    """Buying comes before after-sales, that before search, information, reviews and the seller's."""
    intents = ("purchase", "cancel_order", "search_product", "check_rewards", "write_review", "create_listing")
    assert [catalog().intent(intent).priority for intent in intents] == [2, 3, 4, 5, 6, 7]


def test_an_idle_tool_stops_the_start() -> None:
    """A tool that no agent is bound to is named, and no declaration excuses it."""
    finance = catalog().domains["finance"]
    agents = tuple(
        agent.model_copy(update={"tools": tuple(one for one in agent.tools if one.name != "equity_financials")})
        for agent in finance.agents
    )
    with pytest.raises(CatalogError, match="tool equity_financials: no agent uses it"):
        checked(catalog().routing, _domains(agents=agents))
    with pytest.raises(ValidationError, match="pending"):
        Domain.model_validate({**finance.model_dump(), "pending": {"equity_financials": "later"}})


def test_an_unknown_plan_value_stops_the_start() -> None:
    """A binding to a value that no plan holds is named."""
    binding = ToolBinding(name="macro_series", arguments={"series_ids": "$colour"})
    agents = _with_tools(binding)
    with pytest.raises(CatalogError, match=r"finance\.macro: tool macro_series.*\$colour"):
        checked(catalog().routing, _domains(agents=agents))


@pytest.mark.parametrize(
    ("binding", "fault"),
    [
        (ToolBinding(name="no_such_tool", arguments={}), "no such tool"),
        (
            ToolBinding(name="macro_series", arguments={"series_ids": "$series_ids", "colour": 1}),
            "no argument 'colour'",
        ),
        (ToolBinding(name="macro_series", arguments={}), "'series_ids' is bound to nothing"),
    ],
)
def test_a_wrong_binding_stops_the_start(binding: ToolBinding, fault: str) -> None:
    """A tool or argument that does not exist, and a required argument that is missing, are named."""
    with pytest.raises(CatalogError, match=fault):
        checked(catalog().routing, _domains(agents=_with_tools(binding)))


def _with_tools(binding: ToolBinding) -> tuple[Agent, ...]:
    agents = catalog().domains["finance"].agents
    return (agents[0].model_copy(update={"tools": (binding,)}), *agents[1:])


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"owners": ("finance.nobody",)}, "owner 'finance.nobody' is not declared"),
        ({"owners": ()}, "no owner and is not answered at once"),
        ({"examples": {"ko": ("가",)}}, "no example in en"),
        ({"cues": (Cue(score=0.9, all=("@nothing",)),)}, "no group '@nothing'"),
        ({"cues": (Cue(score=0.9, all=("#nothing",)),)}, "no fact '#nothing'"),
        ({"id": "market_summary"}, "market_summary: declared more than once"),
    ],
)
def test_a_faulty_intent_stops_the_start(changes: dict[str, object], fault: str) -> None:
    """The intent and the fault are named."""
    intents = catalog().domains["finance"].intents
    with pytest.raises(CatalogError, match=fault):
        checked(catalog().routing, _domains(intents=(intents[0].model_copy(update=changes), *intents[1:])))


@pytest.mark.parametrize(
    "gates",
    [{"proceed": 0.65}, {"proceed": 0.995}, {"fast_path": 0.8}, {"hint": 1.0}, {"alternative": 0.9}],
)
def test_a_gate_out_of_reach_stops_the_start(gates: dict[str, float]) -> None:
    """Gates are in order and within what the voters can give."""
    routing = catalog().routing
    changed = routing.model_copy(update={"gates": routing.gates.model_copy(update=gates)})
    with pytest.raises(CatalogError, match="gates"):
        checked(changed, tuple(catalog().domains.values()))


def test_texts_are_picked_by_locale() -> None:
    """English locales get English, all others Korean."""
    text = Bilingual(ko="집", en="home")
    assert [text.of(locale) for locale in ("ko", "ko-KR", "en", "en-US", "")] == ["집", "집", "home", "home", "집"]


def test_an_intent_needs_every_field() -> None:
    """A misspelt field is refused, not ignored."""
    with pytest.raises(ValueError, match="ownerz"):
        Intent.model_validate({"id": "x", "description": {"ko": "가", "en": "a"}, "examples": {}, "ownerz": []})


@pytest.mark.parametrize(
    ("section", "changed", "said"),
    [
        ("planning", {"facts": {"finance.nobody": ("값",)}}, "planning.facts: agent 'finance.nobody' is not declared"),
        (
            "planning",
            {"adds": [{"wants": ["report"], "agents": ["finance.macro"], "intents": ["nothing"]}]},
            "planning.adds.0: intent 'nothing' is not declared",
        ),
        ("planning", {"subjects": {}}, "agent finance.macro: subject 'homes' is not declared"),
        ("values", {"legal_query": {"cases": []}}, "values.legal_query: declared by realty and finance"),
        ("values", {"mood": {"for_data": ["moods"]}}, "values.mood.for_data: data type 'moods' is not declared"),
        ("slots", {"mood": {"kind": "choice", "ko": "a", "en": "b", "example": "c"}}, "slots.mood: a choice without"),
        ("reuse", {"search": "finance.macro"}, "reuse: search and over stand together"),
    ],
    ids=["an agent", "an intent", "a subject", "a value twice", "a data type", "no choices", "half a rule"],
)
def test_a_mistake_in_planning_is_named_with_its_file_and_entry(
    section: str, changed: dict[str, object], said: str
) -> None:
    """What a domain declares of planning names its own agents, intents and subjects; each value has one owner."""
    finance = catalog().domains["finance"].model_dump(mode="python")
    changes = {section: Domain.model_validate({**finance, section: changed}).__getattribute__(section)}
    with pytest.raises(CatalogError) as refused:
        checked(catalog().routing, _domains(**changes))
    line = next(line for line in str(refused.value).splitlines() if said in line)
    assert "finance/domain.yaml:" in line or "declared by" in line
