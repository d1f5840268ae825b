"""What a purchase costs beside its price: its taxes and the agent's fee, alone or counted into what is needed for it."""

from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Said
from services.domains.realty import calculators as calc
from services.domains.realty.brackets import Title, rules
from services.plugin.asks.sheet import Sheet

FEE_WORDS: Final = r"(?:what|how much)\b[^.?]{0,24}\b(?:agent|broker)s?\b[^.?]{0,12}\b(?:charge|cost|get|take|be)\b|복비|중개\s?(?:수수료|보수|료|비)|(?:부동산|중개사|중개인|공인중개사)(?:에|에게|한테|에서)?[^.?]{0,16}(?:수수료|얼마|줘야|주어야|내야|달래|달라|받)|brokerage|commission|broker'?s? (?:fee|commission)|agent'?s? (?:fee|commission)|realtor"
TAX_WORDS: Final = r"취득세|acquisition tax"
COSTS_OF_BUYING: Final = (
    r"(?:집|아파트|빌라|오피스텔|주택|매매|매수|구입|구매|살)[^.?]{0,40}(?:부대\s?비용|뭐\s?뭐\s?(?:드|나가|내)|드는\s?(?:비용|돈)|(?:추가|별도)(?:로|\s)?[^.?]{0,10}(?:비용|돈|드|나가)|세금(?:이?랑|과|하고)\s?수수료|세금[^.?]{0,8}(?:복비|수수료|중개)|(?:복비|수수료|중개비)[^.?]{0,8}세금|(?:값|대금)\s?(?:말고|외에|빼고))|부대\s?비용"
    r"|closing costs|(?:on top of|besides?|beyond|apart from) the (?:purchase )?price|(?:extra|additional|other) costs? (?:of|when|in) buying|taxes and fees"
)
"""Words that ask for all that a purchase costs beside its price."""
_COSTS_AT_ALL: Final = rf"{COSTS_OF_BUYING}|세금|\btax(?:es)?\b"
_LEFT_OUT: Final = r"(?:비용|세금?|복비|보수|수수료)(?:은|는|을|를|랑|하고)?\s?(?:빼고|빼면|제외|말고|없이|별도|따로)|\b(?:excluding|without|before|apart from|not counting)\b[^.?]{0,16}(?:tax|fee|cost)"
"""Says that they are not to be counted in."""


def named(sheet: Sheet) -> str:
    """Return which costs of a purchase a question wants counted in: "tax", "fee", both, or neither, which is empty."""
    if sheet.says(_LEFT_OUT):
        return ""
    named_ = [name for name, words in (("tax", TAX_WORDS), ("fee", FEE_WORDS)) if sheet.says(words)]
    return " ".join(named_) or ("tax fee" if sheet.says(_COSTS_AT_ALL) else "")


def tax_of(price: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """Return the rate in percent, the tax and its surtax for education, of a first home."""
    table = rules().acquisition_tax
    rate = calc.acquisition_rate(price, table)
    tax = calc.whole(price * rate / 100)
    return rate, tax, calc.whole(tax * table.education_share)


def sums(price: Decimal, costs: str) -> list[tuple[Said, Decimal]]:
    """Return the costs of buying a first home of a price, each by its name: those that `named` returned."""
    _, tax, education = tax_of(price)
    of_name = {
        "tax": (Said("취득세·지방교육세", "acquisition and education tax"), tax + education),
        "fee": (
            Said("중개보수 상한", "the agent's highest fee"),
            calc.brokerage_fee(price, rules().brokerage.of("sale", is_officetel=False)),
        ),
    }
    return [of_name[name] for name in costs.split()]


def sources(costs: str) -> list[tuple[Title, dict[str, date]]]:
    """Return the tables that the costs are read from, each by its title and the day since when it holds."""
    tax, fee = rules().acquisition_tax, rules().brokerage
    of_name = {"tax": (tax.source, {"from": tax.since}), "fee": (fee.source, {"from": fee.since})}
    return [of_name[name] for name in costs.split()]


BASIS: Final = Said(
    "1주택·전용 85㎡ 이하 기준이며, 중개보수는 상한이고 부가가치세는 별도입니다.",
    "As a first home of up to 85 m²; the agent's fee is the most that may be taken, VAT apart.",
)
"""What the costs take for given."""
