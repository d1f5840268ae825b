"""Who the sides of a contract are, however they are called: a role in other words, or the name of a person. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

_PARTY_A: Final = Pattern(r"(?<![가-힣])갑(?=(?:은|이|의|과|에게서?|에|측)?(?:\s|$|[,.)]))")
_PARTY_B: Final = Pattern(r"(?<![가-힣])을(?=(?:은|이|의|과|에게서?|에|측)?(?:\s|$|[,.)]))")
_TENANTS: Final = Pattern(
    r"(?<![가-힣])(?:사용자|거주자|입주민|이용자|거주인|차주|(?:들어와\s)?사는\s(?:사람|쪽|이))(?=은|는|이|가|의|에게|\s)"
)
_TENANTS_EN: Final = Pattern(
    r"\b(?:lessee|renter|resident|occupant|occupier|lodger|guest|licensee)(?=\b|['’]s)", re.IGNORECASE
)
_LANDLORDS_EN: Final = Pattern(r"\b(?:lessor|manager|landlady|host|licensor|proprietor)(?=\b|['’]s)", re.IGNORECASE)
_ROLES_KO: Final = {
    **dict.fromkeys(("임대인", "집주인", "건물주", "소유자"), "임대인"),
    **dict.fromkeys(("임차인", "세입자", "입주자"), "임차인"),
    **{one: one for one in ("매도인", "매수인")},
}
_ROLES_EN: Final = {
    **dict.fromkeys(("landlord", "landlady", "lessor", "owner", "owners", "host", "licensor"), "the landlord"),
    **dict.fromkeys(("tenant", "lessee", "lodger", "renter", "guest", "occupant", "licensee"), "the tenant"),
    "seller": "the seller",
    "buyer": "the buyer",
}
_SURNAMES: Final = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진나지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
_NAME_EN: Final = r"(?:M(?:r|rs|s)\.?\s)?[A-Z][a-z'’.-]*(?:\s[A-Z][a-z'’-]+){0,2}"
_NAMED: Final = (
    Pattern(
        rf"(?P<role>{'|'.join(_ROLES_KO)})\s?:?\s?(?P<name>[{_SURNAMES}][가-힣O○]{{2}})(?=[,.)]|\s?\(|와|과|의|은|는|이|가|\n|$)"
    ),
    Pattern(rf"(?P<name>{_NAME_EN})\s?\((?:[Tt]he\s)?[\"“'‘]?(?P<role>(?i:{'|'.join(_ROLES_EN)}))\b"),
    Pattern(rf"\b(?P<role>(?i:{'|'.join(_ROLES_EN)}))\s?(?::|is|,)\s?(?P<name>{_NAME_EN})(?=[.,;]|\s?\n|$|\sand\b)"),
)
_TITLES: Final = frozenset({"mr", "mrs", "ms", "the", "between", "landlord", "tenant", "owner", "lessor", "lessee"})
_NAMED_MAX: Final = 6
_NAME_CHARS_MIN: Final = 3


@dataclass(frozen=True, slots=True)
class NamedParty:
    """A person whom a contract names for one of its sides."""

    name: str
    """The words that stand for the person."""
    role: str
    """What the person is: "임차인", "the landlord"."""


def named_parties(text: str) -> tuple[NamedParty, ...]:
    """Return the persons that a contract names for its sides, the longest name first."""
    found = {party.name: party for pattern in _NAMED for match in pattern.finditer(text) for party in _parties(match)}
    return tuple(sorted(found.values(), key=lambda one: -len(one.name)))[:_NAMED_MAX]


def _parties(match: re.Match[str]) -> Iterator[NamedParty]:
    """Yield a person by the full name, and by each part of an English one."""
    role = match["role"]
    if role in _ROLES_KO:
        if _is_a_name(match["name"]):
            yield NamedParty(match["name"], _ROLES_KO[role])
        return
    words = [one for one in match["name"].split() if one.strip(".").lower() not in _TITLES]
    names = (match["name"], *(one for one in words if len(one) >= _NAME_CHARS_MIN)) if words else ()
    yield from (NamedParty(one, _ROLES_EN[role.lower()]) for one in names)


@lru_cache(maxsize=256)
def _is_a_name(word: str) -> bool:
    """Tell whether a word behind a role may be a person: "임대인 연락처는" names nobody."""
    return any(one.tags[-1] != "NNG" for one in morphemes(word))


def by_role(text: str, named: tuple[NamedParty, ...] = ()) -> str:
    """Return a text with its parties by one name of their roles, however they are called."""
    for one in named:
        text = _called(one.name).sub(one.role, text)
    text = _PARTY_B.sub("임차인", _PARTY_A.sub("임대인", text))
    return _LANDLORDS_EN.sub("landlord", _TENANTS_EN.sub("tenant", _TENANTS.sub("임차인", text)))


@lru_cache(maxsize=64)
def _called(name: str) -> Pattern:
    """Return what finds a person by a name, with or without a title before it."""
    if name[0].isascii():
        return Pattern(rf"\b(?:(?:M(?:r|rs|s)\.?)\s)?{re.escape(name)}(?![A-Za-z])")
    return Pattern(re.escape(name))
