"""What a question on markets names: shares, series, classes of shares, measures."""

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Final

from services.contract.asks import AskQuantity
from services.domains.finance.asks.absent import LISTED, NOT_HELD
from services.domains.finance.asks.vocabulary import (
    FALL,
    MEASURES,
    NEWS,
    REAL_RATE,
    RISE,
    SERIES,
    SHARE_WORDS,
    Series,
)
from services.domains.finance.planning import sector_shares
from services.domains.finance.securities import GROUP_NAMES, SECURITY, TICKERS_THAT_ARE_WORDS, WORDS_TOO, covered_names
from services.plugin.asks.edits import short
from services.plugin.asks.numbers import Number, numbers_in
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import COUNTRY, PERIOD, Entity
from services.text.negation import is_negated
from services.text.patterns import Pattern

_SPOKEN_OF: Final = r"\b(?:over|under)[- ]?(?:valued|priced)\b|\bwhat(?:'s| has| is)? (?:been )?happen\w* (?:to|with)\b|\b(?:cheaper|dearer) than\b|\b(?:do|does|did|doing|done) (?:better|worse|well|badly|best|worst)\b|\b(?:won|dollars|KRW|USD)\s(?:in|into)\s|\bsell (?:all |some of )?my\b|\bhold on\W*$|\b(?:buy|sell|hold) or (?:buy|sell|hold|wait)\b"
"""Words that are said of shares, and of goods too where no share is named."""
_MARKETS: Final = Pattern(f"{SHARE_WORDS}|{NEWS}|{RISE}|{FALL}|{_SPOKEN_OF}", re.IGNORECASE)
_KINDS_OF_SHARES: Final = r"배당주|저\s?P[EB]R\s?주|고\s?ROE\s?주|dividend payers?"
_ECONOMIES: Final = (
    ("KR", r"한은|한국은행|금통위|우리\s?(?:나라|금리|물가|기준|경제|쪽)|bank of korea|\bBOK\b"),
    ("US", r"연준|\bfed\b|federal reserve|fomc"),
)
_SUPPOSED: Final = r"면(?=[\s,?]|$)|다면|라면|\bif\b|suppose|were to|should it"
_BOTH: Final = r"한미|미한|양국|두\s?나라|both countries|the two countries"
_KOREA: Final = rf"국내|한국|우리나라|코리아|\bkorea|{_BOTH}"
_AMERICA: Final = rf"미국|미장|{_BOTH}|\bus\b|\bu\.s\.|\bamerican?\b|뉴욕"


def shares_named(sheet: Sheet, *, of_markets: bool = False) -> tuple[Entity, ...]:
    """Return the shares that are named, in the order of the text; lower-case names where it speaks of markets.

    Args:
        sheet: The question.
        of_markets: Whether the conversation is about markets, so that a ticker alone is a share: "AMD는?".
    """
    found = {one.value: one for one in sheet.of_kind(SECURITY)}
    for match in _tickers().finditer(sheet.text) if of_markets else ():
        security_id, name_ko, name_en = _by_name()[match.group()]
        label = name_ko if sheet.language == "ko" else name_en
        one = Entity(SECURITY, security_id, label, match.group(), match.start(), match.end())
        found.setdefault(security_id, one)
    for match in _groups().finditer(sheet.text) if of_markets else ():
        if any(one.start < match.end() and match.start() < one.end for one in found.values()):
            continue
        security_id, name_ko, name_en = _group_shares()[match.group().lower()]
        label = name_ko if sheet.language == "ko" else name_en
        found.setdefault(security_id, Entity(SECURITY, security_id, label, match.group(), match.start(), match.end()))
    if (of_markets and short(sheet.text, _FEW)) or measures_named(sheet) or _MARKETS.search(sheet.text):
        for match in _lower_case().finditer(sheet.text):
            if any(one.start < match.end() and match.start() < one.end for one in found.values()):
                # A part of a longer name is no name: the Samsung of Samsung SDI.
                continue
            security_id, name_ko, name_en = _covered()[match.group().lower()]
            label = name_ko if sheet.language == "ko" else name_en
            one = Entity(SECURITY, security_id, label, match.group(), match.start(), match.end())
            found.setdefault(security_id, one)
    return tuple(sorted(found.values(), key=lambda one: one.start))


_FEW: Final = 7
"""A message of so few words may be a name alone: "same for msft"."""


@functools.lru_cache(maxsize=1)
def _covered() -> dict[str, tuple[str, str, str]]:
    ascii_names = ((name.lower(), listed) for name, listed in covered_names() if name.isascii() and len(name) > 2)
    return {name: listed for name, listed in ascii_names if name not in TICKERS_THAT_ARE_WORDS}


@functools.cache
def _group_shares() -> dict[str, tuple[str, str, str]]:
    shared = GROUP_NAMES | WORDS_TOO
    return {name.lower(): listed for name, listed in covered_names() if name.lower() in shared}


@functools.cache
def _groups() -> Pattern:
    """Return names of groups, and names that are words too, which mean their share at the end of a message: "삼성은?"."""
    names = "|".join(sorted(_group_shares()))
    asked = (
        r"(?:\s?(?:은|는|이|가|도|랑|하고|와|의|요|이요|쪽))*(?:\s(?:어때|어떤|얼마|몇|알려|비교|견주)\S*)*[\s?.!~]*$"
    )
    return Pattern(rf"(?<![가-힣A-Za-z])(?:{names})(?={asked})", re.IGNORECASE)


@functools.cache
def _tickers() -> Pattern:
    names = sorted((name for name in _by_name() if re.fullmatch("[A-Z]{3,5}", name)), key=len, reverse=True)
    return Pattern(r"(?<![A-Za-z])(?:" + "|".join(names) + r")(?![A-Za-z])")


@functools.lru_cache(maxsize=1)
def _lower_case() -> Pattern:
    names = sorted((name for name in _covered() if name.replace(" ", "").isalpha()), key=len, reverse=True)
    return Pattern(r"(?<![A-Za-z])(?:" + "|".join(map(re.escape, names)) + r")(?![A-Za-z])", re.IGNORECASE)


def measures_named(sheet: Sheet) -> tuple[str, ...]:
    """Return the measures of shares that are named, in the order of the text."""
    return sheet.once(_measures)


def _measures(sheet: Sheet) -> tuple[str, ...]:
    found = [(match.start(), one.id) for one in MEASURES if (match := sheet.find(one.words))]
    return tuple(name for _, name in sorted(found))


def countries_named(sheet: Sheet) -> tuple[str, ...]:
    """Return the countries that are named, KR and US, in the order of the text."""
    found = {one.value: one.start for one in sheet.of_kind(COUNTRY) if one.value in {"KR", "US"}}
    for code, words in (("KR", _KOREA), ("US", _AMERICA), *LISTED.items()):
        if code not in found and (match := sheet.find(words)):
            found[code] = match.start()
    return tuple(sorted(found, key=lambda code: found[code]))


def series_countries(sheet: Sheet) -> tuple[str, ...]:
    """Return the countries whose economy is named, by who sets its rates too."""
    found = dict.fromkeys(countries_named(sheet))
    found |= {code: None for code, words in _ECONOMIES if sheet.says(words)}
    return tuple(found)


def series_named(sheet: Sheet, *, wide: bool = False, economy: bool = False) -> tuple[Entity, ...]:
    """Return the series that are named, in the order of the text.

    Args:
        sheet: The question.
        wide: Whether words count too that mean a series only where the question is on the economy: 달러, inflation.
        economy: Whether a bare rate, or the one who sets it, is the policy rate beside another series as well.
    """
    return sheet.once(_series, wide=wide, economy=economy or (wide and sheet.says(REAL_RATE)))


def _series(sheet: Sheet, *, wide: bool, economy: bool) -> tuple[Entity, ...]:
    found: dict[str, Entity] = {
        one.value: one for one in sheet.of_kind("series") if one.value in SERIES and not _is_of_else(sheet, one)
    }
    taken = [(one.start, one.end) for one in (*found.values(), *sheet.of_kind(SECURITY))]
    countries = sheet.once(series_countries) or (("KR",) if sheet.language == "ko" else ("US",))
    for one, match in sheet.once(_said) if wide else ():
        free = one.id not in found and not _is_said_already(one, found, economy=economy) and _is_free(match, taken)
        if not free:
            continue
        if one.twin and one.country not in countries and one.id != "FEDFUNDS":
            # A rate without a name is that of the country that is spoken of: "미국이 금리를 내리면".
            if not economy or SERIES[one.twin].country not in countries or one.twin in found:
                continue
            one = SERIES[one.twin]  # noqa: PLW2901 - the same of the other country
        found[one.id] = entity_of(one, sheet, match.group(), match.start(), match.end())
        taken.append(match.span())
    if len(countries) > 1:
        for named in tuple(found.values()):
            twin = SERIES[named.value].twin
            if twin and twin not in found:
                found[twin] = entity_of(SERIES[twin], sheet, named.words, named.start, named.end)
    kept = (one for one in found.values() if not _is_put_aside(one, found, sheet))
    return tuple(sorted(kept, key=lambda one: one.start))


def _is_put_aside(one: Entity, found: Mapping[str, Entity], sheet: Sheet) -> bool:
    """Tell whether a series is that of a country which is put aside for the other: "한국 거 말고 미국 거"."""
    gone = {other.value for other in sheet.aside if other.kind == "country"}
    series = SERIES[one.value]
    return series.country in gone and series.twin in found


def _said(sheet: Sheet) -> list[tuple[Series, re.Match[str]]]:
    """Return the series that a text says by words of the economy, the longest words first: 국채 금리 before 금리."""
    hits = [
        (one, hit)
        for one in SERIES.values()
        for hit in (sheet.find_all(one.words) if one.words else ())
        if not (is_negated(sheet.text, *hit.span()) or _is_a_time(sheet.text, hit))
    ]
    taken = sheet.once(_not_held_at)
    hits = [(one, hit) for one, hit in hits if not any(start <= hit.start() < end for start, end in taken)]
    return sorted(hits, key=lambda hit: hit[1].start() - hit[1].end())


_LASTING: Final = Pattern(r"\b(?:last|past|previous|over|within|for|in|recent) (?:the )?$", re.IGNORECASE)
_GONE: Final = Pattern(r"\s?(?:ago|earlier|back|before|동안|전|간|만에)", re.IGNORECASE)


def _is_a_time(text: str, match: re.Match[str]) -> bool:
    """Tell whether years that may be a bond's are a time: "over the last two years"."""
    if not match.group().lower().endswith(("year", "years")):
        return False
    return _LASTING.search(text[: match.start()]) is not None or _GONE.match(text, match.end()) is not None


def _is_said_already(one: Series, found: Mapping[str, Entity], *, economy: bool) -> bool:
    """Tell whether a series is only a part of what is named: the rate of "unemployment rate", the inflation of core PCE."""
    if one.id in {"FEDFUNDS", "KR_BASE_RATE"} and found and not economy:
        return True
    return one.yearly and any(SERIES[name].yearly for name in found)


def _is_of_else(sheet: Sheet, one: Entity) -> bool:
    """Tell whether a word of a series is a part of another thing: the jeonse ratio of a district, what no data holds.

    "엔화 환율" names the rate of another currency, "근원물가" other prices.
    """
    if one.value == "KR_JEONSE_RATIO" and sheet.of_kind("region"):
        return True
    reach = 2 if one.value in _OF_WHOEVER else 0
    return any(start <= one.start <= end + reach - 1 for start, end in sheet.once(_not_held_at))


_OF_WHOEVER: Final = frozenset({"KR_USDKRW", "KR_BASE_RATE", "FEDFUNDS"})
"""Series whose words are those of any country or currency, which stands before them: "ECB policy rate"."""


def _not_held_at(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Return where a message names what no data holds."""
    return tuple(match.span() for _, _, words in NOT_HELD for match in sheet.find_all(words))


def _is_free(match: re.Match[str], taken: Sequence[tuple[int, int]]) -> bool:
    return all(match.end() <= start or end <= match.start() for start, end in taken)


def entity_of(series: Series, sheet: Sheet, words: str = "", start: int = 0, end: int = 0) -> Entity:
    """Return a series as an entity."""
    return Entity("series", series.id, series.name.of(sheet.language), words, start, end)


def class_named(sheet: Sheet) -> str | None:
    """Return the class of shares that a question ranges over: "KR", "US", "KR+US" or a sector's shares; None for none."""
    sector = sector_shares(sheet.text)
    if sector:
        return "=" + ",".join(sector)
    countries = countries_named(sheet)
    of_shares = [one for one in measures_named(sheet) if one not in {"return", "price", "volume"}]
    if not sheet.says(rf"{SHARE_WORDS}|{_KINDS_OF_SHARES}") and (not (countries and of_shares) or series_named(sheet)):
        return None
    return "+".join(countries) if len(countries) == 1 else "KR+US"


def preferred_shares(sheet: Sheet) -> tuple[Entity, ...]:
    """Return the share whose other class is named in one word with it: LG화학우; empty where none is."""
    match = _written_on().search(sheet.text)
    if match is None:
        return ()
    name, (security, ko, en) = match["name"], _by_name()[match["name"]]
    label = ko if sheet.language == "ko" else en
    return (Entity("security", security, label, name, match.start(), match.end()),)


@functools.cache
def _by_name() -> dict[str, tuple[str, str, str]]:
    return dict(covered_names())


@functools.cache
def _written_on() -> Pattern:
    names = "|".join(re.escape(name) for name in sorted(_by_name(), key=len, reverse=True))
    return Pattern(rf"(?P<name>{names})[0-9]?우(?:B|선주)?(?=\s|$|[는은이가랑와의])")


def numbers_of(sheet: Sheet) -> tuple[Number, ...]:
    """Return the numbers of a question on markets; digits that a guess of a product's name holds count too."""
    own = {PERIOD, SECURITY, "series"}
    return numbers_in(sheet.text, [(one.start, one.end) for one in sheet.entities if one.end and one.kind in own])


_RATE: Final = r"환율|\bexchange rate|\b(?:a|the|per) dollar\b|\brate\b"


def exchange_supposed(sheet: Sheet) -> AskQuantity | None:
    """Return the won a dollar costs as a message supposes it: "환율이 1500원이면"; None for none."""
    rate = next((one for one in numbers_of(sheet) if one.unit in {"krw", ""} and one.value > _LEAST_RATE), None)
    if rate is None or not sheet.says(_RATE):
        return None
    return AskQuantity("exchange", f"{rate.value.normalize():f}", "krw", rate.words, rate.start, rate.end)


_LEAST_RATE: Final = 500
"""A dollar has cost no less; smaller numbers count something else."""


def price_change(sheet: Sheet) -> AskQuantity | None:
    """Return the change of a price that is supposed, in percent: "if it fell 10 percent" is -10; None for none."""
    number = next((one for one in numbers_of(sheet) if one.unit == "percent"), None)
    fell, rose = sheet.find(FALL), sheet.find(RISE)
    if number is None or not (fell or rose) or not sheet.says(_SUPPOSED):
        return None
    value = -number.value if fell and not (rose and rose.start() < fell.start()) else number.value
    return AskQuantity("change", f"{value.normalize():f}", "percent", number.words, number.start, number.end)
