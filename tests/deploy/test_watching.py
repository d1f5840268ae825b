"""The collector, the dashboard and the alerts name only what there is."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import yaml
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import Histogram, InMemoryMetricReader, Sum

from observability import attributes as names
from observability.metrics import Instruments
from services.contract.events import AgentOutcome
from services.contract.flow import DecisionSource

WORDS_OF_PROMQL = frozenset(
    {"sum", "rate", "increase", "by", "le", "histogram_quantile", "and", "or", "unless", "offset", "group"}
    | {"absent_over_time", "last_over_time", "vector"}
)


@pytest.fixture(scope="module")
def recorded() -> Iterator[tuple[set[str], set[str]]]:
    """The names that Prometheus gives to each series that the instruments record, and to their labels."""
    reader = InMemoryMetricReader()
    provider = MeterProvider(metric_readers=[reader], shutdown_on_exit=False)
    made = Instruments.create(provider.get_meter("hapju"))
    made.rpc_served("m", "OK", 0.1)
    made.rpc_made("m", "OK", 0.1)
    made.model_called("small", 0.1)
    made.tokens_used("small", input_tokens=1, output_tokens=1)
    made.decision_made("intent", "RULE")
    made.tool_called("macro_series", "ok", 0.1)
    made.flow_ended("finished", 0.1)
    made.flows_active.add(1)
    made.flows_waiting.add(1, {names.FLOW_WAITS_FOR: "turn"})
    made.first_event_seconds.record(0.1)
    made.first_text_seconds.record(0.1)
    made.agent_ran("finance.macro", "ANSWERED")
    made.model_cost_known("small", 1)
    made.spans_dropped.add(1)
    series, labels = set(), {"job", "le"}
    data = reader.get_metrics_data()
    assert data is not None
    for metric in data.resource_metrics[0].scope_metrics[0].metrics:
        name = metric.name.replace(".", "_") + ("_seconds" if metric.unit == "s" else "")
        series |= set(_series_of(name, metric.data))
        points = metric.data.data_points
        labels |= {label.replace(".", "_") for point in points for label in point.attributes or ()}
    yield series, labels
    provider.shutdown()


def _series_of(name: str, data: object) -> Iterator[str]:
    """Yield the series that Prometheus makes of a metric: those of a histogram, a counter's total, or a gauge."""
    if isinstance(data, Histogram):
        yield from (f"{name}_{end}" for end in ("bucket", "count", "sum"))
    else:
        yield f"{name}_total" if isinstance(data, Sum) and data.is_monotonic else name


def expressions(root: Path) -> dict[str, str]:
    """Returns each PromQL expression by the alert or panel that it belongs to."""
    alerts = yaml.safe_load((root / "observability" / "alerts.yaml").read_text(encoding="utf-8"))
    board = json.loads((root / "observability" / "dashboards" / "hapju.json").read_text(encoding="utf-8"))
    found = {rule["alert"]: rule["expr"] for group in alerts["groups"] for rule in group["rules"]}
    panels = [(panel["title"], target) for panel in board["panels"] for target in panel["targets"]]
    return found | {f"{title} {target['refId']}": target["expr"] for title, target in panels}


def test_alerts_and_panels_name_recorded_series_and_labels(root: Path, recorded: tuple[set[str], set[str]]) -> None:
    """Each word of each expression is a series or a label that a service records, or one of PromQL's own."""
    series, labels = recorded
    for owner, expression in expressions(root).items():
        bare = re.sub(r'"[^"]*"|\[[0-9a-z]+\]|\b[0-9.]+[smh]?\b', "", expression)
        words = set(re.findall(r"[a-zA-Z_]\w*", bare))
        assert words & series, owner
        assert set() == words - series - labels - WORDS_OF_PROMQL, owner


def test_legends_name_labels(root: Path, recorded: tuple[set[str], set[str]]) -> None:
    """Each label in a panel's legend is one that its expression keeps."""
    board = json.loads((root / "observability" / "dashboards" / "hapju.json").read_text(encoding="utf-8"))
    for panel in board["panels"]:
        for target in panel["targets"]:
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            assert named <= recorded[1]
            assert all(label in target["expr"] for label in named)


def test_each_panel_and_alert_says_what_it_means(root: Path) -> None:
    """A panel has a description and an alert an action, and panels do not lie on each other."""
    board = json.loads((root / "observability" / "dashboards" / "hapju.json").read_text(encoding="utf-8"))
    assert all(panel["description"] for panel in board["panels"])
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert sorted(set(places)) == sorted(places)
    alerts = yaml.safe_load((root / "observability" / "alerts.yaml").read_text(encoding="utf-8"))
    assert all(rule["annotations"]["action"] for group in alerts["groups"] for rule in group["rules"])


def test_each_alert_has_its_runbook(root: Path) -> None:
    """Each alert is a section of the runbooks with what it means, how to look and what to do; no section has none."""
    text = (root / "observability" / "README.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL))
    alerts = yaml.safe_load((root / "observability" / "alerts.yaml").read_text(encoding="utf-8"))
    rules = {rule["alert"]: rule for group in alerts["groups"] for rule in group["rules"]}
    assert sections.keys() == rules.keys()
    for name, section in sections.items():
        assert all(part in section for part in ("**Means.**", "**Look.**", "**Do.**")), name
        assert rules[name]["annotations"]["runbook"] == f"observability/README.md#{name.lower()}"


def test_the_fault_of_each_alert_is_made(root: Path) -> None:
    """No alert without a test in which Prometheus itself fires it after its fault."""
    alerts = yaml.safe_load((root / "observability" / "alerts.yaml").read_text(encoding="utf-8"))
    faults = (root / "tests" / "deploy" / "test_watched.py").read_text(encoding="utf-8")
    told = {
        name for line in faults.splitlines() if "firing()" not in line for name in re.findall(r'"(Hapju\w+)"', line)
    }
    assert told == {rule["alert"] for group in alerts["groups"] for rule in group["rules"]}


def test_each_value_of_an_alert_is_one_that_is_recorded(root: Path) -> None:
    """A label's value is spelt as services record it: ends of flows, sources, outcomes and statuses."""
    recorded = {
        "hapju_flow_end": {"finished", "failed", "cancelled"},
        "hapju_decision_source": {source.value for source in DecisionSource},
        "hapju_agent_outcome": {outcome.value for outcome in AgentOutcome},
        "hapju_flow_waits_for": {"person", "turn"},
        "hapju_tool_outcome": {"ok", "empty", "refused", "failed", "timeout", "in_doubt", "unknown"},
        "rpc_response_status_code": {code.name for code in grpc.StatusCode},
    }
    for owner, expression in expressions(root).items():
        for label, values in re.findall(r'(\w+)(?:=~|!=|=)"([^"]*)"', expression):
            if label not in {"job", "le"}:
                assert set(values.split("|")) <= recorded[label], owner


def test_the_collector_is_whole(root: Path) -> None:
    """Each part that a pipeline names is set up, each that is set up is used, and memory is limited first."""
    read = yaml.safe_load((root / "observability" / "otelcol.yaml").read_text(encoding="utf-8"))
    pipelines = read["service"]["pipelines"]
    for kind in ("receivers", "processors", "exporters"):
        assert set(read[kind]) == {part for pipeline in pipelines.values() for part in pipeline[kind]}
    assert {"memory_limiter"} == {pipeline["processors"][0] for pipeline in pipelines.values()}


def test_the_collector_sends_to_what_compose_runs(root: Path, watching_compose: dict[str, dict[str, object]]) -> None:
    """The hosts that collector and Grafana name are services of the compose file."""
    texts = [(root / "observability" / name).read_text(encoding="utf-8") for name in ("otelcol.yaml", "grafana.yaml")]
    hosts = {host for text in texts for host in re.findall(r"(?:endpoint: |url: )(?:http://)?([a-z]+):\d+", text)}
    assert {"jaeger", "prometheus"} == hosts
    assert hosts <= set(watching_compose["services"])
