"""A message as a change of an order that is shown: a line more or less, another count, another product. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore
from services.domains.commerce.asks.acts import parts, words
from services.domains.commerce.asks.acts.choosing import MARKS, ORDERED, PICKED
from services.domains.commerce.asks.acts.counting import count_said, wide_count
from services.plugin.asks.asides import without_asides
from services.plugin.asks.edits import pointed
from services.plugin.asks.sheet import Sheet

_COUNT_WORDS_MAX: Final = 5
"""A message of more words that says a bare number may count something else."""


def order_changes(sheet: Sheet, before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    """Return what a message changes of an order that is shown: its lines and their counts, how it is paid, its product."""
    changes = {**_bill_changes(sheet, before, last), **_line_changes(sheet, last)}
    of_lines = bool(changes.keys() & {"lines", "without", "counts"})
    if changes.get("points", "").isdigit() and told_points(before):
        return changes
    named = bool(parts.codes(sheet))
    if not of_lines and (count := count_said(sheet, last) or ("" if named else wide_count(sheet, last))):
        changes |= {"quantity": count, "lines": "", "uncounted": ""}
    elif not of_lines and (said := parts.uncounted(sheet)):
        changes["uncounted"] = said
    to = pointed(without_asides(sheet), before, "product")
    if not of_lines and (code := _other_code(sheet, last)):
        changes |= {"codes": code, "ids": "", "cart": "", "lines": "", "goods": "", PICKED: "", MARKS: "", ORDERED: ""}
    elif to is not None and to.how in {"ordinal", "other"} and to.told:
        changes |= {"ids": to.told[0].value, "codes": "", "cart": "", PICKED: ""}
    return changes


def is_unheard(sheet: Sheet, last: Ask, changes: Mapping[str, str]) -> bool:
    """Tell whether a message names a model beside an order that neither stands in it nor is in what it changes."""
    heard = "|".join(changes.get(name, "") for name in ("codes", "lines", "without", "only"))
    stand = _lines_of(last)
    return any(code not in heard and code not in stand for code, _ in parts.codes(sheet))


def _other_code(sheet: Sheet, last: Ask) -> str:
    """Return the model that is wanted in the place of the one that stands: the last that is named and does not stand."""
    stand = _lines_of(last)
    other = [code for code, _ in parts.codes(sheet) if code not in stand]
    named = parts.codes(sheet)
    in_place = bool(named) and sheet.says(_IN_PLACE)
    if not other and in_place:
        return named[-1][0]
    return other[-1] if other and in_place else ""


_IN_PLACE: Final = (
    r"말고|대신|으로(?=\s|$|[.!~요])|로(?=\s|$|[.!~요])|^아니|낫|나을|바꿔|바꾸|할래|갈아"
    r"|\binstead\b|\bactually\b|\brather\b|\bswitch\b|\bswap\b|\breplace\b|\bchange\b|\bmake (?:it|that)\b|\bbetter\b|\bprefer\b|\bgo (?:with|for)\b|^no\b"
)
"""Wants another product in the place of the one that stands."""


def _bill_changes(sheet: Sheet, before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    """Return what a message changes of how an order is paid; asked which coupons or points there are, it uses none."""
    changes = parts.bill_parts(sheet, last.notes.get("method", ""))
    if changes.get("coupon", "").startswith("said:") and words.asks_something(sheet) and not sheet.says(words.USES):
        changes.pop("coupon")
    if "coupon" not in changes and _takes_another_coupon(sheet, last):
        return {**changes, "coupon": parts.coupon_said(sheet)}
    if sheet.says(words.ASKS_WHICH) and not sheet.says(words.USES):
        return {name: value for name, value in changes.items() if name not in {"coupon", "points"}}
    told_coupons = bool(before) and any(one.answerer.endswith("own_coupons") for one in before[0].asks)
    names_one = sheet.says(words.USES) or (bool(sheet.numbers) and not words.asks_something(sheet))
    if told_coupons and names_one and not (changes.keys() & {"coupon", "points"} or sheet.says(words.POINTS_WORD)):
        changes["coupon"] = parts.coupon_said(sheet)
    if told_points(before) and sheet.says(words.USES) and not changes.keys() & {"coupon", "points"}:
        sums = [
            one for one in sheet.numbers if one.unit in {"", "count", "points", "krw"} and one.value >= parts.POINTS_MIN
        ]
        changes |= {"points": str(int(sums[0].value))} if len(sums) == 1 else {}
    return changes


def told_points(before: Sequence[AskedBefore]) -> bool:
    """Tell whether it was told just before how many points there are."""
    return bool(before) and any(one.answerer.endswith("own_points") for one in before[0].asks)


def _takes_another_coupon(sheet: Sheet, last: Ask) -> bool:
    """Tell whether a message names a coupon by its percentage, in the place of the one that an order uses."""
    by_percent = any(one.unit == "percent" for one in sheet.numbers) and last.notes.get("coupon", "none") != "none"
    return by_percent and (sheet.says(words.USES) or sheet.says(r"바꿔|바꾸|그걸로|\binstead\b|\bswitch\b|\brather\b"))


def _line_changes(sheet: Sheet, last: Ask) -> dict[str, str]:
    """Return what a message changes of the lines of an order: one left out, one more, another count of one of them."""
    codes, kinds = parts.codes(sheet), [one.value for one in sheet.of_kind("category")]
    stand = _lines_of(last)
    if sheet.says(words.LEAVES) and (codes or kinds) and not sheet.says(r"말고|대신|instead|rather than"):
        left = "|".join([*(code for code, _ in codes), *kinds])
        return {"without": left} if len(stand) > 1 or last.notes.get("cart") else {}
    of_several = len(stand) > 1 or bool(last.notes.get("cart"))
    if of_several and (only := _only(sheet)):
        return {"only": only, "without": ""}
    if kinds and not codes and of_several and (count := _line_count(sheet, last)):
        return {"counts": f"{kinds[0]}={count}"}
    return _named_lines(sheet, codes, stand) if codes and stand else {}


def _named_lines(sheet: Sheet, codes: Sequence[tuple[str, int]], stand: Mapping[str, str]) -> dict[str, str]:
    """Return what a message that names models changes of the lines that stand."""
    said = dict(one.split("=") for one in parts.counted(sheet, codes).split("|"))
    if said.keys() <= stand.keys() and parts.quantities(sheet):
        return {"lines": _joined({**stand, **said})} if len(stand) > 1 else {}
    if sheet.says(words.JOINS) and not sheet.says(words.INSTEAD) and not said.keys() & stand.keys():
        together = {**stand, **said}
        return {"lines": _joined(together), "codes": "|".join(together)}
    return _one_of_them(sheet, codes, stand)


def _one_of_them(sheet: Sheet, codes: Sequence[tuple[str, int]], stand: Mapping[str, str]) -> dict[str, str]:
    """Return the lines of an order of which one piece shall be another product: "make one of them the C60"."""
    if len(stand) != 1 or len(codes) != 1 or codes[0][0] in stand or not sheet.says(_ONE_OF_THEM):
        return {}
    (code, count), other = next(iter(stand.items())), codes[0][0]
    if int(count) < _SEVERAL:
        return {}
    together = {code: str(int(count) - 1), other: "1"}
    return {"lines": _joined(together), "codes": "|".join(together), "ids": "", "quantity": ""}


def _only(sheet: Sheet) -> str:
    """Return what alone is to stay of an order: "키보드만", "just the keyboard"."""
    named = [(one.value, one.start, one.end) for one in sheet.of_kind("category")]
    named += [(code, start, start + len(code)) for code, start in parts.codes(sheet)]
    text = sheet.text
    kept = [
        value
        for value, start, end in named
        if re.match(r"만(?!\s?(?:빼|말고|제외))", text[end:])
        or re.search(r"\b(?:just|only) the $", text[:start], re.IGNORECASE)
    ]
    return "|".join(kept)


_SEVERAL: Final = 2
_ONE_OF_THEM: Final = (
    r"(?:하나|한\s?(?:개|대|켤레))(?:는|만|를|을)\s|둘\s?중\s?하나|\bone of (?:them|those|the)\b|\bthe other one\b"
)


def _line_count(sheet: Sheet, last: Ask) -> str:
    """Return the count that a message gives to one kind of the goods of an order: "스피커는 두 개로"."""
    return count_said(sheet, replace(last, notes={}))


def _lines_of(last: Ask) -> dict[str, str]:
    """Return the counts of the products that an order names by their codes."""
    if lines := last.notes.get("lines"):
        return dict(one.split("=") for one in lines.split("|"))
    codes = [one for one in last.notes.get("codes", "").split("|") if one]
    return dict.fromkeys(codes, last.notes.get("quantity") or "1")


def _joined(lines: Mapping[str, str]) -> str:
    return "|".join(f"{code}={count}" for code, count in lines.items())
