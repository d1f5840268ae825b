"""Where one flow asks persons: it keeps what is asked, and waits until it is settled, outside the flow's own time."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from observability.telemetry import current as current_telemetry
from services.contract.events import HeldData, QuestionAsked, QuestionKind, QuestionOption, ShownAction
from services.durable.questions import KeptQuestion, Questions, Settlement
from services.durable.writer import Lease
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline

ANSWER_CHARACTERS_MAX: Final = 4_000
"""The length of an answer, in code points."""


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """What is to be asked."""

    kind: QuestionKind
    """A slot's value, or a yes."""
    text: str
    """The question in the flow's language."""
    slot: str = ""
    """The slot that the answer fills."""
    options: tuple[str, ...] = ()
    """Values to choose from."""
    choices: tuple[QuestionOption, ...] = ()
    """The options with what they say and lead to; empty where the values speak for themselves."""
    held_data: HeldData | None = None
    """The earlier data that the question is about."""
    default: str = ""
    """The answer that holds where nobody gives one in time; without one the flow is then cancelled."""
    name: str = ""
    """The question's place in the flow; by default its kind and slot, counted. Side by side, each needs its own."""
    allowed_roles: tuple[str, ...] = ()
    """Roles of which whoever answers needs one; empty where none is needed."""
    action: ShownAction | None = None
    """Under APPROVAL, the action as it would be done."""


class Desk:
    """Where one flow asks persons.

    Args:
        questions: Keeps the questions.
        lease: The right to ask.
        deadline: The flow's deadline, which stands still while somebody is waited for.
        clock: The present instant.
        kept: The questions of the flow's former drivers, by name.
    """

    def __init__(
        self,
        questions: Questions,
        lease: Lease,
        deadline: Deadline,
        clock: Clock,
        kept: Mapping[str, KeptQuestion] = MappingProxyType({}),
    ) -> None:
        self._questions = questions
        self._lease = lease
        self._deadline = deadline
        self._clock = clock
        self._kept = kept
        self._named: Counter[str] = Counter()
        self._open: dict[str, asyncio.Future[Settlement]] = {}
        self._since = 0.0

    @property
    def waits(self) -> bool:
        """True while the flow waits for somebody."""
        return bool(self._open)

    @property
    def question_ids(self) -> Iterable[str]:
        """The questions that it waits with."""
        return self._open.keys()

    async def ask(self, ask: PersonQuestion, seconds_max: float) -> KeptQuestion:
        """Keep a question, or return it as a former driver kept it.

        Raises:
            Superseded: Another replica drives the flow.
        """
        name = ask.name or self._next_name(ask)
        kept = self._kept.get(name)
        if kept is None:
            now = self._clock()
            expire_time = now + timedelta(seconds=seconds_max)
            asked = _asked(ask, expire_time)
            kept = KeptQuestion(self._lease.flow_run_id, name, asked, ask.default, now)
            self._open_one(kept)
            try:
                await self._questions.ask(self._lease, kept)
            except BaseException:
                self._close_one(kept)
                raise
        elif kept.settled is None:
            self._open_one(kept)
        return kept

    async def settled(self, question: KeptQuestion) -> Settlement:
        """Wait until a question is settled, at the latest by the end of the wait, and return how."""
        if question.settled is not None:
            return question.settled
        left = (question.asked.expire_time - self._clock()).total_seconds()
        try:
            with current_telemetry().instruments.flow_waits("person"):
                async with asyncio.timeout(max(0.0, left)):
                    return await self._open[question.asked.question_id]
        except TimeoutError:
            # Whoever writes first decides: an answer that came to another replica in time still holds.
            return await self._questions.expire(question, self._clock())
        finally:
            self._close_one(question)

    def hear(self, question_id: str, settlement: Settlement) -> None:
        """Hand over how a question was settled; one that nobody waits with is none of ours."""
        waiting = self._open.get(question_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(settlement)

    def _next_name(self, ask: PersonQuestion) -> str:
        place = f"{ask.kind}/{ask.slot}"
        self._named[place] += 1
        return f"{place}/{self._named[place]}"

    def _open_one(self, question: KeptQuestion) -> None:
        if not self._open:
            self._since = monotonic()
        self._open[question.asked.question_id] = asyncio.get_running_loop().create_future()

    def _close_one(self, question: KeptQuestion) -> None:
        if self._open.pop(question.asked.question_id, None) is not None and not self._open:
            self._deadline.extend(monotonic() - self._since)


def _asked(ask: PersonQuestion, expire_time: datetime) -> QuestionAsked:
    return QuestionAsked(
        question_id=uuid4().hex,
        kind=ask.kind,
        slot=ask.slot,
        text=ask.text,
        options=ask.options,
        expire_time=expire_time,
        default_answer=ask.default,
        answer_schema_json=_schema(ask),
        allowed_roles=ask.allowed_roles,
        action=ask.action,
        choices=ask.choices,
        held_data=ask.held_data,
    )


def _schema(ask: PersonQuestion) -> bytes:
    """Return the JSON Schema of an answer; a slot's options are suggestions, an approval's are all there is."""
    schema: dict[str, object] = {"type": "string", "minLength": 1, "maxLength": ANSWER_CHARACTERS_MAX}
    if ask.kind is QuestionKind.APPROVAL:
        schema = {"type": "string", "enum": list(ask.options)}
    elif ask.options:
        schema["examples"] = list(ask.options)
    return json.dumps(schema, ensure_ascii=False).encode()
