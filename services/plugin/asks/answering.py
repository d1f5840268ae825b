"""What a domain declares to answer asks: a reader, and answerers.

A domain's module `asks` may hold ROUTED as well, a `RoutedReader`: what is asked by the intent of the route alone.

It may hold MEANT, a `Reader` of whole messages in which no reader of any domain reads a request: by their meaning.

It may hold NEAR, a `Reader` of what a message, or a part of one, is near to where no reader of any domain is sure.

A domain's module `asks` holds READ, a `Reader`, and ANSWERERS. The reader types the asks of a question that are its
domain's; each names the answerer that serves it. The planner takes from the answerer the calls to make and the agent
that makes them; in the agent's process the same answerer computes the answer from what the calls returned.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, AskVerdict, Ground, Said
from services.contract.flow import ActionRequest, Evidence, Metric
from services.plugin.asks.sheet import Sheet
from services.plugin.findings import Asking, Reading

CERTAIN: Final = 0.97
"""The score of a message that is one computation from numbers which are all bound: it is no two requests."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An ask with how sure its reader is that it is its domain's."""

    ask: Ask
    """The ask; `answerer` is set."""
    score: float
    """0 to 1: 0.95 where domain words and a subject say it, 0.9 for an edit of an earlier ask, 0.7 for a guess;
    CERTAIN where it cannot be two requests."""
    is_whole: bool = False
    """Whether the message is one thing, a text to be reviewed for example, that no other reader is to take parts of."""


Reader = Callable[[Sheet, Sequence[AskedBefore]], Sequence[Claim]]
"""Types the asks of a question that belong to its domain; earlier messages come the latest first. Pure and quick."""


RoutedReader = Callable[[Sheet, Sequence[AskedBefore], str], Sequence[Claim]]
"""Types the ask of a question by its route alone, whose intent it is given, where no reader is sure of one."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that an answer needs."""

    tool: str
    """The tool's name."""
    arguments: Mapping[str, Any]
    """Its arguments, plain JSON values."""


@dataclass(frozen=True, slots=True)
class Found:
    """What an answerer computes from."""

    readings: tuple[Reading, ...]
    """The rows of its own calls, in their order; a call without rows has none here."""
    asking: Asking
    """The question, its language and its moment."""
    answers: tuple[AskAnswer, ...] = ()
    """The answers that this ask depends on."""

    def of_tool(self, tool: str) -> tuple[Reading, ...]:
        """Return the readings of a tool."""
        return tuple(one for one in self.readings if one.tool == tool)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer with the figures and rows behind it."""

    answer: AskAnswer
    """The answer."""
    metrics: tuple[Metric, ...] = ()
    """The figures that its sentences tell."""
    evidence: tuple[Evidence, ...] = ()
    """What they rest on."""
    actions: tuple[ActionRequest, ...] = ()
    """What is to be done: each is shown, approved where that is needed, and done once. What came of it is told in the
    place of the answer."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """What answers one kind of ask."""

    id: str
    """Its id, unique in the domain: "market_level"."""
    agents: tuple[str, ...]
    """The agents that may serve it, "realty.search" for example: an owner of the route's intent before the others."""
    answer: Callable[[Ask, Found], Outcome]
    """Computes the answer from what its calls returned. Pure."""
    calls: Callable[[Ask], Sequence[Call]] = field(default=lambda _: ())
    """The calls that it needs; none for what rests on the question alone."""
    needs: tuple[str, ...] = ()
    """Kinds of entities that its ask has to name; the planner asks for one that is missing."""

    def is_given(self, ask: Ask) -> bool:
        """Tell whether an ask names all that its answerer needs."""
        kinds = {one.kind for one in ask.subjects}
        return all(kind in kinds for kind in self.needs)


def answered(ask: Ask, sentence: Said, **more: Any) -> AskAnswer:
    """Return an answer in the ask's own form; further fields by name."""
    return AskAnswer(ask.ask_id, ask.form, AnswerState.ANSWERED, sentence=sentence, **more)


def ruled(ask: Ask, verdict: AskVerdict, sentence: Said, **more: Any) -> AskAnswer:
    """Return a verdict; the sentence says yes, no or that it depends in its first words."""
    return replace(answered(ask, sentence, **more), verdict=verdict)


def declined(ask: Ask, sentence: Said, **more: Any) -> AskAnswer:
    """Return an honest no: the sentence says why, and what could be asked instead."""
    return AskAnswer(ask.ask_id, ask.form, AnswerState.DECLINED, sentence=sentence, **more)


def asking_back(ask: Ask, sentence: Said, *missing: Said) -> AskAnswer:
    """Return a question back to the person: something has to be known first."""
    return AskAnswer(ask.ask_id, ask.form, AnswerState.ASKING, sentence=sentence, missing=missing)


def open_ask(ask: Ask, sentence: Said) -> AskAnswer:
    """Return that an ask was not answered: nothing was found, or a call failed."""
    return AskAnswer(ask.ask_id, ask.form, AnswerState.OPEN, sentence=sentence)


def ground(ko: str, en: str, *evidence_ids: str) -> Ground:
    """Return a line behind an answer."""
    return Ground(Said(ko, en), evidence_ids)
