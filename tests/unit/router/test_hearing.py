"""Which of two voters who contradict each other is heard, and that the other one's score stays in the record."""

import pytest

from services.router.hearing import CastVotes, heard
from services.router.weighing import Vote

UNCLEAR = "UNCLEAR"


def _keyword(score: float, **more: float) -> Vote:
    return Vote("keyword", 1.0, {"purchase": score, **more}, "")


def _scope(intent: str, score: float) -> Vote:
    return Vote("scope", 1.0, {intent: score}, "")


@pytest.mark.parametrize(
    ("keyword", "scope", "cast"),
    [
        (_keyword(0.95), _scope("purchase", 0.97), ("keyword", "scope")),
        (_keyword(0.95), None, ("keyword",)),
        (None, _scope("refund_request", 0.88), ("scope",)),
        (_keyword(0.90), _scope("search_product", 0.97), ("scope",)),
        (_keyword(0.95), _scope("search_product", 0.97), ("scope",)),
        (_keyword(0.96), _scope("search_product", 0.97), ("keyword",)),
        (_keyword(0.90), _scope("search_product", 0.93), ("scope",)),
        (_keyword(0.91), _scope("search_product", 0.93), ("keyword",)),
        (_keyword(0.95, search_product=0.93), _scope("search_product", 0.88), ("keyword",)),
        (_keyword(0.95, search_product=0.93), _scope("search_product", 0.93), ("keyword", "scope")),
        (None, _scope(UNCLEAR, 0.97), ()),
        (_keyword(0.90), _scope(UNCLEAR, 0.97), ()),
        (_keyword(0.95), _scope(UNCLEAR, 0.97), ("keyword",)),
    ],
)
def test_who_is_heard(keyword: Vote | None, scope: Vote | None, cast: tuple[str, ...]) -> None:
    """Plain words stand against any likeness; weaker ones give way to a sure one; being unclear is no vote."""
    found = heard(keyword, scope, UNCLEAR)
    assert tuple(vote.voter for vote in (found.keyword, found.scope) if vote) == cast
    assert {vote.voter for vote, _ in found.silent} == {v.voter for v in (keyword, scope) if v} - set(cast)


def test_nobody_votes_on_nothing() -> None:
    """Without a vote there is none, and nothing to record."""
    assert heard(None, None, UNCLEAR) == CastVotes(None, None)
