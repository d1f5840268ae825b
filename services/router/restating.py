"""Asks that the rules did not read: a model says each in plain words, and the same readers type those.

A model's words decide how a request is read and nothing else. A request that names a thing, a number or a day which
neither the question nor the conversation has is dropped, as is one that the readers type in another form.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from prompts.router.question_asks import AskedThing
from services.contract.asks import AskForm
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, installed_kinds

SCORE: Final = 0.9
"""How sure an ask is that rests on a model's words: it decides where the vote is unsure, and overrules no sure one."""

Reading = Callable[[Sheet], Sequence[Claim]]
"""Types the asks of a sheet."""
Seeing = Callable[[str], Sheet]
"""Reads a text."""


def restated(
    things: Sequence[AskedThing], said: Sheet, earlier: Sequence[Sheet], see: Seeing, read: Reading
) -> tuple[Claim, ...]:
    """Return the asks that a model told apart, as the readers type its words; none where a number is lost.

    Args:
        things: What the model says is asked for.
        said: The question, with what it takes from the conversation.
        earlier: What the person said before.
        see: Reads one of the model's requests as a question is read.
        read: Types its asks.
    """
    sheets = [see(one.request) for one in things]
    if _numbers([said]) - _numbers(sheets):
        return ()
    known = [said, *earlier]
    found = [
        _placed(claim, one, said)
        for one, sheet in zip(things, sheets, strict=True)
        if is_faithful(sheet, known) and (claim := _typed(one, sheet, read)) is not None
    ]
    return tuple(replace(claim, ask=replace(claim.ask, ask_id=f"q{at}")) for at, claim in enumerate(found, start=1))


def _typed(one: AskedThing, sheet: Sheet, read: Reading) -> Claim | None:
    claims = [claim for claim in read(sheet) if claim.ask.form is AskForm(one.form)]
    return claims[0] if len(claims) == 1 else None


def is_faithful(request: Sheet, known: Sequence[Sheet]) -> bool:
    """Tell whether a request names only what was said: things, days, and numbers with how they bound."""
    return _named([request]) <= _named(known) and _numbers([request]) <= _numbers(known)


def _named(sheets: Iterable[Sheet]) -> set[tuple[str, str]]:
    """Return the names and days of texts; kinds of things ("a lease") are common words, which a model may choose."""
    names = {kind.id for kind in installed_kinds().values() if kind.is_name} | {PERIOD}
    return {(one.kind, one.value) for sheet in sheets for one in sheet.entities if one.kind in names and one.value}


def _numbers(sheets: Iterable[Sheet]) -> set[tuple[Decimal, str]]:
    return {(one.value, one.bound) for sheet in sheets for one in sheet.numbers}


def _placed(claim: Claim, one: AskedThing, said: Sheet) -> Claim:
    """Return a claim that rests on the words of the question, not on those of the model."""
    at = said.text.lower().find(one.words.strip().lower())
    start, end = (at, at + len(one.words.strip())) if at >= 0 else (0, len(said.text))
    subjects = tuple(replace(subject, start=0, end=0) for subject in claim.ask.subjects)
    ask = replace(claim.ask, words=said.text[start:end], start=start, end=end, subjects=subjects, depends_on=())
    return replace(claim, ask=ask, score=min(claim.score, SCORE))
