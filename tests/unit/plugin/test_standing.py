"""The set that was told over several messages."""

from datetime import date

import pytest

from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, AskForm, Told
from services.plugin.asks.edits import pointed
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import standing


def told(measure: str, **figures: str) -> AskedBefore:
    """Return a message that asked for a measure and was told it of some things."""
    rows = tuple(Told("place", name, name, {measure: value} if value else {}) for name, value in figures.items())
    ask = Ask(ask_id="q1", measures=(measure,))
    return AskedBefore((ask,), (AskAnswer("q1", AskForm.LEVEL, AnswerState.ANSWERED, told=rows),))


def names(rows: tuple[Told, ...]) -> list[str]:
    """Return what things are called."""
    return [one.value for one in rows]


def test_things_asked_of_one_by_one_for_the_same_are_a_set() -> None:
    """Each further one joins; what is asked of one of them alone leaves the set and what it was told by."""
    before = [told("ratio", a="9"), told("price", c="2"), told("price", b="3"), told("price", a="1")]
    stands = standing(before, "place")
    assert names(stands.rows) == ["a", "b", "c"]
    assert stands.measure == "price"
    assert names(stands.last) == ["a"]
    assert stands.rows[0].figures == {"price": "1", "ratio": "9"}
    assert names(stands.ordered("price", most=True)) == ["b", "c", "a"]


def test_a_list_takes_the_place_of_what_stood() -> None:
    """What is told at once is a set of its own; one thing of another measure begins anew."""
    assert names(standing([told("price", c="1", d="2"), told("price", a="3")], "place").rows) == ["c", "d"]
    assert names(standing([told("ratio", c="1"), told("price", a="3")], "place").rows) == ["c"]


def test_of_a_number_the_last_that_were_told_are_meant_or_the_list_that_has_so_many() -> None:
    """Two of three that were asked one by one are the last two; three are the list of three that was told before."""
    one_by_one = [told("price", c="2"), told("price", b="3"), told("price", a="1")]
    assert names(standing(one_by_one, "place").several(2)) == ["b", "c"]
    listed = [told("price", a="1", b="3"), told("price", a="1", b="3", c="2")]
    assert names(standing(listed, "place").several(3)) == ["a", "b", "c"]
    assert names(standing(listed, "place").several()) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "how", "wanted"),
    [
        ("더 비싼 두 곳은 차이가 얼마야", "set", ["b", "c"]),
        ("the two cheapest?", "set", ["a", "c"]),
        ("제일 비싼 데 빼고 매매는?", "set", ["c", "a"]),
        ("셋 중 제일 싼 건?", "set", ["a", "b", "c"]),
        ("which of those is cheapest", "set", ["a", "b", "c"]),
        ("두 번째는?", "ordinal", ["b"]),
        ("나머지는?", "other", ["a", "b"]),
        ("그건 왜?", "one", ["c"]),
    ],
)
def test_words_point_into_the_set(text: str, how: str, wanted: list[str]) -> None:
    """A few by their figures, all, one by its place, what is left, and the one that was told of last."""
    before = [told("price", c="2"), told("price", b="3"), told("price", a="1")]
    language = "ko" if "가" <= text[0] <= "힣" else "en"
    found = pointed(Sheet(text, language, date(2026, 11, 28), ()), before, "place")
    assert found is not None
    assert (found.how, names(found.told)) == (how, wanted)
