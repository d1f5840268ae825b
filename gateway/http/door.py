"""How servers of other protocols reach the gateway: within its process, or over gRPC from elsewhere."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Protocol

from google.protobuf.message import Message

from gateway.http.calling import Calling, Metadata
from hapju.flow.v1 import flow_event_pb2, question_pb2
from services.runtime.errors import HapjuError

Events = AsyncGenerator[flow_event_pb2.FlowEvent]


class CallerDoor(Protocol):
    """Calls of one caller to GatewayService; each raises Refusal where the gateway says no."""

    async def call(self, rpc: str, request: Message) -> Any:
        """Return a unary call's response."""

    def ask(self, question: question_pb2.Question) -> Events:
        """Yield a new flow's events until its end; closing the iterator breaks the Ask."""

    def watch(self, flow_run_id: str, after_sequence: int) -> Events:
        """Yield a flow's events after a sequence until its end."""


class Refusal(Exception):
    """A call that was refused or failed, with what its status says.

    Args:
        code: The google.rpc.Code name.
        reason: An UPPER_SNAKE reason.
        message: A sentence for a person.
        violations: The fields that it concerns, each with what is wrong with it.
        metadata: Ids and limits that the message is about.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        message: str,
        violations: Sequence[tuple[str, str]] = (),
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.problem: dict[str, Any] = {
            "code": code,
            "reason": reason,
            "message": message,
            "violations": [{"field": field, "description": description} for field, description in violations],
            "metadata": dict(metadata or {}),
        }


class CallingDoor:
    """The gateway beside this edge, as one caller has it.

    Args:
        calling: The gateway.
        metadata: The caller's own.
    """

    def __init__(self, calling: Calling, metadata: Metadata) -> None:
        self._calling = calling
        self._metadata = metadata

    async def call(self, rpc: str, request: Message) -> Any:
        """Return a unary call's response; raise Refusal."""
        try:
            return await self._calling.call(rpc, request, self._metadata)
        except HapjuError as error:
            raise _refusal(error) from None

    def ask(self, question: question_pb2.Question) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yield a new flow's events until its end; raise Refusal."""
        return _single(self._calling.ask(question, self._metadata))

    def watch(self, flow_run_id: str, after_sequence: int) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yield a flow's events after a sequence until its end; raise Refusal."""
        return _single(self._calling.watch(flow_run_id, after_sequence, self._metadata))


async def _single(
    told: AsyncGenerator[tuple[flow_event_pb2.FlowEvent, ...]],
) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
    try:
        async for events in told:
            for event in events:
                yield event
    except HapjuError as error:
        raise _refusal(error) from None
    finally:
        await told.aclose()


def _refusal(error: HapjuError) -> Refusal:
    violations = [(item.field, item.description) for item in error.violations]
    return Refusal(error.code.name, error.reason, error.message, violations, error.metadata)
