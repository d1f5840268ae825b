"""What bindings stand for, and how slots are read: by what the domains declare."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from types import ModuleType

import pytest

from services.catalog.loader import catalog
from services.catalog.reading import read_question
from services.contract.flow import NextAction, RouteDecision, ToolMode
from services.domains.finance.planning import Sectors, SeriesOfIntents
from services.planner.functions import planning_functions
from services.planner.planning import suggested_calls
from services.planner.reading import SlotReader
from services.planner.rules import FIRST, checked, planning_rules
from services.planner.slots import slot_value
from services.planner.values import Bindings, PlanValues
from services.plugin.documents import read_model
from services.plugin.installed import DomainError, InstalledDomain
from services.plugin.questions import Spoken

NOW = datetime(2026, 11, 12, 9, tzinfo=UTC)
FUNCTIONS = planning_functions(catalog().kinds)
BINDINGS = Bindings(catalog(), FUNCTIONS)
RULES = checked(planning_rules(), catalog())


def values(text: str, intent: str, **slots: object) -> PlanValues:
    """Return the values of a question that stands alone, with slots that answers have filled."""
    reading = read_question(text, now=NOW)
    route = replace(ROUTE, intent=intent, domain=catalog().domain_of(intent), entities=reading.entities)
    filled = {name: slot_value(name, value, "answer") for name, value in slots.items()}
    return BINDINGS.values(Spoken(reading, None), route, intent, filled)


ROUTE = RouteDecision(
    domain="",
    intent="",
    confidence=0.9,
    alternatives=(),
    selected_type="",
    sql_need=True,
    graph_need=False,
    tool_mode=ToolMode.SINGLE,
    target_agents=(),
    entities=(),
    country_scope=("KR",),
    next_action=NextAction.PROCEED,
    route_source="rule",
    voter_scores=(),
    message="",
    examples=(),
    reason="",
    requires_confirmation=False,
)


def test_several_places_are_called_for_apart() -> None:
    """A value that fans out gives a call for each of several things."""
    found = values("강남구와 서초구 아파트 시세", "MARKET_INQUIRY")
    calls = suggested_calls(catalog().agent("realty.search"), found, catalog())
    assert found.several["region_code"] == ("11680", "11650")
    assert [call.tool for call in calls].count("market_data") == 2


def test_an_intent_may_leave_a_value_open() -> None:
    """Of two intents the one that needs every kind of deal names none."""
    text = "강남구 아파트 전세"
    assert values(text, "MARKET_INQUIRY").single["deal_type"] == "jeonse"
    assert "deal_type" not in values(text, "RISK_ANALYSIS").single


@pytest.mark.parametrize(
    ("text", "intent", "name", "value"),
    [
        (
            "반도체 지금 들어가도 될까",
            "timing_scenario",
            "ticker",
            ("US:NVDA", "US:AMD", "US:AVGO", "KR:005930", "KR:000660"),
        ),
        ("삼성전자 언제 살까", "timing_scenario", "ticker", ("KR:005930",)),
        ("환율이 왜 올라", "fx_driver", "series_ids", ("KR_USDKRW", "FEDFUNDS", "KR_BASE_RATE")),
        ("노트북 100만원 이하로 찾아줘", "search_product", "price_max", 1_000_000),
        ("전세대출 금리 알려줘", "LOAN_CONSULT", "loan_purpose", "jeonse"),
        ("임대료를 얼마나 올릴 수 있나", "LEGAL_CONSULT", "legal_query", "임대료 증액 한도 월세 인상 초과"),
    ],
)
def test_a_domain_says_what_its_values_are(text: str, intent: str, name: str, value: object) -> None:
    """By a function, by an amount's end, by the first case that fits."""
    found = values(text, intent)
    assert {**found.single, **found.several}[name] == value


def test_what_an_answer_filled_holds_against_the_question() -> None:
    """Slots overlay what was read: a place, the goods, the days."""
    assert values("시세 알려줘", "MARKET_INQUIRY", region_code="11440").several["region_code"] == ("11440",)
    assert values("담아줘", "add_to_cart", product="키보드").single["product_query"] == "키보드"
    dated = values("매출 보여줘", "seller_analytics", period="2026-10-01/2026-10-31").single
    assert (dated["date_from"], dated["date_to"]) == ("2026-10-01", "2026-10-31")


@pytest.mark.parametrize("slot", sorted(RULES.slots))
def test_the_example_of_a_slot_fills_it(slot: str) -> None:
    """What a domain gives as an answer to its question is one: a kind of entity names it, or its reading takes it."""
    reader, answer = SlotReader(catalog(), RULES, FUNCTIONS.slots), RULES.slots[slot].example
    assert answer == FIRST or reader.takes(slot, read_question(answer, now=NOW))


def test_a_function_that_is_missing_is_named_with_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A domain without the module that it names functions of does not start."""

    def none(_domain: InstalledDomain, _name: str) -> ModuleType | None:
        return None

    monkeypatch.setattr(InstalledDomain, "module", none)
    with pytest.raises(DomainError) as refused:
        planning_functions(catalog().kinds)
    told = str(refused.value)
    assert re.search(r"finance/domain.yaml:\d+: values.ticker: planning.py has no function 'shares'", told)
    assert re.search(r"commerce/domain.yaml:\d+: slots.rating: nothing reads a slot", told)


def test_what_an_intent_reads_is_there() -> None:
    """The series and shares that finance's tables name are declared, and so are the intents that read them."""
    tables = read_model(resources.files("services.domains.finance") / "data/series_by_intent.yaml", SeriesOfIntents)
    sectors = read_model(resources.files("services.domains.finance") / "data/sectors.yaml", Sectors)
    series = {row.id for row in catalog().kinds["series"].rows}
    read = {one for table in tables.by_intent.values() for ids in table.values() for one in ids} | set(tables.homes)
    intents = {intent for table in tables.by_intent.values() for intent in table}
    intents |= tables.beside_named | tables.homes_intents | sectors.intents
    assert read <= series
    assert intents <= set(catalog().intents)
