"""Tells messages as JSON and a flow's events as server-sent events.

An event's id is FLOW_RUN_ID:SEQUENCE. Events that are not kept (a piece of text, a sign of life) bear none, so that the
last id which a client has heard is always where it can go on; `accepted` bears sequence 0, the flow's beginning.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.http.calling import Events
from gateway.http.leaving import while_connected
from gateway.http.problems import internal, problem_of
from hapju.flow.v1 import flow_event_pb2
from services.runtime.errors import Aborted, HapjuError
from services.runtime.ids import FLOW_RUN_ID_PATTERN

MEDIA_TYPE: Final = "text/event-stream"
"""What a client accepts that wants events."""
HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
"""No cache and no proxy is to hold events back."""
BYTES_WRITTEN_AT_ONCE_MAX: Final = 65_536
"""A message above this is written as JSON beside the loop."""
_EVENT_ID: Final = re.compile(rf"(?:({FLOW_RUN_ID_PATTERN.pattern}):)?([0-9]{{1,18}})")


def event_id(given: str) -> tuple[str, int] | None:
    """Return the flow, empty where it is not named, and the sequence of an event's id; None where it is none."""
    found = _EVENT_ID.fullmatch(given.strip())
    return (found[1] or "", int(found[2])) if found else None


def as_object(message: Message) -> dict[str, Any]:
    """Return a message as proto JSON with the contract's names and every field that has no presence."""
    return MessageToDict(message, always_print_fields_with_no_presence=True, preserving_proto_field_name=True)


async def written(message: Message) -> bytes:
    """Return a message as JSON text."""
    if message.ByteSize() <= BYTES_WRITTEN_AT_ONCE_MAX:
        return _text(as_object(message))
    return await asyncio.to_thread(lambda: _text(as_object(message)))


def json_response(value: object) -> Response:
    """Return a response that holds a value as JSON."""
    return Response(_text(value), media_type="application/json")


def sent_event(name: str, data: bytes, identity: str = "") -> bytes:
    """Return one server-sent event."""
    head = f"id: {identity}\n" if identity else ""
    return f"{head}event: {name}\ndata: ".encode() + data + b"\n\n"


def _text(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class EventTelling:
    """Writes one flow's events down as server-sent events.

    Args:
        flow_run_id: The flow; empty until `accepted` names it.
    """

    def __init__(self, flow_run_id: str = "") -> None:
        self._flow_run_id = flow_run_id

    async def written(self, events: Events) -> bytes:
        """Return what is sent for events that are told at once."""
        return b"".join([await self._written(event) for event in events])

    async def _written(self, event: flow_event_pb2.FlowEvent) -> bytes:
        name = event.WhichOneof("event") or ""
        identity = ""
        if name == "accepted":
            self._flow_run_id = event.accepted.flow_run_id
            identity = f"{self._flow_run_id}:0"
        elif event.HasField("sequence"):
            identity = f"{self._flow_run_id}:{event.sequence}"
        return sent_event(name, await written(event), identity)


class Stream(Response):
    """Sends pieces as they come, until there are no more or the client has gone.

    A client that does not read is let go by the edge's borders: what it has not read it can have by its last id.

    Args:
        first: The pieces' first; its errors have been seen.
        pieces: The others.
    """

    media_type = MEDIA_TYPE

    def __init__(self, first: bytes, pieces: AsyncGenerator[bytes]) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._first = first
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the pieces."""
        del scope
        try:
            with suppress(Aborted):
                async with while_connected(receive):
                    await self._send(send)
        finally:
            await self._pieces.aclose()

    async def _send(self, send: Send) -> None:
        with suppress(TimeoutError):
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            # What has been told is not held on to: a stream may wait for long.
            first, self._first = self._first, b""
            await send({"type": "http.response.body", "body": first, "more_body": True})
            del first
            try:
                async for piece in self._pieces:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            except HapjuError as error:
                await send(_problem(error))
            except TimeoutError:
                raise
            except Exception as error:  # noqa: BLE001 - the one place where everything becomes a problem that is told
                await send(_problem(internal(error)))
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def _problem(error: HapjuError) -> dict[str, Any]:
    body = sent_event("problem", _text(problem_of(error)))
    return {"type": "http.response.body", "body": body, "more_body": True}
