"""The figures of a seller's sales: what they are called and how they are told."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from services.contract.asks import Said
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import decimal, exact_won, percent

MEASURES: Final = (
    *("revenue", "profit", "units", "orders", "visitors", "cancel_rate", "return_rate", "conversion", "margin"),
    *("cancelled", "returned"),
    *("first_day", "last_day"),
)
"""What is read of sales."""


def _counted(korean: str, english: str) -> str:
    """Return a regular expression of words that count orders which came to an end: "반품 건수", "how many returns"."""
    return (
        rf"{korean}(?:된|한)?\s?(?:주문\s?)?(?:건수|(?:은|는|이|가)?\s?몇\s?건)"
        rf"|\b(?:how many|number of) (?:orders? (?:(?:were|was|got|are) )?)?(?:{english})\b"
    )


CANCELLED: Final = _counted("취소", "cancellations?|cancel+ed")
RETURNED: Final = _counted("(?:반품|환불)", "returns?|returned|refunds?|refunded")
_MOST: Final = r"(?:제일|가장|젤)\s?(?:많|자주|적)[가-힣]*"
NAMES: Final[Mapping[str, tuple[str, Said]]] = {
    "revenue": (r"매출|매상|수입|벌었|revenue|\bsales\b|turnover|earn", Said("매출", "revenue")),
    "profit": (r"이익|이윤|순익|수익(?!성)|profit(?!ab)", Said("이익", "profit")),
    "units": (
        r"판매량|판매\s?수량|몇\s?개|개수|수량|팔린|팔렸|많이\s?(?:팔|나가|나간)|units|sold|will sell|pieces",
        Said("판매량", "units sold"),
    ),
    "orders": (r"주문(?:이|은)?\s?(?:수|건|몇\s?건)|how many orders|number of orders", Said("주문 수", "orders")),
    "visitors": (r"방문자|방문객|손님|유입|visitors|traffic|footfall", Said("방문자", "visitors")),
    "cancel_rate": (
        rf"취소율|cancellation rate|{_MOST}\s?취소|취소(?:가|이)?\s?{_MOST}|cancel+ed (?:the )?(?:most|least)|(?:most|least) (?:often )?cancel+ed|most cancellations",
        Said("취소율", "cancellation rate"),
    ),
    "return_rate": (
        rf"반품률|환불률|return rate|refund rate|{_MOST}\s?(?:반품|환불)|(?:반품|환불)(?:이|가|은)?\s?{_MOST}|return(?:ed|s)? (?:the )?(?:most|least)|(?:most|least) (?:often )?returned|(?:most|fewest) returns",
        Said("반품률", "return rate"),
    ),
    "conversion": (
        r"전환율|구매\s?(?:율|비율)|(?:몇\s?(?:%|퍼센트|프로)|비율|얼마나)(?:가|나|이|로)?\s?(?:되게\s?)?(?:샀|구매|사\s?(?:갔|가))|conversion|(?:share|percentage|percent|proportion) of (?:my )?visitors|visitors (?:\w+ ){0,2}(?:bought|buy)",
        Said("전환율", "conversion rate"),
    ),
    "margin": (r"마진|margin", Said("마진율", "margin")),
    "cancelled": (CANCELLED, Said("취소", "orders cancelled")),
    "returned": (RETURNED, Said("반품", "orders returned")),
}
"""The words of each figure, and what it is called."""
RATES: Final = frozenset({"cancel_rate", "return_rate", "conversion", "margin"})
"""Figures in percent, which are no sums."""


def named_in(sheet: Sheet) -> tuple[str, ...]:
    """Return the figures that a question names, revenue first where it stands for several."""
    return tuple(name for name, (words, _) in NAMES.items() if sheet.says(words))


def unit_of(measure: str) -> str:
    """Return the unit of a figure, as the contract names it."""
    if measure in {"revenue", "profit"}:
        return "krw"
    return "percent" if measure in RATES else "persons" if measure == "visitors" else "count"


def figure_said(value: Decimal, measure: str) -> Said:
    """Return a figure as a reader is told of it."""
    if measure in {"revenue", "profit"}:
        return exact_won(value)
    if measure in RATES:
        return percent(value)
    counters = {"visitors": "명", "orders": "건", "cancelled": "건", "returned": "건"}
    return Said(f"{decimal(value, 0)}{counters.get(measure, '개')}", decimal(value, 0))
