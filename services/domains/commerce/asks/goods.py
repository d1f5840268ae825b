"""Goods: those that meet conditions, the first of a class, what suits, two models compared, one model, what a purchase costs."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskInput, AskVerdict, Ground, Origin, Said
from services.contract.flow import Evidence
from services.domains.commerce.asks.features import ATTRIBUTE, features_said, label_of, meets, rating_said
from services.domains.commerce.asks.goods_read import GOODS, category_of, codes_of
from services.domains.commerce.asks.goods_rows import (
    DATA,
    Choice,
    category_said,
    chosen,
    figure_said,
    full_name,
    goods_calls,
    limits_said,
    line_said,
    price_of,
    short_name,
    stock_of,
    stock_said,
    told_of,
    unapplied_said,
)
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, SHIPPING_KRW
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, answered, asking_back, declined, ruled
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    exact_won,
    filled,
    listed,
    proof,
    query,
    rows_of,
    sentences,
    where,
)

AGENTS: Final = ("commerce.product_search",)
"""Who answers what is asked of the shop."""
_SHOWN: Final = 40
_PRIOR_REVIEWS: Final = Decimal(20)
_PRIOR_RATING: Final = Decimal(4)
_PRICE_MAY_MOVE: Final = Said(
    "값과 재고는 조회한 때의 것이라 주문할 때 다를 수 있습니다.",
    "Prices and stock are those of the moment of reading and may differ when you order.",
)


def _list(ask: Ask, found: Found) -> Outcome:
    """Return the goods that meet every condition, and how many there are."""
    choice = chosen(ask, found)
    if not choice.rows:
        return _none(ask, choice, found)
    what, limits = category_said(ask, choice.all), limits_said(choice, ask)
    rows, total, sold_out = choice.rows, len(choice.rows), len(choice.rows) - len(choice.in_stock)
    first = listed([_priced(row) for row in rows[:3]])
    if limits.ko:
        head = filled(
            "조건({limits})에 맞는 {what:은/는} {total}개입니다{out}: {first}.",
            "{total} {what} meet the conditions ({limits}){out}: {first}.",
            limits=limits,
            what=what,
            total=str(total),
            out=_sold_out(sold_out),
            first=first,
        )
    else:
        head = filled(
            "{what:은/는} 모두 {total}개 있습니다{out}: {first}.",
            "There are {total} {what}{out}: {first}.",
            what=what,
            total=str(total),
            out=_sold_out(sold_out),
            first=first,
        )
    return _of_rows(ask, choice, found, sentences(head, unapplied_said(choice, ask)), rows)


def _priced(row: QueryRow) -> Said:
    price, out = exact_won(price_of(row)), Said("", "") if stock_of(row) else Said("(품절)", " (sold out)")
    name = full_name(row)
    return Said(f"{name.ko} {price.ko}{out.ko}", f"{name.en} {price.en}{out.en}")


def _sold_out(count: int) -> Said:
    return Said(f"(그중 품절 {count}개)", f", {count} of them sold out") if count else Said("", "")


def _none(ask: Ask, choice: Choice, found: Found) -> Outcome:
    """Return that nothing meets the conditions, with what the price would have to be."""
    limits, what = limits_said(choice, ask), category_said(ask, choice.all)
    cheaper = next((one for one in ask.conditions if one.words == "cheaper"), None)
    if cheaper is not None:
        sentence = filled(
            "{price}보다 더 싼 것은 조건에 맞는 {what} 가운데 없습니다.",
            "No {what} that meet the conditions cost less than {price}.",
            price=exact_won(Decimal(cheaper.value)),
            what=what,
        )
        return Outcome(answered(ask, sentence, conditions=choice.conditions))
    head = filled(
        "조건({limits})에 맞는 {what:은/는} 없습니다.",
        "There are no {what} that meet the conditions ({limits}).",
        limits=limits,
        what=what,
    )
    others = [one for one in choice.conditions if one.applied and one.field != "price_krw"]
    priced = [row for row in choice.all if all(meets(row, one) for one in others)]
    more = None
    if priced and len(others) < sum(one.applied for one in choice.conditions):
        least = min(map(price_of, priced))
        more = filled(
            "값 조건을 빼면 {least}부터 있습니다.",
            "Without the limit on the price they begin at {least}.",
            least=exact_won(least),
        )
    pieces = _proofs(found)
    step = Said("값이나 조건 하나를 넓혀서 다시 물어보세요.", "Ask again with a wider price or one condition less.")
    return Outcome(
        answered(
            ask,
            sentences(head, more, unapplied_said(choice, ask)),
            conditions=choice.conditions,
            evidence_ids=_ids(pieces),
            next_steps=(step,),
        ),
        evidence=pieces,
    )


def _proofs(found: Found) -> tuple[Evidence, ...]:
    return tuple(proof(one, DATA, found.asking.locale, "product") for one in found.readings if one.rows)


def _ids(pieces: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(piece.evidence_id for piece in pieces)


def _of_rows(
    ask: Ask, choice: Choice, found: Found, sentence: Said, rows: Sequence[QueryRow], **more: object
) -> Outcome:
    pieces = _proofs(found)
    lines = (
        tuple(Ground(line_said(row), _ids(pieces)[:1]) for row in rows[:_SHOWN])
        if len(rows) > 1 or ask.form is AskForm.LIST
        else ()
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=_ids(pieces),
        grounds=more.pop("grounds", lines),
        conditions=choice.conditions,
        told=tuple(told_of(row) for row in rows[:_SHOWN]),
        **more,
    )
    return Outcome(answer, evidence=pieces)


def _rank(ask: Ask, found: Found) -> Outcome:
    """Return the first of those that meet the conditions by a figure, and the next."""
    choice = chosen(ask, found)
    by = ask.order_by or "price_krw"
    rows = choice.in_stock or choice.rows if by == "price_krw" else choice.rows
    if not rows:
        return _none(ask, choice, found)
    best = [row for row in rows if row.number(by) == rows[0].number(by)]
    first, limits = best[0], limits_said(choice, ask)
    what = category_said(ask, choice.all)
    rest = [row for row in rows if row not in best][:2]
    ways = {
        ("price_krw", False): Said("가장 싼", "cheapest"),
        ("price_krw", True): Said("가장 비싼", "dearest"),
        ("rating", True): Said("평점이 가장 높은", "best rated"),
        ("rating", False): Said("평점이 가장 낮은", "worst rated"),
        ("review_count", True): Said("리뷰가 가장 많은", "most reviewed"),
        ("discount_percent", True): Said("할인율이 가장 높은", "most discounted"),
        ("stock", True): Said("재고가 가장 많은", "best stocked"),
        ("stock", False): Said("재고가 가장 적은", "least stocked"),
    }
    scope = Said(f"{limits.ko} 조건의 " if limits.ko else "", f" ({limits.en})" if limits.en else "")
    figure = figure_said(first, by)
    extra = (
        exact_won(price_of(first))
        if by != "price_krw"
        else Said(f"평점 {rating_said(first)}", f"rated {rating_said(first)}")
    )
    head = filled(
        "{scope}{what} 가운데 {way} 것은 {name}입니다: {figure}, {extra}, {stock}.",
        "The {way} of the {what}{scope} is the {name}: {figure}, {extra}, {stock}.",
        scope=scope,
        what=what,
        way=ways.get((by, ask.descending), ways["price_krw", False]),
        name=full_name(first),
        figure=figure,
        extra=extra,
        stock=stock_said(first),
    )
    equal = None
    if len(best) > 1:
        equal = filled(
            "{names}도 같습니다.", "So is {names}.", names=listed([_with(row, "price_krw") for row in best[1:3]])
        )
    then = (
        filled("다음은 {rest}입니다.", "Next: {rest}.", rest=listed([_with(row, by) for row in rest])) if rest else None
    )
    return _of_rows(ask, choice, found, sentences(head, equal, then, unapplied_said(choice, ask)), rows)


def _with(row: QueryRow, by: str) -> Said:
    name, figure = short_name(row), figure_said(row, by)
    return Said(f"{name.ko}({figure.ko})", f"{name.en} ({figure.en})")


def _score(row: QueryRow) -> Decimal:
    """Return a rating that few reviews do not carry far, a little higher where the price is reduced."""
    count, rating = row.number("review_count") or Decimal(0), row.number("rating") or Decimal(0)
    steady = (rating * count + _PRIOR_RATING * _PRIOR_REVIEWS) / (count + _PRIOR_REVIEWS)
    return steady + (row.number("discount_percent") or Decimal(0)) / 200


def _recommend(ask: Ask, found: Found) -> Outcome:
    """Return at most three that fit and can be bought, each with why."""
    choice = chosen(ask, found)
    pieces = of_role(ask.quantities, "pieces")
    number = int(pieces.value) if pieces is not None else 1
    budget = of_role(ask.quantities, "budget")
    fitting = [row for row in choice.in_stock if stock_of(row) >= (number if budget else 1)]
    if not fitting:
        if choice.rows:
            sentence = filled(
                "조건({limits})에 맞는 {what:은/는} {total}개 있지만 지금 모두 품절입니다.",
                "{total} {what} meet the conditions ({limits}), but all are sold out now.",
                limits=limits_said(choice, ask),
                what=category_said(ask),
                total=str(len(choice.rows)),
            )
            return Outcome(answered(ask, sentence, conditions=choice.conditions))
        return _none(ask, choice, found)
    by_figure = bool(ask.order_by)
    rows = fitting if by_figure else sorted(fitting, key=_score, reverse=True)
    shown = rows[:3]
    first = shown[0]
    why = _why(first, choice, ask)
    total = Said("", "")
    if budget is not None:
        whole = exact_won(price_of(first) * number)
        total = Said(f", {number}개 합계 {whole.ko}", f", {number} pieces {whole.en} in total")
    head = filled(
        "{name:을/를} 추천합니다: {price}{total}, {why}.",
        "I suggest the {name}: {price}{total}; {why}.",
        name=full_name(first),
        price=exact_won(price_of(first)),
        total=total,
        why=why,
    )
    rest = listed([_with(row, "price_krw") for row in shown[1:]])
    then = filled("다음으로 {rest}도 맞습니다.", "{rest} would fit as well.", rest=rest) if len(shown) > 1 else None
    grounds = tuple(
        Ground(_reasoned(row, choice, ask, number if budget else 1), _ids(_proofs(found))[:1]) for row in shown
    )
    return _of_rows(
        ask,
        choice,
        found,
        sentences(head, then, unapplied_said(choice, ask)),
        shown,
        grounds=grounds,
        cautions=(_PRICE_MAY_MOVE,),
    )


def _why(row: QueryRow, choice: Choice, ask: Ask) -> Said:
    features = list(features_said(row, choice.conditions))
    discount = int(row.number("discount_percent") or 0)
    count = f"{int(row.number('review_count') or 0):,}"
    parts = [
        Said(f"평점 {rating_said(row)}(리뷰 {count}개)", f"rated {rating_said(row)} ({count} reviews)"),
        stock_said(row),
    ]
    parts += [Said(f"{discount}% 할인", f"{discount}% off")] if discount else []
    if features:
        fit = listed(features)
        parts.insert(0, Said(f"{fit.ko} 조건에 맞고", f"it is {fit.en}"))
    del ask
    text = listed(parts)
    return Said(text.ko.replace("맞고, ", "맞고 "), text.en)


def _reasoned(row: QueryRow, choice: Choice, ask: Ask, number: int) -> Said:
    name, price, why = full_name(row), exact_won(price_of(row)), _why(row, choice, ask)
    whole = exact_won(price_of(row) * number)
    total = Said(f"({number}개 {whole.ko})", f" ({number}: {whole.en})") if number > 1 else Said("", "")
    return Said(f"{name.ko}: {price.ko}{total.ko}, {why.ko}", f"{name.en}: {price.en}{total.en}; {why.en}")


def _by_code(ask: Ask, choice: Choice) -> list[QueryRow]:
    """Return the models that were named: of several of one code the one whose maker, line or kind the words name."""
    codes = codes_of(ask)
    if not codes:
        return list(choice.rows or choice.all)
    found = []
    said = ask.notes.get("said", ask.words).casefold()
    for code in codes:
        own = [row for row in choice.all if f" {code} " in f" {row.text('name_ko')} "]
        best = max(own, key=lambda row: _likeness(row, said), default=None)
        if best is not None:
            score = _likeness(best, said)
            found += [row for row in own if _likeness(row, said) == score]
    return found


def _likeness(row: QueryRow, said: str) -> int:
    words = {word.casefold() for name in ("name_ko", "name_en") for word in row.text(name).split() if len(word) > 1}
    return sum(word in said for word in words)


def _unknown_model(ask: Ask, found: Found) -> Outcome:
    names = Said(", ".join(codes_of(ask)), ", ".join(codes_of(ask)))
    sentence = filled(
        "{names:은/는} 여기서 파는 상품에 없습니다.", "{names} is not among the goods sold here.", names=names
    )
    del found
    return Outcome(declined(ask, sentence))


def _compare(ask: Ask, found: Found) -> Outcome:
    """Return which of two models costs less, or is rated higher, and by how much."""
    choice = chosen(ask, found)
    rows = _by_code(ask, choice)[:4]
    missing = [code for code in codes_of(ask) if not any(f" {code} " in f" {row.text('name_ko')} " for row in rows)]
    if len(rows) < 2 or missing:
        name = Said(", ".join(missing), ", ".join(missing))
        lacking = filled(
            "{name:은/는} 여기서 파는 상품에 없어 비교할 수 없습니다.",
            "{name} is not among the goods sold here, so there is nothing to compare.",
            name=name,
        )
        head = listed([_with(row, "price_krw") for row in rows])
        return Outcome(declined(ask, sentences(lacking, head if rows else None)))
    by_rating = ask.order_by == "rating"
    by_price, rated = sorted(rows, key=price_of), sorted(rows, key=lambda row: row.number("rating") or 0, reverse=True)
    price, rating = _price_compared(by_price), _rating_compared(rated)
    parts = (rating, price) if by_rating else (price, rating)
    ordered = rated if by_rating else by_price
    return _of_rows(ask, choice, found, sentences(*parts), ordered)


def _price_compared(rows: Sequence[QueryRow]) -> Said:
    low, high = rows[0], rows[-1]
    apart = price_of(high) - price_of(low)
    if not apart:
        return filled(
            "{a:와/과} {b}의 값은 {price}으로 같습니다.",
            "{a} and {b} cost the same, {price}.",
            a=short_name(low),
            b=short_name(high),
            price=exact_won(price_of(low)),
        )
    return filled(
        "{low:이/가} {apart} 더 쌉니다: {low} {lp}, {high} {hp}.",
        "The {low} costs less, by {apart}: {low} {lp}, {high} {hp}.",
        low=short_name(low),
        high=short_name(high),
        apart=exact_won(apart),
        lp=exact_won(price_of(low)),
        hp=exact_won(price_of(high)),
    )


def _rating_compared(rows: Sequence[QueryRow]) -> Said:
    best, worst = rows[0], rows[-1]
    if best.number("rating") == worst.number("rating"):
        return filled("평점은 {r}로 같습니다.", "Both are rated {r}.", r=rating_said(best))
    return filled(
        "평점은 {best:이/가} 높습니다({b} 대 {w}).",
        "The {best} is rated higher ({b} against {w}).",
        best=short_name(best),
        b=rating_said(best),
        w=rating_said(worst),
    )


def _one(ask: Ask, found: Found) -> Outcome:
    """Return what is asked of one product: its price, its stock, a property."""
    choice = chosen(ask, found)
    rows = _by_code(ask, choice) if codes_of(ask) else list(choice.all)
    if not rows:
        return _unknown_model(ask, found)
    row = rows[0]
    if len(rows) > 1:
        sentence = filled(
            "{count}개가 있습니다: {names}.",
            "There are {count}: {names}.",
            count=str(len(rows)),
            names=listed([_priced(one) for one in rows[:4]]),
        )
        return _of_rows(ask, choice, found, sentence, rows)
    pieces, name = _proofs(found), short_name(row)
    features = [one for one in ask.conditions if one.field.startswith(ATTRIBUTE)]
    more = {
        "evidence_ids": _ids(pieces),
        "told": (told_of(row),),
        "grounds": (Ground(line_said(row), _ids(pieces)[:1]),),
    }
    if ask.form is AskForm.VERDICT and features:
        yes = all(meets(row, one) for one in features)
        label = listed([label_of(one, row.text("category")) for one in features])
        sentence = filled(
            "네, {name:은/는} {label} 됩니다({full})."
            if yes
            else "아니요, {name}에는 {label} 기능이 없습니다({full}).",
            "Yes, the {name} is {label} ({full})." if yes else "No, the {name} is not {label} ({full}).",
            name=name,
            label=label,
            full=full_name(row),
        )
        return Outcome(ruled(ask, AskVerdict.YES if yes else AskVerdict.NO, sentence, **more), evidence=pieces)
    left = stock_of(row)
    price = exact_won(price_of(row))
    if ask.form is AskForm.VERDICT:
        sentence = filled(
            "네, {name:은/는} 재고가 {left}개 있습니다. 값은 {price}입니다."
            if left
            else "아니요, {name:은/는} 지금 품절입니다. 값은 {price}입니다.",
            "Yes, {left} pieces of the {name} are in stock, at {price}."
            if left
            else "No, the {name} is sold out now. It costs {price}.",
            name=name,
            left=str(left),
            price=price,
        )
        return Outcome(ruled(ask, AskVerdict.YES if left else AskVerdict.NO, sentence, **more), evidence=pieces)
    if ask.notes.get("wants") == "stock":
        sentence = filled(
            "{name}의 재고는 {left}개입니다.", "{left} pieces of the {name} are left.", name=name, left=str(left)
        )
        return Outcome(answered(ask, sentence, **more), evidence=pieces)
    discount = int(row.number("discount_percent") or 0)
    off = (
        filled(
            "(정가 {old}에서 {off}% 할인)",
            " ({off}% off {old})",
            old=exact_won(row.number("list_price_krw") or 0),
            off=str(discount),
        )
        if discount
        else Said("", "")
    )
    sentence = filled(
        "{full:은/는} {price}{off}이고 {stock}, 평점 {rating}입니다.",
        "The {full} costs {price}{off}; {stock}, rated {rating}.",
        full=full_name(row),
        price=price,
        off=off,
        stock=stock_said(row),
        rating=rating_said(row),
    )
    more.pop("grounds")
    return Outcome(answered(ask, sentence, **more), evidence=pieces)


def _total(ask: Ask, found: Found) -> Outcome:
    """Return what a purchase costs: goods, then a coupon, then the way."""
    choice = chosen(ask, found)
    rows = _by_code(ask, choice) if codes_of(ask) else list(choice.all)
    if not rows:
        return _unknown_model(ask, found)
    row = rows[0]
    said = of_role(ask.quantities, "pieces")
    number = int(said.value) if said is not None else 1
    goods = price_of(row) * number
    coupon = _coupon(ask, goods)
    shipping = Decimal(0) if goods >= FREE_SHIPPING_FROM_KRW else Decimal(SHIPPING_KRW)
    total = goods - coupon + shipping
    way = (
        Said("무료배송", "free shipping")
        if not shipping
        else Said(f"배송비 {exact_won(shipping).ko}", f"shipping {exact_won(shipping).en}")
    )
    less = filled(" - 쿠폰 {c}", " less the coupon of {c}", c=exact_won(coupon)) if coupon else Said("", "")
    sentence = filled(
        "{name} {n}개는 배송비까지 모두 {total}입니다({price} × {n} = {goods}{less}, {way}).",
        "{n} × {name} comes to {total} in all ({price} × {n} = {goods}{less}, {way}).",
        name=short_name(row),
        n=str(number),
        total=exact_won(total),
        price=exact_won(price_of(row)),
        goods=exact_won(goods),
        less=less,
        way=way,
    )
    free = exact_won(FREE_SHIPPING_FROM_KRW)
    rule = Said(
        f"배송비는 상품 합계가 {free.ko} 이상이면 없고, 그보다 적으면 {exact_won(SHIPPING_KRW).ko}입니다.",
        f"Shipping is free from {free.en} of goods, else {exact_won(SHIPPING_KRW).en}.",
    )
    short_of = stock_of(row) < number
    warning = (
        (
            filled(
                "재고가 {left}개뿐이라 {n}개를 살 수 없습니다.",
                "Only {left} are in stock, fewer than {n}.",
                left=str(stock_of(row)),
                n=str(number),
            ),
        )
        if short_of
        else ()
    )
    pieces = _proofs(found)
    inputs = (
        AskInput("pieces", Said("수량", "pieces"), str(number), "count", Origin.GIVEN if said else Origin.ASSUMED),
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=_ids(pieces),
        inputs=inputs,
        told=(told_of(row),),
        grounds=(Ground(rule, _ids(pieces)[:1]),),
        cautions=warning,
    )
    return Outcome(answer, evidence=pieces)


def _coupon(ask: Ask, goods: Decimal) -> Decimal:
    if (flat := of_role(ask.quantities, "coupon_krw")) is not None:
        return min(Decimal(flat.value), goods)
    if (share := of_role(ask.quantities, "coupon_percent")) is not None:
        return goods * Decimal(share.value) // 100
    return Decimal(0)


def _reviews_calls(ask: Ask) -> Sequence[Call]:
    own = [where("category", category_of(ask))] if category_of(ask) else []
    ids, codes = ask.notes.get("ids", ""), codes_of(ask)
    if ids:
        own = [where("product_id", tuple(ids.split("|")), "in")]
    elif codes:
        own = [*own, where("name_ko", f" {codes[0]} ", "contains")]
    fields = ("product_id", "name_ko", "name_en", "stars", "body", "written_at")
    return [
        *goods_calls(ask),
        query("product_reviews", fields, mode="rows", filters=own, order_by="written_at", limit=200),
    ]


def _reviews(ask: Ask, found: Found) -> Outcome:
    """Return what buyers wrote of a product, with its rating; good and bad alike."""
    choice = chosen(ask, found)
    rows = _by_code(ask, choice) if codes_of(ask) else list(choice.rows)
    if not rows:
        return _unknown_model(ask, found) if codes_of(ask) else _none(ask, choice, found)
    written = rows_of(found.readings, "product_reviews")
    pieces = _proofs(found)
    if len(rows) > 1:
        return _reviews_of_many(ask, choice, found, rows, written)
    row = rows[0]
    own = [one for one in written if one.text("product_id") == row.text("product_id")]
    count = f"{int(row.number('review_count') or 0):,}"
    quoted = listed(
        [
            Said(
                f"{one.text('stars').removesuffix('.0')}점 “{one.text('body')}”",
                f"{one.text('stars').removesuffix('.0')} stars “{one.text('body')}”",
            )
            for one in own[:2]
        ]
    )
    head = filled(
        "{name}의 평점은 {rating}점입니다(리뷰 {count}개).",
        "The {name} is rated {rating} over {count} reviews.",
        name=short_name(row),
        rating=rating_said(row),
        count=count,
    )
    tail = (
        filled("글로 남은 후기 {n}건: {quoted}", "Of the {n} written ones: {quoted}", n=str(len(own)), quoted=quoted)
        if own
        else Said("글로 남은 후기는 자료에 없습니다.", "No written review is in the data.")
    )
    grounds = tuple(
        filled(
            "{stars}점 ({day}): {body}",
            "{stars} stars ({day}): {body}",
            stars=one.text("stars").removesuffix(".0"),
            day=day_said(one.text("written_at")),
            body=one.text("body"),
        )
        for one in own[:5]
    )
    answer = answered(
        ask,
        sentences(head, tail),
        evidence_ids=_ids(pieces),
        told=(told_of(row),),
        grounds=tuple(Ground(one, _ids(pieces)[-1:]) for one in grounds[2:]),
    )
    return Outcome(answer, evidence=pieces)


def _reviews_of_many(
    ask: Ask, choice: Choice, found: Found, rows: Sequence[QueryRow], written: Sequence[QueryRow]
) -> Outcome:
    most = sorted(rows, key=lambda row: row.number("review_count") or 0, reverse=True)
    names = listed(
        [
            Said(
                f"{short_name(r).ko} 평점 {rating_said(r)}(리뷰 {int(r.number('review_count') or 0):,}개)",
                f"{short_name(r).en} {rating_said(r)} ({int(r.number('review_count') or 0):,})",
            )
            for r in most[:3]
        ]
    )
    head = filled(
        "{what} 가운데 리뷰가 많은 것은 {names}입니다.",
        "The most reviewed {what} are {names}.",
        what=category_said(ask, choice.all),
        names=names,
    )
    by_id = {row.text("product_id"): row for row in rows}
    own = [one for one in written if one.text("product_id") in by_id][:6]
    pieces = _proofs(found)
    grounds = tuple(
        Ground(
            filled(
                "{name} {stars}점: {body}",
                "{name}, {stars} stars: {body}",
                name=short_name(one),
                stars=one.text("stars").removesuffix(".0"),
                body=one.text("body"),
            ),
            _ids(pieces)[-1:],
        )
        for one in own
    )
    step = Said("한 상품의 후기를 보려면 모델 이름을 말해 주세요.", "Name a model to see its own reviews.")
    return _of_rows(ask, choice, found, head, most[:10], grounds=grounds, next_steps=(step,))


def _missing(ask: Ask, found: Found) -> Outcome:
    """Return that goods are not sold here, and of which makers there are some."""
    rows = rows_of(found.readings, "products")
    what, notes = category_said(ask), ask.notes
    if "maker_ko" not in notes:
        sentence = filled(
            "‘{what}’ 상품은 여기서 팔지 않습니다.",
            "We do not sell “{what}”; it is not in the catalogue.",
            what=Said(notes["ko"], notes["en"]),
        )
        return Outcome(declined(ask, sentence))
    maker = Said(notes["maker_ko"], notes["maker_en"])
    head = filled("{maker} 상품은 여기에 없습니다.", "There are no {maker} products here.", maker=maker)
    brands = list(dict.fromkeys((row.text("brand_ko"), row.text("brand_en")) for row in rows))
    more = None
    if brands:
        names = listed([Said(*one) for one in brands])
        more = filled(
            "{what:은/는} {names} 것이 있습니다.", "The {what} sold here are by {names}.", what=what, names=names
        )
    return Outcome(declined(ask, sentences(head, more)))


def _missing_calls(ask: Ask) -> Sequence[Call]:
    return goods_calls(ask) if category_of(ask) else ()


def _which(ask: Ask, found: Found) -> Outcome:
    del found
    sentence = Said(
        "어떤 종류의 상품을, 누가 어디에 쓸 것이며, 예산은 얼마인가요? 알려 주시면 맞는 것을 골라 드립니다.",
        "What kind of product do you have in mind, for whom or for what use, and at what budget? Then I can suggest what fits.",
    )
    missing = (Said("상품 종류", "the kind of product"), Said("쓰임", "its use"), Said("예산", "the budget"))
    return Outcome(asking_back(ask, sentence, *missing))


ANSWERERS: Final = (
    Answerer(f"{GOODS}list", AGENTS, _list, goods_calls),
    Answerer(f"{GOODS}rank", AGENTS, _rank, goods_calls),
    Answerer(f"{GOODS}recommend", AGENTS, _recommend, goods_calls),
    Answerer(f"{GOODS}compare", AGENTS, _compare, goods_calls),
    Answerer(f"{GOODS}one", AGENTS, _one, goods_calls),
    Answerer(f"{GOODS}total", AGENTS, _total, goods_calls),
    Answerer(f"{GOODS}reviews", AGENTS, _reviews, _reviews_calls),
    Answerer(f"{GOODS}missing", AGENTS, _missing, _missing_calls),
    Answerer(f"{GOODS}which", AGENTS, _which),
)
