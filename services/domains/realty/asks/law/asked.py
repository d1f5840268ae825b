"""What of a message asks, behind the facts that it tells: who wishes to stay may ask whether they may be refused."""

from typing import Final

from services.contract.asks import AskForm
from services.plugin.asks.forms import clauses_of, forms_in, last_clause
from services.text.likeness import words_of

_LEANS_WORDS: Final = 1
"""A question of no more words of meaning is on what stands before it: "is that right?"."""


def asked_in(text: str) -> str:
    """Return the part of a message that asks; the whole where that part says nothing by itself."""
    asked = " ".join(one.text for one in clauses_of(text) if one.text.endswith("?")) or text
    last = last_clause(asked)
    if last is not None and AskForm.VERDICT in forms_in(last.text):
        asked = last.text
    return asked if len(words_of(asked)) > _LEANS_WORDS else text
