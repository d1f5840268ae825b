"""What is told by words alone before a long pattern is tried: no text that the pattern matches may be missed."""

from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.grounding import directives
from services.text.hints import Hints
from services.text.patterns import Pattern
from services.text.stated import names

_LETTERS = st.characters(codec="ascii") | st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣"))
_NAMING = (
    "애플",
    "테슬라",
    "강남구",
    "삼성전자",
    "은",
    "Apple",
    "apple",
    "TESLA",
    "AMD",
    "K",
    "\u212a",
    "İ",
    " ",
    "(",
    "\n",
    "3",
    "-",
)
_DIRECTIVES = {
    "ko": directives._DIRECTIVE_KO,
    "further ko": directives.about_traded()[1],
    "en": directives._DIRECTIVE_EN,
    "further en": directives.about_traded()[2],
}


@given(
    st.lists(st.text("가나ab.", min_size=1, max_size=4), min_size=1, max_size=12), st.text("가나abAB. \n", max_size=20)
)
def test_a_word_is_found_wherever_it_stands(words: list[str], text: str) -> None:
    """The words are found as one after the other would be, whatever case and white space the text has."""
    squeezed = "".join(text.lower().split())
    assert Hints(words).stand_in(text) == any(word in squeezed for word in words)


@pytest.mark.parametrize("pattern", _DIRECTIVES.values(), ids=_DIRECTIVES)
@given(data=st.data())
def test_no_directive_is_without_its_hint(pattern: Pattern, data: st.DataObject) -> None:
    """Whatever a pattern of directives matches holds one of the words that are looked for first."""
    text = data.draw(st.from_regex(pattern.compiled, fullmatch=True, alphabet=_LETTERS))
    assert directives.directive_hints().stand_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "지금 살 때입니다.",
        "살 만합니다.",
        "팔 때예요.",
        "주식을 팔아야 합니다.",
        "살 시점입니다.",
        "팔 기회다.",
        "지금이 살 시점이다.",
        "매수할 적기네요.",
    ],
)
def test_short_stems_still_direct(text: str) -> None:
    """A stem that ordinary words begin with too is still found where it orders something."""
    assert directives.directs(text)


@example("İİ3")
@given(st.lists(st.sampled_from(_NAMING), max_size=8).map("".join))
def test_no_text_is_taken_for_one_without_names(text: str) -> None:
    """The names are the same whether or not the beginnings of words are looked up first."""
    table = names.NameTable((name, name) for name in _NAMING if name.isalnum())
    quick = table.names_in(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "_BEGINNING", SimpleNamespace(findall=lambda _: ["애플"]))
        assert quick == table.names_in(text)
