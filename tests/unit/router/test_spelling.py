"""Slips of the hand are read over; words that are words stay what they are."""

import pytest

from services.router.spelling import Spelling

SPELLING = Spelling(["환불", "추천", "대출", "시세", "키보드", "배송", "떨어지-", "refund"])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("환뷸 해주세요", "환불 해주세요"),
        ("모자 추쳔해줘", "모자 추천해줘"),
        ("키보두랑 마우스", "키보드랑 마우스"),
    ],
)
def test_one_letter_away(written: str, meant: str) -> None:
    """A word that is none becomes the known one that differs in one letter; the rest stays."""
    assert SPELLING.corrected(written) == meant


@pytest.mark.parametrize("written", ["남은 원금 1억 6천이고 12년 남았어요", "보증금 3천이고"])
def test_what_is_written_on_to_a_number_stays(written: str) -> None:
    """A sum is never spelt anew, and a verb with its ending is a word: 천이 is no 전이, 남은 no 담은."""
    assert Spelling(["전이", "담은", "천일"]).corrected(written) == written


@pytest.mark.parametrize("written", ["부가세 포함", "그게 얼마야"])
def test_the_beginning_of_a_word_is_no_slip(written: str) -> None:
    """What the analyser knows in one piece is not read by its beginning: 부가세 is no 누가; nor is a noun with 이다."""
    assert Spelling(["누가", "얼마에"]).corrected(written) == written


def test_a_word_of_its_own_is_no_slip_of_another() -> None:
    """배송비 is a word, though 배송지 is near."""
    assert Spelling(["배송지"], ["배송비"]).corrected("배송비 무료") == "배송비 무료"


def test_a_vowel_that_is_spoken_alike_is_the_likelier_slip() -> None:
    """전새 is 전세 rather than 전대, which is as near by its letters."""
    assert Spelling(["전대", "전세"]).corrected("전새 얼마") == "전세 얼마"


@pytest.mark.parametrize("written", ["대충 알려줘", "환불 해줘", "시계 보여줘", "refnud please", "가나다라", ""])
def test_words_stay(written: str) -> None:
    """Real words, known words, other scripts and what is near nothing are left alone."""
    assert SPELLING.corrected(written) == written


def test_a_verb_with_its_helping_verb_is_no_slip() -> None:
    """A verb and the verb that helps it are one word: 짜줘 is no slip of 사줘."""
    assert Spelling(["사줘"]).corrected("조합 좀 짜줘") == "조합 좀 짜줘"


@pytest.mark.parametrize("written", ["백팩 하나 카드로 주문할게", "취소할래요", "결제할까"])
def test_a_noun_with_what_makes_it_a_verb_is_no_slip(written: str) -> None:
    """What will be done is no slip of what was done: 주문할게 is not 주문한 것."""
    assert Spelling(["주문한", "취소한", "결제한"]).corrected(written) == written
