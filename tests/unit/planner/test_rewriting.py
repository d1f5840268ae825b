"""A rewrite may add and explain; it may not lose or alter what the user named."""

from datetime import datetime

import pytest

from services.catalog.reading import read_question
from services.planner.normalising import losses

NOW = datetime.fromisoformat("2026-11-27T09:00+09:00")


def lost(question: str, rewrite: str) -> tuple[str, ...]:
    """Return what the rewrite lost."""
    return losses(read_question(question, now=NOW), read_question(rewrite, now=NOW))


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("지난달 관악구 월세", "2026년 10월 관악구 월세"),
        ("3억 2천만원 대출", "3억 2천만원(320,000,000원) 대출"),
        ("애플 주가", "애플(US:AAPL) 주가를 알려 주세요"),
        ("order ORD-20261103-0042, 2 pieces", "order ORD-20261103-0042, 2 pieces, please"),
    ],
)
def test_faithful(question: str, rewrite: str) -> None:
    """Absolute dates, amounts in figures and names resolved lose nothing."""
    assert lost(question, rewrite) == ()


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("관악구 월세", "동작구 월세"),
        ("관악구 월세", "월세"),
        ("3억 2천만원 대출", "3억원 대출"),
        ("애플이랑 엔비디아 주가", "애플 주가"),
        ("ORD-20261103-0042 취소", "주문 취소"),
        ("볼펜 12자루 주문", "볼펜 20자루 주문"),
        ("작년 3분기 매출", "올해 3분기 매출"),
    ],
)
def test_lossy(question: str, rewrite: str) -> None:
    """A lost or altered place, sum, share, order, count or period is told."""
    assert lost(question, rewrite) != ()
