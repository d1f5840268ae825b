"""Support programmes by their names: two held against each other by rate, limit and conditions, or one described.

People call them by parts of their names: "디딤돌", "보금자리론", "버팀목"; which of the rows is meant is told by its own name.
One that the data does not hold is told so by the name that was said, with the nearest by name where there is one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said, Told
from services.domains.realty.asks import supports
from services.domains.realty.asks.proved import SEARCH, done, money
from services.domains.realty.asks.supports import FIELDS, fits_not, gives, line_of, name_of
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, filled, listed, percent, points, proof, query, rows_of, sentences

_SEVERAL: Final = 2
_CALLED: Final = {
    "디딤": r"디딤|first home support|\bdidimdol\b",
    "보금": r"보금|newlywed home support|\bbogeumjari\b",
    "다자녀": r"다자녀\s?(?:내\s?집|지원|대출)|family home support",
    "청년 버팀": r"청년\s?버팀|버팀목?[^.?]{0,4}청년|youth jeonse support",
    "일반 버팀": r"일반\s?버팀|버팀[^.?]{0,16}일반|general jeonse support",
    "청년 월세": r"청년\s?월세|youth rent support",
}
"""How programmes are called, by the parts of their names in the data."""
_COMPARES: Final = r"중에?|차이|비교|보다|(?<![가-힣])대(?![가-힣출])|랑|와\s|과\s|하고|다른|\bvs\b|versus|\bor\b|than|between|differ|compare"


_NOT_HELD: Final = (
    r"신생아(?:\s?특례)?(?:\s?(?:주택\s?)?(?:구입|전세)?\s?(?:자금\s?)?대출)?|newborn(?: special)?(?: (?:home|jeonse))?(?: loans?)?"
    r"|특례\s?(?:보금자리론?|대출)|적격\s?대출|안심\s?전환\s?대출|중기청(?:\s?대출)?|중소기업\s?(?:취업\s?)?청년[^.?]{0,14}대출|햇살론|새출발기금"
    r"|청년\s?주택\s?드림(?:\s?대출)?|수익\s?공유형\s?(?:모기지|대출)|주거\s?안정\s?월세\s?대출|신혼\s?희망\s?타운[^.?]{0,4}(?:모기지|대출)"
)
"""Programmes of the state that people know by name and the data has nothing of; a fact of the country, not of questions."""
_KNOWN: Final = (
    ("디딤", r"(?:내\s?집\s?마련\s?)?디딤돌\s?(?:주택\s?)?(?:구입\s?(?:자금\s?)?)?(?:대출)?|didimdol(?: loans?)?"),
    (
        "디딤",
        r"생애\s?최초\s?(?:자\s?|주택\s?|내\s?집\s?)*(?:구입\s?)?(?:자금\s?)?(?:대출|주담대|지원)|first[- ](?:time|home)(?: home)?(?: buyers?['’]?s?)? (?:loans?|mortgages?|programme|program)",
    ),
    ("보금", r"보금자리\s?론?(?:\s?대출)?|bogeumjari(?:[- ]?(?:ron|loans?))?"),
    ("청년 버팀", r"청년\s?(?:전용\s?)?버팀목\s?(?:전세\s?)?(?:자금\s?)?(?:대출)?"),
    ("일반 버팀", r"버팀목\s?(?:전세\s?)?(?:자금\s?)?(?:대출)?|beotimmok(?: (?:jeonse )?loans?)?"),
)
"""Names that people know, by the part of the name of the row that is nearest to each."""
_DESCRIBED: Final = (
    r"조건|자격|한도|금리|이자|소득|기준|대상|얼마|몇|뭐|뭔|무엇|어떤|어떻게|알려|설명|궁금|요건|서류"
    r"|condition|eligib|limit|rate|income|require|how (?:much|does)|what|tell me|explain|qualif"
)
"""Asks what a programme is and gives, and of no sum beside it."""
_SUM_OF_A_HOME: Final = r"갚|상환|매달|월\s?(?:얼마|납)|a month|repay"


def _named(sheet: Sheet) -> Claim | None:
    """Return the ask what a programme that is named gives; None where none is, or a sum of a home is to be reckoned."""
    found = ((part, match) for part, words in (("", _NOT_HELD), *_KNOWN) if (match := sheet.find(words)) is not None)
    part, match = next(found, ("", None))
    sums = [one for one in sheet.numbers if one.unit in {"percent", "years"}]
    if match is None or sums or not sheet.says(_DESCRIBED) or sheet.says(_SUM_OF_A_HOME):
        return None
    facts = supports.claimed(sheet) if part else ()
    if facts and sheet.wants(AskForm.VERDICT):
        return None
    notes = {**(facts[0].ask.notes if facts else {}), "programmes": part, "said": match.group().strip()}
    quantities = facts[0].ask.quantities if facts else ()
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.FACT, intent="LOAN_CONSULT", quantities=quantities)
    return Claim(replace(ask, notes=notes, answerer="programme_named"), CERTAIN, is_whole=True)


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask that holds programmes against each other, or what one that is named gives; nothing where none is."""
    named = [name for name, words in _CALLED.items() if sheet.says(words)]
    if len(named) < _SEVERAL or not sheet.says(_COMPARES) or sheet.numbers:
        one = _named(sheet)
        return () if one is None else (one,)
    notes = {"programmes": ",".join(named[:_SEVERAL])}
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.COMPARE, intent="LOAN_CONSULT", notes=notes)
    return (Claim(replace(ask, answerer="programmes_compared"), CERTAIN, is_whole=True),)


def _calls(ask: Ask) -> Sequence[Call]:
    del ask
    return [query("programmes", FIELDS, mode="rows", order_by="programme_id", limit=30)]


def _answer(ask: Ask, found: Found) -> Outcome:
    rows = list(_meant(ask, found))
    if len(rows) < _SEVERAL:
        return Outcome(declined(ask, _NOT_BOTH))
    piece = proof(found.readings[0], Said("정책 지원", "Support programmes"), found.asking.locale, "programme")
    parts = [part for part in (_by_rate(rows), _by_limit(rows)) if part is not None]
    told = tuple(Told("programme", row.text("programme_id"), name_of(row).ko) for row in rows)
    sentence = filled("{parts}.", "{parts}.", parts=listed(parts)) if len(parts) == 1 else _joined(parts)
    lines = tuple(Ground(line_of(row), (piece.evidence_id,)) for row in rows)
    return done(answered(ask, sentence, grounds=lines, told=told, cautions=(_WHO,)), piece)


def _one(ask: Ask, found: Found) -> Outcome:
    """Return that a programme of the name that was said is not in the data, and what the nearest by name gives."""
    said, rows = ask.notes["said"], tuple(_meant(ask, found)) if ask.notes["programmes"] else ()
    if not rows:
        held = listed([name_of(row) for row in rows_of(found.readings, "programmes")][:_LISTED_MAX])
        sentence = filled(
            "자료에 ‘{said}’ 지원이 없어 조건과 금리, 한도를 말씀드릴 수 없습니다.",
            "“{said}” is not in the data, so I cannot tell its conditions, rate or limit.",
            said=said,
        )
        more = filled("자료에 있는 지원: {held}", "Programmes in the data: {held}", held=held)
        return Outcome(declined(ask, sentence, grounds=(Ground(more), Ground(_WHERE))))
    piece = proof(found.readings[0], Said("정책 지원", "Support programmes"), found.asking.locale, "programme")
    sentence = filled(
        "‘{said}’ 이름의 지원은 자료에 없고, 가장 가까운 것은 {name}({gives})입니다.",
        "The data has no programme called “{said}”; the nearest is {name} ({gives}).",
        said=said,
        name=name_of(rows[0]),
        gives=gives(rows[0]),
    )
    told = (Told("programme", rows[0].text("programme_id"), name_of(rows[0]).ko),)
    barred = fits_not(rows[0], ask, found)
    answer = answered(
        ask,
        sentences(sentence, barred),
        grounds=(Ground(line_of(rows[0]), (piece.evidence_id,)),),
        told=told,
        cautions=(_WHO, _WHERE),
    )
    return done(answer, piece)


_LISTED_MAX: Final = 7
_WHERE: Final = Said(
    "실제 제도의 조건은 주택도시기금과 한국주택금융공사에서 확인하세요.",
    "Check the real programme with the Housing and Urban Fund or the Korea Housing Finance Corporation.",
)


def _joined(parts: Sequence[Said]) -> Said:
    return Said(", ".join(one.ko for one in parts) + "입니다.", "; ".join(one.en for one in parts) + ".")


def _meant(ask: Ask, found: Found) -> Iterator[QueryRow]:
    """Yield the row of each name that a question says."""
    rows = rows_of(found.readings, "programmes")
    for name in ask.notes["programmes"].split(","):
        row = next((row for row in rows if all(part in row.text("name_ko") for part in name.split())), None)
        if row is not None:
            yield row


def _by_rate(rows: Sequence[QueryRow]) -> Said | None:
    rated = sorted(
        ((row.number("rate_percent"), row) for row in rows if row.number("rate_percent") is not None), key=_key
    )
    if len(rated) < _SEVERAL:
        return None
    (low, first), (high, other) = rated[0], rated[-1]
    return filled(
        "금리는 {first} 연 {low:이/가} {other} 연 {high}보다 {gap} 낮고",
        "{first} has the lower rate, {low} against {high} of {other} ({gap} less)",
        first=name_of(first),
        other=name_of(other),
        low=percent(low or Decimal(0), 2),
        high=percent(high or Decimal(0), 2),
        gap=points((high or Decimal(0)) - (low or Decimal(0)), 2),
    )


def _by_limit(rows: Sequence[QueryRow]) -> Said | None:
    (low, other), (high, first) = sorted(((row.number("limit_krw"), row) for row in rows), key=_key)
    if low is None or high is None:
        return None
    return filled(
        "한도는 {first:이/가} {high}, {other:이/가} {low:으로/로} 차이는 {gap}",
        "{first} lends up to {high}, {other} up to {low}, a difference of {gap}",
        first=name_of(first),
        other=name_of(other),
        high=money(high),
        low=money(low),
        gap=money(high - low),
    )


def _key(one: tuple[Decimal | None, QueryRow]) -> Decimal:
    return one[0] or Decimal(0)


_NOT_BOTH: Final = Said(
    "견주려는 지원 가운데 자료에 없는 것이 있어 비교할 수 없습니다. 나이, 연소득, 무주택 여부를 말씀하시면 맞는 지원을 찾아 드립니다.",
    "Not both programmes are in the data, so that I cannot compare them. Tell me age, income and whether you own a home, and I "
    "will find what fits.",
)
_WHO: Final = Said(
    "받을 수 있는지는 나이, 소득, 자산, 무주택 여부에 달려 있습니다.",
    "Whether you can have one depends on age, income, assets and owning no home.",
)

ANSWERERS: Final = (
    Answerer("programmes_compared", SEARCH, _answer, _calls),
    Answerer("programme_named", SEARCH, _one, _calls),
)
