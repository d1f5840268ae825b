"""What every answer on markets ends in: what it was told of, what proves it, and that the data lacks it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from services.contract.asks import Ask, AskVerdict, Said, Told
from services.domains.finance.asks.calls import begins_long_ago
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import span_said
from services.plugin.asks.answering import Outcome, answered, declined, ruled
from services.plugin.asks.telling import day_said, filled, listed


def series_of(ask: Ask) -> tuple[str, ...]:
    """Return the series that an ask is about."""
    return tuple(one.value for one in ask.subjects if one.kind == "series")


def shares_of(ask: Ask) -> tuple[str, ...]:
    """Return the shares that an ask is about."""
    return tuple(one.value for one in ask.subjects if one.kind == "security")


def told_of(figures: Sequence[Figure], kind: str = "security") -> tuple[Told, ...]:
    """Return what was told of, for messages that point to it."""
    found: dict[str, dict[str, str]] = {}
    labels = {one.subject: one.name.ko for one in figures}
    for one in figures:
        found.setdefault(one.subject, {})[one.measure] = f"{one.value:f}"
    return tuple(Told("series" if key in SERIES else kind, key, labels[key], value) for key, value in found.items())


def whole(ask: Ask, held: Held, sentence: Said, figures: Sequence[Figure], **more: object) -> Outcome:
    """Return an answered ask with all that its rows prove."""
    pieces = held.evidence()
    ids = tuple(one.evidence_id for one in pieces)
    grounds = tuple(replace(one, evidence_ids=ids[:1]) for one in more.pop("grounds", ()))  # type: ignore[attr-defined]
    verdict = more.pop("verdict", None)
    parts = {"evidence_ids": ids, "told": told_of(figures), "grounds": grounds, **more}
    made = (
        ruled(ask, verdict, sentence, **parts) if isinstance(verdict, AskVerdict) else answered(ask, sentence, **parts)
    )
    return Outcome(made, evidence=pieces)


_BEGUN: Final = frozenset({"week", "month", "ytd"})
"""Times that begin before anything is traded in them."""


def nothing(ask: Ask, held: Held) -> Outcome:
    """Return that the data lacks what is asked, with the days that it covers where a day is asked."""
    subjects = [*shares_of(ask), *series_of(ask)]
    name = listed([held.name(one) for one in subjects]) if subjects else Said("종목들", "these shares")
    span = held.span_of_data(series_of(ask)[0] if series_of(ask) else "")
    asked = ask.start_date or (ask.against_date if begins_long_ago(ask) else "")
    when = Said(f"{asked[:4]}년 {int(asked[5:7])}월", f"{date.fromisoformat(asked):%B %Y}") if asked else None
    days = [row.text("date")[:10] for one in subjects or held.ids() if (row := held.price(one)) is not None]
    if days and not ask.end_date and ask.notes.get("span") in _BEGUN and max(days) <= ask.against_date:
        sentence = filled(
            "{when}에는 아직 거래된 날이 없어 {name}의 변화를 말씀드릴 수 없습니다. 자료의 마지막 날은 {last}입니다.",
            "There has been no trading day {when} yet, so I cannot tell how {name} moved; the data ends on {last}.",
            name=name, when=span_said(ask), last=day_said(max(days)),
        )  # fmt: skip
    elif span and (ask.end_date or begins_long_ago(ask)):
        sentence = filled(
            "{name}의 {when} 자료는 없어 답할 수 없습니다. 자료는 {first}부터 {last}까지 있습니다.",
            "There is no data on {name} for {when}, so I cannot tell; the data runs from {first} to {last}.",
            name=name, when=when or Said("그때", "that day"), first=day_said(span[0]), last=day_said(span[1]),
        )  # fmt: skip
    else:
        what = (
            listed([BY_ID[one].label for one in ask.measures if one in BY_ID])
            if ask.measures
            else Said("수치", "figures")
        )
        sentence = filled(
            "{name}의 {what} 자료가 없어 답할 수 없습니다.",
            "There is no data on the {what} of {name}, so I cannot tell.",
            name=name,
            what=what,
        )
    return Outcome(declined(ask, sentence))
