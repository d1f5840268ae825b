"""Why something moved: the paths of the graph, events and reports around it."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from services.contract.asks import Ask, Ground, Said, Told
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.changes import change_said
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of
from services.domains.finance.asks.stories import EVENT_FIELDS, NEWS_FIELDS, dated_items, with_day
from services.domains.finance.asks.vocabulary import SERIES
from services.domains.finance.asks.wording import quarter_said
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.telling import day_said, filled, listed, percent, query, rows_of, sentences, where
from services.text.ko.formal import formal

# Causes


def cause_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a cause: the move itself, then news and events of its time."""
    calls = share_calls(ask, ("return",)) if shares_of(ask) else []
    calls += series_calls(series_of(ask), ask)
    for one in (*shares_of(ask), *series_of(ask))[:2]:
        calls.append(
            query(
                "news", NEWS_FIELDS, mode="rows", filters=[where("subject_id", one)], order_by="published_at", limit=6
            )
        )
        if one not in SERIES:
            calls.append(
                query(
                    "company_events",
                    EVENT_FIELDS,
                    mode="rows",
                    filters=[where("security_id", one)],
                    order_by="event_date",
                    limit=6,
                )
            )
            calls.append(
                query(
                    "earnings",
                    ("security_id", "event_date", "fiscal_period", "surprise_percent"),
                    mode="rows",
                    filters=[where("security_id", one)],
                    order_by="event_date",
                    limit=2,
                )
            )
    calls.append(_paths(series_of(ask)[0] if series_of(ask) else shares_of(ask)[0]))
    return calls[:12]


def _paths(subject: str) -> Call:
    target = {"series_ids": [subject], "toward": "causes"} if subject in SERIES else {"ticker": subject}
    return Call("graph_paths", {**target, "steps_max": 1, "limit": 20})


def cause(ask: Ask, found: Found) -> Outcome:
    """Return whether the premise holds, then what coincided; nothing is called the cause."""
    held = Held(ask, found)
    figures = [figure for one in (*shares_of(ask), *series_of(ask)) if (figure := held.change(one)) is not None]
    if not figures:
        return nothing(ask, held)
    wanted = ask.notes.get("way", "")
    holds = [one for one in figures if not wanted or (one.value > 0) == (wanted == "up")]
    since, until = _window(ask, held, figures[0])
    items = dated_items(found, since, until)
    pieces = (*held.evidence(),)
    ids = tuple(one.evidence_id for one in pieces)
    moved = listed([_move(one) for one in figures])
    told = (
        *(
            Told(
                "series" if one.subject in SERIES else "security",
                one.subject,
                one.name.ko,
                {"return": f"{one.value:f}"},
            )
            for one in figures
        ),
    )
    if not holds:
        denied = (
            Said("내리지 않았습니다", "did not fall") if wanted == "down" else Said("오르지 않았습니다", "did not rise")
        )
        if len(figures) > 1:
            denied = Said(denied.ko, f"neither {denied.en.removeprefix('did not ')}")
        names = listed([one.name for one in figures], conjunction=(", ", " and "))
        english = (
            f"{names.en} {denied.en}"
            if len(figures) == 1
            else f"Neither of {names.en} {'fell' if wanted == 'down' else 'rose'}"
        )
        sentence = Said(f"질문과 달리 {names.ko}의 값은 {denied.ko}: {moved.ko}.", f"{english}: {moved.en}.")
        return Outcome(answered(ask, sentence, evidence_ids=ids, told=told), evidence=pieces)
    coincided = [with_day(one) for one in items[:3]]
    tail = (
        filled(
            "같은 시기에 {items:이/가} 있었지만, 이것이 원인인지는 자료로 확인되지 않습니다.",
            "At that time there was {items}, but the data cannot confirm it as the reason.",
            items=listed(coincided[:2]),
        )
        if coincided
        else Said(
            "이 시기와 겹치는 뉴스나 사건이 자료에 없어, 원인은 확인되지 않습니다.",
            "The data holds no news or event of that time, so the reason cannot be confirmed.",
        )
    )
    sentence = sentences(None if "beside" in ask.notes else Said(f"{moved.ko}.", f"{moved.en}."), tail)
    grounds = [Ground(with_day(one), ids[-1:]) for one in items[2:6]] + _earlier(found, items, ids)
    grounds += _reported(found, ids) + _known_paths(found, ids)
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=tuple(grounds[:6]), told=told), evidence=pieces)


def _window(ask: Ask, held: Held, figure: Figure) -> tuple[str, str]:
    """Return the days within which news coincide with a move: of one day the week before it."""
    ends = held.ends(figure.subject)
    if ends is None:
        return "", ""
    start, end = ends[0].text("date")[:10], ends[1].text("date")[:10]
    if ask.notes.get("span") == "day":
        start = (date.fromisoformat(end) - timedelta(days=7)).isoformat()
    if figure.subject in SERIES and not SERIES[figure.subject].daily:
        end = (date.fromisoformat(end) + timedelta(days=31)).isoformat()
    return start, (date.fromisoformat(end) + timedelta(days=1)).isoformat()


def _move(figure: Figure) -> Said:
    text = change_said(figure)
    return Said(text.ko.rstrip("."), text.en.rstrip("."))


def _earlier(found: Found, items: Sequence[object], ids: tuple[str, ...]) -> list[Ground]:
    """Return the news before the time of a move where none coincided, told as earlier."""
    if items:
        return []
    return [
        Ground(filled("그보다 앞선 소식: {item}", "Earlier: {item}", item=with_day(one)), ids[-1:])
        for one in dated_items(found)[:2]
    ]


def _reported(found: Found, ids: tuple[str, ...]) -> list[Ground]:
    lines = []
    for row in rows_of(found.readings, "earnings")[:1]:
        surprise = row.number("surprise_percent") or Decimal(0)
        lines.append(
            Ground(
                filled(
                    "최근 실적 발표: {day} {quarter}, 예상 대비 {size}",
                    "Latest results: {quarter} on {day}, {size} against expectations",
                    day=day_said(row.text("event_date")),
                    quarter=quarter_said(row.text("fiscal_period")),
                    size=percent(surprise, 2, signed=True),
                ),
                ids[-1:],
            )
        )
    return lines


def _known_paths(found: Found, ids: tuple[str, ...]) -> list[Ground]:
    lines = []
    for reading in found.of_tool("graph_paths"):
        for row in reading.rows[:2]:
            step = row.document["steps"][0]
            lines.append(
                Ground(
                    Said(f"알려진 경로: {formal(step['evidence_ko'])}", f"Known path: {step['evidence_en']}"), ids[:1]
                )
            )
    return lines
