"""The rule of a summary decides for every result, also for one that has no words of its own."""

import pytest

from services.agents.summary import NO_SUMMARY, _as_output
from services.contract.flow import AgentResult, AgentStatus


@pytest.mark.parametrize(("summary", "said"), [("", NO_SUMMARY), ("Prices rose.", "Prices rose."), ("x" * 9_000, None)])
def test_a_rule_always_decides(summary: str, said: str | None) -> None:
    """It is asked whenever no model is: a result by figures alone, or with many words, must not break the run."""
    result = AgentResult("realty.analysis", "s1", AgentStatus.ANSWERED, summary=summary)
    output = _as_output(result)
    assert output.summary == (said if said is not None else summary[: len(output.summary)])
    assert output.summary
