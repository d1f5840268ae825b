"""Patterns that look for words first: no text that one matches may be missed, and most texts are not searched."""

import ast
import functools
import importlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.text.patterns import Pattern, words_of

ROOT = Path(__file__).parents[3]
ASKING = frozenset({"says", "find"})
"""Calls whose first argument is a pattern."""
TEXTS = ("전세 시세 알려줘", "What is the latest US rate?", "보증금 3억에 월세 80", "", "\u212aelvin ſ İ ı ٣", "ß")


def _patterns_of(path: Path) -> set[str]:
    """Returns the patterns that a file asks with: strings, its own constants, and what it has made of them."""
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    calls = [one for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.Call) and one.args]
    named = [one.args[0] for one in calls if getattr(one.func, "attr", "") in ASKING]
    found = [one.value for one in named if isinstance(one, ast.Constant)]
    found += [getattr(module, one.id, None) for one in named if isinstance(one, ast.Name)]
    found += [one.pattern for one in vars(module).values() if isinstance(one, Pattern)]
    return {one for one in found if isinstance(one, str)}


@functools.cache
def house_patterns() -> tuple[str, ...]:
    """Returns the patterns that domains and the readers of their asks ask with."""
    files = [*(ROOT / "services/domains").rglob("*/asks/**/*.py"), *(ROOT / "services/plugin/asks").glob("*.py")]
    return tuple(sorted(set().union(*map(_patterns_of, files))))


@settings(max_examples=60)
@given(st.data())
def test_no_match_is_missed(data: st.DataObject) -> None:
    """Whatever one of the house's patterns matches holds one of the words that are looked for first."""
    source = data.draw(st.sampled_from(house_patterns()))
    text = data.draw(st.from_regex(re.compile(source, re.IGNORECASE)))
    assert Pattern(source, re.IGNORECASE).may_match(text)


def test_it_finds_what_the_bare_pattern_finds() -> None:
    """Each pattern of the house answers as the compiled expression does."""
    for source in house_patterns():
        mine, bare = Pattern(source, re.IGNORECASE), re.compile(source, re.IGNORECASE)
        assert [mine.findall(text) for text in TEXTS] == [bare.findall(text) for text in TEXTS]
        assert [mine.sub("-", text) for text in TEXTS] == [bare.sub("-", text) for text in TEXTS]


def test_most_patterns_are_never_compiled() -> None:
    """Few of the house's patterns could match a plain question at all."""
    asked = [Pattern(source, re.IGNORECASE) for source in house_patterns()]
    assert len(asked) > 500
    assert sum(one.may_match("미국 실업률 알려줘") for one in asked) < len(asked) / 5


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("이동\\s?평균|이평선", ("이동", "이평선")),
        ("(?:dead|death) cross", (" cross",)),
        ("ab?c", ("a",)),
        ("ab+c", ("ab",)),
        ("(?:가격|값)(?:이|은)?\\s*얼마", ("얼마",)),
        ("(?<!전)세(?!금)", ("세",)),
        ("(?<=월)세\\.", ("세.",)),
        ("[0-3]\\s?[개-힣]", ("0", "1", "2", "3")),
        ("[가-힣]+", ()),
        ("가격|\\s+", ()),
        ("(?>가격)", ()),
        ("(?x: 가 격 )", ()),
        ("{가격}", ()),
        ("(가격){0,2}", ()),
        ("(가격){2}", ("가격",)),
        ("Straße", ("strasse",)),
    ],
)
def test_words_of_a_pattern(source: str, words: tuple[str, ...]) -> None:
    """The words are those without which nothing matches; none where the source tells none for certain."""
    assert words_of(source) == words


def test_spaced_out_patterns_tell_no_words() -> None:
    """A pattern whose white space means nothing is searched outright."""
    assert words_of("전 세", re.VERBOSE) == ()


@pytest.mark.parametrize(("source", "text"), [("k", "\u212a"), ("s", "ſ"), ("in", "İn"), ("i", "ı"), ("\\d번", "٣번")])
def test_letters_that_count_as_others(source: str, text: str) -> None:
    """What the expression takes for one of its letters is taken for it here too."""
    assert Pattern(source, re.IGNORECASE).search(text) is not None


def test_a_text_is_looked_through_once() -> None:
    """A pattern that is tried at each place of a text looks for its words in it once: else reading takes a square."""
    looked: list[str] = []

    class Counted(Pattern):
        __slots__ = ()

        def _holds_a_word(self, text: str) -> bool:
            looked.append(text)
            return super()._holds_a_word(text)

    text, pattern = "looked at once " * 50, Counted("per cent|ratio")
    assert all(pattern.match(text, at) is None for at in range(len(text)))
    assert looked == [text]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("각", "각"), ("i", "\u0130"), ("ß", "SS"), ("[3-5]", "٤"), ("a|bc|def", "xbc"), ("ab|c", "C")],
)
def test_what_pairs_of_letters_tell_is_sure(pattern: str, text: str) -> None:
    """A word of one letter, one at an end, and letters that stand for others are never taken for missing."""
    found = re.search(pattern, text, re.IGNORECASE)
    assert Pattern(pattern, re.IGNORECASE).may_match(text) >= (found is not None)
