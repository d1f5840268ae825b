"""A sentence of a message that asks for something else than what was read is told unread: it is never dropped silently.

"... 추천해줘. 송파구 전세도": where only the second is read, the first joins as an ask that nobody answers, and the
answer says so. A sentence that goes on from what was read ("is that allowed?") or only tells facts is no such request:
its own words have to speak for another domain. Of what was read itself a part is told unread that asks since when or
why, and left no trace: without its words the same is read ("is A above B, and since when?").
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from services.catalog.asks import read_asks
from services.catalog.division import ASKS_MAX, SURE, heard
from services.catalog.loader import Catalog
from services.contract.asks import Ask, AskForm
from services.plugin.asks.answering import Claim
from services.plugin.asks.forms import Clause
from services.plugin.asks.sheet import Sheet
from services.router.voters import KEYWORD
from services.router.weighing import Vote
from services.text.patterns import Pattern

_READ_ALONE: Final = frozenset({AskForm.ACT, AskForm.DRAFT, AskForm.REVIEW})
"""Forms whose message is one text: each sentence of it is for what is to be done."""
_REQUESTS: Final = Pattern(
    r"[?]\W*$"
    r"|(?:[줘]|[줘주]\s?(?:세요|십시오|실래요|라)|줄래\S?|부탁\S{0,4}|추천|궁금\S{0,5}|[할될]까|[나가까]요|[는은]지도?|[가-힣]도)\W*$"
    r"|^\W*(?:(?:and|also|please|then|so) )*(?:how|what|which|when|where|who|has|have|is|are|can|could|do|does|did)\b"
    r"|^\W*(?:(?:and|also|please|then|so) )*(?:should|would|will|tell|show|give|list|find|recommend|suggest)\b",
    re.IGNORECASE,
)
"""A sentence that asks, by its end or its beginning."""


Voting = Callable[[str], Vote | None]
"""Tells what the words of a part speak for."""


def not_served(said: Sheet, vote_on: Voting, catalog: Catalog) -> tuple[Clause, ...]:
    """Return the sentences of a message that ask for what nobody here tells; none where it has no others.

    Args:
        said: The message.
        vote_on: What the words of a part speak for.
        catalog: The installed domains.
    """
    found = tuple(one for one in _asking(said) if _intent_of(said.part(one), vote_on, catalog) in _refused(catalog))
    return found if len(found) < len(said.clauses) else ()


def without(said: Sheet, left_out: Sequence[Clause]) -> Sheet:
    """Return a message with some of its sentences blanked: every place stays."""
    text, entities = said.text, said.entities
    for clause in left_out:
        text = text[: clause.start] + " " * (clause.end - clause.start) + text[clause.end :]
        entities = tuple(one for one in entities if one.end <= clause.start or clause.end <= one.start)
    return replace(said, text=text, entities=entities) if left_out else said


def unread(said: Sheet, claims: Sequence[Claim], vote_on: Voting, catalog: Catalog) -> tuple[Clause, ...]:
    """Return the sentences of a message that ask of another domain than what was read, and were not read.

    Args:
        said: The message.
        claims: What was read in it.
        vote_on: What the words of a part speak for.
        catalog: The installed domains.
    """
    if not claims or {one.ask.form for one in claims} & _READ_ALONE:
        return ()
    known = {"", *(one.ask.domain for one in claims)}
    known |= {catalog.domain_of(one.ask.intent) for one in claims if one.ask.intent in catalog.intents}
    silent = (one for one in _asking(said) if not heard(said, one, claims))
    return tuple(one for one in silent if _domain_of(said.part(one), vote_on, catalog) not in known)


def without_trace(said: Sheet, claims: Sequence[Claim], read: Callable[[Sheet], Sequence[Claim]]) -> tuple[Clause, ...]:
    """Return what a message asks of since when or why that changed nothing in what was read of it.

    Args:
        said: The message.
        claims: What was read in it.
        read: Reads a message.
    """
    match = _OWN_QUESTION.search(said.text)
    if match is None or not claims or {one.ask.form for one in claims} & _READ_ALONE:
        return ()
    group = "asks" if match["asks"] else "asks_ko"
    part = Clause(match[group], match.start(group), match.end(group))
    return (part,) if _meaning(read(_named_alone(said, part))) == _meaning(claims) else ()


_OWN_QUESTION: Final = Pattern(
    r"(?:^|[,.?!]\s|\band\s|\bbut\s)(?P<asks>(?:since when|why|how come)\b[^.?!]{0,60})"
    r"|(?:^|\s)(?P<asks_ko>언제부터[^\s.?!]{0,6}|왜(?=\s|\?*$))",
    re.IGNORECASE,
)
"""A question that nothing else of a message asks: since when, why."""


def _named_alone(said: Sheet, clause: Clause) -> Sheet:
    """Return a message of one of whose parts only the names are left."""
    inside = said.part(clause)
    named = [(one.start, one.end) for one in inside.entities if one.value and one.value != one.words]
    kept = "".join(
        letter if any(start <= at < end for start, end in named) else " " for at, letter in enumerate(clause.text)
    )
    return replace(said, text=said.text[: clause.start] + kept + said.text[clause.end :])


def _meaning(claims: Sequence[Claim]) -> list[tuple[object, ...]]:
    """Return what is asked, whatever the words and their places are."""
    return [
        (
            *(one.ask.answerer, one.ask.form, one.ask.measures, one.ask.count, one.ask.order_by, one.ask.descending),
            *(one.ask.start_date, one.ask.end_date, one.ask.against_date, sorted(one.ask.notes.items())),
            [(it.kind, it.value) for it in one.ask.subjects],
            [(it.role, it.value) for it in one.ask.quantities],
            [(it.field, it.operator, it.value) for it in one.ask.conditions],
        )
        for one in claims
    ]


def told_unread(clauses: Sequence[Clause], claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return sentences as asks that nobody answers, named after those that were read."""
    return tuple(
        Claim(Ask(ask_id=f"q{at}", words=one.text, start=one.start, end=one.end), 1.0)
        for at, one in enumerate(clauses, start=len(claims) + 1)
    )


def _asking(said: Sheet) -> tuple[Clause, ...]:
    """Return the sentences, of several, that have the form of a request, name something, and are not read."""
    sentences = said.clauses if 1 < len(said.clauses) <= ASKS_MAX else ()
    return tuple(one for one in sentences if _asks(said.part(one)) and not _is_read(said.part(one)))


def _asks(part: Sheet) -> bool:
    return bool(part.entities) and _REQUESTS.search(part.text) is not None


def _is_read(part: Sheet) -> bool:
    return any(one.score >= SURE for one in read_asks(part, ()))


def _refused(catalog: Catalog) -> frozenset[str]:
    """Return the intents that are answered by a refusal alone: what nobody here does."""
    return frozenset(
        one.id
        for one in catalog.intents.values()
        if one.answered_at_once and one.reply is not None and not one.welcomes
    )


def _domain_of(part: Sheet, vote_on: Voting, catalog: Catalog) -> str:
    """Return the domain that the words of a sentence speak for; empty for none, and for what anyone says anywhere."""
    intent = _intent_of(part, vote_on, catalog)
    name = catalog.domain_of(intent) if intent else ""
    return "" if name and catalog.domains[name].always else name


def _intent_of(part: Sheet, vote_on: Voting, catalog: Catalog) -> str:
    """Return what the words of a sentence speak for; what it is merely like is nothing: "is that allowed?"."""
    vote = vote_on(part.text)
    return vote.intent if vote is not None and vote.voter == KEYWORD and vote.intent in catalog.intents else ""
