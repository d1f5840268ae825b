"""Particles, money and numbers as people write them; the language of a question."""

import pytest

from services.text.ko.written import josa, money, number, percent
from services.text.language import language_of


@pytest.mark.parametrize(
    ("word", "pair", "expected"),
    [
        ("삼성전자", "은/는", "삼성전자는"),
        ("카카오톡", "이/가", "카카오톡이"),
        ("서울", "으로/로", "서울로"),
        ("부산", "으로/로", "부산으로"),
        ("AAPL", "은/는", "AAPL은"),
        ("TSLA", "을/를", "TSLA를"),
        ("3", "과/와", "3과"),
        ("2", "이/가", "2가"),
        ("‘70%’", "이/가", "‘70%’가"),
        ("현대차(005380)", "이/가", "현대차(005380)가"),
    ],
)
def test_josa(word: str, pair: str, expected: str) -> None:
    """The particle follows the last sound, of a digit or letter as it is read."""
    assert josa(word, pair) == expected


def test_josa_needs_a_pair() -> None:
    """A single form is a mistake of the caller."""
    with pytest.raises(ValueError, match="pair"):
        josa("집", "은")


@pytest.mark.parametrize(
    ("amount_krw", "ko", "en"),
    [
        (0, "0원", "KRW 0"),
        (9_900, "9,900원", "KRW 9,900"),
        (1_234_000_000, "12억 3,400만원", "KRW 1,234,000,000"),
        (-52_000_000, "-5,200만원", "-KRW 52,000,000"),
        (1_000_000_010_000, "1조 1만원", "KRW 1,000,000,010,000"),
    ],
)
def test_money(amount_krw: int, ko: str, en: str) -> None:
    """Money in words in both languages."""
    assert (money(amount_krw, "ko"), money(amount_krw, "en")) == (ko, en)


def test_numbers() -> None:
    """Sign, separators, decimals and units."""
    assert number(12345.5) == "12,345.5"
    assert number(3.14159, decimals=2, signed=True) == "+3.14"
    assert number(-0.0) == "0.0".rstrip("0").rstrip(".")
    assert percent(-1.25, decimals=1) in {"-1.2%", "-1.3%"}


def test_no_number_is_refused() -> None:
    """NaN never reaches an answer."""
    with pytest.raises(ValueError, match="value"):
        number(float("nan"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("삼성전자 AAPL MSFT", "ko"),
        ("What is jeonse?", "en"),
        ("?!", "ko"),
        ("tell me about 강남 in one line please", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    """Hangul makes a question Korean, a quoted word in an English sentence does not."""
    assert language_of(text) == language
