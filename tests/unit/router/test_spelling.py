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


@pytest.mark.parametrize("written", ["대충 알려줘", "환불 해줘", "시계 보여줘", "refnud please", "가나다라", ""])
def test_words_stay(written: str) -> None:
    """Real words, known words, other scripts and what is near nothing are left alone."""
    assert SPELLING.corrected(written) == written
