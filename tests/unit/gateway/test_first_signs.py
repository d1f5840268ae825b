"""How long people wait for the first words is measured of all who wait, of those too who never hear any."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader

from gateway.hearing import FirstSigns
from hapju.flow.v1 import flow_event_pb2 as pb
from observability import attributes as names
from observability.metrics import Instruments
from observability.telemetry import TelemetrySettings, silent, use

ACCEPTED = pb.FlowEvent(accepted=pb.Accepted(flow_run_id="f"))
ASKED_BACK = pb.FlowEvent(question_asked=pb.QuestionAsked())
WORDS = pb.FlowEvent(delta=pb.Delta(text="2.5 %"))
FAILED = pb.FlowEvent(failed=pb.Failed())


@pytest.fixture
def reader() -> Iterator[InMemoryMetricReader]:
    """What the gateway has recorded."""
    read = InMemoryMetricReader()
    provider = MeterProvider(metric_readers=[read], shutdown_on_exit=False)
    telemetry = replace(silent("gateway", TelemetrySettings()), instruments=Instruments.create(provider.get_meter("t")))
    with use(telemetry):
        yield read
    provider.shutdown()


def waits(reader: InMemoryMetricReader) -> dict[str, int]:
    """Return how many waits were recorded by the metric's name."""
    data = reader.get_metrics_data()
    metrics = data.resource_metrics[0].scope_metrics[0].metrics if data and data.resource_metrics else ()
    return {
        metric.name: sum(point.count for point in metric.data.data_points if isinstance(point, HistogramDataPoint))
        for metric in metrics
    }


BOTH = {names.METRIC_FIRST_EVENT: 1, names.METRIC_FIRST_TEXT: 1}


@pytest.mark.parametrize("heard", [[WORDS, WORDS], [ASKED_BACK, WORDS], [FAILED], []], ids=str)
def test_each_question_is_one_wait(reader: InMemoryMetricReader, heard: list[pb.FlowEvent]) -> None:
    """Answered, asked back, told that there is no answer, or left before any word: it is one wait, once over."""
    signs = FirstSigns()
    for event in (ACCEPTED, *heard):
        signs.heard((event,))
    signs.over()
    assert waits(reader) == BOTH


def test_the_wait_ends_with_the_question_back(reader: InMemoryMetricReader) -> None:
    """The time that a person takes to answer hapju's own question is no wait for hapju."""
    signs = FirstSigns()
    signs.heard((ACCEPTED, ASKED_BACK))
    assert waits(reader) == BOTH


def test_who_was_not_let_in_has_not_waited(reader: InMemoryMetricReader) -> None:
    """A question that was refused at the door heard nothing of a flow."""
    FirstSigns().over()
    assert waits(reader) == {}
