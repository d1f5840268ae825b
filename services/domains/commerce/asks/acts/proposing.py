"""What an act comes to: a proposal, whose outcome is told in its place, or a question for what it lacks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, Said, Told
from services.contract.flow import ActionRequest
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.underway import SLOTS
from services.plugin.asks.answering import Outcome, answered, asking_back
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
    return Outcome(replace(asking_back(ask, sentence, SLOTS[slot]), told=goods.told_of(rows)))
