"""How Korean is written: particles by the last sound, money in words, numbers with their sign and unit."""

from decimal import Decimal
from typing import Literal

from services.text.patterns import Pattern

_JONGSEONG = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
# The last sound of a digit as it is read (영 일 이 삼 사 오 육 칠 팔 구).
_DIGIT_FINALS = dict(zip("0123456789", "ㅇㄹ ㅁ  ㄱㄹㄹ ", strict=True))
# Letters whose Korean name ends in a consonant: 엘 엠 엔 알.
_LETTER_FINALS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}
_READ_AS_WORD = Pattern(r"[A-Za-z]{2,}[AEOaeo][Rr]$")
"""A Latin word that is read as one, not letter by letter: NAVER is 네이버."""
_PERCENT = ("%", "%p", "㎡")
"""Signs that are read with a vowel at their end: 퍼센트, 퍼센트포인트, 제곱미터."""
_CLOSING = "’”'\"」』)"
"""Marks that close what is quoted, which nobody sounds."""
PAST_SYLLABLES = "".join(chr(code) for code in range(ord("가") + 20, ord("힣") + 1, 28))
"""The syllables that end on ㅆ, as those of a past tense do."""
_RIEUL = 8
"""The place of ㄹ among the final consonants."""
# By the vowel that a stem's last vowel and -아/-어 make together, the stem's own: ㅕ ㅣ, ㅝ ㅜ, ㅘ ㅗ, ㅐ ㅏ, ㅓ ㅡ.
_JOINED_VOWELS = {6: 20, 14: 13, 9: 8, 1: 0, 4: 18}
_ASIDE = Pattern(r"(?<=\S)\s?\([^()]{1,80}\)$")
_SCALES = (("조", 10**12), ("억", 10**8), ("만", 10**4), ("", 1))


def final_consonant(text: str) -> str | None:
    """Return the consonant that the last letter or digit of `text` ends on, "" for none, None when it has neither."""
    if text.rstrip(_CLOSING).endswith(_PERCENT):
        return ""
    for mark in reversed(text):
        if "가" <= mark <= "힣":
            return _JONGSEONG[(ord(mark) - ord("가")) % 28].strip()
        if mark in _DIGIT_FINALS:
            return _DIGIT_FINALS[mark].strip()
        if mark.isascii() and mark.isalpha():
            if _READ_AS_WORD.search(text):
                return ""
            return _LETTER_FINALS.get(mark.lower(), "")
    return None


def has_final_consonant(text: str, *, ignore: str = "") -> bool:
    """Tell whether the last sound is a consonant; one named in `ignore` counts as none."""
    final = final_consonant(text) or ""
    return final != "" and final not in ignore


def josa(text: str, pair: str) -> str:
    """Return `text` with the particle that its last sound asks for.

    Args:
        text: The word, in Hangul, Latin letters or digits; what stands in parentheses behind it is not sounded.
        pair: Both forms, after a consonant first: "은/는", "이/가", "을/를", "과/와", "으로/로", "이/".

    Raises:
        ValueError: `pair` is not two forms joined by "/".
    """
    after_consonant, slash, after_vowel = pair.partition("/")
    if not slash:
        raise ValueError(f"pair: {pair!r} is not two forms joined by '/'")
    ignored = "ㄹ" if after_consonant == "으로" else ""
    sounded = _ASIDE.sub("", text) or text
    return text + (after_consonant if has_final_consonant(sounded, ignore=ignored) else after_vowel)


def dictionary_stems(form: str) -> tuple[str, ...]:
    """Return what a verb may be called in a dictionary when it is written as `form`: "보여" gives "보여" and "보이".

    Undoes how a stem joins with -아 or -어: 알려 (알리), 바꿔 (바꾸), 와 (오), 골라 (고르), 담아 (담), 써 (쓰).
    """
    if not form or not "가" <= form[-1] <= "힣":
        return (form,)
    head, last = form[:-1], ord(form[-1]) - ord("가")
    initial, vowel, final = last // 588, last % 588 // 28, last % 28
    if final:
        return (form,)
    if form[-1] in "아어" and head:
        return form, head
    if form[-1] in "라러" and head and "가" <= head[-1] <= "힣" and (ord(head[-1]) - ord("가")) % 28 == _RIEUL:
        return form, f"{head[:-1]}{chr(ord(head[-1]) - _RIEUL)}르"
    undone = _JOINED_VOWELS.get(vowel)
    return (form, head + chr(ord("가") + initial * 588 + undone * 28)) if undone is not None else (form,)


def money_ko(amount_krw: int) -> str:
    """Return an amount of won as people write it: 1_234_000_000 is "12억 3,400만원", 0 is "0원"."""
    if amount_krw == 0:
        return "0원"
    parts, rest = [], abs(amount_krw)
    for name, size in _SCALES:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count:,}{name}")
    return f"{'-' if amount_krw < 0 else ''}{' '.join(parts)}원"


def money_en(amount_krw: int) -> str:
    """Return an amount of won in English: "KRW 1,234,000,000"."""
    return f"{'-' if amount_krw < 0 else ''}KRW {abs(amount_krw):,}"


def money(amount_krw: int, language: Literal["ko", "en"]) -> str:
    """Return an amount of won in the reader's language."""
    return money_ko(amount_krw) if language == "ko" else money_en(amount_krw)


def number(value: Decimal | float, *, decimals: int | None = None, signed: bool = False) -> str:
    """Return a number with thousands separators, the same in both languages.

    Args:
        value: A finite number.
        decimals: Digits after the point; None keeps what the number has, without trailing zeros.
        signed: Write "+" before a positive number, as a change is written.

    Raises:
        ValueError: `value` is not finite.
    """
    exact = value if isinstance(value, Decimal) else Decimal(str(value))
    if not exact.is_finite():
        raise ValueError(f"value: {value!r} is not a finite number")
    if decimals is not None:
        exact = round(exact, decimals)
    text = f"{exact:,f}"
    if decimals is None and "." in text:
        text = text.rstrip("0").rstrip(".")
    if exact == 0:
        return text.lstrip("-")
    return f"+{text}" if signed and exact > 0 else text


def percent(value: Decimal | float, *, decimals: int = 1, signed: bool = False) -> str:
    """Return a percentage, e.g. "+3.2%"; raises ValueError as `number` does."""
    return f"{number(value, decimals=decimals, signed=signed)}%"
