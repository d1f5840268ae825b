"""What is asked of one product: its price, its stock, a property."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from services.contract.asks import Ask, AskCondition, AskForm, AskVerdict, Ground, Said
from services.domains.commerce.asks.goods.features import (
    Attribute,
    asked_attributes,
    is_property,
    label_of,
    meets,
    rating_said,
    value_said,
)
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.qualities import qualities
from services.domains.commerce.asks.goods.rows import Choice, chosen, models_of, named_models
from services.domains.commerce.asks.goods.saying import (
    full_name,
    line_said,
    named_with,
    price_of,
    priced_name,
    short_name,
    stock_of,
    stock_said,
    told_of,
)
from services.domains.commerce.asks.goods.subjects import codes_of
from services.plugin.asks.answering import Found, Outcome, answered, declined, ruled
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, sentences

_WHAT: Final = r"몇|얼마나|어떻|뭐|무슨|어떤|어느|스펙|사양|what|which|how (?:wide|big|large|many|much|long)|specs?"
_PRICE_OR_STOCK: Final = r"얼마(?!나)|가격|값|재고|품절|\bcosts?\b|price|stock|how much (?:is|does|are)"


def no_such_model(ask: Ask, found: Found, codes: Sequence[str] = ()) -> Outcome:
    """Return that models are not among the goods, and of those that were named beside them what they cost."""
    missing = ", ".join(codes or codes_of(ask))
    lacking = filled(
        "{names:은/는} 여기서 파는 상품에 없습니다.", "{names} is not among the goods sold here.", names=missing
    )
    choice = chosen(ask, found)
    others = (
        [row for code in codes_of(ask) if code not in codes for row in models_of(code, ask, choice)[:1]]
        if codes
        else []
    )
    known = listed([named_with(row, "price_krw") for row in others])
    more = filled("{known:은/는} 있습니다.", "There is the {known}.", known=known) if others else None
    return Outcome(declined(ask, sentences(lacking, more)))


def tell_model(ask: Ask, found: Found) -> Outcome:
    """Return what is asked of one product: its price, its stock, a property."""
    choice = chosen(ask, found)
    rows = named_models(ask, choice) if codes_of(ask) else list(choice.all)
    if not rows:
        return no_such_model(ask, found)
    if len(rows) > 1:
        return _several(ask, choice, found, rows)
    row, pieces = rows[0], proofs_of(found)
    more: dict[str, Any] = {"evidence_ids": evidence_ids_of(pieces), "told": (told_of(row),)}
    features = [one for one in ask.conditions if is_property(one, row.text("category"))]
    line = (Ground(line_said(row), evidence_ids_of(pieces)[:1]),)
    unsaid = ask.notes.get("unsaid", "")
    if not features and not _asked_of(ask, row) and ask.notes.get("wants") != "stock":
        unsaid = unsaid or _not_held(ask, row, found.asking.locale)
    if unsaid and not asked_attributes(unsaid, row.text("category")):
        return Outcome(answered(ask, _unsaid_said(row, unsaid), grounds=line, **more), evidence=pieces)
    # "무선이야?": whoever names a property of one product asks whether it has it.
    holds = features and not re.search(rf"{_WHAT}|{_PRICE_OR_STOCK}", ask.words, re.IGNORECASE)
    if ask.form is AskForm.VERDICT or holds:
        verdict, sentence = _feature_said(row, features) if features else _stock_verdict(row)
        judged = ruled(ask, verdict, sentence, grounds=line, **more)
        return Outcome(judged if ask.form is AskForm.VERDICT else replace(judged, verdict=None), evidence=pieces)
    if ask.notes.get("wants") == "stock":
        return Outcome(answered(ask, _left_said(row), grounds=line, **more), evidence=pieces)
    asked = _asked_of(ask, row)
    besides = [one for one in features if one.field not in {attribute.field for attribute in asked}]
    return Outcome(
        answered(ask, _values_and_features(row, asked, besides), grounds=line, **more)
        if asked
        else answered(ask, _described(row), **more),
        evidence=pieces,
    )


def _not_held(ask: Ask, row: QueryRow, language: str) -> str:
    """Return the property that is asked of a product and that no row has of such goods; empty where none is."""
    for one in ask.conditions:
        kind, _, name = one.field.partition(".")
        if kind == "unknown" and name in qualities():
            return qualities()[name].label.of(language)
        if kind == "attributes" and not is_property(one, row.text("category")):
            return one.words or name
    return ""


def _unsaid_said(row: QueryRow, words: str) -> Said:
    """Return that no row says of a product what was asked, and what it costs."""
    return filled(
        "{name}에 대해 ‘{words}’에 관한 것은 자료에 없어 알 수 없습니다. 값은 {price}입니다.",
        "Nothing in the data says “{words}” of the {name}, so I cannot tell. It costs {price}.",
        name=short_name(row),
        words=words,
        price=exact_won(price_of(row)),
    )


def _several(ask: Ask, choice: Choice, found: Found, rows: Sequence[QueryRow]) -> Outcome:
    features = [one for one in ask.conditions if is_property(one, rows[0].text("category"))]
    if ask.form is AskForm.VERDICT and features:
        return _each_has(ask, found, rows, features)
    sentence = filled(
        "{count}개가 있습니다: {names}.",
        "There are {count}: {names}.",
        count=str(len(rows)),
        names=listed([priced_name(one) for one in rows[:4]]),
    )
    return told_in_rows(ask, choice, found, sentence, rows)


def _each_has(ask: Ask, found: Found, rows: Sequence[QueryRow], features: Sequence[AskCondition]) -> Outcome:
    """Return which of several products have what was asked."""
    having = [row for row in rows if all(meets(row, one) for one in features)]
    lacking = [row for row in rows if row not in having]
    sentence = filled(
        "네, {having} 모두 {label} 됩니다."
        if not lacking
        else "아니요, {lacking:은/는} {label} 되지 않고 {having:은/는} 됩니다."
        if having
        else "아니요, {lacking:은/는} 모두 {label} 되지 않습니다.",
        "Yes, all of them have it ({label}): {having}."
        if not lacking
        else "No: {lacking} does not have it ({label}); {having} does."
        if having
        else "No, none of them has it ({label}): {lacking}.",
        having=listed([short_name(row) for row in having]),
        lacking=listed([short_name(row) for row in lacking]),
        label=listed([label_of(one, rows[0].text("category")) for one in features]),
    )
    pieces = proofs_of(found)
    ids = evidence_ids_of(pieces)
    grounds = tuple(Ground(line_said(row), ids[:1]) for row in rows)
    verdict = AskVerdict.NO if lacking else AskVerdict.YES
    return Outcome(
        ruled(ask, verdict, sentence, grounds=grounds, evidence_ids=ids, told=tuple(map(told_of, rows))),
        evidence=pieces,
    )


def _asked_of(ask: Ask, row: QueryRow) -> tuple[Attribute, ...]:
    """Return the properties that the newest message asks for; none where it asks for the price or the stock."""
    said = ask.notes.get("said", ask.words).split("\n", maxsplit=1)[0]
    if re.search(_PRICE_OR_STOCK, said, re.IGNORECASE) or not re.search(_WHAT, said, re.IGNORECASE):
        return ()
    return asked_attributes(said, row.text("category"))


def _values_said(row: QueryRow, attributes: Sequence[Attribute]) -> Said:
    values = [_value_with_label(row, one) for one in attributes]
    return filled("{name:은/는} {values}입니다.", "The {name}: {values}.", name=short_name(row), values=listed(values))


def _values_and_features(row: QueryRow, asked: Sequence[Attribute], besides: Sequence[AskCondition]) -> Said:
    """Return the values that were asked for, and whether the product has what was asked beside them."""
    values = _values_said(row, asked)
    return sentences(values, _feature_said(row, besides)[1]) if besides else values


def _value_with_label(row: QueryRow, one: Attribute) -> Said:
    value = value_said(row, one)
    return Said(
        *(
            own if label in own else f"{label} {own}"
            for label, own in zip((one.label.ko, one.label.en), (value.ko, value.en), strict=True)
        )
    )


def _feature_said(row: QueryRow, features: Sequence[AskCondition]) -> tuple[AskVerdict, Said]:
    yes = all(meets(row, one) for one in features)
    sentence = filled(
        "네, {name:은/는} {label} 됩니다({full})." if yes else "아니요, {name}에는 {label} 기능이 없습니다({full}).",
        "Yes, the {name} has it: {label} ({full})." if yes else "No, the {name} does not: {label} ({full}).",
        name=short_name(row),
        label=listed([label_of(one, row.text("category")) for one in features]),
        full=full_name(row),
    )
    return AskVerdict.YES if yes else AskVerdict.NO, sentence


def _stock_verdict(row: QueryRow) -> tuple[AskVerdict, Said]:
    left = stock_of(row)
    sentence = filled(
        "네, {name:은/는} 재고가 {left}개 있습니다. 값은 {price}입니다."
        if left
        else "아니요, {name:은/는} 지금 품절입니다. 값은 {price}입니다.",
        "Yes, {left} pieces of the {name} are in stock, at {price}."
        if left
        else "No, the {name} is sold out now. It costs {price}.",
        name=short_name(row),
        left=str(left),
        price=exact_won(price_of(row)),
    )
    return AskVerdict.YES if left else AskVerdict.NO, sentence


def _left_said(row: QueryRow) -> Said:
    left = str(stock_of(row))
    return filled(
        "{name}의 재고는 {left}개입니다.", "{left} pieces of the {name} are left.", name=short_name(row), left=left
    )


def _described(row: QueryRow) -> Said:
    discount, before = int(row.number("discount_percent") or 0), exact_won(row.number("list_price_krw") or 0)
    off = Said(f"(정가 {before.ko}에서 {discount}% 할인)", f" ({discount}% off {before.en})")
    return filled(
        "{full:은/는} {price}{off}이고 {stock}, 평점 {rating}입니다.",
        "The {full} costs {price}{off}; {stock}, rated {rating}.",
        full=full_name(row),
        price=exact_won(price_of(row)),
        off=off if discount else Said("", ""),
        stock=stock_said(row),
        rating=rating_said(row),
    )
