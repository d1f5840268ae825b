"""The scoring of evaluation rows, and the shared set where it is at hand."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from services.cli.evaluation.text_rows import score_file, score_row

_NOW = datetime.fromisoformat("2026-11-27T09:00:00+09:00")
_SHARED = Path(__file__).resolve().parents[4] / "shared" / "cases" / "dev" / "amounts_dates.jsonl"


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ({"text": "7억", "amount_krw": 700_000_000}, True),
        ({"text": "7억", "amount_krw": 70_000_000}, False),
        ({"text": "6억 이상", "amount_krw_range": [600_000_000, None]}, True),
        ({"text": "22평", "area_m2": 72.7}, True),
        ({"text": "22평", "area_m2": 73.7}, False),
        ({"text": "지난 60일간", "date_range": "2026-09-29/2026-11-27", "tolerance_days": 1}, True),
        ({"text": "지난 60일간", "date_range": "2026-09-29/2026-11-27"}, False),
        ({"text": "7천", "ask": True}, True),
        ({"text": "7천만", "ask": True}, False),
    ],
)
def test_rows_are_scored(row: dict[str, Any], *, is_right: bool) -> None:
    """An answer is right within its tolerance and wrong beyond it."""
    assert score_row(row, now=_NOW, time_zone="Asia/Seoul").is_right is is_right


def test_a_row_without_an_answer_is_refused() -> None:
    """A misspelt key must not count as right."""
    with pytest.raises(ValueError, match="r-1"):
        score_row({"id": "r-1", "text": "7억", "amount": 1}, now=_NOW, time_zone="Asia/Seoul")


@pytest.mark.skipif(
    not _SHARED.exists(), reason="the shared evaluation set lies beside a checkout only where it is used"
)
def test_the_shared_set_is_read_exactly() -> None:
    """Every row is read exactly or asked about."""
    scored = list(score_file(_SHARED, now=_NOW, time_zone="Asia/Seoul"))
    assert [(one.id, one.got, one.want) for one in scored if not one.is_right] == []
    assert Counter(one.is_right for one in scored)[True] == len(scored) > 0
