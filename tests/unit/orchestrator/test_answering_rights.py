"""Who may answer a question, and how: roles, the action that was shown, a plain yes or no."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.contract.events import QuestionAsked, QuestionKind
from services.orchestrator.flow.waiting import check_reply
from services.runtime.errors import FailedPrecondition, Forbidden, InvalidRequest
from services.runtime.identity import Caller

ASKED = QuestionAsked(
    "q1", QuestionKind.APPROVAL, "", "Place the order?", ("yes", "no"), datetime(2026, 1, 1, tzinfo=UTC)
)
KIM = Caller("kim")


@pytest.mark.parametrize(
    ("caller", "may"),
    [
        (KIM, False),
        (Caller("kim", roles=frozenset({"approver"})), True),
        (Caller("kim", roles=frozenset({"evaluator"})), False),
        (Caller("kim", user_type="seller"), True),
    ],
)
def test_one_of_the_roles_is_needed(caller: Caller, may: bool) -> None:
    """A role or the user's type will do; without one the answer is refused and the question stays open."""
    asked = replace(ASKED, allowed_roles=("approver", "seller"))
    if may:
        check_reply(asked, caller, "yes", "")
        return
    with pytest.raises(Forbidden, match="approver or seller"):
        check_reply(asked, caller, "yes", "")


def test_an_answer_to_another_action_is_refused() -> None:
    """Who was shown something else has not agreed to this."""
    with pytest.raises(FailedPrecondition) as refused:
        check_reply(ASKED, KIM, "yes", "another digest")
    assert refused.value.reason == "APPROVAL_MISMATCH"


@pytest.mark.parametrize("reply", ["yes", "네", "no", "아니요", "cancel"])
def test_a_plain_word_answers(reply: str) -> None:
    """Yes, no and stop, in both languages."""
    check_reply(ASKED, KIM, reply, "")


@pytest.mark.parametrize("reply", ["yes but only two", "아마도", "1", ""])
def test_anything_else_approves_nothing(reply: str) -> None:
    """An action is not done on a guess."""
    with pytest.raises(InvalidRequest, match="plain yes or no"):
        check_reply(ASKED, KIM, reply, "")
