"""Whose cart, points or orders a message speaks of, where a word that means a person stands right before them. Pure."""

from typing import Final

from services.domains.commerce.asks.own.words import NO_NAMES, OTHERS, OTHERS_KO
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_OWNED_KO: Final = r"(?:장바구니|카트|쿠폰|포인트|적립금)"
_KIN: Final = r"친구|엄마|어머니|아빠|아버지|언니|오빠|누나|형|동생|남편|아내|와이프|남친|여친|아들|딸|이모|삼촌|할머니|할아버지|부모님|동료|선배|후배|룸메"
_OF_KIN: Final = rf"(?:^|\s)(?:우리\s)?(?:{_KIN})(?:네|님|씨|의)?(?:\s?의)?\s{_OWNED_KO}"
_ACCOUNT: Final = r"(?:^|\s)(?!(?:내|제|본인|이|그|우리|기존|개인|은행|회원|카카오|네이버|구글|애플)\s)[가-힣]{2,4}\s(?:계정|아이디)(?:으로|로|의|에서|\s)|\b[a-z]{2,20}'s account\b"
"""Speaks of the account of somebody else."""
_OF_PERSON: Final = rf"(?:라는|라고\s?하는|다른|어떤)\s(?:사람|회원|고객|손님|이용자|사용자|분|친구)(?:의|은|는|이|가|님|네)?\s?(?:{_OWNED_KO}|주문|배송지|주소|구매)"
"""Speaks of what belongs to a person who is told of by their name, or is another."""
_NAMED: Final = (
    r"(?:^|\s)(?P<name>[가-힣]{2,3})(?P<mark>네|님|씨|이|의)?(?:네|의)?\s(?:장바구니|카트)"
    r"(?(mark)|(?!에\s?(?:\S+\s)?(?:담|넣|추가|집어)))"
)
"""Whose cart it is; what is put into one stands there without a mark of a person: "세탁기 장바구니에 담아줘"."""
_ADDRESS_OF: Final = r"(?:^|\s)(?P<name>[가-힣]{2,3})(?:네|님|씨|이|의)?\s(?:배송지|집\s?주소)(?:가|는|를|을)?\s?(?:어디|뭐|알려|보여|궁금)"
"""Asks where somebody else has things sent."""
_ORDER_OF: Final = r"(?:^|\s)(?P<name>[가-힣]{2,3})(?:네|님|씨|이|의)?\s(?:주문|택배)"
_ON_BEHALF: Final = r"부탁\s?받|허락\s?받|동의\s?받|본인(?:이|한테|에게)|대신\s?(?:해|취소|환불|처리)"
"""Acts for somebody else."""
_NO_NAME: Final = Pattern(
    r"(?:지금|현재|그럼|그냥|이제|우선|일단|먼저|아까|방금|오늘|어제|이번|그리고|다시|전체|전부|모두|기존|내|제|나|저|우리|본인|자기|쇼핑|할인|보유|사용|남은|담은|가진|모든"
    r"|상품|제품|물건|이거|그거|저거|이것|그것|하나|둘|셋|한개|두개|세개|구매|계절|적립|회원|첫|적용|쿠폰|포인트|[가-힣]*(?:면|데|긴|거|것|걸|꺼|을|를|은|는|도|만|에|로|고|서|개|원|천|만|한|된|인|던|랑|와|과))"
)
_EN: Final = r"\b(?!my|it|that|there|here|what|who|let|she|he|where|how|today|everyone|anyone)(?P<name>[a-z][a-z'-]{1,20})(?:'s|s') (?:\w+ )?(?:cart|basket|coupons?|vouchers?|points|orders?|address|purchases)\b"


_NO_ONE: Final = (
    r"(?!(?:i|we|you|they|he|she|it|people|others?|customers?|buyers?|everyone|anyone|who|that|was|were|is|are|have|has|had"
    r"|do|did|does|can|just|already|never|recently|ever|not|get|got|my|the)\b)"
)
_BOUGHT_BY: Final = (
    rf"\b(?:what|things?|stuff|goods|items?|orders?|anything|everything) (?:that )?(?:user )?{_NO_ONE}[a-z][a-z-]{{1,20}} (?:has |had )?(?:ordered|bought|purchased)\b"
    rf"|\b(?:did|has|does|had) {_NO_ONE}[a-z][a-z-]{{1,20}} (?:order(?:ed)?|buy|bought|purchased?|have (?:\w+ )?(?:points|coupons))\b"
    rf"|\b{_NO_ONE}(?!today|yesterday|week|month|year|that|there|here|let|how|where|when)[a-z][a-z-]{{1,20}}'s (?:\w+ )?(?:purchases?|order history|purchase history|shopping)\b"
    r"|(?:^|\s)[a-z][a-z0-9_-]{2,20}(?:이|가|님|씨)(?:이|가|은|는)?\s.{0,12}(?:샀|산\s|주문|시킨|시켰|구매|구입)"
)
"""Speaks of what a person who is named has bought."""


def is_anothers(sheet: Sheet) -> bool:
    """Tell whether a message speaks of the cart, the coupons or the points of somebody else."""
    if any(sheet.says(one) for one in (_EN, _OF_KIN, _OF_PERSON, _BOUGHT_BY, _ACCOUNT)):
        return True
    match = (
        sheet.find(_NAMED)
        or sheet.find(_BUYS_KO)
        or sheet.find(_ADDRESS_OF)
        or (sheet.find(_ORDER_OF) if sheet.says(_ON_BEHALF) else None)
    )
    if match is None:
        return False
    name, goods = match["name"], sheet.of_kind("category")
    is_goods = any(name in one.words or one.words in name for one in goods)
    return not (_NO_NAME.fullmatch(name) or is_goods)


_BUYS_KO: Final = (
    r"(?:^|\s)(?P<name>(?!제가|내가|누가|저는|나는|우리|저희|사람|고객|손님|회원|다들|남들|요즘)[가-힣]{2,3})(?:가|는|이|은)\s(?:\S{1,6}\s){0,3}"
    r"(?:뭐|뭘|무엇을|무얼)\s?(?:샀|시켰|시킨|주문했|주문한|구매했|구매한|결제했)"
)
"""Asks what somebody who is named has bought."""


def named(sheet: Sheet) -> str:
    """Return whose things are asked after where a person is named; empty for one's own."""
    if sheet.says(OTHERS_KO):
        return "other"
    match = sheet.find(OTHERS)
    if match is None or not sheet.says(r"주문|포인트|쿠폰|장바구니|구매\s?내역|orders?|points|coupons?|cart"):
        return ""
    name = (match["en3"] or match["ko"] or match["en"] or match["en2"] or "").lower()
    is_latin = name.isascii()
    if not name or name in NO_NAMES or sheet.of_kind("category") or not is_latin:
        return (
            ""
            if not sheet.says(
                r"다른\s?(?:사람|회원|고객)|남의|친구|엄마|someone else|another (?:user|customer)|other (?:people|users|customers)"
            )
            else "other"
        )
    return name
