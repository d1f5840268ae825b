"""Thanks and a close ask for nothing."""

import pytest

from services.plugin.asks.closings import is_closing


@pytest.mark.parametrize(
    "text",
    [
        "감사합니다 잘 봤어요",
        "네 수고하셨습니다",
        "오케이 그거면 충분해요",
        "ok thanks a lot",
        "That's all for today, bye!",
        "perfect, that was everything",
    ],
)
def test_a_close_is_known(text: str) -> None:
    """Whatever words close a conversation, alone or together, ask for nothing."""
    assert is_closing(text)


@pytest.mark.parametrize(
    "text",
    [
        "고마워요, 매매는요",
        "thanks and what about jeonse",
        "is that all?",
        "감사보고서 보여줘",
        "좋은 걸로 보여줘",
        "네",
        "알겠어 그럼 PER",
    ],
)
def test_what_still_asks_is_no_close(text: str) -> None:
    """Thanks before another question, a question, and a bare yes are none."""
    assert not is_closing(text)
