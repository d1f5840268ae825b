"""What an act comes to: a proposal, whose outcome is told in its place, or a question for what it lacks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskInput, Origin, Said, Told
from services.contract.flow import ActionRequest
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.underway import QUESTIONS, QUESTIONS_MAX, SLOTS
from services.plugin.asks.answering import Outcome, answered, asking_back, declined
from services.plugin.asks.telling import QueryRow

OWN: Final = "query_own_data"
"""What reads a person's own rows."""
_PREPARED: Final = Said("요청하신 일을 준비했습니다.", "What you asked for is prepared.")
"""What is told until the tool gateway has said what became of an action."""


def prepared(
    ask: Ask, actions: Sequence[ActionRequest], rows: Sequence[QueryRow] = (), told: Sequence[Told] = ()
) -> Outcome:
    """Return a proposal: what becomes of its actions is told in the place of its answer."""
    return Outcome(answered(ask, _PREPARED, told=(*goods.told_of(rows), *told)), actions=tuple(actions))


def lacking(ask: Ask, slot: str, sentence: Said, rows: Sequence[QueryRow] = ()) -> Outcome:
    """Return a question for what an act lacks; the products that it offers can be pointed to."""
    asking = replace(asking_back(ask, sentence, SLOTS[slot]), told=goods.told_of(rows))
    return still_asking(ask, Outcome(asking))


def still_asking(ask: Ask, outcome: Outcome) -> Outcome:
    """Return a question, or that an act is let be which was asked for what it lacks too often."""
    if int(ask.notes.get(QUESTIONS) or 0) < QUESTIONS_MAX:
        return outcome
    return Outcome(replace(declined(ask, _TOO_MANY), missing=outcome.answer.missing))


def unusable(outcome: Outcome, slot: str, said: str) -> Outcome:
    """Return a question for what was said already, but in a way that cannot be: "-2개", "서너 개"."""
    given = AskInput(slot, SLOTS[slot], said, "", Origin.GIVEN)
    return replace(outcome, answer=replace(outcome.answer, inputs=(*outcome.answer.inputs, given)))


_TOO_MANY: Final = Said(
    "여러 번 여쭤봤지만 필요한 것을 알 수 없어 여기서 멈췄습니다. 아무것도 하지 않았습니다. 필요한 것을 한 번에 말씀해 주시면 다시 준비하겠습니다.",
    "I have asked several times and still lack what is needed, so I stopped here. Nothing was done. Say all of it in one message, and I prepare it anew.",
)
