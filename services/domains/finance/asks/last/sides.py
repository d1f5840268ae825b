"""Sides of a comparison on markets: what was asked of one by one, which of it a message takes, which way accounts went."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, Origin
from services.domains.finance.asks.named import measures_named
from services.domains.finance.asks.spans import Span, span_of
from services.domains.finance.asks.vocabulary import BY_ID, GROWS
from services.plugin.asks.comparatives import side
from services.plugin.asks.edits import asks_first_alone, last_of, number_said, pointed, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import PAIR, standing, things
from services.plugin.entities import Entity

CHOOSES: Final = (
    r"^(?:더|어느\s?쪽이\s?더|which (?:one )?is)\s|쪽은\?*$|누가|어디가|뭐가|어느\s?(?:쪽|게|종목|회사)|더\s?(?:높|낮|싼|비싼|크|큰|작|좋|나은|많|적|오른|내린)|차이|격차"
    r"|\brank (?:them|those|these)\b|순위|\bwhich\b|\bwho (?:did|has|is|was)\b|\bdiffer|\bgap\b|\bbetter\b|\bworse\b|by how much"
)
"""Words that hold against each other what was asked of one by one."""


def chooses(sheet: Sheet) -> bool:
    """Tell whether a message holds what was asked of one by one against each other: "낮은 쪽은?", "who pays more?"."""
    return side(sheet) is not None or sheet.says(CHOOSES)


def told_things(sheet: Sheet, before: Sequence[AskedBefore]) -> tuple[Entity, ...]:
    """Return what a message points to of what was told: the set or one of it; nothing where it points to nothing."""
    kind = _kind_told(before)
    if (towards := pointed(sheet, before, kind)) is not None:
        return things(towards.told)
    if sheet.says(BOTH):
        return things(standing(before, kind).several(number_said(sheet) or PAIR))
    return told_set(sheet, before)


def _kind_told(before: Sequence[AskedBefore]) -> str:
    """Return the kind of thing that is pointed to: series where several were told of last, else shares."""
    last = last_of(before, "finance")
    of_series = last is not None and any(one.kind == "series" for one in last.subjects)
    return "series" if of_series and len(standing(before, "series").several()) >= PAIR else "security"


BOTH: Final = r"둘(?!째)|두\s?(?:개|나라|값|곳|종목|회사)|양쪽|\bboth\b|\bthe two\b"


def told_set(sheet: Sheet, before: Sequence[AskedBefore]) -> tuple[Entity, ...]:
    """Return the set that was told where a message asks for its first or its last, or for one side: "꼴찌는?"."""
    last = last_of(before, "finance")
    if last is None or "class" in last.notes or not (chooses(sheet) or sheet.superlative is not None):
        return ()
    several = standing(before, _kind_told(before)).several()
    return things(several) if len(several) >= PAIR else ()


def side_taken(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Entity | None:
    """Return the share of those just told that a message picks by the figure it was told with; None where it picks none."""
    way, by = side(sheet), next(iter(last.measures), "")
    if way is None and (most := sheet.superlative) is not None:
        way = "up" if most.is_most else "down"
    if way is None or sheet.says(_ASKS_WHICH):
        return None
    # Over an answer on one of them, the set stands.
    ordered = standing(before, "security").ordered(by, most=way == "up")
    return things(ordered[:1])[0] if ordered else None


def first_of_set(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Entity | None:
    """Return the first of a set that was told before what lies between: "and the priciest?"; None for another message.

    It is for a message that asks for a first and nothing else, after one of the set alone was told of.
    """
    stands, first = standing(before, "security"), sheet.superlative
    # Of another figure than the set was told by: else the set itself is held against each other.
    of_another = bool(last.measures) and last.measures[0] != stands.measure
    lies_between = of_another and len(last.subjects) == len(stands.last) == 1 and len(stands.rows) >= PAIR
    if not lies_between or first is None or not asks_first_alone(sheet, _NOUNS):
        return None
    ordered = stands.ordered(stands.measure, most=first.is_most)
    return things(ordered[:1])[0] if ordered else None


_APART: Final = r"차이|격차|얼마나?\s?(?:더|덜)|\bdiffer|\bgap\b|by how much|how much (?:more|less)"
_COUNTED: Final = frozenset({"finance.exchange", "finance.holdings", "finance.worth"})


def sums_apart(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return what lies between two sums that were told one by one: of 1,000 dollars and 1,500 that of 500."""
    asks = [message.asks[-1] for message in before[:PAIR] if message.asks]
    if len(asks) < PAIR or sheet.numbers or not short(sheet.text, _FEW) or not sheet.says(_APART):
        return None
    late, early = asks
    alike = late.answerer in _COUNTED and (late.answerer, late.end_date) == (early.answerer, early.end_date)
    of_one = {one.value for one in late.subjects} == {one.value for one in early.subjects}
    pair = [*late.quantities, *early.quantities]
    if not (alike and of_one) or len(pair) != PAIR or len({(one.role, one.unit) for one in pair}) != 1:
        return None
    between = abs(Decimal(pair[0].value) - Decimal(pair[1].value))
    number = replace(pair[0], value=f"{between.normalize():f}", words="", start=0, end=0, origin=Origin.CARRIED)
    return replace(late, words=sheet.text, start=0, end=len(sheet.text), quantities=(number,)) if between else None


_FEW: Final = 6
_RANKS: Final = frozenset({"finance.rank", "finance.listing"})


def before_pick(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[AskedBefore]:
    """Return what was asked up to a ranking, where one picked out of it lies between and its other end is asked for.

    "Which rose the most?", "and the second?", "and the worst one?".
    """
    if not asks_first_alone(sheet, _NOUNS) or measures_named(sheet):
        return before
    for at, message in enumerate(before):
        ask = message.asks[-1] if message.asks and message.asks[-1].domain == "finance" else None
        if ask is None or ("class" not in ask.notes and len(ask.subjects) != 1):
            return before
        if ask.answerer in _RANKS and "class" in ask.notes:
            told = {one.value for answer in message.answers for one in answer.told}
            picked = {one.value for between in before[:at] for own in between.asks for one in own.subjects}
            return before[at:] if picked <= told else before
    return before


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
    told = standing(before, "security").by(by)
    return things([one for one in told if Decimal(one.figures[by]) * sign > 0] or told)


_ASKS_WHICH: Final = r"어느|어디|누[가구]|뭐|무엇|\bwhich\b|\bwho\b"


def asks_growth(sheet: Sheet, last: Ask) -> bool:
    """Tell whether a message asks which way the accounts went that were just told: "so is it growing?"."""
    accounts = bool(last.measures) and all(BY_ID[one].items and not BY_ID[one].priced for one in last.measures)
    return (
        accounts
        and sheet.says(rf"{GROWS}|줄[었어은]|얼마나\s?(?:더\s?)?(?:는|준)\s?(?:거|건|것|셈)")
        and span_of(sheet) is None
        and not measures_named(sheet)
    )


def year_of_accounts(ask: Ask, span: Span) -> str:
    """Return the year that a level of accounts is now asked of: "재작년은?"; empty where none is."""
    accounts = bool(ask.measures) and all(BY_ID[one].items and not BY_ID[one].priced for one in ask.measures)
    if not accounts or ask.answerer != "finance.level" or span.kind != "period" or not span.base.endswith("12-31"):
        return ""
    return span.end[:4] if span.end.endswith("12-31") and int(span.end[:4]) == int(span.base[:4]) + 1 else ""
