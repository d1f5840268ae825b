"""Goods of two kinds in one question: each by what is said of it, or both together for one sum.

"검정 책상이랑 흰 의자"           each kind has the properties of its own part, and those of the whole where its part has none
"책상이랑 의자 합쳐서 30만원"     a set: the two that suit best of those whose sum is within the money
"노트북이나 태블릿 50만원까지"    either: two lists within the same bound
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm, AskQuantity, Ground, Said
from services.domains.commerce.asks.goods.counts import pieces_in
from services.domains.commerce.asks.goods.drafts import drafted, with_form
from services.domains.commerce.asks.goods.features import ATTRIBUTE, is_property, meets
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of
from services.domains.commerce.asks.goods.rows import goods_calls
from services.domains.commerce.asks.goods.saying import full_name, line_said, price_of, stock_of, told_of
from services.domains.commerce.asks.goods.scores import Wishes, scored
from services.domains.commerce.asks.goods.subjects import AGENTS, GOODS
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, answered
from services.plugin.asks.forms import Clause
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, rows_of
from services.text.patterns import Pattern

_TOGETHER: Final = (
    r"합쳐|합해|합치|합계|총|다\s?해서|통틀어|둘이|세트|셋트|같이|함께|한꺼번에|한번에|조합|모두\s?해서|전부\s?해서|풀\s?세팅"
    r"|원?\s?(?:안에서?|안으로|예산으로|내로)(?=\s|$|[.!?])|예산|\bbudget\b|\bwithin\b|\ball in\b|\bfor (?:₩|KRW ?)?\d"
    r"|\bset\b|\bfor both\b|together|altogether|in total|\btotal\b|combined|\bcombo\b|\bbundle\b|\bpair\b"
)
_EITHER: Final = (
    r"각각|따로|\beach\b|\bapiece\b|(?<=[가-힣])(?<!하)나\s|또는|아니면|혹은|중에|중\s|\bor\b|\bvs\b|versus"
)
_JOINT: Final = Pattern(r"(?<=[가-힣])(?:이?랑|하고|와|과|(?<!하)나)\s|\b(?:and|or|with)\b|[,+&/]|그리고|또는")
_MONEY_FROM: Final = 1000


def asks_of(sheet: Sheet, categories: Sequence[str]) -> list[Ask]:
    """Return the asks of a question that names two kinds of goods: one for both together, or one for each."""
    drafts = [_drafted(sheet, half, category) for category, half in _halves(sheet, categories)]
    money = next((one for one in sheet.numbers if one.unit in {"", "krw"} and one.value >= _MONEY_FROM), None)
    if money is None or not sheet.says(_TOGETHER) or sheet.says(_EITHER):
        return [with_form(one, sheet, None) for one in drafts]
    counts = [
        AskQuantity(f"pieces.{kind}", str(n), "count")
        for kind, half in _halves(sheet, categories)
        if (n := pieces_in(half))
    ]
    return [_set_of(drafts, (AskQuantity("budget", f"{money.value:f}", "krw", money.words), *counts))]


def _halves(sheet: Sheet, categories: Sequence[str]) -> Iterator[tuple[str, Sheet]]:
    """Yield each kind with the part of the message that is about it: as far as what joins it to the other."""
    first, second = (next(one for one in sheet.of_kind("category") if one.value == kind) for kind in categories)
    joint = _JOINT.search(sheet.text, first.end, second.start)
    cut = joint.end() if joint else second.start
    yield categories[0], sheet.part(Clause(sheet.text[:cut], 0, cut))
    yield categories[1], sheet.part(Clause(sheet.text[cut:], cut, len(sheet.text)))


def _drafted(sheet: Sheet, half: Sheet, category: str) -> Ask:
    """Return the ask about one of two kinds: what its own part says, and what the whole says where its part is silent."""
    own, whole = drafted(half, category, ()), drafted(sheet, category, ())
    silent = {_side(one) for one in whole.conditions} - {_side(one) for one in own.conditions}
    conditions = (*own.conditions, *(one for one in whole.conditions if _side(one) in silent))
    return replace(whole, conditions=conditions)


def _side(one: AskCondition) -> str:
    """Return what a condition is on: a property, whichever it is, or a figure."""
    return ATTRIBUTE if one.field.startswith(ATTRIBUTE) else one.field


def _set_of(drafts: Sequence[Ask], quantities: Sequence[AskQuantity]) -> Ask:
    first, second = drafts
    kept = [one for draft in drafts for one in draft.conditions if one.field != "price_krw"]
    return replace(
        first,
        form=AskForm.RECOMMEND,
        intent="get_recommendation",
        answerer=f"{GOODS}set",
        subjects=(*first.subjects, *second.subjects),
        conditions=tuple(dict.fromkeys(kept)),
        quantities=tuple(quantities),
    )


def set_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the goods of both kinds."""
    return [call for one in ask.subjects for call in goods_calls(replace(ask, subjects=(one,)))]


def tell_set(ask: Ask, found: Found) -> Outcome:
    """Return the two goods that suit best within the money, with their sum; or what the cheapest two would cost."""
    budget = of_role(ask.quantities, "budget")
    most = Decimal(budget.value) if budget is not None else Decimal(0)
    kinds = [_of_kind(one.value, ask, found) for one in ask.subjects]
    pieces = proofs_of(found)
    if not all(kinds):
        none = Said("조건에 맞고 재고가 있는 짝이 없습니다.", "No two in stock meet the conditions.")
        return Outcome(answered(ask, none, conditions=ask.conditions), evidence=pieces)
    within = [pair for pair in product(*kinds) if _sum(pair) <= most]
    best = max(within, key=lambda pair: sum(one.score for one in pair), default=None)
    lines = best or tuple(min(kind, key=lambda one: one.price) for kind in kinds)
    answer = answered(
        ask,
        _said(lines, most, fits=best is not None),
        conditions=ask.conditions,
        grounds=tuple(Ground(line_said(one.row), evidence_ids_of(pieces)[:1]) for one in lines),
        evidence_ids=evidence_ids_of(pieces),
        told=tuple(told_of(one.row) for one in lines),
    )
    return Outcome(answer, evidence=pieces)


@dataclass(frozen=True, slots=True)
class _Line:
    """Goods of one kind, so many of them."""

    row: QueryRow
    count: int
    score: float

    @property
    def price(self) -> Decimal:
        return price_of(self.row) * self.count


def _of_kind(category: str, ask: Ask, found: Found) -> list[_Line]:
    """Return the goods of a kind that can be bought and meet what was said of it, with how well they suit."""
    own = [one for one in ask.conditions if not one.field.startswith(ATTRIBUTE) or is_property(one, category)]
    said = of_role(ask.quantities, f"pieces.{category}")
    count = int(said.value) if said is not None else 1
    rows = {row.text("product_id"): row for row in rows_of(found.readings, "products")}.values()
    kept = [row for row in rows if row.text("category") == category and stock_of(row) >= count]
    fitting = [row for row in kept if all(meets(row, one) is not False for one in own)]
    return [_Line(row, count, score) for score, row in scored(fitting, Wishes(own, names_brand=False, bought=None))]


def _sum(lines: Sequence[_Line]) -> Decimal:
    return sum((one.price for one in lines), Decimal(0))


def _said(lines: Sequence[_Line], most: Decimal, *, fits: bool) -> Said:
    each = listed([_line_said(one) for one in lines])
    total = exact_won(_sum(lines))
    if not fits:
        return filled(
            "{most} 안에서는 함께 살 수 없습니다. 가장 싸게 맞춰도 합쳐서 {total}입니다: {each}.",
            "Not both for {most}: the cheapest come to {total} together: {each}.",
            most=exact_won(most),
            total=total,
            each=each,
        )
    return filled(
        "합쳐서 {total}인 이 조합을 추천합니다: {each}. 모두 재고가 있고 {most} 안에서 값과 평점이 가장 좋습니다.",
        "I suggest these, {total} together: {each}. All are in stock, and within {most} they do best on price and rating.",
        total=total,
        each=each,
        most=exact_won(most),
    )


def _line_said(one: _Line) -> Said:
    name, price = full_name(one.row), exact_won(one.price)
    if one.count == 1:
        return Said(f"{name.ko} {price.ko}", f"{name.en} {price.en}")
    return Said(f"{name.ko} {one.count}개 {price.ko}", f"{one.count} × {name.en} {price.en}")


ANSWERERS: Final = (Answerer(f"{GOODS}set", ("commerce.reco_fit", *AGENTS), tell_set, set_calls),)
