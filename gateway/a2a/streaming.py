"""A flow's events as the protocol tells a task: what it is doing, its answer as it is written, and how it ended."""

from collections.abc import Iterator

from a2a.types import a2a_pb2 as a2a

from gateway.a2a.tasks import ANSWER, DECLINED, artifact_of, said
from hapju.flow.v1 import flow_event_pb2

Told = a2a.TaskStatusUpdateEvent | a2a.TaskArtifactUpdateEvent


class TaskTelling:
    """Tells one flow.

    Args:
        task_id: The flow.
        context_id: Its conversation.
    """

    def __init__(self, task_id: str, context_id: str) -> None:
        self.task_id = task_id
        """The flow."""
        self.context_id = context_id
        """Its conversation."""
        self._attempt = 0
        self._length = 0

    def of(self, event: flow_event_pb2.FlowEvent) -> Iterator[Told]:
        """Yield what is told of an event; nothing of most."""
        match event.WhichOneof("event"):
            case "progress":
                yield self.status(a2a.TASK_STATE_WORKING, self._said(event.progress.message))
            case "delta":
                yield from self._piece(event.delta)
            case "finished":
                yield self._artifact(artifact_of(event.finished.answer), append=False, last=True)
                yield self.status(a2a.TASK_STATE_COMPLETED)
            case "failed":
                yield self.status(a2a.TASK_STATE_FAILED, self._said(event.failed.message))
            case "cancelled":
                reason = "" if event.cancelled.reason == DECLINED else event.cancelled.reason
                yield self.status(a2a.TASK_STATE_CANCELED, self._said(reason) if reason else None)

    def status(self, state: a2a.TaskState, message: a2a.Message | None = None) -> a2a.TaskStatusUpdateEvent:
        """Return a state of the task."""
        status = a2a.TaskStatus(state=state, message=message)
        return a2a.TaskStatusUpdateEvent(task_id=self.task_id, context_id=self.context_id, status=status)

    def _piece(self, delta: flow_event_pb2.Delta) -> Iterator[Told]:
        """Yield a piece of the answer; one that begins it anew takes the place of what was told of it."""
        if delta.answer_attempt < self._attempt:
            return
        begins = delta.answer_attempt > self._attempt
        if begins:
            self._attempt, self._length = delta.answer_attempt, 0
        new = delta.text[max(0, self._length - delta.text_offset) :]
        self._length += len(new)
        if new:
            artifact = a2a.Artifact(artifact_id=ANSWER, name=ANSWER, parts=[a2a.Part(text=new)])
            yield self._artifact(artifact, append=not begins, last=False)

    def _artifact(self, artifact: a2a.Artifact, *, append: bool, last: bool) -> a2a.TaskArtifactUpdateEvent:
        return a2a.TaskArtifactUpdateEvent(
            task_id=self.task_id, context_id=self.context_id, artifact=artifact, append=append, last_chunk=last
        )

    def _said(self, text: str) -> a2a.Message:
        return said(text, self.task_id, self.context_id)
