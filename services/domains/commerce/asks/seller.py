"""A seller's own sales, and what another price would bring, from the figures that are given."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskInput, AskQuantity, Ground, Origin, Said, Told
from services.domains.commerce.asks.goods import AGENTS
from services.domains.commerce.asks.goods_rows import short_name
from services.domains.commerce.rules import ELASTICITY
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, asking_back
from services.plugin.asks.edits import short
from services.plugin.asks.numbers import Number
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    day_said,
    decimal,
    exact_won,
    filled,
    listed,
    percent,
    proof,
    query,
    rows_of,
    sentences,
)

_TOOL: Final = "query_own_data"
_MEASURES: Final = (
    "revenue",
    "profit",
    "units",
    "orders",
    "visitors",
    "cancel_rate",
    "return_rate",
    "conversion",
    "margin",
    "first_day",
    "last_day",
)
_NAMES: Final = {
    "revenue": (r"매출|수입|revenue|sales|turnover|earn", Said("매출", "revenue")),
    "profit": (r"이익|수익|profit", Said("이익", "profit")),
    "units": (r"판매량|몇\s?개|팔린|많이\s?팔|units|sold", Said("판매량", "units sold")),
    "orders": (r"주문\s?(?:수|건)|how many orders|number of orders", Said("주문 수", "orders")),
    "visitors": (r"방문자|유입|visitors|traffic", Said("방문자", "visitors")),
    "cancel_rate": (r"취소율|cancellation rate", Said("취소율", "cancellation rate")),
    "return_rate": (r"반품률|환불률|return rate|refund rate", Said("반품률", "return rate")),
    "conversion": (r"전환율|conversion", Said("전환율", "conversion rate")),
    "margin": (r"마진|margin", Said("마진율", "margin")),
}
_RATES: Final = frozenset({"cancel_rate", "return_rate", "conversion", "margin"})
_SALES: Final = r"매출|판매량|팔린|팔렸|취소율|반품률|환불률|방문자|전환율|마진율|revenue|\bsales\b|sold\b|best[- ]?sell|conversion|cancellation rate|return rate|visitors"
_PRODUCTS: Final = r"상품|제품|뭐가|어떤\s?(?:게|거|것)|1등|1위|products?|items?|which|best[- ]?sell"
_PRICING: Final = r"(?:올리|내리|인상|인하|낮추|높이|할인하|깎|바꾸|팔)[가-힣]*(?:면|을\s?경우|때)|raise|lower|cut|reduce|increase|drop|discount|sell (?:it |them )?(?:at|for)"
_GAIN: Final = r"이익|수익|마진|손익|profit|margin|남(?:아|나|을)"
_DOWN: Final = r"내리|내려|인하|낮추|낮춰|할인|깎|lower|cut|reduce|drop|discount|decrease|cheaper"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a seller: sales of a period, the first products, another price."""
    if sheet.says(_GAIN) and sheet.says(_PRICING) and not sheet.says(r"주식|금리|집|아파트|stock|rate|home|apartment"):
        pricing = _pricing_ask(sheet)
        return (
            (Claim(pricing, 0.95),)
            if len({one.role for one in pricing.quantities} & {"price", "cost", "units"}) >= 2
            else ()
        )
    last = (
        next((ask for ask in before[0].asks if ask.answerer.rpartition(".")[2].startswith("sales_")), None)
        if before
        else None
    )
    seller = sheet.user_type == "seller"
    owns = sheet.says(r"내\s|우리|제\s|\bmy\b|\bour\b") and sheet.says(
        r"가게|상점|스토어|매장|shop|store|상품|products?"
    )
    if sheet.says(_SALES) and (seller or owns) and not sheet.of_kind("security"):
        return (Claim(_sales_ask(sheet), 0.95 if seller else 0.9),)
    if (
        last is not None
        and short(sheet.text, 7)
        and (sheet.periods or sheet.says(_SALES) or (sheet.superlative and seller))
    ):
        return (Claim(_sales_ask(sheet, last), 0.9),)
    return ()


def _sales_ask(sheet: Sheet, last: Ask | None = None) -> Ask:
    start, end = _period(sheet)
    if not sheet.periods and last is not None:
        start, end = date.fromisoformat(last.start_date), date.fromisoformat(last.end_date)
    named = [name for name, (words, _) in _NAMES.items() if sheet.says(words)]
    measures = tuple(named) or (last.measures if last is not None else ("revenue",))
    by_product = sheet.says(_PRODUCTS) and (
        sheet.superlative is not None or sheet.says(r"1등|1위|top\b|순위|best[- ]?sell|많이\s?팔")
    )
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.RANK if by_product else AskForm.LEVEL,
        intent="seller_analytics",
        answerer="sales_rank" if by_product else "sales_level",
        measures=measures,
        start_date=start.isoformat(),
        end_date=end.isoformat(),
        order_by=measures[0],
        descending=sheet.superlative.is_most if sheet.superlative else True,
        notes={"period": _period_words(sheet)},
    )


def _period(sheet: Sheet) -> tuple[date, date]:
    """Return the days that are meant; the last thirty where nobody says."""
    today = sheet.today
    if match := sheet.find(r"(?:최근|지난|last|past)\s?(\d{1,3})\s?(?:일|days?)"):
        return today - timedelta(days=int(match[1])), today - timedelta(days=1)
    if sheet.says(r"이번\s?달|이달|this month"):
        return today.replace(day=1), today
    if sheet.periods:
        start, end, _ = sheet.periods[0]
        return start, end
    return today - timedelta(days=30), today - timedelta(days=1)


def _period_words(sheet: Sheet) -> str:
    return "month" if sheet.says(r"이번\s?달|이달|this month") else ""


def _level_calls(ask: Ask) -> Sequence[Call]:
    return [
        query(
            "own_sales",
            _MEASURES,
            tool=_TOOL,
            start=date.fromisoformat(ask.start_date),
            end=date.fromisoformat(ask.end_date),
        )
    ]


def _value(value: Decimal, measure: str) -> Said:
    if measure in {"revenue", "profit"}:
        return exact_won(value)
    if measure in _RATES:
        return percent(value)
    return Said(
        f"{decimal(value, 0)}{'명' if measure == 'visitors' else '건' if measure == 'orders' else '개'}",
        decimal(value, 0),
    )


def _level(ask: Ask, found: Found) -> Outcome:
    """Return the figures of a period."""
    row = next((one for one in rows_of(found.readings) if one.number("revenue") is not None), None)
    if row is None:
        sentence = Said(
            "이 기간에는 본인 상점의 판매 자료가 없습니다.", "There are no sales of your own shop in this period."
        )
        return Outcome(answered(ask, sentence))
    first, last = day_said(row.text("first_day")), day_said(row.text("last_day"))
    month = Said("이번 달 ", "this month ") if ask.notes.get("period") == "month" else Said("", "")
    parts = [
        filled(
            "{name} {value}", "{name} {value}", name=_NAMES[one][1], value=_value(row.number(one) or Decimal(0), one)
        )
        for one in ask.measures
    ]
    sentence = filled(
        "{month}{values}입니다({first}부터 {last}까지).",
        "Your shop's {values} {month}({first} to {last}).",
        month=month,
        values=listed(parts),
        first=first,
        last=last,
    )
    piece = proof(found.readings[0], Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
    others = [one for one in ("units", "orders", "profit") if one not in ask.measures]
    more = listed(
        [
            filled(
                "{name} {value}",
                "{name} {value}",
                name=_NAMES[one][1],
                value=_value(row.number(one) or Decimal(0), one),
            )
            for one in others
        ]
    )
    return Outcome(
        answered(ask, sentence, evidence_ids=(piece.evidence_id,), grounds=(Ground(more, (piece.evidence_id,)),)),
        evidence=(piece,),
    )


def _rank_calls(ask: Ask) -> Sequence[Call]:
    return [
        query(
            "own_sales",
            [*dict.fromkeys((*ask.measures, "revenue", "units", "first_day", "last_day"))],
            by=("product_id", "name_ko", "name_en", "category"),
            tool=_TOOL,
            start=date.fromisoformat(ask.start_date),
            end=date.fromisoformat(ask.end_date),
            order_by=ask.order_by,
            descending=ask.descending,
            limit=10,
        )
    ]


def _rank(ask: Ask, found: Found) -> Outcome:
    """Return the seller's products by a figure."""
    rows, measure = rows_of(found.readings), ask.order_by
    if not rows:
        sentence = Said(
            "이 기간에는 본인 상점의 판매 자료가 없습니다.", "There are no sales of your own shop in this period."
        )
        return Outcome(answered(ask, sentence))
    first = rows[0]
    name = Said(first.text("name_ko"), first.text("name_en"))
    label = _NAMES[measure][1]
    way = Said("가장 많은" if ask.descending else "가장 적은", "most" if ask.descending else "least")
    head = filled(
        "{label:이/가} {way} 상품은 {name}입니다: {value}({first}부터 {last}까지).",
        "By {label} the {way} comes from {name}: {value} ({first} to {last}).",
        label=label,
        way=way,
        name=name,
        value=_value(first.number(measure) or Decimal(0), measure),
        first=day_said(first.text("first_day")),
        last=day_said(first.text("last_day")),
    )
    rest = listed(
        [
            filled("{n} {v}", "{n} {v}", n=short_name(row), v=_value(row.number(measure) or Decimal(0), measure))
            for row in rows[1:3]
        ]
    )
    tail = filled("다음은 {rest}입니다.", "Next: {rest}.", rest=rest) if len(rows) > 1 else None
    piece = proof(found.readings[0], Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
    grounds = tuple(
        Ground(
            filled(
                "{at}위 {n}: {v}",
                "{at}. {n}: {v}",
                at=str(at),
                n=Said(row.text("name_ko"), row.text("name_en")),
                v=_value(row.number(measure) or Decimal(0), measure),
            ),
            (piece.evidence_id,),
        )
        for at, row in enumerate(rows, start=1)
    )
    told = tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {measure: row.text(measure)}) for row in rows
    )
    return Outcome(
        answered(ask, sentences(head, tail), evidence_ids=(piece.evidence_id,), grounds=grounds, told=told),
        evidence=(piece,),
    )


def _pricing_ask(sheet: Sheet) -> Ask:
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        intent="simulate_pricing",
        answerer="pricing",
        quantities=tuple(_pricing_roles(sheet)),
        notes={"down": "yes" if sheet.says(_DOWN) else ""},
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


def _pricing(ask: Ask, found: Found) -> Outcome:
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
    elasticity = Decimal(given["elasticity"].value) if given["elasticity"] else Decimal(str(ELASTICITY))
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


ANSWERERS: Final = (
    Answerer("sales_level", AGENTS, _level, _level_calls),
    Answerer("sales_rank", AGENTS, _rank, _rank_calls),
    Answerer("pricing", AGENTS, _pricing),
)
