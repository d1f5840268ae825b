"""Two leases held side by side: "전세 3억이랑 보증금 5천에 월세 90 중에 뭐가 나아?".

What each costs a month is its rent, its upkeep and the interest on its deposit. Where no rate is named, the rate is told
at which both cost the same: who borrows for less takes the higher deposit.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.topics import RATE
from services.domains.realty.asks.proved import (
    ALONE,
    done,
    given_line,
    grounds,
    inputs_of,
    money,
    number_of,
    own_evidence,
    unclear,
    wanting,
)
from services.domains.realty.asks.rents.topics import DEPOSIT, RENT
from services.domains.realty.asks.sums import drafted, quantities_of
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, answered
from services.plugin.asks.forms import Clause
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, percent
from services.text.patterns import Pattern

_UPKEEP: Final = Role(
    "upkeep",
    ("krw",),
    before=r"관리비(?:가|는|로|를|도)?|\b(?:maintenance|upkeep|management)(?: fees?| costs?)?(?: of| is)?",
    behind=r"(?:원)?(?:의\s?)?관리비|(?:won\s)?(?:in\s|of\s)?(?:maintenance|upkeep|management fees?)",
    bare=True,
)
_BORROWED: Final = Role(
    "borrowed",
    ("krw",),
    before=r"대출(?:금|액)?(?:은|을|이|로|도)?|\b(?:jeonse )?loan(?:\sof|\sis)?|\bborrow(?:ing|ed)?",
    behind=r"(?:원)?(?:은|을|를)?\s?(?:전세\s?)?대출|(?:원)?(?:은|을|를)?\s?빌(?:려|리|린)|(?:won\s)?(?:jeonse\s|bank\s)?loan|(?:won\s)?borrowed",
    bare=True,
)
TOPIC: Final = Topic(
    "lease_choice", "LOAN_CONSULT", (_BORROWED, DEPOSIT, RENT, _UPKEEP, RATE), {"percent": "rate"}, ("rate",)
)
"""The numbers of one lease; those of the second have roles that end in "_2"."""
_JOINT: Final = Pattern(
    r"(?:이?랑|하고|와|과|보다|이?나|대)[,\s]|\s?(?:아니면|또는|혹은|vs\.?|versus)\s?|[,/]\s|\b(?:or|than|and|against|with)\s",
    re.IGNORECASE,
)
_JOINTS_MAX: Final = 8
_CHOOSES: Final = (
    r"낫|나을|나은|나아|유리|이득|이익|손해|부담|싸|싼|쌀|저렴|비싸|좋을|좋은|좋아|비교|적[게어을은]|덜|절약|아끼"
    r"|\bor\b|아니면|또는|혹은|\bvs\b|versus|\bbetter\b|\bbest\b|cheap|worth|\bcosts? (?:me )?(?:less|more)|save|compare|which|worse|off\b"
)
_HOLDS: Final = r"이자.*월세|월세.*이자|전세.*월세.*(?:싸|나아|유리|덜|이득|저렴|낫)|월세.*(?:느니|대신).*(?:전세|빌|대출)|interest.*\brent\b|\brent\b.*interest|jeonse.*\brent\b.*(?:cheaper|better|less)"
"""Words that hold a rent against the interest on a deposit."""


@dataclass(frozen=True, slots=True)
class _Lease:
    """What one lease binds and costs."""

    deposit: Decimal
    rent: Decimal
    upkeep: Decimal
    rate: Decimal = Decimal(0)
    """What its deposit costs a year, in percent, or what is borrowed of it."""
    borrowed: Decimal | None = None
    """What is borrowed of its deposit; None where all of it costs interest."""

    @property
    def paid(self) -> Decimal:
        """What is paid each month whatever a deposit costs."""
        return self.rent + self.upkeep

    @property
    def interest(self) -> Decimal:
        """The interest of a month on its deposit, or on what is borrowed of it."""
        return calc.interest_only(self.deposit if self.borrowed is None else self.borrowed, self.rate)

    @property
    def costs(self) -> Decimal:
        """What it costs a month."""
        return self.paid + self.interest

    @property
    def said(self) -> Said:
        """Return what it is called."""
        if not self.rent and self.borrowed == self.deposit:
            return filled("전세대출 {deposit}", "a jeonse loan of {deposit}", deposit=money(self.deposit))
        if not self.rent:
            return filled("전세 {deposit}", "jeonse at {deposit}", deposit=money(self.deposit))
        if not self.deposit:
            return filled("월세 {rent}", "rent of {rent}", rent=money(self.rent))
        return filled(
            "보증금 {deposit}·월세 {rent}",
            "a deposit of {deposit} with {rent} rent",
            deposit=money(self.deposit),
            rent=money(self.rent),
        )


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask which of two leases costs less, of a question that names the sums of both."""
    del before
    if len(sheet.numbers) < _NUMBERS_MIN or sheet.of_kind("region"):
        return ()
    chooses = sheet.wants(AskForm.COMPARE, AskForm.ADVICE) or sheet.says(_CHOOSES)
    if chooses and (found := _side_by_side(sheet)):
        return _claims(sheet, found, CERTAIN)
    return _claims(sheet, found, 0.95) if sheet.says(_HOLDS) and (found := _rent_and_deposit(sheet)) else ()


def claimed(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask of a question that is known to hold two leases side by side."""
    del before
    return _claims(sheet, _side_by_side(sheet) or _rent_and_deposit(sheet), 0.95)


def _claims(sheet: Sheet, found: Sequence[AskQuantity], score: float) -> Sequence[Claim]:
    ask = replace(drafted(sheet, TOPIC, AskForm.COMPARE), quantities=tuple(found))
    first, second = _leases(ask)
    return () if first == second else (Claim(ask, score),)


def _side_by_side(sheet: Sheet) -> Sequence[AskQuantity]:
    """Return the numbers of two leases that a conjunction joins; none where none joins two."""
    for joint in islice(_JOINT.finditer(sheet.text), _JOINTS_MAX):
        cuts = (
            Clause(sheet.text[: joint.start()], 0, joint.start()),
            Clause(sheet.text[joint.end() :], joint.end(), len(sheet.text)),
        )
        first, second = (quantities_of(sheet.part(cut), TOPIC) for cut in cuts)
        if _is_lease(first) and _is_lease(second) and any(one.role == "rent" for one in (*first, *second)):
            own_rate = any(one.role == "rate" for one in first)
            return (*first, *(_of_second(one, joint.end(), own_rate=own_rate) for one in second))
    return ()


def _rent_and_deposit(sheet: Sheet) -> Sequence[AskQuantity]:
    """Return the numbers of a question in which one rent stands against the interest on one deposit."""
    found = quantities_of(sheet, replace(TOPIC, rest={**TOPIC.rest, "krw": "deposit"}))
    if not _is_lease(found) or {one.role for one in found} not in _ONE_EACH or len(found) != len(_ONE_EACH[0]):
        return ()
    return tuple(_of_second(one, 0) if one.role == "rent" else one for one in found)


_ONE_EACH: Final = ({"deposit", "rate", "rent"}, {"borrowed", "rate", "rent"})
_NUMBERS_MIN: Final = 2


def _is_lease(found: Sequence[AskQuantity]) -> bool:
    """Tell whether numbers are those of one lease, each bound; no more is borrowed than its deposit."""
    sums = {one.role: Decimal(one.value) for one in found}
    within = sums.get("borrowed", Decimal(0)) <= sums.get("deposit", Decimal("Infinity"))
    return bool({"deposit", "rent", "borrowed"} & sums.keys()) and "" not in sums and within


def _of_second(one: AskQuantity, by: int, *, own_rate: bool = False) -> AskQuantity:
    """Return a number of the second lease with its place in the whole; a rate is that of both where the first has none."""
    role = one.role if one.role == "rate" and not own_rate else f"{one.role}_2"
    return replace(one, role=role, start=one.start + by, end=one.end + by)


def _leases(ask: Ask) -> tuple[_Lease, _Lease]:
    rate, nothing = number_of(ask, "rate") or Decimal(0), Decimal(0)
    # Where it is said what is borrowed, only that costs interest.
    unborrowed = nothing if _borrows(ask) else None

    def of(ending: str) -> _Lease:
        deposit, rent, upkeep, own, borrowed = (
            number_of(ask, f"{role}{ending}") for role in ("deposit", "rent", "upkeep", "rate", "borrowed")
        )
        held = deposit if deposit is not None else borrowed
        return _Lease(
            held or nothing,
            rent or nothing,
            upkeep or nothing,
            rate if own is None else own,
            unborrowed if borrowed is None else borrowed,
        )

    return of(""), of("_2")


def _borrows(ask: Ask) -> bool:
    """Tell whether it is said what is borrowed of a deposit."""
    return any(number_of(ask, role) is not None for role in ("borrowed", "borrowed_2"))


def _choice(ask: Ask, found: Found) -> Outcome:
    """Return which of two leases costs less a month, or the rate at which they cost the same."""
    if (back := unclear(ask)) is not None:
        return back
    if _borrows(ask) and all(number_of(ask, role) is None for role in ("rate", "rate_2")):
        return wanting(ask, "rate")
    higher, lower = sorted(_leases(ask), key=lambda one: one.deposit, reverse=True)
    line = None
    if number_of(ask, "rate") is not None:
        sentence = _by_rate(higher, lower)
    elif higher.deposit == lower.deposit or higher.paid >= lower.paid:
        sentence = _always(higher, lower)
    else:
        sentence, line = _by_break_even(higher, lower), _difference(higher, lower)
    lines = grounds(given_line(ask), line, _OWN_MONEY_FREE if _borrows(ask) else _NOT_IN_IT)
    return done(answered(ask, sentence, inputs=inputs_of(ask), grounds=lines), own_evidence(ask, found))


_NOT_IN_IT: Final = Said(
    "보증금에는 이자만 드는 것으로 보았고, 세금과 공제, 이사 비용은 넣지 않았습니다.",
    "A deposit is taken to cost its interest; taxes, credits and moving are not in it.",
)
_OWN_MONEY_FREE: Final = Said(
    "빌린 돈의 이자만 넣었고, 보증금에 들어가는 자기 돈의 이자와 세금, 공제, 이사 비용은 넣지 않았습니다.",
    "Only what is borrowed costs interest; what your own money in a deposit could earn, taxes, credits and moving are not in it.",
)


def _by_rate(higher: _Lease, lower: _Lease) -> Said:
    best, other = sorted((higher, lower), key=lambda one: one.costs)
    rates = listed([percent(one, 2) for one in dict.fromkeys((higher.rate, lower.rate))])
    if best.costs == other.costs:
        return filled(
            "연 {rates}면 두 쪽이 한 달 {sum}으로 같습니다.",
            "At {rates} a year both cost {sum} a month.",
            rates=rates,
            sum=money(best.costs),
        )
    return filled(
        "{best} 쪽이 한 달에 {gap} 더 쌉니다(연 {rates}): {best_costs}, {other_costs}.",
        "{best} is cheaper by {gap} a month (at {rates} a year): {best_costs}, against {other_costs}.",
        best=best.said,
        gap=money(other.costs - best.costs),
        rates=rates,
        best_costs=_costs_said(best),
        other_costs=_costs_said(other),
    )


def _costs_said(lease: _Lease) -> Said:
    """Return a lease with what it costs a month and what that is made of; one of a rent alone says that itself."""
    if not lease.interest and not lease.upkeep:
        return lease.said
    named = (
        (
            Said("보증금 이자", "interest on the deposit")
            if lease.borrowed is None
            else Said("대출 이자", "interest on the loan"),
            lease.interest,
        ),
        (Said("월세", "rent"), lease.rent),
        (Said("관리비", "upkeep"), lease.upkeep),
    )
    parts = [(name, money(value)) for name, value in named if value]
    single = len(parts) == 1
    ko = " + ".join(name.ko if single else f"{name.ko} {value.ko}" for name, value in parts)
    en = " + ".join(name.en if single else f"{name.en} {value.en}" for name, value in parts)
    whole = money(lease.costs)
    return Said(f"{lease.said.ko} {whole.ko}({ko})", f"{lease.said.en} {whole.en} ({en})")


def _always(higher: _Lease, lower: _Lease) -> Said:
    """Return which lease costs less whatever money costs: less deposit and no more to pay, or the same deposit and less."""
    best, other = (lower, higher) if lower.paid <= higher.paid else (higher, lower)
    return filled(
        "금리와 상관없이 {best} 쪽이 덜 듭니다: 매달 내는 돈이 {other_paid} 대신 {paid}입니다.",
        "{best} costs less whatever the interest rate: {paid} to pay each month instead of {other_paid}.",
        best=best.said,
        paid=money(best.paid),
        other_paid=money(other.paid),
    )


def _by_break_even(higher: _Lease, lower: _Lease) -> Said:
    turning = calc.conversion_of(higher.deposit - lower.deposit, lower.paid - higher.paid)
    return filled(
        "보증금을 연 {rate}보다 싸게 마련할 수 있으면 {higher}, 그보다 비싸면 {lower} 쪽이 한 달 부담이 적습니다.",
        "If the deposit costs you less than {rate} a year, {higher} is cheaper by the month; if it costs more, {lower}.",
        rate=percent(turning, 2),
        higher=higher.said,
        lower=lower.said,
    )


def _difference(higher: _Lease, lower: _Lease) -> Said:
    """Return from what the rate comes at which both cost the same."""
    return filled(
        "보증금 차이 {deposit}, 매달 내는 돈 차이 {paid}(한 해 {year}): 대출 금리나 예금 금리를 말씀해 주시면 한 달 부담을 계산합니다.",
        "{deposit} between the deposits, {paid} between what is paid a month ({year} a year): name your rate of interest and both are computed by the month.",
        deposit=money(higher.deposit - lower.deposit),
        paid=money(lower.paid - higher.paid),
        year=money((lower.paid - higher.paid) * calc.MONTHS),
    )


ANSWERERS: Final = (Answerer(TOPIC.answerer, ALONE, _choice),)
