"""What people say of the properties of goods, as conditions on the rows of a category; the words stand in features.yaml."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Final

from services.contract.asks import AskCondition, Said
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, decimal
from services.plugin.documents import read_yaml

ATTRIBUTE: Final = "attributes."
"""What the field of a condition on an attribute begins with."""


LINE: Final = f"{ATTRIBUTE}line"
"""The model line, which stands in the name alone."""


_NOT_BEHIND: Final = (
    r"(?:색|색상|형|으로|거|것|\s)*(?:은|는|이|가|을|를)?\s?(?:말고|빼고|제외|아닌|없는|없이|안\s?되는|아니고)"
)


_NOT_BEFORE: Final = r"(?:\bnot|\bno|\bwithout(?: an?)?|\bnon|\bother than|\bexcept|\banything but)[\s-]*(?:in\s)?$"


_TESTS: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    "lt": lambda one, value: one < value,
    "le": lambda one, value: one <= value,
    "gt": lambda one, value: one > value,
    "ge": lambda one, value: one >= value,
    "eq": lambda one, value: one == value,
    "ne": lambda one, value: one != value,
}


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


@cache
def _document() -> Mapping[str, Any]:
    document = read_yaml(__package__ or "", "features.yaml")
    if not isinstance(document, dict):
        raise TypeError("features.yaml is a mapping")
    return document


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
        )
        for name, entry in own.items()
    )


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def conditions_in(sheet: Sheet, category: str) -> tuple[AskCondition, ...]:
    """Return the properties that a question wants of a category's goods; of two values of one the last that is not denied."""
    found: dict[str, AskCondition] = {}
    for attribute in attributes_of(category):
        said = [*_values(sheet, attribute), *_numbers(sheet, attribute)]
        wanted = [one for one in said if one.operator != "ne"] or said
        if wanted:
            several = list(dict.fromkeys(one.value for one in wanted))
            first = wanted[0]
            is_choice = len(several) > 1 and first.operator == "eq"
            field = f"{ATTRIBUTE}{attribute.name}"
            found[field] = AskCondition(
                field,
                "in" if is_choice else first.operator,
                "|".join(several) if is_choice else first.value,
                first.unit,
                first.words,
            )
    return tuple(found.values())


def _values(sheet: Sheet, attribute: Attribute) -> Iterator[AskCondition]:
    field = f"{ATTRIBUTE}{attribute.name}"
    for one in attribute.values:
        for match in re.finditer(one.words, sheet.text, re.IGNORECASE):
            denied = re.match(_NOT_BEHIND, sheet.text[match.end() :]) or re.search(
                _NOT_BEFORE, sheet.text[: match.start()], re.IGNORECASE
            )
            yield AskCondition(field, "ne" if denied else "eq", one.value, "", match.group())
            break


def _numbers(sheet: Sheet, attribute: Attribute) -> Iterator[AskCondition]:
    field = f"{ATTRIBUTE}{attribute.name}"
    if attribute.unit == "cm":
        if match := sheet.find(
            r"(?<![\d,.])(\d{3,4})\s?(cm|센티|mm|폭|짜리|사이즈|\s?책상|(?=\s))(?!\s?(?:원|만|천|won))"
        ):
            wide = int(match[1])
            yield AskCondition(field, "eq", str(wide // 10 if wide >= 600 else wide), "cm", match.group().strip())
        return
    if attribute.unit == "servings":
        pattern = r"(\d{1,2})\s?(?:인용|인분|명|[- ]?serving|[- ]?person|people|cups?)"
        if match := sheet.find(pattern):
            yield AskCondition(field, "eq", match[1], "servings", match.group())
        return
    for number in sheet.numbers:
        if (value := _in_unit(number, attribute.unit)) is not None:
            at_least = attribute.unit == "m2"
            operator: str = "ge" if at_least and not number.bound else number.bound
            operator = operator if operator in _TESTS else "eq"
            yield AskCondition(field, operator, f"{value.normalize():f}", attribute.unit, number.words)


def _in_unit(number: Number, unit: str) -> Decimal | None:
    if not unit:
        return None
    if unit == "m2" and number.unit in {"pyeong", "m2"}:
        return number.as_m2.quantize(Decimal(1))
    return number.value if number.unit == unit else None


def label_of(condition: AskCondition, category: str) -> Said:
    """Return what a condition on an attribute says, as a reader is told."""
    name = condition.field.removeprefix(ATTRIBUTE)
    attribute = next((one for one in attributes_of(category) if one.name == name), None)
    if attribute is None:
        return Said(condition.words, condition.words)
    parts = [_value_label(attribute, value) for value in condition.value.split("|")]
    ko, en = "·".join(one.ko for one in parts), " or ".join(one.en for one in parts)
    if condition.operator == "ne":
        return Said(f"{ko} 아닌 것", f"not {en}")
    tail = {
        "ge": (" 이상", " or more"),
        "le": (" 이하", " or less"),
        "lt": (" 미만", " or less"),
        "gt": (" 초과", " or more"),
    }
    more = tail.get(condition.operator, ("", ""))
    return Said(ko + more[0], en + more[1])


def _value_label(attribute: Attribute, value: str) -> Said:
    known = next((one.label for one in attribute.values if one.value == value), None)
    if known is not None:
        return known
    if attribute.number.ko:
        return Said(attribute.number.ko.format(n=value), attribute.number.en.format(n=value))
    return Said(value, value)


def attribute_values(row: QueryRow) -> Mapping[str, str]:
    """Return the properties of a product, each as JSON writes its value."""
    try:
        found = json.loads(row.text("attributes") or "{}")
    except ValueError:
        return {}
    return {name: _plain(value) for name, value in found.items()}


def meets(row: QueryRow, condition: AskCondition) -> bool | None:
    """Tell whether a product meets a condition; None where its rows do not say."""
    if condition.field == LINE:
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
