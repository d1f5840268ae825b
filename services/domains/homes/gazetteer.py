"""The names of Korea's provinces, districts and neighbourhoods, loaded once from the package's data."""

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

from services.text.ko.romanised import romanised_place

_PROVINCE_NAMES = {
    "11": "서울시|서울특별시",
    "26": "부산시|부산광역시",
    "27": "대구시|대구광역시",
    "28": "인천시|인천광역시",
    "29": "광주시|광주광역시",
    "30": "대전시|대전광역시",
    "31": "울산시|울산광역시",
    "41": "경기도|Gyeonggi",
    "51": "강원도|강원특별자치도|Gangwon",
    "43": "충청북도",
    "44": "충청남도",
    "52": "전라북도|전북특별자치도",
    "46": "전라남도",
    "47": "경상북도",
    "48": "경상남도",
    "50": "제주도|제주특별자치도|Jeju|Jeju Island",
}
_ENGLISH_BARE_LENGTH_MIN = 4
DONG = "동"
"""How the names of neighbourhoods end."""
DONGS = (DONG, "가", "읍", "면", "리")
"""How the names of all legal parts of a district end."""
_DONGS_SHARED = (DONG, "-dong")
_STATED_LENGTH_MIN = 2
_SEOUL = "11"
# A neighbourhood of Seoul is its dong (잠실 is 잠실동); elsewhere the name is that of a new town, which is wider.
_NAMESAKES = {"광주": "41610", "제주": "50110"}
# What is left of the names of many districts; names of people that are districts too stand in region_homonyms.txt.
_ENGLISH_HOMONYMS = frozenset({"jung", "dong"})


@dataclass(frozen=True, slots=True)
class District:
    """A province, city, county or district of Korea."""

    code: str
    """The first 5 digits of the legal-dong code; 2 digits for a province."""
    name: str
    """Its short full name in Korean: "서울 강남구", "경기 성남시 분당구", "서울"."""
    name_en: str
    """The same in English: "Gangnam-gu, Seoul"."""


@dataclass(frozen=True, slots=True)
class PlaceMeaning:
    """One meaning of a place name."""

    code: str
    """The district's code, 2 digits for a province."""
    dong: str
    """The dong that the name adds; empty when it names the district itself."""

    def holds(self, other: "PlaceMeaning") -> bool:
        """Tell whether this is the province, city or district that `other` lies in."""
        if self.dong or self.code == other.code:
            return self.code == other.code and not self.dong and bool(other.dong)
        if len(self.code) == 2:
            return other.code.startswith(self.code) and len(other.code) == 5
        # A city with districts ends in 0; its districts share the first four digits (41110 holds 41117).
        return self.code.endswith("0") and self.code in _CITY_CODES and other.code[:4] == self.code[:4]


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Everything that a place name can mean."""

    districts: dict[str, District]
    """By code."""
    names: dict[str, tuple[PlaceMeaning, ...]]
    """By name in lower case, without spaces; no place for what only looks like one."""
    homonyms: frozenset[str]
    """Names that are ordinary words too."""
    home_homonyms: frozenset[str]
    """Those of them that name the place when a word for homes stands right behind."""
    meant: dict[str, str]
    """The code of the district that a name which several have means by itself; absent where it is asked."""
    namesakes: dict[str, str]
    """The codes of cities whose short name is first of all that of a province, by that name."""
    groups: dict[str, tuple[str, ...]]
    """The codes of the districts that have one name together, by that name without spaces."""
    name_length_max: int
    """The length of the longest name."""


_CITY_CODES = frozenset(
    ("41110", "41130", "41170", "41190", "41270", "41280", "41460", "43110", "44130", "52110", "47110", "48120")
)


@functools.lru_cache(maxsize=1)
def gazetteer() -> Gazetteer:
    """Return the gazetteer of this package's data (about 3,500 names, 10 ms)."""
    districts: dict[str, District] = {}
    names: dict[str, dict[PlaceMeaning, None]] = {}
    for code, province, city, district, name_en in _rows("districts.tsv"):
        full_name_en = f"{name_en}, {districts[code[:2]].name_en}" if code[:2] in districts else name_en
        districts[code] = _district(code, province, city, district, full_name_en)
        for name in _korean_names(code, city, district):
            names.setdefault(name, {})[PlaceMeaning(code, "")] = None
        for name in _english_names(name_en):
            names.setdefault(name, {})[PlaceMeaning(code, "")] = None
    _add_dongs(names)
    names.update((name, {}) for line in _lines("region_lookalikes.txt") for name in line.split())
    found = {name: tuple(places) for name, places in names.items()}
    return Gazetteer(
        districts=districts,
        names=found,
        homonyms=frozenset(name for line in _lines("region_homonyms.txt") for name in line.split() if name != "+"),
        home_homonyms=frozenset(
            name for line in _lines("region_homonyms.txt") if line.startswith("+") for name in line.split()[1:]
        ),
        meant=_meant(),
        namesakes=_NAMESAKES,
        groups={name: tuple(codes.split("|")) for name, codes in _rows("district_groups.tsv")},
        name_length_max=max(map(len, found)),
    )


def _add_dongs(names: dict[str, dict[PlaceMeaning, None]]) -> None:
    for code, dongs in _rows("dongs.tsv"):
        for dong in dongs.split():
            for name in (dong, romanised_place(dong).lower()):
                names.setdefault(name, {})[PlaceMeaning(code, dong)] = None
    bare = {(code, name): dong for code, dongs in _rows("dongs.tsv") for dong in dongs.split() for name in _bare(dong)}
    for name, codes in _rows("neighbourhoods.tsv"):
        known = names.get(name.lower(), {})
        own = {place.code: place for place in known if place.dong}
        stated = {
            own.get(
                code, PlaceMeaning(code, bare.get((code, name.lower()), name) if code[:2] == _SEOUL else name)
            ): None
            for code in codes.split("|")
        }
        # The first is meant where no city or district beside it says which of all of them.
        names[name.lower()] = {**stated, **_legal(known)} if name.lower().endswith(_DONGS_SHARED) else stated


def _bare(dong: str) -> tuple[str, str]:
    """Return how people call a dong without its ending, in Korean and in English."""
    return dong.removesuffix(DONG), romanised_place(dong).lower().removesuffix(_DONGS_SHARED[1])


def _legal(known: Iterable[PlaceMeaning]) -> dict[PlaceMeaning, None]:
    """Return the legal dongs among the meanings of a name."""
    return {place: None for place in known if place.dong}


def _meant() -> dict[str, str]:
    """Return the district that a name of several means by itself, by name, where the data states one."""
    rows = ((name.lower(), codes) for name, codes in _rows("neighbourhoods.tsv"))
    return {name: codes for name, codes in rows if "|" not in codes}


def _district(code: str, province: str, city: str, district: str, name_en: str) -> District:
    if len(code) == 2:
        return District(code, province, name_en)
    if province == "세종":
        return District(code, province, "Sejong")
    return District(code, " ".join(part for part in (province, city, district) if part), name_en)


def _korean_names(code: str, city: str, district: str) -> Iterator[str]:
    yield district
    if len(code) == 2:
        yield from (name.lower().replace(" ", "") for name in _PROVINCE_NAMES[code].split("|"))
        return
    if code == "36110":
        yield from ("세종", "세종특별자치시")
    if city:
        yield city + district
    if len(district) >= 3 and not _is_taken_by_province(code, district):
        yield district[:-1]


def _is_taken_by_province(code: str, district: str) -> bool:
    """Tell whether the short name alone means a province: 광주 is that city, 제주 the island."""
    return _NAMESAKES.get(district[:-1]) == code


def _english_names(name_en: str) -> Iterator[str]:
    plain = name_en.lower()
    yield plain
    stem, dash, suffix = plain.rpartition("-")
    if not dash:
        return
    yield stem + suffix
    if suffix != "do" and len(stem) >= _ENGLISH_BARE_LENGTH_MIN and stem not in _ENGLISH_HOMONYMS:
        yield stem


def _rows(name: str) -> Iterator[list[str]]:
    for line in _lines(name):
        yield line.split("\t")


def _lines(name: str) -> Iterator[str]:
    text = resources.files(__package__).joinpath(f"data/{name}").read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def stated_names() -> Iterator[tuple[str, str]]:
    """Yield the names of districts that a sentence may give, each with "KR/" and its name in Korean.

    Several cities have a 중구: a sentence that says no more is held against any of them.
    """
    homonyms = {name for line in _lines("region_homonyms.txt") for name in line.split()}
    for _, province, _, district, english, *_ in _rows("districts.tsv"):
        name = district or province
        key = f"KR/{name}"
        yield from ((one, key) for one in (name, english) if one)
        if district[-1:] in {"구", "시", "군"} and len(district) > _STATED_LENGTH_MIN and district[:-1] not in homonyms:
            yield from ((one, key) for one in (district[:-1], english.partition("-")[0]))
