"""Support programmes that fit a person: age, income, assets, home price, homes owned, marriage, children."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.asks import Ask, AskAnswer, AskedBefore, AskForm, AskVerdict, Ground, Said, Told
from services.domains.realty.asks.proved import SEARCH, done, given_line, inputs_of, money, number_of, unclear
from services.domains.realty.asks.sums import drafted
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, asking_back, declined, ruled
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, filled, listed, percent, proof, query, rows_of, where

_KRW: Final = ("krw",)
_AGE: Final = Role(
    "age",
    ("age",),
    before=r"\bi'?m\s(?:a\s)?$|\bi am\s$|\baged?\s|만\s?$|나이(?:는|가)?|(?:^|\s)(?:저는|나는|제가|전|올해)\s?$",
    behind=r"(?:살|세)?(?:인데|이고|이에요|예요|입니다|이라|이며|인\s)",
    bare=True,
)
_INCOME: Final = Role(
    "income_year",
    _KRW,
    before=r"연\s?소득|연봉|소득|급여|월급|연?\s?수입(?:은|이|도)?|벌이(?:는|가)?|부부\s?합산|합산|합쳐(?:서)?|\bincomes?\b(?:\sof)?|salary|\bearn(?:ing|s)?|\bmak(?:e|ing)\b",
    behind=r"(?:원)?(?:을|을\s)?\s?(?:벌|소득|버는)|(?:won\s)?(?:of\s|in\s)?(?:(?:joint|combined|household|family|yearly|annual|total|gross)\s){0,2}(?:income|salary)|(?:won\s)?a year",
    bare=True,
)
_ASSETS: Final = Role(
    "assets",
    _KRW,
    before=r"(?:순)?자산(?:은|이)?|재산(?:은|이)?|\bassets(?:\sof)?",
    behind=r"(?:won\s)?(?:in\s)?assets",
    bare=True,
)
_PRICE: Final = Role(
    "price",
    _KRW,
    before=r"집값|매매가?|전세(?:금|가|로|는)?|보증금|\bjeonse(?:\sof)?|(?:home|house|flat|apartment|place)\s(?:for|worth|of|at|costing)|costs?|deposit(?:\sof)?|worth",
    behind=r"(?:원)?(?:짜리|의|에)?\s?(?:집|아파트|빌라|전세|주택|매매|월세)|짜리|(?:won\s)?(?:home|house|flat|apartment|jeonse|place)|(?:구하|알아보)",
    bare=True,
)
_MARRIED: Final = Role(
    "married",
    ("years", "months"),
    before=r"혼인(?:신고)?|결혼(?:한\s?지)?|married",
    behind=r"(?:됐|되|차|전|ago|since)",
)
_CHILDREN: Final = Role(
    "children",
    ("count",),
    before=r"자녀|아이|애가?",
    behind=r"(?:의\s)?(?:자녀|아이|애|kids?|children|child)",
    bare=True,
)
SUPPORT: Final = Topic(
    "support_programmes",
    "LOAN_CONSULT",
    (_AGE, _INCOME, _ASSETS, _CHILDREN, _MARRIED, _PRICE),
    {"krw": "price", "years": "married", "age": "age", "count": "children"},
)
_WORDS: Final = r"지원(?!\s?금\s?지급|하는\s?은행)|정책|버팀목?|디딤돌?|보금자리|나라에서|정부|청년\s?(?:전세|월세|주택)|혜택|\bsupport\b|programmes?|programs?|subsid|government help|benefits?\b"
_ABOUT: Final = (
    r"집|주택|전세|월세|보증금|임차|아파트|청년|신혼|무주택|생애|home|house|rent|jeonse|apartment|flat|studio"
)
_FAVOURED: Final = r"신혼|청년|생애\s?최초|newly ?wed|\byouth\b|young people|first[- ]time buyer"
"""Whom programmes are for; their loans are programmes."""
_PURPOSES: Final = (
    ("jeonse", r"전세|jeonse"),
    ("rent", r"월세|\brents?\b|renting|studio|monthly"),
    ("buy", r"매매|사려|사는|살\s?때|구입|내\s?집|집\s?(?:을\s)?사|분양|디딤|\bbuy(?:ing)?\b|purchase|mortgage"),
)
_FACTS: Final = (
    (
        "homeless",
        r"무주택|집이?\s?없|no home|own no|homeless|(?:don['’]?t|do not|never|not|n['’]t) (?:\w+ )?own(?:ed)?\b|without a home|first home",
    ),
    (
        "owner",
        r"(?<!무)(?:1|2|일|이)주택자|집이?\s?(?:한\s?채\s?)?있|유주택|(?:own|have) (?:a|one|two) (?:home|house|flat)",
    ),
    (
        "newlywed",
        r"신혼|혼인|결혼|newly ?wed|(?:just|recently|got) married|married (?:last|this|in|since|for|a|one|two|three|four|five|six)\b",
    ),
    ("first", r"생애\s?최초|처음\s?(?:집|내\s?집)|first[- ](?:time|home)"),
)
_COUNTS: Final = {
    "하나": 1,
    "한": 1,
    "둘": 2,
    "두": 2,
    "셋": 3,
    "세": 3,
    "넷": 4,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
}
_CHILDREN_SAID: Final = (
    r"(?:자녀|아이|애|애기)(?:가|는)?\s?(?P<ko>하나|한|둘|두|셋|세|넷|[1-9])"
    r"|(?P<en>one|two|three|four|[1-9])\s(?:kids?|children|child)|(?P<before>한|두|세|[1-9])\s?(?:명의?\s?)?(?:자녀|아이)"
)
FIELDS: Final = (
    *("programme_id", "name_ko", "name_en", "age_min", "age_max", "income_max_krw", "assets_max_krw"),
    *("home_price_max_krw", "children_min", "limit_krw", "rate_percent", "valid_from", "valid_until"),
    *("homeless_only", "first_home_only", "newlywed_only"),
)
"""What is read of a programme."""
_NEWLYWED_YEARS: Final = 7
_NAMED_MAX: Final = 4
"""How many programmes are named that may fit."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for support that fits a person."""
    del before
    favoured = sheet.says(r"대출|\bloans?\b") and sheet.says(_FAVOURED) and not sheet.numbers
    if not ((favoured or sheet.says(_WORDS)) and sheet.says(_ABOUT)) or sheet.says(
        r"영향|집값이|금리\s?정책|통화\s?정책|monetary"
    ):
        return ()
    return claimed(sheet)


def claimed(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for support, of a question that is known to be one."""
    ask = drafted(sheet, SUPPORT, _form(sheet), **_notes(sheet))
    if not any(one.role for one in ask.quantities) and not {"homeless", "newlywed", "youth"} & ask.notes.keys():
        return ()
    return (Claim(ask, 0.96),)


def _form(sheet: Sheet) -> AskForm:
    if sheet.wants(AskForm.RECOMMEND) or sheet.says(r"맞는|맞아|suits?"):
        return AskForm.RECOMMEND
    return AskForm.LIST


def _notes(sheet: Sheet) -> dict[str, str]:
    notes = {name: "1" for name, words in _FACTS if sheet.says(words)}
    if "homeless" in notes:
        # "I don't own a home" says "own a home".
        notes.pop("owner", None)
    purpose = next((name for name, words in _PURPOSES if sheet.says(words)), "")
    if not purpose and any(one.unit == "krw" for one in sheet.numbers) and sheet.says(r"집|home|place|house"):
        purpose = "buy" if sheet.says(r"짜리|place|house|worth|costs?") else ""
    if purpose == "rent" and sheet.says(r"\bbuy|사려"):
        purpose = "buy"
    if sheet.says(r"청년|youth|young"):
        notes["youth"] = "1"
    if (match := re.search(_CHILDREN_SAID, sheet.text, re.IGNORECASE)) is not None:
        word = next(filter(None, match.groups())).lower()
        notes["children"] = str(_COUNTS.get(word) or int(word))
    return {**notes, "purpose": purpose}


def _calls(ask: Ask) -> Sequence[Call]:
    purpose = ask.notes.get("purpose", "")
    filters = [where("purpose", purpose)] if purpose else []
    return [query("programmes", FIELDS, mode="rows", filters=filters, order_by="programme_id", limit=30)]


def _answer(ask: Ask, found: Found) -> Outcome:
    """Return the programmes that fit, with what they give; of a named one whether it fits, and why not."""
    if (
        back := unclear(replace(ask, quantities=tuple(one for one in ask.quantities if one.unit in {"krw", ""})))
    ) is not None:
        return back
    rows = rows_of(found.readings, "programmes")
    if not rows:
        return Outcome(declined(ask, Said("지원 제도 자료가 없습니다.", "There is no data on support programmes.")))
    today = found.asking.now.astimezone(ZoneInfo(found.asking.time_zone)).date()
    judged = [(row, tuple(_bars(row, ask, today)), tuple(_unknown(row, ask))) for row in rows]
    piece = proof(found.readings[0], Said("정책 지원", "Support programmes"), found.asking.locale, "programme")
    named = [one for one in judged if _is_named(one[0], ask.words)]
    answer = _of_named(ask, named[0]) if len(named) == 1 else _fitting(ask, judged)
    return done(replace(answer, inputs=inputs_of(ask)), piece)


def _of_named(ask: Ask, judged: tuple[QueryRow, tuple[Said, ...], tuple[Said, ...]]) -> AskAnswer:
    row, bars, unknown = judged
    if bars:
        sentence = filled(
            "아니요, {name:은/는} 받을 수 없습니다: {why}.",
            "No, {name} does not fit: {why}.",
            name=name_of(row),
            why=listed(bars),
        )
        return ruled(replace(ask, form=AskForm.VERDICT), AskVerdict.NO, sentence, grounds=_lines(ask, [row]))
    if unknown:
        sentence = filled(
            "{name:은/는} {what:을/를} 알아야 판단할 수 있습니다. 알려 주세요.",
            "To tell whether {name} fits I need to know: {what}.",
            name=name_of(row),
            what=listed(unknown),
        )
        return replace(asking_back(ask, sentence, *unknown), grounds=_lines(ask, [row]))
    sentence = filled(
        "네, 말씀하신 조건이면 {name:을/를} 받을 수 있습니다({gives}).",
        "Yes, by what you say {name} fits ({gives}).",
        name=name_of(row),
        gives=gives(row),
    )
    return ruled(
        replace(ask, form=AskForm.VERDICT),
        AskVerdict.YES,
        sentence,
        grounds=_lines(ask, [row]),
        cautions=(*_homeless_assumed(ask, [row]), _ASSETS_SAID),
    )


_ASSETS_SAID: Final = Said(
    "자산 한도와 심사 조건은 따로 확인해야 합니다.", "Limits of assets and the review have to be checked separately."
)


def _homeless_assumed(ask: Ask, rows: Sequence[QueryRow]) -> tuple[Said, ...]:
    """Return that a person was taken for one without a home, where programmes need that and nothing was said of it."""
    told = {"homeless", "owner", "first"} & ask.notes.keys()
    if told or not any(row.number("homeless_only") for row in rows):
        return ()
    return (Said("무주택자로 보았습니다. 집이 있으면 받을 수 없습니다.", "It is assumed that you own no home."),)


def _fitting(ask: Ask, judged: Sequence[tuple[QueryRow, tuple[Said, ...], tuple[Said, ...]]]) -> AskAnswer:
    fits = [row for row, bars, unknown in judged if not bars and not unknown]
    maybe = [(row, unknown) for row, bars, unknown in judged if not bars and unknown]
    if fits:
        best = sorted(
            fits, key=lambda row: (row.number("rate_percent") or Decimal(99), -(row.number("limit_krw") or 0))
        )
        first = listed(
            [filled("{name}({gives})", "{name} ({gives})", name=name_of(row), gives=gives(row)) for row in best[:3]]
        )
        sentence = filled(
            "말씀하신 조건에 맞는 지원은 {count}건입니다: {first}.",
            "{count} fit what you say: {first}.",
            count=str(len(best)),
            first=first,
        )
        told = tuple(Told("programme", row.text("programme_id"), name_of(row).ko) for row in best)
        cautions = (*_homeless_assumed(ask, best), _ASSETS_SAID)
        return answered(ask, sentence, grounds=_lines(ask, best), told=told, cautions=cautions)
    if maybe:
        missing = tuple(dict.fromkeys(one for _, unknown in maybe for one in unknown))
        rows = [row for row, _ in maybe]
        sentence = filled(
            "받을 수 있을 만한 지원은 {names}입니다. {what:을/를} 알려 주시면 맞는지 봐 드립니다.",
            "What may fit: {names}. Please tell me {what}, so that I can tell which does.",
            names=listed([name_of(row) for row in rows[:_NAMED_MAX]]),
            what=listed(missing),
        )
        return replace(asking_back(ask, sentence, *missing), grounds=_lines(ask, rows[:_NAMED_MAX]))
    why = tuple(
        Ground(filled("{name}: {why}", "{name}: {why}", name=name_of(row), why=listed(bars)))
        for row, bars, _ in judged[:6]
    )
    sentence = Said("말씀하신 조건에 맞는 지원은 없습니다.", "None of the programmes fits what you say.")
    return answered(ask, sentence, grounds=why)


def _bars(row: QueryRow, ask: Ask, today: date) -> Iterator[Said]:
    """Yield what keeps a person from a programme."""
    if not (row.text("valid_from")[:10] <= today.isoformat() <= row.text("valid_until")[:10]):
        yield Said("신청 기간이 아닙니다", "it is not open now")
    age = number_of(ask, "age")
    low, high = row.number("age_min"), row.number("age_max")
    if age is not None and ((low is not None and age < low) or (high is not None and age > high)):
        yield Said(f"나이가 {_span(low, high)}세여야 합니다", f"the age has to be {_span(low, high)}")
    for role, field, ko, en in _LIMITS:
        most, value = row.number(field), number_of(ask, role)
        if most is not None and value is not None and value > most:
            yield filled(f"{ko} {{most}} 이하여야 합니다", f"{en} may be {{most}} at most", most=money(most))
    if row.number("homeless_only") and ask.notes.get("owner"):
        yield Said("무주택자만 받을 수 있습니다", "only for those who own no home")
    if row.number("newlywed_only") and not _is_newlywed(ask):
        yield Said("신혼부부만 받을 수 있습니다", "only for newlyweds")
    if (least := row.number("children_min")) and Decimal(ask.notes.get("children", "0")) < least:
        yield Said(f"자녀가 {int(least)}명 이상이어야 합니다", f"{int(least)} children or more are needed")


_LIMITS: Final = (
    ("income_year", "income_max_krw", "연소득이", "the yearly income"),
    ("assets", "assets_max_krw", "자산이", "the assets"),
    ("price", "home_price_max_krw", "집값이나 보증금이", "the price or deposit"),
)


def _span(low: Decimal | None, high: Decimal | None) -> str:
    return f"{int(low or 0)}~{int(high or 0)}"


def _is_newlywed(ask: Ask) -> bool:
    years = next((one for one in ask.quantities if one.role == "married"), None)
    too_long = years is not None and years.unit == "years" and Decimal(years.value) > _NEWLYWED_YEARS
    return bool(ask.notes.get("newlywed")) and not too_long


def _unknown(row: QueryRow, ask: Ask) -> Iterator[Said]:
    """Yield what has to be known before a programme can be said to fit."""
    if row.number("age_max") is not None and number_of(ask, "age") is None:
        yield Said("나이", "your age")
    if row.number("income_max_krw") is not None and number_of(ask, "income_year") is None:
        yield Said("연소득", "your yearly income")
    if row.number("first_home_only") and not ask.notes.get("first"):
        yield Said("생애 최초 구입인지", "whether it is your first home")


def _is_named(row: QueryRow, words: str) -> bool:
    ko = row.text("name_ko").partition("(")[0].split()
    en = row.text("name_en").partition("(")[0].lower().split()
    flat = words.replace(" ", "")
    return "".join(ko[:2]) in flat or " ".join(en[:3]) in words.lower()


def name_of(row: QueryRow) -> Said:
    """Return what a programme is called."""
    return Said(row.text("name_ko").partition("(")[0], row.text("name_en").partition(" (")[0])


def fits_not(row: QueryRow, ask: Ask, found: Found) -> Said | None:
    """Return why a programme does not fit by the sums and the age that a question gives; None where they fit, or none are."""
    if not any(one.role for one in ask.quantities):
        return None
    today = found.asking.now.astimezone(ZoneInfo(found.asking.time_zone)).date()
    # Of marriage and children nothing was said that speaks against it.
    silent = replace(ask, notes={**ask.notes, "newlywed": "1", "children": str(_CHILDREN_MANY)})
    if not (bars := tuple(_bars(row, silent, today))):
        return None
    return filled(
        "말씀하신 조건으로는 받을 수 없습니다: {why}.", "By what you say it does not fit: {why}.", why=listed(bars)
    )


_CHILDREN_MANY: Final = 9


def gives(row: QueryRow) -> Said:
    """Return the limit and the rate of a programme."""
    limit, rate = row.number("limit_krw") or Decimal(0), row.number("rate_percent")
    if rate is None:
        return filled("최대 {limit}", "up to {limit}", limit=money(limit))
    return filled("최대 {limit}, 연 {rate}", "up to {limit} at {rate}", limit=money(limit), rate=percent(rate, 2))


def _lines(ask: Ask, rows: Sequence[QueryRow]) -> tuple[Ground, ...]:
    given = given_line(ask)
    return (*(() if given is None else (Ground(given),)), *(Ground(line_of(row)) for row in rows[:6]))


def line_of(row: QueryRow) -> Said:
    """Return the conditions of a programme in a line."""
    parts = []
    if row.number("age_max") is not None:
        span = _span(row.number("age_min"), row.number("age_max"))
        parts.append(Said(f"{span}세", f"aged {span}"))
    for _, field, ko, en in _LIMITS:
        if (most := row.number(field)) is not None:
            parts.append(filled(f"{ko} {{most}} 이하", f"{en} up to {{most}}", most=money(most)))
    if row.number("homeless_only"):
        parts.append(Said("무주택", "no home owned"))
    return filled("{name}: {parts}", "{name}: {parts}", name=name_of(row), parts=listed(parts))


ANSWERERS: Final = (Answerer(SUPPORT.answerer, SEARCH, _answer, _calls),)
