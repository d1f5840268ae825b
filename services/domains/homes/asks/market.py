"""What homes cost: levels, comparisons, ranks and changes, computed over all rows of a place."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskedBefore, AskForm, Ground, Said, Told
from services.contract.flow import Evidence, Metric
from services.domains.homes.asks.homes_named import (
    HOME_WORDS,
    KIND_NAMES,
    applied,
    area_condition,
    ask_filters,
    deal_types,
    kind_said,
    place_filters,
    property_type,
)
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.edits import carried, compares, is_fresh, last_of, pointed, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    filled,
    listed,
    month_said,
    percent,
    proof,
    query,
    rows_of,
    sentences,
    won,
)
from services.plugin.entities import Entity
from services.plugin.findings import Reading
from services.plugin.wording import rounded

_INTENT: Final = "MARKET_INQUIRY"
_NOW: Final = ("realty.search", "finance.real_estate")
"""Who tells what homes cost now, the first that is an owner of the route's intent, else the first that is served."""
_OVER_TIME: Final = ("finance.real_estate", "realty.search")
"""Who tells how prices move."""
_RATIO: Final = r"전세가율|전세\s?비율|jeonse[- ](?:to[- ]price )?ratio|jeonse ratio"
_PER_AREA: Final = r"평당|평단가|per pyeong|per (?:square met|m2|㎡|sqm)"
_VOLUME: Final = r"거래량|거래\s?건수|거래가?\s?(?:몇|얼마나)|how many (?:deals|transactions|sales)|transaction volume"
_DISTRICTS: Final = r"(?:어느|무슨|어떤)?\s?(?:구|동네|지역|곳|자치구|시군구)(?:가|는|이|에|야|중|별|$|\s|\?)|어디|districts?|\bgu\b|areas?|neighbou?rhoods?|where"
_NOT_MARKET: Final = (
    r"대출|금리|LTV|DSR|DTI|상환|이자|갱신|계약서|특약|보증보험|확정일자|전입|대항력|중개|복비|수수료|취득세|양도세|세금|법|조문|올려\s?달|인상|전환율|돌려|반환|사기|깡통|위험|안전|등기|적정|비싼\s?(?:편|건|가|지)|싼\s?(?:편|건|가|지)|괜찮|시나리오|전망|보고서|리포트|종합"
    r"|\bloan|mortgage|interest|\blaw\b|legal|landlord|tenant|contract|lease\b|\btax|brokerage|\bfee\b|deposit back|renew|raise the rent|safe\b|risk|yield|수익률|scenario|outlook|report|comprehensive|fair price|overpriced|reasonable"
)
_MEASURE_OF: Final = {
    "sale": ("sale_price",),
    "jeonse": ("jeonse_deposit",),
    "monthly_rent": ("monthly_rent", "rent_deposit"),
}
_NAMES: Final = {
    "sale_price": Said("매매가", "sale price"),
    "jeonse_deposit": Said("전세 보증금", "jeonse deposit"),
    "monthly_rent": Said("월세", "monthly rent"),
    "rent_deposit": Said("월세 보증금", "deposit of a monthly rent"),
    "jeonse_ratio": Said("전세가율", "jeonse ratio"),
    "sale_price_per_m2": Said("평당 매매가(전용면적 기준)", "sale price per pyeong of exclusive area"),
    "jeonse_deposit_per_m2": Said("평당 전세 보증금(전용면적 기준)", "jeonse deposit per pyeong of exclusive area"),
    "deal_count": Said("거래 건수", "number of deals"),
}
_PYEONG: Final = Decimal(400) / Decimal(121)
_PRICES: Final = Said("주택 시세", "Home prices")
_MONTHS: Final = Said("월별 거래", "Deals by month")


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about what homes cost; an elliptic message is completed by the last one."""
    now = _draft(sheet)
    last = None if is_fresh(sheet) else last_of(before, "homes")
    own = sheet.says(HOME_WORDS) and not sheet.says(_NOT_MARKET)
    if own and not sheet.wants(AskForm.ADVICE, AskForm.CAUSE, AskForm.EFFECT) and (now.subjects or _ranks(sheet)):
        return (Claim(_finished(now, sheet), 0.95),)
    if last is not None and last.answerer.startswith("homes.market_") and _edits(sheet, now):
        return (Claim(_edited(now, last, sheet, before), 0.9),)
    return ()


def _draft(sheet: Sheet) -> Ask:
    deals = deal_types(sheet)
    measures: list[str] = [one for deal in deals for one in _MEASURE_OF[deal]]
    if sheet.says(_PER_AREA):
        measures = ["jeonse_deposit_per_m2" if "jeonse" in deals else "sale_price_per_m2"]
    if sheet.says(_VOLUME):
        measures = ["deal_count"]
    if sheet.says(_RATIO):
        measures = [*(one for one in measures if one in {"sale_price", "jeonse_deposit"}), "jeonse_ratio"]
    superlative = sheet.superlative
    kind = property_type(sheet)
    return Ask(
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        intent=_INTENT,
        form=_form(sheet),
        subjects=sheet.of_kind("region"),
        measures=tuple(dict.fromkeys(measures)),
        conditions=area_condition(sheet),
        order_by=(measures or ["sale_price"])[0] if superlative else "",
        descending=superlative.is_most if superlative else False,
        count=_count(sheet),
        notes={"today": sheet.today.isoformat()} | ({"property_type": kind} if kind else {}),
        start_date=sheet.periods[0][0].isoformat() if sheet.periods else "",
        end_date=sheet.periods[0][1].isoformat() if sheet.periods else "",
    )


def _count(sheet: Sheet) -> int:
    found = sheet.find(r"\b(?:top|상위|첫|first)\s?(\d{1,2})|(\d{1,2})\s?(?:곳|개\s?구|군데|위까지)")
    return int(next(filter(None, found.groups()))) if found else 0


def _form(sheet: Sheet) -> AskForm | None:
    if _ranks(sheet):
        return AskForm.RANK
    if sheet.wants(AskForm.COMPARE) and (len(sheet.of_kind("region")) > 1 or compares(sheet)):
        return AskForm.COMPARE
    if sheet.wants(AskForm.CHANGE):
        return AskForm.CHANGE
    return AskForm.LEVEL if sheet.wants(AskForm.LEVEL, AskForm.LIST, AskForm.VERDICT) else None


def _ranks(sheet: Sheet) -> bool:
    return sheet.superlative is not None and sheet.says(_DISTRICTS) and len(sheet.of_kind("region")) < 2


def _edits(sheet: Sheet, now: Ask) -> bool:
    """Tell whether a message leans on the last one: it names a part and no whole, or points to what was told."""
    names = now.subjects or now.measures or now.conditions or "property_type" in now.notes or sheet.periods
    return (bool(names) and short(sheet.text, 9) and not sheet.says(_NOT_MARKET)) or (
        pointed(sheet, (), "region") is not None and short(sheet.text, 9)
    )


def _edited(now: Ask, last: Ask, sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    towards = pointed(sheet, before, "region")
    if towards is not None and towards.told and not now.subjects:
        places = tuple(Entity("region", one.value, one.label) for one in towards.told)
        now = replace(now, subjects=places)
        if towards.how == "set" and len(places) > 1 and sheet.wants(AskForm.COMPARE, AskForm.RANK):
            now = replace(now, form=AskForm.COMPARE)
    joins = compares(sheet) and bool(now.subjects)
    whole = carried(now, last, adds_subjects=joins)
    if joins:
        whole = replace(whole, form=AskForm.COMPARE)
    elif now.subjects and last.form is AskForm.COMPARE and len(now.subjects) == 1:
        whole = replace(whole, form=AskForm.LEVEL)
    elif now.form is None or (
        now.form is AskForm.LEVEL and last.form is AskForm.CHANGE and not sheet.says("지금|현재|now")
    ):
        whole = replace(whole, form=last.form)
    return _finished(whole, sheet)


def _finished(ask: Ask, sheet: Sheet) -> Ask:
    measures = ask.measures or ("sale_price",)
    if ask.form is None:
        ask = replace(ask, form=AskForm.LEVEL)
    if ask.form in {AskForm.CHANGE, AskForm.RANK} and _asks_change(sheet):
        measures = tuple(one for one in measures if one != "rent_deposit")[:1]
        against = _against(ask, sheet)
        answerer = "market_change_rank" if ask.form is AskForm.RANK else "market_change"
        return replace(ask, measures=measures, against_date=against, answerer=answerer)
    named = {AskForm.RANK: "market_rank", AskForm.COMPARE: "market_compare"}
    name = named.get(ask.form or AskForm.LEVEL, "market_level")
    if ask.form is AskForm.LEVEL and ask.start_date and not _is_now(ask, sheet):
        name = "market_past"
    if name == "market_compare":
        measures = measures[:1]
    return replace(ask, measures=measures, answerer=name, order_by=measures[0] if ask.form is AskForm.RANK else "")


def _asks_change(sheet: Sheet) -> bool:
    return sheet.wants(AskForm.CHANGE)


def _is_now(ask: Ask, sheet: Sheet) -> bool:
    return ask.end_date >= sheet.today.isoformat()


def _against(ask: Ask, sheet: Sheet) -> str:
    if ask.start_date:
        return ask.start_date
    return _months_back(sheet.today, 12).isoformat()


def _months_back(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def _place_said(row: QueryRow, place: Entity | None) -> Said:
    dong = place.label.split()[-1] if place is not None and len(place.label.split()) > 2 else ""
    ko = f"{row.text('province_ko')} {row.text('region_ko')}".strip()
    en = ", ".join(filter(None, (row.text("region_en"), row.text("province_en"))))
    return Said(f"{ko} {dong}".strip(), f"{dong}, {en}".strip(", ") if dong else en)


def _level_calls(ask: Ask) -> Sequence[Call]:
    measures = [*ask.measures, "deal_count"]
    by = (
        ("province_ko", "province_en")
        if _is_wide(ask)
        else ("region_code", "region_ko", "region_en", "province_ko", "province_en")
    )
    return [
        query("home_prices", list(dict.fromkeys(measures)), by=by, filters=[*place_filters(place), *ask_filters(ask)])
        for place in ask.subjects[:4]
    ]


def _is_wide(ask: Ask) -> bool:
    return any(len(place.value) == 2 for place in ask.subjects)


def _value(row: QueryRow, measure: str) -> Said | None:
    value = row.number(measure)
    if value is None:
        return None
    if measure == "jeonse_ratio":
        return percent(value)
    if measure == "deal_count":
        return Said(f"{int(value):,}건", f"{int(value):,}")
    return won(value * _PYEONG) if measure.endswith("_per_m2") else won(value)


def _level(ask: Ask, found: Found) -> Outcome:
    """Return the mean of all rows of each place, weighted by deals."""
    told, said, evidence, metrics = [], [], [], []
    for reading, place in _by_place(ask, found):
        rows = rows_of([reading])
        total = _together(rows, ask)
        if total is None:
            continue
        where_said = _place_said(total, place) if len(rows) == 1 else Said(place.label, place.label)
        values = [(name, text) for name in ask.measures if (text := _value(total, name)) is not None]
        if not values:
            continue
        evidence.append(proof(reading, _titled(_PRICES, where_said), found.asking.locale, "market"))
        said.append(_level_said(where_said, kind_said(ask), values, rows))
        told.append(_told(place, where_said, total, ask))
        metrics += _metrics(ask, total, where_said, evidence[-1], found)
    if not said:
        return Outcome(_nothing(ask))
    sentence = sentences(*said)
    ids = tuple(piece.evidence_id for piece in evidence)
    return Outcome(
        answered(ask, sentence, evidence_ids=ids, conditions=applied(ask), told=tuple(told), cautions=_assumed(ask)),
        metrics=tuple(metrics),
        evidence=tuple(evidence),
    )


_KINDS: Final = {
    "sale_price": "homes_price_mean",
    "jeonse_deposit": "homes_deposit_mean",
    "rent_deposit": "homes_deposit_mean",
    "monthly_rent": "homes_rent_mean",
    "jeonse_ratio": "homes_jeonse_ratio",
}


def _metrics(ask: Ask, row: QueryRow, place: Said, piece: Evidence, found: Found) -> list[Metric]:
    """Return the figures of a place as metrics, of the kinds that homes declare."""
    locale = found.asking.locale
    subject = found.asking.subject(f"{place.of(locale)} {kind_said(ask).of(locale)}", piece.evidence_id)
    known = [
        (_KINDS[name], value) for name in ask.measures if name in _KINDS and (value := row.number(name)) is not None
    ]
    return [subject.figure(kind, rounded(value, 2), row.as_of) for kind, value in known]


def _by_place(ask: Ask, found: Found) -> Sequence[tuple[Reading, Entity]]:
    """Return the readings with the places that they are of; a call without rows is not among the readings."""
    pairs = []
    for place in ask.subjects:
        filters = [*place_filters(place), *ask_filters(ask)]
        pairs += [(one, place) for one in found.readings if one.arguments.get("filters") == filters]
    return pairs


def _together(rows: Sequence[QueryRow], ask: Ask) -> QueryRow | None:
    """Return one row for a place; a city of several districts is weighted by their deals."""
    if len(rows) <= 1:
        return rows[0] if rows else None
    fields: dict[str, str | int | float | None] = dict(rows[0].fields)
    for name in ask.measures:
        known = [(value, row.row_count) for row in rows if (value := row.number(name)) is not None]
        weight = sum(count for _, count in known)
        fields[name] = float(sum(value * count for value, count in known) / weight) if weight else None
    return rows[0].model_copy(update={"fields": fields, "row_count": sum(row.row_count for row in rows)})


def _level_said(place: Said, kind: Said, values: Sequence[tuple[str, Said]], rows: Sequence[QueryRow]) -> Said:
    deals = Said(f"{sum(row.row_count for row in rows):,}", f"{sum(row.row_count for row in rows):,}")
    by_name = dict(values)
    if set(by_name) == {"monthly_rent", "rent_deposit"}:
        return filled(
            "{place} {kind} 월세는 평균 {rent}(보증금 {deposit})입니다.",
            "On average {kind} in {place} rent for {rent} a month with a deposit of {deposit}.",
            place=place,
            kind=kind,
            rent=by_name["monthly_rent"],
            deposit=by_name["rent_deposit"],
        )
    parts = listed([Said(f"{_NAMES[name].ko} {text.ko}", f"{_NAMES[name].en} {text.en}") for name, text in values])
    return filled(
        "{place} {kind}의 평균 {parts}입니다(거래 {deals}건 기준)."
        if len(values) == 1
        else "{place} {kind}의 {parts}입니다(거래 {deals}건 가중평균).",
        "{kind_up} in {place}: {parts} on average, over {deals} deals.",
        place=place,
        kind=kind,
        kind_up=Said(kind.ko, kind.en[:1].upper() + kind.en[1:]),
        parts=parts,
        deals=deals,
    )


def _told(place: Entity, said: Said, row: QueryRow, ask: Ask) -> Told:
    figures = {name: f"{value:f}" for name in ask.measures if (value := row.number(name)) is not None}
    return Told("region", place.value, place.label or said.ko, figures)


def _titled(title: Said, place: Said) -> Said:
    return Said(f"{place.ko} {title.ko}", f"{title.en} of {place.en}")


def _assumed(ask: Ask) -> tuple[Said, ...]:
    words = next((one.words for one in ask.conditions if one.field == "area_m2" and "평" in one.words), "")
    if not words:
        return ()
    return (
        Said(
            f"{words}은 공급면적으로 보고, 자료에 있는 전용면적은 그 75%로 잡았습니다.",
            f"{words.replace('평', ' pyeong')} was taken as supply area, of which 75 % is exclusive area as in the data.",
        ),
    )


def _nothing(ask: Ask) -> AskAnswer:
    place = (
        listed([Said(one.label or one.words, one.label or one.words) for one in ask.subjects])
        if ask.subjects
        else Said("", "")
    )
    sentence = filled(
        "{place} {kind}의 해당 자료가 없어 답할 수 없습니다.",
        "There is no data on {kind} in {place}, so I cannot tell.",
        place=place,
        kind=kind_said(ask),
    )
    return declined(ask, sentence)


def _compare(ask: Ask, found: Found) -> Outcome:
    """Return which place is dearer or cheaper, and by how much."""
    measure = ask.measures[0]
    rows = [
        (place, total, reading)
        for reading, place in _by_place(ask, found)
        if (total := _together(rows_of([reading]), ask)) is not None and total.number(measure) is not None
    ]
    if len(rows) < 2:
        return _level(replace(ask, form=AskForm.LEVEL), found)
    ordered = sorted(rows, key=lambda one: one[1].number(measure) or Decimal(0))
    low, high = ordered[0], ordered[-1]
    small, large = low[1].number(measure) or Decimal(0), high[1].number(measure) or Decimal(0)
    names = [_place_said(one[1], one[0]) for one in (low, high)]
    gap = percent(large - small) if measure == "jeonse_ratio" else won(large - small)
    share = percent((large - small) / small * 100)
    sentence = filled(
        "{low:이/가} 더 쌉니다. {kind} 평균 {measure}: {low} {lv}, {high} {hv}로 차이는 {gap}({share})입니다.",
        "{low} is cheaper: on average the {measure} of {kind} is {lv} in {low} and {hv} in {high}, a difference of {gap} ({share}).",
        low=names[0],
        high=names[1],
        kind=kind_said(ask),
        measure=_NAMES[measure],
        lv=_value(low[1], measure) or "",
        hv=_value(high[1], measure) or "",
        gap=gap,
        share=share,
    )
    evidence = tuple(
        proof(one[2], _titled(_PRICES, _place_said(one[1], one[0])), found.asking.locale, "market") for one in rows
    )
    told = tuple(_told(place, _place_said(row, place), row, ask) for place, row, _ in ordered)
    more = (
        [
            Ground(
                filled(
                    "{place}: {value}",
                    "{place}: {value}",
                    place=_place_said(row, place),
                    value=_value(row, measure) or "",
                )
            )
            for place, row, _ in ordered
        ]
        if len(rows) > 2
        else []
    )
    return Outcome(
        answered(
            ask,
            sentence,
            evidence_ids=tuple(one.evidence_id for one in evidence),
            conditions=applied(ask),
            told=told,
            grounds=tuple(more),
        ),
        evidence=evidence,
    )


def _rank_calls(ask: Ask) -> Sequence[Call]:
    place = ask.subjects[0] if ask.subjects else None
    filters = [*(place_filters(place) if place is not None else []), *ask_filters(ask)]
    by = ("region_code", "region_ko", "region_en", "province_ko", "province_en")
    return [
        query(
            "home_prices",
            list(dict.fromkeys([*ask.measures, "deal_count"])),
            by=by,
            filters=filters,
            order_by=ask.measures[0],
            descending=ask.descending,
            limit=10,
            minimum=5,
        )
    ]


def _rank(ask: Ask, found: Found) -> Outcome:
    """Return the first places of a class by a measure."""
    rows = [row for row in rows_of(found.readings) if row.number(ask.measures[0]) is not None]
    if not rows:
        return Outcome(_nothing(ask))
    measure, count = ask.measures[0], ask.count or 3
    lines = [(row, _place_said(row, None), _value(row, measure) or Said("", "")) for row in rows[:10]]
    first = lines[0]
    way = Said("높은" if ask.descending else "낮은", "highest" if ask.descending else "lowest")
    rest = listed(
        [Said(f"{name.ko} {value.ko}", f"{name.en} {value.en}") for _, name, value in lines[1 : max(count, 3)]]
    )
    sentence = filled(
        "{kind} 평균 {measure:이/가} 가장 {way} 곳은 {place}({value})이고, 다음은 {rest}입니다(모두 {total}곳).",
        "{place} has the {way} {measure} of {kind}, {value}; then come {rest} (of {total} places).",
        kind=kind_said(ask),
        measure=_NAMES[measure],
        way=way,
        place=first[1],
        value=first[2],
        rest=rest,
        total=str(rows[0].total),
    )
    piece = proof(found.readings[0], _PRICES, found.asking.locale, "market")
    told = tuple(
        Told("region", row.text("region_code"), name.ko, {measure: f"{row.number(measure):f}"})
        for row, name, _ in lines
    )
    grounds = tuple(
        Ground(Said(f"{at}위 {name.ko} {value.ko}", f"{at}. {name.en} {value.en}"), (piece.evidence_id,))
        for at, (_, name, value) in enumerate(lines, start=1)
    )
    return Outcome(
        answered(ask, sentence, evidence_ids=(piece.evidence_id,), conditions=applied(ask), told=told, grounds=grounds),
        evidence=(piece,),
    )


_OF_MONTHS: Final = {
    "sale_price": ("sale", "mean_price"),
    "jeonse_deposit": ("jeonse", "mean_price"),
    "monthly_rent": ("monthly_rent", "mean_monthly_rent"),
    "deal_count": ("", "deal_count"),
    "jeonse_ratio": ("", "jeonse_ratio"),
}


def _month_filters(ask: Ask, place: Entity | None) -> list[dict[str, object]]:
    deal, _ = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    found = place_filters(replace(place, label="", attributes={})) if place is not None else []
    kind = ask.notes.get("property_type")
    found += [{"field": "property_type", "op": "eq", "value": kind}] if kind else []
    return found + ([{"field": "deal_type", "op": "eq", "value": deal}] if deal else [])


def _change_calls(ask: Ask) -> Sequence[Call]:
    _, measure = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    calls = []
    for place in ask.subjects[:2]:
        start = date.fromisoformat(ask.against_date)
        calls.append(
            query(
                "home_months",
                [measure, "deal_count"],
                by=("month",),
                filters=_month_filters(ask, place),
                start=_months_back(start, 2),
                order_by="month",
                descending=False,
                limit=60,
            )
        )
    return calls


def _change(ask: Ask, found: Found) -> Outcome:
    """Return the difference between the newest month and the month asked, with both figures."""
    _, measure = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    said, pieces, grounds = [], [], []
    for reading, place in zip(found.readings, ask.subjects, strict=False):
        rows = [row for row in rows_of([reading]) if row.number(measure) is not None]
        if len(rows) < 2:
            continue
        now = rows[-1]
        then = _month_of(rows, ask, now)
        before, after = then.number(measure) or Decimal(1), now.number(measure) or Decimal(0)
        change = (after - before) / before * 100
        name = Said(place.label, place.label)
        piece = proof(reading, _titled(_MONTHS, name), found.asking.locale, "trend")
        pieces.append(piece)
        said.append(
            filled(
                "{place} {kind} 평균 {measure:은/는} {then} {bv}에서 {now} {av}로 {share} {way}.",
                "The average {measure} of {kind} in {place} {way} {share}, from {bv} in {then} to {av} in {now}.",
                place=name,
                kind=KIND_NAMES[ask.notes.get("property_type", "")],
                measure=_NAMES[ask.measures[0]],
                then=month_said(then.text("month")),
                now=month_said(now.text("month")),
                bv=_month_value(before, measure),
                av=_month_value(after, measure),
                share=percent(abs(change)),
                way=_way(change),
            )
        )
        grounds += _path(rows, measure, piece.evidence_id)
    if not said:
        return Outcome(_nothing(ask))
    ids = tuple(piece.evidence_id for piece in pieces)
    return Outcome(
        answered(ask, sentences(*said), evidence_ids=ids, grounds=tuple(grounds[:6])), evidence=tuple(pieces)
    )


def _way(change: Decimal) -> Said:
    if change == 0:
        return Said("그대로입니다", "did not change,")
    return Said("올랐습니다" if change > 0 else "내렸습니다", "rose" if change > 0 else "fell")


def _month_value(value: Decimal, measure: str) -> Said:
    if measure == "deal_count":
        return Said(f"{int(value):,}건", f"{int(value):,}")
    return percent(value) if measure == "jeonse_ratio" else won(value)


def _month_of(rows: Sequence[QueryRow], ask: Ask, now: QueryRow) -> QueryRow:
    """Return the month that is compared with: of a span back from today as many months before the newest one."""
    wanted = date.fromisoformat(ask.against_date)
    newest = date.fromisoformat(now.text("month")[:10])
    today_like = ask.notes.get("today", "")
    if today_like:
        gap = (
            (date.fromisoformat(today_like).year - wanted.year) * 12
            + date.fromisoformat(today_like).month
            - wanted.month
        )
        wanted = _months_back(newest, gap)
    earlier = [row for row in rows[:-1] if row.text("month")[:7] <= wanted.isoformat()[:7]]
    return earlier[-1] if earlier else rows[0]


def _path(rows: Sequence[QueryRow], measure: str, evidence_id: str) -> list[Ground]:
    kept = rows[-6:]
    return [
        Ground(
            filled(
                "{month} {value}",
                "{month}: {value}",
                month=month_said(row.text("month")),
                value=_month_value(row.number(measure) or Decimal(0), measure),
            ),
            (evidence_id,),
        )
        for row in kept
    ]


def _change_rank_calls(ask: Ask) -> Sequence[Call]:
    _, measure = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    place = ask.subjects[0] if ask.subjects else None
    filters = _month_filters(ask, place)
    by = ("region_code", "region_ko", "region_en", "province_ko", "province_en", "month")[:4]
    today = date.fromisoformat(ask.notes["today"])
    newest = _months_back(today, 1)
    gap = (today.year - int(ask.against_date[:4])) * 12 + today.month - int(ask.against_date[5:7])
    return [
        query("home_months", [measure], by=by, filters=filters, at=newest, limit=120),
        query("home_months", [measure], by=by, filters=filters, at=_months_back(newest, gap), limit=120),
    ]


def _change_rank(ask: Ask, found: Found) -> Outcome:
    """Return the places that rose or fell most between two months."""
    if len(found.readings) < 2:
        return Outcome(_nothing(ask))
    _, measure = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    now, then = (
        {row.text("region_code"): row for row in rows_of([one]) if row.number(measure) is not None}
        for one in found.readings[:2]
    )
    moved = sorted(
        (
            (
                (row.number(measure) or Decimal(0)) / (then[code].number(measure) or Decimal(1)) * 100 - 100,
                row,
                then[code],
            )
            for code, row in now.items()
            if code in then
        ),
        key=lambda one: one[0],
        reverse=ask.descending,
    )
    if not moved:
        return Outcome(_nothing(ask))
    change, row, old = moved[0]
    rest = listed(
        [
            Said(
                f"{_place_said(r, None).ko} {percent(c, signed=True).ko}",
                f"{_place_said(r, None).en} {percent(c, signed=True).en}",
            )
            for c, r, _ in moved[1:3]
        ]
    )
    sentence = filled(
        "가장 많이 {way} 곳은 {place}입니다: {kind} 평균 {measure} {bv} → {av}, {share}. 다음은 {rest}입니다.",
        "{place} {way} most: the average {measure} of {kind} went from {bv} to {av}, {share}; then come {rest}.",
        way=Said("오른", "rose") if ask.descending else Said("내린", "fell"),
        place=_place_said(row, None),
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        measure=_NAMES[ask.measures[0]],
        bv=_month_value(old.number(measure) or Decimal(0), measure),
        av=_month_value(row.number(measure) or Decimal(0), measure),
        share=percent(change, signed=True),
        rest=rest,
    )
    pieces = tuple(proof(one, _MONTHS, found.asking.locale, "trend") for one in found.readings[:2])
    told = tuple(
        Told("region", r.text("region_code"), _place_said(r, None).ko, {ask.measures[0]: f"{r.number(measure):f}"})
        for _, r, _ in moved[:10]
    )
    grounds = tuple(
        Ground(
            Said(
                f"{at}위 {_place_said(r, None).ko} {percent(c, signed=True).ko}",
                f"{at}. {_place_said(r, None).en} {percent(c, signed=True).en}",
            ),
            (pieces[0].evidence_id,),
        )
        for at, (c, r, _) in enumerate(moved[:10], start=1)
    )
    ids = tuple(piece.evidence_id for piece in pieces)
    return Outcome(answered(ask, sentence, evidence_ids=ids, told=told, grounds=grounds), evidence=pieces)


def _past_calls(ask: Ask) -> Sequence[Call]:
    _, measure = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    place = ask.subjects[0] if ask.subjects else None
    start, end = date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date)
    filters = _month_filters(ask, place)
    return [
        query("home_months", [measure, "deal_count"], filters=filters, start=start.replace(day=1), end=end),
        query("home_months", ["first_month", "last_month"], filters=filters),
    ]


def _past(ask: Ask, found: Found) -> Outcome:
    """Return the mean of a past period; where the data does not reach back so far it says from when it does."""
    _, measure = _OF_MONTHS.get(ask.measures[0], ("sale", "mean_price"))
    place = Said(ask.subjects[0].label, ask.subjects[0].label) if ask.subjects else Said("", "")
    span = next((row for row in rows_of(found.readings) if row.text("first_month")), None)
    row = next((one for one in rows_of(found.readings) if one.number(measure) is not None), None)
    when = _span_said(ask)
    if row is None or not row.number("deal_count"):
        if span is None:
            return Outcome(_nothing(ask))
        sentence = filled(
            "{when} 자료는 없어 답할 수 없습니다. 자료는 {first}부터 {last}까지 있습니다.",
            "There is no data for {when}, so I cannot tell; the data runs from {first} to {last}.",
            when=when,
            first=month_said(span.text("first_month")),
            last=month_said(span.text("last_month")),
        )
        return Outcome(declined(ask, sentence))
    sentence = filled(
        "{when} {place} {kind} 평균 {measure:은/는} {value}입니다(거래 {deals}건).",
        "In {when} the average {measure} of {kind} in {place} was {value}, over {deals} deals.",
        when=when,
        place=place,
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        measure=_NAMES[ask.measures[0]],
        value=_month_value(row.number(measure) or Decimal(0), measure),
        deals=f"{int(row.number('deal_count') or 0):,}",
    )
    piece = proof(found.readings[0], _titled(_MONTHS, place), found.asking.locale, "trend")
    return Outcome(answered(ask, sentence, evidence_ids=(piece.evidence_id,)), evidence=(piece,))


def _span_said(ask: Ask) -> Said:
    start, end = date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date)
    if (start.month, start.day, end.month, end.day) == (1, 1, 12, 31) and start.year == end.year:
        return Said(f"{start.year}년", str(start.year))
    if (start.year, start.month) == (end.year, end.month):
        return month_said(start)
    return Said(f"{day_said(start).ko}~{day_said(end).ko}", f"{day_said(start).en} to {day_said(end).en}")


ANSWERERS: Final = (
    Answerer("market_level", _NOW, _level, _level_calls),
    Answerer("market_compare", _NOW, _compare, _level_calls),
    Answerer("market_rank", _NOW, _rank, _rank_calls),
    Answerer("market_change", _OVER_TIME, _change, _change_calls),
    Answerer("market_change_rank", _OVER_TIME, _change_rank, _change_rank_calls),
    Answerer("market_past", _OVER_TIME, _past, _past_calls),
)
