"""What closes a conversation: thanks with little beside them, and nothing that asks or changes."""

import pytest

from services.plugin.asks.closings import is_closing


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
