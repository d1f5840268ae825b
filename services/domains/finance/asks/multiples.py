"""A multiple at a price that is supposed, and the price of a multiple: "주가가 300달러면 PER 몇 배야", "얼마면 PER이 10배야"."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Said
from services.domains.finance.asks.calls import share_calls
from services.domains.finance.asks.drafting import as_quantity, draft
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.levels.outcomes import nothing, shares_of, whole
from services.domains.finance.asks.named import measures_named, numbers_of
from services.domains.finance.asks.vocabulary import BY_ID
from services.domains.finance.asks.wording import decimals_of, times
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled, percent
from services.plugin.entities import Entity

_MULTIPLES: Final = frozenset({"per", "pbr"})
_SUPPOSED: Final = (
    r"(?:원|달러|불|억|만|천|[0-9])\s?(?:이라|이|라)?(?:면|일\s?때)|(?:까지|으로|로|에)\s?(?:오르|올라|내리|내려|떨어|가면|되면)"
    r"|\bif\b|\bat (?:a price of )?(?:\$|₩|KRW|[0-9])|\bwere\b"
)


_PRICE_ASKED: Final = (
    r"얼마(?:까지|로|에|쯤|여야|이?면|가\s?(?:돼|되))|주가(?:가|는)?\s?(?:얼마|몇)|몇\s?(?:원|달러)"
    r"|\b(?:what|which) (?:share )?price\b|\bhow (?:low|high|far|much)\b|\bwhere (?:would|does)\b"
)
"""Words that ask for the price at which a multiple is what is said."""
_AT_MULTIPLE: Final = r"[가-힣0-9]면(?:\s|$|[?,])|[되돼될]|까지|여야|(?:배|[0-9])(?:에|로|일\s?때)|\bif\b|\bat\b|\bwould\b|\bfor\b|\bto be\b"
"""Words that suppose it."""


def type_multiple_at(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a multiple of one share at a price that is supposed, or the price at which its multiple is what is said."""
    measures = [one for one in measures_named(sheet) if one in _MULTIPLES]
    if len(shares) != 1 or len(measures) != 1:
        return ()
    multiples = [one for one in numbers_of(sheet) if one.unit in {"times", ""}]
    if len(multiples) == 1 and not multiples[0].bound and sheet.says(_PRICE_ASKED) and sheet.says(_AT_MULTIPLE):
        wanted = replace(as_quantity(multiples[0], "multiple"), unit="times")
        ask = draft(sheet, AskForm.AMOUNT, "price_at", shares, quantities=(wanted,), measures=tuple(measures))
        return (Claim(ask, 0.97),)
    sums = [one for one in numbers_of(sheet) if one.unit in {"krw", "usd"}]
    if len(sums) != 1 or not sheet.says(_SUPPOSED):
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
        value=times(now.value * supposed / close.value, decimals_of(measure)),
        now=now.said,
        when=close.when,
        close=close.said,
    )
    return whole(ask, held, sentence, [now, close])


def _price_at(ask: Ask, found: Found) -> Outcome:
    """Return the price at which a multiple is what is said, and how far today's is from it."""
    held, measure, subject = Held(ask, found), ask.measures[0], shares_of(ask)[0]
    now, close, wanted = held.share(measure, subject), held.share("price", subject), of_role(ask.quantities, "multiple")
    if now is None or close is None or wanted is None or not now.value:
        return nothing(ask, held)
    price = close.value * Decimal(wanted.value) / now.value
    move = (price / close.value - 1) * 100
    sentence = filled(
        "{name}의 {measure:이/가} {multiple}가 되는 주가는 {price}입니다. 지금 {close}({when})에서 {size} {way} 값입니다. 지금은 {now}입니다.",
        "The {measure} of {name} would be {multiple} at {price}, which is {size} {way} the close of {close} ({when}). It is {now} now.",
        name=now.name, measure=BY_ID[measure].label, multiple=times(Decimal(wanted.value), 2),
        price=held.money(subject, price, per_share=True), close=close.said, when=close.when, now=now.said,
        size=percent(abs(move), 1), way=Said("내린", "below") if move < 0 else Said("오른", "above"),
    )  # fmt: skip
    as_now = Said(
        "이익과 순자산이 지금과 같다고 보고 계산했습니다.", "Earnings and book value are taken to stay as they are."
    )
    return whole(ask, held, sentence, [now, close], cautions=(as_now,))


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerers, served by the agents that read prices and accounts."""
    return (
        Answerer("multiple_at", agents, _multiple_at, _calls),
        Answerer("price_at", agents, _price_at, _calls),
    )
