"""What an endpoint that calls itself OpenAI-compatible does not take, learnt from its refusals.

A 400 that names a parameter which has another spelling, or which can be left out, is answered by asking once more
without it; the lesson is kept per model, so that it is paid for once in the life of a process.
"""

import re
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


_FORMAT = re.compile(
    r"response[_\s]?format|schema|\bjson|grammar|guided|structured|constrain|sampler|decoding|additionalproperties"
    r"|propertynames"
)
"""By these a refusal shows that it is about the shape of the answer, whichever engine makes it."""
_OTHER_CAUSES = re.compile(
    r"context|too\s(?:long|many|large)|length|exceed|quota|billing|credit|safety|policy|moderation|credential|api\skey"
    r"|model.{0,80}(?:not\sfound|does\snot\sexist|unknown|invalid|no\ssuch)"
)
"""By these a refusal shows that it is about something else."""


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
    """Say whether a refusal complains about response_format."""
    return _FORMAT.search(refusal.lower()) is not None


def may_refuse_format(refusal: str) -> bool:
    """Say whether a refusal that names no cause may be about response_format; asking without it shows whether it is."""
    return _OTHER_CAUSES.search(refusal.lower()) is None
