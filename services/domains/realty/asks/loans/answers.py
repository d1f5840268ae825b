"""Loans on homes: how much may be borrowed and what limits it, what is paid a month, whether it is enough."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Origin
from services.domains.realty import calculators as calc
from services.domains.realty.asks.changed import NO_DEBT, completed
from services.domains.realty.asks.loans.defined import of_defined
from services.domains.realty.asks.loans.grace import with_grace
from services.domains.realty.asks.loans.limits import enough, limit, share
from services.domains.realty.asks.loans.payments import payment
from services.domains.realty.asks.loans.topics import ENOUGH, LIMIT, PAYMENT, SHARE, TOPICS
from services.domains.realty.asks.proved import ALONE, is_verdict, number_of, value_said
from services.domains.realty.asks.sums import drafted, last_money, quantities_of
from services.domains.realty.asks.topic import Topic
from services.domains.realty.calculators import MONTHS
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.text.near import just_before
from services.text.patterns import Pattern

_LOANISH: Final = r"(?<!최)대출(?!력|구)|융자|주담대|담보|빌리|빌려|빌릴|빌린|LTV|DSR|DTI|원리금|원금|상환|갚|디에스알|엘티브이|엘티비|mortgage|\bloans?\b|\bborrow|\brepay|interest[- ]only|\blend"
_NOT_SUMS: Final = r"수익률|yield|return on|중도\s?상환\s?수수료|early[- ]repayment|prepayment|추천|어느\s?은행|which bank|지원|정책|디딤돌|버팀목|자격"
_PAYS: Final = (
    r"월\s?(?:에\s?)?(?:얼마|상환|납입|이자|씩)|한\s?달에?|매달|매월|다달이|달마다|첫\s?(?:달|회)|마지막\s?(?:달|회)|회차|납입(?:금|액)?|월\s?상환|상환액|갚아야|갚나|갚아|갚는|총\s?이자|이자만|이자가?\s?(?:얼마|총)|월\s?얼마|원리금이?\s?얼마"
    r"|a month|each month|per month|monthly|instal?ment|repayments?\b.*how much|total interest|interest[- ]only|payments?\b"
)
_LIMITS: Final = (
    r"얼마까지|얼마나?\s?(?:빌|대출|나오|나와|받)|한도|최대|대출\s?(?:얼마|가능|나올|나와|되나|돼|받을\s?수)|빌릴\s?수|나올까|나오나|까지\s?(?:돼|되|가능|대출|빌)|대출액"
    r"|how (?:much|big|large)|the most (?:i|we) (?:can|could|may)|maximum|(?:can|could|may|might|would) (?:i|we|they|he|she|you) (?:get|borrow|take)|borrow on|max\b|(?:largest|biggest|highest) (?:loan|mortgage|sum|amount)|what limits"
)
_ENOUGH: Final = r"충분|모자라|모자란지|부족|swing it|매수\s?(?:가\s?)?가능|살\s?수\s?있(?:어|나|을까)|되나|suffice|enough|\bshort\b|afford|살\s?수\s?있"
_EQUAL_PRINCIPAL: Final = r"원금\s?균등|equal[- ]principal|principal in equal"
_LEVEL_ALONE: Final = r"원리금\s?균등|\b(?:equal|level) (?:monthly )?(?:payments?|instal?ments?)\b"
_PRINCIPAL_ALONE: Final = r"원금\s?균등|\bequal[- ]principal\b"
_WHICH_WAY: Final = r"어느\s?(?:쪽|방식|게|것)|어떤\s?(?:게|방식)|뭐가\s?더|\bwhich (?:one|way|of|is|has|costs?)\b"
"""Holds the two ways of repaying a loan against each other."""
_ONLY_INTEREST: Final = r"이자만|이자(?:는|가)?\s?(?:한\s?달|매달|월)에?\s|(?:한\s?달|월|매달)\s?이자(?!율|\s?(?:포함|까지|랑|와|합|쳐))|interest (?:(?:would|does|do|be|is|cost|costs|come to|that|it|this) ){0,3}(?:a|per|each) month|monthly interest|거치(?!\s?(?:기간)?(?:은|이|을|도)?\s?(?:없|안))|만기\s?일시|interest[- ]only|only (?:the )?interest"
_TOTAL: Final = r"총\s?이자|이자(?:를|가|는)?\s?(?:총|모두|전부|다\s?합)|이자\s?총|total interest|interest in (?:all|total)|interest\b[^.?]{0,30}\b(?:in total|in all|altogether|overall)"
_PAYMENT_ASKED: Final = (
    r"(?:매달|매월|다달이|한\s?달에?|(?<![0-9])월)\s?[^.?0-9]{0,8}얼마|얼마씩"
    r"|how much[^.?]{0,40}\b(?:a|per|each|every) month|(?:what|how (?:much|big))[^.?]{0,24}\bpayments?\b"
)
"""Asks what a loan costs a month, beside how much may be borrowed."""
_SHARES: Final = (
    r"DSR\s?(?:이|은|는|가)?\s?(?:얼마|몇)|DSR[^.?]{0,20}(?:넘|초과|괜찮|통과|걸리)"
    r"|what[^.?]{0,20}\bmy DSR|(?:exceed|over|above|within)(?! [0-9])[^.?]{0,24}DSR(?! of [0-9.]+ ?%[,.])|DSR[^.?]{0,24}(?:exceed|over|above)"
)
_BORROWED_ASKED: Final = r"얼마까지|최대\s?(?:대출\s?)?(?:이|은)?\s?얼마|대출\s?(?:은|이)?\s?최대\s?얼마|얼마나?\s?(?:더\s?)?빌|빌릴\s?수\s?있는\s?(?:돈|금액)|(?:what|how (?:much|big|large))(?: more)?(?: (?:of )?(?:a )?(?:mortgage|loan|money))? (?:can|could|may|might|would) (?:i|we) (?:get|borrow|take)|the most (?:i|we) (?:can|could) borrow"
"""Words that ask how much may be borrowed, so that no sum of the question is the wanted loan."""
_CONDITIONAL: Final = r"(?:이하|미만|이상|초과)(?:이|라)?면|넘으면|\bif\b[^.?]*\b(?:under|below|over|above)\b"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask about a loan whose sums can be computed."""
    if sheet.says(_NOT_SUMS):
        return ()
    topic = _topic(sheet, before)
    if (defined := of_defined(sheet, before)) is not None:
        return (Claim(defined, 0.95),)
    if topic is None:
        return _other_way(sheet, before)
    if topic is LIMIT and not sheet.says(_BORROWED_ASKED) and _has_own_money(sheet):
        topic = ENOUGH
    if sheet.of_kind("region") and sheet.says(_CONDITIONAL):
        return ()
    ask = _drafted(sheet, before, topic)
    if any(one.role for one in ask.quantities):
        return (Claim(ask, 0.95),)
    wants_sum = sheet.says(_COMPUTE) or (topic is LIMIT and sheet.says(_OWN_LIMIT))
    return (Claim(ask, 0.9),) if wants_sum and not sheet.numbers and not sheet.of_kind("region") else ()


def claimed(sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Sequence[Claim]:
    """Return the ask of a topic, of a question that is known to be of it; no loan is held to a limit that is asked for."""
    if topic is SHARE and sheet.says(_BORROWED_ASKED):
        return ()
    ask = _drafted(sheet, before, topic)
    return (Claim(ask, 0.95),) if any(one.role for one in ask.quantities) else ()


def _drafted(sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Ask:
    repaid = "principal" if sheet.says(_EQUAL_PRINCIPAL) else "level"
    beside = {"payment": "1"} if topic is LIMIT and sheet.says(_PAYMENT_ASKED) else {}
    ask = with_grace(drafted(sheet, topic, _form(sheet, topic), **_notes(sheet), **beside), sheet, repaid)
    ask = _with_told_share(completed(ask, sheet, before, topic), sheet, topic)
    ask = _with_told_price(ask, sheet, before, topic)
    return _with_two_terms(_rest_of_price(_share_of_price(ask, topic), sheet, topic), topic)


def _with_two_terms(ask: Ask, topic: Topic) -> Ask:
    """Return a payment over two terms as one that is held against the other: "30년이랑 20년이면"."""
    terms = [one for one in ask.quantities if one.unit == "years" and one.role in {"", "months"}]
    if topic is not PAYMENT or len(terms) != len({"months", ""}) or {one.role for one in terms} != {"months", ""}:
        return ask
    roles = {id(terms[0]): "months", id(terms[1]): "months_to"}
    kept = tuple(replace(one, role=roles[id(one)]) if id(one) in roles else one for one in ask.quantities)
    return replace(ask, quantities=kept)


_OWN_LIMIT: Final = r"얼마까지\s?(?:빌|대출|받|나오|나와|가능|돼|되)|(?:대출|빌릴)[^?]{0,10}얼마까지|how much (?:can|could|may|would) (?:i|we) (?:be able to )?(?:borrow|get)|the most (?:i|we) can borrow"
"""Words that ask how much one may borrow oneself, so that what it takes to tell is asked for."""
_COMPUTE: Final = r"계산|따져|산출|calculate|work out|compute"
"""Words that want a sum, so that its inputs are asked for where none is given."""


def _other_way(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the last payment in another way of repaying, where a short message names one."""
    notes = _notes(sheet)
    last = last_money(before[:2], [PAYMENT])
    words = _TOTAL_WORDS_MAX if "total" in notes else _WAY_WORDS_MAX
    if last is None or not {"way", "total"} & notes.keys() or sheet.numbers or not short(sheet.text, words):
        return ()
    return (Claim(replace(last, words=sheet.text, start=0, end=len(sheet.text), notes={**last.notes, **notes}), 0.9),)


_WAY_WORDS_MAX: Final = 5
_TOTAL_WORDS_MAX: Final = 9


def _is_of_loan(sheet: Sheet) -> bool:
    """Tell whether a question is about a loan: by its words, or by a sum with a rate and a term, which only a loan has."""
    if sheet.says(_LOANISH):
        return True
    sums = any(one.unit == "krw" or one.as_won >= _SUM_MIN for one in sheet.numbers if one.unit in {"krw", ""})
    rates = [one for one in sheet.numbers if one.unit == "percent" and one.value <= _RATE_MAX]
    terms = [one for one in sheet.numbers if one.unit in {"years", "months"} and one.as_months >= MONTHS]
    return sums and len(rates) == 1 and bool(terms) and sheet.says(_OF_INTEREST)


_SUM_MIN: Final = 5_000_000
_RATE_MAX: Final = 20
_OF_INTEREST: Final = r"이자|금리|이율|갚|상환|빌|납입|interest|\bpay|rate\b|instal"


def _is_of_loan_told(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a rate or a term is named behind a loan that was told: "and the monthly payment at 4%?"."""
    units = {one.unit for one in sheet.numbers}
    if not units or not units <= {"percent", "years", "months"} or not sheet.says(_PAYS):
        return False
    return any("loan_limit" in one.figures for one in told_last(before[:1]))


def _topic(sheet: Sheet, before: Sequence[AskedBefore]) -> Topic | None:
    loanish = _is_of_loan(sheet) or _is_of_loan_told(sheet, before)
    if (
        sheet.says(r"모은|모아|여윳돈|savings?|saved|put (?:away|aside|by)|저축|현금|자기\s?자금|가진\s?돈")
        and sheet.says(_ENOUGH)
        and loanish
    ):
        return ENOUGH
    if loanish and not sheet.says(_BORROWED_ASKED) and (sheet.says(_SHARES) or _holds_against_income(sheet)):
        return SHARE
    rate_moves = sheet.says(r"금리|rate") and sheet.says(
        r"오르면|올라|내리면|내려|떨어|rises?|go(?:es)? (?:up|from|down)|falls?"
    )
    if (
        sheet.says(_LIMITS)
        and loanish
        and not sheet.says(_TOTAL)
        and not (sheet.says(_PAYS) and not sheet.says(rf"LTV|DSR|DTI|한도|최대|{_BORROWED_ASKED}"))
    ):
        return LIMIT
    if sheet.says(r"LTV|DSR|DTI") and len(sheet.numbers) > 2 and not sheet.says(r"뭐|뜻|what (?:is|does)"):
        return LIMIT
    if (loanish and (sheet.says(_PAYS) or sheet.says(_TOTAL))) or (loanish and rate_moves):
        return PAYMENT
    return None


def _has_own_money(sheet: Sheet) -> bool:
    """Tell whether a question on a loan says its price and what one has oneself: whether that is enough is asked."""
    return {"price", "savings", "ltv"} <= {one.role for one in quantities_of(sheet, LIMIT)}


def _holds_against_income(sheet: Sheet) -> bool:
    """Tell whether a wanted loan is held against a share of income alone: no price and no LTV is named."""
    roles = {one.role for one in quantities_of(sheet, SHARE)}
    income = {"income_year", "income_month"} & roles
    return bool(income) and {"loan", "rate", "months", "dsr"} <= roles and not {"price", "ltv", "dti"} & roles


def _form(sheet: Sheet, topic: Topic) -> AskForm:
    if topic in (SHARE, ENOUGH):
        return AskForm.VERDICT
    if topic is LIMIT:
        if any(one.role == "loan" for one in quantities_of(sheet, topic)):
            return AskForm.VERDICT
        asks_sum = sheet.says(r"얼마|최대|한도|how (?:much|big|large)|maximum|the most")
        return AskForm.AMOUNT if asks_sum or not is_verdict(sheet) else AskForm.VERDICT
    return AskForm.AMOUNT


def _notes(sheet: Sheet) -> dict[str, str]:
    notes = {"way": "principal"} if sheet.says(_EQUAL_PRINCIPAL) else {}
    if sheet.says(r"원리금\s?균등"):
        notes = {"way": "level"}
    both = sheet.says(_LEVEL_ALONE) and sheet.says(_PRINCIPAL_ALONE)
    if sheet.says(_ONLY_INTEREST):
        notes = {"way": "interest"}
    elif both or (sheet.says(_TOTAL) and sheet.says(_WHICH_WAY)):
        notes["ways"] = "2"
    if sheet.says(_TOTAL):
        notes["total"] = "1"
    if sheet.says(r"집값(?:은|을)?\s?(?:신경|상관|무시|빼고)|regardless of the price|ignor\w+ the price"):
        notes["no_price"] = "1"
    limits = [name for name in ("ltv", "dti", "dsr") if sheet.says(rf"\b{name}(?![a-z])|{name}(?=[가-힣])")]
    if limits:
        notes["limits"] = ",".join(limits)
    if sheet.says(r"(?<!안 )(?<!안)(?:넘(?:어|나|을까|는지|습니까)|초과)|\bexceed|above the|over the"):
        notes["exceeds"] = "1"
    if sheet.says(NO_DEBT):
        notes["no_debt"] = "1"
    return notes


def _share_of_price(ask: Ask, topic: Topic) -> Ask:
    """Return a payment on so many percent of a price as one on the loan that it makes: "그 가격의 70%를 빌리면"."""
    price, share = number_of(ask, "price"), number_of(ask, "ltv")
    if topic is not PAYMENT or price is None or share is None or number_of(ask, "loan") is not None:
        return ask
    loan = AskQuantity("loan", f"{calc.floored(price * share / 100):f}", "krw", origin=Origin.CARRIED)
    return replace(ask, quantities=(*(one for one in ask.quantities if one.role != "ltv"), loan))


_REST: Final = r"나머지|남은\s?(?:돈|금액)|(?:모자라|모자란|부족한?)\s?(?:는\s?)?(?:돈|금액|만큼|거|건)|\bthe (?:rest|remainder|balance|difference)\b"
"""What is left of a price once one's own money is paid."""


def _rest_of_price(ask: Ask, sheet: Sheet, topic: Topic) -> Ask:
    """Return a payment on the rest of a price or a deposit as one on the loan that it makes: "내 돈 1억이고 나머지를 빌리면"."""
    whole, own = number_of(ask, "price") or number_of(ask, "deposit"), number_of(ask, "savings")
    if topic is not PAYMENT or whole is None or own is None or own >= whole or not sheet.says(_REST):
        return ask
    if number_of(ask, "loan") is not None:
        return ask
    loan = AskQuantity("loan", f"{whole - own:f}", "krw", origin=Origin.CARRIED)
    return replace(ask, quantities=(*ask.quantities, loan))


_POINTS: Final = r"(?:그|이)\s?(?:값|가격|집|금액|시세|아파트|돈)|아까|방금|\bthat (?:price|home|apartment|flat)|at that price|\bthose?\b"
_OF_TOLD: Final = Pattern(
    r"(?:(?:그|이|저|방금)\s?(?:돈|값|금액|가격|시세|보증금)?|보증금|전세금|전셋값|집값|매매가|시세)(?:의|에서|중에?서?)?\s?$",
    re.IGNORECASE,
)
_OF_TOLD_BEHIND: Final = Pattern(r"\s?(?:of (?:it|that|this|the (?:price|deposit|amount|total)))\b", re.IGNORECASE)
_TOLD_PRICES: Final = ("sale_price", "jeonse_deposit")


def _with_told_share(ask: Ask, sheet: Sheet, topic: Topic) -> Ask:
    """Return a payment whose loose percent is a share of what was told as one of the price: "그 돈의 70%를 빌리면"."""
    if topic is not PAYMENT or {"loan", "ltv"} & {one.role for one in ask.quantities}:
        return ask
    text = sheet.text
    loose = [one for one in ask.quantities if not one.role and one.unit == "percent"]
    shares = [one for one in loose if just_before(_OF_TOLD, text, one.start) or _OF_TOLD_BEHIND.match(text, one.end)]
    if len(shares) != 1:
        return ask
    roles = {id(one): "ltv" if one is shares[0] else "" for one in loose}
    if len(loose) == len(("share", "rate")) and number_of(ask, "rate") is None:
        # Beside a share of what was told, the other percent is the rate.
        roles = {name: role or "rate" for name, role in roles.items()}
    kept = tuple(replace(one, role=roles.get(id(one), one.role)) for one in ask.quantities)
    return replace(ask, quantities=kept)


def _with_told_price(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Ask:
    """Return an ask with the price that was told: where the words point to it, or a share of it was just asked about."""
    of_share = number_of(ask, "ltv") is not None
    wanted = topic is LIMIT or (topic is PAYMENT and of_share)
    if not wanted or number_of(ask, "price") is not None or not (of_share or sheet.says(_POINTS)):
        return ask
    told = told_last(before if sheet.says(_POINTS) else before[:1])
    names = _TOLD_PRICES if topic is PAYMENT else _TOLD_PRICES[:1]
    price = next((one.figures[name] for name in names for one in told if name in one.figures), "")
    if not price:
        return ask
    value = f"{calc.floored(Decimal(price)):f}"
    return replace(ask, quantities=(*ask.quantities, AskQuantity("price", value, "krw", origin=Origin.CARRIED)))


__all__ = ["ANSWERERS", "TOPICS", "read", "value_said"]
ANSWERERS: Final = (
    Answerer(ENOUGH.answerer, ALONE, enough),
    Answerer(SHARE.answerer, ALONE, share),
    Answerer(PAYMENT.answerer, ALONE, payment),
    Answerer(LIMIT.answerer, ALONE, limit),
)
