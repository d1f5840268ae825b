"""The values of a plan: what the catalog's bindings `$ticker`, `$region_code`, ... stand for in one question."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.catalog.loader import Catalog
from services.contract.flow import Entity, RouteDecision, SlotValue
from services.planner.rules import PlanningRules
from services.planner.slots import ANSWER
from services.plugin.declarations import Intent, PlanValue
from services.plugin.entities import AMOUNT, PERIOD, days, krw_range, of_kind, values
from services.plugin.planning import ValueRule
from services.text.reading import Reading

MONTHS_OBSERVED = 14
"""How far back a series is read: a year's change needs the value of 12 months ago and a month of publication lag."""
TEXT_CHARS_MAX = 400
"""The longest text that a value is."""
QUESTION = "$question"
"""What a rule says for the question's own words."""
_NO_SLOTS = frozenset({PlanValue.LEGAL_QUERY})
"""Values that only say again what the question says."""
Value = str | int | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A question with what was said before it."""

    now: Reading
    """The question."""
    before: Reading | None
    """The user's turn before it, where the question leans on it."""

    def says(self, phrases: Sequence[str]) -> bool:
        """Tell whether the question says any of the phrases."""
        return any(self.now.says(phrase) for phrase in phrases)


@dataclass(frozen=True, slots=True)
class PlanValues:
    """What is known for the bindings; lists are fanned out, one call for each."""

    single: Mapping[PlanValue, Value]
    """Values that there is one of."""
    tickers: tuple[str, ...]
    """Security ids."""
    region_codes: tuple[str, ...]
    """Codes of districts or provinces."""

    def has(self, name: str) -> bool:
        """Tell whether a value is known."""
        several = {"ticker": self.tickers, "region_code": self.region_codes}
        return bool(several[name]) if name in several else name in self.single

    def slots(self, entities: Sequence[Entity], question: Reading) -> tuple[SlotValue, ...]:
        """Return the values as slots, each with where it was found."""
        single = {name: value for name, value in self.single.items() if name not in _NO_SLOTS}
        found: list[tuple[str, object]] = [(name.value, value) for name, value in single.items()]
        found += [("ticker", ticker) for ticker in self.tickers] if len(self.tickers) == 1 else []
        found += [("tickers", list(self.tickers))] if len(self.tickers) > 1 else []
        if self.region_codes:
            names = [one.label for one in of_kind(entities, "region") if one.value]
            found += [("region", names[0] if len(names) == 1 else names)]
            one = len(self.region_codes) == 1
            found += [("region_code", self.region_codes[0])] if one else [("region_codes", list(self.region_codes))]
        named = (*of_kind(entities, "region"), *of_kind(entities, "security"))
        source = "question" if all(one.words in question.text for one in named) else "history"
        return tuple(SlotValue(name, _json(value), source) for name, value in found)

    def overlaid(self, slots: Mapping[str, SlotValue], categories: Collection[str]) -> "PlanValues":
        """Return the values with those that a conversation has filled since (`categories`: those of the data)."""
        said = {name: json.loads(slot.value_json) for name, slot in slots.items()}
        single = dict(self.single)
        goods = [said[name] for name in ("product", "items", "products", "name") if said.get(name)]
        if goods and PlanValue.PRODUCT_QUERY not in single and goods[0] != ["cart"]:
            single[PlanValue.PRODUCT_QUERY] = goods[0] if isinstance(goods[0], str) else " ".join(goods[0])
        if said.get("category") in categories:
            single[PlanValue.CATEGORY] = said["category"]
        if "period" in said and slots["period"].source == ANSWER:
            start, _, end = str(said["period"]).partition("/")
            single |= {PlanValue.DATE_FROM: start, PlanValue.DATE_TO: end}
        codes = said.get("region_codes") or ([said["region_code"]] if "region_code" in said else [])
        return PlanValues(single, self.tickers, tuple(codes) or self.region_codes)


def plan_values(
    spoken: Spoken, route: RouteDecision, intent: str, catalog: Catalog, rules: PlanningRules
) -> PlanValues:
    """Return the values that a routed question holds for one of its intents."""
    wanted = catalog.intent(intent)
    single: dict[PlanValue, Value | None] = {
        PlanValue.SERIES_IDS: _series(spoken, route, intent, rules) or None,
        PlanValue.COUNTRY: route.country_scope[0] if len(route.country_scope) == 1 else None,
        PlanValue.PROPERTY_TYPE: _kind(spoken, "property_type"),
        PlanValue.DEAL_TYPE: _kind(spoken, "deal_type"),
        **_goods(spoken, route.entities),
        **_dates(route.entities, spoken.now.today),
    }
    single |= {PlanValue(name): _by_rule(rule, spoken, wanted) for name, rule in catalog.values.items()}
    return PlanValues(
        {name: value for name, value in single.items() if value is not None and name not in wanted.leaves_open},
        tickers_of(spoken, route, intent, rules),
        values(route.entities, "region"),
    )


def tickers_of(spoken: Spoken, route: RouteDecision, intent: str, rules: PlanningRules) -> tuple[str, ...]:
    """Return the shares that a question names, else those of the sector that it asks about."""
    shares = of_kind(route.entities, "security")
    named = values((one for one in shares if one.attributes["covered"] == "true"), "security")
    if named or shares or intent not in rules.sector_intents:
        return named
    return next((one.tickers for one in rules.sectors if spoken.says(one.words)), ())


def _series(spoken: Spoken, route: RouteDecision, intent: str, rules: PlanningRules) -> tuple[str, ...]:
    named = values(route.entities, "series")
    if named and intent not in rules.read_with_drivers:
        return named
    if spoken.says(rules.housing_words) and intent in {"market_summary", "timing_scenario"}:
        return rules.housing_series
    default = "KR" if spoken.now.language == "ko" else "US"
    countries = [code for code in route.country_scope if code in rules.series_of_intent] or [default]
    table = (one for code in countries for one in rules.series_of_intent[code].get(intent, ()))
    return tuple(dict.fromkeys((*named, *table)))


def _kind(spoken: Spoken, kind: str) -> str | None:
    """Return the one kind that is named; several leave it open, and none asks the turn before."""
    for reading in (spoken.now, spoken.before):
        named = values(reading.of(kind), kind) if reading is not None else ()
        if named:
            return named[0] if len(named) == 1 else None
    return None


def _goods(spoken: Spoken, entities: Sequence[Entity]) -> dict[PlanValue, Value | None]:
    category = _kind(spoken, "category")
    query = " ".join(values(entities, "product"))
    if not query and category is not None:
        readings = [one for one in (spoken.now, spoken.before) if one is not None]
        query = next(one.label for reading in readings for one in reading.of("category") if one.value == category)
    ranges = [krw_range(one) for one in of_kind(entities, AMOUNT)]
    lows = [low for low, high in ranges if low and low != high]
    # A bare sum beside goods is a budget: it bounds the price from above.
    highs = [high for _, high in ranges if high is not None]
    return {
        PlanValue.PRODUCT_QUERY: query or None,
        PlanValue.CATEGORY: category,
        PlanValue.PRICE_MIN: min(lows, default=None),
        PlanValue.PRICE_MAX: max(highs, default=None),
    }


def _by_rule(rule: ValueRule, spoken: Spoken, intent: Intent) -> Value | None:
    """Return the first case that fits a question, for an intent that rests on the rule's data."""
    if rule.for_data and not set(rule.for_data) & set(intent.required_data):
        return None
    fits = (one.value for one in rule.cases if intent.id in one.intents or spoken.says(one.words))
    otherwise = spoken.now.text if rule.otherwise == QUESTION else rule.otherwise
    value = next(fits, otherwise or None)
    return value[:TEXT_CHARS_MAX] if isinstance(value, str) else value


def _dates(entities: Sequence[Entity], today: date) -> dict[PlanValue, Value | None]:
    """Return the period to read: what is named, widened so that a value of a year before lies in it."""
    named = [days(one) for one in of_kind(entities, PERIOD)]
    starts, ends = [first for first, _ in named], [last for _, last in named]
    start = min([*starts, today])
    back = _months_before(max([*ends, start]) if ends and max(ends) < today else today, MONTHS_OBSERVED)
    first = min(start, back) if starts else back
    last = max(ends) if ends and max(ends) < today else None
    return {PlanValue.DATE_FROM: first.isoformat(), PlanValue.DATE_TO: last.isoformat() if last else None}


def _months_before(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
