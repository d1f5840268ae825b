"""What the numbers of a question on fees, taxes, yields and ratios may be for, and the kinds of such questions."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.domains.realty.asks.topic import Topic
from services.plugin.asks.roles import Role

_KRW: Final = ("krw",)
HOME: Final = (
    r"집|아파트|빌라|오피스텔|주택|homes?\b|houses?\b|apartments?\b|flats?\b|villas?\b|officetels?\b|place\b|unit\b"
)
_PRICE: Final = Role(
    "price",
    _KRW,
    before=rf"집값(?:은|이|을)?|매매가?(?:는|가)?|시세(?:는|가)?|매수가|분양가|가격(?:은|이)?|(?:{HOME})(?:은|이|을|를|가)?|worth|price(?:\sis|\sof)?|costs?|paid|bought(?:\s\w+)?\sfor|\bbuy(?:\s\w+){{0,3}}\sfor",
    behind=rf"(?:원)?(?:짜리\s?)?(?:{HOME}|매매)|짜리|(?:원)?(?:에|정도에?)\s?(?:팔리|거래|나가는)|(?:원)?(?:에|을\s?주고)?\s?(?:사(?:려|서|면|는|고)|산\b|샀|산\s|매수|매입)|(?:won\s)?(?:home|house|apartment|flat|villa|officetel)",
    bare=True,
)
_DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|을|이)?|전세(?:금|가)?(?:은|을|이|를|로|는)?|전셋값|\bdeposit(?:\s(?:of|is))*|\bjeonse(?:\s(?:of|is|deposit|for|at))*",
    behind=r"(?:원)?(?:에\s|짜리\s?|의\s)?(?:전세|보증금)|(?:won\s)?(?:jeonse|deposit)",
    bare=True,
)
_RENT: Final = Role(
    "rent",
    _KRW,
    before=r"월세(?:는|를|가|로)?|(?:^|[\s,])월\s?$|/\s?$|다달이|매달|매월|(?:monthly\s)?\brent(?:\s(?:of|is|it at|at|it out (?:for|at)|out at|it for))*|\blet(?:ting)?(?:\sit)?(?:\sout)?(?:\s(?:for|at))",
    behind=r"(?:원)?(?:씩|의)?\s?(?:월세)|(?:won\s)?(?:of\s|in\s)?(?:monthly\s)?rent\b|(?:won\s)?(?:a|per)\smonth",
    bare=True,
)
_FEE: Final = Role(
    "fee",
    _KRW,
    before=r"복비(?:로|를|가|는)?|수수료(?:로|를|가|는)?|보수(?:로|를|가)?|\bfee(?:\sof)?|commission(?:\sof)?|charg\w+|asks?(?:\sfor)?|quoted",
    behind=r"(?:원)?(?:을|를)?\s?(?:달래|달라|내래|내라|요구|청구|받겠|불렀|부르)|(?:won\s)?(?:in\s|as\s)?(?:a\s)?(?:fee|commission)",
    bare=True,
)
_AREA: Final = Role("area_m2", ("m2", "pyeong"), before=r"전용(?:면적)?\s?$|면적(?:이|은)?\s?$", bare=True)
_COSTS: Final = Role(
    "costs_year",
    _KRW,
    before=r"(?:연|매년|1년에)\s?(?:비용|관리비|수리비|유지비|지출)?\s?$|비용(?:이|은|으로)?|유지비|관리비|수리비|\bspend(?:ing)?|costs? of|upkeep(?:\sof)?|expenses(?:\sof)?",
    behind=r"(?:won\s)?(?:a|per)\syear\s(?:on|in|for)|(?:won\s)?(?:in\s)?(?:yearly\s|annual\s)?(?:upkeep|expenses|costs)",
    bare=True,
)
_LOAN: Final = Role(
    "loan",
    _KRW,
    before=r"대출(?:금|이|은|을)?|융자|of which\s(?:KRW\s|₩)?$|\bloan(?:\sof)?|\bmortgage(?:\sof)?|borrow\w*",
    behind=r"(?:원)?(?:은|을|를)?\s?(?:대출|융자|빌)|(?:won\s)?(?:loan|mortgage|(?:was|is|were|came)\s(?:from\s)?(?:the\s|a\s)?(?:bank|loan|mortgage|borrowed))",
    bare=True,
)
_RATE: Final = Role(
    "rate",
    ("percent",),
    before=r"금리|이자율?|연\s?$|rate(?:\sof)?|\bat\s|interest(?:\sat|\sof)?",
    behind=r"(?:금리|이자|interest)",
    bare=True,
)
_DEBT: Final = Role(
    "debt",
    _KRW,
    before=r"근저당(?:권)?(?:이|은|도)?|빚(?:이|은|도)?|채권최고액(?:이|은)?|선순위\s?(?:채권|보증금|대출|근저당)?(?:이|은)?|융자(?:가|금)?|담보\s?대출(?:이)?|\b(?:lien|mortgage|prior claims?)(?:\s(?:of|for|is))*",
    behind=r"(?:원)?(?:의|이|짜리)?\s?(?:근저당|선순위|융자|담보)|(?:won\s)?(?:lien|mortgage|prior claim)",
    bare=True,
)
_SOLD: Final = Role(
    "sold",
    _KRW,
    before=r"\b(?:sell|sold|selling)(?:\sit)?(?:\s(?:for|at))",
    behind=r"(?:원)?(?:에|으로|로)?\s?(?:팔|매도|되팔)",
    bare=True,
)
_BOUGHT: Final = replace(
    _PRICE, behind=rf"(?:원)?(?:에|을\s?주고)?\s?(?:산|샀|사서|사고|매수|매입|분양)|짜리(?:\s?(?:{HOME}))?(?:을|를)?"
)
_FEE_PERCENT: Final = Role(
    "fee_percent",
    ("percent",),
    before=r"수수료율?(?:은|이|가)?|\bfee(?:\s(?:of|is|at))*",
    behind=r"(?:수수료|(?:early[- ]?repayment |prepayment )?(?:fee|charge))",
    bare=True,
)
_WHOLE: Final = Role(
    "months",
    ("years", "months"),
    before=r"약정|총|기간|만기|\bterm(?:\sof)?|over",
    behind=r"(?:의\s?)?(?:약정|만기|짜리|부과|기간|term|fee period)",
)
_ELAPSED: Final = Role(
    "elapsed",
    ("years", "months"),
    before=r"받은\s?지|빌린\s?지|after",
    behind=r"(?:이\s?)?(?:지나|지났|됐|되었|만에|뒤|후|갚|썼|쓰고|쓰다|쓴|채우|내고|in\b|after|have passed|has passed|ago)",
)
_LEFT: Final = Role(
    "left", ("years", "months"), before=r"남은\s?기간|with|still", behind=r"(?:이\s?)?(?:남|left|remain)"
)
LAW: Final = "LEGAL_CONSULT"
_LOANS: Final = "LOAN_CONSULT"
_MARKET: Final = "MARKET_INQUIRY"
_DEALS: Final = (frozenset({"price"}), frozenset({"deposit", "rent"}))


def _is_a_deal(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of one deal: a price, or a lease, and a fee that is a small part of it."""
    price, deposit, fee = sums.get("price"), sums.get("deposit"), sums.get("fee")
    if (price is None) == (deposit is None and "rent" not in sums):
        return False
    return fee is None or fee * 20 < max(price or Decimal(0), deposit or Decimal(0), sums.get("rent", Decimal(0)) * 100)


def _is_a_sale(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a home that is bought and sold, with what of its price was others' money."""
    held = sums.get("deposit", Decimal(0)) + sums.get("loan", Decimal(0))
    return "price" in sums and "sold" in sums and held < sums["price"]


def _is_backed(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a home and the deposit that it backs: neither it nor a prior debt is far above the price."""
    price, deposit = sums.get("price"), sums.get("deposit")
    return price is not None and deposit is not None and max(deposit, sums.get("debt", Decimal(0))) <= price * 13 / 10


def _is_let(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a home that is let: its price above deposit and loan, its rent a small part of it."""
    price, rent = sums.get("price"), sums.get("rent")
    if price is None or rent is None:
        return False
    held = sums.get("deposit", Decimal(0)) + sums.get("loan", Decimal(0))
    return held < price and rent * 30 < price


BROKERAGE: Final = Topic(
    "brokerage_fee",
    LAW,
    (_FEE, _RENT, _DEPOSIT, _PRICE),
    {"krw": "rent"},
    apart=_DEALS,
    takes=("price", "deposit", "rent"),
    holds=_is_a_deal,
)
TAX: Final = Topic(
    "acquisition_tax",
    LAW,
    (_AREA, _PRICE),
    {"krw": "price", "m2": "area_m2", "pyeong": "area_m2"},
    ("price",),
    takes=("price",),
)
EARLY: Final = Topic(
    "repayment_fee",
    _LOANS,
    (_LOAN, _FEE_PERCENT, _WHOLE, _ELAPSED, _LEFT),
    {"krw": "loan", "percent": "fee_percent", "years": "months"},
    ("loan", "fee_percent", "months"),
)
_SAID_RATIO: Final = Role(
    "jeonse_ratio",
    ("percent",),
    before=r"전세가율(?:이|은|도)?|jeonse ratio(?:\sof|\sis)?",
    behind=r"(?:의\s?)?전세가율|jeonse ratio",
)
RATIO: Final = Topic(
    "given_jeonse_ratio",
    "RISK_ANALYSIS",
    (_SAID_RATIO, _DEBT, _DEPOSIT, _PRICE),
    {},
    ("price", "deposit"),
    holds=_is_backed,
)
YIELD: Final = Topic(
    "given_yield",
    _LOANS,
    (_COSTS, _RENT, _DEPOSIT, _LOAN, _PRICE, _RATE),
    {"krw": "price", "percent": "rate"},
    ("price", "rent"),
    holds=_is_let,
)
GAIN: Final = Topic(
    "resale_gain",
    _MARKET,
    (_SOLD, replace(_DEPOSIT, behind=rf"{_DEPOSIT.behind}|(?:원)?(?:을|를)?\s?(?:끼고|안고)"), _LOAN, _BOUGHT),
    {},
    ("price", "sold"),
    holds=_is_a_sale,
)
PER_AREA: Final = Topic(
    "price_per_area",
    _MARKET,
    (_AREA, _PRICE),
    {"krw": "price", "m2": "area_m2", "pyeong": "area_m2"},
    ("price", "area_m2"),
)
TOPICS: Final = (BROKERAGE, TAX, EARLY, RATIO, YIELD, GAIN, PER_AREA)
