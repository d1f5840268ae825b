"""What one service has waited for in vain no other waits for: in the same question, and in those that follow."""

from datetime import timedelta

import pytest

from services.contract.flow import Decision, DecisionSource, Usage
from services.llm.circuits import AWAY_SECONDS, QUESTIONS
from services.llm.model import FailureReason
from services.orchestrator.flow import models_away
from services.orchestrator.flow.models_away import ModelsAway
from tests.support.understanding import NOW

SMALL, LARGE = "small", "large"


def decision(model: str, reason: str = "", seconds: float = 5.0) -> Decision:
    """Return a decision that a model made, or that waited for it until the reason."""
    source = DecisionSource.FALLBACK if reason else DecisionSource.LLM
    took = timedelta(seconds=seconds)
    return Decision("policy", "policy_safety", source, "1", model, "", b"{}", None, "", reason, took, Usage(), NOW)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock: what stands in it is the time."""
    at = [1_000.0]
    monkeypatch.setattr(models_away, "monotonic", lambda: at[0])
    return at


@pytest.fixture
def away(now: list[float]) -> ModelsAway:
    """What is known after a question has waited for the small model in vain."""
    assert now
    known = ModelsAway()
    known.hear(decision(SMALL, FailureReason.TIMED_OUT))
    return known


def test_one_question_waits(away: ModelsAway) -> None:
    """The rest of it and the next ones do without that model alone; the twentieth after it tries, in all its calls."""
    told = [away.of(f"q{number}") for number in range(QUESTIONS)]
    assert told == [*[(SMALL,)] * (QUESTIONS - 1), ()]
    assert away.of(f"q{QUESTIONS - 1}") == ()
    assert away.of("q0") == (SMALL,)


def test_after_a_while_the_next_question_tries(away: ModelsAway, now: list[float]) -> None:
    """However few have come; and where it waits in vain too, the others go on without."""
    assert away.of("q") == (SMALL,)
    now[0] += AWAY_SECONDS
    assert (away.of("q"), away.of("tries"), away.of("other")) == ((SMALL,), (), (SMALL,))
    away.hear(decision(SMALL, FailureReason.TIMED_OUT))
    assert (away.of("tries"), away.of("other")) == ((SMALL,), (SMALL,))


def test_an_answer_brings_it_back(away: ModelsAway) -> None:
    """The model that answers is asked by every question again."""
    away.hear(decision(SMALL))
    assert away.of("q") == ()


@pytest.mark.parametrize(
    "heard",
    [
        [decision(SMALL, FailureReason.SERVER_ERROR)],
        [decision(SMALL, FailureReason.TIMED_OUT, seconds=0.5)],
        [decision(SMALL), decision(SMALL, FailureReason.TIMED_OUT)],
        [decision(LARGE, FailureReason.MODEL_AWAY)],
    ],
    ids=["it answered with an error", "it had no time", "it answered others meanwhile", "nobody asked it"],
)
def test_what_says_nothing_of_a_model(now: list[float], heard: list[Decision]) -> None:
    """Only who waited for it, while it answered nobody, says that it is away."""
    assert now
    known = ModelsAway()
    for one in heard:
        known.hear(one)
    assert known.of("q") == ()
