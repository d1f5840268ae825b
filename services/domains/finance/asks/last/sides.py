"""Sides of a comparison on markets: what was asked of one by one, which of it a message takes, which way accounts went."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore
from services.domains.finance.asks.named import measures_named
from services.domains.finance.asks.spans import Span, span_of
from services.domains.finance.asks.vocabulary import BY_ID, GROWS
from services.plugin.asks.comparatives import side
from services.plugin.asks.edits import asks_first_alone
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

PAIR: Final = (1, 2)
"""As many as are held against each other."""


def lately(before: Sequence[AskedBefore], kind: str = "security") -> tuple[Entity, ...]:
    """Return the last of a kind that were asked of, one message after another, as far as two; in the order asked."""
    found: dict[str, Entity] = {}
    for ask in (ask for message in before for ask in message.asks if ask.domain == "finance"):
        for one in ask.subjects:
            if one.kind == kind and len(found) < len(PAIR):
                found.setdefault(one.value, replace(one, start=0, end=0))
    return tuple(reversed(found.values()))


CHOOSES: Final = (
    r"^(?:더|어느\s?쪽이\s?더|which (?:one )?is)\s|쪽은\?*$|누가|어디가|뭐가|어느\s?(?:쪽|게|종목|회사)|더\s?(?:높|낮|싼|비싼|크|큰|작|좋|나은|많|적|오른|내린)|차이|격차"
    r"|\bwhich\b|\bwho (?:did|has|is|was)\b|\bdiffer|\bgap\b|\bbetter\b|\bworse\b|by how much"
)
"""Words that hold against each other what was asked of one by one."""


def chooses(sheet: Sheet) -> bool:
    """Tell whether a message holds what was asked of one by one against each other: "낮은 쪽은?", "who pays more?"."""
    return side(sheet) is not None or sheet.says(CHOOSES)


def side_taken(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Entity | None:
    """Return the share of those just told that a message picks by the figure it was told with; None where it picks none."""
    way, by = side(sheet), next(iter(last.measures), "")
    if way is None and (most := sheet.superlative) is not None:
        way = "up" if most.is_most else "down"
    if way is None or sheet.says(_ASKS_WHICH):
        return None
    sets = (
        {
            one.value: one
            for answer in message.answers
            for one in answer.told
            if one.kind == "security" and by in one.figures
        }
        for message in before
    )
    # Over an answer on one of them, the set stands.
    kept = next((one for one in sets if len(one) >= len(PAIR)), {}) if by else {}
    if not kept:
        return None
    first = (max if way == "up" else min)(kept.values(), key=lambda one: Decimal(one.figures[by]))
    return Entity(first.kind, first.value, first.label)


def first_of_set(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Entity | None:
    """Return the first of a set that was told before what lies between: "and the priciest?"; None for another message.

    It is for a message that asks for a first and nothing else, after one of the set alone was told of.
    """
    told = [one for answer in before[0].answers for one in answer.told if one.kind == "security"]
    first = sheet.superlative
    if len(last.subjects) != 1 or len(told) != 1 or first is None or not asks_first_alone(sheet, _NOUNS):
        return None
    for message in before[1:]:
        rows = {one.value: one for it in message.answers for one in it.told if one.kind == "security"}
        by = next((one for ask in message.asks for one in ask.measures), "")
        own = [one for one in rows.values() if by in one.figures]
        if len(own) >= len(PAIR) and told[0].value in rows:
            picked = (max if first.is_most else min)(own, key=lambda one: Decimal(one.figures[by]))
            return Entity(picked.kind, picked.value, picked.label)
    return None


_NOUNS: Final = "종목|회사|주식"
_SIGNS: Final = (
    (
        -1,
        r"마이너스|손실|손해|까먹|(?:내린|떨어진|빠진|하락한|잃은)\s?(?:데|거|것|게|종목|회사|곳)|\bnegative\b|in the red|\b(?:fell|lost|down)\b",
    ),
    (
        1,
        r"플러스|이익\s?(?:난|인)|수익\s?(?:난|인)|(?:오른|상승한|번)\s?(?:데|거|것|게|종목|회사|곳)|\bpositive\b|in the green|\b(?:rose|gained)\b",
    ),
)
"""Which side of nothing a change is on."""
_ANY: Final = r"있(?:어|나|니|냐|는|을|습)|뭐|어디|누[가구]|어느|어떤|몇|\bany\b|\bwhich\b|\bwho\b|\bare there\b"


def on_one_side(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> tuple[Entity, ...]:
    """Return those just told whose change is on the side that a message asks after: "마이너스인 데 있어?".

    Where none is, all of them: their changes say so. None for another message.
    """
    by = next(iter(last.measures), "")
    sign = next((sign for sign, words in _SIGNS if sheet.says(words)), 0)
    if by != "return" or not sign or not sheet.says(_ANY) or sheet.superlative is not None or measures_named(sheet):
        return ()
    told = [one for answer in before[0].answers for one in answer.told if one.kind == "security" and by in one.figures]
    if len(told) < len(PAIR):
        return ()
    kept = [one for one in told if Decimal(one.figures[by]) * sign > 0] or told
    return tuple({one.value: Entity(one.kind, one.value, one.label) for one in kept}.values())


_ASKS_WHICH: Final = r"어느|어디|누[가구]|뭐|무엇|\bwhich\b|\bwho\b"


def asks_growth(sheet: Sheet, last: Ask) -> bool:
    """Tell whether a message asks which way the accounts went that were just told: "so is it growing?"."""
    accounts = bool(last.measures) and all(BY_ID[one].items and not BY_ID[one].priced for one in last.measures)
    return accounts and sheet.says(f"{GROWS}|줄[었어은]") and span_of(sheet) is None and not measures_named(sheet)


def year_of_accounts(ask: Ask, span: Span) -> str:
    """Return the year that a level of accounts is now asked of: "재작년은?"; empty where none is."""
    accounts = bool(ask.measures) and all(BY_ID[one].items and not BY_ID[one].priced for one in ask.measures)
    if not accounts or ask.answerer != "finance.level" or span.kind != "period" or not span.base.endswith("12-31"):
        return ""
    return span.end[:4] if span.end.endswith("12-31") and int(span.end[:4]) == int(span.base[:4]) + 1 else ""
