"""The numbers of a question that its answer has no use for: they are told, never dropped in silence.

A number is used where an ask took it, as a sum, a condition, a count or a day, or where the answer tells it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from services.contract.asks import AnswerState, Ask, AskAnswer, AskForm
from services.contract.entities import Entity
from services.plugin.asks.asides import without_asides
from services.plugin.asks.numbers import Number, numbers_in
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import AMOUNT, AREA, QUANTITY
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.language import Language
from services.text.normalise import normalise
from services.text.patterns import Pattern

_OF_TEXTS: Final = frozenset({AskForm.ACT, AskForm.DRAFT, AskForm.REVIEW, AskForm.STATUS})
"""Forms of asks whose message holds a text, or says what is to be done: what it says is shown."""
_NUMBERS: Final = frozenset({AMOUNT, AREA, QUANTITY})
_NUMBERS_MAX: Final = 4
_CHARS_MAX: Final = 300
"""A longer message holds a text of its own."""
_OF_TIME: Final = frozenset({"days", "weeks", "months", "years"})
_DIGITS: Final = Pattern(r"[0-9]")
_WORD: Final = Pattern(r"\S*")
_ENDING: Final = Pattern(
    r"(?:(?:이?라)?면요?|이?야|이?에요|예요|입니다|이?라서|이?라|이?고요?|인데요?|이?면서?|이?니까|에서|으로|에|은|는|이|가|을|를|로|의|도|만|까지|부터|정도|쯤|짜리)*[,.?!]*$"
)
_TIMES: Final = frozenset({"years", "months", "weeks", "days", "hours"})
"""Units of which one is how often, or how a rate is counted: "1년에 800만원", "1년 배당금"."""
_PLACE: Final = Pattern(r"\s?(?:번|호선|호|동|가|차|조|항|분기|등급)")
"""What makes a number the name of a thing, or its place in a list."""
_UNUSED: Final = Text("말씀하신 {words} 이 답에 쓰지 않았습니다.", "Not used in this answer: {words}.")


def unused_said(
    question: str, pairs: Iterable[tuple[Ask, AskAnswer]], named: Iterable[Entity], told: str, language: Language
) -> str:
    """Return which numbers of a question its answer has no use for; empty where it uses all.

    Args:
        question: The question as it was asked.
        pairs: Its asks with what came of each.
        named: The things that it names, whose words may hold numbers.
        told: The answer's text.
        language: The answer's language.
    """
    text, both = _without_asides(normalise(question), language), tuple(pairs)
    asks = [ask for ask, _ in both]
    answered = all(answer.state is AnswerState.ANSWERED for _, answer in both)
    if not answered or len(text) > _CHARS_MAX or not _DIGITS.search(text) or {ask.form for ask in asks} & _OF_TEXTS:
        return ""
    words = list(_words(text, asks, named, told))[:_NUMBERS_MAX]
    quoted = ", ".join(f"‘{one}’" if language == "ko" else f"“{one}”" for one in words)
    return _UNUSED.said(language, words=josa(quoted, "은/는") if language == "ko" else quoted) if words else ""


def _without_asides(text: str, language: Language) -> str:
    """Return a text without what it puts aside: "15인용 말고 10인용"."""
    plain = Sheet(text, language, date.min, ()) if _ASIDE.search(text) else None
    return text if plain is None else without_asides(plain).text


_ASIDE: Final = Pattern(r"말고|아니라|아니고|대신|\bnot\b|instead|rather", re.IGNORECASE)


def _words(text: str, asks: list[Ask], named: Iterable[Entity], told: str) -> Iterator[str]:
    """Yield the words of each number that nothing takes."""
    taken = [(one.start, one.end) for one in named if one.end and one.value != one.words and one.kind not in _NUMBERS]
    taken += [(one.start, one.end) for ask in asks for one in ask.subjects if one.end]
    taken += [(one.start, one.end) for ask in asks for one in ask.quantities if one.end]
    said, figures = _said(asks), numbers_in(told, ())
    dated = any(ask.start_date or ask.against_date for ask in asks)
    for one in numbers_in(text, taken):
        if dated and one.unit in _OF_TIME:
            # It has become the days between which the ask is.
            continue
        digits = text[one.start : one.end]
        how_often = one.value == 1 and one.unit in _TIMES
        if not _DIGITS.search(digits) or one.unit == "ordinal" or how_often or _PLACE.match(text, one.end):
            continue
        whole = _whole(one, text)
        in_months = one.unit == "years" and _is_in(f"{one.value * 12:f}", said)
        if not (
            in_months
            or whole in told
            or any(_is_same(one, other) for other in figures)
            or _is_said(one, digits, said)
            or _is_share_told(one, figures)
        ):
            yield whole


def _is_same(one: Number, other: Number) -> bool:
    """Tell whether an answer's number is one of the question, in its unit or in one that it is reckoned into."""
    if other.unit == "krw":
        return one.unit in {"krw", ""} and other.value in {one.value, one.as_won}
    if {one.unit, other.unit} == {"years", "months"}:
        return one.value == other.value * 12 or other.value == one.value * 12
    return one.unit in {other.unit, ""} and one.value == other.value and bool(other.unit)


def _is_said(one: Number, digits: str, said: str) -> bool:
    """Tell whether asks took a number: its words, or its value, stand among what they took."""
    bare = re.sub(r"[^0-9.]", "", digits).strip(".")
    forms = {digits.strip(), one.words.strip(), f"{one.value:f}", f"{one.as_won:f}", bare if bare in digits else ""}
    return any(_is_in(form, said) for form in forms if form)


def _is_in(form: str, said: str) -> bool:
    return re.search(rf"(?<![0-9.]){re.escape(form)}(?![0-9])", said) is not None


def _is_share_told(one: Number, figures: Sequence[Number]) -> bool:
    """Tell whether an answer tells a sum that is this share of another one in it."""
    sums = [it.value for it in figures if it.unit == "krw" and it.value] if one.unit == "percent" else []
    wanted = [(it, it * one.value / 100) for it in sums]
    return any(abs(part - other) <= part / 500 for whole, part in wanted for other in sums if other != whole)


def _said(asks: list[Ask]) -> str:
    """Return all that asks took of their message, in one text."""
    parts: list[str] = []
    for ask in asks:
        parts += [ask.start_date, ask.end_date, ask.against_date, str(ask.count), *ask.measures, ask.order_by]
        parts += [f"{one.value} {one.words}" for one in ask.quantities]
        parts += [f"{one.value} {one.words}" for one in ask.conditions]
        parts += [value for name, value in ask.notes.items() if value != ask.words and name != "said"]
        parts += [f"{one.value} {one.label}" for one in ask.subjects]
    return " ".join(parts)


def _whole(one: Number, text: str) -> str:
    """Return the words of a number with what it counts, without their ending: "4층", "5명"."""
    said = text[one.start : one.end]
    if one.bound and " " in said and (rest := _WORD.match(text, one.end)) is not None:
        # A bound behind it that is a verb has no ending to be left out: "1400원 넘으면".
        return f"{said}{rest.group()}".rstrip(",.?!")
    match = _WORD.match(text, one.start)
    word = match.group() if match else one.words
    return _ENDING.sub("", max(word, said, key=len)).strip() or one.words
