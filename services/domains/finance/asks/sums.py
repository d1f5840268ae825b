"""What a sum would be: of shares bought before, of a number of shares, of dollars, of dividends, how many shares it buys."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Final

from services.contract.asks import Ask, AskInput, Ground, Origin, Said
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, shares_of, whole
from services.domains.finance.asks.typed.sums import AFTER_TAX
from services.domains.finance.asks.wording import dollars
from services.domains.general.taxes import withholdings
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, day_said, decimal, exact_won, filled, listed, percent, sentences, won

_FX: Final = "KR_USDKRW"


def _given(ask: Ask, role: str) -> Decimal | None:
    one = of_role(ask.quantities, role)
    return Decimal(one.value) if one is not None else None


def _inputs(ask: Ask) -> tuple[AskInput, ...]:
    return tuple(
        AskInput(one.role, Said(one.words, one.words), one.value, one.unit, Origin.GIVEN)
        for one in ask.quantities
        if one.role
    )


def invest_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of what a holding bought on a day is worth now, in won where the sum and the share differ."""
    return [*share_calls(ask, ("return",)), *_fx_calls(ask)]


def _fx_calls(ask: Ask) -> list[Call]:
    foreign = any(one.startswith("US:") for one in shares_of(ask))
    paid = of_role(ask.quantities, "sum")
    in_won = foreign and paid is not None and paid.unit == "krw"
    return series_calls((_FX,), ask) if in_won or "in" in ask.notes else []


def invest(ask: Ask, found: Found) -> Outcome:
    """Return what a sum put into a share, or a number of its shares, would be worth now."""
    held = Held(ask, found)
    subject = shares_of(ask)[0]
    ends, figure = held.ends(subject), held.change(subject)
    if ends is None or figure is None:
        return nothing(ask, held)
    then, now = (row.number("close") or Decimal(1) for row in ends)
    count, paid = _given(ask, "shares"), _given(ask, "sum")
    own = of_role(ask.quantities, "sum")
    grounds = [
        Ground(
            filled(
                "{name} 종가: {parts}, 배당은 넣지 않았습니다.",
                "{name}'s close: {parts}; dividends are left out.",
                name=held.name(subject),
                parts=figure.parts or "",
            )
        )
    ]
    if count is not None:
        before, after = then * count, now * count
        sentence = filled(
            "{name} {count}주는 {now} {after}입니다. {when} 종가로는 {before:이었/였}으니 {gain} {way}({share}).",
            "{count} shares of {name} would be worth {after} {now}, against {before} on {when}: a {way} of {gain} ({share}).",
            now=_sold(ask, held, ends[1]),
            gain=held.money(subject, abs(after - before), per_share=True), way=_way(after - before), name=held.name(subject), count=f"{int(count):,}", after=held.money(subject, after, per_share=True), before=held.money(subject, before, per_share=True), when=held.day(subject, ends[0]), share=figure.said,
        )  # fmt: skip
        told = sentences(sentence, _gain_changed(ask, held, after - before))
        return whole(ask, held, told, [figure], grounds=grounds, inputs=_inputs(ask))
    amount = paid or Decimal(0)
    after = amount * now / then
    in_dollars = own is not None and own.unit == "usd"
    gain = after - amount
    sentence = filled(
        "{when}에 {name}에 {paid:을/를} 넣었다면 {now} {after:이/가} 됩니다: {gain} {way}({share}).",
        "{paid} put into {name} on {when} would be {after} {now}: a {way} of {gain} ({share}).",
        now=_sold(ask, held, ends[1]),
        when=held.day(subject, ends[0]), name=held.name(subject), paid=_sum(amount, in_dollars=in_dollars), after=_sum(after, in_dollars=in_dollars), gain=_sum(abs(gain), in_dollars=in_dollars),
        way=_way(gain), share=figure.said,
    )  # fmt: skip
    if not held.is_won(subject) and not in_dollars:
        grounds.append(
            Ground(
                Said(
                    "환율 변동은 넣지 않고 달러 주가의 등락률만 적용했습니다.",
                    "Only the share's own return is applied; the exchange rate is left out.",
                )
            )
        )
    return whole(ask, held, sentence, [figure], grounds=grounds, inputs=_inputs(ask))


def _gain_changed(ask: Ask, held: Held, gain: Decimal) -> Said | None:
    """Return what a gain in a share's own currency is in the other one, where it is wanted so."""
    row, own = held.newest(_FX) if "in" in ask.notes else None, held.is_won(shares_of(ask)[0])
    rate = row.number("value") if row is not None else None
    if not rate or own == (ask.notes["in"] == "krw"):
        return None
    return filled(
        "지금 환율({fx}원)로는 {value} {way}. 사고파는 사이의 환율 변동은 넣지 않았습니다.",
        "At the rate of now (KRW {fx}) that is a {way} of {value}; how the rate moved in between is left out.",
        fx=decimal(rate, 1), value=dollars(abs(gain) / rate) if own else won(abs(gain) * rate), way=_way(gain),
    )  # fmt: skip


def _sold(ask: Ask, held: Held, row: QueryRow) -> Said:
    """Return when a sum that was put in is looked at: now, or on the day on which it was sold."""
    if not ask.end_date:
        return Said("지금", "now")
    return filled("{day}에는", "on {day}", day=held.day(shares_of(ask)[0], row))


def _way(gain: Decimal) -> Said:
    return Said("이익입니다", "gain") if gain >= 0 else Said("손실입니다", "loss")


def _sum(value: Decimal, *, in_dollars: bool) -> Said:
    return dollars(value) if in_dollars else won(value)


def worth_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of what a number of shares is worth, or how many a sum buys."""
    calls = share_calls(ask, tuple(dict.fromkeys(("price", *ask.measures))))
    return [*calls, *(series_calls((_FX,), ask) if _changes_money(ask) else [])]


def _changes_money(ask: Ask) -> bool:
    """Tell whether a rate of exchange is needed: for shares in dollars, and where won are wanted in dollars."""
    return "in" in ask.notes or any(one.startswith("US:") for one in shares_of(ask))


def worth(ask: Ask, found: Found) -> Outcome:
    """Return what a number of shares is worth or pays, or how many whole shares a sum buys."""
    held = Held(ask, found)
    subject = shares_of(ask)[0]
    measure = ask.measures[0] if ask.measures else "price"
    figure = held.share(measure, subject)
    if figure is None:
        return nothing(ask, held)
    count = _given(ask, "shares")
    rate = held.newest(_FX) if _changes_money(ask) else None
    fx = _given(ask, "exchange") or (rate.number("value") if rate is not None else None)
    if (
        of_role(ask.quantities, "change") is not None
        and (supposed := count or _bought(ask, held, figure, fx)) is not None
    ):
        return _supposed(ask, held, figure, supposed, fx)
    bought, price = "spend" in ask.notes, held.share("price", subject)
    if bought and price is not None:
        count = _bought(ask, held, price, fx)
    if count is None and measure == "dividend":
        return nothing(ask, held) if bought else _pays(ask, held, figure, fx)
    if count is None:
        return _buys(ask, held, figure, fx)
    total = figure.value * count
    name = figure.name
    what = Said("최근 4분기 배당금은 모두", "would have paid") if measure == "dividend" else Said("지금", "are worth")
    sentence = filled(
        "{name} {count}주의 {what} {total}입니다({per} × {count}주{tax}).",
        "{count} shares of {name} {what} {total}{time} ({per} a share times {count}{tax}).",
        name=name, count=f"{int(count):,}", what=Said("최근 4분기 배당금은", what.en) if measure == "dividend" else Said("값은", what.en), total=held.money(subject, total, per_share=True) if not held.is_won(subject) else exact_won(total),
        per=figure.said, tax=Said(", 세전", ", before tax") if measure == "dividend" else Said("", ""), time=Said("", " over the last four quarters") if measure == "dividend" else Said("", " at the last close"),
    )  # fmt: skip
    if measure == "dividend" and ("net" in ask.notes or re.search(AFTER_TAX, ask.words, re.IGNORECASE)):
        total, sentence = _after_tax(held, figure, subject, count)
    lead = [_spent(ask, price, count)] if bought and price is not None else []
    parts = [*lead, sentence]
    if fx is not None:
        in_won = not held.is_won(subject)
        parts.append(
            filled(
                "{currency} 약 {value}입니다(환율 {fx}원{given}).",
                "That is about {value} (at KRW {fx}{given}).",
                value=won(total * fx) if in_won else dollars(total / fx), fx=decimal(fx, 1),
                currency=Said("원화로는" if in_won else "달러로는", ""),
                given=Said(", 말씀하신 값", " as you said") if of_role(ask.quantities, "exchange") else Said("", ""),
            )
        )  # fmt: skip
    grounds = [Ground(filled("{when} 종가 기준입니다.", "As of the close of {when}.", when=figure.when))]
    return whole(ask, held, sentences(*parts), [figure], grounds=grounds, inputs=_inputs(ask))


def _spent(ask: Ask, price: Figure, count: Decimal) -> Said:
    """Return how many shares the sum of an ask buys."""
    own = of_role(ask.quantities, "sum")
    money = dollars if own is not None and own.unit == "usd" else won
    return filled(
        "{paid:으로/로} {name} {count}주를 살 수 있습니다(종가 {price}).",
        "{paid} buys {count} shares of {name} (close {price}).",
        paid=money(_given(ask, "sum") or Decimal(0)), name=price.name, count=f"{int(count):,}", price=price.said,
    )  # fmt: skip


def _after_tax(held: Held, figure: Figure, subject: str, count: Decimal) -> tuple[Decimal, Said]:
    """Return what is left of dividends after the tax that is withheld, and the sentence that tells it."""
    withheld = withholdings().dividends_kr if held.is_won(subject) else withholdings().dividends_us
    left = figure.value * count * withheld.left
    paid = exact_won(left.quantize(Decimal(1))) if held.is_won(subject) else held.money(subject, left, per_share=True)
    return left, filled(
        "{name} {count}주의 최근 4분기 배당금은 세후 {paid}입니다({per} × {count}주에서 배당소득세 {tax}를 뺀 값).",
        "{count} shares of {name} would have paid {paid} after tax over the last four quarters ({per} a share times {count}, "
        "less {tax} of tax).",
        name=figure.name,
        count=f"{int(count):,}",
        paid=paid,
        per=figure.said,
        tax=percent(withheld.percent),
    )


def holdings(ask: Ask, found: Found) -> Outcome:
    """Return what several holdings are worth together at the last close, in won."""
    held, parts, figures, total = Held(ask, found), [], [], Decimal(0)
    rate = held.newest(_FX)
    fx = rate.number("value") if rate is not None else None
    for subject, quantity in zip(shares_of(ask), ask.quantities, strict=False):
        figure, count = held.share("price", subject), Decimal(quantity.value)
        if figure is None or (not held.is_won(subject) and fx is None):
            return nothing(ask, held)
        own = figure.value * count
        total += own if held.is_won(subject) else own * (fx or Decimal(0))
        figures.append(figure)
        money = exact_won(own) if held.is_won(subject) else held.money(subject, own, per_share=True)
        parts.append(
            Said(f"{figure.name.ko} {int(count):,}주 {money.ko}", f"{int(count):,} of {figure.name.en} {money.en}")
        )
    sentence = filled(
        "모두 {total}입니다: {parts}({when} 종가 기준).",
        "Together they are worth {total}: {parts} (close of {when}).",
        total=exact_won(total), parts=listed(parts), when=figures[0].when,
    )  # fmt: skip
    return whole(ask, held, sentence, figures, inputs=_inputs(ask))


def _bought(ask: Ask, held: Held, figure: Figure, fx: Decimal | None) -> Decimal | None:
    """Return how many whole shares the sum of an ask buys; None where it has none, or its money cannot be changed."""
    paid, own = _given(ask, "sum"), next((one for one in ask.quantities if one.role == "sum"), None)
    in_won = own is not None and own.unit == "krw"
    if paid is None or (not in_won and held.is_won(figure.subject)):
        return None
    changed = in_won and not held.is_won(figure.subject)
    if changed and fx is None:
        return None
    price = figure.value * (fx or Decimal(1)) if changed else figure.value
    return (paid / price).to_integral_value(rounding=ROUND_FLOOR)


def _supposed(ask: Ask, held: Held, figure: Figure, count: Decimal, fx: Decimal | None) -> Outcome:
    """Return what a number of shares would be worth if their price moved so far from the last close."""
    moved = _given(ask, "change") or Decimal(0)
    price = figure.value * (1 + moved / 100)

    def money(value: Decimal) -> Said:
        return exact_won(value) if held.is_won(figure.subject) else held.money(figure.subject, value, per_share=True)

    sentence = filled(
        "{name} 주가가 {when} 종가 {now}에서 {share} {way} {price:이/가} 되고, {count}주는 {total}입니다({gap} {less}).",
        "If {name} {way} {share} from its close of {now} on {when}, a share is {price} and {count} shares are worth {total}, {gap} {less}.",
        name=figure.name, when=figure.when, now=figure.said, share=percent(abs(moved)), price=money(price), count=f"{int(count):,}", total=money(price * count), gap=money(abs(price - figure.value) * count),
        way=Said("내리면", "falls") if moved < 0 else Said("오르면", "rises"), less=Said("감소", "less") if moved < 0 else Said("증가", "more"),
    )  # fmt: skip
    if fx is not None and ask.notes.get("in") == "krw" and not held.is_won(figure.subject):
        in_won = filled(
            "원화로는 {count}주 약 {value}입니다(환율 {fx}원).", "That is about {value} in all (at KRW {fx}).",
            count=f"{int(count):,}", value=won(price * count * fx), fx=decimal(fx, 1),
        )  # fmt: skip
        sentence = sentences(sentence, in_won)
    return whole(ask, held, sentence, [figure], inputs=_inputs(ask))


def _buys(ask: Ask, held: Held, figure: Figure, fx: Decimal | None) -> Outcome:
    paid, own = _given(ask, "sum") or Decimal(0), next((one for one in ask.quantities if one.role == "sum"), None)
    in_won = own is not None and own.unit == "krw"
    price = figure.value
    if in_won and not held.is_won(figure.subject):
        if fx is None:
            return nothing(ask, held)
        price = price * fx
    if not in_won and held.is_won(figure.subject):
        return nothing(ask, held)
    count = (paid / price).to_integral_value(rounding=ROUND_FLOOR)
    rest = paid - count * price
    money = won if in_won else dollars
    left = exact_won(rest) if in_won else dollars(rest)
    if ask.notes.get("rest"):
        sentence = filled(
            "{rest:이/가} 남습니다({paid:으로/로} {name} {count}주를 산 뒤, {when} 종가 {price} 기준).",
            "{rest} is left of {paid} after {count} shares of {name} (close of {when}: {price}).",
            rest=left, paid=money(paid), name=figure.name, count=f"{int(count):,}", when=figure.when, price=figure.said,
        )  # fmt: skip
        return whole(ask, held, sentence, [figure], inputs=_inputs(ask))
    sentence = filled(
        "{paid:으로/로} {name:을/를} {count}주 살 수 있고 {rest:이/가} 남습니다({when} 종가 {price}{fx}).",
        "{paid} buys {count} whole shares of {name} and leaves {rest} (close of {when}: {price}{fx}).",
        paid=money(paid), name=figure.name, count=f"{int(count):,}", rest=left, when=figure.when, price=figure.said,
        fx=Said(f", 환율 {decimal(fx, 1)}원", f", KRW {decimal(fx, 1)} a dollar") if fx is not None and in_won else "",
    )  # fmt: skip
    return whole(
        ask,
        held,
        sentence,
        [figure],
        inputs=_inputs(ask),
        cautions=(Said("수수료와 세금은 넣지 않았습니다.", "Fees and taxes are left out."),),
    )


def _pays(ask: Ask, held: Held, figure: Figure, fx: Decimal | None) -> Outcome:
    """Return how many shares pay a sum of dividends in a year, and what they cost."""
    wanted, own = _given(ask, "sum") or Decimal(0), of_role(ask.quantities, "sum")
    price = held.share("price", figure.subject)
    in_won = own is not None and own.unit == "krw"
    changed = in_won != held.is_won(figure.subject)
    if price is None or not figure.value or (changed and fx is None):
        return nothing(ask, held)
    rate = (fx or Decimal(1)) if changed else Decimal(1)
    each = figure.value * rate if in_won else figure.value / rate
    count = (wanted / each).to_integral_value(rounding=ROUND_CEILING)
    cost = price.value * count
    sentence = filled(
        "최근 4분기 배당(한 주 {each})으로 {sum:을/를} 받으려면 {name} {count}주가 필요합니다(세전{fx}).",
        "To be paid {sum} at the last four dividends ({each} a share) takes {count} shares of {name}, before tax{fx}.",
        each=figure.said, sum=won(wanted) if in_won else dollars(wanted), name=figure.name, count=f"{int(count):,}",
        fx=Said(f", 환율 {decimal(fx, 1)}원", f", at KRW {decimal(fx, 1)} a dollar") if changed and fx else "",
    )  # fmt: skip
    cost_said = filled(
        "{when} 종가 {price}로 사면 {cost:이/가} 듭니다.", "At the close of {when}, {price}, they cost {cost}.",
        when=price.when, price=price.said, cost=held.money(figure.subject, cost, per_share=not held.is_won(figure.subject)),
    )  # fmt: skip
    return whole(ask, held, sentences(sentence, cost_said), [figure, price], inputs=_inputs(ask))


def exchange_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of changing money."""
    return series_calls((_FX,), ask)


def exchange(ask: Ask, found: Found) -> Outcome:
    """Return what a sum of dollars is in won, or of won in dollars, at the rate of the day."""
    held = Held(ask, found)
    figure = held.level(_FX)
    own = next((one for one in ask.quantities if one.role == "sum"), None)
    if figure is None or own is None:
        return nothing(ask, held)
    value, supposed = Decimal(own.value), _given(ask, "exchange")
    if supposed is not None:
        figure = replace(figure, value=supposed, said=Said(f"{decimal(supposed, 1)}원", f"KRW {decimal(supposed, 1)}"))
    is_dollars = own.unit == "usd"
    given, result = (
        (dollars(value), won(value * figure.value)) if is_dollars else (won(value), dollars(value / figure.value))
    )
    sentence = filled(
        "{given:은/는} {result}입니다({of} {rate}, 수수료 제외).",
        "{given} is {result} (at {rate} a dollar {of}, before fees).",
        given=given, result=result, rate=figure.said,
        of=Said("말씀하신 환율", "as you said") if supposed else Said(f"{figure.when.ko} 매매기준율", f"on {figure.when.en}"),
    )  # fmt: skip
    return whole(ask, held, sentence, [figure], inputs=_inputs(ask))


__all__ = [
    "date",
    "day_said",
    "exchange",
    "exchange_calls",
    "invest",
    "invest_calls",
    "percent",
    "worth",
    "worth_calls",
]
