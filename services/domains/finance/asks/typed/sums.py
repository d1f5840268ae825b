"""Types sums: what a holding is worth, how many shares a sum buys, what was made of it, money changed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskForm, AskQuantity
from services.domains.finance.asks.drafting import as_quantity, draft, reach, spanned
from services.domains.finance.asks.last.going_on import currency_wanted
from services.domains.finance.asks.moments import is_traded, two_ends
from services.domains.finance.asks.named import entity_of, exchange_supposed, measures_named, numbers_of, price_change
from services.domains.finance.asks.spans import level_day, span_of
from services.domains.finance.asks.vocabulary import SERIES
from services.plugin.asks.answering import Claim
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

INVEST: Final = r"샀|넣었|넣어\s?(?:뒀|놨|놓)|투자했|사\s?(?:뒀|놨|두었)|담았|매수했|들어갔|bought|invested|had put|put (?:.* )?(?:in|into)\b|\b(?:dollars|won|USD) into\b|\$\d[\d,]* into\b"
_WORTH: Final = r"몇\s?주|how many shares|shares? (?:can|could|of)|주(?:를|면|의|는|가)?\s?(?:있으면|있는데|가지고|보유|들고|얼마|값|팔면|사려면|사면)|\d\s?주\b|\bshares\b"
CHANGE_MONEY: Final = (
    r"바꾸|환전|원화로|달러로|몇\s?원|몇\s?달러|how many (?:won|dollars)|convert|exchange|in won|in dollars"
)


_NOW_WORTH: Final = r"지금|현재|됐을|되었을|되어\s?있|\bworth\b|\bnow\b|\btoday\b"
"""Words for what a sum of an earlier day has become."""
_WEEKS: Final = r"\d\s?주\s?(?:신고가|신저가|최고|최저|고점|저점|간|동안|전|만에)"
"""A number of weeks, which the same word counts."""


def type_sums(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a sum: made of a holding, of shares, of dividends, of money changed."""
    numbers = numbers_of(sheet)
    money = next((one for one in numbers if one.unit in {"krw", "usd"} and one.value >= 1), None)
    count = next((one for one in numbers if one.unit == "shares"), None) or share_count(sheet, numbers)
    measures = measures_named(sheet)
    dividend = "dividend" in measures or "dividend_yield" in measures
    spends = dividend and len(shares) == 1 and sheet.says(_BUYS) and not sheet.says(_HOW_MANY)
    is_past = span_of(sheet) is not None and sheet.says(_NOW_WORTH)
    if (
        shares
        and (money or count)
        and not (money and spends)
        and (sheet.says(INVEST) or (money and is_past) or (is_traded(sheet) and two_ends(sheet)))
    ):
        quantity = as_quantity(count, "shares") if count else as_quantity(money, "sum")  # type: ignore[arg-type]
        currency = currency_wanted(sheet)
        notes = {"in": currency} if currency else {}
        ask = draft(sheet, AskForm.AMOUNT, "invest", shares[:1], quantities=(quantity,), notes=notes)
        return (Claim(spanned(ask, sheet, "ytd"), 0.95),)
    if len(shares) > 1 and (held := _holdings(sheet, shares, numbers)):
        made = draft(sheet, AskForm.AMOUNT, "holdings", shares[: len(held)], quantities=held, measures=("price",))
        return (Claim(made, 0.95),)
    if shares and count and (dividend or sheet.says(_WORTH) or "price" in measures):
        currency = currency_wanted(sheet)
        made = draft(
            sheet,
            AskForm.AMOUNT,
            "worth",
            shares[:1],
            quantities=tuple(
                filter(None, (as_quantity(count, "shares"), price_change(sheet), exchange_supposed(sheet)))
            ),
            measures=("dividend" if dividend else "price",),
            notes={"in": currency} if currency else {},
        )
        return (Claim(made, 0.95),)
    if shares and money and (spends or sheet.says(_HOW_MANY)):
        # A sum of dividends is no sum that buys.
        wanted, given = ("dividend" if dividend else "price",), (as_quantity(money, "sum"),)
        notes = {"spend": "1"} if spends else {}
        made = draft(sheet, AskForm.AMOUNT, "worth", shares[:1], quantities=given, measures=wanted, notes=notes)
        return (Claim(made, 0.95),)
    if (
        not shares
        and sheet.says(CHANGE_MONEY)
        and money
        and money.value > 1
        and sheet.says(r"달러|dollars?|USD|환전|환율")
        and not sheet.says(r"몇\s?주|how many (?:\w+ )*(?:shares|can i (?:buy|get))")
    ):
        rate = entity_of(SERIES["KR_USDKRW"], sheet)
        ask = draft(sheet, AskForm.AMOUNT, "exchange", (rate,), quantities=(as_quantity(money, "sum"),))
        start, end = level_day(sheet)
        return (Claim(replace(ask, start_date=reach(start, end), end_date=end), 0.95),)
    return ()


def _holdings(sheet: Sheet, shares: Sequence[Entity], numbers: Sequence[Number]) -> tuple[AskQuantity, ...]:
    """Return how many of each of several shares are held, in their order; empty where not each has its number."""
    counts = [one for one in numbers if one.unit in {"shares", "weeks", ""} and one.value >= 1]
    if len(counts) != len(shares):
        return ()
    behind = all(share.start < count.start for share, count in zip(shares, counts, strict=True))
    ahead = all(count.start < share.start for share, count in zip(shares, counts, strict=True))
    if not (behind or ahead) or not sheet.says(rf"\d\s?주|shares|{_HELD}"):
        return ()
    return tuple(replace(as_quantity(one, "shares"), unit="shares") for one in counts)


_HOW_MANY: Final = r"몇\s?(?:주|개)|how many|shares .* (?:buy|get)"
_BUYS: Final = (
    r"어치|사(?:면|두면|놓으면|서)|매수하|투자하|넣으면|\b(?:buy|bought|buying|invest|invested|put|worth of)\b"
)
"""A sum that buys shares, whose dividends are asked for."""
AFTER_TAX: Final = r"세후|세금[^.?!]{0,8}(?:떼|빼|제하|내고)|실수령|\b(?:after|net of) (?:the )?tax|\btake[- ]home"
_HELD: Final = r"합(?:쳐|치|하|계)|모두|전부|총|보유|가지고|갖고|들고|\b(?:total|together|altogether|combined|in all|own|hold|worth|portfolio)\b"
"""Words for what is held together."""


def share_count(sheet: Sheet, numbers: Sequence[Number]) -> Number | None:
    """Return the number of shares that is named without their unit read."""
    if sheet.says(_WEEKS):
        return None
    match = sheet.find(
        r"(?:bought|buy|own|hold|have|of)?\s?(?<![\d,])(?P<n>\d[\d,]{0,14})\s(?:[A-Z][\w&.]*\s){1,3}shares"
    )
    if match is None:
        match = sheet.find(r"(?<![\d,])(?P<n>\d[\d,]{0,14})\s?주(?=\s|를|면|가|의|는|있|씩|나|만|$|\?)")
    if match is None:
        return None
    return next(
        (one for one in numbers if one.start <= match.start("n") < one.end or one.start == match.start("n")), None
    )
