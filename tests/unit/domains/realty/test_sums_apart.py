"""What lies between two sums of one kind that were told one by one is their difference."""

import pytest

from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, AskForm, Told
from services.domains.realty.asks.loans import apart
from tests.unit.catalog.test_leaning_messages import sheet_of


def _told(kind: str, value: str) -> AskedBefore:
    ask = Ask(words="", form=AskForm.AMOUNT, domain="realty", answerer="realty.payment", intent="loan")
    answer = AskAnswer(ask_id="q1", form=AskForm.AMOUNT, state=AnswerState.ANSWERED, told=(Told(kind, value, value),))
    return AskedBefore((ask,), (answer,))


@pytest.mark.parametrize("text", ["그러면 얼마나 아끼는 건가요", "how much less would that be a month?"])
def test_the_difference_of_two_payments(text: str) -> None:
    """The later one comes first, and nothing is read anew."""
    (claim,) = apart.read(sheet_of(text), [_told("payment", "900000"), _told("payment", "1100000")])
    assert [one.value for one in claim.ask.quantities] == ["900000", "1100000"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("차이가 뭐야", ("payment", "loan_limit")), ("금리 1%p 차이면?", ("payment", "payment"))],
)
def test_sums_of_two_kinds_or_new_numbers_are_none(text: str, kinds: tuple[str, str]) -> None:
    """A payment and a limit lie nowhere apart, and a new number asks for a new sum."""
    assert apart.read(sheet_of(text), [_told(kinds[0], "1"), _told(kinds[1], "2")]) == ()
