"""What has to be paid beside a price or a deposit: the agent's fee, the tax on buying, the fee of repaying early."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskVerdict, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.costs import of_homes
from services.domains.realty.asks.costs.beside_price import tax_of
from services.domains.realty.asks.proved import (
    done,
    given_line,
    grounds,
    inputs_of,
    law_calls,
    law_proofs,
    law_said,
    money,
    number_of,
    own_evidence,
    rule_evidence,
    unclear,
    wanting,
)
from services.domains.realty.brackets import AcquisitionTax, rules
from services.plugin.asks.answering import Call, Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.telling import filled, percent, sentences


def brokerage_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the law on an agent's fee, and the sum where the message asks for it too."""
    return [*law_calls(("공인중개사법", "32")), *of_homes.calls(ask)]


def brokerage(ask: Ask, found: Found) -> Outcome:
    """Return the highest fee of an agent, and whether what is asked for is above it."""
    ask, read = of_homes.with_sums(ask, found)
    if (back := of_homes.which_of(ask) or unclear(ask)) is not None:
        return back
    price, deposit, rent = (number_of(ask, role) for role in ("price", "deposit", "rent"))
    leased = deposit is not None or rent is not None or bool(ask.notes.get("lease"))
    if leased and deposit is None and rent is None and price is not None:
        deposit, price = price, None
    if price is not None and deposit is not None:
        return _both(ask)
    if price is None and deposit is None and rent is None:
        return wanting(ask, "deposit" if leased else "price")
    if rent is not None and deposit is None:
        return wanting(ask, "deposit")
    amount = calc.leased_sum(deposit or Decimal(0), rent or Decimal(0)) if leased else price or Decimal(0)
    table = rules().brokerage
    is_officetel = bool(ask.notes.get("officetel"))
    brackets = table.of("lease" if leased else "sale", is_officetel=is_officetel)
    bracket, fee = calc.bracket_of(amount, brackets), calc.brokerage_fee(amount, brackets)
    answer = _told(ask, amount, fee, bracket.percent, leased=leased)
    how = _lease_sum(deposit or Decimal(0), rent, amount) if rent else None
    cap = (
        None
        if bracket.cap is None
        else filled("이 구간의 한도액: {cap}", "Cap of this bracket: {cap}", cap=money(Decimal(bracket.cap)))
    )
    law = law_said(found)
    since = table.since
    rule = Said(
        f"요율은 상한이며 그 안에서 협의합니다({since.year}년 {since.month}월 {since.day}일부터){law.ko}.",
        f"The rates are upper limits within which it is agreed (since {since:%B} {since.day}, {since.year}){law.en}.",
    )
    extra = (
        Said("주거용 오피스텔(전용 85㎡ 이하) 요율입니다.", "Rates of officetels to live in, up to 85 m².")
        if is_officetel
        else None
    )
    answer = replace(answer, inputs=inputs_of(ask), grounds=grounds(given_line(ask), how, cap, rule, extra))
    piece = rule_evidence(
        found, table.source, {"percent": f"{bracket.percent}", "cap": bracket.cap or 0, "from": table.since}
    )
    return done(answer, own_evidence(ask, found), piece, *read, *law_proofs(found))


def _told(ask: Ask, amount: Decimal, fee: Decimal, rate: Decimal, *, leased: bool) -> AskAnswer:
    """Return the highest fee; where one is named, whether it is within."""
    kind = Said("임대차", "lease") if leased else Said("매매", "sale")
    asked = number_of(ask, "fee")
    if asked is None:
        sentence = filled(
            "{kind} {amount}의 중개보수는 최대 {fee}입니다(상한요율 {percent}, 부가가치세 별도).",
            "The agent's fee on a {kind} of {amount} is at most {fee} (a rate of up to {percent}, VAT apart).",
            kind=kind,
            amount=money(amount),
            fee=money(fee),
            percent=percent(rate, 2),
        )
        return answered(ask, sentence)
    over = asked > fee
    is_yes = over if ask.notes.get("too_much") else not over
    sentence = filled(
        "{yes}, {kind} {amount}의 중개보수 상한은 {fee}(상한요율 {percent}, 부가가치세 별도)인데 {asked:은/는} {way}.",
        "{yes}, the fee on a {kind} of {amount} is at most {fee} (up to {percent}, VAT apart); {asked} is {way}.",
        yes=Said("네", "Yes") if is_yes else Said("아니요", "No"),
        kind=kind,
        amount=money(amount),
        fee=money(fee),
        percent=percent(rate, 2),
        asked=money(asked),
        way=filled("그보다 {gap} 많습니다", "{gap} more", gap=money(asked - fee))
        if over
        else Said("그 안입니다", "within it"),
    )
    return ruled(ask, AskVerdict.YES if is_yes else AskVerdict.NO, sentence)


def _lease_sum(deposit: Decimal, rent: Decimal, amount: Decimal) -> Said:
    return filled(
        "거래금액 = 보증금 {d} + 월세 {r} × {f} = {sum}",
        "Sum of the lease = deposit {d} + rent {r} x {f} = {sum}",
        d=money(deposit),
        r=money(rent),
        f="100" if deposit + rent * 100 >= 50_000_000 else "70",
        sum=money(amount),
    )


def _both(ask: Ask) -> Outcome:
    sentence = Said(
        "매매인지 임대차인지에 따라 요율이 다릅니다. 어느 쪽의 중개보수인지 알려 주세요.",
        "The rates differ between a sale and a lease; please tell me which of the two it is.",
    )
    return Outcome(asking_back(ask, sentence, sentence))


WITH_FEE: Final = "with_fee"
"""The note of a tax that is asked together with the agent's fee."""


def tax(ask: Ask, found: Found) -> Outcome:
    """Return the tax on buying a first home, its surtaxes named."""
    ask, read = of_homes.with_sums(ask, found)
    if (back := of_homes.which_of(ask) or unclear(ask)) is not None:
        return back
    price = number_of(ask, "price")
    if price is None:
        return wanting(ask, "price")
    table = rules().acquisition_tax
    is_officetel = bool(ask.notes.get("officetel"))
    rate, tax, education, rural = _taxes(ask, price, table)
    total = tax + education + rural
    extra = (
        filled("과 농어촌특별세 {rural}", " and the special rural tax of {rural}", rural=money(rural))
        if rural
        else Said("", "")
    )
    lead = Said("1주택 기준 ", "as a first home")
    if is_officetel:
        lead = Said("오피스텔의 ", "of an officetel")
    elif several := ask.notes.get("homes"):
        lead = Said(
            f"경우에 따라 다릅니다({several}). 조정대상지역 밖의 두 번째 집까지면 ",
            f"if it is at most a second home outside regulated areas ({several}: it depends)",
        )
    sentence = filled(
        "{lead}취득세는 {tax}(세율 {rate})이고, 지방교육세 {education}{extra}까지 더하면 {total}입니다.",
        "The acquisition tax is {tax} ({rate}, {lead}); with local education tax of {education}{extra} it is {total}.",
        lead=lead,
        tax=money(tax),
        rate=percent(rate, 2),
        education=money(education),
        extra=extra,
        total=money(total),
    )
    if ask.notes.get(WITH_FEE):
        fee = calc.brokerage_fee(price, rules().brokerage.of("sale", is_officetel=is_officetel))
        head = filled(
            "세금과 중개보수를 더하면 모두 {all}입니다(중개보수는 상한으로).",
            "Taxes and the agent's fee come to {all} together (the fee at its most).",
            all=money(total + fee),
        )
        sentence = sentences(head, sentence)
    law = law_said(found)
    rule = Said(
        f"6억원 이하 1%, 9억원 초과 3%, 그 사이는 값에 따라 오릅니다{law.ko}.",
        f"1% up to KRW 600 million, 3% above 900 million, rising between{law.en}.",
    )
    own = own_evidence(ask, found)
    piece = rule_evidence(found, table.source, {"rate_percent": f"{rate}", "from": table.since})
    answer = answered(
        ask,
        sentence,
        inputs=inputs_of(ask),
        grounds=grounds(given_line(ask), None if is_officetel else rule),
        cautions=(_NO_HOME,) if is_officetel else _OF_HOMES,
    )
    return done(answer, own, piece, *read, *law_proofs(found))


def _taxes(ask: Ask, price: Decimal, table: AcquisitionTax) -> tuple[Decimal, Decimal, Decimal, Decimal]:
    """Return the rate in percent, the tax, its surtax for education and the one for rural development."""
    if ask.notes.get("officetel"):
        own = table.officetel
        tax, education, rural = (
            calc.whole(price * each / 100) for each in (own.percent, own.education_percent, own.rural_percent)
        )
        return own.percent, tax, education, rural
    area = area_of(ask)
    is_above = area is not None and (
        area > table.rural_above_m2 or (area == table.rural_above_m2 and ask.notes.get("area_m2_bound") == "gt")
    )
    return *tax_of(price), calc.whole(price * table.rural_percent / 100) if is_above else Decimal(0)


_OF_HOMES: Final = (
    Said(
        "여러 채를 가졌거나 조정대상지역이면 8~12%가 될 수 있습니다.",
        "With several homes or in regulated areas it may be 8 to 12%.",
    ),
    Said(
        "전용 85㎡를 넘으면 농어촌특별세 0.2%가 붙고, 생애 최초 등의 감면은 넣지 않았습니다.",
        "Above 85 m² a special rural tax of 0.2% is due; reliefs, of first-time buyers for example, are not in it.",
    ),
)
"""What the rates of homes leave out."""
_NO_HOME: Final = Said(
    "오피스텔은 주거용으로 쓰더라도 살 때는 주택이 아니어서 주택의 세율이 적용되지 않습니다.",
    "An officetel is no home when it is bought, whatever it is used for, so the rates of homes do not apply.",
)


def area_of(ask: Ask) -> Decimal | None:
    """Return the floor area of an ask in square metres."""
    area = next((one for one in ask.quantities if one.role == "area_m2"), None)
    if area is None:
        return None
    return Decimal(area.value) * calc.PYEONG_M2 if area.unit == "pyeong" else Decimal(area.value)


def tax_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the law on the tax, and the price where the message asks for it too."""
    return [*law_calls(("지방세법", "11")), *of_homes.calls(ask)]


def early(ask: Ask, found: Found) -> Outcome:
    """Return the fee of repaying a loan early."""
    if (back := unclear(ask)) is not None:
        return back
    loan, share, months = (number_of(ask, role) for role in ("loan", "fee_percent", "months"))
    left, passed = _term(ask, "left"), _term(ask, "elapsed")
    if months is None and left is not None and passed is not None:
        months = left + passed
    if left is None and passed is not None and months is not None:
        left = months - passed
    lacking = [name for name, value in (("loan", loan), ("fee_percent", share), ("months", months)) if value is None]
    if lacking or loan is None or share is None or months is None:
        return wanting(ask, *lacking)
    if left is None:
        label = Said("대출을 받은 지 얼마나 지났는지", "how long ago the loan was taken")
        return Outcome(asking_back(ask, filled("{label} 알려 주세요.", "Please tell me {label}.", label=label), label))
    if left <= 0:
        sentence = Said(
            "부과 기간이 지나 중도상환수수료가 없습니다.", "The period of the fee is over, so that none is due."
        )
        return done(
            answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask))), own_evidence(ask, found)
        )
    if left > months:
        return wanting(ask, "months")
    fee = calc.repayment_fee(loan, share, int(months), int(left))
    sentence = filled(
        "중도상환수수료는 {fee}입니다({loan} × {share} × 남은 {left}개월 ÷ 전체 {months}개월).",
        "The early-repayment fee is {fee} ({loan} x {share} x {left} months left / {months} months).",
        fee=money(fee),
        loan=money(loan),
        share=percent(share, 2),
        left=str(int(left)),
        months=str(int(months)),
    )
    note = Said(
        "남은 기간에 비례해 줄어드는 방식으로 계산했습니다. 약정마다 다를 수 있습니다.",
        "It falls with the time that is left; terms differ by contract.",
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _term(ask: Ask, role: str) -> Decimal | None:
    one = next((one for one in ask.quantities if one.role == role), None)
    return None if one is None else Decimal(one.value) * (12 if one.unit == "years" else 1)
