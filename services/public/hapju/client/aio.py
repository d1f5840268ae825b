"""The client for asyncio."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
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
TokenSource = Callable[[], str | Awaitable[str]]
"""Returns the caller's Bearer token; asked before each call, so that it may be renewed."""


class AsyncClient:
    """Calls of one caller to one gateway.

    Args:
        channel: An open channel to it.
        token: The caller's token or what returns it; empty for an anonymous caller.
        resume_seconds_max: How long a stream that breaks is tried again.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        token: str | TokenSource = "",
        *,
        resume_seconds_max: float = RESUME_SECONDS_MAX,
    ) -> None:
        self._channel = channel
        self._token = token
        self._resume_seconds_max = resume_seconds_max
        self.stub: gateway_service_pb2_grpc.GatewayServiceAsyncStub = gateway_service_pb2_grpc.GatewayServiceStub(
            channel
        )
        """The generated stub, for `call`."""

    @classmethod
    def connect(
        cls, address: str, token: str | TokenSource = "", credentials: grpc.ChannelCredentials | None = None
    ) -> Self:
        """Return a client of the gateway at an address, host:port; without credentials in the clear."""
        if credentials is None:
            return cls(grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS), token)
        return cls(grpc.aio.secure_channel(address, credentials, options=CHANNEL_OPTIONS), token)

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the channel; calls in flight are cancelled."""
        await self._channel.close()

    async def call(self, rpc: Callable[..., Awaitable[R]], request: object, timeout_seconds: float = CALL_SECONDS) -> R:
        """Return the response of any call of `stub` that answers with one message.

        Raises:
            CallFailed: As its status says.
        """
        try:
            return await rpc(request, timeout=timeout_seconds, metadata=await self._metadata())
        except grpc.aio.AioRpcError as rpc_error:
            raise error_from(rpc_error) from None

    async def ask(
        self, question: question_pb2.Question, timeout_seconds: float = FLOW_SECONDS_MAX
    ) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yield a flow's events until its end; a broken stream is gone on with, each durable event comes once.

        Closing the iterator before the end cancels the flow, unless the question says ON_DISCONNECT_CONTINUE.

        Raises:
            CallFailed: The question is refused, or the flow cannot be heard any more.
        """
        request, ends_when_left = lasting(question)
        heard = Heard(self._resume_seconds_max)
        call = self.stub.Ask(request, timeout=timeout_seconds, metadata=await self._metadata())
        try:
            async with aclosing(self._followed(call, heard)) as events:
                async for event in events:
                    yield event
        finally:
            if ends_when_left and heard.flow_run_id and not heard.ended:
                await self._leave(heard.flow_run_id)

    async def watch(self, flow_run_id: str, after_sequence: int = 0) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yield a flow's events after a sequence until its end; leaving it changes nothing.

        Raises:
            CallFailed: There is no such flow of this caller, or it cannot be heard any more.
        """
        heard = Heard(self._resume_seconds_max, flow_run_id, after_sequence)
        call = self.stub.WatchFlow(heard.rest(), metadata=await self._metadata())
        async with aclosing(self._followed(call, heard)) as events:
            async for event in events:
                yield event

    async def answer(
        self, question: question_pb2.Question, timeout_seconds: float = FLOW_SECONDS_MAX
    ) -> answer_pb2.FinalAnswer:
        """Return a question's answer.

        Raises:
            CallFailed: The question is refused; FlowFailed or FlowCancelled where its flow ends without an answer.
        """
        flow_run_id = ""
        async with aclosing(self.ask(question, timeout_seconds)) as events:
            async for event in events:
                name = event.WhichOneof("event")
                flow_run_id = flow_run_id or event.accepted.flow_run_id
                if name == "finished":
                    return event.finished.answer
                if name in {"failed", "cancelled"}:
                    raise error_of_end(event, flow_run_id)
        raise Internal("INTERNAL", "the stream ended before the flow had", "STREAM_CUT")

    async def reply(
        self, flow_run_id: str, question_id: str, answer: str, action_digest: str = ""
    ) -> pb.AnswerQuestionResponse:
        """Answer what a flow asks; with the digest of the action that was shown it approves exactly that.

        Raises:
            CallFailed: The flow does not wait with this question, or the answer is none.
        """
        request = pb.AnswerQuestionRequest(
            flow_run_id=flow_run_id, question_id=question_id, answer=answer, action_digest=action_digest
        )
        return await self.call(self.stub.AnswerQuestion, request)

    async def cancel(self, flow_run_id: str) -> pb.CancelFlowResponse:
        """Cancel a flow at every hop.

        Raises:
            CallFailed: There is no such flow of this caller.
        """
        return await self.call(self.stub.CancelFlow, pb.CancelFlowRequest(flow_run_id=flow_run_id))

    async def _followed(self, call: Any, heard: Heard) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        while True:
            try:
                async for response in call:
                    for event in heard.take(response):
                        yield event
            except grpc.aio.AioRpcError as rpc_error:
                failure = error_from(rpc_error)
            else:
                return
            finally:
                call.cancel()
            await asyncio.sleep(heard.pause_after(failure))
            call = self.stub.WatchFlow(heard.rest(), metadata=await self._metadata())

    async def _leave(self, flow_run_id: str) -> None:
        request = pb.CancelFlowRequest(flow_run_id=flow_run_id)
        with suppress(CallFailed):
            await self.call(self.stub.CancelFlow, request, LEAVE_SECONDS)

    async def _metadata(self) -> tuple[tuple[str, str], ...]:
        token = self._token() if callable(self._token) else self._token
        text = await token if not isinstance(token, str) else token
        return (("authorization", f"Bearer {text}"),) if text else ()
