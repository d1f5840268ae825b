"""How well a seller's products do: a score of weighted terms, all of them shown, and a margin that is high or low."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said, Told
from services.domains.commerce.asks.goods.saying import short_name
from services.domains.commerce.asks.rows_own import OWN_TOOL
from services.domains.commerce.asks.seller.periods import asked_days
from services.domains.commerce.asks.seller.sales import NO_SALES
from services.domains.commerce.asks.seller.words import POORLY
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, decimal, filled, listed, proof, query, rows_of, sentences

_RULES: Final = RULES.efficiency
_LABELS: Final = {
    "margin": Said("마진율", "margin"),
    "turnover": Said("판매 비율", "sell-through"),
    "conversion": Said("전환율", "conversion"),
    "kept": Said("취소·반품률", "cancelled or returned"),
}
_FIGURES: Final = ("margin", "conversion", "cancel_rate", "return_rate", "units", "first_day", "last_day")
_ROWS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class Scored:
    """A product with its score and the figures of its terms."""

    row: QueryRow
    """The product."""
    figures: dict[str, float]
    """The figure of each term, in percent."""

    @property
    def score(self) -> float:
        """The weighted mean of what each term reaches, 0 to 1."""
        shares = ((term, term.share(self.figures[name])) for name, term in _RULES.terms.items())
        return sum(term.weight * share for term, share in shares) / sum(one.weight for one in _RULES.terms.values())

    @property
    def margin_said(self) -> Said:
        """The margin, with whether it is high or low."""
        margin = self.figures["margin"]
        value = decimal(margin, 1)
        if margin >= _RULES.margin_high_percent:
            return Said(f"마진율 {value}%(높음)", f"margin {value}% (high)")
        if margin < _RULES.margin_low_percent:
            return Said(f"마진율 {value}%(낮음)", f"margin {value}% (low)")
        return Said(f"마진율 {value}%", f"margin {value}%")


def efficiency_ask(sheet: Sheet) -> Ask:
    """Return the ask how well the person's own products do."""
    start, end = asked_days(sheet)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.LIST,
        intent="analyze_efficiency",
        answerer="efficiency",
        start_date=start.isoformat(),
        end_date=end.isoformat(),
        notes={"poorly": "yes" if sheet.says(POORLY) else ""},
    )


def efficiency_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the products' sales and what is left of them."""
    days = {"start": date.fromisoformat(ask.start_date), "end": date.fromisoformat(ask.end_date)}
    names = ("product_id", "name_ko", "name_en", "category")
    return [
        query(
            "own_sales", _FIGURES, by=names, tool=OWN_TOOL, order_by="margin", descending=True, limit=_ROWS_MAX, **days
        ),
        query("own_listings", ("product_id", "stock"), mode="rows", tool=OWN_TOOL, limit=_ROWS_MAX),
    ]


def tell_efficiency(ask: Ask, found: Found) -> Outcome:
    """Return the products by their scores, the best first, or those that do badly where they are asked for."""
    left = {row.text("product_id"): row.number("stock") or 0 for row in rows_of(found.readings, "own_listings")}
    rows = [row for row in rows_of(found.readings, "own_sales") if row.number("margin") is not None]
    if not rows:
        return Outcome(answered(ask, NO_SALES))
    scored = sorted(
        (_scored(row, float(left.get(row.text("product_id"), 0))) for row in rows), key=lambda one: -one.score
    )
    pieces = tuple(
        proof(one, Said("내 상점의 매출과 재고", "Your shop's sales and stock"), found.asking.locale, "sales")
        for one in found.readings
        if one.rows
    )
    ids = tuple(piece.evidence_id for piece in pieces)
    poorly = bool(ask.notes.get("poorly"))
    told = [*reversed(scored)] if poorly else scored
    answer = answered(
        ask,
        _badly_said(scored) if poorly else _well_said(scored),
        evidence_ids=ids,
        grounds=(Ground(_formula(), ids), *(Ground(_line(one), ids) for one in told[:9])),
        told=tuple(Told("product", one.row.text("product_id"), one.row.text("name_ko"), {}) for one in told),
    )
    return Outcome(answer, evidence=pieces)


def _scored(row: QueryRow, left: float) -> Scored:
    def figure(name: str) -> float:
        return float(row.number(name) or 0)

    units = figure("units")
    figures = {
        "margin": figure("margin"),
        "turnover": 100 * units / (units + left) if units + left else 0.0,
        "conversion": figure("conversion"),
        "kept": figure("cancel_rate") + figure("return_rate"),
    }
    return Scored(row, figures)


def _well_said(scored: Sequence[Scored]) -> Said:
    high = sum(one.score >= _RULES.score_high for one in scored)
    low = sum(one.score < _RULES.score_low for one in scored)
    head = filled(
        "상품 {n}개의 효율 점수는 높음({up} 이상) {high}개, 낮음({down} 미만) {low}개입니다.",
        "Of your {n} products {high} score high ({up} or more) and {low} low (under {down}).",
        n=str(len(scored)),
        up=decimal(_RULES.score_high, 1),
        down=decimal(_RULES.score_low, 1),
        high=str(high),
        low=str(low),
    )
    best, worst = scored[0], scored[-1]
    tail = filled(
        "가장 효율적인 것은 {a}, 가장 낮은 것은 {b}입니다.",
        "The most efficient is {a}, the least {b}.",
        a=_brief(best),
        b=_brief(worst),
    )
    return sentences(head, tail)


def _badly_said(scored: Sequence[Scored]) -> Said:
    low = [one for one in reversed(scored) if one.score < _RULES.score_low]
    if low:
        return filled(
            "효율이 낮은(점수 {down} 미만) 상품은 {n}개입니다: {names}.",
            "{n} of your products are inefficient (score under {down}): {names}.",
            n=str(len(low)),
            down=decimal(_RULES.score_low, 1),
            names=listed([_brief(one) for one in low[:3]]),
        )
    return filled(
        "효율이 낮은(점수 {down} 미만) 상품은 없습니다. 그중 가장 낮은 것은 {a}입니다.",
        "None of your products is inefficient (score under {down}). The lowest is {a}.",
        down=decimal(_RULES.score_low, 1),
        a=_brief(scored[-1]),
    )


def _brief(one: Scored) -> Said:
    return filled(
        "{n}(점수 {s}, {m})", "{n} (score {s}, {m})", n=short_name(one.row), s=decimal(one.score, 2), m=one.margin_said
    )


def _line(one: Scored) -> Said:
    """Return a product with its score and every term's figure and share."""
    parts = [
        filled(
            "{label} {figure}%→{share}",
            "{label} {figure}%→{share}",
            label=_LABELS[name],
            figure=decimal(one.figures[name], 1),
            share=decimal(term.share(one.figures[name]), 2),
        )
        for name, term in _RULES.terms.items()
    ]
    return filled(
        "{n}: {s} = {parts}", "{n}: {s} = {parts}", n=short_name(one.row), s=decimal(one.score, 2), parts=listed(parts)
    )


def _formula() -> Said:
    """Return how a score comes about."""
    ko, en = [], []
    for name, term in _RULES.terms.items():
        reach = decimal(term.full if term.full is not None else term.none or 0, 0)
        label, weight = _LABELS[name], decimal(term.weight, 2)
        ko.append(
            f"{label.ko} {weight}({'0%' if term.none else f'{reach}%'}면 1{f', {reach}%면 0' if term.none else ''})"
        )
        en.append(
            f"{label.en} {weight} ({'0%' if term.none else f'{reach}%'} counts 1{f', {reach}% counts 0' if term.none else ''})"
        )
    return Said(f"점수 = {' + '.join(ko)}", f"Score = {' + '.join(en)}")
