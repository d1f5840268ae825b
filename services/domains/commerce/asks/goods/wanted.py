"""Which properties of goods a message wants or denies, as conditions on the rows of a category."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Final

from services.contract.asks import AskCondition
from services.domains.commerce.asks.corrections import takes_back
from services.domains.commerce.asks.former import wishes_of_before
from services.domains.commerce.asks.goods.features import OPERATORS, Attribute, Value, attributes_of, categories
from services.plugin.asks.numbers import Number, ranges
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.text.patterns import Pattern

_NOT_BEHIND: Final = Pattern(
    r"(?:색|색상|형|으로|거|것|\s)*(?:은|는|이|가|을|를)?\s?(?:말고|빼고|제외|아닌|없는|없이|안\s?되는|아니고|싫|질색|별로|사양|필요\s?없|원(?:하지|치)\s?않|안\s?(?:좋아|사|입|써))"
)


_NOT_BEFORE: Final = (
    r"(?:(?:\bnot|n't)(?:\s(?:really\s)?(?:want|like|need|fancy|wear|a fan of|into|keen on|be))?(?:\s(?:an?|any|it|them|the|one))?"
    r"|\bno|\bwithout(?: an?)?|\bnon|\bother than|\bexcept|\banything but|\b(?:hate|dislike|avoid))[\s-]*(?:in\s)?$"
)


_EITHER_BEHIND: Final = Pattern(
    r"(?:색|색상|형|거|것|\s)*(?:은|는|이|가|을|를)?\s?(?:(?:꼭\s)?아니(?:어|여|라)도|아녀도|없어도|안\s?[가-힣]{1,3}도|상관\s?없|무관)"
    r"|\s(?:or not\b|(?:is|are) (?:optional|not (?:needed|necessary|a must))|(?:does|do)(?:n'?t| not) matter)",
    re.IGNORECASE,
)
_EITHER_BEFORE: Final = (
    r"(?:n'?t|\bnot)\s(?:(?:have|need|got)\sto\s(?:be|have)|need|necessarily(?:\sbe)?)(?:\s(?:an?|in|the))*\s$"
)
"""What leaves a property open, behind or before it: "검정 아니어도 돼", "it doesn't have to be black"."""


_SERVINGS: Final = Pattern(
    r"\s?(?:인용|인분|인\s?가족|명|사람|식구|[- ]?servings?|[- ]?persons?|people|cups?)", re.IGNORECASE
)
_SERVED: Final = Pattern(r"\b(?:for|feeds?|serves?)\s(?:(?:about|around|up to|the)\s)*$", re.IGNORECASE)
_PEOPLE_MAX: Final = 20
_WIDTH: Final = Pattern(r"\s?(?:폭|짜리|사이즈|센티|책상|desk|wide)", re.IGNORECASE)
_WIDTH_BEFORE: Final = Pattern(r"(?:폭|너비|가로|width)(?:이|가|은)?\s?(?:of\s)?$", re.IGNORECASE)
_MILLIMETRES_FROM: Final = 600
_CENTIMETRES_FROM: Final = 60


def conditions_in(sheet: Sheet, category: str) -> tuple[AskCondition, ...]:
    """Return the properties that a question wants of a category's goods; of two values of one the last that is not denied."""
    found: list[AskCondition] = []
    for attribute in attributes_of(category):
        said = [*_numbers(sheet, attribute), *_values(sheet, attribute)]
        if not said:
            continue
        wanted = [one for one in said if one.operator != "ne"] or said
        bounds = [one for one in wanted if one.operator not in {"eq", "ne"}]
        several = list(dict.fromkeys(one.value for one in wanted))
        if bounds:
            found += {(one.operator, one.value): one for one in bounds}.values()
        elif len(several) > 1 and wanted[0].operator == "eq":
            found.append(replace(wanted[0], operator="in", value="|".join(several)))
        elif wanted[0].operator == "ne":
            found += {one.value: one for one in wanted}.values()
        else:
            found += wanted[:1]
    return tuple(found)


def own_conditions(sheet: Sheet, category: str) -> tuple[AskCondition, ...]:
    """Return the values that a question wants of a property which goods of no other kind have; a size is of any goods."""
    others = [one for kind in categories() if kind != category for one in attributes_of(kind)]
    shared = {(one.field, value.value) for one in others for value in one.values}
    own = (one for one in conditions_in(sheet, category) if (one.field, one.value) not in shared)
    return tuple(one for one in own if not (one.unit or _is_said_of_others(one, others) or _is_a_thing(one, sheet)))


def _is_a_thing(one: AskCondition, sheet: Sheet) -> bool:
    """Tell whether the words of a property name goods of their own, which are not sold: an induction hob."""
    words = one.words.casefold()
    return any(words in thing for thing in things_in(sheet))


def things_in(sheet: Sheet) -> tuple[str, ...]:
    """Return the nouns of goods that a message names, sold or not."""
    text = sheet.text.casefold()
    return tuple(thing for thing in things() if thing in text and len(thing) > 1 and _is_word(thing, text))


def _is_word(thing: str, text: str) -> bool:
    """Tell whether a noun stands in a text as a word; a plural is one."""
    return not thing.isascii() or re.search(rf"\b{re.escape(thing)}(?:s|es)?\b", text) is not None


@cache
def things() -> frozenset[str]:
    """Return the nouns of goods, sold or not."""
    document = read_yaml("services.domains.commerce", "words.yaml")
    goods = document["owns"]["goods"] if isinstance(document, dict) else ()
    return frozenset(str(one).casefold() for one in goods)


def _is_said_of_others(one: AskCondition, others: Sequence[Attribute]) -> bool:
    """Tell whether the words of a property are those of one of other goods as well."""
    values = (value for attribute in others for value in attribute.values)
    return any(re.search(value.words, one.words, re.IGNORECASE) for value in values)


def _values(sheet: Sheet, attribute: Attribute) -> Iterator[AskCondition]:
    for one in attribute.values:
        for match in re.finditer(one.words, sheet.text, re.IGNORECASE):
            end = _end_of_value(one, match, sheet.text)
            if _is_open(match.start(), end, sheet) or _is_corrected(end, one, attribute, sheet):
                continue
            # "중형 이상", "50MP or more": a value that is a number may be where a range begins or ends.
            plain = _bound_at(end, sheet) if one.value.isdigit() else ""
            operator = "ne" if _is_denied(match.start(), end, sheet) else plain or "eq"
            yield AskCondition(attribute.field, operator, one.value, "", match.group())
            break
        else:
            if any(re.search(one.words, words, re.IGNORECASE) for words in sheet.aside_words):
                yield AskCondition(attribute.field, "ne", one.value, "", one.label.ko)


def _is_open(start: int, end: int, sheet: Sheet) -> bool:
    """Tell whether it is left open whether goods have what is said at a place."""
    before = re.search(_EITHER_BEFORE, sheet.text[:start], re.IGNORECASE)
    return before is not None or _EITHER_BEHIND.match(sheet.text, end) is not None


def _is_corrected(end: int, value: Value, attribute: Attribute, sheet: Sheet) -> bool:
    """Tell whether another value follows that takes the place of one which ends at a place: "mechanical, no, silent"."""
    others = "|".join(one.words for one in attribute.values if one is not value)
    behind = takes_back(sheet.text, end, end + _CORRECTED_MAX)
    if behind is not None and re.match(rf"(?:\S+\s)?(?:{others})", sheet.text[behind:], re.IGNORECASE):
        return True
    over = [last for first, last in wishes_of_before(sheet.text) if first <= end <= last]
    return bool(over) and re.search(others, sheet.text[over[0] :], re.IGNORECASE) is not None


_CORRECTED_MAX: Final = 20
"""How far behind a value the words may end that take it back."""


def _is_denied(start: int, end: int, sheet: Sheet) -> bool:
    """Tell whether the words of a value are put aside by what stands behind or before them."""
    before = re.search(_NOT_BEFORE, sheet.text[:start], re.IGNORECASE)
    return before is not None or _NOT_BEHIND.match(sheet.text, end) is not None


def _end_of_value(value: Value, match: re.Match[str], text: str) -> int:
    """Return where the words of a value end that begin with a match: "헤파" of "헤파필터", "블루투스" of "블루투스 무선"."""
    labels = (value.label.ko.casefold(), value.label.en.casefold())
    plain = text.casefold()
    ends = (
        at + len(label)
        for label in labels
        if (at := plain.find(label, max(0, match.start() - len(label)))) >= 0 and at <= match.start() < at + len(label)
    )
    return max((match.end(), *ends))


def _numbers(sheet: Sheet, attribute: Attribute) -> Iterator[AskCondition]:
    within = [
        (low, high)
        for low, high in ranges(sheet.numbers, sheet.text, moves=False)
        if _in_unit(high, attribute.unit, sheet) is not None
    ]
    for low, high in within:
        words = sheet.text[low.start : high.end]
        for figure, way in ((low.value, "ge"), (high.value, "le")):
            end = _in_unit(replace(high, value=figure), attribute.unit, sheet)
            if end is not None:
                yield AskCondition(attribute.field, way, f"{end.normalize():f}", attribute.unit, words)
    for number in sheet.numbers:
        if any(low.start <= number.start <= high.start for low, high in within):
            continue
        value = _in_unit(number, attribute.unit, sheet)
        if value is None and (next_to := _next_to(number, sheet)) is not None:
            value = _in_unit(replace(next_to, value=number.value), attribute.unit, sheet)
        if value is None and _is_beside_noun(number, attribute, sheet):
            value = number.value
        if value is not None:
            # A room may be smaller than what a purifier is made for.
            plain = "ge" if attribute.unit == "m2" else "eq"
            bound = number.bound or _bound_behind(number, sheet)
            if bound == "band":
                yield from _banded(attribute, value, number.words)
                continue
            operator = bound if bound in OPERATORS else plain
            operator = (
                "ne" if operator == "eq" and _is_denied(number.start, _end_of_unit(number, sheet), sheet) else operator
            )
            yield AskCondition(attribute.field, operator, f"{value.normalize():f}", attribute.unit, number.words)


def _banded(attribute: Attribute, value: Decimal, words: str) -> Iterator[AskCondition]:
    """Yield the two ends of a band of numbers: "20리터대" is from 20 to below 30, "13인치대" below 14."""
    above = value + (10 if value % 10 == 0 else 1)
    for way, end in (("ge", value), ("lt", above)):
        yield AskCondition(attribute.field, way, f"{end.normalize():f}", attribute.unit, words)


def _end_of_unit(number: Number, sheet: Sheet) -> int:
    """Return where a number ends with its unit, also one that is none of the language's: "6인용", "1200폭"."""
    digits = _digits_end(number, sheet)
    units = (one.match(sheet.text, digits) for one in (_SERVINGS, _WIDTH))
    return max((number.end, *(one.end() for one in units if one)))


def _next_to(number: Number, sheet: Sheet) -> Number | None:
    """Return the number that a bare one shares its unit with: "27 or 32 inch", "8이나 11인치"."""
    follows = (one for one in sheet.numbers if one.start > number.start)
    right = next(follows, None) if number.is_bare and not number.bound else None
    return right if right is not None and _OR.fullmatch(sheet.text[number.end : right.start]) else None


_OR: Final = Pattern(r"\s?(?:이?나|또는|혹은|하고|[,/·]|(?:,\s)?(?:and|or))\s?", re.IGNORECASE)


def _bound_behind(number: Number, sheet: Sheet) -> str:
    """Return how a number bounds whose unit is none of the language's: "6인용 이상"."""
    unit = _SERVINGS.match(sheet.text, _digits_end(number, sheet))
    return _bound_at(unit.end(), sheet) if unit else ""


def _bound_at(place: int, sheet: Sheet) -> str:
    """Return how what ends at a place bounds by the words behind it; empty where it does not."""
    behind = _BOUND.match(sheet.text, place)
    return next((name for name, said in behind.groupdict().items() if said), "") if behind else ""


_BOUND: Final = Pattern(
    r"\s?(?:(?P<ge>이상|부터|or more)|(?P<le>이하|까지|or (?:less|fewer))|(?P<lt>미만)|(?P<gt>초과|넘))", re.IGNORECASE
)


def _is_beside_noun(number: Number, attribute: Attribute, sheet: Sheet) -> bool:
    """Tell whether a number without a unit stands right behind the noun of a property that has one: "저장공간 256은"."""
    # 4K is what a screen shows, and no number of inches.
    if not (number.is_bare and attribute.unit and attribute.noun) or number.words[-1:] in "kK":
        return False
    before = rf"(?:{attribute.noun})(?:\s?[가-힣]{{0,3}})?\s?$"
    return re.search(before, sheet.text[: number.start], re.IGNORECASE) is not None


def _in_unit(number: Number, unit: str, sheet: Sheet) -> Decimal | None:
    """Return a number as a value of a unit; None where it is of another."""
    if not unit:
        return None
    if unit == "m2" and number.unit in {"pyeong", "m2"}:
        return number.as_m2.quantize(Decimal(1))
    if unit == "gb" and number.unit == "tb":
        return number.value * 1024
    if unit == "cm":
        return _centimetres(number, sheet)
    if unit == "servings":
        counted = _SERVINGS.match(sheet.text, _digits_end(number, sheet)) or number.words.endswith(("명", "인"))
        served = number.is_bare and number.value <= _PEOPLE_MAX and _SERVED.before(sheet.text, number.start)
        return number.value if counted or served else None
    return number.value if number.unit == unit else None


def _digits_end(number: Number, sheet: Sheet) -> int:
    """Return where the digits of a number end: its unit may be none of the language's."""
    match = Pattern(r"\D*\d+").match(sheet.text, number.start, number.end)
    return match.end() if match else number.end


def _centimetres(number: Number, sheet: Sheet) -> Decimal | None:
    """Return a width in centimetres; shops write it in millimetres as well ("1600폭")."""
    if number.unit == "cm":
        return number.value
    if number.unit == "mm" or (number.is_bare and number.value >= _MILLIMETRES_FROM):
        named = (
            number.unit == "mm"
            or _WIDTH.match(sheet.text, number.end)
            or _WIDTH_BEFORE.before(sheet.text, number.start)
        )
        return number.value / 10 if named else None
    wide = _WIDTH.match(sheet.text, number.end) or _WIDTH_BEFORE.before(sheet.text, number.start)
    return number.value if number.is_bare and wide and number.value >= _CENTIMETRES_FROM else None
