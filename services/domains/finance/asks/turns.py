"""When a series last moved and how often, by its own rows, and when its next value is due: "when did the Fed last cut?"."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from services.contract.asks import Ask, AskForm, Said
from services.domains.finance.asks.drafting import draft, spanned
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, series_of, whole
from services.domains.finance.asks.named import series_named
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, query, rows_of, sentences, where
from services.plugin.entities import Entity

_WHEN: Final = r"언제|몇\s?월|\bwhen\b|\bwhat month\b"
_LAST: Final = r"마지막|최근|가장\s?늦게|\blast\b|\blatest\b|most recent"
_WAYS: Final = (
    (
        "down",
        r"내린|내렸|인하|떨어진|떨어졌|낮춘|낮췄|\b(?:cuts?|lower(?:ed)?|fell|fall|drop(?:ped)?|reduced?|(?:go|went) down)\b",
    ),
    ("up", r"올린|올렸|올랐|오른|인상|높인|높였|\b(?:raised?|hiked?|rose|rise|increased?|(?:go|went) up)\b"),
    ("", r"바뀐|바뀌었|바꾼|바꿨|변경|조정|움직|\b(?:changed?|moved?)\b"),
)
_PAST: Final = r"(?:내|올|바|낮|높)\S{0,2}[렸랐뀌꿨췄혔]|(?:인하|인상|변경|조정)\s?(?:했|됐|되었|한\s?게)|움직였|\bdid\b|\b(?:was|were|has|have)\b"
_DUE: Final = (
    r"(?:결정|회의|금통위|FOMC|발표|공개|나오)\S{0,4}\s?(?:은|는|이|가|일(?:은|이)?|날(?:은|이)?)?\s?(?:언제|며칠|몇\s?월)"
    r"|(?:언제|며칠)\S{0,3}\s?(?:열리|결정|발표|나오|나와|공개)"
    r"|\bwhen(?:'s| is| are| will| do| does)?\b[^?]{0,50}\b(?:meet\w*|decisions?|decide|release[ds]?|publish\w*|announce\w*|come out|due)\b"
)
"""Words that ask on which day a rate is decided or a figure is published."""
_DECIDED: Final = r"결정|회의|금통위|FOMC|\bmeet|\bdeci"
_SET: Final = frozenset({"KR_BASE_RATE", "FEDFUNDS"})
"""Rates that somebody sets: of these "when did it change?" is about the last time."""
_BY_DECISION: Final = frozenset({"KR_BASE_RATE"})
"""Those of which the data holds what was decided; of the other it holds the mean that banks paid in a month."""
_OFTEN: Final = r"몇\s?(?:번|차례)|\bhow (?:many times|often)\b"
_ROWS_MAX: Final = 120


def type_turned(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type when a series last rose, fell or changed."""
    subjects = () if shares or sheet.periods else series_named(sheet, wide=True, economy=True)[:1]
    way = next((way for way, words in _WAYS if sheet.says(words)), None)
    past = bool(subjects and subjects[0].value in _SET) and sheet.says(_PAST)
    asks = sheet.says(_WHEN) and (sheet.says(_LAST) or past)
    if not subjects or way is None or not asks:
        return ()
    return (Claim(draft(sheet, AskForm.FACT, "turned", subjects, notes={"way": way}), 0.96),)


def type_counted(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type how often a rate that somebody sets rose, fell or changed: "올해 몇 번 내렸어?"."""
    subjects = () if shares else series_named(sheet, wide=True, economy=True)[:1]
    way = next((way for way, words in _WAYS if sheet.says(words)), None)
    if not subjects or subjects[0].value not in _SET or way is None or not sheet.says(_OFTEN):
        return ()
    return (Claim(spanned(draft(sheet, AskForm.FACT, "counted", subjects, notes={"way": way}), sheet), 0.96),)


def type_due(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type when the next value of a series is due."""
    subjects = () if shares else series_named(sheet, wide=True, economy=True)[:1]
    if not subjects or not sheet.says(_DUE) or sheet.says(_LAST):
        return ()
    notes = {"decided": "1"} if sheet.says(_DECIDED) else {}
    return (Claim(draft(sheet, AskForm.FACT, "due", subjects, notes=notes), 0.95),)


def _due_calls(ask: Ask) -> Sequence[Call]:
    fields = ("series_id", "date", "value", "next_release_date")
    filters = [where("series_id", one) for one in series_of(ask)]
    return [query("series", fields, mode="rows", filters=filters, order_by="date", limit=1)]


def _due(ask: Ask, found: Found) -> Outcome:
    """Return the day on which the next value is published, and that meetings are not in the data where one is meant."""
    held, subject = Held(ask, found), series_of(ask)[0]
    row = next(iter(rows_of(found.readings, "series")), None)
    if row is None:
        return nothing(ask, held)
    name, due = held.name(subject), row.text("next_release_date")[:10]
    meetings = Said("금리를 정하는 회의 날짜는 자료에 없습니다.", "The days of rate meetings are not in the data.")
    if due < ask.notes["today"]:
        told = filled(
            "{name}의 다음 발표일은 자료에 없습니다.", "The next release of {name} is not in the data.", name=name
        )
    else:
        told = filled(
            "{name}의 다음 발표 예정일은 {day}입니다.",
            "The next release of {name} is due on {day}.",
            name=name,
            day=day_said(due),
        )
    now = filled(
        "지금 값은 {value}입니다({day}).",
        "It is {value} now ({day}).",
        value=held.level_said(subject, _value(row)),
        day=held.day(subject, row),
    )
    return whole(ask, held, sentences(meetings if ask.notes.get("decided") else None, told, now), [])


def _calls(ask: Ask) -> Sequence[Call]:
    fields = ("series_id", "date", "value")
    filters = [where("series_id", one) for one in series_of(ask)]
    return [query("series", fields, mode="rows", filters=filters, order_by="date", limit=_ROWS_MAX)]


def _turned(ask: Ask, found: Found) -> Outcome:
    """Return the last row that differs from the one before it in the way asked about."""
    held, subject, way = Held(ask, found), series_of(ask)[0], ask.notes["way"]
    told = [row for row in rows_of(found.readings, "series") if row.number("value") is not None]
    rows = sorted(told, key=lambda row: row.text("date"), reverse=True)
    if not rows:
        return nothing(ask, held)
    at = last_turn([_value(row) for row in rows], way)
    name, now = held.name(subject), _value(rows[0])
    if at is None:
        sentence = filled(
            "{name:은/는} 자료가 있는 {since} 뒤로 {way} 적이 없습니다. 지금은 {now}입니다({today}).",
            "{name} has not {way} since {since}, where the data begins. It is {now} now ({today}).",
            name=name,
            way=_NEVER[way],
            since=held.day(subject, rows[-1]),
            now=held.level_said(subject, now),
            today=held.day(subject, rows[0]),
        )
        return whole(ask, held, sentence, [])
    row, former = rows[at], rows[at + 1]
    sentence = filled(
        "{name:이/가} 마지막으로 {way} 때는 {when}이고, {before}에서 {after:으로/로} 바뀌었습니다. 지금은 {now}입니다({today}).",
        "{name} last {way} in {when}, from {before} to {after}. It is {now} now ({today}).",
        name=name,
        way=_ONCE[way],
        when=held.day(subject, row),
        before=held.level_said(subject, _value(former)),
        after=held.level_said(subject, _value(row)),
        now=held.level_said(subject, now),
        today=held.day(subject, rows[0]),
    )
    value = _value(row)
    figure = Figure(subject, name, "level", value, held.level_said(subject, value), held.day(subject, row))
    return whole(ask, held, sentence, [figure])


def _counted(ask: Ask, found: Found) -> Outcome:
    """Return how often a rate moved in the months asked about, the newest moves first, and what it is now."""
    held, subject, way = Held(ask, found), series_of(ask)[0], ask.notes["way"]
    told = [row for row in rows_of(found.readings, "series") if row.number("value") is not None]
    rows = sorted(told, key=lambda row: row.text("date"), reverse=True)
    steps = [
        (row, former)
        for row, former in pairwise(rows)
        if row.text("date") > ask.against_date and (not ask.end_date or row.text("date") <= ask.end_date)
    ]
    if not steps:
        return nothing(ask, held)
    name, now = held.name(subject), held.level_said(subject, _value(rows[0]))
    first, last = held.day(subject, steps[-1][0]), held.day(subject, steps[0][0])
    if subject not in _BY_DECISION:
        sentence = filled(
            "{name:이/가} 몇 번 정해졌는지는 자료에 없습니다. 자료에는 월평균만 있고, {before}({since})에서 {after}({last})로 움직였습니다.",
            "How often the {name} was set is not in the data: it has monthly means, which went from {before} ({since}) to {after} ({last}).",
            name=name, before=held.level_said(subject, _value(steps[-1][1])), since=held.day(subject, steps[-1][1]),
            after=held.level_said(subject, _value(steps[0][0])), last=last,
        )  # fmt: skip
        return whole(ask, held, sentence, [])
    moves = [pair for pair in steps if last_turn([_value(one) for one in pair], way) is not None]
    parts = [
        Said(*(f"{held.day(subject, row).of(it)} {held.level_said(subject, _value(former)).of(it)} → {held.level_said(subject, _value(row)).of(it)}" for it in ("ko", "en")))
        for row, former in moves
    ]  # fmt: skip
    sentence = filled(
        "{name:은/는} {first}부터 {last}까지 {count}번 {way}습니다: {parts}. 지금은 {now}입니다({today})."
        if moves
        else "{name:은/는} {first}부터 {last}까지 한 번도 {way}지 않았습니다. 지금은 {now}입니다({today}).",
        "{name} {way} {count:time/times} from {first} to {last}: {parts}. It is {now} now ({today})."
        if moves
        else "{name} has not {way} once from {first} to {last}. It is {now} now ({today}).",
        name=name, way=(_OFTEN_SAID if moves else _NOT_ONCE)[way], count=str(len(moves)), first=first, last=last,
        parts=listed(parts[:4]) if parts else "", now=now, today=held.day(subject, rows[0]),
    )  # fmt: skip
    return whole(ask, held, sentence, [])


_OFTEN_SAID: Final = {"down": Said("내렸", "fell"), "up": Said("올랐", "rose"), "": Said("바뀌었", "changed")}
_NOT_ONCE: Final = {"down": Said("내리", "fallen"), "up": Said("오르", "risen"), "": Said("바뀌", "changed")}
_ONCE: Final = {"down": Said("내린", "fell"), "up": Said("오른", "rose"), "": Said("바뀐", "changed")}
_NEVER: Final = {"down": Said("내린", "fallen"), "up": Said("오른", "risen"), "": Said("바뀐", "changed")}


def _value(row: QueryRow) -> Decimal:
    return row.number("value") or Decimal(0)


def last_turn(values: Sequence[Decimal], way: str) -> int | None:
    """Return the place of the newest value that moved from the one before it; None where none did.

    Args:
        values: The newest first.
        way: "up", "down", or empty for either.
    """
    for at, (value, former) in enumerate(pairwise(values)):
        if value != former and (not way or (value > former) == (way == "up")):
            return at
    return None


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerers, served by the agents that read series."""
    return (
        Answerer("turned", agents, _turned, _calls),
        Answerer("counted", agents, _counted, _calls),
        Answerer("due", agents, _due, _due_calls),
    )
