"""Listed companies and their shares: the alias table first, longest name on whole words (spec 1.5, 1.6.10).

A name that is also a brand of goods or an ordinary word (애플, 카카오, Meta) means the share when the sentence speaks of
shares, or when it speaks of no goods.
"""

import functools
import re
from dataclasses import dataclass
from importlib import resources

from services.text.claims import Claims
from services.text.entities import AskReason, Security
from services.text.negation import is_negated
from services.text.words import Hit, PhraseIndex, Vocabulary, phrase_index

_STOCK_WORDS = [
    "주가",
    "주식",
    "종목",
    "증시",
    "코스피",
    "코스닥",
    "나스닥",
    "상장",
    "시총",
    "시가총액",
    "배당",
    "배당금",
    "실적",
    "어닝",
    "영업이익",
    "순이익",
    "매출액",
    "밸류에이션",
    "목표가",
    "PER",
    "PBR",
    "EPS",
    "ROE",
    "골든크로스",
    "데드크로스",
    "이동평균",
    "이평선",
    "매수",
    "매도",
    "투자",
    "주주",
    "급락",
    "급등",
    "폭락",
    "폭등",
    "반등",
    "하락",
    "상승",
    "약세",
    "강세",
    "전망",
    "차트",
    "공시",
    "떨어지-",
    "오르-",
    "내리-",
    "빠지-",
    "물리-",
    "수익률",
    "한주",
    "관련주",
    "stock",
    "stocks",
    "share",
    "shares",
    "equity",
    "earnings",
    "valuation",
    "ticker",
    "dividend",
    "NASDAQ",
    "NYSE",
    "KOSPI",
    "KRX",
    "outlook",
    "bullish",
    "bearish",
    "investor",
    "invest",
    "rally",
    "plunge",
    "drop",
    "dropped",
    "fall",
    "fell",
    "falling",
    "slide",
    "sliding",
    "slump",
    "tumble",
    "rise",
    "rose",
    "surge",
    "surged",
]
_STOCK = Vocabulary(_STOCK_WORDS)
_GOODS_WORDS = [
    "찾-",
    "추천",
    "주문",
    "배송",
    "장바구니",
    "카트",
    "담-",
    "구매",
    "사-",
    "결제",
    "환불",
    "교환",
    "반품",
    "리뷰",
    "후기",
    "쿠폰",
    "포인트",
    "할인",
    "할인가",
    "최저가",
    "판매",
    "판매가",
    "싸-",
    "비싸-",
    "상품",
    "제품",
    "초콜릿",
    "초코",
    "과자",
    "노트북",
    "태블릿",
    "스마트폰",
    "핸드폰",
    "휴대폰",
    "폰",
    "아이폰",
    "아이패드",
    "맥북",
    "에어팟",
    "이어폰",
    "헤드폰",
    "워치",
    "스마트워치",
    "스피커",
    "키보드",
    "마우스",
    "케이스",
    "충전기",
    "모니터",
    "버즈",
    "갤럭시",
    "갤럭시북",
    "갤럭시탭",
    "세탁기",
    "냉장고",
    "에어컨",
    "청소기",
    "티비",
    "TV",
    "운동화",
    "신발",
    "티셔츠",
    "모자",
    "커피",
    "텀블러",
    "음료",
    "라면",
    "과일",
    "주스",
    "사과",
    "검색",
    "로그인",
    "계정",
    "가입",
    "지도",
    "웹툰",
    "열대우림",
    "밀림",
    "정글",
    "여행",
    "비행기",
    "항공권",
    "아파트",
    "전세",
    "월세",
    "매매",
    "시세",
    "대출",
    "계약서",
    "볼펜",
    "물티슈",
    "휴지",
    "캔들",
    "우유",
    "쿠키",
    "빵",
    "렌트",
    "렌터카",
    "중고차",
    "시승",
    "find",
    "recommend",
    "order",
    "deliver",
    "delivery",
    "cart",
    "buy",
    "purchase",
    "refund",
    "exchange",
    "review",
    "coupon",
    "discount",
    "cheaper",
    "product",
    "phone",
    "iphone",
    "ipad",
    "macbook",
    "airpods",
    "laptop",
    "tablet",
    "watch",
    "earphones",
    "headphones",
    "speaker",
    "keyboard",
    "mouse",
    "case",
    "charger",
    "monitor",
    "juice",
    "pie",
    "fruit",
    "rainforest",
    "river",
    "login",
    "account",
    "map",
    "chocolate",
    "shoes",
    "coffee",
    "search",
]
_GOODS = Vocabulary(_GOODS_WORDS)
_GROUP_NAMES = frozenset(
    {"삼성", "samsung", "hyundai", "kt", "델", "비자", "오리온", "하이브", "신세계", "포드", "visa", "oracle"}
)
_KR_CODE = re.compile(r"(?<![0-9A-Za-z\-.,/])[0-9]{3,6}(?![0-9A-Za-z\-./,]|\s?[가-힣%]*[원만억개명층평년월일])")


@dataclass(frozen=True, slots=True)
class _Listing:
    """One row of the alias table."""

    id: str
    """Market and code."""
    name_ko: str
    """Usual name in Korean."""
    name_en: str
    """Usual name in English."""
    covered: bool
    """Whether the covered universe holds it."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The alias table by name."""

    listings: dict[str, _Listing]
    """By id."""
    names: dict[str, str]
    """Id by name in lower case without spaces; empty for a lookalike."""
    shared: frozenset[str]
    """Names that need the rest of the sentence."""
    length_max: int
    """The length of the longest name."""


def read_securities(claims: Claims) -> tuple[Security, ...]:
    """Read the listed companies in the order of the text, each once; ask about codes that are no code."""
    table, index = _table(), phrase_index(claims.text)
    found: dict[str, Security] = {}
    for hit in index.find_names(table.names, table.length_max):
        listing = table.listings.get(table.names[hit.phrase])
        if listing and _is_meant(claims.text, table, index, hit) and not is_negated(claims.text, hit.start, hit.end):
            found.setdefault(listing.id, _security(claims.text, listing, hit))
    _ask_codes(claims, table, index, found)
    return tuple(found.values())


def _security(text: str, listing: _Listing, hit: Hit) -> Security:
    return Security(
        id=listing.id,
        name_ko=listing.name_ko,
        name_en=listing.name_en,
        country=listing.id.partition(":")[0],
        covered=listing.covered,
        surface=text[hit.start : hit.end],
        start=hit.start,
        end=hit.end,
    )


def _is_meant(text: str, table: _Table, index: PhraseIndex, hit: Hit) -> bool:
    surface = text[hit.start : hit.end]
    if hit.phrase not in table.shared:
        # A ticker is written in capitals ("SNOW"), a lower-case one is the word ("snow").
        return not (surface.isalpha() and surface.isascii() and len(surface) <= 5) or (
            surface[0].isupper() and (surface.isupper() or surface.lower() not in _LOWERED_TICKERS)
        )
    if surface.isascii() and not surface[0].isupper():
        return False
    if index.find_all(_STOCK):
        return not _names_goods(text, hit)
    return hit.phrase not in _GROUP_NAMES and not index.find_all(_GOODS)


def _names_goods(text: str, hit: Hit) -> bool:
    """Tell whether a word for goods stands right behind the name: "애플 노트북", "LG 냉장고"."""
    behind = phrase_index(text[hit.end : hit.end + 12].strip())
    return any(hit.start == 0 for hits in behind.find_all(_GOODS).values() for hit in hits)


_LOWERED_TICKERS = frozenset({"snow", "meta", "goog", "spot", "coin", "low", "amd", "ibm", "gme", "sofi", "kt"})


def _ask_codes(claims: Claims, table: _Table, index: PhraseIndex, found: dict[str, Security]) -> None:
    """Ask about digits that look like a share's code and are none: "5930" for 005930."""
    alone = _KR_CODE.fullmatch(claims.text) is not None
    for match in claims.free_matches(_KR_CODE):
        padded = match.group().zfill(6)
        if match.group() in table.names or (len(match.group()) < 6 and f"KR:{padded}" not in table.listings):
            continue
        if alone or (not found and index.find_all(_STOCK)):
            reason = AskReason.IMPOSSIBLE if len(match.group()) == 6 else AskReason.MALFORMED
            claims.ask("securities", reason, *match.span())


@functools.lru_cache(maxsize=1)
def _table() -> _Table:
    listings: dict[str, _Listing] = {}
    names: dict[str, str] = {}
    shared: set[str] = set()
    for line in _lines("securities.tsv"):
        security_id, name_ko, name_en, covered, sure, *rest = line.split("\t")
        listings[security_id] = _Listing(security_id, name_ko, name_en, covered == "yes")
        for name in filter(None, sure.split("|")):
            names[_key(name)] = security_id
        for name in filter(None, rest[0].split("|") if rest else ()):
            names[_key(name)] = security_id
            shared.add(_key(name))
    for line in _lines("security_lookalikes.txt"):
        names.update(dict.fromkeys(line.lower().split(), ""))
    return _Table(listings, names, frozenset(shared), max(map(len, names)))


def _key(name: str) -> str:
    return name.lower().replace(" ", "")


def _lines(name: str) -> list[str]:
    text = resources.files("services.text").joinpath(f"data/{name}").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
