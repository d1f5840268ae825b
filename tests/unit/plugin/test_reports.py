"""A report is several asks on what it names: the parts that it names, else the usual ones, each under its heading."""

import pytest

from services.catalog.asks import read_asks
from services.plugin.asks.reports import HEADING, asks_report
from tests.unit.catalog.test_leaning_messages import sheet_of


@pytest.mark.parametrize(
    ("words", "headings"),
    [
        ("강동구 아파트 매매 시장 리포트 부탁해", ["지금 시세", "1년 동안의 변화", "전세가율"]),
        ("강동구 전세 보고서 써줘, 시세와 법적 유의점 위주로", ["지금 시세", "계약 전에 확인할 것"]),
        ("카카오 보고서 만들어줘", ["지금 주가", "올해의 움직임", "밸류에이션", "최근 실적"]),
        ("Prepare a report on Apple, results only", ["Latest results"]),
    ],
)
def test_a_report_has_its_parts(words: str, headings: list[str]) -> None:
    """In the order in which they are declared, over the domains that have some."""
    assert [claim.ask.notes.get(HEADING) for claim in read_asks(sheet_of(words), ())] == headings


@pytest.mark.parametrize(
    "words", ["미국 고용 보고서 언제 나와?", "전입신고 했어요", "애플 실적 어때", "I have to report a leak"]
)
def test_what_only_speaks_of_a_report_is_none(words: str) -> None:
    """A release that bears the name, and something that is reported, ask for no report."""
    assert not asks_report(sheet_of(words))
