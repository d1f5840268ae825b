"""Words, stems and morphemes; phrases match whole ones and never parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.text.ko.morphemes import morphemes
from services.text.normalise import normalise
from services.text.words import PhraseIndex, Vocabulary, phrase_index, words

_PHRASES = ("전세", "취소", "환불", "담-", "오르-", "PER", "open", "cart", "장바구니", "lease", "하나")


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("전셋집 말고 전세대출은 얼마나", "전세"),
        ("그럼금천구는요", "금천구"),
        ("장바구니에서는", "장바구니"),
        ("주가가 떨어졌던데", "떨어지-"),
        ("cancelled my orders", "cancel"),
        ("PER이 낮은 종목", "PER"),
        ("SK하이닉스가", "하이닉스"),
        ("부동산 시장", "부동산시장"),
    ],
)
def test_phrases_are_found(text: str, phrase: str) -> None:
    """Particles, endings, inflection and missing spaces do not hide a word."""
    assert phrase_index(text).find(phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("전세계 수출", "전세"),
        ("OpenAI 소식", "open"),
        ("performance report", "PER"),
        ("파인애플 주스", "애플"),
        ("cartoon", "cart"),
        ("please release it", "lease"),
    ],
)
def test_parts_of_words_are_not(text: str, phrase: str) -> None:
    """A phrase inside another word is not that phrase."""
    assert not phrase_index(text).find(phrase)


@given(st.text(alphabet="전세계취소율환불담았어오르내 PERopencartlease하나장바구니", max_size=24))
def test_looking_up_all_at_once_finds_the_same(text: str) -> None:
    """A vocabulary finds exactly what its phrases find one by one."""
    index = PhraseIndex(normalise(text))
    one_by_one = {phrase: list(index.find(phrase)) for phrase in _PHRASES if index.find(phrase)}
    assert index.find_all(Vocabulary(_PHRASES)) == one_by_one


@given(st.text(max_size=40))
def test_words_and_morphemes_are_slices_of_the_text(text: str) -> None:
    """Each word and morpheme is what stands at its place."""
    plain = normalise(text)
    assert [plain[word.start : word.end] for word in words(plain)] == [word.surface for word in words(plain)]
    pieces = morphemes(plain)
    assert [plain[piece.start : piece.end] for piece in pieces] == [piece.surface for piece in pieces]


@given(st.text(alphabet="가나다은는이을를에서로의도만까지부터", min_size=1, max_size=8))
def test_a_stem_keeps_two_syllables_and_the_word_itself(text: str) -> None:
    """The word stays among its stems, and no particle leaves a stem of one syllable."""
    (word,) = words(text)
    assert word.stems[0] == text
    assert [stem for stem in word.stems if len(stem) < 2] == ([text] if len(text) == 1 else [])


def test_scripts_are_split() -> None:
    """Hangul and Latin that run together are words of their own."""
    assert [word.surface for word in words("TSLA하고 KT는 2억")] == ["TSLA", "하고", "KT", "는", "2", "억"]


def test_the_longest_phrase_wins() -> None:
    """A hit inside a longer one is left out."""
    hits = PhraseIndex("소비자물가 상승률").find_longest(["물가", "소비자물가", "상승률"])
    assert [hit.phrase for hit in hits] == ["소비자물가", "상승률"]
