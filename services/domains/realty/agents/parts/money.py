"""The money's part of an analysis: what a home that is let returns, and how much may be borrowed. Pure."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.realty.agents.borrowing import Borrowing, Terms, borrowing
from services.domains.realty.agents.market import prices_of
from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart, missing
from services.domains.realty.agents.yields import Let, capital_yield, gross_yield
from services.domains.realty.tools.loan_data import LoanDataRow
from services.domains.realty.tools.market_data import MarketDataRow
from services.plugin.wording import Text, rounded
from services.text.ko.written import josa
from services.text.saying import figure

_FACTORS: Final = {
    "ltv": Text("LTV", "LTV"),
    "dti": Text("DTI", "DTI"),
    "dsr": Text("DSR", "DSR"),
    "product": Text("상품 한도", "the product's limit"),
}
_NOT_IN_IT: Final = Text(
    "취득세와 재산세, 중개보수, 수리비, 공실은 수익률에 들어 있지 않습니다.",
    "Taxes, fees, repairs and empty months are not in the yield.",
)


def yield_part(ground: AnalysisGround) -> AnalysisPart:
    """Return the yield of the home that the question gives, else that of the market's complexes."""
    given = ground.given.sums
    price, rent = given.get("price"), given.get("rent")
    if price and rent:
        return _given_yield(ground, price, rent)
    return _market_yield(ground)


def _given_yield(ground: AnalysisGround, price: int, rent: int) -> AnalysisPart:
    asking, given = ground.asking, ground.given
    loan, interest = given.sums.get("loan", 0), given.rates.get("interest")
    home = Let(price, given.sums.get("deposit", 0), rent, loan, interest or Decimal(0))
    try:
        gross = gross_yield(home)
        own = capital_yield(home) if loan and interest is not None else None
    except ValueError:
        return missing(
            asking.say(
                "보증금과 대출이 집값 이상이어서 자기 돈에 대한 수익률을 낼 수 없습니다.",
                "Deposit and loan reach the price, so that there is no capital to tell a yield of.",
            )
        )
    locale, now = asking.locale, asking.day_of(asking.now)
    percent = figure(gross, "percent", locale)
    said = [
        asking.say(
            f"집값에서 보증금을 뺀 금액에 대한 연 임대수익률은 {percent}입니다.",
            f"The yearly rent is {percent} of the price less the deposit.",
        )
    ]
    subject = ground.subject(asking.say("임대수익률", "Rental yield"), ground.own)
    metrics = [subject.figure("rental_yield", gross, now)]
    if own is not None:
        text = figure(own, "percent", locale)
        said.append(
            asking.say(
                f"대출 이자를 빼고 자기 돈에 대해 보면 연 {text}입니다.",
                f"After interest it is {text} a year on own capital.",
            )
        )
        metrics.append(subject.figure("capital_yield", own, now))
    return AnalysisPart(" ".join(said), tuple(metrics), (ground.own,), cautions=(_NOT_IN_IT.said(locale),))


def _market_yield(ground: AnalysisGround) -> AnalysisPart:
    asking = ground.asking
    found = list(_yields(ground.home_rows))
    if not found:
        return missing(
            asking.say(
                "집값과 월세를 함께 알려 주시거나 같은 단지의 매매와 월세 시세가 있어야 수익률을 계산할 수 있습니다.",
                "A yield needs a price and a rent, of your question or of sale and rent of the same complexes.",
            )
        )
    values, weights = [value for value, _ in found], [deals or 1 for _, deals in found]
    total = sum((value * weight for value, weight in zip(values, weights, strict=True)), Decimal(0))
    mean = rounded(total / sum(weights), 2)
    locale, pieces = asking.locale, tuple(piece for piece, _ in ground.homes)
    as_of = asking.day_of(max(row.as_of for row in ground.home_rows))
    subject = ground.subject(asking.say("시세로 본 임대수익률", "Rental yield by market prices"), *pieces)
    metrics = (
        subject.figure("rental_yield_mean", mean, as_of),
        subject.figure("rental_yield_low", min(values), as_of),
        subject.figure("rental_yield_high", max(values), as_of),
    )
    average, low, high = (figure(value, "percent", locale) for value in (mean, min(values), max(values)))
    said = asking.say(
        f"매매와 월세 시세가 함께 있는 {len(found)}곳의 연 임대수익률은 평균 {average}, "
        f"최저 {low}에서 최고 {high}입니다.",
        f"At {len(found)} complexes with prices of both, the yearly yield is {average} on average, {low} to {high}.",
    )
    return AnalysisPart(said, metrics, pieces, cautions=(_NOT_IN_IT.said(locale),))


def _yields(rows: tuple[MarketDataRow, ...]) -> Iterator[tuple[Decimal, int]]:
    """Yield the yield of each complex and area that has prices of a sale and of a monthly rent, with its deals."""
    sales = {_place(row): row for row in rows if row.deal_type == "sale"}
    for row in rows:
        sale = sales.get(_place(row))
        if row.deal_type != "monthly_rent" or sale is None:
            continue
        price, deposit, rent = (
            prices_of(sale, "price").mean,
            prices_of(row, "deposit").mean,
            prices_of(row, "monthly_rent").mean,
        )
        if price > deposit:
            yield gross_yield(Let(price, deposit, rent)), row.deal_count


def _place(row: MarketDataRow) -> tuple[str, str, str, Decimal]:
    return (row.region_code, row.complex_name, row.property_type, row.area_m2)


def borrowing_part(ground: AnalysisGround) -> AnalysisPart:
    """Return how much may be borrowed by the limits that are given or that the found loans have, and which decides."""
    own = borrowing(_terms(ground, None))
    by_loan = [(row, piece, borrowing(_terms(ground, row))) for piece, rows in ground.loans for row in rows]
    offers = [(row, piece, found) for row, piece, found in by_loan if found is not None]
    if own is None and not offers:
        return missing(_needed(ground))
    if own is not None and not offers:
        return _borrowing(ground, own, ground.asking.say("대출 한도", "Loan limit"), (ground.own,))
    best = max(offers, key=lambda offer: (offer[2].loan_krw, -offer[0].rate_low_percent))
    return _borrowing(ground, best[2], best[0].subject(ground.asking.locale), (ground.own, best[1]))


def _terms(ground: AnalysisGround, row: LoanDataRow | None) -> Terms:
    """Return the terms: what the question gives stands before what a loan has; its highest rate is the careful one."""
    sums, rates = ground.given.sums, ground.given.rates
    return Terms(
        price_krw=sums.get("price"),
        income_krw=sums.get("income"),
        other_payments_krw=sums.get("own_debt", 0),
        rate_percent=rates.get("interest", row.rate_high_percent if row is not None else None),
        years=ground.given.years or (row.term_years_max if row is not None else None),
        ltv_percent=rates.get("ltv", row.ltv_max_percent if row is not None else None),
        dti_percent=rates.get("dti"),
        dsr_percent=rates.get("dsr", row.dsr_max_percent if row is not None else None),
        product_krw=row.limit_krw if row is not None else None,
    )


def _borrowing(ground: AnalysisGround, found: Borrowing, name: str, pieces: tuple[Evidence, ...]) -> AnalysisPart:
    asking, locale = ground.asking, ground.asking.locale
    loan, factor = figure(found.loan_krw, "krw", locale), _FACTORS[found.factor].said(locale)
    limits = ", ".join(
        f"{_FACTORS[key].said(locale)} {figure(value, 'krw', locale)}" for key, value in found.limits.items()
    )
    said = [
        asking.say(
            f"{name} 기준으로 빌릴 수 있는 금액은 {loan}까지이고, 한도를 정하는 것은 {factor}입니다({limits}).",
            f"{name}: up to {loan} may be borrowed; what limits it is {factor} ({limits}).",
        )
    ]
    if found.payment_krw is not None:
        paid = figure(found.payment_krw, "krw", locale)
        said.append(asking.say(f"원리금은 매달 {paid}입니다.", f"The payment is {paid} a month."))
    absent = [_FACTORS[key].said(locale) for key in ("ltv", "dti", "dsr") if key not in found.limits]
    return AnalysisPart(
        " ".join(said),
        _borrowing_metrics(ground, found, name, pieces),
        pieces,
        cautions=tuple(_borrowing_cautions(ground, absent)),
        coverage=Decimal(1) if {"ltv", "dsr"} <= found.limits.keys() else Decimal("0.5"),
    )


def _borrowing_metrics(
    ground: AnalysisGround, found: Borrowing, name: str, pieces: tuple[Evidence, ...]
) -> tuple[Metric, ...]:
    asking, now = ground.asking, ground.asking.day_of(ground.asking.now)
    subject = ground.subject(name, *pieces)
    metrics = [subject.figure("loan_limit", found.loan_krw, now)]
    metrics += [
        subject.figure("limit_{factor}", value, now, factor=key, name=_FACTORS[key].said(asking.locale))
        for key, value in found.limits.items()
    ]
    if found.payment_krw is not None:
        metrics.append(subject.figure("payment", found.payment_krw, now))
    return tuple(metrics)


def _borrowing_cautions(ground: AnalysisGround, absent: list[str]) -> Iterator[str]:
    say = ground.asking.say
    if absent:
        names = ", ".join(absent)
        yield say(
            f"{josa(names, '은/는')} 계산에 필요한 값이 없어 넣지 않았습니다.",
            f"{names}: not computed, as something that it needs is missing.",
        )
    yield say(
        "실제 한도는 지역 규제와 신용, 은행 심사에 따라 달라집니다.",
        "The actual limit depends on regional rules, credit and the bank's review.",
    )


def _needed(ground: AnalysisGround) -> str:
    sums, rates, given = ground.given.sums, ground.given.rates, ground.given
    wanted = (
        (sums.get("price"), Text("집값", "the price")),
        (sums.get("income"), Text("연소득", "yearly income")),
        (rates.get("ltv"), Text("LTV 비율", "the LTV ratio")),
        (rates.get("dsr"), Text("DSR 비율", "the DSR ratio")),
        (rates.get("interest"), Text("금리", "the interest rate")),
        (given.years, Text("상환 기간", "years of repayment")),
    )
    names = ", ".join(text.said(ground.asking.locale) for value, text in wanted if value is None)
    return ground.asking.say(
        f"대출 한도를 계산하려면 {josa(names, '을/를')} 더 알려 주세요.",
        f"To compute how much may be borrowed, please also tell: {names}.",
    )
