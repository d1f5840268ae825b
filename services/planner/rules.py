"""The planner's data, typed and read once from planning.yaml."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from services.catalog.loader import Catalog
from services.plugin.documents import read_yaml

Want = Literal["judgement", "advice", "computed", "report", "housing"]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Text(_Entry):
    """A text in both languages."""

    ko: str
    """In Korean."""
    en: str
    """In English."""

    def of(self, locale: str) -> str:
        """Return the text for a locale such as "ko" or "en-US"."""
        return self.en if locale.lower().startswith("en") else self.ko


SlotKind = Literal[
    "region",
    "products",
    "product",
    "items",
    "name",
    "quantity",
    "order_id",
    "period",
    "amount",
    "new_price",
    "rating",
    "address",
    "choice",
    "category",
]


class Choice(Text):
    """A value that is offered for a slot."""

    id: str
    """The value."""
    words: tuple[str, ...]
    """Words that mean it."""


class SlotRule(Text):
    """A slot: the question that asks for it, and how its value is read."""

    kind: SlotKind
    """How a value is read."""
    free: bool = False
    """Whether an answer in other words than the choices' will do."""
    choices: tuple[Choice, ...] = ()
    """Values that are offered with the question."""


class LawTopic(_Entry):
    """What law is searched by where the question's own words would find too little."""

    query: str
    """The words to search by."""
    intents: tuple[str, ...] = ()
    """Intents that it fits, whatever the question says."""
    words: tuple[str, ...] = ()
    """Words of a question that it fits, whatever the intent."""


class Sector(_Entry):
    """A sector with its covered shares."""

    words: tuple[str, ...]
    """Words that name it."""
    tickers: tuple[str, ...]
    """Ids of its shares."""


class PlanningRules(_Entry):
    """What the planner goes by (spec 2.1.4)."""

    wants: Mapping[Want, tuple[str, ...]]
    """Words that say what is wanted beyond a fact."""
    adds: Mapping[str, Mapping[Want, tuple[str, ...]]]
    """Agents that a want adds, by domain."""
    facts: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Words of a condition by the agent who knows whether it holds, by domain."""
    always: Mapping[str, tuple[str, ...]]
    """Agents of an intent that no wording leaves out."""
    housing_agents: tuple[str, ...]
    """Agents that answer only where homes are spoken of."""
    housing_market_agents: tuple[str, ...]
    """Agents that answer for homes where none of the former is an owner."""
    series_of_intent: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Series that an intent reads where none is named, by country."""
    sectors: tuple[Sector, ...]
    """The shares of sectors, the first that fits."""
    sector_intents: frozenset[str]
    """Intents that read a sector's shares where no share is named."""
    read_with_drivers: frozenset[str]
    """Intents that read the series of the table beside those that are named: what moves a series is asked for."""
    housing_series: tuple[str, ...]
    """Series that are read instead where homes are spoken of."""
    slots: Mapping[str, SlotRule]
    """The slots by name."""
    no_answer: tuple[str, ...]
    """Words of an answer that says nothing."""
    pointing_back: tuple[str, ...]
    """Words of a question that means what was found before."""
    asking_anew: tuple[str, ...]
    """Words of a question that wants its data looked up anew."""
    found_nothing: tuple[str, ...]
    """Words of an answer that had no data."""
    quoted_chars_min: int
    """From which length on a question may hold the text of a contract."""
    legal_topics: Mapping[str, tuple[str, ...]]
    """Words for each topic of the law of leases."""
    loan_products: Mapping[str, tuple[str, ...]]
    """Words for each kind of loan."""
    law_topics: tuple[LawTopic, ...]
    """What law is searched by, the first that fits; where none does it is the question."""
    every_deal: tuple[str, ...]
    """Intents that need the prices of every kind of deal, whichever is named: a jeonse is judged by the sale level."""
    loan_purposes: Mapping[Literal["mortgage", "jeonse", "credit"], tuple[str, ...]]
    """Words that tell the purpose of a loan, in the order of trying; the last is taken where none is said."""
    function_words: frozenset[str]
    """Words that carry no content to search by."""
    task: Text
    """How a step's task is worded."""

    @model_validator(mode="after")
    def _complete(self) -> "PlanningRules":
        if "region_choice" not in self.slots:
            raise ValueError("slots: region_choice is missing")
        return self


@cache
def planning_rules() -> PlanningRules:
    """Return the rules of the installed planner.

    Raises:
        pydantic.ValidationError: The data is malformed; the text names the entry.
    """
    return PlanningRules.model_validate(read_yaml("services.planner", "planning.yaml"))


def checked(rules: PlanningRules, catalog: Catalog) -> PlanningRules:
    """Return the rules when every agent, intent, series and slot that they or the catalog name is known to both.

    Raises:
        ValueError: Some are not; every one is listed.
    """
    agents = {name for by_want in rules.adds.values() for names in by_want.values() for name in names}
    agents |= {name for names in rules.always.values() for name in names}
    agents |= {name for by_agent in rules.facts.values() for name in by_agent}
    agents |= {*rules.housing_agents, *rules.housing_market_agents}
    intents = {*rules.always, *rules.every_deal, *(intent for topic in rules.law_topics for intent in topic.intents)}
    intents |= {intent for table in rules.series_of_intent.values() for intent in table}
    series = {one for table in rules.series_of_intent.values() for ids in table.values() for one in ids}
    series |= set(rules.housing_series)
    slots = {slot for intent in catalog.intents.values() for slot in intent.required_slots}
    unknown = {
        "agents": agents - set(catalog.agents),
        "intents": intents - set(catalog.intents),
        "series": series - {one.id for one in catalog.routing.series},
        "slots without a question": slots - set(rules.slots),
    }
    faults = [f"{kind}: {sorted(names)}" for kind, names in unknown.items() if names]
    if faults:
        raise ValueError("planning.yaml: " + "; ".join(faults))
    return rules
