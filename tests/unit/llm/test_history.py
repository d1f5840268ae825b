"""What a prompt is told of the conversation before a question."""

import pytest

from services.contract.flow import Speaker, Turn
from services.llm.history import CHARACTERS_MAX, TURNS_LAST, TURNS_WHOLE_MAX, history_of


def _said(turns: int, rest: str = "") -> tuple[Turn, ...]:
    """Return a conversation; each message has an opening of its own, and something behind it."""
    speakers = (Speaker.USER, Speaker.ASSISTANT)
    return tuple(Turn(speakers[place % 2], f"message {place}.\n{rest}") for place in range(turns))


@pytest.mark.parametrize("turns", [0, 1, TURNS_WHOLE_MAX])
def test_a_short_conversation_is_told_as_it_was_said(turns: int) -> None:
    """Nothing of it is left out."""
    said = _said(turns, "and what stands behind it")
    told = history_of(said)
    assert told.fits
    assert [turn.text for turn in told.turns] == [turn.text for turn in said]


def test_a_long_one_is_told_by_its_openings_but_for_the_last_exchanges() -> None:
    """Every message is there; the last three exchanges are there whole."""
    said = _said(40, "and what stands behind it")
    told = history_of(said)
    assert told.fits
    assert [turn.text for turn in told.turns[:-TURNS_LAST]] == [f"message {place}." for place in range(34)]
    assert [turn.text for turn in told.turns[-TURNS_LAST:]] == [turn.text for turn in said[-TURNS_LAST:]]


def test_few_long_messages_are_summed_up_too() -> None:
    """What counts is the room that they take."""
    told = history_of(_said(8, "x" * 1_200))
    assert told.fits
    assert [len(turn.text) > 1_200 for turn in told.turns] == [False] * 2 + [True] * 6


@pytest.mark.parametrize(("turns", "length"), [(100, 400), (8, 5_000), (1, 40_000), (300, 100)])
def test_what_has_no_room_even_so_is_left_out_from_its_beginning(turns: int, length: int) -> None:
    """The newest is told within the bounds, and that something is missing is told."""
    said = [Turn(turn.speaker, turn.text + "y" * length) for turn in _said(turns)]
    said = [Turn(turn.speaker, turn.text.replace("\n", " ")) for turn in said]
    told = history_of(said)
    assert not told.fits
    assert 0 < sum(len(turn.text) for turn in told.turns) <= CHARACTERS_MAX
    assert told.turns[-1].text.startswith(said[-1].text[:20])
