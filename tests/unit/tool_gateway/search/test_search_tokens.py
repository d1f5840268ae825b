"""Tokens: two-syllable words are words, particles and forms do not matter, asking words are left out."""

import unicodedata

import pytest

from services.tool_gateway.search.tokens import TOKENS_MAX, is_word, question_tokens, tokens


@pytest.mark.parametrize("word", ["전세", "월세", "근로", "무선", "임대", "보증금"])
def test_a_word_is_one_token_whatever_follows_it(word) -> None:
    """A word of two syllables is a token of its own, with a particle behind it or without."""
    for particle in ("", "은" if word != "전세" else "는", "의", "도"):
        assert word in question_tokens(f"{word}{particle} 얼마")


def test_both_forms_of_hangul_give_the_same_tokens() -> None:
    """Composed and decomposed text have equal tokens."""
    text = "확정일자를 받으면 뭐가 좋아요"
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(text)
    assert question_tokens(unicodedata.normalize("NFD", text)) == question_tokens(text)


def test_asking_words_are_no_words_of_a_question() -> None:
    """What only asks is left out; what is asked about stays."""
    assert [token for token in question_tokens("전세금은 어떻게 되나요") if is_word(token)] == ["전세금"]


def test_english_words_are_folded() -> None:
    """Case and a plain plural do not matter."""
    assert set(question_tokens("Deposits")) == set(question_tokens("deposit")) == {"deposit"}


def test_a_long_question_is_cut() -> None:
    """No more tokens than a statement can bind; words come before pairs of syllables."""
    found = question_tokens(" ".join(f"낱말{number}번째" for number in range(100)))
    assert len(found) == TOKENS_MAX
