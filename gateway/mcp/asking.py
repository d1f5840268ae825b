"""The tool `ask`: one flow, its progress told while it runs, what it asks back put to the person, its answer.

A client that can put a form to its person is given one for each question: under 2026-07-28 as a result that needs
input, which is called again with the answers, before it on the connection's own way back where there is one. For every
other client the question is the result, and the tool `answer` goes on with the flow.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from typing import Any, Final

import anyio
from mcp.server.context import ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    InputResponse,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gateway.http.completions.phrases import question_text
from gateway.http.door import CallerDoor, Events, Refusal
from gateway.mcp.arguments import Asked, read
from gateway.mcp.telling import answered, declined, waiting
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.ids import FLOW_RUN_ID_PATTERN, NAME_PATTERN

Context = ServerRequestContext[Any, Any]
Outcome = CallToolResult | InputRequiredResult
SEQUENCE_MAX: Final = 10**9
"""No flow has so many events."""
LEAVE_SECONDS: Final = 2.0
"""How long a call that is given up waits to have its flow stopped."""
STOP: Final = "cancel"
"""What is answered for a person who closes the form."""
DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop."""
_FIXED: Final = frozenset(
    {
        flow_event_pb2.QUESTION_KIND_CONFIRM,
        flow_event_pb2.QUESTION_KIND_APPROVAL,
        flow_event_pb2.QUESTION_KIND_REUSE,
    }
)
"""The kinds of questions that take one of their options only."""


def state_in(state: str) -> tuple[str, str, int, dict[str, str]]:
    """Return the flow, the conversation, the last sequence and the digests of what was shown that a state names.

    Raises:
        Refusal: It is none that this server gives: whoever sends it may have written it.
    """
    try:
        flow_run_id, session_id, sequence, shown = json.loads(state)
        names = FLOW_RUN_ID_PATTERN.fullmatch(flow_run_id) and NAME_PATTERN.fullmatch(session_id)
        is_known = isinstance(sequence, int) and 0 <= sequence <= SEQUENCE_MAX
        digests = {key: value for key, value in shown.items() if isinstance(value, str) and f"{key}{value}".isascii()}
        if names and is_known and len(digests) == len(shown):
            return flow_run_id, session_id, sequence, digests
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    raise Refusal("INVALID_ARGUMENT", "INVALID_FIELD", "requestState: is none of this server")


class ToolHearing:
    """One call of the tool: what it has heard of its flow.

    Args:
        door: The gateway.
        ctx: The request.
    """

    def __init__(self, door: CallerDoor, ctx: Context) -> None:
        self._door = door
        self._ctx = ctx
        self._flow_run_id = ""
        self._session_id = ""
        self._sequence = 0
        self._steps = 0
        self._replied: set[str] = set()
        self._may_be_lost = False

    async def outcome(self, params: CallToolRequestParams) -> Outcome:
        """Return what a call comes to: the answer, or what the flow waits with.

        Raises:
            Refusal: The question is refused, or its flow ends without an answer.
        """
        if params.request_state is not None:
            return await self._ended(await self._resumed(params.request_state, params.input_responses or {}))
        question = read(Asked, params.arguments).to_proto(interactive=True)
        # Over HTTP a call that breaks and one that is given up look alike: who may make it again may lose it.
        self._may_be_lost = bool(question.request_id) and self._ctx.request is not None
        # It outlives this call where it waits for the person; a call that is given up stops it below.
        question.on_disconnect = question_pb2.ON_DISCONNECT_CONTINUE
        return await self._ended(self._door.ask(question))

    async def replied(self, flow_run_id: str, question_id: str, answer: str, action_digest: str) -> Outcome:
        """Answer what a flow waits with, and return what the flow then comes to; raise as `outcome` does."""
        self._flow_run_id = flow_run_id
        record = (await self._door.call("GetFlow", pb.GetFlowRequest(flow_run_id=flow_run_id))).record
        self._session_id = record.summary.session_id
        await self._answer(question_id, answer, action_digest)
        return await self._asked() or await self._ended(self._door.watch(flow_run_id, len(record.events)))

    async def _ended(self, events: Events) -> Outcome:
        try:
            async with aclosing(events):
                async for event in events:
                    self._sequence = event.sequence or self._sequence
                    outcome = await self._of(event)
                    if outcome is not None:
                        return outcome
        except asyncio.CancelledError:
            await self._leave()
            raise
        raise Refusal("INTERNAL", "STREAM_CUT", "the stream ended before the flow had")

    async def _leave(self) -> None:
        """Stop the flow of a call that was given up."""
        if not self._flow_run_id or self._may_be_lost:
            return
        with anyio.move_on_after(LEAVE_SECONDS, shield=True), suppress(Refusal):
            await self._door.call("CancelFlow", pb.CancelFlowRequest(flow_run_id=self._flow_run_id))

    async def _of(self, event: flow_event_pb2.FlowEvent) -> Outcome | None:
        name = event.WhichOneof("event")
        if name == "accepted":
            self._flow_run_id, self._session_id = event.accepted.flow_run_id, event.accepted.session_id
        elif name == "progress":
            self._steps += 1
            await self._ctx.session.report_progress(self._steps, message=event.progress.message)
        elif name == "question_asked":
            return await self._asked()
        elif name == "finished":
            return answered(event.finished.answer, self._session_id)
        elif name == "cancelled" and event.cancelled.reason == DECLINED:
            return declined(self._flow_run_id, self._session_id)
        elif name in {"failed", "cancelled"}:
            raise _refusal_of(event, self._flow_run_id)
        return None

    async def _asked(self) -> Outcome | None:
        """Put what the flow waits with to the person; return None where the flow goes on in this call."""
        asked = await self._open()
        session = self._ctx.session
        has_forms = session.client_capabilities is not None and session.client_capabilities.elicitation is not None
        if has_forms and self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            forms: dict[str, InputRequest] = {
                question.question_id: ElicitRequest(params=_form(question)) for question in asked
            }
            return InputRequiredResult(input_requests=forms, request_state=self._state(asked)) if forms else None
        if has_forms and session.can_send_request:
            for question in asked:
                form = _form(question)
                result = await session.elicit_form(form.message, form.requested_schema, self._ctx.request_id)
                with _unless_settled():
                    await self._reply(question.question_id, result, question.action.action_digest)
            return None
        left = [question for question in asked if not question.default_answer]
        for question in asked:
            if question.default_answer:
                with _unless_settled():
                    await self._answer(question.question_id, question.default_answer, "")
        return waiting(self._flow_run_id, self._session_id, left) if left else None

    async def _open(self) -> list[flow_event_pb2.QuestionAsked]:
        """Return what the flow waits with and has not been answered here, the oldest first."""
        events = (await self._door.call("GetFlow", pb.GetFlowRequest(flow_run_id=self._flow_run_id))).record.events
        settled = {event.question_settled.question_id for event in events} | self._replied
        asked = [event.question_asked for event in events if event.WhichOneof("event") == "question_asked"]
        return [question for question in asked if question.question_id not in settled]

    def _state(self, asked: Sequence[flow_event_pb2.QuestionAsked]) -> str:
        # It comes back from the client and is no secret: whose flow it is and what was shown is checked by the gateway.
        shown = {question.question_id: question.action.action_digest for question in asked}
        return json.dumps([self._flow_run_id, self._session_id, self._sequence, shown])

    async def _resumed(self, state: str, responses: Mapping[str, InputResponse]) -> Events:
        self._flow_run_id, self._session_id, self._sequence, digests = state_in(state)
        for question_id, digest in digests.items():
            given = responses.get(question_id)
            if isinstance(given, ElicitResult):
                with _unless_settled():
                    await self._reply(question_id, given, digest)
        return self._door.watch(self._flow_run_id, self._sequence)

    async def _reply(self, question_id: str, given: ElicitResult, digest: str) -> None:
        said = (given.content or {}).get("answer") if given.action == "accept" else None
        await self._answer(question_id, said.strip() if isinstance(said, str) and said.strip() else STOP, digest)

    async def _answer(self, question_id: str, answer: str, digest: str) -> None:
        request = pb.AnswerQuestionRequest(
            flow_run_id=self._flow_run_id, question_id=question_id, answer=answer, action_digest=digest
        )
        await self._door.call("AnswerQuestion", request)
        self._replied.add(question_id)


@contextmanager
def _unless_settled() -> Iterator[None]:
    """Let an answer go that came too late: the flow's own events tell how the question was settled."""
    try:
        yield
    except Refusal as refusal:
        if refusal.problem["reason"] != "NOT_PENDING":
            raise


def _form(asked: flow_event_pb2.QuestionAsked) -> ElicitRequestFormParams:
    answer: dict[str, Any] = {"type": "string", "title": asked.slot or "answer", "maxLength": 4_000}
    if asked.options and asked.kind in _FIXED:
        answer = {"type": "string", "title": "answer", "enum": list(asked.options)}
    schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"]}
    return ElicitRequestFormParams(message=question_text(asked), requested_schema=schema)


def _refusal_of(event: flow_event_pb2.FlowEvent, flow_run_id: str) -> Refusal:
    metadata = {"flow_run_id": flow_run_id}
    if event.WhichOneof("event") == "cancelled":
        return Refusal("CANCELLED", event.cancelled.reason, "the flow was cancelled", metadata=metadata)
    if event.failed.error_id:
        metadata["error_id"] = event.failed.error_id
    return Refusal(event.failed.code, event.failed.reason, event.failed.message, metadata=metadata)
