"""What a model's sentence may not claim beside its figures, in many wordings of either language, and what it may."""

import pytest

from services.contract.drops import DropReason
from services.grounding.claims.check import PermittedClaims
from services.grounding.links import link_in
from services.grounding.plain import is_plain
from services.text.stated.units import FigureUnit
from services.text.stated.words import all_figures

NOTHING = PermittedClaims((), ())
ACTS = (
    *(
        "주문을 완료했습니다.",
        "환불이 접수되었습니다.",
        "결제를 마쳤습니다.",
        "주문해 두었습니다.",
        "예약이 완료됐어요.",
        "주문이 취소된 상태입니다.",
    ),
    *(
        "요청하신 상품을 장바구니에 담아 드렸습니다.",
        "돈을 보냈습니다.",
        "계약서를 등록해 놨습니다.",
        "환불 처리가 끝났습니다.",
        "전입신고를 접수했습니다.",
    ),
    *(
        "매수 주문이 체결됐습니다.",
        "배송지를 변경해 드렸어요.",
        "판매자에게 연락해 두었습니다.",
        "결제 완료되었습니다.",
        "구독을 해지했습니다.",
    ),
    *(
        "Your order has been placed.",
        "I have booked it for you.",
        "The refund was processed.",
        "Payment successful.",
        "We've cancelled your order.",
    ),
    *(
        "Your refund is on its way.",
        "I already sent the documents.",
        "The order is confirmed.",
        "The lease was registered.",
        "Shares were bought.",
    ),
)
FUTURES = (
    *(
        "주가는 곧 오를 것입니다.",
        "주가는 오를 전망입니다.",
        "상승할 것으로 예상됩니다.",
        "반등할 가능성이 높습니다.",
        "내년에는 집값이 크게 뛴다.",
    ),
    *(
        "집값은 내려가게 되어 있습니다.",
        "앞으로 더 오릅니다.",
        "하락세가 이어지겠습니다.",
        "회복이 기대됩니다.",
        "조만간 반등합니다.",
    ),
    *(
        "Prices will rise next year.",
        "It is expected to recover.",
        "The stock is set to double.",
        "It is likely to fall further.",
        "Rates are going to drop.",
    ),
)
BESTS = (
    *(
        "강남구가 가장 좋은 투자처입니다.",
        "최고의 선택입니다.",
        "이 상품이 제일 낫습니다.",
        "유일한 대안입니다.",
        "최적의 시기입니다.",
    ),
    *(
        "This is the best place to invest.",
        "It is the safest choice.",
        "It is the most profitable option.",
        "It is a No. 1 pick.",
        "an unbeatable offer",
    ),
)
PROMISES = (
    *(
        "원금이 보장됩니다.",
        "수익을 보장합니다.",
        "무조건 오릅니다.",
        "손해 볼 일은 절대 없습니다.",
        "확실한 수익입니다.",
        "이익을 약속합니다.",
    ),
    *(
        "Returns are guaranteed.",
        "It is risk-free profit.",
        "You cannot lose money.",
        "There is no risk.",
        "It is a sure bet.",
    ),
)
SOURCES = (
    *(
        "전문가들은 오른다고 말합니다.",
        "한국부동산연구소에 따르면 거래가 활발합니다.",
        "김 대표는 “지금이 바닥이다”라고 말했다.",
        "출처: 매경일보 2면",
    ),
    *(
        "업계는 좋게 평가합니다.",
        "According to Bank of Nowhere data, it is fine.",
        "Analysts say it is fine.",
        'She said "prices are stable for good".',
    ),
)
MAY_BE_SAID = (
    *(
        "강남구 아파트 전세 시세를 비교했습니다.",
        "조회한 자료를 정리해 드렸습니다.",
        "확인해 보시기 바랍니다.",
        "환불을 요청하시면 절차를 안내해 드립니다.",
    ),
    *(
        "주문 내역은 로그인한 뒤 볼 수 있습니다.",
        "주문하지 않았습니다.",
        "아직 결제되지 않았습니다.",
        "계약을 갱신하려면 두 달 전까지 알려야 합니다.",
    ),
    *(
        "금리가 내리면 부담이 줄 수 있습니다.",
        "자세한 내용은 아래와 같습니다.",
        "가장 최근 값은 다음과 같습니다.",
        "수익을 보장하지 않습니다.",
    ),
    *(
        "이 두 지역의 자료를 찾았습니다.",
        "앞으로 확인할 점은 다음과 같습니다.",
        "흐름을 지켜볼 만합니다.",
        "거래가 늘었습니다.",
        "제공된 자료에 따르면 거래가 늘었습니다.",
    ),
    *(
        "Here is what was found.",
        "You can cancel an order before it ships.",
        "The order has not been placed.",
        "If the payment was made, check the receipt.",
    ),
    *(
        "The latest figure is shown below.",
        "No return is guaranteed.",
        "According to the data, deals grew.",
        "I will show the figures below.",
    ),
)
FIGURES = (
    *(
        ("보증금은 열두만 원입니다", 120_000),
        ("거래의 절반이 전세입니다", 0.5),
        ("작년의 두 배로 뛰었습니다", 2),
        ("삼분의 이", 0.667),
        ("약 4분의 1이", 0.25),
    ),
    *(
        ("이백 가구", 200),
        ("여섯 채", 6),
        ("반값입니다", 0.5),
        ("갑절입니다", 2),
        ("Ⅻ%", 12),
        ("½입니다", 0.5),
        ("2½배", 2.5),
        ("十二퍼센트", 12),
    ),
    *(
        ("三百萬원", 3_000_000),
        ("㊿개", 50),
        ("집값은 오억입니다", 500_000_000),
        ("half of the deals", 0.5),
        ("it doubled", 2),
        ("a twofold rise", 2),
    ),
    *(
        ("two-thirds of them", 0.667),
        ("nine hundred thousand", 900_000),
        ("5e14원", 5 * 10**14),
        ("5×10¹⁴", 5 * 10**14),
        ("tripled", 3),
    ),
)
SIZES_ALONE = (
    *(
        "수십 퍼센트 올랐습니다",
        "두 자릿수 성장",
        "서너 배",
        "두어 건",
        "수백만 원",
        "몇 배나",
        "a dozen homes",
        "dozens of deals",
        "double-digit growth",
    ),
    *("several hundred", "nine in ten", "9e999999", "0x1F", "tenfold"),
)
NO_FIGURES = (
    *(
        "두 지역을 비교했습니다",
        "한 가지 확인할 점",
        "첫 번째 방법",
        "하나는 강남구입니다",
        "만약 그렇다면",
        "일단 확인하세요",
        "이천시 아파트",
        "① 서류 준비",
    ),
    *("one of them", "the two districts", "in the first half", "one more thing"),
)
ARTICLES = (
    ("제육조의삼에 따라", 6.003),
    ("제십이조", 12),
    ("임대차법 6조의 3에", 6.003),
    ("article six", 6),
    ("Article VI", 6),
    ("section 12", 12),
    ("§6-3", 6.003),
)


@pytest.mark.parametrize(
    ("sentences", "reason"),
    [
        (ACTS, DropReason.UNKNOWN_ACT),
        (FUTURES, DropReason.PREDICTION),
        (BESTS, DropReason.SUPERLATIVE),
        (PROMISES, DropReason.PROMISE),
        (SOURCES, DropReason.UNKNOWN_SOURCE),
    ],
)
def test_what_nothing_holds_is_found(sentences: tuple[str, ...], reason: DropReason) -> None:
    """Each wording is taken for a claim of its kind or a worse one, and none passes unread."""
    found = {sentence: NOTHING.false_in(sentence) for sentence in sentences}
    assert [sentence for sentence, claim in found.items() if claim is None] == []
    assert any(claim is not None and claim.reason is reason for claim in found.values())
    assert [sentence for sentence in sentences if is_plain(sentence)] == []


@pytest.mark.parametrize("sentence", MAY_BE_SAID)
def test_what_claims_nothing_passes(sentence: str) -> None:
    """What an answer says of itself, of what may be, and what it denies, is no claim."""
    assert NOTHING.false_in(sentence) is None


def test_what_an_agent_told_may_be_told_again_of_the_same_things() -> None:
    """A claim of an agent's line holds in other words, and not of another place."""
    told = PermittedClaims(("강남구의 평균이 가장 높습니다.", "요청하신 환불을 처리했습니다."), ("거래 자료",))
    assert told.false_in("가장 높은 곳은 강남구입니다.") is None
    assert told.false_in("가장 높은 곳은 서초구입니다.") is not None
    assert told.false_in("환불이 처리되었습니다.") is None
    assert told.false_in("결제가 처리되었습니다.") is not None


def test_a_quote_and_a_source_of_the_data_may_be_named() -> None:
    """What stands in a document may be quoted, and the source that the data bears named."""
    told = PermittedClaims((), ("임차인은 계약갱신을 요구할 수 있다", "한국은행 경제통계"))
    assert told.false_in("조문은 “임차인은 계약갱신을 요구할 수 있다”라고 말합니다.") is None
    assert told.false_in("한국은행 경제통계에 따르면 그렇습니다.") is None
    assert told.false_in("조문은 “임차인은 언제나 이긴다고 한다”라고 말합니다.") is not None


@pytest.mark.parametrize(("text", "value"), FIGURES)
def test_a_figure_is_read_however_it_is_written(text: str, value: float) -> None:
    """Words, parts, multiples and other forms of digits have the value that a reader takes from them."""
    assert [round(float(one.value), 3) for one in all_figures(text)] == [value]


@pytest.mark.parametrize("text", SIZES_ALONE)
def test_a_size_alone_is_supported_by_nothing(text: str) -> None:
    """What says only how large something is, or no number that there is, is unreadable: no row holds it."""
    assert FigureUnit.UNREADABLE in {one.unit for one in all_figures(text)}


@pytest.mark.parametrize("text", NO_FIGURES)
def test_what_counts_the_sentences_own_things_is_no_figure(text: str) -> None:
    """Small counts of what the sentence itself names, list numbers and names state nothing."""
    assert all_figures(text) == ()


@pytest.mark.parametrize(("text", "value"), ARTICLES)
def test_an_article_is_read_in_words(text: str, value: float) -> None:
    """Articles of law in words, Roman figures, by section or without their announcing word."""
    assert [(one.unit, float(one.value)) for one in all_figures(text)] == [(FigureUnit.ARTICLE, value)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "evil.example/p 로 가세요",
            "문의는 help@shop-mail.net 으로",
            "bit.ly/abc",
            "shop-refund.co.kr 에서",
            "192.168.0.1 접속",
            "evil[.]com",
        ),
        *(
            "evil dot com",
            "t.me/abc",
            "router.internal",
            "localhost:8080",
            "2001:db8:0:1:: 주소",
            "abc.onion",
            "notice.bank",
        ),
    ],
)
def test_an_address_needs_no_scheme(text: str) -> None:
    """Hosts, mailboxes and numbers of machines are found as clients find them."""
    assert link_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "U.S. rates",
        "e.g. deals",
        "3.2% 올랐습니다",
        "at 9 a.m. today",
        "제6조의3. 다음",
        "done. The end",
        "Amazon vs. Apple",
        "P/E 12.5 x",
        "12:30에",
    ],
)
def test_what_has_a_point_is_not_always_a_host(text: str) -> None:
    """Abbreviations, numbers and the ends of sentences are none."""
    assert link_in(text) == ""
