"""News and events: what the data holds, and nothing beyond it."""

from collections.abc import Mapping, Sequence
from typing import Final

from services.contract.asks import Ask, Ground, Said, Told
from services.contract.flow import Evidence
from services.domains.finance.asks.levels.outcomes import series_of, shares_of
from services.domains.finance.asks.vocabulary import SERIES
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, proof, query, rows_of, sentences, where
from services.text.ko.formal import formal

NEWS_FIELDS: Final = ("news_id", "subject_id", "published_at", "title_ko", "title_en", "body_ko", "body_en")
"""What is read of news."""
EVENT_FIELDS: Final = ("security_id", "name_ko", "name_en", "event_date", "event_kind", "title_ko", "title_en")
"""What is read of events."""
_MADE_UP_KO: Final = "(지어낸 예시 기사)"
_TOLD_MAX: Final = 3


def news_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of news and events of the subjects, the newest up to the last day that is asked about."""
    ids = (*shares_of(ask), *series_of(ask))
    found = []
    for one in ids:
        if ask.notes.get("only") != "events":
            found.append(_newest("news", [where("subject_id", one)], ask, 6))
        if one not in SERIES:
            found.append(_newest("company_events", [where("security_id", one)], ask, 6))
    return found or [_newest("news", _of_class(ask.notes.get("class", "")), ask, _OF_CLASS_MAX)]


def _newest(dataset: str, filters: Sequence[Mapping[str, object]], ask: Ask, limit: int) -> Call:
    fields, day = (NEWS_FIELDS, "published_at") if dataset == "news" else (EVENT_FIELDS, "event_date")
    end = ask.end_date or None
    return query(dataset, fields, mode="rows", filters=filters, order_by=day, limit=limit, end=end)


def _of_class(name: str) -> list[dict[str, object]]:
    if name.startswith("="):
        return [where("subject_id", tuple(name[1:].split(",")), "in")]
    return [where("country", name)] if name in {"KR", "US"} else []


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


_OF_CLASS_MAX: Final = 8
"""How many news of a whole class are read."""
_TOLD_AT_MOST: Final = 3
"""As many as an opening tells."""


def news(ask: Ask, found: Found) -> Outcome:
    """Return the stored news of a share, the newest first; an honest none where there is none."""
    name = (
        listed([Said(one.label, _english(one.value, one.label, found)) for one in ask.subjects])
        if ask.subjects
        else _class_said(ask.notes.get("sector", ""))
    )
    everything = dated_items(found)
    since = [one for one in everything if one[0] >= ask.start_date]
    own = [one for one in since if one[2] == "news"]
    events = [one for one in since if one[2] == "event"]
    items = events if ask.notes.get("only") == "events" else own
    if not items:
        return Outcome(declined(ask, _none_said(ask, name, events, everything)))
    found_in_all, items = len(items), items[: ask.count or len(items)]
    first = listed([with_day(one) for one in items[: max(_TOLD_MAX, min(ask.count, _TOLD_AT_MOST))]])
    is_part = len(items) < found_in_all or any(
        row.total > len(rows_of([one])) for one in found.readings for row in rows_of([one])[:1]
    )
    newest = Said("가장 최근 ", "The newest ") if is_part else Said("", "")
    sentence = filled(
        "{name} 관련 {newest}{what} {count}건입니다. 최신순으로 {first}.",
        "{newest}{count} {what} on {name}, newest first: {first}.",
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


def _none_said(
    ask: Ask,
    name: Said,
    events: Sequence[tuple[str, Said, str, QueryRow]],
    everything: Sequence[tuple[str, Said, str, QueryRow]],
) -> Said:
    """Return that there is none, and what is nearest: an event of the time, else the newest from before it."""
    if ask.notes.get("only") == "events":
        return filled(
            "그 기간 {name}의 기업 소식은 없습니다.",
            "No corporate events of {name} are stored for that time.",
            name=name,
        )
    none = filled(
        "{name}에 대해 저장된 {since}뉴스는 없습니다.",
        "No {recent}news on {name}{since} is stored.",
        name=name,
        since=filled("{day} 이후의 ", " from {day} on", day=day_said(ask.start_date))
        if ask.start_date
        else Said("최근 ", ""),
        recent=Said("", "" if ask.start_date else "recent "),
    )
    if events:
        more = filled(
            "기업 소식으로는 {item:이/가} 있습니다.", "Of company events there is {item}.", item=with_day(events[0])
        )
        return sentences(none, more)
    # None is of the time that is asked about, or it would have been told.
    earlier = [one for one in everything if one[2] == "news"]
    if not earlier:
        return none
    return sentences(none, filled("가장 최근 것은 {item}입니다.", "The newest is {item}.", item=with_day(earlier[0])))


def _class_said(sector: str) -> Said:
    if not sector:
        return Said("시장", "the markets")
    return Said(sector, sector if sector.lower().endswith("s") else f"{sector} companies")


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
