"""What is asked of a shop and no rule of it says: told as such, with what the rules do say."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Found, Outcome, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled
from services.plugin.documents import read_yaml

_ASKS: Final = (
    r"[?]|되나|돼|되요|될까|되는|됩니까|되지|가능|해\s?주(?:나|시나|실|는|세요\?)|해\s?줄|줄\s?수|있(?:나|어|니|냐|을까|는|음)|하나요|할\s?수|어떻게|나을까|알려|얼마|어디"
    r"|^\W*(?:\w+\W+){0,3}(?:can|do|does|is|are|will|would|could|how|what|where) (?!is\b|are\b)(?:i|you|it|we|they|the|there|my|your|this|that|to|much|long)\b"
)
"""Asks whether or how it is."""
_OF_OTHERS: Final = r"집|아파트|전세|월세|보증금|대출|부동산|청약|주식|종목|주가|자동차|계약서|조항|\b(?:clauses?|contracts?|tenants?|rent|lease|landlord|house|home|apartment|shares?|stocks?|tax(?:es)?|loan)\b"
"""What such words are of besides a shop."""


@cache
def _topics() -> Mapping[str, Mapping[str, str]]:
    document = read_yaml(__package__ or "", "unsaid.yaml")
    if not isinstance(document, dict):
        raise TypeError("unsaid.yaml is a mapping")
    return document


def topic_in(sheet: Sheet) -> str:
    """Return what a question asks of the shop that none of its rules says; empty where it asks nothing of the kind."""
    if not sheet.says(_ASKS) or sheet.says(_OF_OTHERS) or sheet.of_kind("order_id") or sheet.user_type == "seller":
        return ""
    return next((name for name, one in _topics().items() if sheet.says(one["words"])), "")


def tell_unsaid(ask: Ask, found: Found) -> Outcome:
    """Return that the shop's rules do not say, and what they do."""
    del found
    topic = _topics()[ask.notes["topic"]]
    free, fee = exact_won(RULES.shipping.free_from_krw), exact_won(RULES.shipping.fee_krw)
    sentence = filled(
        "{topic:은/는} 이 쇼핑몰의 자료에 없어 되는지 답할 수 없습니다. 정해져 있는 것은 결제 수단(카드, 계좌이체, 간편결제), "
        "배송비({free} 이상 무료, 그 아래는 {fee}), 환불(배송 완료 뒤 {days}일 안)입니다.",
        "The shop's rules say nothing of {topic}, so I cannot tell. What they do say: pay by card, bank transfer or mobile "
        "payment; shipping is free from {free}, else {fee}; refunds within {days} days of delivery.",
        topic=Said(topic["ko"], topic["en"]),
        free=free,
        fee=fee,
        days=str(RULES.orders.return_days_max),
    )
    return Outcome(declined(ask, sentence))
