"""In which language an answer is written, and what a reader calls the parts and the data of it."""

from typing import Final

from services.catalog.loader import catalog
from services.contract.synthesizer import WEB_PART
from services.plugin.wording import Text
from services.text.language import Language, language_of

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
_WEB: Final = Text("웹 검색", "Web search")


def language_for(locale: str, question: str) -> Language:
    """Return the language that the answer is written in: the flow's, else the question's."""
    named = locale[:2].lower()
    if named == "ko":
        return "ko"
    return "en" if named == "en" else language_of(question)


def agent_title(agent: str, language: Language) -> str:
    """Return what a user calls an agent's part; its domain for one that this deployment does not declare."""
    if agent == WEB_PART:
        return _WEB.said(language)
    known = catalog().agents.get(agent) or catalog().domains.get(agent.partition(".")[0])
    return _OTHER_DATA.said(language) if known is None else known.title.of(language)


def only_leads(agent: str) -> bool:
    """Tell whether only what opens a subject is told of an agent's summary, for the lists hold its figures."""
    known = catalog().agents.get(agent)
    return known is not None and known.figures_listed


def data_title(data_type: str, language: Language) -> str:
    """Return what a user calls a kind of data."""
    return _DATA_TYPES.get(data_type, _OTHER_DATA).said(language)
