"""Support programmes by their names: two held against each other by rate, limit and conditions, or one described.

People call them by parts of their names: "디딤돌", "보금자리론", "버팀목"; which of the rows is meant is told by its own name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said, Told
from services.domains.realty.asks.proved import SEARCH, done, money
from services.domains.realty.asks.supports import FIELDS, line_of, name_of
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, filled, listed, percent, points, proof, query, rows_of

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


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask that holds programmes against each other; nothing where not two of them are named."""
    named = [name for name, words in _CALLED.items() if sheet.says(words)]
    if len(named) < _SEVERAL or not sheet.says(_COMPARES) or sheet.numbers:
        return ()
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

ANSWERERS: Final = (Answerer("programmes_compared", SEARCH, _answer, _calls),)
