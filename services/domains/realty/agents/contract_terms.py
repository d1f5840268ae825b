"""What a request for a contract says: the form, the parties, the home, sums and days (spec 3.3, realty). Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from services.domains.homes.entities import SUMS
from services.domains.realty.agents.given import Given, slot_text
from services.domains.realty.agreements.forms import FormName, forms
from services.domains.realty.agreements.written import DAY_OF_MONTH_MAX, written
from services.plugin.findings import Asking
from services.text.reading import Reading, read

_PARTIES: Final = {
    "landlord": r"임대인|집주인|landlord|lessor",
    "tenant": r"임차인|세입자|tenant|lessee",
    "seller": r"매도인|seller",
    "buyer": r"매수인|buyer",
}
_NAME_KO: Final = (
    r"\s?(?:은|는|이름은|:)?\s?(?P<name>[가-힣]{2,4}?)(?=\s?(?:[,.]|$|이고|이며|과|와|입니다|이야|이에요|예요|씨))"
)
_NAME_EN: Final = r"\s?(?:is|:)?\s+(?P<name_en>[A-Z][a-z]+(?:\s[A-Z][a-z]+){1,2})"
_ADDRESS: Final = re.compile(
    r"(?:주소|소재지)(?:는|은|:)?\s*(?P<ko>[^,\n]+?[0-9][^,.\n]*)(?=$|[,.\n])"
    r"|\baddress(?: is|:)?\s*(?P<en>[^\n.;]+[0-9][^\n.;]*)",
    re.IGNORECASE,
)
_TERM: Final = re.compile(
    r"(?P<value>[0-9]{1,2})\s?(?P<unit>년|개월|years?|months?)(?!\s?(?:전|만기|ago))", re.IGNORECASE
)
_RENT_DAY: Final = re.compile(
    r"매(?:월|달)\s?(?P<ko>[0-9]{1,2})\s?일|on the (?P<en>[0-9]{1,2})(?:st|nd|rd|th)? of", re.IGNORECASE
)
_START: Final = re.compile(r"\s?(?:부터|에 시작|\(?시작|start)")
_END: Final = re.compile(r"\s?(?:까지|에 끝|종료)")
_BALANCE: Final = re.compile(r"잔금[^0-9]{0,8}$|balance[^0-9]{0,16}$", re.IGNORECASE)
_SALE: Final = re.compile(r"매매\s?계약|매매계약서|파는|사는 계약|\bsale\b|\bpurchase\b", re.IGNORECASE)
_MONTHLY: Final = re.compile(r"월세|반전세|monthly rent|rental|\brent\b", re.IGNORECASE)
_SUMS: Final = ("deposit", "rent", "price", "earnest", "balance")
_TEXT_SLOTS: Final = ("landlord", "tenant", "seller", "buyer", "address", "account", "special")
_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class ContractTerms:
    """What a request says of the contract."""

    form: FormName
    """Which contract."""
    values: dict[str, str]
    """What is known by field, as the contract says it."""


def contract_terms(asking: Asking, given: Given) -> ContractTerms:
    """Returns what a request says of the contract; what it does not say is in no field."""
    reading = read(asking.question, now=asking.now, time_zone=asking.time_zone, sums=(SUMS,))
    form = _form(asking, given)
    values = {
        **{name: written("money", value, asking.locale) for name, value in _sums(form, given).items()},
        **{name: written("date", value, asking.locale) for name, value in _days(reading).items()},
        **dict(_parties(reading.text)),
        **_home(reading, given, asking),
        **{name: text for name in _TEXT_SLOTS if (text := slot_text(asking.slots, name))},
    }
    known = forms().fields
    return ContractTerms(form, {name: value for name, value in values.items() if name in known and value})


def _form(asking: Asking, given: Given) -> FormName:
    deal = slot_text(asking.slots, "deal_type")
    if _SALE.search(given.text) or deal == "sale":
        return "sale"
    if "rent" in given.sums or deal == "monthly_rent" or (_MONTHLY.search(given.text) and deal != "jeonse"):
        return "monthly_rent"
    return "jeonse"


def _sums(form: FormName, given: Given) -> dict[str, int]:
    """Returns the sums; the balance is what the earnest money leaves, where nothing else is to be paid."""
    sums: dict[str, int] = {name: given.sums[name] for name in _SUMS if name in given.sums}
    main = sums.get("price" if form == "sale" else "deposit")
    earnest = sums.get("earnest")
    # A sale may have an instalment between the two.
    if form != "sale" and main and earnest and main > earnest:
        sums.setdefault("balance", main - earnest)
    return sums


def _days(reading: Reading) -> dict[str, date]:
    """Returns the days: each by the word behind or before it, the last day by the term where only the first is said."""
    found: dict[str, date] = {}
    for period in reading.dates:
        if _BALANCE.search(reading.text, 0, period.start_at):
            found.setdefault("balance_date", period.end)
        elif period.start != period.end:
            found.setdefault("start", period.start)
            found.setdefault("end", period.end)
        elif _END.match(reading.text, period.end_at):
            found.setdefault("end", period.end)
        elif _START.match(reading.text, period.end_at):
            found.setdefault("start", period.start)
    months = _term_months(reading.text)
    if "start" in found and "end" not in found and months:
        found["end"] = _months_after(found["start"], months) - timedelta(days=1)
    return found


def _term_months(text: str) -> int | None:
    match = _TERM.search(text)
    if match is None:
        return None
    return int(match["value"]) * (_MONTHS if match["unit"].lower().startswith(("년", "year")) else 1)


def _months_after(first: date, months: int) -> date:
    index = first.year * _MONTHS + first.month - 1 + months
    year, month = index // _MONTHS, index % _MONTHS + 1
    last = (date(year + month // _MONTHS, month % _MONTHS + 1, 1) - timedelta(days=1)).day
    return date(year, month, min(first.day, last))


def _parties(text: str) -> Iterator[tuple[str, str]]:
    for name, words in _PARTIES.items():
        korean = re.search(rf"(?:{words}){_NAME_KO}", text)
        english = re.search(rf"(?i:{words}){_NAME_EN}", text)
        if korean is not None:
            yield name, korean["name"]
        elif english is not None:
            yield name, english["name_en"]


def _home(reading: Reading, given: Given, asking: Asking) -> dict[str, str]:
    found = {}
    address, due = _ADDRESS.search(reading.text), _RENT_DAY.search(reading.text)
    if address is not None:
        found["address"] = (address["ko"] or address["en"]).strip()
    if given.area_m2 is not None:
        found["area"] = written("area", given.area_m2, asking.locale)
    if due is not None and 1 <= int(due["ko"] or due["en"]) <= DAY_OF_MONTH_MAX:
        found["rent_day"] = written("day_of_month", int(due["ko"] or due["en"]), asking.locale)
    return found
