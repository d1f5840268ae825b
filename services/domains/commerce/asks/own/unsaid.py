"""What is asked of a shop's service and no rule of it says: told as such, with what the rules do say.

What many ask is known by its words, whatever stands beside it (unsaid.yaml). Of what nobody reads the rest is told by
what it asks: what the shop does or lets one do, and no goods; it is told in the person's own words.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Found, Outcome, declined
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled
from services.plugin.documents import read_yaml

KIND: Final = "unsaid"
"""What such questions are called."""
TOPIC: Final = "topic"
"""The note of which topic one is, where it is a known one."""
_ASKS: Final = (
    r"[?]|되나|돼|되요|될까|되는|됩니까|되지|가능|해\s?주(?:나|시나|실|는|세요\?)|해\s?줄|줄\s?수|있(?:나|어|니|냐|을까|는|음)|하나요|할\s?수|어떻게|나을까|알려|얼마|어디"
    r"|^\W*(?:\w+\W+){0,3}(?:can|do|does|is|are|will|would|could|how|what|where) (?!is\b|are\b)(?:i|you|it|we|they|the|there|my|your|this|that|to|much|long)\b"
)
"""Asks whether or how it is."""
_OF_SOMEBODY: Final = r"(?:사람|씨|친구|이웃)(?:의|네)?\s|\b(?:neighbou?r|friend|person)(?:'s)?\b"
"""What is somebody's, and not the shop's."""
_WORDS_MAX: Final = 16
_SAID_MAX: Final = 60


@cache
def _topics() -> Mapping[str, Mapping[str, str]]:
    document = read_yaml(__package__ or "", "unsaid.yaml")
    if not isinstance(document, dict):
        raise TypeError("unsaid.yaml is a mapping")
    return document


def topic_in(sheet: Sheet) -> str:
    """Return what a question asks of the shop that none of its rules says; empty where it asks nothing of the kind."""
    if not sheet.says(_ASKS) or sheet.says(_OF_SOMEBODY) or sheet.of_kind("order_id") or sheet.user_type == "seller":
        return ""
    return next((name for name, one in _topics().items() if sheet.says(one["words"])), "")


_DOES: Final = (
    r"(?:되|돼|됩|될)(?:나|니|까|요|는지)|(?:할|지정할|바꿀|줄|주실|맡길|받을)\s?수\s?있|해\s?(?:주|줄)|주시(?:나|죠|는)|하나요|합니까|(?:받|주|가|하)(?:으?시)?(?:나요|는지|죠|니까|습니까)"
    r"|\b(?:can|could|will|would|may) (?:you|i|we|it|they)\b|\bdo (?:you|i)\b|\bis it possible\b"
)
"""Asks what the shop does, or lets one do."""
_OF_GOODS: Final = (
    r"파나|팔아|팔(?:죠|고)|파는|판매|취급|재고|추천|찾아|보여|골라|얼마|가격|(?:사고|사려)|필요|구할|살\s?(?:수|만)|(?<!수\s)(?<!수)있(?:나|어|니|냐|을까|음)"
    r"|\b(?:sell|have|carry|stock|price|looking|find|show|recommend|suggest|buy|get|need|want|how much|cheap\w*)\b"
)
"""Asks for goods."""


_MY: Final = r"(?<![가-힣])(?:내|제|나의|저의|우리)\s|\bmy\b|\bmine\b"


def is_of_service(sheet: Sheet) -> bool:
    """Tell whether a question of a shop that nobody reads is of what it does, and not of goods or of what is one's own."""
    own = sheet.says(_MY) or sheet.of_kind("order_id") or sheet.user_type == "seller"
    named = own or sheet.of_kind("category")
    asked = sheet.says(_DOES) and not sheet.says(_OF_GOODS)
    return asked and not named and short(sheet.text, _WORDS_MAX)


def tell_unsaid(ask: Ask, found: Found) -> Outcome:
    """Return that the shop's rules do not say, and what they do."""
    del found
    known = _topics().get(ask.notes.get(TOPIC, ""))
    words = ask.words.strip(" ?.!")[:_SAID_MAX]
    what = Said(known["ko"], known["en"]) if known else Said(f"‘{words}’", f"“{words}”")
    free, fee = exact_won(RULES.shipping.free_from_krw), exact_won(RULES.shipping.fee_krw)
    sentence = filled(
        "{what}에 대해서는 이 쇼핑몰의 자료에 정해진 것이 없어 답할 수 없습니다. 정해져 있는 것은 결제 수단(카드, 계좌이체, 간편결제), "
        "배송비({free} 이상 무료, 그 아래는 {fee}), 환불(배송 완료 뒤 {days}일 안)입니다.",
        "The shop's rules say nothing of {what}, so I cannot tell. What they do say: pay by card, bank transfer or mobile "
        "payment; shipping is free from {free}, else {fee}; refunds within {days} days of delivery.",
        what=what,
        free=free,
        fee=fee,
        days=str(RULES.orders.return_days_max),
    )
    return Outcome(declined(ask, sentence))
