"""The properties of goods and their values, what they are called, and whether a product has them; the words stand in features.yaml."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Final, Literal

from services.contract.asks import AskCondition, Said
from services.plugin.asks.telling import QueryRow, decimal
from services.plugin.documents import read_yaml

ATTRIBUTE: Final = "attributes."
"""What the field of a condition on an attribute begins with."""


CODE_FIELD: Final = "code"
"""The field of a condition on a product's model code, which stands in its name alone."""
LINE: Final = f"{ATTRIBUTE}line"
"""The model line, which stands in the name alone."""

_TESTS: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    "lt": lambda one, value: one < value,
    "le": lambda one, value: one <= value,
    "gt": lambda one, value: one > value,
    "ge": lambda one, value: one >= value,
    "eq": lambda one, value: one == value,
    "ne": lambda one, value: one != value,
}
OPERATORS: Final = frozenset(_TESTS)
"""The operators of conditions on numbers."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an attribute."""

    value: str
    """As it stands in the data, as JSON writes it."""
    label: Said
    """What it is called."""
    words: str
    """A regular expression of what people say."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One property of a category's goods."""

    name: str
    """Its name in the data."""
    label: Said
    """What it is called."""
    values: tuple[Value, ...]
    """Its values that have words."""
    unit: str
    """The unit of its numbers; empty where it has none."""
    number: Said
    """How a number of it is told."""
    noun: str = ""
    """A regular expression of what it is asked for by; empty where nobody does."""
    most: str = ""
    """A regular expression of the adjectives of the greatest; empty for what has no order."""
    least: str = ""
    """The same of the smallest."""
    alone: bool = False
    """Whether an adjective means it without its noun: "the largest monitor" is of the screen."""

    @property
    def field(self) -> str:
        """The field of a condition on it."""
        return f"{ATTRIBUTE}{self.name}"

    def is_of(self, adjective: str, words: str, *, most: bool) -> bool:
        """Tell whether an adjective among words asks for its greatest, or its smallest."""
        fits = self.most if most else self.least
        if not fits or not re.search(fits, adjective, re.IGNORECASE):
            return False
        return self.alone or self.is_named(words)

    def is_named(self, words: str) -> bool:
        """Tell whether words ask for it by its noun."""
        return bool(self.noun) and re.search(self.noun, words, re.IGNORECASE) is not None


@cache
def _document() -> Mapping[str, Any]:
    document = read_yaml(__package__ or "", "features.yaml")
    if not isinstance(document, dict):
        raise TypeError("features.yaml is a mapping")
    return document


def categories() -> tuple[str, ...]:
    """Return the kinds of goods whose properties have words."""
    return tuple(_document()["categories"])


@cache
def attributes_of(category: str) -> tuple[Attribute, ...]:
    """Return the properties of a category's goods."""
    own = _document()["categories"].get(category, {})
    return tuple(
        Attribute(
            name,
            Said(entry["name"]["ko"], entry["name"]["en"]),
            tuple(
                Value(_plain(one["value"]), Said(str(one["ko"]), str(one["en"])), one["words"])
                for one in entry.get("values", ())
            ),
            entry.get("unit", ""),
            Said(entry.get("ko", ""), entry.get("en", "")),
            noun=entry.get("noun", ""),
            most=entry.get("most", ""),
            least=entry.get("least", ""),
            alone=bool(entry.get("alone")),
        )
        for name, entry in own.items()
    )


@cache
def properties() -> Mapping[str, Literal["text", "number"]]:
    """Return the properties of goods that a query can hold conditions on, and what their values are; truths are neither."""
    own = [one for kind in categories() for one in attributes_of(kind) if one.field != LINE]
    truths = {one.name for one in own if any(value.value in {"true", "false"} for value in one.values)}
    return {one.name: "number" if one.unit else "text" for one in own if one.name not in truths}


def dimension_of(name: str) -> str:
    """Return what a query calls a property of goods: data sets of others have widths and days as well."""
    return f"attribute_{name}"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def asked_attributes(words: str, category: str) -> tuple[Attribute, ...]:
    """Return the properties of a category's goods that words ask for by their nouns."""
    return tuple(one for one in attributes_of(category) if one.is_named(words))


def is_property(condition: AskCondition, category: str) -> bool:
    """Tell whether a condition is on a property that a category's goods have, with a value that they may have."""
    own = next((one for one in attributes_of(category) if one.field == condition.field), None)
    return own is not None and (bool(condition.unit) or any(one.value in condition.value for one in own.values))


def is_use(condition: AskCondition) -> bool:
    """Tell whether a condition on the line is said by what goods are for ("for the office"), and not by the line's name."""
    named = condition.words.casefold() in {condition.value.casefold(), *_names_of(condition)}
    return condition.field == LINE and condition.operator == "eq" and not named


def _names_of(condition: AskCondition) -> Iterator[str]:
    values = (
        value for kind in categories() for one in attributes_of(kind) if one.field == LINE for value in one.values
    )
    return (value.label.en.casefold() for value in values if value.value == condition.value)


def label_of(condition: AskCondition, category: str) -> Said:
    """Return what a condition on an attribute says, as a reader is told."""
    name = condition.field.removeprefix(ATTRIBUTE)
    attribute = next((one for one in attributes_of(category) if one.name == name), None)
    if attribute is None:
        return Said(condition.words, condition.words)
    if condition.operator in {"most", "least"}:
        parts = [attribute.label]
    else:
        parts = [_value_label(attribute, value) for value in condition.value.split("|")]
    ko, en = "·".join(one.ko for one in parts), " or ".join(one.en for one in parts)
    if condition.operator == "ne":
        return Said(f"{ko} 아닌 것", f"not {en}")
    ways = {
        "ge": ("{} 이상", "{} or more"),
        "le": ("{} 이하", "{} or less"),
        "lt": ("{} 미만", "under {}"),
        "gt": ("{} 초과", "over {}"),
        "most": ("가장 큰 {}", "the largest {}"),
        "least": ("가장 작은 {}", "the smallest {}"),
    }
    way = ways.get(condition.operator, ("{}", "{}"))
    return Said(way[0].format(ko), way[1].format(en))


def _value_label(attribute: Attribute, value: str) -> Said:
    known = next((one.label for one in attribute.values if one.value == value), None)
    if known is not None:
        return known
    if attribute.number.ko:
        return Said(attribute.number.ko.format(n=value), attribute.number.en.format(n=value))
    return Said(value, value)


def value_said(row: QueryRow, attribute: Attribute) -> Said:
    """Return a product's value of a property, as a reader is told of it."""
    value = attribute_values(row).get(attribute.name, "")
    known = next((one.label for one in attribute.values if one.value == value), None)
    if known is not None and not attribute.number.ko:
        return known
    if value in {"true", "false"}:
        has = value == "true"
        return Said(
            f"{attribute.label.ko} {'있음' if has else '없음'}", f"{'with' if has else 'no'} {attribute.label.en}"
        )
    return _value_label(attribute, value)


def number_of(row: QueryRow, field: str) -> Decimal | None:
    """Return a figure of a product, that of a property as well; None where its rows do not say."""
    if not field.startswith(ATTRIBUTE):
        return row.number(field)
    value = attribute_values(row).get(field.removeprefix(ATTRIBUTE), "")
    return Decimal(value) if re.fullmatch(r"\d+(?:\.\d+)?", value) else None


def attribute_values(row: QueryRow) -> Mapping[str, str]:
    """Return the properties of a product, each as JSON writes its value."""
    try:
        found = json.loads(row.text("attributes") or "{}")
    except ValueError:
        return {}
    return {name: _plain(value) for name, value in found.items()}


def meets(row: QueryRow, condition: AskCondition) -> bool | None:
    """Tell whether a product meets a condition; None where its rows do not say."""
    if condition.field in {LINE, CODE_FIELD}:
        has = f" {condition.value} " in f" {row.text('name_ko')} "
        return has is (condition.operator != "ne")
    if not condition.field.startswith(ATTRIBUTE):
        figure = row.number(condition.field)
        return None if figure is None else _TESTS[condition.operator](figure, Decimal(condition.value))
    own = attribute_values(row).get(condition.field.removeprefix(ATTRIBUTE))
    if own is None:
        return None
    if condition.operator == "in":
        return own in condition.value.split("|")
    if condition.operator in {"eq", "ne"}:
        return (own == condition.value) is (condition.operator == "eq")
    return _TESTS[condition.operator](Decimal(own), Decimal(condition.value))


def features_said(row: QueryRow, conditions: Sequence[AskCondition]) -> tuple[Said, ...]:
    """Return the properties that were asked for and that a product has, as a reader is told of them."""
    category = row.text("category")
    return tuple(label_of(one, category) for one in conditions if one.field.startswith(ATTRIBUTE) and meets(row, one))


def rating_said(row: QueryRow) -> str:
    """Return a product's rating."""
    return decimal(row.number("rating") or 0, 1)
