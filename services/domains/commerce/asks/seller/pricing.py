"""What another price would bring."""

from decimal import Decimal

from services.contract.asks import Ask, AskForm, AskInput, AskQuantity, Ground, Origin, Said
from services.domains.commerce.asks.seller.words import DOWN
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Found, Outcome, answered, asking_back
from services.plugin.asks.numbers import Number
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import decimal, exact_won, filled, listed


def pricing_ask(sheet: Sheet) -> Ask:
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        intent="simulate_pricing",
        answerer="pricing",
        quantities=tuple(_pricing_roles(sheet)),
        notes={"down": "yes" if sheet.says(DOWN) else ""},
    )


def _pricing_roles(sheet: Sheet) -> list[AskQuantity]:
    """Return the numbers with their roles: cost, elasticity, change, units, price and the new price."""
    found, money = [], []
    for one in sheet.numbers:
        before = sheet.text[max(0, one.start - 14) : one.start].lower()
        behind = sheet.text[one.end : one.end + 5].lower()
        if "탄력" in before or "elasticity" in before:
            found.append(_quantity("elasticity", one, -abs(one.value)))
        elif one.unit == "percent":
            found.append(_quantity("change", one, one.value))
        elif one.unit == "krw" or (one.is_bare and one.value >= 1000):
            is_cost = any(word in before for word in ("원가", "매입", "cost", "costs")) or any(
                word in behind for word in ("원가", "cost")
            )
            money.append((one, is_cost))
        elif one.unit in {"count", "", "shares"}:
            found.append(_quantity("units", one, one.value))
    cost = next((one for one, is_cost in money if is_cost), None)
    prices = [one for one, is_cost in money if not is_cost]
    found += [_quantity("cost", cost, cost.value)] if cost is not None else []
    found += [_quantity(role, one, one.value) for role, one in zip(("price", "new_price"), prices, strict=False)]
    return found


def _quantity(role: str, one: Number, value: Decimal) -> AskQuantity:
    return AskQuantity(role, f"{value:f}", one.unit or "count", one.words, one.start, one.end)


def simulate(ask: Ask, found: Found) -> Outcome:
    """Return what profit becomes at another price, demand answering by its elasticity."""
    del found
    given = {
        role: of_role(ask.quantities, role) for role in ("price", "cost", "units", "change", "new_price", "elasticity")
    }
    labels = {
        "price": Said("지금 판매가", "the price now"),
        "cost": Said("원가", "the unit cost"),
        "units": Said("지금 판매량", "the units sold now"),
    }
    missing = [labels[role] for role in labels if given[role] is None]
    if given["change"] is None and given["new_price"] is None:
        missing.append(Said("바꿀 가격이나 비율", "the new price or the change"))
    if missing:
        sentence = filled(
            "{what:을/를} 알려 주시겠어요? 그러면 이익을 계산할 수 있습니다.",
            "Please tell me {what}; then I can compute the profit.",
            what=listed(missing),
        )
        return Outcome(asking_back(ask, sentence, *missing))
    price, cost, units = (Decimal(given[role].value) for role in ("price", "cost", "units"))  # type: ignore[union-attr]
    elasticity = Decimal(given["elasticity"].value) if given["elasticity"] else Decimal(str(RULES.pricing.elasticity))
    if given["new_price"] is not None:
        new = Decimal(given["new_price"].value)
    else:
        share = Decimal(given["change"].value) / 100  # type: ignore[union-attr]
        new = price * (1 - share if ask.notes.get("down") else 1 + share)
    sold = units * (1 + elasticity * (new - price) / price)
    before, after = (price - cost) * units, (new - cost) * sold
    more = after >= before
    sentence = filled(
        "이익은 {before}에서 약 {after}으로 {diff} {way}: 판매가 {price} → {new}, 판매량 {units}개 → 약 {sold}개(탄력성 {e}).",
        "Profit {way} by {diff}, from {before} to about {after}: price {price} → {new}, units {units} → about {sold} (elasticity {e}).",
        before=exact_won(before),
        after=exact_won(after),
        diff=exact_won(abs(after - before)),
        way=Said("늘어납니다", "rises") if more else Said("줄어듭니다", "falls"),
        price=exact_won(price),
        new=exact_won(new),
        units=decimal(units, 0),
        sold=decimal(sold, 1),
        e=decimal(elasticity, 2),
    )
    origin = Origin.GIVEN if given["elasticity"] else Origin.ASSUMED
    caution = Said(
        "수요 탄력성 -1.5는 가정한 값이며, 실제 판매량은 다를 수 있습니다."
        if origin is Origin.ASSUMED
        else "실제 판매량은 계산과 다를 수 있습니다.",
        "The elasticity of -1.5 is assumed; actual demand may differ."
        if origin is Origin.ASSUMED
        else "Actual demand may differ.",
    )
    lines = (
        Said(
            f"지금: ({exact_won(price).ko} - {exact_won(cost).ko}) × {decimal(units, 0)}개 = {exact_won(before).ko}",
            f"Now: ({exact_won(price).en} - {exact_won(cost).en}) × {decimal(units, 0)} = {exact_won(before).en}",
        ),
        Said(
            f"바꾼 뒤: ({exact_won(new).ko} - {exact_won(cost).ko}) × {decimal(sold, 1)}개 = {exact_won(after).ko}",
            f"After: ({exact_won(new).en} - {exact_won(cost).en}) × {decimal(sold, 1)} = {exact_won(after).en}",
        ),
    )
    inputs = (AskInput("elasticity", Said("탄력성", "elasticity"), f"{elasticity:f}", "ratio", origin),)
    return Outcome(answered(ask, sentence, inputs=inputs, cautions=(caution,), grounds=tuple(map(Ground, lines))))
