"""What each path does: a request becomes its call, and what the call returns becomes the response."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final
from urllib.parse import quote

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response

from gateway.http.calling import ENDS, Calling, Events, Metadata, metadata_of
from gateway.http.leaving import while_connected
from gateway.http.problems import problem_of_end
from gateway.http.reading import body_of, fill_from_query, message_in
from gateway.http.routes import ASK, WATCH, RouteCall
from gateway.http.telling import MEDIA_TYPE, EventTelling, Stream, event_id, written
from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.errors import Internal, InvalidRequest
from services.runtime.settings import Settings

Serve = Callable[[Request], Awaitable[Response]]

OPENED_SECONDS: Final = 1.5
"""A stream of which nothing is heard for so long is opened without its first event; a refusal comes sooner."""
NOTHING_LEFT: Final = 204
"""What a browser's EventSource takes for the end: there is nothing left to be told."""
_COMMENT: Final = b": open\n\n"


class Serving:
    """Serves the paths of the edge.

    Args:
        calling: The gateway.
        settings: The process's settings.
    """

    def __init__(self, calling: Calling, settings: Settings) -> None:
        self._calling = calling
        self._settings = settings

    def unary(self, call: RouteCall) -> Serve:
        """Return what serves a call that answers with one message."""

        async def serve(request: Request) -> Response:
            message = await self._request(request, call)
            async with while_connected(request.receive):
                response = await self._calling.call(call.rpc, message, metadata_of(request))
            if call.file:
                return _file(response)
            told = getattr(response, call.response_field) if call.response_field else response
            return Response(await written(told), call.status, media_type="application/json")

        return serve

    async def ask(self, request: Request) -> Response:
        """Ask a question: its answer as JSON, or its events where the client accepts them.

        A request that bears the id of an event goes on with that event's flow, whatever its body says.
        """
        metadata = metadata_of(request)
        if MEDIA_TYPE not in request.headers.get("accept", ""):
            question = await self._question(request)
            if question.interactive:
                raise InvalidRequest.of("interactive", f"needs accept: {MEDIA_TYPE}, over which hapju can ask back")
            async with while_connected(request.receive):
                return await self._answer(question, metadata)
        flow_run_id, after = _heard(request)
        if flow_run_id:
            told = self._calling.watch(flow_run_id, after, metadata, OPENED_SECONDS)
            return await self._stream(request, told, flow_run_id)
        question = await self._question(request)
        if not question.on_disconnect:
            # A stream that breaks is to be gone on with; who wants to stop the flow says so.
            question.on_disconnect = question_pb2.ON_DISCONNECT_CONTINUE
        return await self._stream(request, self._calling.ask(question, metadata, OPENED_SECONDS))

    async def watch(self, request: Request) -> Response:
        """Tell a flow's events after the last that the client has heard."""
        message = pb.WatchFlowRequest(flow_run_id=request.path_params["flow_run_id"])
        fill_from_query(request, message, WATCH.in_query)
        flow_run_id, after = _heard(request)
        if flow_run_id not in {"", message.flow_run_id}:
            raise InvalidRequest.of("last-event-id", "is of another flow")
        after = after or message.after_sequence
        events = self._calling.watch(message.flow_run_id, after, metadata_of(request), OPENED_SECONDS)
        return await self._stream(request, events, message.flow_run_id)

    async def _stream(self, request: Request, events: AsyncGenerator[Events], flow_run_id: str = "") -> Response:
        pieces = _pieces(events, EventTelling(flow_run_id))
        async with while_connected(request.receive):
            first = await anext(pieces)
        if not first:
            await pieces.aclose()
            return Response(status_code=NOTHING_LEFT)
        return Stream(first, pieces)

    async def _answer(self, question: question_pb2.Question, metadata: Metadata) -> Response:
        flow_run_id = ""
        async with aclosing(self._calling.ask(question, metadata)) as told:
            async for events in told:
                for event in events:
                    name = event.WhichOneof("event")
                    if name == "accepted":
                        flow_run_id = event.accepted.flow_run_id
                    elif name == "finished":
                        return Response(await written(event.finished.answer), media_type="application/json")
                    elif name in ENDS:
                        raise problem_of_end(event, flow_run_id)
        raise Internal("the stream ended before the flow had", reason="STREAM_CUT")

    async def _question(self, request: Request) -> question_pb2.Question:
        return await message_in(await self._body(request, question_pb2.Question), question_pb2.Question)

    async def _body(self, request: Request, kind: type[Message]) -> bytes:
        """Return a request's body; that of a question may hold files."""
        settings, asks = self._settings, kind is question_pb2.Question
        bytes_max = settings.http_asked_bytes_max if asks else settings.http_body_bytes_max
        return await body_of(request, bytes_max, settings.http_stalled_seconds_max)

    async def _request(self, request: Request, call: RouteCall) -> Message:
        message = call.request()
        if call.body is not None:
            held = await message_in(await self._body(request, call.body), call.body)
            (getattr(message, call.body_field) if call.body_field else message).CopyFrom(held)
        fill_from_query(request, message, call.in_query)
        for name in call.in_path:
            setattr(message, name, request.path_params[name])
        return message


def _file(response: pb.GetDocumentResponse) -> Response:
    """Return a file under its name, to be kept and never shown in place of a page."""
    name = quote(response.file_name, safe="")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}", "x-content-type-options": "nosniff"}
    return Response(response.content, media_type=response.media_type, headers=headers)


async def _pieces(events: AsyncGenerator[Events], telling: EventTelling) -> AsyncGenerator[bytes]:
    """Yield what is sent of a flow: an empty piece first where there is nothing to tell, a comment where it waits."""
    async with aclosing(events):
        told = await anext(events, None)
        if told is None:
            yield b""
        while told is not None:
            yield await telling.written(told) if told else _COMMENT
            told = None  # a stream may wait for long, and holds on to nothing then
            told = await anext(events, None)


def _heard(request: Request) -> tuple[str, int]:
    """Return the flow and the sequence of the last event that a client has heard, as it says."""
    given = request.headers.get("last-event-id", "")
    if not given:
        return "", 0
    found = event_id(given)
    if found is None:
        raise InvalidRequest.of("last-event-id", "must be FLOW_RUN_ID:SEQUENCE, as events bear it")
    if request.url.path == ASK.path and not found[0]:
        raise InvalidRequest.of("last-event-id", "must name its flow here: FLOW_RUN_ID:SEQUENCE")
    return found
