"""What is asked of one product: its price, its stock, a property."""

from services.contract.asks import Ask, AskForm, AskVerdict, Ground, Said
from services.domains.commerce.asks.goods.features import ATTRIBUTE, label_of, meets, rating_said
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.rows import chosen, named_models
from services.domains.commerce.asks.goods.saying import (
    full_name,
    line_said,
    price_of,
    priced_name,
    short_name,
    stock_of,
    stock_said,
    told_of,
)
from services.domains.commerce.asks.goods.subjects import codes_of
from services.plugin.asks.answering import Found, Outcome, answered, declined, ruled
from services.plugin.asks.telling import exact_won, filled, listed


def no_such_model(ask: Ask, found: Found) -> Outcome:
    names = Said(", ".join(codes_of(ask)), ", ".join(codes_of(ask)))
    sentence = filled(
        "{names:은/는} 여기서 파는 상품에 없습니다.", "{names} is not among the goods sold here.", names=names
    )
    del found
    return Outcome(declined(ask, sentence))


def tell_model(ask: Ask, found: Found) -> Outcome:
    """Return what is asked of one product: its price, its stock, a property."""
    choice = chosen(ask, found)
    rows = named_models(ask, choice) if codes_of(ask) else list(choice.all)
    if not rows:
        return no_such_model(ask, found)
    row = rows[0]
    if len(rows) > 1:
        sentence = filled(
            "{count}개가 있습니다: {names}.",
            "There are {count}: {names}.",
            count=str(len(rows)),
            names=listed([priced_name(one) for one in rows[:4]]),
        )
        return told_in_rows(ask, choice, found, sentence, rows)
    pieces, name = proofs_of(found), short_name(row)
    features = [one for one in ask.conditions if one.field.startswith(ATTRIBUTE)]
    more = {
        "evidence_ids": evidence_ids_of(pieces),
        "told": (told_of(row),),
        "grounds": (Ground(line_said(row), evidence_ids_of(pieces)[:1]),),
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
