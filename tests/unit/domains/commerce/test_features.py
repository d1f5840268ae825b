"""Every property of every kind of goods is a condition: read in both languages, denied by a no, held on the rows."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from services.catalog.reading import read_question
from services.contract.asks import Ask, AskCondition
from services.domains.commerce.asks.goods.features import (
    ATTRIBUTE,
    LINE,
    Attribute,
    Value,
    attributes_of,
    categories,
    meets,
)
from services.domains.commerce.asks.goods.rows import goods_calls
from services.domains.commerce.asks.goods.wanted import conditions_in
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow
from services.plugin.entities import Entity, name_rows

_NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
_KINDS = {row.id: row.name for row in name_rows("services.domains.commerce", "data/categories.yaml")}
_NUMBERS = {
    "gb": ("512GB {kind}", "512GB {kind}"),
    "inch": ("27인치 {kind}", "27-inch {kind}"),
    "litre": ("40리터 {kind}", "40 litre {kind}"),
    "cm": ("140cm {kind}", "140cm {kind}"),
    "m2": ("20평 {kind}", "20 pyeong {kind}"),
    "servings": ("6인용 {kind}", "6-serving {kind}"),
    "days": ("90일 {kind}", "90 days {kind}"),
    "megapixel": ("200MP {kind}", "200MP {kind}"),
}
"""How a number of each unit stands before a kind of goods."""


def _sheet(text: str) -> Sheet:
    reading = read_question(text, now=_NOW)
    return Sheet(reading.text, reading.language, reading.today, reading.entities)


def _values() -> Iterator[tuple[str, Attribute, Value]]:
    """Yield the values of each property; a line is meant by its name beside a maker or a kind, which the rows hold."""
    for kind in categories():
        for attribute in (one for one in attributes_of(kind) if one.field != LINE):
            for value in attribute.values:
                yield kind, attribute, value


_VALUES = [pytest.param(*one, id=f"{one[0]}-{one[1].name}-{one[2].value}") for one in _values()]


@pytest.mark.parametrize(("kind", "attribute", "value"), _VALUES)
def test_each_value_is_read_and_denied(kind: str, attribute: Attribute, value: Value) -> None:
    """What the shop calls a value asks for it, and beside a no for all but it."""
    name = _KINDS[kind]
    wanted = (
        _sheet(f"{value.label.ko} {name.ko} 보여줘"),
        _sheet(f"show me a {value.label.en} {name.en}"),
    )
    for sheet in wanted:
        found = {(one.field, one.operator, one.value) for one in conditions_in(sheet, kind)}
        assert (attribute.field, "eq", value.value) in found, sheet.text
    denied = {
        (one.field, one.operator, one.value) for one in conditions_in(_sheet(f"{value.label.ko} 아닌 {name.ko}"), kind)
    }
    assert (attribute.field, "ne", value.value) in denied


@pytest.mark.parametrize(("kind", "attribute", "value"), _VALUES)
def test_each_value_is_held_on_the_rows(kind: str, attribute: Attribute, value: Value) -> None:
    """A product with the value meets the condition, another does not, and of one that says nothing nobody knows."""
    (condition,) = (
        one
        for one in conditions_in(_sheet(f"{value.label.ko} {_KINDS[kind].ko} 보여줘"), kind)
        if one.field == attribute.field and one.value == value.value
    )
    own = json.loads(value.value) if value.value in {"true", "false"} or value.value.isdigit() else value.value
    assert meets(_row(kind, "가온 X10", {attribute.name: own}), condition) is True
    assert meets(_row(kind, "가온 X10", {attribute.name: "?"}), condition) is False
    assert meets(_row(kind, "가온 X10", {}), condition) is None


def _row(kind: str, name: str, attributes: dict[str, object]) -> QueryRow:
    fields = {"name_ko": name, "category": kind, "attributes": json.dumps(attributes)}
    return QueryRow(fields=fields, row_count=1, total=1, as_of=_NOW)


@pytest.mark.parametrize(
    ("kind", "attribute"),
    [
        pytest.param(kind, one, id=f"{kind}-{one.name}")
        for kind in categories()
        for one in attributes_of(kind)
        if one.unit
    ],
)
def test_each_number_is_read_with_its_bound(kind: str, attribute: Attribute) -> None:
    """A number in the unit of a property is a condition on it, and "or more" bounds it."""
    ko, en = (one.format(kind=name) for one, name in zip(_NUMBERS[attribute.unit], _both(kind), strict=True))
    for text in (ko, en):
        assert [one.operator for one in _of(text, kind, attribute)] in (["eq"], ["ge"]), text
    number, rest = ko.split(" ", maxsplit=1)
    assert [one.operator for one in _of(f"{number} 이상 {rest}", kind, attribute)] == ["ge"]


def _both(kind: str) -> tuple[str, str]:
    return _KINDS[kind].ko, _KINDS[kind].en


def _of(text: str, kind: str, attribute: Attribute) -> list[AskCondition]:
    return [one for one in conditions_in(_sheet(text), kind) if one.field == f"{ATTRIBUTE}{attribute.name}"]


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        ("tablet", "태블릿 8인치에서 11인치까지 보여줘", {("screen_inch", "ge", "8"), ("screen_inch", "le", "11")}),
        ("backpack", "a backpack of 15 to 25 litres", {("volume_l", "ge", "15"), ("volume_l", "le", "25")}),
        ("laptop", "laptops with 16~32GB memory", {("memory_gb", "ge", "16"), ("memory_gb", "le", "32")}),
        ("desk", "폭 120에서 160센티 책상", {("width_cm", "ge", "120"), ("width_cm", "le", "160")}),
        ("monitor", "24 or 27 inch monitors", {("screen_inch", "in", "24|27")}),
        ("monitor", "24인치나 27인치 모니터", {("screen_inch", "in", "24|27")}),
        ("monitor", "27인치 말고 다른 모니터", {("screen_inch", "ne", "27")}),
        ("rice_cooker", "밥솥 6인용 아닌 걸로", {("servings", "ne", "6")}),
    ],
)
def test_a_range_a_choice_and_a_denied_number_are_conditions(kind: str, text: str, wanted: set[object]) -> None:
    """Two ends bound, two values are either, and a number that is put aside is all but it."""
    found = {(one.field.removeprefix(ATTRIBUTE), one.operator, one.value) for one in conditions_in(_sheet(text), kind)}
    assert found == wanted


def test_every_condition_stands_in_the_query() -> None:
    """Of more goods than one reading holds those that meet the conditions are read first."""
    conditions = (
        AskCondition(f"{ATTRIBUTE}screen_inch", "ge", "13", "inch", ""),
        AskCondition(f"{ATTRIBUTE}memory_gb", "in", "16|32", "gb", ""),
        AskCondition(f"{ATTRIBUTE}colour", "ne", "black", "", ""),
        AskCondition(LINE, "eq", "게이밍", "", ""),
        AskCondition("price_krw", "le", "900000", "krw", ""),
    )
    ask = Ask(
        subjects=(Entity("category", "laptop", "laptop"),), conditions=conditions, order_by=f"{ATTRIBUTE}memory_gb"
    )
    first = goods_calls(ask)[0].arguments
    held = {(one["field"], one["op"]) for one in first["filters"]}
    assert held == {
        *(("category", "eq"), ("attribute_screen_inch", "ge"), ("attribute_memory_gb", "in")),
        *(("attribute_colour", "ne"), ("name_ko", "contains"), ("price_krw", "le")),
    }
    assert first["order_by"] == "attribute_memory_gb"
    truth = Ask(
        subjects=(Entity("category", "speaker", "speaker"),),
        conditions=(AskCondition(f"{ATTRIBUTE}waterproof", "ne", "true", "", ""),),
    )
    assert {"field": "attributes", "op": "contains", "value": '"waterproof": false'} in goods_calls(truth)[0].arguments[
        "filters"
    ]
