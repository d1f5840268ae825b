"""The ask what another price would bring: the numbers of a question with their roles, and the product that it names."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity
from services.domains.commerce.asks.goods.drafts import codes_in
from services.domains.commerce.asks.seller.words import DOWN
from services.domains.commerce.rules import RULES
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.text.patterns import Pattern

_REACH: Final = 24
_BARE_FROM: Final = 1000
_ELASTICITY: Final = Pattern(r"(?:탄력\S*|elasticit\w*)\W*(?:은|는|이|가|of|is|at)?\s?[-−]?\s?$", re.IGNORECASE)
_COST_BEFORE: Final = Pattern(
    r"(?:원가|단가|매입\S*|들여오는\s?값|떼오는\s?값|costs?|cost price)(?:은|는|이|가|\sme|\sis|\sof|\sus)*\s*(?:₩|KRW)?\s?$",
    re.IGNORECASE,
)
_COST_BEHIND: Final = Pattern(
    r"\s?(?:에\s?(?:사|떼|매입)|(?:의\s)?원가(?!\s?\d)|\s(?:unit )?cost\b(?!\W{0,3}(?:is |of |KRW |₩)?\d))",
    re.IGNORECASE,
)
_TO_BEHIND: Final = Pattern(
    r"\s?(?:으로|로|에|까지)\s?(?:바꾸|바꿔|올리|올려|올릴|내리|내려|내릴|낮추|낮춰|낮출|높이|높여|높일|인상|인하|조정|할인|팔(?:면|게|까|려|고\s?싶|았을|\s?경우))"
)
_TO_BEFORE: Final = Pattern(r"\b(?:to|at)\s(?:₩|KRW\s)?$", re.IGNORECASE)
_CHANGES: Final = r"raise|lower|cut|reduce|increase|drop|change|바꾸|바꿔|올리|올려|내리|내려|낮추|높이|인상|인하"
_BY_BEHIND: Final = Pattern(r"\s?(?:을|를|쯤|정도|만큼|만)?\s?(?:올리|올려|내리|내려|낮추|낮춰|높이|높여|인상|인하|깎)")
_OFF: Final = Pattern(r"\s?(?:won\s)?off\b", re.IGNORECASE)
_BY_BEFORE: Final = Pattern(r"\bby\s(?:₩|KRW\s)?$", re.IGNORECASE)


def pricing_ask(sheet: Sheet) -> Ask:
    """Return the ask what another price would bring, of the product that is named or of the numbers that are given."""
    last = sheet.today - timedelta(days=1)
    codes = codes_in(sheet)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        intent="simulate_pricing",
        answerer="pricing",
        subjects=(*(Entity("product_code", code, code, code) for code in codes), *sheet.of_kind("category")[:1]),
        quantities=tuple(pricing_roles(sheet)),
        start_date=(last - timedelta(days=RULES.pricing.days - 1)).isoformat(),
        end_date=last.isoformat(),
        notes={
            "down": "yes" if sheet.says(DOWN) else "",
            "said": sheet.text,
            "seller": "yes" if sheet.user_type == "seller" else "",
        },
    )


def pricing_roles(sheet: Sheet) -> list[AskQuantity]:
    """Return the numbers with their roles: cost, elasticity, change in percent or won, units, price and the new price."""
    found: dict[str, AskQuantity] = {}
    for role, one in _roles(sheet):
        place = "new_price" if role == "price" and "price" in found else role
        value = -abs(one.value) if role == "elasticity" else one.value
        found.setdefault(place, AskQuantity(place, f"{value:f}", one.unit or "count", one.words, one.start, one.end))
    return list(found.values())


def _roles(sheet: Sheet) -> Iterator[tuple[str, Number]]:
    for one in _told_apart(sheet.numbers):
        before = sheet.text[max(0, one.start - _REACH) : one.start]
        if _ELASTICITY.search(before):
            yield "elasticity", one
        elif one.unit == "percent":
            yield "change", one
        elif one.unit == "krw" or (one.is_bare and one.value >= _BARE_FROM):
            yield _money_role(one, before, sheet), one
        elif one.unit in {"count", "", "shares"}:
            yield "units", one


def _told_apart(numbers: Sequence[Number]) -> Iterator[Number]:
    """Yield the numbers without the one that only says "a piece", where so many pieces are told as well."""
    several = any(one.unit == "count" and one.value > 1 for one in numbers)
    return (one for one in numbers if not (several and one.unit == "count" and one.value == 1))


def _money_role(one: Number, before: str, sheet: Sheet) -> str:
    if _COST_BEFORE.search(before) or _COST_BEHIND.match(sheet.text, one.end):
        return "cost"
    if _TO_BEHIND.match(sheet.text, one.end) or (
        _TO_BEFORE.search(before) and re.search(_CHANGES, before, re.IGNORECASE)
    ):
        return "new_price"
    if _BY_BEFORE.search(before) or _OFF.match(sheet.text, one.end) or _BY_BEHIND.match(sheet.text, one.end):
        return "delta"
    return "price"
