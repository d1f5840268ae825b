"""How far one client has heard a flow, and whether it goes on after a break: the same for both kinds of clients."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Final

from hapju.client.errors import CallFailed, Cancelled, Unavailable
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb

ENDS: Final = frozenset({"finished", "failed", "cancelled"})
"""The terminal events."""
CALL_SECONDS: Final = 60.0
"""How long a call may take that answers with one message."""
FLOW_SECONDS_MAX: Final = 600.0
"""How long a flow may take."""
LEAVE_SECONDS: Final = 2.0
"""How long a client that leaves waits to have its flow cancelled."""
RESUME_SECONDS_MAX: Final = 30.0
"""How long a broken stream is tried again."""
MESSAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The size of one message."""
CHANNEL_OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    # A line that went dead without a word is noticed, and a gateway that is back is found soon.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)
"""What a client's channel is opened with."""
_PAUSES: Final = (0.1, 0.25, 0.5, 1.0)


class Heard:
    """What one client has heard of one flow.

    Args:
        resume_seconds_max: How long a broken stream is tried again.
        flow_run_id: The flow; empty until `accepted` names it.
        last_sequence: The last sequence that was heard.
        clock: Tells seconds that never go back.
    """

    def __init__(
        self,
        resume_seconds_max: float,
        flow_run_id: str = "",
        last_sequence: int = 0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.flow_run_id = flow_run_id
        """The flow."""
        self.last_sequence = last_sequence
        """The last sequence that was heard."""
        self.ended = False
        """Whether the flow's end was heard."""
        self._resume_seconds_max = resume_seconds_max
        self._clock = clock
        self._lost_since: float | None = None
        self._breaks = 0

    def take(self, response: Any) -> Iterable[flow_event_pb2.FlowEvent]:
        """Return the events of a message, in order."""
        events = (response.event, *response.further_events)
        for event in events:
            name = event.WhichOneof("event")
            if name == "accepted":
                self.flow_run_id = event.accepted.flow_run_id
            self.last_sequence = event.sequence or self.last_sequence
            self.ended = self.ended or name in ENDS
        self._lost_since, self._breaks = None, 0
        return events

    def pause_after(self, failure: CallFailed) -> float:
        """Return how long to wait before the flow is heard again.

        Raises:
            CallFailed: It cannot be gone on with.
        """
        if self.ended or not self.flow_run_id or not isinstance(failure, (Unavailable, Cancelled)):
            raise failure
        now = self._clock()
        self._lost_since = now if self._lost_since is None else self._lost_since
        if now - self._lost_since >= self._resume_seconds_max:
            raise failure
        self._breaks += 1
        return _PAUSES[min(self._breaks, len(_PAUSES)) - 1]

    def rest(self) -> pb.WatchFlowRequest:
        """Return the request for what was not heard yet."""
        return pb.WatchFlowRequest(flow_run_id=self.flow_run_id, after_sequence=self.last_sequence, together=True)


def lasting(question: question_pb2.Question) -> tuple[pb.AskRequest, bool]:
    """Return the request for a question whose flow outlives a break, and whether it ends when its client leaves."""
    request = pb.AskRequest(question=question, together=True)
    ends = question.on_disconnect != question_pb2.ON_DISCONNECT_CONTINUE
    request.question.on_disconnect = question_pb2.ON_DISCONNECT_CONTINUE
    return request, ends
