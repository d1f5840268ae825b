"""What a person is told of actions: the answers of the asks that they were for, in the place of what agents prepared.

    waits for a yes      the question that the preview puts, and the fields that were shown    ASKING
    done                 the sentence of the ledger's receipt                                  ANSWERED
    refused, rejected    why, and that nothing was done                                        DECLINED
    not known            that it is not known, and what to do                                  OPEN

An ask with several actions is told of each, in order; of their states the least settled is the answer's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from services.contract.asks import AnswerState, AskAnswer, Ground, Said
from services.contract.events import ActionOutcome, ActionSettled
from services.contract.flow import AgentResult
from services.contract.tool import ActionField, ActionFieldKind
from services.orchestrator import texts

_STATES: Final = {
    ActionOutcome.DONE: AnswerState.ANSWERED,
    ActionOutcome.REFUSED: AnswerState.DECLINED,
    ActionOutcome.REJECTED: AnswerState.DECLINED,
    ActionOutcome.AWAITING_APPROVAL: AnswerState.ASKING,
    ActionOutcome.IN_DOUBT: AnswerState.OPEN,
}
TARGETS_SAID: Final = 2
"""How many things a sentence names."""
_UNSETTLED: Final = (AnswerState.OPEN, AnswerState.ASKING, AnswerState.DECLINED, AnswerState.ANSWERED)
"""The states, the least settled first."""


@dataclass(frozen=True, slots=True)
class Came:
    """What became of one action, with what is known of it."""

    settled: ActionSettled
    """The event."""
    ask_id: str = ""
    """The ask that it was for; empty where it was for none."""
    fields: tuple[ActionField, ...] = ()
    """What was shown of it."""
    told: Said | None = None
    """How the domain words it; None where it words nothing."""


def sentence_of(came: Came) -> Said:
    """Return what is told of an action: the domain's words, else what was shown of it."""
    if came.told is not None:
        return came.told
    name = f"action_{came.settled.outcome.value.lower()}" if came.fields else _UNPREPARED.get(came.settled.reason, _NOT)
    return Said(*(texts.say(one, name, action=target_of(came.fields)) for one in ("ko", "en")))


_NOT: Final = "action_not_prepared"
_UNPREPARED: Final = {
    "VALUE_OUT_OF_RANGE": "action_value_out_of_range",
    "INVALID_FORMAT": "action_invalid_format",
    "UNAUTHORIZED_ACTION": "action_unauthorized",
}
"""What is told of an action that could not be shown, by the reason."""


def target_of(fields: Sequence[ActionField]) -> str:
    """Return what an action would do, as labels and values of its typed fields."""
    return ", ".join(f"{field.label} {field.text}" for field in fields)


def answer_of(prepared: AskAnswer, came: Sequence[Came]) -> AskAnswer:
    """Return the answer of an ask whose actions are settled, in the place of what its agent prepared."""
    states = {_STATES[one.settled.outcome] for one in came}
    sentences = dict.fromkeys((said.ko, said.en) for said in map(sentence_of, came))
    waits = [one for one in came if one.settled.outcome is ActionOutcome.AWAITING_APPROVAL]
    return replace(
        prepared,
        state=next(one for one in _UNSETTLED if one in states),
        sentence=Said(" ".join(ko for ko, _ in sentences), " ".join(en for _, en in sentences)),
        grounds=tuple(ground for one in waits for ground in _grounds(one)) or prepared.grounds,
    )


def _grounds(came: Came) -> Iterable[Ground]:
    """Yield what was shown, a line a field; where a sentence says it already, the lines of an order of many goods."""
    targets = sum(field.kind is ActionFieldKind.TARGET for field in came.fields)
    if came.told is not None and targets <= TARGETS_SAID:
        return
    shown = came.fields if came.told is None else came.fields[: 2 * targets]
    for field in shown:
        if field.kind is ActionFieldKind.MONEY_KRW and not field.number:
            continue
        ko, en = (_written(field, locale) for locale in ("ko", "en"))
        yield Ground(Said(f"{field.label}: {ko}", f"{field.label}: {en}"))


def _written(field: ActionField, locale: str) -> str:
    match field.kind:
        case ActionFieldKind.MONEY_KRW:
            return f"{field.number:,}원" if locale == "ko" else f"KRW {field.number:,}"
        case ActionFieldKind.QUANTITY:
            return f"{field.number:,}"
        case _:
            return field.text


def with_answers(result: AgentResult, came: Sequence[Came]) -> AgentResult:
    """Return a step's result in which each ask with actions is answered by what became of them."""
    return replace(
        result,
        answers=tuple(
            answer_of(one, own) if (own := [each for each in came if each.ask_id == one.ask_id]) else one
            for one in result.answers
        ),
    )
