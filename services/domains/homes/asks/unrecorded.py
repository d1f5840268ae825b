"""What is wanted of a home that the data has no column for: told as not applied, never dropped in silence."""

import re
from functools import cache
from typing import Final

from services.contract.asks import Ask, Said
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, sentences
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual
from services.text.patterns import Pattern

_PACKAGE: Final = "services.domains.homes.asks"
NOTE: Final = "unrecorded"
"""The note of an ask that holds what it wants and no row says, by place in the list."""


class _Quality(Bilingual):
    words: str
    """How people say it."""
    is_of_title: bool = False
    """Whether the property register says it."""


@cache
def _patterns() -> tuple[Pattern, ...]:
    return tuple(Pattern(one.words, re.IGNORECASE) for one in _qualities())


@cache
def _qualities() -> tuple[_Quality, ...]:
    document = read_yaml(_PACKAGE, "unrecorded.yaml")
    if not isinstance(document, list):
        raise TypeError("unrecorded.yaml is a list of what no row says")
    return tuple(_Quality.model_validate(one) for one in document)


def unrecorded(sheet: Sheet) -> dict[str, str]:
    """Return the note of what a question wants of homes that no row says; none where it wants nothing such."""
    found = [str(at) for at, one in enumerate(_patterns()) if one.search(sheet.text) is not None]
    return {NOTE: " ".join(found)} if found else {}


def _wanted(ask: Ask) -> list[_Quality]:
    return [_qualities()[int(one)] for one in ask.notes.get(NOTE, "").split()]


def not_recorded(ask: Ask) -> Said:
    """Return that what is asked of a home on offer is not in the data, and who knows it."""
    wanted = _wanted(ask)
    names = listed([Said(one.ko, one.en) for one in wanted])
    in_register = any(one.is_of_title for one in wanted)
    return filled(
        "{names} 정보는 매물 자료에 없어 알 수 없습니다. {where} 확인하셔야 합니다.",
        "The data on offers does not say {names}, so I cannot tell; please {where}.",
        names=names,
        where=Said("등기부등본에서", "look it up in the property register")
        if in_register
        else Said("중개사에게", "ask the agent"),
    )


def with_unrecorded(ask: Ask, sentence: Said) -> Said:
    """Return a sentence with what was not applied behind it."""
    if not (wanted := _wanted(ask)):
        return sentence
    names = listed([Said(one.ko, one.en) for one in wanted])
    return sentences(
        sentence,
        Said(
            f"다만 {names.ko} 정보는 자료에 없어 조건으로 쓰지 못했습니다.",
            f"The data does not say {names.en}, so that was not applied.",
        ),
    )
