"""The register of answers: a plain Korean statement ("커진다.") as a polite one ("커집니다.")."""

import re
from typing import Final

from services.text.patterns import Pattern

_BASE: Final = 0xAC00
_FINALS: Final = 28
_N: Final = 4
_B: Final = 17
_PLAIN_END: Final = Pattern(r"(?<=[가-힣])다(?=[.]|$)")
_NOUN_END: Final = Pattern(r"^(?P<words>[^.]*[가-힣)](?<!다)(?<!까)(?<!요))(?=[.]|$)")


def formal(text: str) -> str:
    """Return a text whose plain statements end in -습니다; what is polite already stays."""
    pieces = [part for part in re.split(r"(?<=\.)\s+", text.strip()) if part]
    return " ".join(_formal(part) for part in pieces)


def _formal(sentence: str) -> str:
    if re.search(r"(?:니다|까|요)[.?!]?$", sentence):
        return sentence
    if _PLAIN_END.search(sentence):
        stem = sentence.rstrip(".")[:-1]
        return f"{_ended(stem)}."
    return _NOUN_END.sub(lambda match: f"{match['words']}입니다", sentence, count=1).rstrip(".") + "."


def _ended(stem: str) -> str:
    """Return the stem of a plain statement, without its 다, with the polite ending."""
    last = stem[-1]
    final = (ord(last) - _BASE) % _FINALS
    if last == "는" and len(stem) > 1 and stem[-2] != " ":
        return f"{stem[:-1]}습니다"
    if final in {0, _N}:
        return f"{stem[:-1]}{chr(ord(last) - final + _B)}니다"
    return f"{stem}습니다"
