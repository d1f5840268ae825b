"""How the synthesizer writes metrics, titles and fixed phrases in the reader's language."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from services.contract.flow import Metric
from services.contract.synthesizer import WEB_PART
from services.text.language import Language, language_of
from services.text.saying import figure


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages."""

    ko: str
    """In Korean."""
    en: str
    """In English."""

    def said(self, language: Language, **values: str) -> str:
        """Return the text of a language with its values filled in."""
        return (self.ko if language == "ko" else self.en).format(**values)


_WORDS: Final = {
    "up": Text("상승", "up"),
    "down": Text("하락", "down"),
    "flat": Text("보합", "flat"),
    "sideways": Text("뚜렷한 방향 없음", "no clear direction"),
    "neutral": Text("뚜렷한 방향 없음", "no clear direction"),
    "mixed": Text("엇갈림", "mixed"),
    "golden_cross": Text("골든크로스", "golden cross"),
    "dead_cross": Text("데드크로스", "dead cross"),
    "none": Text("없음", "none"),
    "limited": Text("자료가 짧아 판단 제한", "limited by short data"),
    "in_stock": Text("재고 있음", "in stock"),
    "sold_out": Text("품절", "sold out"),
}
_DATA_TYPES: Final = {
    "market": Text("부동산 시세", "home prices"),
    "price": Text("주가", "share prices"),
    "product": Text("상품 정보", "product data"),
    "macro": Text("거시 지표", "macro series"),
    "loan": Text("대출 정보", "loan terms"),
    "legal": Text("법령", "law"),
    "contract": Text("계약 자료", "contract terms"),
    "news": Text("뉴스", "news"),
    "event": Text("기업 발표", "company events"),
    "financials": Text("재무 자료", "company accounts"),
    "trend": Text("월별 거래", "monthly deals"),
    "listing": Text("매물", "listings"),
    "programme": Text("정책 지원", "support programmes"),
    "glossary": Text("용어집", "the glossary"),
    "computation": Text("계산 결과", "computed results"),
    "rewards": Text("적립금과 쿠폰", "points and coupons"),
    "sales": Text("판매 실적", "sales"),
    "seller_listing": Text("등록 상품", "listed products"),
    "graph": Text("경제 관계 자료", "economic relations"),
    "brief": Text("미국 시황 브리프", "US market brief"),
    "order": Text("주문 내역", "orders"),
    "review": Text("리뷰", "reviews"),
    "web": Text("웹 문서", "web pages"),
    "knowledge": Text("일반 지식", "general knowledge"),
}
_OTHER_DATA: Final = Text("자료", "data")
_AGENTS: Final = {
    "finance.macro": Text("거시 지표", "Macro indicators"),
    "finance.equity": Text("주식", "Shares"),
    "finance.real_estate": Text("부동산 추이", "Housing trends"),
    "finance.ontology": Text("경제 관계 분석", "Economic relations"),
    "realty.search": Text("부동산 자료 조회", "Real-estate search"),
    "realty.analysis": Text("부동산 분석", "Real-estate analysis"),
    "realty.document": Text("부동산 문서", "Real-estate documents"),
    "commerce.product_search": Text("상품 찾기", "Product search"),
    "commerce.reco_fit": Text("상품 추천", "Recommendations"),
    "commerce.price_compare": Text("가격 비교", "Price comparison"),
    "commerce.order_flow": Text("주문", "Orders"),
    "commerce.after_sales": Text("취소·환불", "Cancellations and refunds"),
    "commerce.review_assistant": Text("리뷰", "Reviews"),
    "commerce.account_rewards": Text("적립금·쿠폰", "Points and coupons"),
    "commerce.seller_analytics": Text("판매 분석", "Sales analysis"),
    "commerce.pricing_simulator": Text("가격 시뮬레이션", "Price simulation"),
    "commerce.product_efficiency": Text("상품 효율", "Product efficiency"),
    "commerce.listing_assistant": Text("상품 등록", "Listings"),
    WEB_PART: Text("웹 검색", "Web search"),
    "general.general_knowledge": Text("일반 지식", "General knowledge"),
}
_DOMAINS: Final = {
    "finance": Text("금융 자료", "Finance data"),
    "realty": Text("부동산 자료", "Real-estate data"),
    "commerce": Text("쇼핑 자료", "Shopping data"),
    "general": Text("일반 지식", "General knowledge"),
}


def language_for(locale: str, question: str) -> Language:
    """Return the language that the answer is written in: the flow's, else the question's (spec 1)."""
    named = locale[:2].lower()
    if named == "ko":
        return "ko"
    return "en" if named == "en" else language_of(question)


def agent_title(agent: str, language: Language) -> str:
    """Return what a user calls an agent's part; its domain's data for one that has no title of its own."""
    text = _AGENTS.get(agent) or _DOMAINS.get(agent.partition(".")[0]) or _OTHER_DATA
    return text.said(language)


def data_title(data_type: str, language: Language) -> str:
    """Return what a user calls a kind of data."""
    return _DATA_TYPES.get(data_type, _OTHER_DATA).said(language)


def shown(metric: Metric, language: Language) -> str:
    """Return a metric's value with its unit as people write it; empty where it has neither value nor word."""
    if not metric.value:
        return _word(metric.word, language)
    try:
        value = Decimal(metric.value)
    except InvalidOperation:
        return ""
    return figure(value, metric.unit, language) if value.is_finite() else ""


def _word(word: str, language: Language) -> str:
    known = _WORDS.get(word.lower())
    return known.said(language) if known else word.replace("_", " ").lower()
