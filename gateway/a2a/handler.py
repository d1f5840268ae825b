"""The protocol's calls as calls of the gateway."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any, Final, NoReturn

from a2a.server.context import ServerCallContext
from a2a.server.request_handlers.request_handler import RequestHandler
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import (
    A2AError,
    ExtendedAgentCardNotConfiguredError,
    InternalError,
    InvalidParamsError,
    PushNotificationNotSupportedError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from gateway.a2a.messages import question_in, reply_in
from gateway.a2a.streaming import TaskTelling
from gateway.a2a.tasks import asking, open_in, summarised, task_of
from gateway.http.door import CallerDoor, Events, Refusal
from gateway.http.problems import internal
from hapju.flow.v1 import flow_event_pb2, record_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb

DOOR: Final = "door"
"""Under which a call's context holds the gateway as its caller has it."""
DIGEST: Final = "action_digest"
"""The field of a message's metadata by which an approval names what was shown."""
_KINDS: Final[dict[str, type[A2AError]]] = {
    "INVALID_ARGUMENT": InvalidParamsError,
    "OUT_OF_RANGE": InvalidParamsError,
    "ALREADY_EXISTS": InvalidParamsError,
    "NOT_FOUND": TaskNotFoundError,
    "FAILED_PRECONDITION": UnsupportedOperationError,
}
_ENDED: Final = frozenset({a2a.TASK_STATE_COMPLETED, a2a.TASK_STATE_FAILED, a2a.TASK_STATE_CANCELED})
Event = a2a.Task | a2a.TaskStatusUpdateEvent | a2a.TaskArtifactUpdateEvent


class Handler(RequestHandler):
    """Serves the calls; each raises A2AError where the gateway says no."""

    async def on_message_send(self, params: a2a.SendMessageRequest, context: ServerCallContext) -> a2a.Task:
        """Ask, or reply to what a task waits with, and return the task once it has ended or waits."""
        with _told():
            at_once, task_id = params.configuration.return_immediately, ""
            if at_once and not params.message.task_id:
                request = pb.StartFlowRequest(question=question_in(params.message))
                begun = await _door(context).call("StartFlow", request)
                return _submitted(begun.flow_run_id, begun.session_id)
            async with aclosing(self._heard(params.message, context)) as told:
                async for event in told:
                    task_id = task_id or (event.id if isinstance(event, a2a.Task) else event.task_id)
                    if at_once:
                        break
            return task_of(await _record(_door(context), task_id))

    async def on_message_send_stream(
        self, params: a2a.SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event]:
        """Yield the task, what it is doing and its answer, until it ends or waits."""
        with _told():
            async with aclosing(self._heard(params.message, context)) as told:
                async for event in told:
                    yield event

    async def on_subscribe_to_task(
        self, params: a2a.SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event]:
        """Yield a task that runs as it stands, and then what becomes of it."""
        with _told():
            door = _door(context)
            record = await _record(door, params.id)
            task = task_of(record)
            if task.status.state in _ENDED:
                raise UnsupportedOperationError("the task has ended")
            yield task
            if task.status.state == a2a.TASK_STATE_INPUT_REQUIRED:
                return
            events = door.watch(params.id, len(record.events))
            async with aclosing(_followed(events, door, TaskTelling(task.id, task.context_id))) as told:
                async for event in told:
                    yield event

    async def on_get_task(self, params: a2a.GetTaskRequest, context: ServerCallContext) -> a2a.Task:
        """Return a task."""
        with _told():
            return task_of(await _record(_door(context), params.id))

    async def on_list_tasks(self, params: a2a.ListTasksRequest, context: ServerCallContext) -> a2a.ListTasksResponse:
        """Return the caller's tasks, the newest first."""
        with _told():
            asked = pb.ListFlowsRequest(
                page_size=params.page_size, page_token=params.page_token, session_id=params.context_id, counted=True
            )
            found = await _door(context).call("ListFlows", asked)
            tasks = [summarised(one) for one in found.flows]
            kept = [one for one in tasks if not params.status or one.status.state == params.status]
            return a2a.ListTasksResponse(
                tasks=kept, next_page_token=found.next_page_token, page_size=len(kept), total_size=found.total_size
            )

    async def on_cancel_task(self, params: a2a.CancelTaskRequest, context: ServerCallContext) -> a2a.Task:
        """Stop a task."""
        with _told():
            door = _door(context)
            if task_of(await _record(door, params.id)).status.state in _ENDED:
                raise TaskNotCancelableError
            await door.call("CancelFlow", pb.CancelFlowRequest(flow_run_id=params.id))
            return task_of(await _record(door, params.id))

    async def on_get_extended_agent_card(self, params: Any, context: ServerCallContext) -> NoReturn:  # noqa: ARG002 - the SDK's signature
        """Is not served: the card is the same for everybody."""
        raise ExtendedAgentCardNotConfiguredError

    async def on_create_task_push_notification_config(
        self,
        params: Any,  # noqa: ARG002 - as above
        context: ServerCallContext,  # noqa: ARG002 - as above
    ) -> NoReturn:
        """Is not served: hapju calls nobody back."""
        raise PushNotificationNotSupportedError

    on_get_task_push_notification_config = on_create_task_push_notification_config
    on_list_task_push_notification_configs = on_create_task_push_notification_config
    on_delete_task_push_notification_config = on_create_task_push_notification_config

    async def _heard(self, message: a2a.Message, context: ServerCallContext) -> AsyncGenerator[Event]:
        door = _door(context)
        if message.task_id:
            async with aclosing(self._replied(door, message, reply_in(message))) as told:
                async for event in told:
                    yield event
            return
        async with _begun(door.ask(question_in(message))) as (accepted, events):
            telling = TaskTelling(accepted.flow_run_id, accepted.session_id)
            yield _submitted(telling.task_id, telling.context_id)
            async with aclosing(_followed(events, door, telling)) as told:
                async for event in told:
                    yield event

    async def _replied(self, door: CallerDoor, message: a2a.Message, text: str) -> AsyncGenerator[Event]:
        record = await _record(door, message.task_id)
        asked = open_in(record.events)
        if not asked or task_of(record).status.state in _ENDED:
            raise UnsupportedOperationError("the task does not wait for anything")
        given = message.metadata.fields[DIGEST].string_value if DIGEST in message.metadata.fields else ""
        reply = pb.AnswerQuestionRequest(
            flow_run_id=message.task_id, question_id=asked[0].question_id, answer=text, action_digest=given
        )
        await door.call("AnswerQuestion", reply)
        telling = TaskTelling(message.task_id, record.summary.session_id)
        if asked[1:]:
            yield telling.status(a2a.TASK_STATE_INPUT_REQUIRED, asking(asked[1:], telling.task_id, telling.context_id))
            return
        yield telling.status(a2a.TASK_STATE_WORKING)
        events = door.watch(message.task_id, len(record.events))
        async with aclosing(_followed(events, door, telling, frozenset({asked[0].question_id}))) as told:
            async for event in told:
                yield event


async def _followed(
    events: Events, door: CallerDoor, telling: TaskTelling, replied: frozenset[str] = frozenset()
) -> AsyncGenerator[Event]:
    """Yield what is told of a flow until it ends or waits for the user."""
    async with aclosing(events):
        async for event in events:
            if event.WhichOneof("event") == "question_asked" and event.question_asked.question_id not in replied:
                asked = open_in((await _record(door, telling.task_id)).events) or [event.question_asked]
                message = asking(asked, telling.task_id, telling.context_id)
                yield telling.status(a2a.TASK_STATE_INPUT_REQUIRED, message)
                return
            for told in telling.of(event):
                yield told


@asynccontextmanager
async def _begun(events: Events) -> AsyncIterator[tuple[flow_event_pb2.Accepted, Events]]:
    async with aclosing(events):
        yield (await anext(events)).accepted, events


async def _record(door: CallerDoor, flow_run_id: str) -> record_pb2.FlowRecord:
    found: record_pb2.FlowRecord = (await door.call("GetFlow", pb.GetFlowRequest(flow_run_id=flow_run_id))).record
    return found


def _submitted(task_id: str, context_id: str) -> a2a.Task:
    return a2a.Task(id=task_id, context_id=context_id, status=a2a.TaskStatus(state=a2a.TASK_STATE_SUBMITTED))


def _door(context: ServerCallContext) -> CallerDoor:
    found: CallerDoor = context.state[DOOR]
    return found


@contextmanager
def _told() -> Iterator[None]:
    """Tell whatever goes wrong as the protocol does; what nobody expected has an id, and the log says what it was."""
    try:
        yield
    except A2AError:
        raise
    except Refusal as refusal:
        problem = refusal.problem
        raise _KINDS.get(problem["code"], InternalError)(str(refusal), problem) from None
    except Exception as error:  # noqa: BLE001 - the one place where everything becomes an error that is told
        known = internal(error)
        raise InternalError(known.message, known.metadata) from None
