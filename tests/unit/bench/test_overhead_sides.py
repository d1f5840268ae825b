"""What whole flows are measured beside: a reference in a folder, a peer in an environment; or a word why not."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from services.cli.problems import Problem
from tests.bench.overhead import peer, reference
from tests.bench.overhead.flows import FLOWS
from tests.bench.overhead.peer import langgraph_at
from tests.bench.overhead.reference import Reference, reference_at
from tests.bench.report import paired_result

REFERENCE = """
import json, sys
import bench_pb2
asked = json.loads(sys.argv[1])
assert bench_pb2.Msg(text="x").text == "x"
figures = {"p50": 1000.0 * asked["n"], "p99": 2000.0 * asked["agents"]}
print("a line of its own")
print(json.dumps({"flow": figures, "first_event": figures, "c16": {"flows_per_core_s": asked["secs"]}, "asked": asked}))
"""
PROTO = 'syntax = "proto3"; package bench; message Msg { string text = 1; }'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a reference that does nothing but tell what it was asked for."""
    (tmp_path / "flow_ref.py").write_text(REFERENCE)
    (tmp_path / "bench.proto").write_text(PROTO)
    (tmp_path / "bench_pb2.py").write_text("raise RuntimeError('made for another version')")
    return tmp_path


def test_a_reference_is_run_with_its_messages_made_anew(folder: Path) -> None:
    """It gets sizes and layout, what it says is read in milliseconds, and its folder stays as it was."""
    before = sorted(path.name for path in folder.iterdir())
    with reference_at(folder) as found:
        assert isinstance(found, Reference)
        taken = found.timed("packed", flows=3, seconds=0.25)
        asked = reference._run(found._folder, '{"n": 1, "agents": 1, "secs": 1, "layout": "one"}')["asked"]
    assert (taken.flow.p50, taken.flow.p99, taken.per_core) == (3.0, 10.0, 0.25)
    assert asked["layout"] == "one"
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_reference_that_fails_says_what_it_said(folder: Path) -> None:
    """Its complaint is in the problem; no figure is made up."""
    (folder / "flow_ref.py").write_text("raise SystemExit('no port is free')")
    with reference_at(folder) as found:
        assert isinstance(found, Reference)
        with pytest.raises(Problem, match="no port is free"):
            found.timed("apart", flows=1, seconds=0.1)


def test_no_reference_is_told_in_a_word(tmp_path: Path) -> None:
    """Where none is named it is left out; a named folder has to hold one."""
    with reference_at(None) as found:
        assert found == "no reference; name one with --reference"
    with pytest.raises(Problem, match="holds no flow_ref"), reference_at(tmp_path):
        pass


@pytest.mark.long
def test_a_peer_that_cannot_be_had_is_told_in_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked to be left out, not there under the name, or not to be installed."""
    assert langgraph_at("none") == "LangGraph was left out, as asked"
    with pytest.raises(Problem, match="is no Python with"):
        langgraph_at(str(tmp_path / "python"))
    with pytest.raises(Problem, match="is no Python with"):
        langgraph_at(sys.executable)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(peer, "PACKAGES", ("--no-index", "langgraph"))
    why = langgraph_at("")
    assert isinstance(why, str)
    assert why.startswith("LangGraph could not be had: ")


def test_what_is_measured_beside_goes_with_overhead_alone(
    bench: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """The options of one benchmark are refused for another, by name."""
    code, out, err = bench("hops", "--reference", str(tmp_path))
    assert (code, out) == (2, "")
    assert "--reference" in err


def test_a_ratio_is_that_of_the_rounds() -> None:
    """A busy minute that met both sides does not move it, and the limit stands beside it."""
    result = paired_result("flow", "ms", [10.0, 40.0, 12.0], [5.0, 20.0, 4.0], beside="reference", limit=1.25)
    assert (result.value, result.floor, result.ratio) == (12.0, 5.0, 2.0)
    assert result.as_json()["limit"] == 1.25
    assert result.as_json()["beside"] == "reference"


@pytest.mark.parametrize("name", FLOWS)
def test_a_flow_has_an_answer_for_each_of_its_agents(name: str) -> None:
    """The choice of tools is answered by agent, everything else by kind."""
    flow = FLOWS[name]
    told = {flow.answer("tool_orchestration", f"agent: {agent}\n") for agent in flow.agents}
    assert len(told) == len(flow.agents)
    assert flow.answer("policy_safety", "")
