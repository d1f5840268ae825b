"""The dearest home that an income, savings and a loan reach: the loan is bound by what it is of the price and of the income."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.lending import LoanTerms
from services.domains.realty.asks.loans.topics import REACH
from services.domains.realty.asks.proved import ALONE, money, number_of, reckoned, wanting
from services.domains.realty.asks.sums import drafted
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled

_HOME: Final = r"집|아파트|빌라|오피스텔|주택"
_WHICH_PRICE: Final = (
    rf"(?:얼마|몇\s?억)\s?(?:짜리|정도(?:의|\s?하는)?|까지(?:의)?|대)?\s?(?:{_HOME})(?:을|를|은|까지|이|가)?[^?.]{{0,14}}(?:살|사|볼|가능|넘볼|감당|노려|알아|들어갈|되)"
    rf"|(?:{_HOME})(?:을|를|은|이|가)?\s?(?:최대\s?)?(?:얼마|몇\s?억)(?:짜리|\s?정도)?(?:의\s?것)?까지[^?.]{{0,10}}(?:살|사|볼|가능|감당|되)"
    r"|\bhow (?:expensive|dear|pricey|costly|much)(?: of)? an? (?:home|house|apartment|flat|place|officetel|villa)\b|\b(?:what|which|how high a|up to what|maximum|max) (?:home |house |purchase )?price\b[^?.]{0,30}\b(?:afford|buy|reach|manage|stretch)|\bhow much (?:home|house|apartment)\b"
)
"""Asks for the price of the home, and for no loan."""
_NO_LEASE: Final = r"전세|월세|jeonse|\brent"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask up to which price a home is within reach; none where no income and no savings are named."""
    del before
    if not sheet.says(_WHICH_PRICE) or sheet.says(_NO_LEASE):
        return ()
    ask = drafted(sheet, REACH, AskForm.AMOUNT)
    if not {"savings", "income_year"} & {one.role for one in ask.quantities} or number_of(ask, "price") is not None:
        return ()
    return (Claim(ask, CERTAIN, is_whole=True),)


def _answer(ask: Ask, found: Found) -> Outcome:
    income, savings, rate = (number_of(ask, one) for one in ("income_year", "savings", "rate"))
    if income is None or savings is None or rate is None:
        return wanting(ask, *(one for one in REACH.needs if number_of(ask, one) is None))
    terms = LoanTerms.of(ask, rate)
    price, binding = reach(savings, terms.ltv, terms.by_income(income))
    loan = price - savings
    sentence = filled(
        "최대 {price}짜리 집까지 살 수 있습니다. 대출 {loan}(한도를 정하는 것은 {binding})에 가진 돈 {savings:을/를} 더한 값입니다.",
        "You can reach a home of up to {price}: a loan of {loan}, which the {binding} limits, and your {savings}.",
        price=money(price),
        loan=money(loan),
        binding=binding,
        savings=money(savings),
    )
    return reckoned(answered(ask, sentence, cautions=(_BESIDE,)), ask, found, terms.used(), terms.paid(loan))


def reach(savings: Decimal, ltv: Decimal, by_income: Decimal) -> tuple[Decimal, str]:
    """Return the highest price in won with the name of what limits it.

    Args:
        savings: What is paid of one's own, in won.
        ltv: The share of the price that may be borrowed, in percent.
        by_income: The loan that the income bears, in won.
    """
    by_price = savings * 100 / (100 - ltv) if ltv < _WHOLE else savings + by_income
    return min((calc.floored(by_price), "LTV"), (savings + by_income, "DSR"))


_WHOLE: Final = 100
_BESIDE: Final = Said(
    "취득세와 중개보수만큼은 더 남겨 두어야 하며, 규제지역은 한도가 낮고 은행 심사로 달라질 수 있습니다.",
    "Keep what taxes and fees cost on top; limits are lower in regulated areas, and the bank's review may change them.",
)

ANSWERERS: Final = (Answerer(REACH.answerer, ALONE, _answer),)
