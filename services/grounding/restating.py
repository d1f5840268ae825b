"""What a model may word anew: a part of a question, a task, a line of memory. It may say what was said, and no more.

said        "강남구 아파트 전세 시세와 대출 가능액"
restates    "강남구 아파트 전세 시세"            every figure, day and name of it was said
does not    "강남구 전세는 곧 오릅니다"           a claim of its own: whoever asked keeps the words that were there
"""

from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.entities import Entity
from services.grounding.basis import Basis
from services.grounding.grounds import Grounds
from services.grounding.sentences import sentences
from services.grounding.verdict import Wrong

RESTATED_CHARS_MAX: Final = 400
"""No part of a question is longer; a whole question has a limit of its own."""


class Restating:
    """Holds a model's words against what was said.

    Args:
        said: The texts whose names, days and figures may be said again; the question first.
        now: The flow's instant.
        time_zone: The user's time zone.
        entities: What the question names.
    """

    def __init__(
        self, said: Iterable[str], *, now: datetime, time_zone: str, entities: tuple[Entity, ...] = ()
    ) -> None:
        self._said = tuple(said)
        self._now, self._zone, self._entities = now, ZoneInfo(time_zone or "UTC"), entities

    @cached_property
    def _grounds(self) -> Grounds:
        """What may be said; made where a wording is not one that was said, word for word."""
        own = (part.strip() for text in self._said for part in sentences(text))
        basis = Basis(
            question=self._said[0],
            now=self._now,
            zone=self._zone,
            results=(),
            entities=self._entities,
            cautions=tuple(filter(None, own)),
        )
        return Grounds(basis)

    def wrong(self, text: str) -> Wrong | None:
        """Return the first thing that a text says and that was not said; None where it only restates."""
        if text.strip() in self._said:
            return None
        judged = (self._grounds.judge(part.strip()) for part in sentences(text) if part.strip())
        return next((verdict.wrong for verdict in judged if verdict.wrong is not None), None)

    def kept(self, text: str, otherwise: str, *, chars_max: int = RESTATED_CHARS_MAX) -> str:
        """Return a model's wording where it only restates, in one line; else the words that stand without it."""
        line = " ".join(text.split())
        return line if line and len(line) <= chars_max and self.wrong(line) is None else otherwise
