"""A client may have events that are there at once told in one message; what it is told stays the same."""

from pathlib import Path

import pytest

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from tests.support.cluster import Cluster, Told, embedded

QUESTION = "미국 실업률 최근값 알려줘"


async def asked(cluster: Cluster, *, together: bool) -> tuple[Told, list[int]]:
    """Asks, and returns what was told and how many events each message had."""
    events: list[flow_event_pb2.FlowEvent] = []
    sizes: list[int] = []
    request = pb.AskRequest(question=question_pb2.Question(text=QUESTION), together=together)
    async for message in cluster.stub.Ask(request, timeout=60.0):
        events += [message.event, *message.further_events]
        sizes.append(1 + len(message.further_events))
    return Told(tuple(events)), sizes


@pytest.mark.asyncio
async def test_events_share_messages_where_the_client_asks_for_it(data: Path, tmp_path: Path) -> None:
    """Fewer messages, the same durable events in the same order, counted without a gap; unasked, one event each."""
    async with embedded(tmp_path, data) as cluster:
        (single, ones), (shared, several) = await asked(cluster, together=False), await asked(cluster, together=True)
        flow_run_id = shared.of("accepted")[0].flow_run_id
        watched = [
            message
            async for message in cluster.stub.WatchFlow(
                pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=3, together=True), timeout=60.0
            )
        ]
    assert set(ones) == {1}
    assert len(several) < sum(several)
    kinds = [
        [str(event.WhichOneof("event")) for event in told.events if event.HasField("sequence")]
        for told in (single, shared)
    ]
    assert sorted(kinds[0]) == sorted(kinds[1])
    assert shared.sequences == list(range(1, len(shared.sequences) + 1))
    assert (single.text, single.terminal) == (single.answer.final_response, ["finished"])
    assert (shared.text, shared.terminal) == (shared.answer.final_response, ["finished"])
    again = [event.sequence for one in watched for event in (one.event, *one.further_events) if event.sequence]
    assert again == shared.sequences[3:]
