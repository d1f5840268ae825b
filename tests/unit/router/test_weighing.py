"""The vote's arithmetic: weights, cap, rounding, order, and gates that can all be reached."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.catalog.loader import catalog
from services.contract.flow import NextAction
from services.router.weighing import Vote, mean_hundredths, next_action, standings

CAP = 0.99
GATES = catalog().routing.gates


def _votes() -> list[Vote]:
    return [
        Vote("llm", 1.2, {"a": 0.9, "b": 0.4}, ""),
        Vote("keyword", 1.0, {"a": 0.95}, ""),
        Vote("scope", 1.0, {"b": 0.88, "a": 0.6}, ""),
    ]


def test_the_mean_is_over_the_votes_that_were_cast() -> None:
    """(1.2 * .9 + .95 + .6) / 3.2 = .821875 and (1.2 * .4 + .88) / 3.2 = .425."""
    assert [(one.intent, one.hundredths) for one in standings(_votes(), CAP)] == [("a", 82), ("b", 43)]


def test_a_lone_vote_keeps_its_score() -> None:
    """A voter that abstains takes nothing away."""
    assert standings([Vote("keyword", 1.0, {"a": 0.95}, "")], CAP)[0].hundredths == 95


def test_nothing_is_surer_than_the_cap() -> None:
    """Full agreement at 1.0 gives .99."""
    assert (
        standings([Vote("keyword", 1.0, {"a": 1.0}, ""), Vote("scope", 1.0, {"a": 1.0}, "")], CAP)[0].hundredths == 99
    )


def test_the_order_of_votes_changes_nothing() -> None:
    """Whole hundredths add up the same in every order."""
    results = {
        tuple((one.intent, one.hundredths) for one in standings(list(order), CAP)) for order in permutations(_votes())
    }
    assert len(results) == 1


@given(st.lists(st.integers(0, 100), min_size=1, max_size=3))
def test_a_mean_lies_between_its_votes(scores: list[int]) -> None:
    """No mean leaves the range of its votes, whatever they are."""
    votes = [Vote(str(place), 1.0, {"a": score / 100}, "") for place, score in enumerate(scores)]
    assert min(scores) <= standings(votes, 1.0)[0].hundredths <= max(scores)


@pytest.mark.parametrize(
    ("hundredths", "action"),
    [(99, "PROCEED"), (85, "PROCEED"), (84, "CONFIRM"), (70, "CONFIRM"), (69, "CLARIFY"), (0, "CLARIFY")],
)
def test_gates(hundredths: int, action: str) -> None:
    """.85 and above proceeds, .70 and above is confirmed, the rest clarified."""
    assert next_action(hundredths, GATES) is NextAction(action)


def test_two_confidences_merge_to_their_mean() -> None:
    """.88 and .85 give .865, in hundredths and half up 87; nothing gives 0."""
    assert mean_hundredths([88, 85]) == 87
    assert mean_hundredths([]) == 0
