"""What runs side by side stays within a flow's allowance, and nobody waits for what another one does not use."""

from contextlib import ExitStack

from hypothesis import given
from hypothesis import strategies as st

from services.contract.flow import Budget, Spent, Usage
from services.orchestrator.allowance import DECISION_CALLS_MAX, DECISION_TOKENS_MAX, Allowance

LIMITS = Budget(model_calls=10, tokens=1_000, model_failures=3, cost_micro_usd=500)


def used(calls: int, tokens: int = 0, cost: int = 0) -> Spent:
    """Returns what a piece of work has spent."""
    return Spent((), Usage(calls, tokens, 0, cost))


def test_equal_parts_are_lent_and_come_back() -> None:
    """Four at once get what is left between them, nothing is left beside them, and all of it comes back."""
    allowance = Allowance(LIMITS)
    with allowance.lend(4) as a, allowance.lend(3) as b, allowance.lend(2) as c, allowance.lend(1) as d:
        loans = [loan.budget for loan in (a, b, c, d)]
        assert sorted(loan.model_calls for loan in loans) == [2, 2, 3, 3]
        assert sum(loan.tokens for loan in loans) == 1_000
        assert {loan.model_failures for loan in loans} == {3}
        assert allowance.left == Budget(0, 0, 3, 0)
    assert allowance.left == LIMITS


def test_what_is_spent_takes_the_loans_place() -> None:
    """Accounted for within the loan, a cost is counted once; what the loan had more of is there again afterwards."""
    allowance = Allowance(LIMITS)
    with allowance.lend(2) as loan:
        allowance.spend(used(2, 100, 50), loan)
        assert (loan.budget.model_calls, loan.budget.tokens, loan.budget.cost_micro_usd) == (3, 400, 200)
        assert allowance.left == Budget(5, 500, 3, 250)
    assert allowance.left == Budget(8, 900, 3, 450)


def test_a_decision_gets_its_bound_or_what_is_left() -> None:
    """Beside a decision there is room for others; near the end it gets the rest."""
    allowance = Allowance(Budget(40, 200_000, 3, 1_000))
    with allowance.lend_to_decision() as first, allowance.lend_to_decision() as second:
        assert first.budget == Budget(DECISION_CALLS_MAX, DECISION_TOKENS_MAX, 3, 100)
        assert second.budget.model_calls == DECISION_CALLS_MAX
        assert allowance.left.model_calls == 40 - 2 * DECISION_CALLS_MAX
    allowance.spend(used(39, 199_000, 990))
    with allowance.lend_to_decision() as last:
        assert last.budget == Budget(1, 1_000, 3, 10)


def test_nothing_left_is_nothing_lent() -> None:
    """Beyond its limits a flow lends nothing, and never less than nothing."""
    allowance = Allowance(LIMITS)
    allowance.spend(used(12, 2_000, 900))
    with allowance.lend() as alone, allowance.lend_to_decision() as decision:
        assert alone.budget == decision.budget == Budget(0, 0, 3, 0)


@given(
    limits=st.builds(Budget, st.integers(0, 50), st.integers(0, 10**6), st.just(3), st.integers(0, 10**6)),
    wishes=st.lists(st.integers(0, 20), min_size=1, max_size=6),
)
def test_together_they_never_go_beyond_the_limits(limits: Budget, wishes: list[int]) -> None:
    """However much each of several at once would like to call, their calls together stay within the limit."""
    allowance = Allowance(limits)
    with ExitStack() as stack:
        loans = [stack.enter_context(allowance.lend(len(wishes) - place)) for place in range(len(wishes))]
        for loan, wish in zip(loans, wishes, strict=True):
            allowance.spend(used(min(wish, loan.budget.model_calls)), loan)
    assert allowance.usage.model_calls <= limits.model_calls
    assert allowance.left.model_calls == limits.model_calls - allowance.usage.model_calls
