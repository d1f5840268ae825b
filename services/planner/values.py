"""The values of a plan: what the bindings `$name` of agents' tools stand for in one question.

    $date_from, $date_to, $country    the core's own
    $name of a domain's `values:`     the value of a kind, a case that fits, or what a function of the domain says
    $name of a kind of entity         the one thing of the kind that is named; several leave it open

A value that fans out is called for once for each of several.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.catalog.bindings import CORE_VALUES, COUNTRY, DATE_FROM, DATE_TO
from services.catalog.loader import Catalog
from services.contract.entities import Entity
from services.contract.flow import RouteDecision, SlotValue
from services.planner.functions import PlanningFunctions
from services.planner.slots import ANSWER
from services.plugin.entities import AMOUNT, PERIOD, days, krw_range, of_kind, values
from services.plugin.planning import ValueRule
from services.plugin.questions import PlannedQuestion, Spoken, Value

MONTHS_OBSERVED = 14
"""How far back a series is read: a year's change needs the value of 12 months ago and a month of publication lag."""
TEXT_CHARS_MAX = 400
"""The longest text that a value is."""
QUESTION = "$question"
"""What a rule says for the question's own words."""


@dataclass(frozen=True, slots=True)
class PlanValues:
    """What is known for the bindings."""

    single: Mapping[str, Value]
    """Values that there is one of."""
    several: Mapping[str, tuple[str, ...]]
    """Values of which each is called for apart."""

    def has(self, name: str) -> bool:
        """Tell whether a value is known."""
        return name in self.single or bool(self.several.get(name))


class Bindings:
    """Resolves what bindings stand for; made once."""

    def __init__(self, catalog: Catalog, functions: PlanningFunctions) -> None:
        self._catalog = catalog
        self.functions = functions
        """What the domains say by functions."""
        self._rules = {name: _rules_of(catalog, name) for name in catalog.domains}
        self._names = frozenset(kind.id for kind in catalog.kinds.values() if kind.is_name)

    def values(
        self, spoken: Spoken, route: RouteDecision, intent: str, slots: Mapping[str, SlotValue] | None = None
    ) -> PlanValues:
        """Return the values that a routed question holds for one of its intents.

        Args:
            spoken: The question and what was said before it.
            route: Its route.
            intent: The intent.
            slots: What the conversation has filled, which holds against what the question names.
        """
        said = {name: json.loads(slot.value_json) for name, slot in (slots or {}).items()}
        asked = self._asked(spoken, route, intent, said)
        known: dict[str, Value | None] = {COUNTRY: asked.countries[0] if len(asked.countries) == 1 else None}
        known |= _dates(route.entities, spoken.now.today)
        if slots and "period" in slots and slots["period"].source == ANSWER:
            known[DATE_FROM], _, known[DATE_TO] = str(said["period"]).partition("/")
        rules = self._rules[self._catalog.domain_of(intent)]
        known |= {name: self._value(name, rule, asked) for name, rule in rules.items() if not rule.fans_out}
        left_open = self._catalog.intent(intent).leaves_open
        single = {name: value for name, value in known.items() if value is not None and name not in left_open}
        several = {name: self._several(name, rule, asked) for name, rule in rules.items() if rule.fans_out}
        return PlanValues(single, {name: items for name, items in several.items() if items})

    def slots(self, known: PlanValues, spoken: Spoken, entities: Sequence[Entity]) -> tuple[SlotValue, ...]:
        """Return the values as slots, each with where it was found."""
        rules = self._catalog.values
        found: list[tuple[str, object]] = [
            (name, value) for name, value in known.single.items() if name not in rules or rules[name].told
        ]
        for name, items in known.several.items():
            found += self._labels(rules[name].kind, entities)
            found.append((name, items[0]) if len(items) == 1 else (f"{name}s", list(items)))
        names = (one for one in entities if one.kind in self._names)
        source = "question" if all(one.words in spoken.now.text for one in names) else "history"
        return tuple(SlotValue(name, _json(value), source) for name, value in found)

    def value_of_kind(self, kind: str) -> str:
        """Return the name of the value that things of a kind fill."""
        return next((name for name, rule in self._catalog.values.items() if rule.kind == kind), kind)

    def _labels(self, kind: str | None, entities: Sequence[Entity]) -> list[tuple[str, object]]:
        slots = [name for name, rule in self._catalog.slots.items() if rule.kind == kind]
        labels = [one.label for one in of_kind(entities, kind or "") if one.value]
        return [(name, labels[0] if len(labels) == 1 else labels) for name in slots if labels]

    def _asked(self, spoken: Spoken, route: RouteDecision, intent: str, said: Mapping[str, object]) -> PlannedQuestion:
        subjects = self._catalog.planning_of(intent).subjects
        spoken_of = frozenset(name for name, one in subjects.items() if spoken.says(one.words))
        return PlannedQuestion(spoken, intent, route.entities, route.country_scope, spoken_of, said)

    def _several(self, name: str, rule: ValueRule, asked: PlannedQuestion) -> tuple[str, ...]:
        said = asked.slots.get(f"{name}s") or ([asked.slots[name]] if name in asked.slots else [])
        if isinstance(said, list) and said:
            return tuple(map(str, said))
        found = self._value(name, rule, asked)
        return found if isinstance(found, tuple) else () if found is None else (str(found),)

    def _value(self, name: str, rule: ValueRule, asked: PlannedQuestion) -> Value | None:
        if rule.for_data and not set(rule.for_data) & set(self._catalog.intent(asked.intent).required_data):
            return None
        if name in self.functions.values:
            return self.functions.values[name](asked)
        if rule.kind is not None:
            return _of_kind(rule, rule.kind, asked)
        return _case(rule, asked)


def _rules_of(catalog: Catalog, domain: str) -> dict[str, ValueRule]:
    """Return the values of a domain's intents: its own, those of its ground, and the kinds that its agents bind."""
    rules = {name: rule for one in catalog.with_grounds(domain) for name, rule in one.values.items()}
    bound = {name for agent in catalog.domains[domain].agents for binding in agent.tools for name in binding.values()}
    kinds = {name: ValueRule(kind=name) for name in sorted(bound - set(rules) - CORE_VALUES)}
    return {**rules, **kinds}


def _of_kind(rule: ValueRule, kind: str, asked: PlannedQuestion) -> Value | None:
    if kind == AMOUNT:
        return _end(rule, asked.entities)
    if rule.fans_out:
        return values(asked.entities, kind) or None
    named = {one.value for one in asked.spoken.named(kind)}
    return named.pop() if len(named) == 1 else None


def _end(rule: ValueRule, entities: Sequence[Entity]) -> Value | None:
    """Return an end of what amounts bound together; a bare sum bounds from above."""
    ranges = [krw_range(one) for one in of_kind(entities, AMOUNT)]
    if rule.part == "low":
        return min((low for low, high in ranges if low and low != high), default=None)
    return max((high for _, high in ranges if high is not None), default=None)


def _case(rule: ValueRule, asked: PlannedQuestion) -> Value | None:
    """Return the first case that fits a question, else what the rule says otherwise."""
    fits = (one.value for one in rule.cases if asked.intent in one.intents or asked.spoken.says(one.words))
    otherwise = asked.spoken.now.text if rule.otherwise == QUESTION else rule.otherwise
    value = next(fits, otherwise or None)
    return value[:TEXT_CHARS_MAX] if isinstance(value, str) else value


def _dates(entities: Sequence[Entity], today: date) -> dict[str, Value | None]:
    """Return the period to read: what is named, widened so that a value of a year before lies in it."""
    named = [days(one) for one in of_kind(entities, PERIOD)]
    starts, ends = [first for first, _ in named], [last for _, last in named]
    start = min([*starts, today])
    back = _months_before(max([*ends, start]) if ends and max(ends) < today else today, MONTHS_OBSERVED)
    first = min(start, back) if starts else back
    last = max(ends) if ends and max(ends) < today else None
    return {DATE_FROM: first.isoformat(), DATE_TO: last.isoformat() if last else None}


def _months_before(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
