"""Which of the two languages a text is written in."""

import re
from typing import Literal

from services.text.patterns import Pattern

Language = Literal["ko", "en"]

_LATIN_WORDS_PER_KOREAN_ONE = 4
_WORD = Pattern(r"[A-Za-z][A-Za-z'’-]*[.,!?:;]*")


def language_of(text: str) -> Language:
    """Return "ko" or "en"; a text with no letter of either is Korean.

    A Korean sentence is full of Latin names (AAPL, LG, CPI), an English one has Hangul only in a quoted name: one word
    with Hangul, composed or not, to four Latin words makes a question Korean.
    """
    tokens = text.split()
    korean = sum(any(map(_is_hangul, token)) for token in tokens)
    latin = sum(token.isascii() and any(map(str.isalpha, token)) for token in tokens)
    if korean == 0:
        return "en" if latin else "ko"
    return "ko" if korean * _LATIN_WORDS_PER_KOREAN_ONE >= latin else "en"


_ASKED = Pattern(
    r"(?P<en>(?:영어|영문)(?:로|으로)|\bin english\b)|(?:한국어|한국말|한글|우리말|국문)(?:로|으로)"
    # "In Korean leases" says where something is, and no language.
    r"|\bin korean(?=\W*$|\s?[,.;?!]|\s(?:please|and|then|this|instead|now)\b)",
    re.IGNORECASE,
)


def language_asked(text: str) -> Language | None:
    """Return the language that a message wants its answer in ("영어로 말해줘"); None where it says none."""
    match = _ASKED.search(text)
    if match is None:
        return None
    return "en" if match["en"] else "ko"


def has_words(text: str) -> bool:
    """Return whether a text says anything in a language: codes, settings and marks ("a_b=TRUE", "[x]") say nothing."""
    return any(any(map(_is_hangul, token)) or _WORD.fullmatch(token) for token in text.split())


def _is_hangul(mark: str) -> bool:
    return "가" <= mark <= "힣" or "\u1100" <= mark <= "\u11ff" or "ㄱ" <= mark <= "ㅣ"
