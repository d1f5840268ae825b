"""Reading takes a time that grows with the text: shapes of which each took the square of its length."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time

import pytest

from services.text.reading import read
from services.text.visible import visible

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
LENGTH = 2_000
"""Half of the longest question."""
RATIO_MAX = 3.0
"""Twice the text takes at most so many times as long."""
SECONDS_MIN = 0.05
"""What takes less is not worth a ratio."""
SHAPES: dict[str, Callable[[int], str]] = {
    "commas": lambda length: "," * length,
    "ranges": lambda length: "2~" * (length // 2),
    "hangul": lambda length: "나" * length,
    "latin": lambda length: "b " * (length // 2),
    "digits": lambda length: "7" * length,
    "brackets": lambda length: "[1" * (length // 2),
    "amounts": lambda length: "1만원" * (length // 3),
    "dots": lambda length: "." * length,
}


def seconds(text: str) -> float:
    """Returns the processor's time for reading a text, the least of three."""
    taken = []
    for _ in range(3):
        begin = process_time()
        read(text, now=NOW)
        taken.append(process_time() - begin)
    return min(taken)


@pytest.mark.timed
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_text_takes_twice_the_time(shape: str) -> None:
    """No search begins anew at every place or goes back to the beginning."""
    read(SHAPES[shape](LENGTH // 4), now=NOW)
    once, twice = seconds(SHAPES[shape](LENGTH)), seconds(SHAPES[shape](2 * LENGTH))
    assert twice < max(SECONDS_MIN, RATIO_MAX * once)


HIDDEN = {
    "tags": "\U000e0041a",
    "joiners": "a\u200d",
    "pictures": "👨\u200d👩",
    "zero widths": "\u200b",
    "turned": "\u202ea",
    "sequences": "\x1b[31m",
    "titles": "\x1b]0;",
    "returns": "\r\n",
}
HIDDEN_LENGTH = 200_000
"""As long as an answer of a model or a page may be: what is cut off at the door takes less."""

HIDDEN_SECONDS_MIN = 0.5
"""A square would take a minute."""


@pytest.mark.timed
@pytest.mark.parametrize("piece", HIDDEN.values(), ids=HIDDEN)
def test_what_hides_is_taken_out_in_one_walk(piece: str) -> None:
    """No mark that nobody sees costs a copy of what stands before it."""

    def taken(length: int) -> float:
        text, least = piece * (length // len(piece)), 1e9
        for _ in range(3):
            begin = process_time()
            visible(text)
            least = min(least, process_time() - begin)
        return least

    assert taken(2 * HIDDEN_LENGTH) < max(HIDDEN_SECONDS_MIN, RATIO_MAX * taken(HIDDEN_LENGTH))
