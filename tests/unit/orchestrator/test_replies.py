"""Whole messages only: a word inside a sentence is neither a yes nor a stop."""

import unicodedata

import pytest

from services.orchestrator.flow.replies import is_stop, is_yes


@pytest.mark.parametrize("message", ["취소", "그만!", " 취소 할게요. ", "CANCEL", "됐어요", "never mind", "stop."])
def test_stop_is_stop(message: str) -> None:
    """A message that says stop and nothing else stops, composed or decomposed."""
    assert is_stop(message)
    assert is_stop(unicodedata.normalize("NFD", message))


@pytest.mark.parametrize("message", ["주문 취소해줘", "취소 수수료는", "그만큼 싼 곳", "stop loss", "", "취소하지 마"])
def test_more_than_stop_is_not_stop(message: str) -> None:
    """A request that holds the word is routed like any other."""
    assert not is_stop(message)


@pytest.mark.parametrize(("message", "expected"), [("네", True), ("ok!", True), ("네 근데", False), ("아니", False)])
def test_only_a_plain_yes_is_a_yes(message: str, expected: bool) -> None:
    """What is not plainly a yes confirms nothing."""
    assert expected == is_yes(message)
