"""What a home is worth to who holds it: jeonse ratio, yield, gain, a price per area."""

from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.costs.fees import area_of
from services.domains.realty.asks.proved import (
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
from services.plugin.asks.answering import Found, Outcome, answered, asking_back, declined, ruled
from services.plugin.asks.telling import filled, percent, sentences

_RISKY: Final = Decimal(80)
_WHOLE_PRICE: Final = Decimal(100)


_FIRST: Final = {
    AskVerdict.NO: Said("아니요, ", "No: "),
    AskVerdict.YES: Said("네, ", "Yes: "),
    AskVerdict.DEPENDS: Said("경우에 따라 다릅니다. ", "It depends: "),
}
_CAREFUL: Final = Decimal(70)
"""Above it the share leaves little room for a fall of the price."""
_RISK_WORDS: Final = ("위험", "깡통", "risk", "danger")


def risk_said(whole: Decimal) -> Said:
    """Return how risky a share of a home's price is that a deposit and prior claims make."""
    if whole > _WHOLE_PRICE:
        return Said(
            "집값보다 커서 경매로 가면 다 돌려받지 못할 수 있어 매우 위험합니다",
            "more than the home's price: it may not all come back from an auction, very risky",
        )
    if whole > _RISKY:
        return Said("80%를 넘어 위험한 편입니다", "above 80%, on the risky side")
    if whole > _CAREFUL:
        return Said("70%를 넘어 여유가 크지 않은 편입니다", "above 70%, which leaves little room")
    return Said("70% 이하로 상대적으로 낮은 편입니다", "not above 70%, comparatively low")


def _risk_verdict(ask: Ask, whole: Decimal) -> AskVerdict:
    """Return the verdict as it is asked: "is it risky?" wants the opposite of "is it safe?" and "may I sign?"."""
    if whole <= _RISKY:
        return AskVerdict.DEPENDS
    return AskVerdict.YES if any(word in ask.words.lower() for word in _RISK_WORDS) else AskVerdict.NO


def _said_ratio(ask: Ask, found: Found, ratio: Decimal) -> Outcome:
    """Return how risky a jeonse ratio is that the person names."""
    verdict = _risk_verdict(ask, ratio)
    sentence = filled(
        "{first}전세가율 {ratio:은/는} {risk}.",
        "{first}a jeonse ratio of {ratio} is {risk}.",
        first=_FIRST[verdict],
        ratio=percent(ratio, 1),
        risk=risk_said(ratio),
    )
    note = Said(
        "근저당과 다른 세입자의 보증금을 더한 비율이 이보다 높으면 그만큼 더 위험합니다.",
        "Mortgages and other tenants' deposits add to it, and to the risk.",
    )
    made = ruled(ask, verdict, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))
    return done(made, own_evidence(ask, found))


def ratio_of(ask: Ask, found: Found) -> Outcome:
    """Return the jeonse ratio of given sums, claims that come before it included, and how risky that is."""
    if (back := unclear(ask)) is not None:
        return back
    price, deposit, debt = (number_of(ask, role) for role in ("price", "deposit", "debt"))
    said = number_of(ask, "jeonse_ratio")
    if said is not None and (price is None or deposit is None):
        return _said_ratio(ask, found, said)
    if price is None or deposit is None or price == 0:
        return wanting(ask, *(name for name, value in (("price", price), ("deposit", deposit)) if not value))
    alone, whole = calc.jeonse_ratio(price, deposit), calc.jeonse_ratio(price, deposit, debt or Decimal(0))
    risk, verdict = risk_said(whole), _risk_verdict(ask, whole)
    first = _FIRST[verdict] if ask.form is AskForm.VERDICT else Said("", "")
    if debt:
        sentence = filled(
            "{first}보증금 {deposit:과/와} 선순위 {debt:을/를} 더하면 집값 {price}의 {whole:으로/로} {risk}(전세가율만은 {alone}).",
            "{first}the deposit of {deposit} and prior claims of {debt} are {whole} of the price of {price}, {risk} (jeonse ratio alone: {alone}).",
            first=first,
            deposit=money(deposit),
            debt=money(debt),
            price=money(price),
            whole=percent(whole, 1),
            alone=percent(alone, 1),
            risk=risk,
        )
    else:
        sentence = filled(
            "{first}전세가율은 {alone:으로/로} {risk}(보증금 {deposit} ÷ 집값 {price}).",
            "{first}the jeonse ratio is {alone}, {risk} (deposit {deposit} / price {price}).",
            first=first,
            alone=percent(alone, 1),
            risk=risk,
            deposit=money(deposit),
            price=money(price),
        )
    more = {
        "inputs": inputs_of(ask),
        "grounds": grounds(
            given_line(ask),
            None
            if debt
            else Said(
                "등기부의 근저당과 다른 세입자의 보증금은 알려지지 않아 넣지 않았습니다.",
                "Mortgages on the register and other tenants' deposits are not known and not in it.",
            ),
            Said(
                "집값이 내리면 이 비율이 올라가고, 경매에서는 시세보다 낮게 팔리는 일이 많습니다.",
                "A falling price raises this share, and auctions often fetch less than the market.",
            ),
        ),
        "next_steps": (
            Said("등기부등본에서 근저당과 압류를 확인하세요.", "Check mortgages and seizures on the register."),
            Said("전세보증금 반환보증에 가입할 수 있는지 알아보세요.", "Find out whether the deposit can be insured."),
        ),
    }
    answer = ruled(ask, verdict, sentence, **more) if ask.form is AskForm.VERDICT else answered(ask, sentence, **more)
    return done(answer, own_evidence(ask, found))


def yield_of(ask: Ask, found: Found) -> Outcome:
    """Return the yearly yield of a home that is let, after costs and interest where they are given."""
    if (back := unclear(ask)) is not None:
        return back
    price, rent, deposit, costs, loan, rate = (
        number_of(ask, role) for role in ("price", "rent", "deposit", "costs_year", "loan", "rate")
    )
    if price is None or rent is None:
        return wanting(ask, *(name for name, value in (("price", price), ("rent", rent)) if value is None))
    if loan is not None and rate is None:
        return wanting(ask, "rate")
    held, spent = deposit or Decimal(0), costs or Decimal(0)
    try:
        share = (
            calc.gross_yield(price, held, rent, spent)
            if loan is None
            else calc.yield_after_loan(
                price=price, deposit=held, rent=rent, loan=loan, rate=rate or Decimal(0), costs_year=spent
            )
        )
    except ValueError:
        return _no_own_money(ask)
    own, a_year = price - held - (loan or Decimal(0)), rent * 12
    kind = Said("순수익률", "net yield") if costs is not None or loan is not None else Said("총수익률", "gross yield")
    less = sentences(
        None if costs is None else Said(f" - 비용 {money(spent).ko}", f" - {money(spent).en} of costs"),
        None
        if loan is None
        else Said(
            f" - 이자 {money(calc.whole(loan * (rate or Decimal(0)) / 100)).ko}",
            f" - {money(calc.whole(loan * (rate or Decimal(0)) / 100)).en} of interest",
        ),
    )
    sentence = filled(
        "내 돈 {own}에 대한 연 {kind:은/는} {share}입니다(연 월세 {year}{less}).",
        "The {kind} on your own {own} is {share} a year ({year} of rent a year{less}).",
        own=money(own),
        kind=kind,
        share=percent(share, 2),
        year=money(a_year),
        less=less,
    )
    note = filled(
        "내 돈 = 집값{d}{l}. 취득세와 공실은 넣지 않았습니다.",
        "Your own money = price{d}{l}; taxes and empty months are not in it.",
        d=Said(" - 보증금", " - deposit") if held else Said("", ""),
        l=Said(" - 대출", " - loan") if loan else Said("", ""),
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def gain(ask: Ask, found: Found) -> Outcome:
    """Return the gain of a sale in won and percent."""
    if (back := unclear(ask)) is not None:
        return back
    price, sold = number_of(ask, "price"), number_of(ask, "sold")
    if price is None or sold is None or price == 0:
        return wanting(ask, "price")
    gap, share = sold - price, calc.rise(price, sold)
    sentence = filled(
        "{bought}에 사서 {sold}에 팔면 {gap} {way:으로/로} 수익률은 {share}입니다.",
        "Bought for {bought} and sold for {sold}, it is a {way} of {gap}, a return of {share}.",
        bought=money(price),
        sold=money(sold),
        gap=money(abs(gap)),
        way=Said("이익", "gain") if gap >= 0 else Said("손실", "loss"),
        share=percent(share, 1),
    )
    own = price - sum((number_of(ask, role) or Decimal(0) for role in ("deposit", "loan")), Decimal(0))
    if own <= 0:
        return _no_own_money(ask)
    if own < price:
        sentence = filled(
            "{bought}에 사서 {sold}에 팔면 {gap} {way:으로/로}, 내 돈 {own} 대비 수익률은 {share}입니다.",
            "Bought for {bought} and sold for {sold}, it is a {way} of {gap}, {share} on your own {own}.",
            bought=money(price),
            sold=money(sold),
            gap=money(abs(gap)),
            way=Said("이익", "gain") if gap >= 0 else Said("손실", "loss"),
            own=money(own),
            share=percent(gap / own * 100, 1),
        )
    note = Said("세금과 중개보수, 대출 이자는 빼지 않았습니다.", "Taxes, fees and interest are not taken off.")
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _no_own_money(ask: Ask) -> Outcome:
    sentence = Said(
        "보증금과 대출이 집값 이상이어서 내 돈에 대한 수익률을 낼 수 없습니다. 값을 다시 알려 주세요.",
        "Deposit and loan reach the price, so that there is no money of your own; please check the sums.",
    )
    return Outcome(asking_back(ask, sentence, Said("집값", "the price")))


def per_area(ask: Ask, found: Found) -> Outcome:
    """Return the price of one 평 of the area that is given."""
    if (back := unclear(ask)) is not None:
        return back
    price, area = number_of(ask, "price"), area_of(ask)
    if price is None or area is None:
        return wanting(ask, *(name for name, value in (("price", price), ("area_m2", area)) if value is None))
    pyeong = area / calc.PYEONG_M2
    is_m2 = not any(word in ask.words.lower() for word in ("평당", "pyeong"))
    value = calc.whole(price / area) if is_m2 else calc.per_pyeong(price, area)
    sentence = filled(
        "{unit} {value}입니다({price} ÷ {size}).",
        "It is {value} {unit} ({price} / {size}).",
        unit=Said("1㎡에", "per m²") if is_m2 else Said("평당", "per pyeong"),
        value=money(value),
        price=money(price),
        size=Said(
            f"{area.quantize(Decimal('0.01')).normalize():f}㎡", f"{area.quantize(Decimal('0.01')).normalize():f} m²"
        )
        if is_m2
        else Said(f"{pyeong.quantize(Decimal('0.01')):f}평", f"{pyeong.quantize(Decimal('0.01')):f} pyeong"),
    )
    note = Said(
        "말씀하신 면적으로 나눈 값입니다. 전용과 공급 가운데 어느 면적이냐에 따라 달라집니다.",
        "It is of the area that you name; exclusive and supply areas differ.",
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def not_computed(ask: Ask, found: Found) -> Outcome:
    """Return that a tax is not computed here, and where it is."""
    del found
    sentence = filled(
        "{name} 계산은 제공하지 않아 답할 수 없습니다. 보유 기간과 주택 수 등에 따라 달라지므로 국세청 홈택스나 위택스의 모의계산, 세무사에게 확인하세요. 취득세와 중개보수는 계산해 드립니다.",
        "I cannot compute the {name} here; it depends on the time held, the homes owned and more. Use the tax office's calculator or ask a tax adviser. Acquisition tax and agents' fees I can compute.",
        name=ask.notes.get("name", ""),
    )
    return Outcome(declined(ask, sentence))
