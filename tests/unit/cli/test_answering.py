"""What a line at the terminal answers."""

import pytest

from services.cli.ask.person import STOP, chosen

OPTIONS = ("서울 중구", "부산 중구")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2\n", "부산 중구"),
        (" 서울이요 \n", "서울이요"),
        ("3\n", "3"),
        ("0\n", "0"),
        ("²\n", "²"),
        ("", STOP),
        ("\n", STOP),
    ],
)
def test_a_line_is_an_option_a_text_or_a_stop(line: str, expected: str) -> None:
    """A number in range stands for its option, anything else for itself, and nothing for a stop."""
    assert expected == chosen(line, OPTIONS)
