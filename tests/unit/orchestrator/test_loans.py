"""What runs side by side stays within a flow's allowance, and nobody waits for what another one does not use."""

from contextlib import ExitStack

from hypothesis import given
from hypothesis import strategies as st

from services.contract.flow import Budget, Usage
from services.orchestrator.speculation.loans import DECISION_CALLS_MAX, DECISION_TOKENS_MAX, Loans, less

LEFT = Budget(model_calls=10, tokens=1_000, model_failures=3, cost_micro_usd=500)


def used(calls: int, tokens: int = 0, cost: int = 0) -> Usage:
    """Returns what a piece of work has spent."""
    return Usage(calls, tokens, 0, cost)


def test_equal_parts_are_lent_and_come_back() -> None:
    """Four at once get what is left between them, nothing is left beside them, and all of it comes back."""
    loans = Loans()
    with loans.lend(LEFT, 4) as a, loans.lend(LEFT, 3) as b, loans.lend(LEFT, 2) as c, loans.lend(LEFT) as d:
        lent = [loan.budget for loan in (a, b, c, d)]
        assert sorted(budget.model_calls for budget in lent) == [2, 2, 3, 3]
        assert sum(budget.tokens for budget in lent) == 1_000
        assert {budget.model_failures for budget in lent} == {3}
        assert loans.beside(LEFT) == Budget(0, 0, 3, 0)
    assert loans.beside(LEFT) == LEFT


def test_what_is_spent_takes_the_loans_place() -> None:
    """Accounted for within the loan, a cost is counted once; what the loan had more of is there again afterwards."""
    loans, spent = Loans(), used(2, 100, 50)
    with loans.lend(LEFT, 2) as loan:
        loan.spend(spent)
        assert loan.budget == Budget(3, 400, 3, 200)
        assert loans.beside(less(LEFT, spent)) == Budget(5, 500, 3, 250)
    assert loans.beside(less(LEFT, spent)) == Budget(8, 900, 3, 450)


def test_a_decision_gets_its_bound_or_what_is_left() -> None:
    """Beside a decision there is room for others; near the end it gets the rest."""
    loans, left = Loans(), Budget(40, 200_000, 3, 1_000)
    with loans.lend_to_decision(left) as first, loans.lend_to_decision(left) as second:
        assert first.budget == Budget(DECISION_CALLS_MAX, DECISION_TOKENS_MAX, 3, 100)
        assert second.budget.model_calls == DECISION_CALLS_MAX
        assert loans.beside(left).model_calls == 40 - 2 * DECISION_CALLS_MAX
    with loans.lend_to_decision(Budget(1, 1_000, 1, 10)) as last:
        assert last.budget == Budget(1, 1_000, 1, 10)


def test_beside_a_decision_everything_else_is_lent() -> None:
    """What runs beside one decision leaves that what it can come to, in calls, tokens and money."""
    loans, left = Loans(), Budget(40, 200_000, 3, 1_000)
    with loans.lend_beside_decision(left) as rest, loans.lend_to_decision(left) as decision:
        assert rest.budget == Budget(40 - DECISION_CALLS_MAX, 180_000, 3, 900)
        assert decision.budget == Budget(DECISION_CALLS_MAX, DECISION_TOKENS_MAX, 3, 100)


def test_nothing_left_is_nothing_lent() -> None:
    """Where nothing is left nothing is lent, and never less than nothing."""
    loans, nothing = Loans(), Budget(0, 0, 3, 0)
    assert less(LEFT, used(12, 2_000, 900)) == nothing
    with loans.lend(nothing) as alone, loans.lend_to_decision(nothing) as decision:
        assert alone.budget == decision.budget == nothing


@given(
    left=st.builds(Budget, st.integers(0, 50), st.integers(0, 10**6), st.just(3), st.integers(0, 10**6)),
    wishes=st.lists(st.integers(0, 20), min_size=1, max_size=6),
)
def test_together_they_never_go_beyond_what_is_left(left: Budget, wishes: list[int]) -> None:
    """However much each of several at once would like to call, their calls together stay within what is left."""
    loans, calls = Loans(), 0
    with ExitStack() as stack:
        lent = [stack.enter_context(loans.lend(left, len(wishes) + 1)) for _ in wishes]
        for loan, wish in zip(lent, wishes, strict=True):
            calls += min(wish, loan.budget.model_calls)
    assert calls <= left.model_calls
