"""Order numbers and product codes."""

from datetime import datetime

import pytest

from services.domains.commerce.entities import KINDS
from services.text.reading import TextReading, read

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _read(text: str) -> TextReading:
    return read(text, now=_NOW, kinds=KINDS, labels="ko")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("ord-20260519-0007 취소", ["ORD-20260519-0007"]),
        ("주문번호는 88123456이에요", ["88123456"]),
        ("order #99812 please", ["99812"]),
        ("010-1234-5678로 연락", []),
    ],
)
def test_order_ids(text: str, ids: list[str]) -> None:
    """Order numbers are read in capitals; telephone numbers are none."""
    assert [code.value for code in _read(text).of("order_id")] == ids
