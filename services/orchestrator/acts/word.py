"""A person's word on an action that they were shown: yes or no, where a whole message is made of nothing else.

A message is divided into parts that agree, go ahead, refuse, fill, or name what was shown; one part that is none of
these makes it no word at all. So no number, no name and no sentence beside a yes is ever taken for one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from pydantic import TypeAdapter

from services.orchestrator.flow.replies import is_no, is_stop
from services.plugin.documents import read_yaml
from services.text.normalise import normalise
from services.text.patterns import Pattern

AGREES, GOES, REFUSES, FILLS = "agrees", "goes", "refuses", "fills"
_MARKS: Final = Pattern(r"[\s.,!?~…ㅠㅜ]+")
_PARDON: Final = Pattern(r"(?:[가-힣]{1,2}|[a-z']{1,5})\s?\?+")
"""One short word that asks what was said: "네?", "ok?"."""


@cache
def _parts() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the words of each part, by language."""
    return TypeAdapter(dict[str, dict[str, list[str]]]).validate_python(read_yaml(__package__ or "", "words.yaml"))


def _ko(part: str) -> str:
    return "|".join(_parts()["ko"][part])


def _en(part: str) -> str:
    return "|".join(_parts()["en"][part])


@dataclass(frozen=True, slots=True)
class ActionWord:
    """A person's word on an action that they were shown."""

    approves: bool
    """Whether it says yes; no otherwise."""
    names: bool
    """Whether it names what is to be done ("네 결제해줘") and is no bare yes."""


def word_on(message: str, doing: Sequence[str]) -> ActionWord | None:
    """Return a person's word on an action, where the message says it and nothing else; None otherwise.

    "취소" may be the name of what was shown, or a no to it: alone it is neither, and the person is asked again.

    Args:
        message: What they say.
        doing: What people call doing it: "결제", "pay".
    """
    plain = normalise(message).casefold().replace("’", "'").strip()
    if not plain or (is_stop(plain) and plain.strip(" .!~") in doing) or _PARDON.fullmatch(plain):
        return None
    said = _word_en(plain, tuple(doing)) if plain.isascii() else _word_ko(_MARKS.sub("", plain), tuple(doing))
    return (
        said
        if said is not None
        else ActionWord(approves=False, names=False)
        if is_stop(plain) or is_no(plain)
        else None
    )


def _word_ko(plain: str, doing: tuple[str, ...]) -> ActionWord | None:
    pattern = _parts_ko(doing)
    found = [match.lastgroup for match in pattern.finditer(plain)]
    covered = sum(match.end() - match.start() for match in pattern.finditer(plain))
    return _word_of({one for one in found if one}) if covered == len(plain) else None


@lru_cache(maxsize=64)
def _parts_ko(doing: tuple[str, ...]) -> Pattern:
    names = "|".join(re.escape(one) for one in sorted(doing, key=len, reverse=True) if not one.isascii()) or "(?!)"
    return Pattern(
        rf"(?P<name>{names})|(?P<no>{_ko(REFUSES)})|(?P<go>{_ko(GOES)})|(?P<yes>{_ko(AGREES)})|(?P<fill>{_ko(FILLS)})"
    )


def _word_en(plain: str, doing: tuple[str, ...]) -> ActionWord | None:
    parts: tuple[tuple[str, str], ...] = (
        ("name", "|".join(map(re.escape, filter(str.isascii, doing))) or "(?!)"),
        ("no", _en(REFUSES)),
    )
    parts += (("yes", _en(AGREES)), ("go", _en(GOES)), ("fill", _en(FILLS)))
    kinds = [
        next((kind for kind, words in parts if re.fullmatch(words, one)), "")
        for one in re.findall(r"[a-z']+|\S", _OPENS.sub("", plain))
        if one not in ".,!~"
    ]
    return None if "" in kinds else _word_of(set(kinds))


_OPENS: Final = Pattern(r"^(?:ok(?:ay)?|alright|right|fine)[\s,.]+(?=no\b|nope|don't|forget|never|stop|leave|cancel)")
"""A word that opens a sentence before a no, and agrees to nothing."""


def _word_of(kinds: set[str]) -> ActionWord | None:
    """Return what the parts of a message say together: a yes and a no in one say neither."""
    if "no" in kinds:
        return None if "yes" in kinds else ActionWord(approves=False, names="name" in kinds)
    if kinds & {"yes", "go", "name"}:
        return ActionWord(approves=True, names="name" in kinds)
    return None
