"""`read`: everything that the text layer can say about one question, in one frozen value."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.contract.entities import Entity
from services.contract.forms import shown
from services.contract.mapping import ContractViolation
from services.text.claims import Claims
from services.text.countries import read_countries
from services.text.dates import read_dates
from services.text.entities import Amount, Area, AskReason, Country, Period, Quantity, Unclear
from services.text.kinds import AMOUNT, AREA, COUNTRY, FIGURES, PERIOD, QUANTITY, ReadableKind, ReadSoFar
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.language import Language, language_of
from services.text.negation import is_negated
from services.text.normalise import normalise
from services.text.numbers.amounts import read_amounts
from services.text.numbers.areas import read_areas
from services.text.numbers.quantities import read_quantities
from services.text.numbers.sums import SumWords
from services.text.patterns import Pattern
from services.text.speech import Speech
from services.text.words import PhraseHit, PhraseIndex, Vocabulary, Word, phrase_index, words

_Placed = TypeVar("_Placed", Amount, Area, Quantity)


@dataclass(frozen=True)
class TextReading:
    """What one question says. Lists are in the order of the text; what could not be read exactly is in `asks`."""

    text: str
    """The normalised text; every place counts its code points."""
    language: Language
    """The language of the question."""
    today: date
    """The day of the question in the user's time zone; relative dates were read against it."""
    amounts: tuple[Amount, ...]
    """Amounts of money in won."""
    dates: tuple[Period, ...]
    """Days and periods."""
    areas: tuple[Area, ...]
    """Floor areas."""
    quantities: tuple[Quantity, ...]
    """Numbers of pieces."""
    countries: tuple[Country, ...]
    """Countries named, Korea and the United States too."""
    asks: tuple[Unclear, ...]
    """What has to be asked, with the kind and the reason; an ambiguous name is among the entities too."""
    kinds: tuple[ReadableKind, ...]
    """The kinds that were read beside the core's."""
    so_far: ReadSoFar = field(compare=False, repr=False)
    """The text as it was read; terms are read from it when somebody asks for them."""

    @property
    def is_blank(self) -> bool:
        """Whether the text shows nothing at all."""
        return not self.text

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All that the text names, kind by kind."""
        return self.so_far.entities()

    def of(self, kind: str) -> tuple[Entity, ...]:
        """Return what the text names of a kind, in the order of the text; nothing for a kind that was not read."""
        return self.so_far.of(kind)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words with their stems."""
        return words(self.text)

    @cached_property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """The morphemes."""
        return morphemes(self.text)

    @cached_property
    def phrases(self) -> PhraseIndex:
        """The index that finds phrases on whole words and morphemes."""
        return phrase_index(self.text)

    def has(self, phrase: str) -> bool:
        """Tell whether `phrase` stands in the text as whole words or morphemes (see `PhraseIndex.find`)."""
        return bool(self.phrases.find(phrase))

    def says(self, phrase: str) -> bool:
        """Tell whether the text holds `phrase` somewhere without putting it aside ("교환 말고", "사지 말고")."""
        return any(not is_negated(self.text, hit.start, hit.end) for hit in self.phrases.find(phrase))

    def said(self, vocabulary: Vocabulary, idioms: Vocabulary | None = None) -> frozenset[str]:
        """Return the phrases of the vocabulary that the text `says`, leaving out those inside an idiom ("in stock")."""
        return frozenset(self.meant(vocabulary, idioms))

    def meant(self, vocabulary: Vocabulary, idioms: Vocabulary | None = None) -> dict[str, list[PhraseHit]]:
        """Return where the text says each phrase of the vocabulary; those that `said` leaves out are not there."""
        return meant(self.text, vocabulary, idioms)

    def find(self, phrase: str) -> tuple[PhraseHit, ...]:
        """Return the places of `phrase`."""
        return self.phrases.find(phrase)


def meant(text: str, vocabulary: Vocabulary, idioms: Vocabulary | None = None) -> dict[str, list[PhraseHit]]:
    """Return where a normalised text says each phrase of a vocabulary and means it.

    A phrase that is denied, or stands inside one of the idioms, is not there.
    """
    phrases = phrase_index(text)
    whole = phrases.find_all(idioms) if idioms is not None else {}
    shields = [hit for hits in whole.values() for hit in hits]

    def is_meant(hit: PhraseHit) -> bool:
        inside = any(shield.start <= hit.start and hit.end <= shield.end for shield in shields)
        return not inside and not is_negated(text, hit.start, hit.end)

    found = {
        phrase: hits if phrase in whole else [hit for hit in hits if is_meant(hit)]
        for phrase, hits in phrases.find_all(vocabulary).items()
    }
    return {phrase: hits for phrase, hits in found.items() if hits}


def read(  # noqa: PLR0913 - each says how one text is read
    text: str,
    *,
    now: datetime,
    time_zone: str = "Asia/Seoul",
    kinds: Sequence[ReadableKind] = (),
    labels: Language | None = None,
    sums: tuple[SumWords, ...] = (),
    speech: Speech | None = None,
) -> TextReading:
    """Read one question.

    Args:
        text: The question as the user wrote it.
        now: The moment of the question, time-zone aware; never the machine's own clock.
        time_zone: The user's IANA time zone; "today" and every period is taken in it.
        kinds: The kinds of entities to read beside the core's.
        labels: The language in which entities are told; by default the text's own.
        sums: What the trades that the text may be of say of sums.
        speech: What else they say that the language reads otherwise.

    Raises:
        ValueError: `now` is naive, or `time_zone` is not a known zone.
    """
    plain = normalise(text)
    today = _today(now, time_zone)
    claims, language = Claims(plain, sums, speech), language_of(plain)
    so_far = ReadSoFar(claims, language, labels or language)
    refuse_other_digits(claims)
    # The order decides who owns a figure: a code's digits are no date, a date's no money, money's no count of pieces.
    so_far.read(kind for kind in kinds if kind.precedence < FIGURES)
    keep_private_numbers(claims)
    dates = read_dates(claims, today)
    areas, amounts, quantities = read_areas(claims), read_amounts(claims), read_quantities(claims)
    reading = TextReading(
        text=plain,
        language=language,
        today=today,
        amounts=_meant(plain, amounts),
        dates=tuple(period for period in dates if not is_negated(plain, period.start_at, period.end_at)),
        areas=_meant(plain, areas),
        quantities=_meant(plain, quantities),
        countries=read_countries(claims),
        asks=(),
        kinds=tuple(kinds),
        so_far=so_far,
    )
    _add_core_kinds(reading)
    so_far.read(kind for kind in kinds if kind.precedence >= FIGURES)
    return replace(reading, asks=claims.asks)


def _meant(text: str, places: tuple[_Placed, ...]) -> tuple[_Placed, ...]:
    return tuple(place for place in places if not is_negated(text, place.start, place.end))


def _add_core_kinds(reading: TextReading) -> None:
    """Take down the core's kinds as entities, for those who tell kinds by name only."""
    so_far, entity = reading.so_far, reading.so_far.entity
    amounts, areas = reading.amounts, reading.areas
    so_far.add(AMOUNT, (entity(AMOUNT, f"{one.low}..{_end(one.high)}", "", one) for one in amounts))
    so_far.add(AREA, (entity(AREA, f"{_end(one.low_m2)}..{_end(one.high_m2)}", "", one) for one in areas))
    so_far.add(QUANTITY, (entity(QUANTITY, str(one.value), "", one) for one in reading.quantities))
    so_far.add(COUNTRY, (entity(COUNTRY, one.code, "", one) for one in reading.countries))
    so_far.add(PERIOD, (_period(one) for one in reading.dates))


def _period(one: Period) -> Entity:
    # A period's own start and end are days.
    return Entity(PERIOD, f"{one.start}/{one.end}", one.surface, one.surface, one.start_at, one.end_at)


def _end(value: Decimal | int | None) -> str:
    return "" if value is None else str(value)


def _today(now: datetime, time_zone: str) -> date:
    if now.tzinfo is None:
        raise ValueError("now: a time-zone aware datetime is needed")
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ContractViolation("time_zone", f"{shown(time_zone)} is not a known IANA time zone") from error
    return now.astimezone(zone).date()


# \d is any decimal digit of Unicode; the rest are superscripts, subscripts and fractions.
_OTHER_DIGIT = r"(?:(?![0-9])\d|[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞])"
_RUN = Pattern(
    rf"(?<![0-9.,])[0-9.,]{{0,40}}{_OTHER_DIGIT}(?:[0-9.,]|{_OTHER_DIGIT})*\s?(?P<unit>[가-힣㎡₩%]{{0,3}}|[A-Za-z]{{0,8}})"
)
_FIELDS = (
    (Pattern(r"[십백천]?[만억조]|[십백천]|원|₩|won|million|billion", re.IGNORECASE), "amounts"),
    (Pattern(r"평|㎡|제곱|sq"), "areas"),
    (Pattern(r"[년월일주달]|분기|개월"), "dates"),
    (Pattern(r"[개벌장병팩]|켤레|자루|박스|세트|units?|pieces?|pcs", re.IGNORECASE), "quantities"),
)
_PRIVATE = (
    Pattern(r"(?<![0-9])0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}(?![0-9])"),
    Pattern(r"(?<![0-9])[0-9]{6}-[0-9]{7}(?![0-9])"),
    Pattern(r"(?<![0-9])(?:[0-9]{4}-){3}[0-9]{4}(?![0-9])"),
)


def refuse_other_digits(claims: Claims) -> None:
    """Ask about numbers that are written in other digits, under the field that their unit names; money without one."""
    for match in claims.free_matches(_RUN):
        field = next((name for unit, name in _FIELDS if unit.match(match["unit"])), None)
        if field is None and match.group().strip() != claims.text:
            continue
        claims.ask(field or "amounts", AskReason.FOREIGN_DIGITS, match.start(), match.end())


def keep_private_numbers(claims: Claims) -> None:
    """Take the numbers of phones, residents and cards out of everyone's reach."""
    for pattern in _PRIVATE:
        for match in claims.free_matches(pattern):
            claims.take(*match.span())
