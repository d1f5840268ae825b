"""The client without asyncio."""

import time
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc

from hapju.client.errors import CallFailed, Internal, error_from, error_of_end
from hapju.client.heard import (
    CALL_SECONDS,
    CHANNEL_OPTIONS,
    FLOW_SECONDS_MAX,
    LEAVE_SECONDS,
    RESUME_SECONDS_MAX,
    Heard,
    lasting,
)
from hapju.flow.v1 import answer_pb2, flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc

R = TypeVar("R")
Events = Generator[flow_event_pb2.FlowEvent, None, None]


class Client:
    """Calls of one caller to one gateway; what each does stands at AsyncClient.

    Args:
        channel: An open channel to it.
        token: The caller's token or what returns it; empty for an anonymous caller.
        resume_seconds_max: How long a stream that breaks is tried again.
    """

    def __init__(
        self,
        channel: grpc.Channel,
        token: str | Callable[[], str] = "",
        *,
        resume_seconds_max: float = RESUME_SECONDS_MAX,
    ) -> None:
        self._channel = channel
        self._token = token
        self._resume_seconds_max = resume_seconds_max
        self.stub: gateway_service_pb2_grpc.GatewayServiceStub = gateway_service_pb2_grpc.GatewayServiceStub(channel)
        """The generated stub, for `call`."""

    @classmethod
    def connect(
        cls, address: str, token: str | Callable[[], str] = "", credentials: grpc.ChannelCredentials | None = None
    ) -> Self:
        """Return a client of the gateway at an address, host:port; without credentials in the clear."""
        if credentials is None:
            return cls(grpc.insecure_channel(address, options=CHANNEL_OPTIONS), token)
        return cls(grpc.secure_channel(address, credentials, options=CHANNEL_OPTIONS), token)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the channel; calls in flight are cancelled."""
        self._channel.close()

    def call(self, rpc: Callable[..., R], request: object, timeout_seconds: float = CALL_SECONDS) -> R:
        """Return the response of any call of `stub` that answers with one message; raise CallFailed."""
        try:
            return rpc(request, timeout=timeout_seconds, metadata=self._metadata())
        except grpc.RpcError as rpc_error:
            raise error_from(rpc_error) from None

    def ask(self, question: question_pb2.Question, timeout_seconds: float = FLOW_SECONDS_MAX) -> Events:
        """Yield a flow's events until its end; raise CallFailed."""
        request, ends_when_left = lasting(question)
        heard = Heard(self._resume_seconds_max)
        try:
            yield from self._followed(self.stub.Ask(request, timeout=timeout_seconds, metadata=self._metadata()), heard)
        finally:
            if ends_when_left and heard.flow_run_id and not heard.ended:
                with suppress(CallFailed):
                    request_to_end = pb.CancelFlowRequest(flow_run_id=heard.flow_run_id)
                    self.call(self.stub.CancelFlow, request_to_end, LEAVE_SECONDS)

    def watch(self, flow_run_id: str, after_sequence: int = 0) -> Events:
        """Yield a flow's events after a sequence until its end; raise CallFailed."""
        heard = Heard(self._resume_seconds_max, flow_run_id, after_sequence)
        yield from self._followed(self.stub.WatchFlow(heard.rest(), metadata=self._metadata()), heard)

    def answer(
        self, question: question_pb2.Question, timeout_seconds: float = FLOW_SECONDS_MAX
    ) -> answer_pb2.FinalAnswer:
        """Return a question's answer; raise CallFailed."""
        flow_run_id = ""
        with closing(self.ask(question, timeout_seconds)) as events:
            for event in events:
                name = event.WhichOneof("event")
                flow_run_id = flow_run_id or event.accepted.flow_run_id
                if name == "finished":
                    return event.finished.answer
                if name in {"failed", "cancelled"}:
                    raise error_of_end(event, flow_run_id)
        raise Internal("INTERNAL", "the stream ended before the flow had", "STREAM_CUT")

    def reply(
        self, flow_run_id: str, question_id: str, answer: str, action_digest: str = ""
    ) -> pb.AnswerQuestionResponse:
        """Answer what a flow asks; raise CallFailed."""
        request = pb.AnswerQuestionRequest(
            flow_run_id=flow_run_id, question_id=question_id, answer=answer, action_digest=action_digest
        )
        return self.call(self.stub.AnswerQuestion, request)

    def cancel(self, flow_run_id: str) -> pb.CancelFlowResponse:
        """Cancel a flow at every hop; raise CallFailed."""
        return self.call(self.stub.CancelFlow, pb.CancelFlowRequest(flow_run_id=flow_run_id))

    def _followed(self, call: Any, heard: Heard) -> Events:
        while True:
            try:
                for response in call:
                    yield from heard.take(response)
            except grpc.RpcError as rpc_error:
                failure = error_from(rpc_error)
            else:
                return
            finally:
                call.cancel()
            time.sleep(heard.pause_after(failure))
            call = self.stub.WatchFlow(heard.rest(), metadata=self._metadata())

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        text = self._token() if callable(self._token) else self._token
        return (("authorization", f"Bearer {text}"),) if text else ()
