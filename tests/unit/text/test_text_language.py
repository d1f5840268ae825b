"""The language of a text, and the one that a message asks for."""

import pytest

from services.text.language import language_asked


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("영어로 말해줄래", "en"),
        ("and for Mapo-gu? in English please", "en"),
        ("한국어로 다시요", "ko"),
        ("in Korean, please", "ko"),
        ("영어 학원 주가는?", None),
        ("Korean shares", None),
    ],
)
def test_a_language_that_is_asked_for(text: str, language: str | None) -> None:
    """A particle or a preposition names the language of the answer; a thing of that name asks for none."""
    assert language_asked(text) == language
