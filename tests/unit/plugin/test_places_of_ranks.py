"""Which place of a rank a message asks for, and how the one that stands there is told."""

import pytest

from services.contract.asks import Ask, AskForm, Said
from services.plugin.asks.forms import place_in, superlative_in
from services.plugin.asks.telling import first_at, placed

NAMES = (Said("가", "a"), Said("나", "b"), Said("다", "c"))


def ask_of(words: str) -> Ask:
    """Return a ranking that is asked for in these words."""
    return Ask(words=words, form=AskForm.RANK)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("경기도에서 세 번째로 비싼 동네", 3),
        ("배당수익률 2등 종목", 2),
        ("the fourth-largest company", 4),
        ("2nd lowest rent", 2),
        ("가장 싼 곳", 1),
        ("매출 상위 3위까지", 1),
        ("정기예금 2등급", 1),
        ("two cheapest ones", 1),
        ("second lease, cheapest one", 1),
    ],
)
def test_a_place_is_said_beside_what_it_is_of(text: str, place: int) -> None:
    """A place is of a rank where it stands with the superlative; a number of things or a grade is none."""
    assert place_in(text) == place


@pytest.mark.parametrize(
    ("text", "is_most"), [("두 번째로 싼 데", False), ("세번째로 높은 곳", True), ("PER 3위", True)]
)
def test_a_place_makes_a_superlative(text: str, is_most: bool) -> None:
    """What is asked for by its place is a rank as the first is."""
    found = superlative_in(text)
    assert found is not None
    assert found.is_most is is_most


def test_the_one_at_the_place_is_told_first() -> None:
    """It opens the answer and stands first in what was told, so that the next message is of it."""
    place, sentence = placed(ask_of("두 번째로 큰 것"), NAMES)
    assert sentence == Said("2번째는 나입니다.", "Number 2 is b.")
    assert first_at(place, NAMES) == (NAMES[1], NAMES[0], NAMES[2])


def test_a_place_that_nothing_has_is_said_to_be_none() -> None:
    """Nobody is put in its place."""
    place, sentence = placed(ask_of("다섯 번째로 큰 것"), NAMES)
    assert place == 0
    assert sentence == Said("5번째는 없습니다. 모두 3개입니다.", "There is no number 5: there are 3.")


def test_the_first_needs_no_sentence_of_its_own() -> None:
    """A ranking opens with its first by itself."""
    assert placed(ask_of("가장 큰 것"), NAMES) == (0, None)
