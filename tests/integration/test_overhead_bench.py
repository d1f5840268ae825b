"""The benchmark of whole flows, short: every side is really there. How long things take is nobody's business here."""

import json
from pathlib import Path

import pytest

from tests.bench import overhead
from tests.bench.overhead.sides import Sizes

REFERENCE = """
import json, sys
asked = json.loads(sys.argv[1])
print(asked["layout"], asked["llm"], file=open("../../asked.txt", "a"))
figures = {"p50": 5000.0, "p99": 9000.0}
print(json.dumps({"flow": figures, "first_event": figures, "c16": {"flows_per_core_s": 50.0}}))
"""


@pytest.mark.slow
def test_flows_are_measured_apart_and_packed(data: Path, tmp_path: Path) -> None:
    """Both flows in both layouts, by function and over HTTP, as their scripts say, with spans exported."""
    (tmp_path / "flow_ref.py").write_text(REFERENCE.replace("../../asked.txt", str(tmp_path / "asked.txt")))
    (tmp_path / "bench.proto").write_text('syntax = "proto3"; message Msg { string text = 1; }')
    report = overhead.measure(
        1,
        lambda _: None,
        reference=tmp_path,
        langgraph="none",
        sizes=Sizes(flows=2, seconds=0.1, hops=5),
        seeded=data.parent,
    )
    large = [
        f"{name}_{layout}_{part}"
        for name in ("flow14", "flow14_http")
        for layout in ("apart", "packed")
        for part in (
            *("over_hops_p50", "over_hops_p99", "first_event_p50", "first_event_p99"),
            *("over_reference_p50", "over_reference_p99", "per_core"),
        )
    ]
    small = [f"flow5_{layout}_{part}" for layout in ("apart", "packed") for part in ("p50", "p99")]
    rest = ["nested_hop_p50", "nested_hop_p99", "checkpoint_c1_p50", "checkpoint_c1_p99"]
    assert [result.name for result in report.results] == [*large, *small, *rest]
    by_name = {result.name: result for result in report.results}
    assert all(by_name[name].value > 0 for name in (*large, *small, *rest[2:]))
    assert by_name["flow14_packed_over_reference_p50"].floor == 5.0
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    assert sorted(asked) == sorted(["multi func", "one func", "multi openai", "one openai"])
    size = next(note for note in report.notes if note.startswith("flow14:"))
    words = size.split()
    assert int(words[1]) == 14
    assert int(words[4]) >= 10
    assert int(words[7]) > int(words[4])
    assert "LangGraph was left out, as asked" in report.notes
    assert json.loads(json.dumps(report.as_json()))["notes"] == list(report.notes)
