"""News and events: what the data holds, and nothing beyond it."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, Ground, Said, Told
from services.contract.flow import Evidence
from services.domains.finance.asks.levels import series_of, shares_of
from services.domains.finance.asks.vocabulary import SERIES
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    filled,
    listed,
    proof,
    query,
    rows_of,
    sentences,
    where,
)
from services.text.ko.formal import formal

NEWS_FIELDS: Final = ("news_id", "subject_id", "published_at", "title_ko", "title_en", "body_ko", "body_en")
"""What is read of news."""
EVENT_FIELDS: Final = ("security_id", "name_ko", "name_en", "event_date", "event_kind", "title_ko", "title_en")
"""What is read of events."""
_MADE_UP_KO: Final = "(지어낸 예시 기사)"
_TOLD_MAX: Final = 3


def news_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of news and events of the subjects."""
    ids = (*shares_of(ask), *series_of(ask))
    found = []
    for one in ids:
        if ask.notes.get("only") != "events":
            found.append(
                query(
                    "news",
                    NEWS_FIELDS,
                    mode="rows",
                    filters=[where("subject_id", one)],
                    order_by="published_at",
                    limit=6,
                    start=ask.start_date or None,
                )
            )
        if one not in SERIES:
            found.append(
                query(
                    "company_events",
                    EVENT_FIELDS,
                    mode="rows",
                    filters=[where("security_id", one)],
                    order_by="event_date",
                    limit=6,
                    start=ask.start_date or None,
                )
            )
    if not ids:
        found.append(
            query(
                "news",
                NEWS_FIELDS,
                mode="rows",
                filters=[where("country", ask.notes["class"])] if ask.notes.get("class") in {"KR", "US"} else [],
                order_by="published_at",
                limit=8,
                start=ask.start_date or None,
            )
        )
    return found


def dated_items(found: Found, since: str = "", until: str = "") -> list[tuple[str, Said, str, QueryRow]]:
    """Return dated news and events, the newest first: day, title, its kind, its row; what is told twice once."""
    items: dict[tuple[str, str], tuple[str, Said, str, QueryRow]] = {}
    for row in rows_of(found.readings):
        day = (row.text("published_at") or row.text("event_date"))[:10]
        if not day or not row.text("title_ko") or (since and day < since) or (until and day > until):
            continue
        kind = "news" if row.text("published_at") else "event"
        items.setdefault((day, row.text("title_ko")), (day, row.named("title"), kind, row))
    return sorted(items.values(), key=lambda one: one[0], reverse=True)


def _pieces(found: Found) -> tuple[Evidence, ...]:
    titles = {"news": Said("뉴스", "News"), "company_events": Said("기업 소식", "Company events")}
    return tuple(
        proof(one, titles[str(one.arguments["dataset"])], found.asking.locale, "news")
        for one in found.readings
        if one.rows and one.arguments.get("dataset") in titles
    )


_TOLD_AT_MOST: Final = 3
"""As many as an opening tells."""


def news(ask: Ask, found: Found) -> Outcome:
    """Return the stored news of a share, the newest first; an honest none where there is none."""
    name = (
        listed([Said(one.label, _english(one.value, one.label, found)) for one in ask.subjects])
        if ask.subjects
        else Said("시장", "the markets")
    )
    own = [one for one in dated_items(found) if one[2] == "news"]
    events = [one for one in dated_items(found) if one[2] == "event"]
    items = events if ask.notes.get("only") == "events" else own
    if not items:
        sentence = filled(
            "{name}에 대해 저장된 {since}뉴스는 없습니다.",
            "No {recent}news on {name}{since} is stored.",
            name=name,
            since=filled("{day} 이후의 ", " after {day}", day=day_said(ask.start_date))
            if ask.start_date
            else Said("최근 ", ""),
            recent=Said("", "" if ask.start_date else "recent "),
        )
        if ask.notes.get("only") == "events":
            sentence = filled(
                "그 기간 {name}의 기업 소식은 없습니다.",
                "No corporate events of {name} are stored for that time.",
                name=name,
            )
        if events and ask.notes.get("only") != "events":
            sentence = sentences(
                sentence,
                filled(
                    "기업 소식으로는 {item:이/가} 있습니다.",
                    "Of company events there is {item}.",
                    item=with_day(events[0]),
                ),
            )
        return Outcome(declined(ask, sentence))
    found_in_all, items = len(items), items[: ask.count or len(items)]
    first = listed([with_day(one) for one in items[: max(_TOLD_MAX, min(ask.count, _TOLD_AT_MOST))]])
    newest = Said("가장 최근 ", "newest ") if len(items) < found_in_all else Said("", "")
    sentence = filled(
        "{name} 관련 {newest}{what} {count}건입니다. 최신순으로 {first}.",
        "{count} {newest}{what} on {name}, newest first: {first}.",
        name=name,
        newest=newest,
        count=str(len(items)),
        first=first,
        what=Said("소식은", _plural(len(items), "corporate event"))
        if ask.notes.get("only") == "events"
        else Said("뉴스는", _plural(len(items), "news item")),
    )
    pieces = _pieces(found)
    ids = tuple(one.evidence_id for one in pieces)
    grounds = [
        Ground(
            filled("{day}: {title}. {body}", "{day}: {title}. {body}", day=day_said(day), title=title, body=_body(row)),
            ids[:1],
        )
        for day, title, kind, row in items[:4]
        if kind == "news"
    ]
    grounds += [
        Ground(with_day(one), ids[-1:])
        for one in (events[:3] if not ask.count and ask.notes.get("only") != "events" else [])
    ]
    told = tuple(Told("security", one.value, one.label) for one in ask.subjects if one.kind == "security")
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=tuple(grounds), told=told), evidence=pieces)


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _english(value: str, label: str, found: Found) -> str:
    row = next(
        (row for row in rows_of(found.readings) if row.text("security_id") == value and row.text("name_en")), None
    )
    return row.text("name_en") if row is not None else (SERIES[value].name.en if value in SERIES else label)


def with_day(item: tuple[str, Said, str, QueryRow]) -> Said:
    """Return the title of an item with its day."""
    day, title, _, _ = item
    return Said(f"{title.ko}({day_said(day).ko})", f"{title.en} ({day_said(day).en})")


def _body(row: QueryRow) -> Said:
    ko = row.text("body_ko").replace(_MADE_UP_KO, "").strip()
    return Said(
        formal(ko.split(". ")[0].rstrip(".") + "."),
        row.text("body_en").partition("(")[0].strip().split(". ")[0].rstrip(".") + ".",
    )
