"""What the fields of a row say: its days, its names, and its figures with their units."""

import functools
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.grounding.concepts import kind_of
from services.plugin.figures.declared import ANY_UNIT
from services.text.patterns import Pattern
from services.text.stated.figures import Known
from services.text.stated.units import FigureUnit

UNITS: Final = {unit.value: unit for unit in FigureUnit}
"""The units of figures, by their names."""
_ENDINGS: Final = (
    ("_krw", FigureUnit.KRW),
    ("_usd", FigureUnit.USD),
    ("_percent", FigureUnit.PERCENT),
    ("_m2", FigureUnit.M2),
    ("_count", FigureUnit.COUNT),
)
"""What the name of a row's field says of its unit."""
_UNITS_SAID: Final = {
    "%": FigureUnit.PERCENT,
    "percent": FigureUnit.PERCENT,
    "usd": FigureUnit.USD,
    "krw": FigureUnit.KRW,
}
_OWN_NAME_KEY: Final = Pattern(r"(?:.*_)?(?:name|title)(?:_(?:ko|en))?(?:_[0-9])?")
_NAME_KEY: Final = Pattern(rf"{_OWN_NAME_KEY.pattern}|.*_(?:ko|en)")
_ID_KEY: Final = Pattern(r".*_id")
_DUE_KEYS: Final = frozenset({"next_release_date", "valid_until"})
_NAME_LENGTH_MAX: Final = 80


def instant_days(value: str, zone: ZoneInfo) -> Iterator[date]:
    """Yield the day of an ISO 8601 text, as written and as the user counts it; nothing for another text."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return
    yield moment.date()
    if moment.tzinfo is not None:
        yield moment.astimezone(zone).date()


def row_days(row: Mapping[str, Any], zone: ZoneInfo) -> frozenset[date]:
    """Return the days that a row bears, without those on which something is due."""
    dated = (value for key, value in row.items() if isinstance(value, str) and key not in _DUE_KEYS)
    return frozenset(day for value in dated if value[4:5] == "-" == value[7:8] for day in instant_days(value, zone))


def row_names(row: Mapping[str, Any]) -> frozenset[str]:
    """Return what a row calls its thing: the names of a security, a series, a complex, a product."""
    return _names_under(_NAME_KEY, row)


def own_names(row: Mapping[str, Any]) -> frozenset[str]:
    """Return what tells a row from others of the same day: the name of its building, its product or its offer."""
    if row.get("date"):
        return frozenset()
    own = _names_under(_OWN_NAME_KEY, row)
    return own or (row_names(row) if _fields_under(_ID_KEY, tuple(row)) else frozenset())


def _names_under(keys: Pattern, row: Mapping[str, Any]) -> frozenset[str]:
    """Return the names under some fields of a row; a sentence is no name."""
    values = (row[key] for key in _fields_under(keys, tuple(row)))
    return frozenset(
        value
        for value in values
        if isinstance(value, str) and 1 < len(value) <= _NAME_LENGTH_MAX and not value.endswith(".")
    )


@functools.lru_cache(maxsize=1024)
def _fields_under(keys: Pattern, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return which fields of a row are named so; the rows of a data set have the same ones."""
    return tuple(field for field in fields if keys.fullmatch(field))


def row_values(row: Mapping[str, Any]) -> Iterator[tuple[str, Known]]:
    """Yield the figures of a row, each under the name of its field."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from row_values(value)
        elif isinstance(value, int | Decimal) and not isinstance(value, bool):
            yield _name_of(key, row), Known(Decimal(value), _row_unit(key, row))
            if key == "value" and "thousand" in str(row.get("unit", "")).lower():
                yield key, Known(Decimal(value) * 1000, FigureUnit.PERSONS)


def _name_of(key: str, row: Mapping[str, Any]) -> str:
    """Return what a field of a row is; the value of a row that holds one item bears the item's name."""
    return str(row.get("item") or key) if key == "value" else key


def _row_unit(key: str, row: Mapping[str, Any]) -> FigureUnit:
    if key == "value":
        return _UNITS_SAID.get(str(row.get("unit", "")).partition("/")[0].strip().lower(), FigureUnit.NONE)
    kind = kind_of(key)
    if kind is not None and kind.unit == ANY_UNIT and _unit_under(key) is FigureUnit.NONE:
        return _UNITS_SAID.get(str(row.get("currency", "")).lower(), FigureUnit.NONE)
    return _unit_under(key)


@functools.lru_cache(maxsize=4096)
def _unit_under(key: str) -> FigureUnit:
    """Return the unit that a field's name says, else that of its kind."""
    said = next((unit for ending, unit in _ENDINGS if key.endswith(ending)), None)
    kind = kind_of(key)
    return said or (FigureUnit.NONE if kind is None else UNITS.get(kind.unit, FigureUnit.NONE))
