"""A client of generated stubs that asks, hears, and judges what it was told: once, in time, gapless, honestly."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import grpc

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc

QUESTION = "애플 주가 알려줘"
SECONDS = 20.0
"""How long a flow may take."""
GRACE_SECONDS = 6.0
"""How much later the last word may come: one hop after another has its margin."""
FIGURE = "달러"
"""What the right answer holds."""
BROKEN = {"UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN", "NOT_FOUND"}
"""How a stream ends that was cut: what grpc itself says of a connection that breaks is among them."""
ENDS = {"finished", "failed", "cancelled"}
SILENT_SECONDS_MAX = 7.0
"""The longest pause between two words; signs of life come every five seconds."""


@dataclass
class Told:
    """What one flow came to."""

    events: list[flow_event_pb2.FlowEvent] = field(default_factory=list)
    """Every event."""
    status: str = ""
    """The status that the stream broke with; empty where it ended well."""
    seconds: float = 0.0
    """From the question to its end."""
    silent_seconds: float = 0.0
    """The longest pause."""
    last: float = 0.0
    """When something was heard last."""
    allowed: float = SECONDS
    """How long it may take."""
    figure: str = FIGURE
    """What the right answer holds."""

    def take(self, event: flow_event_pb2.FlowEvent | None) -> None:
        """Takes in an event, or that the stream broke."""
        self.silent_seconds = max(self.silent_seconds, monotonic() - self.last)
        self.last = monotonic()
        if event is not None:
            self.events.append(event)

    @property
    def flow_run_id(self) -> str:
        """The flow; empty before it was accepted."""
        return next((one.accepted.flow_run_id for one in self.events if one.WhichOneof("event") == "accepted"), "")

    @property
    def last_sequence(self) -> int:
        """How far it was heard."""
        return max((one.sequence for one in self.events if one.HasField("sequence")), default=0)

    @property
    def ends(self) -> list[str]:
        """The terminal events."""
        return [name for one in self.events if (name := str(one.WhichOneof("event"))) in ENDS]

    @property
    def outcome(self) -> str:
        """answered, partly (told what is missing), told (an end without an answer), refused (a status at the door)."""
        if self.ends == ["finished"]:
            answer = self.events[-1].finished.answer
            return "answered" if self.figure in answer.final_response and not answer.failure_tags else "partly"
        return "told" if self.ends else "refused"

    def faults(self) -> list[str]:
        """Returns what is wrong with it, in words; empty where nothing is."""
        sequences = [one.sequence for one in self.events if one.HasField("sequence")]
        found = []
        if self.seconds > self.allowed + GRACE_SECONDS:
            found.append(f"took {self.seconds:.1f} s")
        if self.silent_seconds > SILENT_SECONDS_MAX:
            found.append(f"silent for {self.silent_seconds:.1f} s")
        if len(self.ends) > 1 or (self.ends and self.status):
            found.append(f"ends {self.ends} {self.status}")
        if not self.ends and self.status not in {"UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"}:
            found.append(f"no end, status {self.status or 'OK'}")
        if sequences != list(range(1, len(sequences) + 1)):
            found.append(f"sequences {sequences}")
        if self.ends == ["finished"]:
            answer = self.events[-1].finished.answer
            if self.figure not in answer.final_response and not answer.failure_tags:
                found.append(f"neither figure nor reason: {answer.final_response[:80]}")
        if self.ends == ["failed"] and not any("가" <= mark <= "힣" for mark in self.events[-1].failed.message):
            found.append(f"not in the person's language: {self.events[-1].failed.message[:80]}")
        return found


async def ask(
    door: str, seconds: float = SECONDS, *, token: str = "", text: str = QUESTION, figure: str = FIGURE
) -> Told:
    """Asks over a connection of its own and hears to the end; where the stream breaks it goes on hearing the flow."""
    told, until = Told(allowed=seconds, figure=figure), monotonic() + seconds
    question = question_pb2.Question(text=text, locale="ko", on_disconnect=question_pb2.ON_DISCONNECT_CONTINUE)
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    begin = told.last = monotonic()
    async with grpc.aio.insecure_channel(door) as channel:
        stub = gateway_service_pb2_grpc.GatewayServiceStub(channel)
        asking = stub.Ask(pb.AskRequest(question=question), timeout=seconds, metadata=metadata, wait_for_ready=True)
        await _heard(told, asking)
        while not told.ends and told.flow_run_id and told.status in BROKEN and until - monotonic() > 0.5:
            await asyncio.sleep(0.3)
            again = pb.WatchFlowRequest(flow_run_id=told.flow_run_id, after_sequence=told.last_sequence)
            left = until - monotonic()
            await _heard(told, stub.WatchFlow(again, timeout=left, metadata=metadata, wait_for_ready=True))
    told.seconds = monotonic() - begin
    return told


async def _heard(told: Told, stream: Any) -> None:
    told.status = ""
    try:
        # Whoever waits for a door that is shut waits by their own wish: silence begins behind it.
        await stream.wait_for_connection()
        told.last = monotonic()
        async for message in stream:
            told.take(message.event)
    except grpc.aio.AioRpcError as error:
        told.status = error.code().name
        told.take(None)


async def asked(door: str, moments: tuple[float, ...]) -> list[Told]:
    """Asks at each of some moments and hears all of them out."""

    async def one(moment: float) -> Told:
        await asyncio.sleep(moment)
        return await ask(door)

    return list(await asyncio.gather(*(one(moment) for moment in moments)))


def cell(told: list[Told]) -> str:
    """Returns what a table says of some flows."""
    counts = Counter(one.outcome for one in told)
    said = ", ".join(f"{counts[name]} {name}" for name in ("answered", "partly", "told", "refused") if counts[name])
    wrong = sum(bool(one.faults()) for one in told)
    return f"{said}{f'; {wrong} WRONG' if wrong else ''}"
