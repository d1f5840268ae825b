"""Which side of a comparison the words of a message take."""

from datetime import date

import pytest

from services.plugin.asks.comparatives import side
from services.plugin.asks.sheet import Sheet


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("그럼 높은 데는 어디야", "up"),
        ("저렴한 쪽으로요", "down"),
        ("덜 떨어진 건 뭔데", "up"),
        ("which one earns more", "up"),
        ("the smaller one please", "down"),
        ("what is its price", None),
        ("배당은 얼마야", None),
    ],
)
def test_a_comparative_takes_the_side_that_it_says(text: str, wanted: str | None) -> None:
    """Higher and lower are told apart, a smaller fall is the better side, and other questions take none."""
    assert side(Sheet(text, "ko", date(2026, 11, 28), (), "consumer")) == wanted
