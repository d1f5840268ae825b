"""A client of hapju: asks, hears the answer as it comes, goes on where a connection breaks, and says what went wrong.

    async with AsyncClient.connect("127.0.0.1:20050", token=lambda: my_token()) as hapju:
        async for event in hapju.ask(Question(text="How has the US unemployment rate moved?")):
            ...
        answer = await hapju.answer(Question(text="...", attachments=[attachment("lease.pdf")]))

`Client` is the same without asyncio. Both rest on the generated stubs and grpcio alone; `hapju.gateway.v1` says what
each call takes and returns, and `call` makes any of them.
"""

from hapju.client.aio import AsyncClient
from hapju.client.errors import (
    CallFailed,
    Cancelled,
    DeadlineExceeded,
    FlowCancelled,
    FlowFailed,
    Forbidden,
    Internal,
    InvalidRequest,
    LimitExceeded,
    NotFound,
    Refused,
    Unauthenticated,
    Unavailable,
)
from hapju.client.files import attachment
from hapju.client.sync import Client
from hapju.flow.v1.answer_pb2 import FinalAnswer
from hapju.flow.v1.flow_event_pb2 import FlowEvent
from hapju.flow.v1.question_pb2 import Question

__all__ = [
    "AsyncClient",
    "CallFailed",
    "Cancelled",
    "Client",
    "DeadlineExceeded",
    "FinalAnswer",
    "FlowCancelled",
    "FlowEvent",
    "FlowFailed",
    "Forbidden",
    "Internal",
    "InvalidRequest",
    "LimitExceeded",
    "NotFound",
    "Question",
    "Refused",
    "Unauthenticated",
    "Unavailable",
    "attachment",
]
