"""The words by which products are found."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domains.commerce.product_words import TOKENS_MAX, WORDS_MAX, index_tokens, query_words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("무선 이어폰", ["무선", "이어폰"]),
        ("20만원 이하 무선 이어폰을 추천해줘", ["무선", "이어폰"]),
        ("Please recommend wireless earphones under 200000 won", ["wireless", "earphones"]),
        ("로봇청소기로", ["로봇청소기"]),
        ("", []),
        ("추천 상품", []),
    ],
)
def test_only_words_that_name_a_property_count(question, words) -> None:
    """Prices, requests and particles are left out; what is left are the words in their order."""
    assert [word.text for word in query_words(question)] == words


def test_two_syllables_are_a_token() -> None:
    """A word of two syllables is found alone and inside a compound."""
    assert "무선" in index_tokens("소리담 무선이어폰")
    assert query_words("무선")[0].tokens == ("무선",)


def test_decomposed_hangul_equals_composed() -> None:
    """A question typed in decomposed Hangul has the same words."""
    question = "무선 이어폰"
    assert query_words(unicodedata.normalize("NFD", question)) == query_words(question)


@given(st.text(max_size=300))
def test_no_question_exceeds_the_bounds(question) -> None:
    """Any text gives at most the bound number of words and tokens, each word with at least one token."""
    words = query_words(question)
    assert len(words) <= WORDS_MAX
    assert sum(len(word.tokens) for word in words) <= TOKENS_MAX
    assert all(word.tokens and all(word.tokens) for word in words)


@given(st.text(alphabet="가나다라마바사아자차카타파하은는이를 abc", max_size=40))
def test_a_text_is_found_by_its_own_words(text) -> None:
    """Every token of a question stands in the index of the same text."""
    indexed = index_tokens(text)
    assert all(token in indexed for word in query_words(text) for token in word.tokens)
