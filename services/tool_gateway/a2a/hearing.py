"""What an agent tells of a question, put together: words, data and where its task stands."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from a2a.types import a2a_pb2 as a2a
from google.protobuf.json_format import MessageToDict

from services.plugin.tools.mounted import ServerFailed
from services.tool_gateway.web.provider import plain_text

WORDS_CHARS_MAX: Final = 4_000
"""How much of an agent's words is kept."""
TEXT_CHARS_MAX: Final = 2_000
"""How long a text of its data may be; what is longer is cut."""
DOCUMENTS_MAX: Final = 50
"""Objects of data that are kept."""
DEPTH_MAX: Final = 4
"""How deep an object may be nested."""
BYTES_MAX: Final = 256 * 1024
"""An agent that tells more is not heard to its end."""
_OVER: Final = {a2a.TASK_STATE_COMPLETED, a2a.TASK_STATE_FAILED, a2a.TASK_STATE_CANCELED, a2a.TASK_STATE_REJECTED}
_ASKS_BACK: Final = {a2a.TASK_STATE_INPUT_REQUIRED, a2a.TASK_STATE_AUTH_REQUIRED}


class AgentHearing:
    """What one agent has told of one question.

    Args:
        name: The agent.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._artifacts: dict[str, list[a2a.Part]] = {}
        self._message: list[a2a.Part] = []
        self._state = a2a.TASK_STATE_UNSPECIFIED
        self._bytes = 0
        self.task_id = ""
        """Its task; empty where it has none."""

    @property
    def is_running(self) -> bool:
        """Whether its task is not over as far as was heard."""
        return bool(self.task_id) and self._state not in _OVER

    @property
    def words(self) -> str:
        """Its words, in plain text."""
        return plain_text(" ".join(part.text for part in self._parts if part.HasField("text")), WORDS_CHARS_MAX)

    @property
    def documents(self) -> tuple[Mapping[str, Any], ...]:
        """The objects that it sent as data, alone or in lists."""
        found = (MessageToDict(part.data) for part in self._parts if part.HasField("data"))
        objects = (one for value in found for one in _objects(value))
        return tuple(_cleaned(one, DEPTH_MAX) for one in objects)[:DOCUMENTS_MAX]

    def take(self, response: a2a.StreamResponse) -> None:
        """Take what was told.

        Raises:
            ServerFailed: It failed, refused, asks back or tells too much.
        """
        self._bytes += response.ByteSize()
        if self._bytes > BYTES_MAX:
            raise ServerFailed(f"{self._name}: the answer is too long", retryable=False)
        match response.WhichOneof("payload"):
            case "message":
                self._message = list(response.message.parts)
            case "task":
                self.task_id = response.task.id
                self._artifacts = {one.artifact_id: list(one.parts) for one in response.task.artifacts}
                self._stands(response.task.status)
            case "artifact_update":
                update = response.artifact_update
                before = self._artifacts.get(update.artifact.artifact_id, []) if update.append else []
                self._artifacts[update.artifact.artifact_id] = [*before, *update.artifact.parts]
            case "status_update":
                self.task_id = response.status_update.task_id
                self._stands(response.status_update.status)

    @property
    def _parts(self) -> list[a2a.Part]:
        return [part for parts in self._artifacts.values() for part in parts] or self._message

    def _stands(self, status: a2a.TaskStatus) -> None:
        self._state = status.state
        if self._state in _ASKS_BACK:
            raise ServerFailed(f"{self._name}: the agent asks back, which nobody answers here", retryable=False)
        if self._state in _OVER and self._state != a2a.TASK_STATE_COMPLETED:
            raise ServerFailed(f"{self._name}: the agent says that it failed", retryable=True)
        if self._state == a2a.TASK_STATE_COMPLETED and status.HasField("message"):
            self._message = list(status.message.parts)


def _objects(value: Any) -> Iterable[dict[str, Any]]:
    if isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), list):
        value = next(iter(value.values()))
    found = value if isinstance(value, list) else [value]
    return (one for one in found if isinstance(one, dict))


def _cleaned(value: Any, depth: int) -> Any:
    """Return a value without markup and without what is nested deeper than it may be."""
    if isinstance(value, str):
        return plain_text(value, TEXT_CHARS_MAX)
    if depth and isinstance(value, dict):
        return {str(name): _cleaned(one, depth - 1) for name, one in value.items()}
    if depth and isinstance(value, list):
        return [_cleaned(one, depth - 1) for one in value]
    return value if value is None or isinstance(value, bool | int | float) else None
