"""What an endpoint that calls itself OpenAI-compatible does not take, learnt from its refusals.

A 400 that names a parameter which has another spelling, or which can be left out, is answered by asking once more
without it; the lesson is kept per model, so that it is paid for once in the life of a process.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any


class Lesson(Enum):
    """One thing that an endpoint does not take; the value is the word by which its refusal names it."""

    COMPLETION_LIMIT = "max_tokens"
    """The limit is spelt max_completion_tokens."""
    NO_TEMPERATURE = "temperature"
    """Only the model's own temperature is taken."""
    NO_STREAM_USAGE = "stream_options"
    """The token count of a stream cannot be asked for."""


FORMAT_WORDS = ("response_format", "json_schema", "json_object", "guided_json", "structured output")
"""By these a refusal shows that it is about the shape of the answer."""


class Dialect:
    """The lessons of one endpoint, by model."""

    def __init__(self) -> None:
        self._lessons: dict[str, frozenset[Lesson]] = {}

    def spoken(self, model: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the request's arguments as this model takes them."""
        lessons = self._lessons.get(model, frozenset())
        spoken = dict(arguments)
        if Lesson.COMPLETION_LIMIT in lessons:
            spoken["max_completion_tokens"] = spoken.pop("max_tokens")
        if Lesson.NO_TEMPERATURE in lessons:
            del spoken["temperature"]
        if Lesson.NO_STREAM_USAGE in lessons:
            spoken.pop("stream_options", None)
        return spoken

    def learn(self, model: str, refusal: str) -> bool:
        """Learn from the text of a 400; False when it holds nothing new, so that asking again would be vain."""
        known = self._lessons.get(model, frozenset())
        for lesson in Lesson:
            if lesson not in known and lesson.value in refusal:
                self._lessons[model] = known | {lesson}
                return True
        return False


def refuses_format(refusal: str) -> bool:
    """Say whether a 400 complains about response_format."""
    lowered = refusal.lower()
    return any(word in lowered for word in FORMAT_WORDS)
