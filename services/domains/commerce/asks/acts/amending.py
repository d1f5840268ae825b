"""A message as a change of an order that is shown: a line more or less, another count, another product. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore
from services.domains.commerce.asks.acts import parts, words
from services.plugin.asks.edits import pointed, short
from services.plugin.asks.sheet import Sheet

_COUNT_WORDS_MAX: Final = 5
"""A message of more words that says a bare number may count something else."""


def order_changes(sheet: Sheet, before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    """Return what a message changes of an order that is shown: its lines and their counts, how it is paid, its product."""
    changes = {**_bill_changes(sheet, before, last), **_line_changes(sheet, last)}
    if not changes.keys() & {"lines", "without", "counts"} and (count := count_said(sheet, last)):
        changes |= {"quantity": count, "lines": ""}
    replaced = parts.codes(sheet)
    if replaced and not changes.keys() & {"lines", "without", "counts"} and sheet.says(r"말고|대신|으로|로\s|instead"):
        changes |= {"codes": replaced[-1][0], "ids": "", "cart": "", "lines": ""}
    elif (to := pointed(sheet, before, "product")) is not None and to.how in {"ordinal", "other"} and to.told:
        changes |= {"ids": to.told[0].value, "codes": "", "cart": ""}
    return changes


def _bill_changes(sheet: Sheet, before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    """Return what a message changes of how an order is paid; asked which coupons or points there are, it uses none."""
    changes = parts.bill_parts(sheet)
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
    return {}


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


def count_said(sheet: Sheet, last: Ask) -> str:
    """Return the count that a message changes an order to; "한 개 더" adds to what stands."""
    counts = parts.quantities(sheet)
    bare = re.search(
        r"(?P<n>\d{1,3})\s?(?:으로|로)\s?(?:바꿔|변경|해|할)|make (?:it|that) (?P<en>\w+)", sheet.text, re.IGNORECASE
    )
    number = counts[-1][0] if counts else None
    if number is None and (bare is not None or (short(sheet.text, 4) and sheet.says(words.MORE))):
        number = parts.bare_count(sheet)
    if number is None and short(sheet.text, _COUNT_WORDS_MAX):
        number = _only_count(sheet)
    if number is None:
        return ""
    stands = int(last.notes.get("quantity") or 1)
    if not sheet.says(_TO_A_COUNT) and sheet.says(r"(?:개|하나|병|대|권)\s?(?:만\s?)?더|\bmore\b|\banother\b|추가"):
        return str(stands + number)
    return str(number)


_TO_A_COUNT: Final = (
    r"(?:개|대|병|권|켤레|하나|둘|셋)\s?(?:으로|로)(?=\s|[.!~]|$)|\b(?:to|make (?:it|that)|total of) \w+"
)
"""A count that an order is changed to, whatever is added for it."""


def _only_count(sheet: Sheet) -> int | None:
    """Return the number of a short message that says one and nothing of what it counts: "then just 10"."""
    if sheet.says(words.POINTS_WORD):
        return None
    found = [one for one in sheet.numbers if not one.unit and not one.bound and one.value == int(one.value)]
    return int(found[0].value) if len(found) == 1 and len(sheet.numbers) == 1 and found[0].value >= 1 else None
