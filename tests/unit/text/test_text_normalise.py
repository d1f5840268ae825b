"""One written form for matching: the same text in any of its encodings is the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.text.normalise import is_blank, normalise

_INVISIBLE = ("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u3164", "\u115f", "\u202e", "\x07")


@given(st.text(max_size=40))
def test_composed_and_decomposed_forms_are_one(text: str) -> None:
    """NFC and NFD of any text normalise alike, so that decomposed Hangul matches composed."""
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(unicodedata.normalize("NFC", text))


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing(text: str) -> None:
    """The normal form is its own normal form."""
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(alphabet="가나다라 abc123", min_size=1, max_size=20), st.sampled_from(_INVISIBLE), st.data())
def test_invisible_characters_are_nothing(text: str, invisible: str, data: st.DataObject) -> None:
    """A character that shows nothing makes no difference, wherever it stands."""
    place = data.draw(st.integers(0, len(text)))
    assert normalise(text[:place] + invisible + text[place:]) == normalise(text)


@given(st.integers(0, 10**12))
def test_full_width_digits_are_plain(number: int) -> None:
    """Full-width digits become ASCII ones."""
    wide = "".join(chr(ord(digit) + 0xFEE0) for digit in str(number))
    assert normalise(wide) == str(number)


@pytest.mark.parametrize("text", ["", " ", "\u3000\t\n", "\u200b\u2060 \ufeff", "\u3164\u3164", "\u115f\u1160"])
def test_what_shows_nothing_is_blank(text: str) -> None:
    """White space, zero-width characters and Hangul fillers are a blank question."""
    assert is_blank(text)


def test_a_visible_mark_is_not_blank() -> None:
    """A lone sign still is something."""
    assert not is_blank("\u200b.\u200b")


def test_superscripts_stay_for_the_readers_to_refuse() -> None:
    """Superscript and Arabic-Indic digits are no plain digits; a square metre is its own sign."""
    assert normalise("7² ٧") == "7² ٧"
    assert normalise("59m²") == "59㎡"


@pytest.mark.parametrize(
    ("hurried", "written"),
    [
        ("the one i havent paid for", "the one i haven't paid for"),
        ("Whats left, dont ask", "What's left, don't ask"),
        ("ive moved and theyve not", "i've moved and they've not"),
        ("wants, ants, dental, Ives", "wants, ants, dental, Ives"),
    ],
)
def test_contractions_are_heard_without_their_apostrophe(hurried: str, written: str) -> None:
    """What a hurried writer leaves out is put back where the letters are no word of their own, once and for all."""
    assert normalise(hurried) == written
    assert normalise(written) == written
