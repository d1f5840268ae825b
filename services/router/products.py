"""The words that say which goods are looked for, without the words of asking, prices, counts and dates."""

from services.text.morphemes import Morpheme
from services.text.negation import is_negated
from services.text.reading import Reading

_KEPT_TAGS = ("NNG", "NNP", "XR", "SL", "SH", "SN", "XPN", "XSN", "NR")
_ASKING = frozenset(
    """추천 추천해 추천해줘 검색 비교 구매 구입 주문 결제 조회 판매 확인 요청 부탁 배송 정도 이하 이상 미만 초과 사이 안 내 내외 안팎 가격 가격대 최저가 예산 중
    것 거 걸 수 때 용도 제품 상품 물건 종류 브랜드 괜찮 만원 원 천원 장바구니 카트 취소 환불 교환 리뷰 후기 말 좀 제일 가장 요즘 지금 오늘 저 나 제 우리 뭐 어떤 무슨
    어디 이거 그거 저거 이것 그것 저것 이 그 저 인기 베스트 할인 세일 쿠폰 포인트 적립 무료 당일 위 아래 둘 두 차이 관련 알림 필요 생각 하나 개 가성비 주변 찾 번호 주문번호
    recommend recommendation find search show me some any good best cheap cheapest affordable looking look for want need buy order under below
    over above less more than around about won krw price prices budget please the a an of to with and or in on at is are do does you have i my
    it this that these those can could would should what which compare get give between cart add product products item items""".split()
)
_LATIN_OR_DIGIT = ("SL", "SN", "SH")


def product_words(reading: Reading) -> tuple[str, ...]:
    """Return the runs of words that name goods, in the user's own writing; empty where none is left."""
    covered = _covered(reading)
    kept = [piece for piece in reading.morphemes if _is_kept(piece, reading, covered)]
    return tuple(_runs(reading.text, kept))


def _is_kept(piece: Morpheme, reading: Reading, covered: set[int]) -> bool:
    if piece.start in covered or piece.lemma in _ASKING or piece.surface.lower() in _ASKING:
        return False
    if piece.tags[0] not in _KEPT_TAGS:
        return False
    return not is_negated(reading.text, piece.start, piece.end)


def _runs(text: str, kept: list[Morpheme]) -> list[str]:
    """Join pieces that stand side by side or one space apart; a lone number or syllable of a verb is no goods."""
    runs: list[list[Morpheme]] = []
    for piece in kept:
        if runs and text[runs[-1][-1].end : piece.start].strip() == "" and piece.start - runs[-1][-1].end <= 1:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return [text[run[0].start : run[-1].end] for run in runs if not all(piece.tags[0] == "SN" for piece in run)]


def _covered(reading: Reading) -> set[int]:
    spans = [(found.start, found.end) for found in (*reading.amounts, *reading.quantities, *reading.order_ids)]
    spans += [(found.start_at, found.end_at) for found in reading.dates]
    return {place for start, end in spans for place in range(start, end)}
