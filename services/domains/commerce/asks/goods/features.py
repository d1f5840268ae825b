"""What people say of the properties of goods, as conditions on the rows of a category; the words stand in features.yaml."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, Final

from services.contract.asks import AskCondition, Said
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, decimal
from services.plugin.documents import read_yaml
from services.text.patterns import Pattern

ATTRIBUTE: Final = "attributes."
"""What the field of a condition on an attribute begins with."""


CODE_FIELD: Final = "code"
"""The field of a condition on a product's model code, which stands in its name alone."""
LINE: Final = f"{ATTRIBUTE}line"
"""The model line, which stands in the name alone."""


_NOT_BEHIND: Final = r"(?:색|색상|형|으로|거|것|\s)*(?:은|는|이|가|을|를)?\s?(?:말고|빼고|제외|아닌|없는|없이|안\s?되는|아니고|싫|질색|별로|사양|필요\s?없)"


_NOT_BEFORE: Final = r"(?:\bnot|n't|\bno|\bwithout(?: an?)?|\bnon|\bother than|\bexcept|\banything but)[\s-]*(?:in\s)?$"


_SERVINGS: Final = Pattern(
    r"\s?(?:인용|인분|인\s?가족|명|사람|식구|[- ]?servings?|[- ]?persons?|people|cups?)", re.IGNORECASE
)
_SERVED: Final = Pattern(r"\b(?:for|feeds?|serves?)\s(?:(?:about|around|up to|the)\s)*$", re.IGNORECASE)
_PEOPLE_MAX: Final = 20
_WIDTH: Final = Pattern(r"\s?(?:폭|짜리|사이즈|센티|책상|desk|wide)", re.IGNORECASE)
_WIDTH_BEFORE: Final = Pattern(r"(?:폭|너비|가로|width)(?:이|가|은)?\s?(?:of\s)?$", re.IGNORECASE)
_MILLIMETRES_FROM: Final = 600
_CENTIMETRES_FROM: Final = 60
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


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def conditions_in(sheet: Sheet, category: str) -> tuple[AskCondition, ...]:
    """Return the properties that a question wants of a category's goods; of two values of one the last that is not denied."""
    found: list[AskCondition] = []
    for attribute in attributes_of(category):
        said = [*_numbers(sheet, attribute), *_values(sheet, attribute)]
        if not said:
            continue
        wanted = [one for one in said if one.operator != "ne"] or said
        bounds = [one for one in wanted if one.operator not in {"eq", "ne"}]
        several = list(dict.fromkeys(one.value for one in wanted))
        if bounds:
            found += bounds
        elif len(several) > 1 and wanted[0].operator == "eq":
            found.append(replace(wanted[0], operator="in", value="|".join(several)))
        elif wanted[0].operator == "ne":
            found += {one.value: one for one in wanted}.values()
        else:
            found += wanted[:1]
    return tuple(found)


def own_conditions(sheet: Sheet, category: str) -> tuple[AskCondition, ...]:
    """Return the values that a question wants of a property which goods of no other kind have; a size is of any goods."""
    others = [one for kind in categories() if kind != category for one in attributes_of(kind)]
    shared = {(one.field, value.value) for one in others for value in one.values}
    own = (one for one in conditions_in(sheet, category) if (one.field, one.value) not in shared)
    return tuple(one for one in own if not one.unit and not _is_said_of_others(one, others))


def _is_said_of_others(one: AskCondition, others: Sequence[Attribute]) -> bool:
    """Tell whether the words of a property are those of one of other goods as well."""
    values = (value for attribute in others for value in attribute.values)
    return any(re.search(value.words, one.words, re.IGNORECASE) for value in values)


def _values(sheet: Sheet, attribute: Attribute) -> Iterator[AskCondition]:
    for one in attribute.values:
        for match in re.finditer(one.words, sheet.text, re.IGNORECASE):
            denied = re.match(_NOT_BEHIND, sheet.text[match.end() :]) or re.search(
                _NOT_BEFORE, sheet.text[: match.start()], re.IGNORECASE
            )
            yield AskCondition(attribute.field, "ne" if denied else "eq", one.value, "", match.group())
            break
        else:
            if any(re.search(one.words, words, re.IGNORECASE) for words in sheet.aside_words):
                yield AskCondition(attribute.field, "ne", one.value, "", one.label.ko)


def _numbers(sheet: Sheet, attribute: Attribute) -> Iterator[AskCondition]:
    for number in sheet.numbers:
        value = _in_unit(number, attribute.unit, sheet)
        if value is None and _is_beside_noun(number, attribute, sheet):
            value = number.value
        if value is not None:
            # A room may be smaller than what a purifier is made for.
            plain = "ge" if attribute.unit == "m2" else "eq"
            operator = number.bound if number.bound in _TESTS else plain
            yield AskCondition(attribute.field, operator, f"{value.normalize():f}", attribute.unit, number.words)


def _is_beside_noun(number: Number, attribute: Attribute, sheet: Sheet) -> bool:
    """Tell whether a number without a unit stands right behind the noun of a property that has one: "저장공간 256은"."""
    # 4K is what a screen shows, and no number of inches.
    if not (number.is_bare and attribute.unit and attribute.noun) or number.words[-1:] in "kK":
        return False
    before = rf"(?:{attribute.noun})(?:\s?[가-힣]{{0,3}})?\s?$"
    return re.search(before, sheet.text[: number.start], re.IGNORECASE) is not None


def _in_unit(number: Number, unit: str, sheet: Sheet) -> Decimal | None:
    """Return a number as a value of a unit; None where it is of another."""
    if not unit:
        return None
    if unit == "m2" and number.unit in {"pyeong", "m2"}:
        return number.as_m2.quantize(Decimal(1))
    if unit == "gb" and number.unit == "tb":
        return number.value * 1024
    if unit == "cm":
        return _centimetres(number, sheet)
    if unit == "servings":
        counted = _SERVINGS.match(sheet.text, _digits_end(number, sheet)) or number.words.endswith(("명", "인"))
        served = number.is_bare and number.value <= _PEOPLE_MAX and _SERVED.search(sheet.text[: number.start])
        return number.value if counted or served else None
    return number.value if number.unit == unit else None


def _digits_end(number: Number, sheet: Sheet) -> int:
    """Return where the digits of a number end: its unit may be none of the language's."""
    match = Pattern(r"\D*\d+").match(sheet.text, number.start, number.end)
    return match.end() if match else number.end


def _centimetres(number: Number, sheet: Sheet) -> Decimal | None:
    """Return a width in centimetres; shops write it in millimetres as well ("1600폭")."""
    if number.unit == "cm":
        return number.value
    if number.unit == "mm" or (number.is_bare and number.value >= _MILLIMETRES_FROM):
        named = (
            number.unit == "mm"
            or _WIDTH.match(sheet.text, number.end)
            or _WIDTH_BEFORE.search(sheet.text[: number.start])
        )
        return number.value / 10 if named else None
    wide = _WIDTH.match(sheet.text, number.end) or _WIDTH_BEFORE.search(sheet.text[: number.start])
    return number.value if number.is_bare and wide and number.value >= _CENTIMETRES_FROM else None


def asked_attributes(words: str, category: str) -> tuple[Attribute, ...]:
    """Return the properties of a category's goods that words ask for by their nouns."""
    return tuple(one for one in attributes_of(category) if one.is_named(words))


def is_property(condition: AskCondition, category: str) -> bool:
    """Tell whether a condition is on a property that a category's goods have, with a value that they may have."""
    own = next((one for one in attributes_of(category) if one.field == condition.field), None)
    return own is not None and (bool(condition.unit) or any(one.value in condition.value for one in own.values))


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
