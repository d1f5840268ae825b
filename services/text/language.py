"""Which of the two languages a text is written in (spec 1: the locale picks, otherwise the question does)."""

from typing import Literal

Language = Literal["ko", "en"]


def language_of(text: str) -> Language:
    """Return "ko" when the text holds any Hangul, composed or not, or no Latin letter at all; else "en".

    A Korean sentence is full of Latin names (AAPL, LG, CPI), an English one has no Hangul but for a quoted name; a
    Korean reader copes with both, so one Hangul syllable among every four Latin words is enough.
    """
    hangul = sum("가" <= mark <= "힣" or "\u1100" <= mark <= "\u11ff" or "ㄱ" <= mark <= "ㅣ" for mark in text)
    latin_words = sum(word.isascii() and any(mark.isalpha() for mark in word) for word in text.split())
    if hangul == 0:
        return "en" if latin_words else "ko"
    return "ko" if hangul * 4 >= latin_words else "en"
