"""The shape of what benchmarks print; how long things take is nobody's business here."""

import json
from collections.abc import Callable

import pytest

from tests.bench import hops, quickly, stream, tools
from tests.bench.model import WORDS_A_SENTENCE
from tests.bench.report import Report, Result, print_report


def test_hops_are_one_object_of_figures_beside_their_floors() -> None:
    """Each figure has name, unit, value, the floor of the same run and their ratio."""
    report = hops.measure(1, lambda _: None, calls=3, first_events=0).as_json()
    assert set(report) == {"machine", "results"}
    assert {"processor", "cores", "python", "grpcio"} <= set(report["machine"])
    assert [result["name"] for result in report["results"]] == ["unary_hop", "stream_message"]
    for result in report["results"]:
        assert set(result) == {"name", "unit", "value", "floor", "ratio"}
        assert result["ratio"] == round(result["value"] / result["floor"], 3)
    assert json.loads(json.dumps(report)) == report


def test_a_figure_without_a_floor_has_no_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    """What bare grpc.aio does not do has neither floor nor ratio, in both forms."""
    report = Report((Result("seeding", "s", 2.0, None), Result("hop", "us", 600.0, 400.0)))
    assert [(result["floor"], result["ratio"]) for result in report.as_json()["results"]] == [
        (None, None),
        (400.0, 1.5),
    ]
    print_report(report)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["seeding", "2.00", "-", "-", "s"] in lines
    assert ["hop", "600.0", "400.0", "1.50", "us"] in lines


def test_a_benchmark_has_to_be_named(bench: Callable[..., tuple[int, str, str]]) -> None:
    """--quick and a name exclude each other."""
    code, out, err = bench("hops", "--quick")
    assert (code, out) == (2, "")
    assert "NAME" in err


@pytest.mark.slow
def test_the_first_event_is_measured_at_the_gateway() -> None:
    """With the services running, the first event of a question stands beside a bare stream's."""
    report = hops.measure(1, lambda _: None, calls=3, first_events=2)
    assert [result.name for result in report.results][-1] == "ask_first_event"


@pytest.mark.slow
def test_a_token_is_followed_from_the_model_to_the_client() -> None:
    """First token, tokens a delta and processor time are figures above zero; one by one there are fewer in a delta."""
    sizes = stream.Sizes(firsts=2, hops=5, kept_up=20, long_tokens=1_100, longs=1, messages=20)
    results = {result.name: result for result in stream.measure(1, lambda _: None, sizes).results}
    assert list(results) == [
        *("first_token", "first_token_p99", "first_token_with_head", "first_token_without_sdk"),
        *("first_token_sdk_alone", "first_message_relayed", "tokens_a_delta_keeping_up", "tokens_a_delta_behind"),
        *("token_cpu_behind_without_sdk", "token_cpu_sdk_alone", "thousand_steps_cpu"),
    ]
    assert results["first_token"].value > results["first_token_sdk_alone"].value > 0
    assert results["first_token"].floor == results["first_token_without_sdk"].floor
    assert results["token_cpu_behind_without_sdk"].floor == results["token_cpu_sdk_alone"].floor
    # A sentence is told when it is whole, and those that have come by then with it.
    keeping_up = results["tokens_a_delta_keeping_up"].value
    assert WORDS_A_SENTENCE - 1 <= keeping_up < 2 * WORDS_A_SENTENCE
    assert results["tokens_a_delta_behind"].value > keeping_up


@pytest.mark.slow
def test_a_cold_question_is_measured_apart_from_seeding() -> None:
    """--quick tells time, processor time and memory of a cold question, and the seeding for itself."""
    results = {result.name: result for result in quickly.measure(1, lambda _: None).results}
    assert list(results) == [
        "cold_ask_first_event",
        "cold_ask_cpu",
        "cold_ask_whole",
        "embedded_ensemble_peak_rss",
        "seeding",
    ]
    assert results["seeding"].floor is None
    assert all(result.value > 0 for result in results.values())


@pytest.mark.slow
def test_a_read_through_the_gateway_stands_beside_the_bare_drivers() -> None:
    """A point read, in process and over gRPC, has the driver's own call as its floor; searches have none."""
    report = tools.measure(1, lambda _: None, calls=3, searches=2, products=36)
    results = {result.name: result for result in report.results}
    assert list(results) == [
        "point_read",
        "point_read_added",
        "point_read_over_grpc",
        "point_read_over_grpc_added",
        "legal_search",
        "product_search",
    ]
    floors = {name for name, result in results.items() if result.floor}
    assert floors == {"point_read", "point_read_over_grpc"}
    assert all(result.value > 0 for result in results.values())


@pytest.mark.long
def test_understanding_is_measured(bench: Callable[..., tuple[int, str, str]]) -> None:
    """The figures have the shape of every benchmark's."""
    code, out, _ = bench("understanding", "--rounds", "1", "--json")
    assert code == 0
    told = json.loads(out)
    names = {result["name"]: result["unit"] for result in told["results"]}
    assert names["router_cpu_p50"] == names["planner_cpu_p99"] == "ms"
    assert {"router_start", "router_peak_rss", "planner_start"} <= set(names)
    assert all(result["value"] > 0 for result in told["results"])
