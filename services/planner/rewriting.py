"""The normalised question: what was left out is filled in, and nothing that the user said is lost."""

from collections import Counter
from collections.abc import Sequence

from services.contract.flow import Entity
from services.plugin.entities import AMOUNT, CORE_KINDS, PERIOD, installed_kinds, of_kind
from services.text.patterns import Pattern
from services.text.reading import TextReading

_NUMBERS = Pattern(r"\d+(?:[.,]\d+)*")


def filled_in(question: TextReading, entities: Sequence[Entity]) -> str:
    """Return the question with the names that only the conversation holds, in brackets behind it."""
    left_out = [one.label for one in entities if one.kind not in CORE_KINDS and one.words not in question.text]
    return _with(question.text, left_out)


def resolved(question: str, entities: Sequence[Entity]) -> str:
    """Return the question with days, won and the codes of what it names behind it; its words stay as they are."""
    found = [f"{one.words} {one.value.replace('/', '~')}" for one in of_kind(entities, PERIOD)]
    found += [f"{one.words} {_won(one)}" for one in of_kind(entities, AMOUNT) if one.words]
    names = {kind.id for kind in installed_kinds().values() if kind.is_name}
    coded = (one for one in entities if one.kind in names and one.value not in {"", one.words, one.label})
    found += [f"{one.words} {one.value}" for one in coded]
    return _with(question, found)


def _won(amount: Entity) -> str:
    low, _, high = amount.value.partition("..")
    return f"{low}KRW" if low == high else f"{low or 0}~{high}KRW"


def _with(text: str, added: Sequence[str]) -> str:
    notes = "; ".join(dict.fromkeys(added))
    return f"{text} [{notes}]" if notes else text


def losses(question: TextReading, rewrite: TextReading) -> tuple[str, ...]:
    """Return what a rewrite lost or altered of the question's entities and numbers; empty for a faithful one."""
    before, after = _named(question), _named(rewrite)
    lost = [f"{kind} {value}" for kind, value in before if (kind, value) not in after]
    numbers = Counter(_plain(question.text)) - Counter(_plain(rewrite.text))
    in_dates = {number for period in question.dates for number in _plain(period.surface)}
    lost += [f"number {number}" for number in numbers if number not in in_dates]
    return tuple(lost)


def _named(reading: TextReading) -> list[tuple[str, str]]:
    figures = [("amount", f"{one.low}-{one.high}") for one in reading.amounts]
    figures += [("date", f"{one.start}/{one.end}") for one in reading.dates]
    figures += [("quantity", str(one.value)) for one in reading.quantities]
    names = (one for kind in reading.kinds if kind.is_name for one in reading.of(kind.id))
    return [*((one.kind, one.value or one.words) for one in names), *figures]


def _plain(text: str) -> list[str]:
    return [number.replace(",", "") for number in _NUMBERS.findall(text)]
