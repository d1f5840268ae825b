"""What a question names: the facts that cues look at, and the entities of the route (spec 1.5)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from services.catalog.facts import entity_facts
from services.catalog.loader import Catalog
from services.catalog.naming import kinds_named, series_named
from services.contract.flow import Alternative, Entity
from services.text.definitions import asks_definition
from services.text.entities import Amount, Area, Code, Country, Period, Quantity, Region, Security
from services.text.goods import goods_named
from services.text.reading import Reading

COVERED_COUNTRIES = ("US", "KR")
_SHORT_WORDS_MAX = 3
_THERE_IS = re.compile(r"(?:있나요|있어요|있나|있을까요|있니|있습니까)\s?[?.!]*$")
_LOOKS_BACK_DAYS_MIN = 28


@dataclass(frozen=True, slots=True)
class Understood:
    """A question that was read, with what the catalog knows in it."""

    reading: Reading
    """The reading."""
    facts: frozenset[str]
    """The facts that cues may name."""
    entities: tuple[Entity, ...]
    """The entities, as the route carries them."""
    countries: tuple[str, ...]
    """Codes of the countries that it is about, named ones first; empty where none shows."""


def understand(reading: Reading, catalog: Catalog, *, user_type: str) -> Understood:
    """Return facts and entities of a reading."""
    series = _series(reading, catalog)
    categories = kinds_named(catalog.routing.categories, reading.phrases.find_longest)
    entities = (*_entities(reading), *_named(reading, catalog, series, categories))
    facts = entity_facts(entities) | frozenset(_said(reading, user_type))
    return Understood(reading, facts, entities, _countries(reading, catalog, series))


def _said(reading: Reading, user_type: str) -> Iterator[str]:
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


def _series(reading: Reading, catalog: Catalog) -> tuple[str, ...]:
    named = {country.code for country in reading.countries}
    default = "KR" if reading.language == "ko" else "US"
    return series_named(catalog.routing.series, reading.phrases.find_longest, named, default)


def _countries(reading: Reading, catalog: Catalog, series: tuple[str, ...]) -> tuple[str, ...]:
    found = [country.code for country in reading.countries]
    found += [security.country for security in reading.securities]
    found += ["KR"] if reading.regions else []
    if not found:
        found = [one.country for one in catalog.routing.series if one.id in series]
    return tuple(dict.fromkeys(found))


def _entities(reading: Reading) -> Iterator[Entity]:
    """Yield what stands at a place of the text."""
    english = reading.language == "en"
    for region in reading.regions:
        label = region.name_en if english else region.name
        others = tuple(Alternative(one.code, one.name_en if english else one.name) for one in region.alternatives)
        yield Entity("region", region.code or "", label, *_place(region), alternatives=others)
    for security in reading.securities:
        label = security.name_en if english else security.name_ko
        known = {"country": security.country, "covered": str(security.covered).lower()}
        yield Entity("security", security.id, label, *_place(security), attributes=known)
    for amount in reading.amounts:
        yield Entity("amount", f"{amount.low}..{_open(amount.high)}", amount.surface, *_place(amount))
    for period in reading.dates:
        words = (period.surface, period.start_at, period.end_at)
        yield Entity("period", f"{period.start}/{period.end}", period.surface, *words)
    for area in reading.areas:
        yield Entity("area", f"{_open(area.low_m2)}..{_open(area.high_m2)}", area.surface, *_place(area))
    for quantity in reading.quantities:
        yield Entity("quantity", str(quantity.value), quantity.surface, *_place(quantity))
    for country in reading.countries:
        yield Entity("country", country.code, country.surface, *_place(country))
    for order in reading.order_ids:
        yield Entity("order_id", order.value, order.value, *_place(order))
    for product in reading.product_codes:
        yield Entity("product_code", product.value, product.value, *_place(product))


def _named(reading: Reading, catalog: Catalog, series: Iterable[str], categories: Iterable[str]) -> Iterator[Entity]:
    """Yield what the catalog's own tables name."""
    for goods in goods_named(reading):
        yield Entity("product", goods, goods, goods, *_found(reading, goods))
    titles = {one.id: one.name.of(reading.language) for one in catalog.routing.series}
    yield from (Entity("series", one, titles[one]) for one in series)
    titles = {one.id: one.name.of(reading.language) for one in catalog.routing.categories}
    yield from (Entity("category", one, titles[one]) for one in categories)


def _found(reading: Reading, words: str) -> tuple[int, int]:
    start = reading.text.find(words)
    return start, start + len(words)


def _place(found: Region | Security | Amount | Area | Quantity | Country | Code) -> tuple[str, int, int]:
    return found.surface, found.start, found.end


def _open(end: object) -> str:
    return "" if end is None else str(end)
