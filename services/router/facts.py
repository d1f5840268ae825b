"""What a question names: the facts that cues look at, and the entities of the route."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from services.catalog.facts import entity_facts
from services.contract.entities import Entity
from services.text.definitions import asks_definition
from services.text.entities import Period
from services.text.patterns import Pattern
from services.text.reading import TextReading

_SHORT_WORDS_MAX = 3
_THERE_IS = Pattern(r"(?:있나요|있어요|있나|있을까요|있니|있습니까)\s?[?.!]*$")
_LOOKS_BACK_DAYS_MIN = 28


@dataclass(frozen=True, slots=True)
class Understood:
    """A question that was read, with what the catalog knows in it."""

    reading: TextReading
    """The reading."""
    facts: frozenset[str]
    """The facts that cues may name."""
    entities: tuple[Entity, ...]
    """The entities, as the route carries them."""
    countries: tuple[str, ...]
    """Codes of the countries that it is about, named ones first; empty where none shows."""


def understand(reading: TextReading, *, user_type: str) -> Understood:
    """Return facts and entities of a reading."""
    entities = reading.entities
    facts = entity_facts(entities) | frozenset(_said(reading, user_type))
    return Understood(reading, facts, entities, _countries(reading))


def _said(reading: TextReading, user_type: str) -> Iterator[str]:
    """Yield the facts that the language shows, and who asks."""
    shows = {
        "short": len(reading.words) <= _SHORT_WORDS_MAX,
        "definition": asks_definition(reading),
        "there_is": bool(_THERE_IS.search(reading.text)),
        "looks_back": any(_is_span_behind(period, reading.today) for period in reading.dates),
    }
    yield from (fact for fact, holds in shows.items() if holds)
    if user_type:
        yield f"user_type={user_type}"


def _is_span_behind(period: Period, today: date) -> bool:
    """Tell whether a period is one of weeks or months that began in the past, over which a thing can have moved."""
    days_back = (today - period.start).days
    return days_back >= _LOOKS_BACK_DAYS_MIN and (period.end - period.start).days >= _LOOKS_BACK_DAYS_MIN


def _countries(reading: TextReading) -> tuple[str, ...]:
    """Return the countries named, and those of what is named; the usual one of a thing only where there is no other."""
    found = [country.code for country in reading.countries]
    found += [one.attributes["country"] for one in reading.entities if "country" in one.attributes]
    if not found:
        usual = (one.attributes.get("usual_country") for one in reading.entities)
        found = [country for country in usual if country is not None]
    return tuple(dict.fromkeys(found))
