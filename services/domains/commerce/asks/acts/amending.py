"""A message as a change of an order that is shown: a line more or less, another count, another product. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore
from services.domains.commerce.asks.acts import parts, words
from services.domains.commerce.asks.acts.choosing import MARKS, ORDERED, PICKED
from services.domains.commerce.asks.acts.counting import count_said, wide_count
from services.domains.commerce.asks.acts.words import asks_something
from services.plugin.asks.asides import without_asides
from services.plugin.asks.edits import pointed, short
from services.plugin.asks.sheet import Sheet

_COUNT_WORDS_MAX: Final = 5
"""A message of more words that says a bare number may count something else."""


def order_changes(sheet: Sheet, before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    """Return what a message changes of an order that is shown: its lines and their counts, how it is paid, its product."""
    changes = {**_bill_changes(sheet, before, last), **_line_changes(sheet, last)}
    of_lines = bool(changes.keys() & {"lines", "without", "counts"})
    if not of_lines and (count := count_said(sheet, last) or wide_count(sheet, last)):
        changes |= {"quantity": count, "lines": ""}
    to = pointed(without_asides(sheet), before, "product")
    if not of_lines and (code := _other_code(sheet, last)):
        changes |= {"codes": code, "ids": "", "cart": "", "lines": "", "goods": "", PICKED: "", MARKS: "", ORDERED: ""}
    elif to is not None and to.how in {"ordinal", "other"} and to.told:
        changes |= {"ids": to.told[0].value, "codes": "", "cart": "", PICKED: ""}
    return changes


def _other_code(sheet: Sheet, last: Ask) -> str:
    """Return the model that is wanted in the place of the one that stands: the last that is named and does not stand."""
    stand = _lines_of(last)
    other = [code for code, _ in parts.codes(sheet) if code not in stand]
    named = parts.codes(sheet)
    in_place = bool(named) and sheet.says(r"말고|대신|으로|로\s|instead")
    if not other and in_place:
        return named[-1][0]
    return other[-1] if other and (in_place or not asks_something(sheet)) else ""


def _bill_changes(sheet: Sheet, before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    """Return what a message changes of how an order is paid; asked which coupons or points there are, it uses none."""
    changes = parts.bill_parts(sheet, last.notes.get("method", ""))
    if changes.get("coupon", "").startswith("said:") and not _uses(sheet):
        changes.pop("coupon")
    if "coupon" not in changes and _takes_another_coupon(sheet, last):
        return {**changes, "coupon": f"said:{sheet.text}"}
    if sheet.says(words.ASKS_WHICH) and not sheet.says(words.USES):
        return {name: value for name, value in changes.items() if name not in {"coupon", "points"}}
    told_coupons = bool(before) and any(one.answerer.endswith("own_coupons") for one in before[0].asks)
    if told_coupons and "coupon" not in changes and sheet.says(words.USES) and not sheet.says(words.POINTS_WORD):
        changes["coupon"] = f"said:{sheet.text}"
    return changes


def _takes_another_coupon(sheet: Sheet, last: Ask) -> bool:
    """Tell whether a message names a coupon by its percentage, in the place of the one that an order uses."""
    by_percent = any(one.unit == "percent" for one in sheet.numbers) and last.notes.get("coupon", "none") != "none"
    return by_percent and (sheet.says(words.USES) or sheet.says(r"바꿔|바꾸|그걸로|\binstead\b|\bswitch\b|\brather\b"))


def _uses(sheet: Sheet) -> bool:
    """Tell whether a message that speaks of a coupon uses one: it says so, or names one in few words."""
    return sheet.says(words.USES) or (
        short(sheet.text, _COUNT_WORDS_MAX) and bool(sheet.numbers) and "?" not in sheet.text
    )


def _line_changes(sheet: Sheet, last: Ask) -> dict[str, str]:
    """Return what a message changes of the lines of an order: one left out, one more, another count of one of them."""
    codes, kinds = parts.codes(sheet), [one.value for one in sheet.of_kind("category")]
    stand = _lines_of(last)
    if sheet.says(words.LEAVES) and (codes or kinds) and not sheet.says(r"말고|대신|instead|rather than"):
        left = "|".join([*(code for code, _ in codes), *kinds])
        return {"without": left} if len(stand) > 1 or last.notes.get("cart") else {}
    if kinds and not codes and (count := _line_count(sheet, last)) and (len(stand) > 1 or last.notes.get("cart")):
        return {"counts": f"{kinds[0]}={count}"}
    if not codes or not stand:
        return {}
    said = dict(one.split("=") for one in parts.counted(sheet, codes).split("|"))
    if said.keys() <= stand.keys() and parts.quantities(sheet):
        return {"lines": _joined({**stand, **said})} if len(stand) > 1 else {}
    if sheet.says(words.JOINS) and not said.keys() & stand.keys():
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
