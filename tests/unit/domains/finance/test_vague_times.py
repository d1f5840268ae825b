"""Times that say no day are told as not used; seasons are reckoned."""

import pytest

from services.contract.asks import AskedBefore
from services.domains.finance.asks import READ
from services.domains.finance.asks.spans import level_day, span_of
from tests.unit.domains.finance.test_asks_reading import as_stored, sheet_of


def _unused(question: str, *before: str) -> str:
    asked = [AskedBefore((as_stored(READ(sheet_of(one), ())[0].ask),)) for one in before]
    return READ(sheet_of(question), asked)[0].ask.notes.get("unused_time", "")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("몇 달 전에 기아 주가 얼마였어", "몇 달 전"),
        ("what did Tesla trade at a while ago", "a while ago"),
        ("작년 말 기아 주가", ""),
        ("기아 주가", ""),
    ],
)
def test_words_that_no_reader_of_times_uses_are_kept(question: str, words: str) -> None:
    """A time that names a day in any way is used; another one is told."""
    assert _unused(question) == words


def test_a_later_message_says_nothing_of_it() -> None:
    """What one message said in vain is not told again of the next."""
    assert not _unused("카카오는?", "몇 달 전에 기아 주가 얼마였어")


def test_a_season_is_a_time_like_any_other() -> None:
    """A level within it is its last one; what is held against it is so from its end on."""
    assert level_day(sheet_of("작년 여름 카카오 주가"))[1] == "2025-08-31"
    span = span_of(sheet_of("카카오 작년 여름보다 얼마나 올랐어"))
    assert span is not None
    assert (span.kind, span.base, span.end) == ("since", "2025-08-31", "")
