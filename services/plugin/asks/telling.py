"""How answerers say figures in both languages, and how they ask a data set and read what it returned."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, TypeVar

from services.contract.asks import Ask, Said
from services.contract.flow import Evidence
from services.plugin.agent import Source
from services.plugin.asks.answering import Call
from services.plugin.asks.forms import place_in
from services.plugin.findings import Reading, evidence
from services.plugin.tools.reads import Row, UtcTime
from services.plugin.wording import Text, rounded
from services.text.ko.written import josa, money_ko

T = TypeVar("T")
Value = str | int | float | None
_SCALES_EN: Final = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


class QueryRow(Row):
    """One group, or one row, of a data set."""

    fields: dict[str, Value]
    """Its dimensions and figures by name; a figure that no row has is None."""
    row_count: int
    """How many rows it stands for."""
    total: int
    """How many groups or rows match in all."""
    as_of: UtcTime
    """The moment up to which its figures stand."""

    def subject(self, locale: str) -> str:
        """Return what the row is about."""
        return str(self.fields.get(f"region_{locale}") or self.fields.get(f"name_{locale}") or "")

    def number(self, name: str) -> Decimal | None:
        """Return a figure; None where no row has it."""
        value = self.fields.get(name)
        return Decimal(str(value)) if isinstance(value, int | float) else None

    def text(self, name: str) -> str:
        """Return a text; empty where there is none."""
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def named(self, stem: str) -> Said:
        """Return a text that stands in both languages, `region_ko` and `region_en` for example."""
        return Said(self.text(f"{stem}_ko"), self.text(f"{stem}_en"))


QUERY: Final = Source("query_data", QueryRow, "query", Text("조회한 자료", "data"))
"""The source of an agent that answers asks from data sets."""
QUERY_OWN: Final = Source("query_own_data", QueryRow, "query", Text("내 자료", "your own data"))
"""The same for what belongs to the person who asks."""


def query(dataset: str, measures: Sequence[str], *, tool: str = "query_data", **more: Any) -> Call:
    """Return the call of a typed query; empty parts are left out.

    Args:
        dataset: The data set.
        measures: The figures, or the fields of rows.
        tool: query_data, or query_own_data for what belongs to the caller.
        more: by, filters, mode, start, end, at, newest, order_by, descending, limit, minimum.
    """
    arguments: dict[str, Any] = {"dataset": dataset, "measures": list(measures)}
    for name, value in more.items():
        if value is None or value in ((), [], ""):
            continue
        arguments[name] = (
            value.isoformat() if isinstance(value, date) else list(value) if isinstance(value, tuple) else value
        )
    return Call(tool, arguments)


def where(field: str, value: object, op: str = "eq") -> dict[str, object]:
    """Return a filter of a query."""
    return {"field": field, "op": op, "value": list(value) if isinstance(value, tuple) else value}


def placed(ask: Ask, names: Sequence[Said]) -> tuple[int, Said | None]:
    """Return the place of a rank that an ask wants, from 0, with the sentence that tells it; none for the first.

    Args:
        ask: The ask, whose words say the place.
        names: What is ranked, with its figure, in order.
    """
    place = place_in(ask.words)
    if place == 1 or not names:
        return 0, None
    if place > len(names):
        return 0, Said(
            f"{place}번째는 없습니다. 모두 {len(names)}개입니다.",
            f"There is no number {place}: there are {len(names)}.",
        )
    name = names[place - 1]
    return place - 1, filled("{n}번째는 {name}입니다.", "Number {n} is {name}.", n=str(place), name=name)


def first_at(place: int, ranked: Sequence[T]) -> tuple[T, ...]:
    """Return what is ranked with the one at a place before the others, as it is what the message speaks of."""
    return (*ranked[place : place + 1], *ranked[:place], *ranked[place + 1 :])


def rows_of(readings: Iterable[Reading], dataset: str = "") -> tuple[QueryRow, ...]:
    """Return the rows of the queries of a data set, of any where it is empty."""
    return tuple(
        row
        for reading in readings
        if not dataset or reading.arguments.get("dataset") == dataset
        for row in reading.rows
        if isinstance(row, QueryRow)
    )


def proof(reading: Reading, title: Said, locale: str, data_type: str, excerpt: str = "") -> Evidence:
    """Return the evidence of a query's rows, under a title that a person can read."""
    typed = replace(reading, data_type=data_type)
    return evidence(typed, reading.rows, title=title.of(locale), excerpt=excerpt or title.of(locale))


def won_told(value: Decimal | float) -> Decimal:
    """Return a sum of won as it is told: to the next 만원 from a million on.

    A difference that is told beside its two figures is that of the figures as they are told.
    """
    whole = int(rounded(Decimal(str(value)), 0))
    return Decimal(round(whole, -4) if abs(whole) >= 10**6 else whole)


def won(value: Decimal | float) -> Said:
    """Return a sum of won as people say it: to the next 만원 from a million on."""
    shown = int(won_told(value))
    return Said(money_ko(shown) if shown >= 0 else f"-{money_ko(-shown)}", _won_en(shown))


def exact_won(value: Decimal | float) -> Said:
    """Return a sum of won to the last won, as a computed payment is said."""
    whole = int(rounded(Decimal(str(value)), 0))
    return Said(money_ko(whole), f"KRW {whole:,}")


def _won_en(amount: int) -> str:
    for size, name in _SCALES_EN:
        if abs(amount) >= size:
            scaled = Decimal(amount) / size
            digits = f"{scaled:.2f}".rstrip("0").rstrip(".")
            return f"KRW {digits} {name}"
    return f"KRW {amount:,}"


def percent(value: Decimal | float, decimals: int = 1, *, signed: bool = False) -> Said:
    """Return a percentage in both languages."""
    text = decimal(value, decimals)
    plus = "+" if signed and Decimal(str(value)) > 0 else ""
    return Said(f"{plus}{text}%", f"{plus}{text}%")


def points(value: Decimal | float, decimals: int = 2) -> Said:
    """Return percentage points in both languages."""
    text = decimal(value, decimals)
    return Said(f"{text}%p", f"{text} percentage {'point' if text in {'1', '-1'} else 'points'}")


def decimal(value: Decimal | float, decimals: int = 2) -> str:
    """Return a number with thousands separators, without zeros at its end."""
    exact = rounded(Decimal(str(value)), decimals)
    text = f"{exact:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def day_said(value: date | str) -> Said:
    """Return a day in both languages."""
    day = value if isinstance(value, date) else date.fromisoformat(value[:10])
    return Said(f"{day.year}년 {day.month}월 {day.day}일", f"{day:%B} {day.day}, {day.year}")


def month_said(value: date | str) -> Said:
    """Return a month in both languages."""
    day = value if isinstance(value, date) else date.fromisoformat(value[:10])
    return Said(f"{day.year}년 {day.month}월", f"{day:%B} {day.year}")


def filled(ko: str, en: str, **parts: Said | str) -> Said:
    """Return a text in both languages with its parts filled in.

    A Korean particle behind a part is written "{name:은/는}" and agrees with the part's last letter. An English noun
    behind a number is written "{n:piece/pieces}" and agrees with the number.
    """
    counted = {name: _Counting(_part(value, "en")) for name, value in parts.items()}
    return Said(_Korean(ko, parts).text(), en.format(**counted))


def _part(value: Said | str, locale: str) -> str:
    return value.of(locale) if isinstance(value, Said) else value


class _Counting(str):
    __slots__ = ()

    def __format__(self, spec: str) -> str:
        one, _, many = spec.partition("/")
        return f"{self!s} {one if str(self) == '1' else many}" if spec else str(self)


class _Agreeing(str):
    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return josa(str(self), spec) if spec else str(self)


class _Korean:
    def __init__(self, text: str, parts: Mapping[str, Said | str]) -> None:
        self._text = text
        self._parts = {name: _Agreeing(_part(value, "ko")) for name, value in parts.items()}

    def text(self) -> str:
        return self._text.format(**self._parts)


def listed(parts: Sequence[Said], *, conjunction: tuple[str, str] = (", ", ", ")) -> Said:
    """Return several texts in one line."""
    return Said(conjunction[0].join(one.ko for one in parts), conjunction[1].join(one.en for one in parts))


def sentences(*parts: Said | None) -> Said:
    """Return texts one behind the other; None is left out."""
    kept = [one for one in parts if one is not None]
    return Said(" ".join(one.ko for one in kept if one.ko), " ".join(one.en for one in kept if one.en))
