"""Questions that want to hear that something may not be, whose yes means no."""

import pytest

from services.plugin.asks.forms import confirms_denial


@pytest.mark.parametrize(
    "text",
    [
        "보증금은 마음대로 못 올리죠?",
        "중간에 나가라고 할 수 없는 거 맞지?",
        "이렇게 하면 안 되는 거 아닌가요",
        "그건 금지되죠?",
        "못 받지 않나요?",
    ],
)
def test_a_denial_to_be_confirmed(text: str) -> None:
    assert confirms_denial(text)


@pytest.mark.parametrize(
    "text",
    [
        "보증금을 올려도 되죠?",
        "못 올리나요?",
        "안 나가도 되죠?",
        "수리비를 못 준다는데 어떡하죠?",
        "올릴 수 있는 거 맞지?",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not confirms_denial(text)
