"""How slots of the language are read, and the parts that a domain's own slots are read with.

A question names a value outright or not at all. An answer may be short ("3", "card"), because what was asked says what
it is; what still cannot be read exactly is no value.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from services.plugin.planning import SlotRule
from services.plugin.questions import SlotReading, Value
from services.text.numbers.numerals import NATIVE_NUMBERS, english_words_value
from services.text.patterns import Pattern
from services.text.reading import TextReading

AMOUNT_KRW_MAX: Final = 10**12
"""The greatest sum that an answer in plain digits may be."""
PIECES_MAX: Final = 10_000
"""The greatest number of pieces."""
TEXT_CHARS_MAX: Final = 200
"""The longest text that a slot holds."""

_BARE = Pattern(r"[^\d\-.,]{0,6}(?P<number>\d{1,3}(?:,\d{3})+|\d+)\s?[^\d.,\-]{0,6}")
_NATIVE_COUNT = Pattern(rf"(?P<number>{'|'.join(sorted(NATIVE_NUMBERS, key=len, reverse=True))})\s?[가-힣]{{0,4}}")
_LETTERS = Pattern(r"[가-힣A-Za-z]")
_PLACES = tuple(
    (str(number), korean, f"(?:the )?{english}")
    for number, korean, english in (
        (1, "첫\\s?(?:번째)?", "first"),
        (2, "두\\s?번째", "second"),
        (3, "세\\s?번째", "third"),
        (4, "네\\s?번째", "fourth"),
        (5, "다섯\\s?번째", "fifth"),
    )
)


def picked(text: str, options: Sequence[str]) -> str | None:
    """Return the option that an answer picks by its own words or its place ("2번", "the first one")."""
    plain = text.strip(" .!").casefold()
    same = [option for option in options if option.casefold() == plain]
    if same:
        return same[0]
    for place, names in enumerate(_PLACES[: len(options)]):
        if any(re.fullmatch(rf"{name}(?:\s?(?:번|번째|거|것|one))*(?:요|이요|으로|로)?", plain) for name in names):
            return options[place]
    return None


def only(found: Sequence[str] | Sequence[int]) -> Value | None:
    """Return the one value of several mentions, None where they differ."""
    return found[0] if len(set(found)) == 1 else None


def letters(text: str) -> int:
    """Return how many letters a text has."""
    return len(_LETTERS.findall(text))


def chosen(reading: TextReading, rule: SlotRule) -> Value | None:
    """Return the choice that a text says, None where it says several."""
    named = [choice.id for choice in rule.choices if any(reading.says(word) for word in choice.words)]
    return named[0] if len(named) == 1 else None


def picked_or_text(reading: TextReading, rule: SlotRule) -> Value | None:
    """Return what an answer picks of the choices, else its own words where any will do."""
    for locale in ("ko", "en"):
        options = [choice.of(locale) for choice in rule.choices]
        option = picked(reading.text, options)
        if option is not None:
            return rule.choices[options.index(option)].id
    return free_text(reading, rule) if rule.free else None


def free_text(reading: TextReading, _rule: SlotRule) -> Value | None:
    """Return the answer itself where it is more than a letter."""
    return reading.text[:TEXT_CHARS_MAX] if letters(reading.text) > 1 else None


def whole_number(reading: TextReading, most: int) -> Value | None:
    """Return the number that an answer is, in digits or words, from 1 to `most`."""
    if reading.asks:
        return None
    if (bare := bare_number(reading.text)) is not None:
        return within(bare, most)
    native = _NATIVE_COUNT.fullmatch(reading.text)
    return within(number_in(native["number"] if native else reading.text), most)


def bare_number(text: str) -> int | None:
    """Return the number that a text in plain digits is, with a few characters around it."""
    match = _BARE.fullmatch(text)
    return int(match["number"].replace(",", "")) if match is not None else None


def number_in(text: str) -> int | None:
    """Return the whole number that a word or a run of digits means."""
    if text.isascii() and text.isdigit():
        return int(text)
    if text in NATIVE_NUMBERS:
        return NATIVE_NUMBERS[text]
    value = english_words_value(text) if text.isascii() else None
    return int(value) if value is not None and value == value.to_integral_value() else None


def within(number: int | None, most: int) -> int | None:
    """Return a number that lies between 1 and `most`, else None."""
    return number if number is not None and 1 <= number <= most else None


def bare_amount(reading: TextReading, _rule: SlotRule) -> Value | None:
    """Read an answer in plain digits as won; "5천" stays open, as everywhere."""
    if reading.amounts or any(mark in "십백천만억조%" for mark in reading.text):
        return None
    return within(bare_number(reading.text), AMOUNT_KRW_MAX)


def _amount(reading: TextReading, _rule: SlotRule) -> Value | None:
    exact = [one.low for one in reading.amounts if one.is_exact]
    return exact[0] if len(exact) == len(reading.amounts) == 1 and exact[0] > 0 else None


def _period(reading: TextReading, _rule: SlotRule) -> Value | None:
    if len(reading.dates) != 1:
        return None
    return f"{reading.dates[0].start.isoformat()}/{reading.dates[0].end.isoformat()}"


LANGUAGE_SLOTS: Final[Mapping[str, SlotReading]] = {
    "choice": SlotReading(chosen, picked_or_text, is_sure=False),
    "text": SlotReading(lambda _reading, _rule: None, free_text),
    "quantity": SlotReading(
        lambda reading, _: only([one.value for one in reading.quantities]),
        lambda reading, _: whole_number(reading, PIECES_MAX),
        is_counted=True,
    ),
    "amount": SlotReading(_amount, bare_amount),
    "period": SlotReading(_period, lasts=True),
}
"""The kinds of slots that any domain may have."""
