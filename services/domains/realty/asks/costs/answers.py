"""What a purchase, a lease and a sale cost and bring: fees, taxes, yields, gains, a price per 평, the jeonse ratio."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Origin
from services.domains.realty.asks.changed import completed
from services.domains.realty.asks.costs import of_homes
from services.domains.realty.asks.costs.beside_price import COSTS_OF_BUYING, FEE_WORDS, TAX_WORDS
from services.domains.realty.asks.costs.fees import WITH_FEE, brokerage, brokerage_calls, early, tax, tax_calls
from services.domains.realty.asks.costs.topics import BROKERAGE, EARLY, GAIN, HOME, LAW, PER_AREA, RATIO, TAX, YIELD
from services.domains.realty.asks.costs.worth import gain, not_computed, per_area, ratio_of, yield_of
from services.domains.realty.asks.proved import ALONE, SEARCH, TOO_MUCH, is_verdict
from services.domains.realty.asks.sums import drafted
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.answering import CERTAIN, Answerer, Claim
from services.plugin.asks.edits import pointed, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last

_WORDS: Final = (
    (EARLY, r"중도\s?상환\s?(?:수수료|해약금)|early[- ]?repayment|prepayment|pay(?:ing)? (?:it )?off early"),
    (BROKERAGE, FEE_WORDS),
    (TAX, TAX_WORDS),
    (YIELD, r"수익률|\byields?\b|rate of return|(?:yearly|annual|net|gross) returns?|return on"),
    (RATIO, r"전세가율|깡통|근저당|선순위|위험|안전|jeonse ratio|\bsafe\b|\brisky?\b|lien"),
    (PER_AREA, r"평당|per pyeong|per (?:square met|m2|㎡|sqm)"),
)
_GAINS: Final = r"팔면|팔았|팔아서|되팔|\bsell|\bsold"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask about a fee, a tax, a yield, a gain, a ratio or a price per area of given sums."""
    if sheet.says(_NOT_COMPUTED) and sheet.says(r"계산|얼마|산출|how much|compute|calculate|work out"):
        match = sheet.find(_NOT_COMPUTED)
        ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.AMOUNT, intent=LAW, answerer="tax_not_computed")
        return (Claim(replace(ask, notes={"name": match.group() if match else ""}), 0.99, is_whole=True),)
    taxed = sheet.says(TAX_WORDS) or (sheet.says(r"세금|\btax(?:es)?\b") and not sheet.says(_LEASED))
    if (sheet.says(FEE_WORDS) and taxed) or _asks_all_costs(sheet):
        # What a purchase costs beside its price is asked in one breath, and each has its own rule.
        taxes, fees = (claimed(sheet, before, topic) for topic in (TAX, BROKERAGE))
        fees = [_at_price(fee, taxes) for fee in fees]
        return [*(map(_with_fee, taxes) if fees and not sheet.says(_LEASED) else taxes), *fees]
    topic = _topic(sheet)
    return () if topic is None else claimed(sheet, before, topic)


def _at_price(fee: Claim, taxes: Sequence[Claim]) -> Claim:
    """Return the ask for a fee with the sum that is the price of what is taxed beside it, where nothing else says what it is."""
    prices = {one.value for tax in taxes for one in tax.ask.quantities if one.role == "price"}
    named = (replace(one, role="price") if not one.role and one.value in prices else one for one in fee.ask.quantities)
    return replace(fee, ask=replace(fee.ask, quantities=tuple(named)))


def _with_fee(claim: Claim) -> Claim:
    """Return the ask for the tax on a purchase as one that tells first what tax and fee come to."""
    return replace(claim, ask=replace(claim.ask, notes={**claim.ask.notes, WITH_FEE: "1"}))


def _asks_all_costs(sheet: Sheet) -> bool:
    """Tell whether somebody asks what a home of a said price costs beside it."""
    return sheet.says(COSTS_OF_BUYING) and not sheet.says(_LEASED) and any(one.unit == "krw" for one in sheet.numbers)


def claimed(sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Sequence[Claim]:
    """Return the ask of a topic, of a question that is known to be of it."""
    topic = _of_deal(sheet) if topic is BROKERAGE else topic
    ask = completed(drafted(sheet, topic, _form(sheet, topic), **_notes(sheet)), sheet, before, topic)
    ask, of_told = _of_home_told(ask, sheet, before, topic)
    if topic.answerer in {BROKERAGE.answerer, TAX.answerer} and not sheet.of_kind("region"):
        ask = of_homes.leaning(ask, before, sale_only=topic is TAX)
    # A number of no role, as the months that a lease still runs, makes no sum of who pays a fee.
    roles = {one.role for one in ask.quantities if one.role}
    if topic in (RATIO, GAIN, PER_AREA, YIELD):
        judged = topic is RATIO and "jeonse_ratio" in roles and ask.form is AskForm.VERDICT
        # Of a place the homes there are looked at as well.
        judged = judged and "jeonse_ratio_bound" not in ask.notes and not sheet.of_kind("region")
        least = {"RISK_ANALYSIS": {"price", "deposit"}}.get(topic.intent, set(topic.needs))
        if not (judged or least <= roles):
            return ()
    if (
        topic.answerer in {BROKERAGE.answerer, TAX.answerer, EARLY.answerer}
        and not (roles or ask.subjects or of_homes.WHICH in ask.notes)
        and not (sheet.wants(AskForm.AMOUNT, AskForm.LEVEL) or sheet.says(_WANTS_TO_KNOW))
    ):
        return ()
    return (Claim(ask, CERTAIN if of_told else 0.95),)


_FEE_OF_ONE_WORDS: Final = 8


def _of_home_told(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> tuple[Ask, bool]:
    """Return an ask for a fee or tax with the sums of the home on offer that a short message points to, and whether it does."""
    last = next((one for message in before[:_TURNS] for one in message.asks if one.answerer.startswith("homes.")), None)
    told = told_last(before[:_TURNS], "listing")
    named = of_homes.SUMS & {one.role for one in ask.quantities} or sheet.of_kind("region")
    if topic.answerer not in {BROKERAGE.answerer, TAX.answerer} or named or last is None or not told:
        return ask, False
    if not short(sheet.text, _FEE_OF_ONE_WORDS):
        return ask, False
    towards = pointed(sheet, before[:_TURNS], "listing")
    found = towards.told if towards is not None and towards.told else told
    if towards is not None and towards.how == "one" and len(told) > 1 and not last.order_by:
        return replace(ask, notes={**ask.notes, of_homes.WHICH: "1"}), True
    if (end := sheet.superlative) is not None:
        found = ((max if end.is_most else min)(found, key=lambda one: Decimal(one.figures.get("price_krw") or 0)),)
    roles = of_homes.OF_DEAL.get(last.notes.get("deal_type", ""), ("", ""))
    if len(found) != 1 or not roles[0] or (topic.answerer == TAX.answerer and roles[0] != "price"):
        return ask, False
    sums = zip(roles, (found[0].figures.get(name, "") for name in ("price_krw", "monthly_rent_krw")), strict=True)
    carried = tuple(AskQuantity(role, value, "krw", origin=Origin.CARRIED) for role, value in sums if role and value)
    notes = {**ask.notes, **({"lease": "1"} if roles[0] == "deposit" else {})}
    return replace(ask, quantities=(*ask.quantities, *carried), notes=notes), bool(carried)


_TURNS: Final = 3
"""Over how many messages the homes that were shown stand."""
_WANTS_TO_KNOW: Final = (
    r"알고\s?싶|궁금|알아보|want to know|like to know|wondering"
    r"|\bwhat (?:is|would|will)\b[^.?]{0,30}(?:fee|commission|tax)\b[^.?]{0,12}\b(?:if|when|on|for)\b"
)


def _topic(sheet: Sheet) -> Topic | None:
    if (
        sheet.says(r"수익률|얼마\s?(?:벌|남)|이익|차익|손해|손실|return|profit|gain|loss")
        and sheet.says(_GAINS)
        and sheet.says(HOME)
        and not sheet.says(r"월세|rent")
    ):
        return GAIN
    named = next((topic for topic, words in _WORDS if sheet.says(words)), None)
    weighs = named is None and not sheet.says(_RENEWED) and _weighs_a_deposit(sheet)
    return RATIO if weighs else named


_RENEWED: Final = r"갱신|재계약|연장|부르(?:면|는|네)|renew|extend"
"""Words of a lease that goes on, whose two sums are what it was and what is asked for."""


def _weighs_a_deposit(sheet: Sheet) -> bool:
    """Tell whether somebody asks whether to take a home on jeonse of which the deposit and the price are both said."""
    asked = is_verdict(sheet) or sheet.wants(AskForm.ADVICE) or sheet.says(r"까\s?말까|should (?:i|we)\b")
    if not asked or not sheet.says(r"전[세센셋]|jeonse"):
        return False
    by_words = replace(RATIO, holds=None)
    roles = {one.role for one in drafted(sheet, by_words, AskForm.VERDICT).quantities}
    return {"price", "deposit"} <= roles and "" not in roles


def _of_deal(sheet: Sheet) -> Topic:
    """Return the fee's topic for the deal that the words name: a sum of a sale is its price, one of a lease its deposit."""
    leased, sold = sheet.says(_LEASED), sheet.says(_SOLD_OR_BOUGHT)
    if leased == sold:
        return BROKERAGE
    gone = {"price"} if leased else {"deposit", "rent"}
    roles = tuple(role for role in BROKERAGE.roles if role.name not in gone)
    return replace(BROKERAGE, roles=roles, rest={"krw": "rent" if leased else "price"})


_NOT_COMPUTED: Final = r"양도\s?(?:소득)?세|종부세|종합\s?부동산세|재산세|증여세|상속세|capital gains tax|holding tax|property tax|gift tax|inheritance tax"
_LEASED: Final = r"월세|전세|보증금|임대|\brent|jeonse|lease|deposit"
_SOLD_OR_BOUGHT: Final = r"매매|매수|매도|팔|사(?:려|면|는|서|고)|구매|구입|\bbuy|\bsell|\bsale\b|purchase"


def _form(sheet: Sheet, topic: Topic) -> AskForm:
    if topic.answerer == BROKERAGE.answerer and any(
        one.role == "fee" for one in drafted(sheet, topic, AskForm.AMOUNT).quantities
    ):
        return AskForm.VERDICT
    if topic is RATIO and (is_verdict(sheet) or sheet.says(r"위험|안전|safe|risk")):
        return AskForm.VERDICT
    return AskForm.AMOUNT


def _notes(sheet: Sheet) -> dict[str, str]:
    notes = {}
    if sheet.says(r"오피스텔|officetel"):
        notes["officetel"] = "1"
    if sheet.says(_LEASED):
        notes["lease"] = "1"
    homes = sheet.find(r"(?P<ko>[2-9이삼사두세네])\s?(?:주택|채|번째)|다주택|(?P<en>second|third|two|three) homes?")
    if homes is not None and sheet.says(r"취득세|acquisition tax"):
        notes["homes"] = homes.group()
    if sheet.says(TOO_MUCH):
        notes["too_much"] = "1"
    if sheet.says(r"생애\s?최초|first[- ]time"):
        notes["first_time"] = "1"
    if sheet.says(r"공급\s?(?:면적)?\s?기준|supply area"):
        notes["supply"] = "1"
    return notes


ANSWERERS: Final = (
    Answerer("tax_not_computed", ALONE, not_computed),
    Answerer(BROKERAGE.answerer, SEARCH, brokerage, brokerage_calls),
    Answerer(TAX.answerer, SEARCH, tax, tax_calls),
    Answerer(EARLY.answerer, ALONE, early),
    Answerer(RATIO.answerer, ALONE, ratio_of),
    Answerer(YIELD.answerer, ALONE, yield_of),
    Answerer(GAIN.answerer, ALONE, gain),
    Answerer(PER_AREA.answerer, ALONE, per_area),
)
