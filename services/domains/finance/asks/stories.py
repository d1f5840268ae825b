"""News and events, why something moved, whether to buy: what the data holds, and nothing beyond it."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Ground, Said, Told
from services.contract.flow import Evidence
from services.domains.finance.asks.figures import Figure, Held, is_rate, quarter_said, series_calls, share_calls
from services.domains.finance.asks.levels import change_said, nothing, series_of, shares_of, whole
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    filled,
    listed,
    percent,
    proof,
    query,
    rows_of,
    sentences,
    where,
)
from services.text.ko.formal import formal

_NEWS_FIELDS: Final = ("news_id", "subject_id", "published_at", "title_ko", "title_en", "body_ko", "body_en")
_EVENT_FIELDS: Final = ("security_id", "name_ko", "name_en", "event_date", "event_kind", "title_ko", "title_en")
_MADE_UP_KO: Final = "(지어낸 예시 기사)"
_TOLD_MAX: Final = 3
OWN_DECISION: Final = Said(
    "사거나 파는 결정은 본인의 몫이며, 특정 매매를 권하지는 않습니다.",
    "Whether to trade is your own decision; I cannot tell you to buy or sell.",
)


def news_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of news and events of the subjects."""
    ids = (*shares_of(ask), *series_of(ask))
    found = []
    for one in ids:
        if ask.notes.get("only") != "events":
            found.append(
                query(
                    "news",
                    _NEWS_FIELDS,
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
                    _EVENT_FIELDS,
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
                _NEWS_FIELDS,
                mode="rows",
                filters=[where("country", ask.notes["class"])] if ask.notes.get("class") in {"KR", "US"} else [],
                order_by="published_at",
                limit=8,
                start=ask.start_date or None,
            )
        )
    return found


def _items(found: Found, since: str = "", until: str = "") -> list[tuple[str, Said, str, QueryRow]]:
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


def news(ask: Ask, found: Found) -> Outcome:
    """Return the stored news of a share, the newest first; an honest none where there is none."""
    name = (
        listed([Said(one.label, _english(one.value, one.label, found)) for one in ask.subjects])
        if ask.subjects
        else Said("시장", "the markets")
    )
    own = [one for one in _items(found) if one[2] == "news"]
    events = [one for one in _items(found) if one[2] == "event"]
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
                    item=_told(events[0]),
                ),
            )
        return Outcome(declined(ask, sentence))
    first = listed([_told(one) for one in items[:_TOLD_MAX]])
    sentence = filled(
        "{name} 관련 {what} {count}건입니다. 최신순으로 {first}.",
        "{count} {what} on {name}, newest first: {first}.",
        name=name,
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
    grounds += [Ground(_told(one), ids[-1:]) for one in (events[:3] if ask.notes.get("only") != "events" else [])]
    told = tuple(Told("security", one.value, one.label) for one in ask.subjects if one.kind == "security")
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=tuple(grounds), told=told), evidence=pieces)


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _english(value: str, label: str, found: Found) -> str:
    row = next(
        (row for row in rows_of(found.readings) if row.text("security_id") == value and row.text("name_en")), None
    )
    return row.text("name_en") if row is not None else (SERIES[value].name.en if value in SERIES else label)


def _told(item: tuple[str, Said, str, QueryRow]) -> Said:
    day, title, _, _ = item
    return Said(f"{title.ko}({day_said(day).ko})", f"{title.en} ({day_said(day).en})")


def _body(row: QueryRow) -> Said:
    ko = row.text("body_ko").replace(_MADE_UP_KO, "").strip()
    return Said(
        formal(ko.split(". ")[0].rstrip(".") + "."),
        row.text("body_en").partition("(")[0].strip().split(". ")[0].rstrip(".") + ".",
    )


# Causes


def cause_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a cause: the move itself, then news and events of its time."""
    calls = share_calls(ask, ("return",)) if shares_of(ask) else []
    calls += series_calls(series_of(ask), ask)
    for one in (*shares_of(ask), *series_of(ask))[:2]:
        calls.append(
            query(
                "news", _NEWS_FIELDS, mode="rows", filters=[where("subject_id", one)], order_by="published_at", limit=6
            )
        )
        if one not in SERIES:
            calls.append(
                query(
                    "company_events",
                    _EVENT_FIELDS,
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
    items = _items(found, since, until)
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
    coincided = [_told(one) for one in items[:3]]
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
    grounds = [Ground(_told(one), ids[-1:]) for one in items[2:6]] + _earlier(found, items, ids)
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
        Ground(filled("그보다 앞선 소식: {item}", "Earlier: {item}", item=_told(one)), ids[-1:])
        for one in _items(found)[:2]
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


# Advice


def advice_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of what speaks for and against: price, valuation, trend, results, news."""
    shares = shares_of(ask)[:2]
    calls = []
    if shares:
        calls += share_calls(ask, ("price", "return", "per", "surprise"))
        calls += [
            query(
                "news",
                _NEWS_FIELDS,
                mode="rows",
                filters=[where("subject_id", shares[0])],
                order_by="published_at",
                limit=2,
            )
        ]
    for one in series_of(ask)[:1]:
        calls += series_calls((one,), ask)
        calls.append(
            query(
                "series",
                ("highest", "lowest"),
                by=("series_id",),
                filters=[where("series_id", one)],
                start=ask.against_date or None,
            )
        )
    return calls


def advice(ask: Ask, found: Found) -> Outcome:
    """Return price, valuation and trend, what speaks for and against, and whose decision it is; no directive."""
    held = Held(ask, found)
    if shares_of(ask):
        return _of_share(ask, found, held)
    if series_of(ask):
        return _of_series(ask, found, held)
    sentence = Said(
        "특정 종목을 골라 추천하지는 않습니다. 어떤 종목을 살지는 본인의 판단과 결정에 달려 있고, 대신 수익률, PER, 배당수익률 같은 기준을 정해 주시면 종목들의 순위와 근거를 보여 드립니다.",
        "I do not pick a share for you: which one to buy is your own decision. Name a measure, such as return, P/E or dividend yield, and I can rank the shares by it.",
    )
    steps = (
        Said(
            "‘올해 수익률이 높은 국내 종목’처럼 기준을 정해 물어보세요.",
            "Ask by a measure, for example “top US shares by return this year”.",
        ),
    )
    return Outcome(declined(ask, sentence, next_steps=steps))


def _of_share(ask: Ask, found: Found, held: Held) -> Outcome:
    subject = shares_of(ask)[0]
    price, moved, value, result = (held.share(name, subject) for name in ("price", "return", "per", "surprise"))
    if price is None:
        return nothing(ask, held)
    parts = [Said(f"종가 {price.said.ko}({price.when.ko})", f"close {price.said.en} ({price.when.en})")]
    parts += [Said(f"PER {value.said.ko}", f"P/E {value.said.en}")] if value is not None else []
    parts += (
        [Said(f"{moved.when.ko} 수익률 {moved.said.ko}", f"return {moved.when.en} {moved.said.en}")]
        if moved is not None
        else []
    )
    sentence = filled(
        "{name:을/를} 살지 팔지는 정해 드릴 수 없고 본인이 판단하실 일입니다. 참고할 수치는 {parts}입니다.",
        "I cannot tell you whether to buy or sell {name}; that is your own decision. What there is to weigh: {parts}.",
        name=price.name, parts=listed(parts),
    )  # fmt: skip
    grounds = [*_sides(moved, value, result), Ground(_cases(price))]
    items = _items(found)
    grounds += [Ground(filled("최근 소식: {item}", "Latest news: {item}", item=_told(items[0])))] if items else []
    figures = [one for one in (price, moved, value, result) if one is not None]
    return whole(ask, held, sentence, figures, grounds=grounds, cautions=(OWN_DECISION,))


def _sides(moved: Figure | None, value: Figure | None, result: Figure | None) -> list[Ground]:
    plus: list[Said] = []
    minus: list[Said] = []
    if moved is not None:
        (plus if moved.value > 0 else minus).append(
            Said(f"{moved.when.ko} 수익률 {moved.said.ko}", f"return {moved.when.en} of {moved.said.en}")
        )
    if result is not None:
        (plus if result.value > 0 else minus).append(
            Said(
                f"{result.when.ko} 실적이 예상 대비 {result.said.ko}",
                f"{result.when.en} earnings {result.said.en} against expectations",
            )
        )
    if value is not None:
        (minus if value.value > 25 or value.value < 0 else plus).append(
            Said(f"PER {value.said.ko}", f"P/E of {value.said.en}")
        )
    found = []
    if plus:
        found.append(Ground(filled("긍정적인 근거: {parts}", "For it: {parts}", parts=listed(plus))))
    if minus:
        found.append(Ground(filled("부담되는 근거: {parts}", "Against it: {parts}", parts=listed(minus))))
    return found


def _cases(price: Figure) -> Said:
    return Said(
        "세 가지 경우: 오르는 경우에는 수익이, 횡보하는 경우에는 기다리는 비용이, 내리는 경우에는 손실이 생깁니다. 어느 쪽일지는 이 자료로 알 수 없습니다.",
        f"Three cases: a rise from {price.said.en} brings a gain, a flat price the cost of waiting, a fall a loss; the data does not tell which it will be.",
    )


def _of_series(ask: Ask, found: Found, held: Held) -> Outcome:
    one = series_of(ask)[0]
    figure, moved = held.level(one), held.change(one)
    if figure is None:
        return nothing(ask, held)
    span = next((row for row in rows_of(found.readings) if row.number("highest") is not None), None)
    parts = [Said(f"{figure.when.ko} {figure.said.ko}", f"{figure.said.en} on {figure.when.en}")]
    if moved is not None:
        parts.append(Said(f"{moved.when.ko} {moved.said.ko}", f"{moved.said.en} {moved.when.en}"))
    sentence = filled(
        "지금이 좋은 때인지는 정해 드릴 수 없고 본인이 판단하실 일입니다. {name:은/는} {parts}입니다.",
        "Whether now is a good time I cannot tell you; that is your own decision. The {name}: {parts}.",
        name=figure.name, parts=listed(parts),
    )  # fmt: skip
    grounds = []
    if span is not None:
        low, high = span.number("lowest") or Decimal(0), span.number("highest") or Decimal(0)
        grounds.append(
            Ground(
                filled(
                    "최근 1년 최저 {low}, 최고 {high}",
                    "Over the past year: low {low}, high {high}",
                    low=held.level_said(one, low),
                    high=held.level_said(one, high),
                )
            )
        )
    return whole(ask, held, sentence, [figure], grounds=grounds, cautions=(OWN_DECISION,))


# Days of results


def report_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the day of the last results."""
    return share_calls(ask, ("surprise",))


def report(ask: Ask, found: Found) -> Outcome:
    """Return the day of the last announced results; the next day is in no data."""
    held = Held(ask, found)
    lines = []
    for one in shares_of(ask):
        rows = held.earned(one)
        if rows:
            lines.append(
                filled(
                    "{name}의 최근 실적 발표일은 {day}입니다({quarter} 실적).",
                    "{name} last reported on {day} ({quarter}).",
                    name=held.name(one),
                    day=day_said(rows[0].text("event_date")),
                    quarter=quarter_said(rows[0].text("fiscal_period")),
                )
            )
    if not lines:
        return nothing(ask, held)
    if ask.notes.get("next") == "true":
        lines.insert(0, Said("다음 실적 발표일은 자료에 없습니다.", "The day of the next results is not in the data."))
    return whole(ask, held, sentences(*lines), ())


__all__ = ["BY_ID", "is_rate", "report", "report_calls"]
