"""A multiple at a price that is supposed: "주가가 300달러면 PER 몇 배야", "what would the P/E be at $300?"."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.finance.asks.drafting import as_quantity, draft
from services.domains.finance.asks.figures import Held, share_calls, times
from services.domains.finance.asks.levels import nothing, shares_of, whole
from services.domains.finance.asks.named import measures_named, numbers_of
from services.domains.finance.asks.vocabulary import BY_ID
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled
from services.plugin.entities import Entity

_MULTIPLES: Final = frozenset({"per", "pbr"})
_SUPPOSED: Final = (
    r"(?:원|달러|불|억|만|천|[0-9])\s?(?:이라|이|라)?(?:면|일\s?때)|(?:까지|으로|로|에)\s?(?:오르|올라|내리|내려|떨어|가면|되면)"
    r"|\bif\b|\bat (?:a price of )?(?:\$|₩|KRW|[0-9])|\bwere\b"
)


def type_multiple_at(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a multiple of one share at a price that is supposed."""
    measures = [one for one in measures_named(sheet) if one in _MULTIPLES]
    sums = [one for one in numbers_of(sheet) if one.unit in {"krw", "usd"}]
    if len(shares) != 1 or len(measures) != 1 or len(sums) != 1 or not sheet.says(_SUPPOSED):
        return ()
    price = as_quantity(sums[0], "supposed")
    ask = draft(sheet, AskForm.AMOUNT, "multiple_at", shares, quantities=(price,), measures=tuple(measures))
    return (Claim(ask, 0.97),)


def _calls(ask: Ask) -> Sequence[Call]:
    return share_calls(ask, ("price", *ask.measures))


def _multiple_at(ask: Ask, found: Found) -> Outcome:
    """Return the multiple at the price that is supposed, beside today's: earnings and book value stay as they are."""
    held, measure = Held(ask, found), ask.measures[0]
    subject = shares_of(ask)[0]
    now, close, price = held.share(measure, subject), held.share("price", subject), of_role(ask.quantities, "supposed")
    if now is None or close is None or price is None or not close.value:
        return nothing(ask, held)
    if held.is_won(subject) != (price.unit == "krw"):
        return nothing(ask, held)
    supposed = Decimal(price.value)
    said = exact_won(supposed) if held.is_won(subject) else held.money(subject, supposed, per_share=True)
    sentence = filled(
        "주가가 {price:이라면/라면} {name}의 {measure:은/는} {value}입니다. 지금은 {now}입니다({when} 종가 {close}).",
        "At {price} the {measure} of {name} would be {value}. It is {now} now (close of {close} on {when}).",
        price=said,
        name=now.name,
        measure=BY_ID[measure].label,
        value=times(now.value * supposed / close.value, 1 if measure == "per" else 2),
        now=now.said,
        when=close.when,
        close=close.said,
    )
    return whole(ask, held, sentence, [now, close])


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerer, served by the agents that read prices and accounts."""
    return (Answerer("multiple_at", agents, _multiple_at, _calls),)
