"""The benchmark of a flow's shapes: what it takes for depth, and that both shapes decide and end alike."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from services.runtime.environment import shortcuts
from services.runtime.settings import SHORTCUTS, Settings
from tests.bench import flow
from tests.bench.thinking import Call

LATENCY_MS = 100
"""Long beside what a flow does between two calls, and short for a test."""
DECISIONS_MIN = 12
"""What the call map of the complex question has at least."""
MODEL_CALLS_MIN = 10
"""Decisions of it that ask a model; the others are settled by rule."""


@pytest.mark.parametrize(
    ("spans", "depth"),
    [
        ((), 0),
        (((0, 1), (1, 2), (2.5, 3)), 3),
        (((0, 2), (0.1, 1.9), (0.2, 2.1)), 1),
        (((0, 1), (0.5, 3), (1.5, 2), (2.5, 4)), 3),
        (((0, 10), (1, 2), (3, 4), (5, 6)), 3),
    ],
    ids=["none", "one after another", "side by side", "around another", "during one"],
)
def test_the_depth_is_the_longest_chain_of_calls(spans: tuple[tuple[float, float], ...], depth: int) -> None:
    """A call is deeper than another only if it began when that one had ended."""
    assert flow.depth(Call("k", began, ended) for began, ended in spans) == depth


def test_every_shortcut_is_a_setting_that_the_serial_shape_turns_off() -> None:
    """The serial shape names each of them; all are on by default."""
    assert {"decide_ahead", "route_beside_policy", "tools_ahead", "judged_together", "answer_ahead"} <= set(SHORTCUTS)
    assert all(getattr(Settings(), name) for name in SHORTCUTS)
    assert shortcuts(on=False) == {f"HAPJU_{name.upper()}": "false" for name in SHORTCUTS}


@pytest.mark.long
@pytest.mark.timeout(300)
def test_both_shapes_decide_and_end_alike_and_the_fast_one_waits_less(data: Path) -> None:
    """One round: the same kinds of decisions as often, the same answer, and half as many models in a row."""
    report = flow.measure(1, lambda _: None, LATENCY_MS, data.parent)
    results = {result.name: result.value for result in report.results}
    assert {"fast_over_serial", "fast_p50", "fast_p99", "serial_p50", "serial_p99"} <= set(results)
    assert (report.stated["decisions_that_differ"], report.stated["outcomes_that_differ"]) == ([], [])
    assert (report.stated["decisions_equal"], report.stated["outcome_equal"]) == (True, True)
    assert results["decisions_fast"] == results["decisions_serial"] >= DECISIONS_MIN
    assert results["depth_serial"] == results["model_calls_serial"] >= MODEL_CALLS_MIN
    assert results["depth_fast"] <= 7
    assert results["fast_over_serial"] < 1
    assert json.loads(json.dumps(report.as_json())) == report.as_json()


def test_only_a_flow_has_a_model_that_takes_its_time(bench: Callable[..., tuple[int, str, str]]) -> None:
    """The latency is an option of that benchmark alone."""
    code, out, err = bench("hops", "--model-latency-ms", "5")
    assert (code, out) == (2, "")
    assert "--model-latency-ms" in err
