"""What closes a conversation: thanks with little beside them, and nothing that asks or changes."""

import pytest

from services.plugin.asks.closings import complains, is_closing


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        ("그래요 오늘은 여기까지 고마워", True),
        ("that settles it, thanks", True),
        ("I meant officetels, thanks", False),
        ("it was monthly rent, thank you", False),
        ("오피스텔로요 고마워", False),
        ("강동구도 부탁해요 감사합니다", False),
        ("그거 84로 감사", False),
    ],
)
def test_thanks_close_and_edits_do_not(text: str, closes: bool) -> None:
    """A word that may change what was asked is never taken for a close."""
    assert is_closing(text) is closes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("왜 자꾸 엉뚱한 소리만 해", True),
        ("you're not listening", True),
        ("다른 얘기인데 기아 주가", False),
        ("why did it fall?", False),
    ],
)
def test_complaints_name_nothing_instead(text: str, complaint: bool) -> None:
    """A complaint is no question for a cause, and what names something is no complaint."""
    assert complains(text) is complaint
