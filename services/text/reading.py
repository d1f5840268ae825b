"""`read`: everything that the text layer can say about one question, in one frozen value."""

from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.text.amounts import read_amounts
from services.text.areas import read_areas
from services.text.claims import Claims
from services.text.codes import read_order_ids, read_product_codes
from services.text.countries import read_countries
from services.text.dates import read_dates
from services.text.entities import Amount, Area, Ask, Code, Country, Period, Quantity, Region, Security
from services.text.language import Language, language_of
from services.text.morphemes import Morpheme, morphemes
from services.text.negation import is_negated
from services.text.normalise import normalise
from services.text.quantities import read_quantities
from services.text.regions import read_regions
from services.text.securities import read_securities
from services.text.unreadable import refuse_other_digits
from services.text.words import Hit, PhraseIndex, Vocabulary, Word, phrase_index, words

_Placed = TypeVar("_Placed", Amount, Area, Quantity)


@dataclass(frozen=True)
class Reading:
    """What one question says. Lists are in the order of the text; what could not be read exactly is in `asks`."""

    text: str
    """The normalised text; every place counts its code points."""
    language: Language
    """The language of the question."""
    today: date
    """The day of the question in the user's time zone; relative dates were read against it."""
    regions: tuple[Region, ...]
    """Places in Korea; ambiguous ones are here too, with their alternatives, and in `asks`."""
    securities: tuple[Security, ...]
    """Listed companies, each once."""
    amounts: tuple[Amount, ...]
    """Amounts of money in won."""
    dates: tuple[Period, ...]
    """Days and periods."""
    areas: tuple[Area, ...]
    """Floor areas."""
    quantities: tuple[Quantity, ...]
    """Numbers of pieces."""
    order_ids: tuple[Code, ...]
    """Order numbers."""
    product_codes: tuple[Code, ...]
    """Product codes and model numbers."""
    countries: tuple[Country, ...]
    """Countries named, Korea and the United States too."""
    asks: tuple[Ask, ...]
    """What has to be asked, with the field's name and the reason."""

    @property
    def is_blank(self) -> bool:
        """Whether the text shows nothing at all."""
        return not self.text

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

    def meant(self, vocabulary: Vocabulary, idioms: Vocabulary | None = None) -> dict[str, list[Hit]]:
        """Return where the text says each phrase of the vocabulary; those that `said` leaves out are not there."""
        found = self.phrases.find_all(vocabulary)
        whole = self.phrases.find_all(idioms) if idioms is not None else {}
        shields = [hit for hits in whole.values() for hit in hits]
        meant = {
            phrase: hits if phrase in whole else [hit for hit in hits if self._is_meant(hit, shields)]
            for phrase, hits in found.items()
        }
        return {phrase: hits for phrase, hits in meant.items() if hits}

    def _is_meant(self, hit: Hit, shields: list[Hit]) -> bool:
        inside = any(shield.start <= hit.start and hit.end <= shield.end for shield in shields)
        return not inside and not is_negated(self.text, hit.start, hit.end)

    def find(self, phrase: str) -> tuple[Hit, ...]:
        """Return the places of `phrase`."""
        return self.phrases.find(phrase)


def read(text: str, *, now: datetime, time_zone: str = "Asia/Seoul") -> Reading:
    """Read one question.

    Args:
        text: The question as the user wrote it.
        now: The moment of the question, time-zone aware; never the machine's own clock.
        time_zone: The user's IANA time zone; "today" and every period is taken in it (spec 2.1).

    Raises:
        ValueError: `now` is naive, or `time_zone` is not a known zone.
    """
    plain = normalise(text)
    today = _today(now, time_zone)
    claims = Claims(plain)
    refuse_other_digits(claims)
    # The order decides who owns a figure: a date's digits are no money, money's are no count of pieces.
    order_ids = read_order_ids(claims)
    product_codes = read_product_codes(claims)
    dates = read_dates(claims, today)
    areas = read_areas(claims)
    amounts = read_amounts(claims)
    quantities = read_quantities(claims)

    def meant(places: tuple[_Placed, ...]) -> tuple[_Placed, ...]:
        return tuple(place for place in places if not is_negated(plain, place.start, place.end))

    return Reading(
        text=plain,
        language=language_of(plain),
        today=today,
        regions=read_regions(claims),
        securities=read_securities(claims),
        amounts=meant(amounts),
        dates=tuple(period for period in dates if not is_negated(plain, period.start_at, period.end_at)),
        areas=meant(areas),
        quantities=meant(quantities),
        order_ids=order_ids,
        product_codes=product_codes,
        countries=read_countries(claims),
        asks=claims.asks,
    )


def _today(now: datetime, time_zone: str) -> date:
    if now.tzinfo is None:
        raise ValueError("now: a time-zone aware datetime is needed")
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"time_zone: {time_zone!r} is not a known IANA time zone") from error
    return now.astimezone(zone).date()
