"""Sentences that are let through by their letters and words alone: the full reading finds nothing in any of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.grounding import directives, grounds, plain, readings
from services.grounding.causes import CAUSE_HINTS
from services.grounding.grounds import Grounds
from services.grounding.movement import directions
from services.grounding.vocabulary import vocabulary
from services.text.patterns import Pattern
from services.text.stated.figures import FIGURE_WORDS_KO, figures
from tests.unit.synthesizer.answer_parts import equity, macro, request

_GROUNDS = Grounds.of(request([equity(), macro()]))
_HANGUL = st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣"))
_PARTS = (
    *(*directives.directive_hints().words, *vocabulary().signal_hints.words, *CAUSE_HINTS.words, *FIGURE_WORDS_KO),
    *(
        "올랐",
        "오른",
        "상승",
        "늘었",
        "증가",
        "높아",
        "급등",
        "인상",
        "내렸",
        "떨어",
        "감소",
        "줄었",
        "낮아",
        "인하",
        "밀렸",
    ),
    *(
        "미국",
        "애플",
        "실업률",
        "테슬라",
        "강남구",
        "서울",
        "고용은",
        "흐름을",
        "지켜볼",
        "만하며",
        "살펴봅니다",
        "둘 다",
        "모두",
    ),
    *(
        "오늘",
        "지난달",
        "습니다",
        "했다",
        "됐고",
        "고 있습니다",
        "세요",
        "때입니다",
        "보다",
        "없",
        "삼",
        "백",
        "만",
        "조",
        "4.1%",
    ),
    *(
        "은",
        "는",
        "이",
        "을",
        "의",
        "에서",
        " ",
        " ",
        " ",
        ".",
        ",",
        "!",
        "?",
        "\n",
        "(",
        ")",
        "'",
        '"',
        "-",
        "·",
        "[",
        "살",
        "팔",
        "하",
    ),
)
_UNITS = (
    "퍼센트",
    "프로",
    "%",
    "포인트",
    "달러",
    "원",
    "월",
    "분기",
    "년",
    "일",
    "주",
    "명",
    "개",
    "배",
    "건",
    "시간",
    "",
)
_PROSE = st.lists(st.sampled_from(_PARTS), max_size=12).map("".join)
_ABOUT = st.sampled_from([None, frozenset({"Apple Inc."}), frozenset({"미국 실업률"})])


@settings(max_examples=600)
@given(_PROSE | st.text(_HANGUL | st.sampled_from(" .,!?"), max_size=40), _ABOUT)
def test_the_full_reading_finds_the_same(text: str, about: frozenset[str] | None) -> None:
    """A sentence gets the same verdict whether or not it may be told to be plain."""
    quick, freely = _GROUNDS.judge(text, about), _GROUNDS.judge_freely(text, about)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounds, "is_plain", lambda _: False)
        assert (quick, freely) == (_GROUNDS.judge(text, about), _GROUNDS.judge_freely(text, about))


_SIGNALS = vocabulary().signals


@pytest.mark.parametrize("pattern", [*_SIGNALS.values(), vocabulary().foreign], ids=[*_SIGNALS, "foreign"])
@settings(max_examples=40)
@given(data=st.data())
def test_no_signal_is_plain(pattern: Pattern, data: st.DataObject) -> None:
    """Whatever a pattern of signals matches is read in full."""
    letters = st.characters(codec="ascii") | _HANGUL
    assert not plain.is_plain(data.draw(st.from_regex(pattern.compiled, fullmatch=True, alphabet=letters)))


@pytest.mark.parametrize(
    "pattern",
    [directives._DIRECTIVE_KO, *directives.about_traded()[:2]],
    ids=["orders", "further", "suggests"],
)
@settings(max_examples=40)
@given(data=st.data())
def test_no_directive_is_plain(pattern: Pattern, data: st.DataObject) -> None:
    """Whatever a pattern of directives matches is read in full."""
    letters = _HANGUL | st.sampled_from(" .!?\n")
    assert not plain.is_plain(data.draw(st.from_regex(pattern.compiled, fullmatch=True, alphabet=letters)))


@given(st.lists(st.sampled_from("일이삼사오육칠팔구십백천만억조 ."), max_size=5).map("".join), st.sampled_from(_UNITS))
def test_no_figure_is_plain(number: str, unit: str) -> None:
    """No text in which a figure or date is found is plain."""
    text = f"금리는 {number}{unit} 입니다."
    assert not (plain.is_plain(text) and figures(text))


@pytest.mark.parametrize(
    "sentence",
    [
        "실업률은 올랐습니다.",
        "금리는 삼 퍼센트입니다.",
        "유월에 발표됩니다.",
        "지금 살 때입니다.",
    ],
)
def test_what_is_wrong_without_a_digit_is_still_refused(sentence: str) -> None:
    """A move against the rows, a figure or month in words and an order are seen."""
    assert not _GROUNDS.judge(sentence).supported


@pytest.mark.parametrize("direction", [1, -1])
def test_no_move_is_plain(direction: int) -> None:
    """A word that names a direction is read in full."""
    words = [part for part in _PARTS if directions(part) == {direction}]
    assert words
    assert not any(plain.is_plain(word) for word in words)


def test_plain_sentences_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked for in a sentence that cannot hold anything to check; one with a figure is read."""

    def _read(*_: object) -> readings.Sentence:
        raise AssertionError("read in full")

    monkeypatch.setattr(grounds, "read_sentence", _read)
    assert _GROUNDS.judge("고용은 대체로 안정적이고 흐름을 다시 살펴봅니다.").supported
    with pytest.raises(AssertionError):
        _GROUNDS.judge("실업률은 4.1%입니다.")


def test_whom_a_plain_sentence_is_about() -> None:
    """It is about those whom it names, else about those of the sentence before it, unless it speaks of several."""
    before = frozenset({"미국 실업률"})
    assert _GROUNDS.judge("흐름을 지켜볼 만합니다.", before).about == before
    assert _GROUNDS.judge("모두 지켜볼 만합니다.", before).about is None
    named = _GROUNDS.judge("실업률은 지켜볼 만합니다.").about
    assert named is not None
    assert all("실업률" in name for name in named)


def test_an_id_in_hangul_is_not_plain() -> None:
    """An id that consists of the letters of prose is still seen."""
    held = Grounds.of(request([macro()]))
    held.internal |= {"가-나다"}
    held._plain_ids = ("가-나다",)
    assert held.judge("고용은 안정적입니다.").supported
    assert not held.judge("고용은 가-나다 안정적입니다.").supported
