"""A contract's text as passages: each clause or sentence with its label, and the figures and days that it names. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Final

from services.domains.realty.agreements.parties import NamedParty, by_role, named_parties
from services.plugin.asks.numbers import Number, numbers_in
from services.text.patterns import Pattern

MONTHS: Final = 12
_WORDS_MIN: Final = 6
_CHARS_MAX: Final = 1_000  # a longer run of words is no sentence, and is read piece by piece
_LABEL: Final = (
    r"제\s?[0-9]{1,2}\s?조(?:의\s?[0-9])?\s?(?:\([^)]{1,20}\)|\[[^\]]{1,20}\])?|(?:article|clause|section)\s[0-9]{1,2}\b[.:]?"
    r"|\((?:[0-9]{1,2}|[가나다라마바사아자차카타파하a-z])\)|[①-⑳]|(?<![0-9.\-])(?<![0-9]\.\s)[0-9]{1,2}[.)](?=\s?[^0-9\s])"
)
_BREAK: Final = Pattern(
    rf"\n+|(?<=\?)\s|\s/\s|;\s|(?<=다)\.\s?|(?<=[가-힣])\.(?=\s|$|['\"’”])|(?<=[A-Za-z)\"'’”0-9])(?<!\b[A-Z])(?<!\b[MDJS]r)(?<!\bM[rs]s)(?<!\bMs)\.(?=\s+[A-Z('\"“‘])|(?=(?:^|\s)(?:{_LABEL})\s?)",
    re.IGNORECASE,
)
_LABELLED: Final = Pattern(
    rf"\s*(?P<label>{_LABEL}|[0-9]{{1,2}}\s?조(?=\s)|[가나다라마바사아자차카타파하]\.(?=\s)|[A-H]\.(?=\s))",
    re.IGNORECASE,
)
_TRIMMED: Final = " \t\n-–—·,.'\"‘’“”「」『』:"
_MONTH_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY: Final = Pattern(
    r"(?P<relative>(?:같은|동|그|이듬|다음)\s?해|동년|익년)\s?(?P<month_c>[0-9]{1,2})\s?(?:월|[.])\s?(?P<day_c>[0-9]{1,2})(?:\s?일)?|"
    r"(?<![0-9])(?P<year>[12][0-9]{3})\s?(?:년|[.\-/])\s?(?P<month>[0-9]{1,2})\s?(?:월|[.\-/])\s?(?P<day>[0-9]{1,2})(?:\s?일)?(?![0-9])"
    r"|\b(?P<day_a>[0-9]{1,2})(?:st|nd|rd|th)?\s(?P<name_a>[A-Za-z]{3,9})\.?,?\s(?P<year_a>[12][0-9]{3})\b"
    r"|\b(?P<name_b>[A-Za-z]{3,9})\.?\s(?P<day_b>[0-9]{1,2})(?:st|nd|rd|th)?,?\s(?P<year_b>[12][0-9]{3})\b"
)
_MAIN: Final = Pattern(r"보증금|전세금|매매대금|매매가|deposit|purchase price|sale price|price", re.IGNORECASE)
_MAIN_CHARS: Final = 30


@dataclass(frozen=True, slots=True)
class PassageDay:
    """A day that a text names, with where its words stand."""

    value: date
    """The day."""
    start: int
    """Where its words begin."""
    end: int
    """Where they end, exclusive."""


@dataclass(frozen=True)
class Passage:
    """One clause or sentence."""

    label: str
    """Its number with its title, "제3조(수선)"; empty where it bears none."""
    text: str
    """Its words, on one line."""
    main_krw: Decimal | None = None
    """The deposit or price of the whole text; None where it names none."""
    named: tuple[NamedParty, ...] = ()
    """The persons that the whole text names for its sides."""

    @cached_property
    def parties(self) -> str:
        """Its words with the parties by one name of their roles, however they are called."""
        return by_role(self.text, self.named)

    @cached_property
    def days(self) -> tuple[PassageDay, ...]:
        """The days that it names."""
        return tuple(days_in(self.text))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers; those of days are none."""
        return numbers_in(self.text, [(one.start, one.end) for one in self.days])

    def of_unit(self, *units: str) -> tuple[Number, ...]:
        """Return its numbers of some units."""
        return tuple(one for one in self.numbers if one.unit in units)

    def quoted(self, most: int = 90) -> str:
        """Return its words as a finding quotes them."""
        return self.text if len(self.text) <= most else f"{self.text[: most - 1].rstrip()}…"


def passages_of(text: str) -> tuple[Passage, ...]:
    """Return the clauses and sentences of a text, in its order."""
    found, label, main_krw, named = [], "", _main_krw(text), named_parties(text)
    for part in _parts(text):
        match = _LABELLED.match(part)
        words = part[match.end() :] if match else part
        label = match["label"].strip() if match else label
        flat = " ".join(words.split()).strip(_TRIMMED)
        pieces = (flat[at : at + _CHARS_MAX] for at in range(0, len(flat), _CHARS_MAX))
        found += [Passage(label, piece, main_krw, named) for piece in pieces if len(piece) >= _WORDS_MIN]
    return tuple(found)


def _main_krw(text: str) -> Decimal | None:
    """Return the deposit or price that a text names: the first sum behind its word."""
    for match in _MAIN.finditer(text):
        near = text[match.end() : match.end() + _MAIN_CHARS]
        if sums := [one.value for one in numbers_in(near) if one.unit == "krw"]:
            return sums[0]
    return None


def _parts(text: str) -> Iterator[str]:
    at = 0
    for match in _BREAK.finditer(text):
        if text[at : match.start()].strip():
            yield text[at : match.start()]
        at = match.end()
    yield text[at:]


def days_in(text: str) -> Iterator[PassageDay]:
    """Yield the days of a text, however they are written; what is no day of the calendar is left out."""
    last = 0
    for match in _DAY.finditer(text):
        name = match["name_a"] or match["name_b"]
        if name and name[:3].lower() not in _MONTH_NAMES:
            continue
        month = _MONTH_NAMES.index(name[:3].lower()) + 1 if name else int(match["month"] or match["month_c"])
        year = match["year"] or match["year_a"] or match["year_b"]
        if match["relative"]:
            # "같은 해 11월 30일" is of the year of the day before it.
            year = str(last + (match["relative"][0] in "이다익")) if last else None
        day = match["day"] or match["day_a"] or match["day_b"] or match["day_c"]
        try:
            found = PassageDay(date(int(year or 0), month, int(day)), match.start(), match.end())
        except ValueError:
            continue
        last = found.value.year
        yield found


def months_between(first: date, last: date) -> Decimal:
    """Return the months of a term from its first to its last day: 1 December to 30 November is 12."""
    after = last + timedelta(days=1)
    months = (after.year - first.year) * MONTHS + after.month - first.month
    return Decimal(months) if after.day >= first.day else Decimal(months) - Decimal("0.5")


def months_after(first: date, months: int) -> date:
    """Return the same day some months on; the last of a month where it has no such day."""
    index = first.year * MONTHS + first.month - 1 + months
    year, month = index // MONTHS, index % MONTHS + 1
    last = (date(year + month // MONTHS, month % MONTHS + 1, 1) - timedelta(days=1)).day
    return date(year, month, min(first.day, last))


def last_day(first: date, months: int) -> date:
    """Return the last day of a term: two years from 15 December end on 14 December."""
    return months_after(first, months) - timedelta(days=1)
