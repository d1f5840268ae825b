"""What another price would bring: profit, revenue and pieces, demand answering by a stated elasticity with its range."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskInput, Ground, Origin, Said
from services.domains.commerce.asks.goods.saying import full_name, short_name, told_of
from services.domains.commerce.asks.rows_own import OWN_TOOL
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Call, Found, Outcome, answered, asking_back
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, decimal, exact_won, filled, listed, proof, query, rows_of, where

_RULES: Final = RULES.pricing
_LABELS: Final = {
    "price": Said("지금 판매가", "the price now"),
    "cost": Said("원가", "the unit cost"),
    "units": Said("지금 판매량", "the units sold now"),
}
_CHANGE: Final = Said("바꿀 가격이나 비율", "the new price or the change")
_ROWS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class Trade:
    """What a product sells at, costs and sells."""

    price: Decimal
    """Its price."""
    cost: Decimal
    """What a piece costs the seller."""
    units: Decimal
    """The pieces sold."""

    @property
    def profit(self) -> Decimal:
        """What is left of the price."""
        return (self.price - self.cost) * self.units

    @property
    def revenue(self) -> Decimal:
        """What is taken in."""
        return self.price * self.units

    def at(self, price: Decimal, elasticity: Decimal) -> "Trade":
        """Return the trade at another price: the pieces change by elasticity times the price's own change, never below none."""
        share = 1 + elasticity * (price - self.price) / self.price
        return Trade(price, self.cost, max(self.units * share, Decimal(0)))


def pricing_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the person's own product and its sales, where the question does not give all itself."""
    given = [role for role in _LABELS if of_role(ask.quantities, role)]
    if len(given) == len(_LABELS) or not (ask.subjects or (ask.notes.get("seller") and not given)):
        return ()
    codes = [one.value for one in ask.subjects if one.kind == "product_code"]
    kinds = [one.value for one in ask.subjects if one.kind == "category"]
    own = [where("name_ko", f" {codes[0]} ", "contains")] if codes else [where("category", one) for one in kinds]
    fields = ("product_id", "name_ko", "name_en", "price_krw", "unit_cost_krw")
    days = {"start": date.fromisoformat(ask.start_date), "end": date.fromisoformat(ask.end_date)}
    return [
        query("own_listings", fields, mode="rows", filters=own, tool=OWN_TOOL, limit=_ROWS_MAX),
        query(
            "own_sales",
            ("units", "first_day", "last_day"),
            by=("product_id",),
            filters=own,
            tool=OWN_TOOL,
            limit=_ROWS_MAX,
            **days,
        ),
    ]


def simulate(ask: Ask, found: Found) -> Outcome:
    """Return what profit becomes at another price, with what the result rests on and how far it may be off."""
    listings = _meant(ask, rows_of(found.readings, "own_listings"))
    sold = {one.text("product_id"): one for one in rows_of(found.readings, "own_sales")}
    # Of several goods those that sell are meant first.
    listings = [row for row in listings if row.text("product_id") in sold] or listings
    if len(listings) > 1:
        return _asked_which(ask, listings)
    row = listings[0] if listings else None
    of_data = _of_data(row, sold.get(row.text("product_id"))) if row is not None else {}
    given = {role: Decimal(one.value) for role in _LABELS if (one := of_role(ask.quantities, role)) is not None}
    known = {**of_data, **given}
    missing = [label for role, label in _LABELS.items() if role not in known]
    change = _new_price(ask, known.get("price", Decimal(0)))
    if missing or change is None:
        return _asked_back(ask, [*missing, *([_CHANGE] if change is None else [])], named=bool(ask.subjects))
    said = of_role(ask.quantities, "elasticity")
    elasticity = Decimal(said.value) if said else Decimal(str(_RULES.elasticity))
    now = Trade(known["price"], known["cost"], known["units"])
    then = now.at(change, elasticity)
    pieces = tuple(
        proof(one, Said("내 판매 상품과 매출", "Your goods and sales"), found.asking.locale, "sales")
        for one in found.readings
        if one.rows
    )
    origin = Origin.GIVEN if said else Origin.ASSUMED
    inputs = (
        *(
            AskInput(
                role,
                _LABELS[role],
                f"{known[role]:f}",
                "krw" if role != "units" else "count",
                Origin.GIVEN if role in given else Origin.DATA,
            )
            for role in _LABELS
        ),
        AskInput("elasticity", Said("탄력성", "elasticity"), f"{elasticity:f}", "ratio", origin),
    )
    ids = tuple(piece.evidence_id for piece in pieces)
    answer = answered(
        ask,
        _said(now, then, elasticity, row),
        inputs=inputs,
        evidence_ids=ids,
        grounds=tuple(
            Ground(line, ids) for line in _lines(now, then, change, days=_RULES.days if row is not None else 0)
        ),
        cautions=(_caution(elasticity, given=said is not None),),
        told=(told_of(row),) if row is not None else (),
    )
    return Outcome(answer, evidence=pieces)


def _meant(ask: Ask, rows: Sequence[QueryRow]) -> list[QueryRow]:
    """Return the own goods that are meant: of several of one code those whose maker or line the words name."""
    said = ask.notes.get("said", "").casefold()
    scores = [
        sum(word.casefold() in said for name in ("name_ko", "name_en") for word in set(row.text(name).split()))
        for row in rows
    ]
    return [row for row, score in zip(rows, scores, strict=True) if score == max(scores)]


def _of_data(row: QueryRow, sold: QueryRow | None) -> dict[str, Decimal]:
    """Return what the data holds of a product; a cost of nothing is none that is known."""
    found = {"price": row.number("price_krw"), "cost": row.number("unit_cost_krw") or None}
    found["units"] = sold.number("units") if sold is not None else None
    return {name: value for name, value in found.items() if value is not None}


def _new_price(ask: Ask, price: Decimal) -> Decimal | None:
    """Return the price that is thought of; None where nobody says."""
    sign = -1 if ask.notes.get("down") else 1
    if (new := of_role(ask.quantities, "new_price")) is not None:
        return Decimal(new.value)
    if (share := of_role(ask.quantities, "change")) is not None:
        return price * (1 + sign * Decimal(share.value) / 100)
    if (delta := of_role(ask.quantities, "delta")) is not None:
        return max(price + sign * Decimal(delta.value), Decimal(0))
    return None


def _asked_which(ask: Ask, rows: Sequence[QueryRow]) -> Outcome:
    sentence = filled(
        "어느 상품의 가격인가요? {names} 가운데 골라 주세요.",
        "Which of your products do you mean: {names}?",
        names=listed([short_name(row) for row in rows[:5]]),
    )
    return Outcome(asking_back(ask, sentence, Said("상품", "the product")))


def _asked_back(ask: Ask, missing: Sequence[Said], *, named: bool) -> Outcome:
    none = Said(
        "본인이 파는 상품 가운데 그런 것이 없거나 판매 자료가 없습니다. ",
        "You sell no such product, or there are no sales of it. ",
    )
    sentence = filled(
        "{none}{what:을/를} 알려 주시겠어요? 그러면 이익을 계산할 수 있습니다.",
        "{none}Please tell me {what}; then I can compute the profit.",
        none=none if named and len(missing) > 1 else Said("", ""),
        what=listed(missing),
    )
    return Outcome(asking_back(ask, sentence, *missing))


def _said(now: Trade, then: Trade, elasticity: Decimal, row: QueryRow | None) -> Said:
    name = full_name(row) if row is not None else Said("", "")
    return filled(
        "{of}이익은 {before}에서 약 {after}으로 {diff} {way}: 판매가 {price} → {new}, 판매량 {units}개 → 약 {sold}개(탄력성 {e}).",
        "{of}Profit {way} by {diff}, from {before} to about {after}: price {price} → {new}, units {units} → about {sold} (elasticity {e}).",
        of=Said(f"{name.ko}의 " if row is not None else "", f"{name.en}: " if row is not None else ""),
        before=exact_won(now.profit),
        after=exact_won(then.profit),
        diff=exact_won(abs(then.profit - now.profit)),
        way=Said("늘어납니다", "rises") if then.profit >= now.profit else Said("줄어듭니다", "falls"),
        price=exact_won(now.price),
        new=exact_won(then.price),
        units=decimal(now.units, 0),
        sold=decimal(then.units, 1),
        e=decimal(elasticity, 2),
    )


def _lines(now: Trade, then: Trade, price: Decimal, *, days: int) -> tuple[Said, ...]:
    """Return the computation, and what the profit would be at the ends of the elasticity's range."""
    strong, weak = (now.at(price, Decimal(str(one))).profit for one in _RULES.range)
    low, high = _RULES.range
    of_days = Said(f"최근 {days}일, ", f"last {days} days, ") if days else Said("", "")
    return (
        filled(
            "지금({d}매출 {r}): {c}", "Now ({d}revenue {r}): {c}", d=of_days, r=exact_won(now.revenue), c=_computed(now)
        ),
        filled("바꾼 뒤(매출 {r}): {c}", "After (revenue {r}): {c}", r=exact_won(then.revenue), c=_computed(then)),
        filled(
            "탄력성이 {low}이면 이익 {strong}, {high}이면 {weak}입니다.",
            "At an elasticity of {low} the profit would be {strong}, at {high} it would be {weak}.",
            low=decimal(low, 2),
            high=decimal(high, 2),
            strong=exact_won(strong),
            weak=exact_won(weak),
        ),
    )


def _computed(one: Trade) -> Said:
    return filled(
        "({price} - {cost}) × {units}개 = {profit}",
        "({price} - {cost}) × {units} = {profit}",
        price=exact_won(one.price),
        cost=exact_won(one.cost),
        units=decimal(one.units, 1),
        profit=exact_won(one.profit),
    )


def _caution(elasticity: Decimal, *, given: bool) -> Said:
    value, source = decimal(elasticity, 2), _RULES.source
    if given:
        return Said(
            f"탄력성 {value}은 말씀하신 값이며 실제 판매량은 다를 수 있습니다.",
            f"The elasticity of {value} is the one you gave; actual demand may differ.",
        )
    return Said(
        f"탄력성 {value}은 가정한 값입니다({source.ko}). 실제 판매량은 다를 수 있습니다.",
        f"The elasticity of {value} is assumed ({source.en}). Actual demand may differ.",
    )
