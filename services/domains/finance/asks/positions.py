"""What a person has made of a share at the price they paid: the last close against it, a share and in all."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity, Ground, Said
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.drafting import as_quantity, draft
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.last.going_on import currency_wanted
from services.domains.finance.asks.levels.outcomes import nothing, shares_of, whole
from services.domains.finance.asks.named import measures_named, numbers_of
from services.domains.finance.asks.typed.sums import share_count
from services.domains.finance.asks.wording import dollars
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.roles import Role, bound_to, of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import decimal, exact_won, filled, percent, sentences
from services.plugin.entities import Entity

_FX: Final = "KR_USDKRW"
_PAID: Final = Role(
    "paid",
    ("krw", "usd"),
    before=r"평단(?:가)?(?:이|은|는)?|평균\s?(?:단가|매수가|가)(?:이|가|은|는)?|매수가(?:가|는)?|매입가(?:가|는)?|(?:\bat|@)\s?(?:around |about )?(?:\$)?\s?$|(?:price|cost|basis)(?: (?:for|of|in) \w{2,14})?(?: is| was| of)*",
    behind=r"(?:원|불|달러)?(?:에|대에)\s?(?:$|산\s|샀|사서|사\s?(?:뒀|놨)|매수|물려|물렸|들어갔|들어간|잡았|담았)",
)
_OWN: Final = r"평단|평균|매수|매입|샀|사서|사\s?(?:뒀|놨)|산\s|물려|물렸|들어갔|들어간|잡았|담았|bought|average|cost basis|\bpaid\b|got in"
_NOW: Final = r"지금|현재|손익|수익|손실|손해|벌|이익|몇\s?(?:%|퍼|프로)|얼마|팔면|now\b|profit|loss|up or down|return|how (?:far|much)|made|gain"


def type_position(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type what was made of one share whose own price is named: "5만원에 샀는데 지금 몇 프로야"."""
    of_else = any(one != "price" for one in measures_named(sheet)) and not sheet.says(_NOW)
    if len(shares) != 1 or not sheet.says(_OWN) or of_else or sheet.of_kind("region"):
        return ()
    numbers = [replace(one, unit=_currency(shares[0])) if one.is_bare else one for one in numbers_of(sheet)]
    paid = of_role(bound_to(numbers, sheet.text, (_PAID,)), "paid")
    if paid is None:
        return ()
    count = share_count(sheet, numbers) or next((one for one in numbers if one.unit in {"shares", "weeks"}), None)
    quantities = (paid, *((as_quantity(count, "shares"),) if count is not None else ()))
    currency = currency_wanted(sheet)
    notes = {"in": currency} if currency else {}
    ask = draft(sheet, AskForm.AMOUNT, "position", shares, quantities=quantities, measures=("price",), notes=notes)
    return (Claim(ask, 0.97, is_whole=True),)


def _currency(share: Entity) -> str:
    return "usd" if share.value.startswith("US:") else "krw"


def position_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the last close, and the rate of exchange for a share in dollars."""
    foreign = "in" in ask.notes or any(one.startswith("US:") for one in shares_of(ask))
    return [*share_calls(ask, ("price",)), *(series_calls((_FX,), ask) if foreign else [])]


def position(ask: Ask, found: Found) -> Outcome:
    """Return by how much the last close lies above or below the price that was paid, a share and in all."""
    held = Held(ask, found)
    subject = shares_of(ask)[0]
    figure, paid = held.share("price", subject), of_role(ask.quantities, "paid")
    if figure is None or paid is None:
        return nothing(ask, held)
    bought = _in_own_currency(held, subject, paid)
    if bought is None or bought == 0:
        return nothing(ask, held)
    gain = figure.value - bought
    share = percent((figure.value / bought - 1) * 100, 2, signed=True)
    way = Said("이익", "gain") if gain >= 0 else Said("손실", "loss")
    lead = filled(
        "{name:은/는} 산 값 {bought}보다 {share}로 한 주에 {gain} {way}입니다({when} 종가 {now}).",
        "{name} is {share} against your price of {bought}: a {way} of {gain} a share (close of {now} on {when}).",
        name=figure.name,
        bought=_money(held, subject, bought),
        share=share,
        gain=_money(held, subject, abs(gain)),
        way=way,
        when=figure.when,
        now=figure.said,
    )
    parts: list[Said | None] = [lead]
    count = of_role(ask.quantities, "shares")
    if count is not None:
        total = abs(gain) * Decimal(count.value)
        parts = [_in_all(held, subject, total, (way, count)), _changed(ask, held, subject, total), lead]
    note = Said("수수료와 세금, 배당은 넣지 않았습니다.", "Fees, taxes and dividends are left out.")
    return whole(ask, held, sentences(*parts), [figure], grounds=[Ground(note)])


def _changed(ask: Ask, held: Held, subject: str, total: Decimal) -> Said | None:
    """Return a gain in the other currency, where it is wanted so."""
    currency = ask.notes.get("in", "")
    rate, in_won = held.newest(_FX), currency == "krw"
    supposed = of_role(ask.quantities, "exchange")
    fx = Decimal(supposed.value) if supposed is not None else rate.number("value") if rate is not None else None
    if not currency or fx is None or in_won == held.is_won(subject):
        return None
    value = exact_won((total * fx).quantize(Decimal(1))) if in_won else dollars(total / fx)
    return filled(
        "{currency} {value}입니다(환율 {fx}원).", "That is {value} in {currency} (at KRW {fx}).",
        currency=Said("원화로는", "won") if in_won else Said("달러로는", "dollars"), value=value, fx=decimal(fx, 1),
    )  # fmt: skip


def _in_all(held: Held, subject: str, total: Decimal, told: tuple[Said, AskQuantity]) -> Said:
    way, count = told
    return filled(
        "{count}주를 지금 팔면 {total} {way}입니다.",
        "Selling {count} shares now makes a {way} of {total}.",
        count=f"{int(Decimal(count.value)):,}",
        total=_money(held, subject, total),
        way=way,
    )


def _in_own_currency(held: Held, subject: str, paid: AskQuantity) -> Decimal | None:
    """Return the price paid in the share's own currency; None where the rate of exchange is not known."""
    value = Decimal(paid.value)
    if held.is_won(subject) == (paid.unit == "krw"):
        return value
    rate = held.newest(_FX)
    fx = rate.number("value") if rate is not None else None
    if fx is None:
        return None
    return value * fx if held.is_won(subject) else value / fx


def _money(held: Held, subject: str, value: Decimal) -> Said:
    if held.is_won(subject):
        return exact_won(value.quantize(Decimal(1)))
    return held.money(subject, value, per_share=True)


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerer of positions, served by the agents that read prices of shares."""
    return (Answerer("position", agents, position, position_calls),)
