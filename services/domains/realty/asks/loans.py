"""Loans on homes: how much may be borrowed and what limits it, what is paid a month, whether it is enough."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskedBefore, AskForm, AskQuantity, AskVerdict, Origin, Said, Told
from services.domains.realty import calculators as calc
from services.domains.realty.asks.sums import (
    ALONE,
    Topic,
    completed,
    done,
    drafted,
    given_line,
    grounds,
    inputs_of,
    is_verdict,
    last_money,
    money,
    number_of,
    own_evidence,
    quantities_of,
    rule_evidence,
    told_lines,
    unclear,
    value_said,
    wanting,
)
from services.domains.realty.brackets import rules
from services.domains.realty.calculators import MONTHS
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.edits import short, told_last
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, percent, sentences

_HOME: Final = r"집|아파트|빌라|오피스텔|주택|매매|분양|\bhomes?\b|\bhouses?\b|\bapartments?\b|\bflats?\b|\bvillas?\b|\bofficetels?\b"
_KRW: Final = ("krw",)
_PRICE: Final = Role(
    "price",
    _KRW,
    before=rf"집값(?:은|이|을)?|매매가?|시세|매수가|분양가|가격|아파트값|(?:{_HOME})(?:은|이|을|를|가|값)?|worth|price(?:\sis|\sof)?|costs?|valued at|against an?\s|\bfor an?\s",
    behind=rf"(?:짜리\s?)?(?:{_HOME})|짜리|사(?:려|서|면|는|고)|매수|에\s?사",
    bare=True,
)
_INCOME: Final = Role(
    "income_year",
    _KRW,
    before=r"연\s?소득|연봉|소득|급여|연수입|월급|합산(?:은|이|으로|해서)?|합쳐(?:서)?|맞벌이(?:로)?|둘이(?:서)?|월\s?수입|\bincomes?\b|salary|earn(?:ing|s)?|\bgross(?:es|ing)?\b|\b(?:bring|take|pull|taking|bringing|pulling)s? (?:in|home)\b|takes?-home(?: pay)?|\bmakes?\b(?=\s(?:about\s)?(?:krw|₩|[0-9])?)",
    behind=r"(?:벌|버는|버시|번다|법니|소득|연봉)|(?:won\s)?(?:of\s)?(?:income|salary)|a year in income",
    bare=True,
)
_LOAN: Final = Role(
    "loan",
    _KRW,
    before=r"대출(?:금|액|을|를|이|로|은)?|융자|주담대|빌리(?:고|려)?|원금(?!균등)|\bmortgage(?:\sof)?|\bloan(?:\sof)?|borrow(?:ing|ed)?|principal",
    behind=r"(?:원\s?)?(?:정도\s?)?(?:주택담보|전세|담보|신용|은행)?\s?(?:대출|빌리|빌려|빌릴|융자)|(?:jeonse\s|home\s|housing\s)?(?:mortgage|loan)|mortgage",
    bare=True,
)
_OTHER: Final = Role(
    "other_year",
    _KRW,
    before=r"(?:기존|다른)\s?(?:대출|빚|부채|할부)(?!\s?(?:은|이|도)?\s?없)[^0-9.]{0,14}|(?:신용|자동차|차|학자금)\s?(?:대출|할부)[^0-9.]{0,10}(?:연|월|매달|매월|달마다|다달이|한\s?달|상환|갚)[^0-9.]{0,6}|(?:이미|지금)\s?(?:갚|상환)[^0-9]{0,6}|already (?:re)?pay(?:ing)?|(?<!no )other (?:debts?|loans?)[^0-9.]{0,12}|existing (?:debts?|loans?)[^0-9.]{0,12}|\brepay(?:ing)?\b|car loan (?:re)?payments?[^0-9]{0,10}",
    behind=r"(?:씩\s?)?(?:이미\s?)?(?:갚고|상환하고|상환\s?중|갚는\s?중|나가고|빠져)|(?:a (?:month|year)|monthly|yearly|annually|per (?:month|year)) (?:on|for|towards?|to) (?:a|an|my|our|the|other|existing) (?:car |student |credit |other )?(?:loan|debt)",
    bare=True,
)
_OWED: Final = Role(
    "other_debt",
    _KRW,
    before=r"(?:마통|마이너스\s?통장|신용\s?대출|학자금\s?대출|(?:자동차|차)\s?할부|카드론|현금\s?서비스|(?<![가-힣])빚|부채)(?:이|가|은|도|을|를)?(?:\s?(?:아직|이미|지금))?|overdraft|credit line|(?:student|car|personal|credit(?: card)?) (?:loan|debt)s?(?:\sof)?|\bowe|\bdebts?(?:\sof)?",
    behind=r"(?:원\s?)?(?:짜리\s?|정도\s?)?(?:마통|마이너스\s?통장|신용\s?대출|학자금|카드론|빚|부채)|(?:won\s)?(?:overdraft|(?:in|of) (?:student |car |credit card |personal )?(?:debts?|loans?)|(?:student|car|personal) (?:loan|debt))",
    bare=True,
)
_SAVINGS: Final = Role(
    "savings",
    _KRW,
    before=r"모은\s?돈|모아\s?둔\s?돈|여윳돈|여유\s?자금|가진\s?돈|현금|자기\s?자금|자기자본|자본금?|저축|savings?(?:\sof)?|saved(?:\sup)?|\bgot\b|\bcash(?:\sof)?|\bi have\b",
    behind=r"(?:이\s?|정도\s?)?(?:모았|모아|있고|있는데|있어|있음|가지고|들고)|(?:won\s)?(?:in\s)?(?:saved|savings|cash|put (?:away|aside|by)|set aside|in the bank)",
    bare=True,
)
RATE: Final = Role(
    "rate",
    ("percent",),
    before=r"(?<!수수료)(?:금리|이자율?|이율|연리)(?:는|가|를|을|은|이)?(?:\s?연)?|연(?=\s?$)|(?:interest\s)?rates?(?:\s(?:is|of|go|goes|from|rises?|at))*|interest(?:\sat)?|\bat\s|\bfrom\s",
    behind=r"(?:대)?\s?(?:금리|이자|이율)|(?:annual\s|fixed\s|yearly\s)?(?:interest|rate)",
    bare=True,
)
_RATE_TO: Final = Role(
    "rate_to",
    ("percent",),
    before=r"에서\s?$|\bto\s$",
    behind=r"(?:까지\s?)?(?:오르|올라|뛰|내리|내려|떨어|되면|바뀌)",
    bare=True,
)
_RATE_RISE: Final = Role(
    "rate_rise",
    ("percentage_point", "percent"),
    before=r"(?:rises?|go(?:es)? up|increases?|went up|climbs?|\bup) (?:by\s)?",
    behind=r"(?:가\s?|만\s?|씩\s?|더\s?)?(?:오르|올라|올랐|인상|상승|뛰|높아)|(?:higher|rise|increase|more|up)\b",
)
_RATE_FALL: Final = Role(
    "rate_fall",
    ("percentage_point", "percent"),
    before=r"(?:falls?|go(?:es)? down|drops?|decreases?) (?:by\s)?",
    behind=r"(?:가\s?|만\s?|씩\s?|더\s?)?(?:내리|내려|떨어|낮아|인하|하락)|(?:lower|cut|less|down)\b",
)
_STRESS_RATE: Final = Role(
    "stress",
    ("percentage_point", "percent"),
    before=r"스트레스(?:\s?(?:DSR|금리|가산))*(?:는|가|를|은|로)?|가산\s?금리(?:는|가|를|은)?|stress(?:\s(?:rate|add-?on|buffer|margin))*(?:\s(?:of|is))*",
    behind=r"(?:의\s?)?(?:스트레스|가산)|(?:만큼\s?)?(?:얹|가산|덧)|(?:stress|buffer)",
)
_TERM_TO: Final = Role(
    "months_to",
    ("years", "months"),
    before=r"에서\s?$|\bto\s$",
    behind=r"(?:으로\s?)?(?:늘리|늘려|늘이|줄이|줄여|바꾸|바꿔|연장|단축)",
)
_TERM_INSTEAD: Final = Role(
    "months_to", ("years", "months"), before=r"instead of\s$|\brather than\s$", behind=r"대신", bare=True
)
_TERM_LEFT: Final = Role(
    "left",
    ("years", "months"),
    before=r"남은\s?(?:기간|만기)(?:은|이)?|앞으로(?:\s?딱)?",
    behind=r"(?:이|을|은|정도)?\s?(?:남|더\s?갚)|(?:left|remain|to go)",
)
_PREPAID: Final = Role(
    "prepaid",
    _KRW,
    before=r"(?:중에?서?|가운데)\s?$|\b(?:prepay|pay (?:off|down)|paying (?:off|down))\s",
    behind=r"(?:원)?(?:을|를|만|은)?\s?(?:먼저|미리|일부|중도|한꺼번에|선)\s?(?:상환|갚)|(?:won\s)?(?:early|up front|ahead of time|of it off)",
    bare=True,
)
_SPARE_A_MONTH: Final = Role(
    "spare_year",
    _KRW,
    before=r"payable (?:with|on|from)|\bspare|budget(?:\s(?:of|is))*|can (?:only )?(?:pay|afford)|여력(?:이|은)?|감당\s?(?:가능|할\s?수\s?있는)[^0-9]{0,8}",
    behind=r"(?:원)?(?:씩|까지|정도)?(?:은|만|밖에)?\s?(?:까지\s?)?(?:감당|낼\s?수|여력|버틸|쓸\s?수)|(?:won\s)?(?:a|per) month (?:to spare|budget|i can)",
    bare=True,
)
TERM: Final = Role(
    "months",
    ("years", "months"),
    before=r"만기|기간|\bover\b|\bterm\b|상환",
    behind=r"(?:만기|상환|동안|분할|원리금|원금|고정|거치|간|mortgage|loan|term|fixed)",
)
_LTV: Final = Role(
    "ltv",
    ("percent",),
    before=r"(?:LTV|엘티브이|엘티비)[^0-9]{0,24}|\blends?\s(?:me\s|us\s|up to\s|at most\s)*|담보\s?인정\s?비율|집값의|시세의|감정가의|(?:가격|값|금액)의",
    behind=r"LTV|of (?:the|that|its) (?:price|value|sum)",
    bare=True,
)
_DTI: Final = Role("dti", ("percent",), before=r"DTI[^0-9]{0,24}|총부채\s?상환\s?비율", behind=r"DTI", bare=True)
_DSR: Final = Role(
    "dsr", ("percent",), before=r"(?:DSR|디에스알)[^0-9]{0,24}|총부채\s?원리금\s?상환\s?비율", behind=r"DSR", bare=True
)
_RATES: Final = (_LTV, _DTI, _DSR, _STRESS_RATE, _RATE_TO, _RATE_RISE, _RATE_FALL, RATE)
_ALL: Final = (_OTHER, _INCOME, _SAVINGS, _LOAN, _PRICE, TERM, *_RATES)
_INTENT: Final = "LOAN_CONSULT"
_REST: Final = {"krw": "loan", "percent": "rate", "years": "months", "months": "months"}
LIMIT: Final = Topic(
    "loan_limit", _INTENT, (_OWED, *_ALL), {"krw": "price", "percent": "rate", "years": "months", "months": "months"}
)
SHARE: Final = Topic("debt_share", _INTENT, _ALL, _REST, ("loan", "rate", "months", "income_year"))


def _is_bought(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a purchase: a price above the savings and the loan."""
    price, parts = sums.get("price"), ("savings", "loan")
    return price is not None and "savings" in sums and all(sums.get(one, Decimal(0)) < price for one in parts)


ENOUGH: Final = Topic("money_enough", _INTENT, _ALL, {"years": "months"}, ("price", "savings", "ltv"), holds=_is_bought)
_DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|을|이)?|\bdeposit(?:\sof)?|전세금?(?:은|을|이)?",
    behind=r"(?:won\s)?deposit|보증금|전세",
    bare=True,
)
_RENT: Final = Role(
    "rent",
    _KRW,
    before=r"월세(?:는|로|가|를)?|다달이|매달|매월|\brent(?:\sof|\sis)?|월\s?$",
    behind=r"(?:씩\s?)?월세|(?:won\s)?(?:in\s|of\s)?(?:monthly\s)?rent|(?:won\s)?(?:a|per) month",
    bare=True,
)
PAYMENT: Final = Topic(
    "loan_payment",
    _INTENT,
    (_PREPAID, _SPARE_A_MONTH, *_ALL, _TERM_TO, _TERM_INSTEAD, _TERM_LEFT, _DEPOSIT),
    _REST,
    ("loan", "rate"),
    takes=("loan", "rate", "months"),
)
CARRY: Final = Topic(
    "carry_compare",
    _INTENT,
    (_RENT, replace(_LOAN, again=True), replace(_DEPOSIT, again=True), RATE),
    {"percent": "rate", "krw": "loan"},
    ("rent", "rate"),
)
TOPICS: Final = (CARRY, ENOUGH, SHARE, PAYMENT, LIMIT)
_LOANISH: Final = r"(?<!최)대출(?!력|구)|융자|주담대|담보|빌리|빌려|빌릴|빌린|LTV|DSR|DTI|원리금|원금|상환|갚|디에스알|엘티브이|엘티비|mortgage|\bloans?\b|\bborrow|\brepay|interest[- ]only|\blend"
_NOT_SUMS: Final = r"수익률|yield|return on|중도\s?상환\s?수수료|early[- ]repayment|prepayment|추천|어느\s?은행|which bank|지원|정책|디딤돌|버팀목|자격"
_PAYS: Final = (
    r"월\s?(?:에\s?)?(?:얼마|상환|납입|이자|씩)|한\s?달에?|매달|매월|다달이|달마다|첫\s?(?:달|회)|마지막\s?(?:달|회)|회차|납입(?:금|액)?|월\s?상환|상환액|갚아야|갚나|갚아|갚는|총\s?이자|이자만|이자가?\s?(?:얼마|총)|월\s?얼마|원리금이?\s?얼마"
    r"|a month|each month|per month|monthly|instal?ment|repayments?\b.*how much|total interest|interest[- ]only|payments?\b"
)
_LIMITS: Final = (
    r"얼마까지|얼마나?\s?(?:빌|대출|나오|나와|받)|한도|최대|대출\s?(?:얼마|가능|나올|나와|되나|돼|받을\s?수)|빌릴\s?수|나올까|나오나|까지\s?(?:돼|되|가능|대출|빌)|대출액"
    r"|how (?:much|big|large)|the most (?:i|we) can|maximum|(?:can|could|may|might|would) (?:i|we|they|he|she|you) (?:get|borrow|take)|borrow on|max\b|(?:largest|biggest|highest) (?:loan|mortgage|sum|amount)|what limits"
)
_CARRIES: Final = r"이자.*월세|월세.*이자|전세.*월세.*(?:싸|나아|유리|덜|이득|저렴|낫)|interest.*\brent\b|\brent\b.*interest|jeonse.*\brent\b.*(?:cheaper|better|less)"
_ENOUGH: Final = r"충분|모자라|모자란지|부족|swing it|매수\s?(?:가\s?)?가능|살\s?수\s?있(?:어|나|을까)|되나|suffice|enough|\bshort\b|afford|살\s?수\s?있"
_EQUAL_PRINCIPAL: Final = r"원금\s?균등|equal[- ]principal|principal in equal"
_ONLY_INTEREST: Final = r"이자만|이자(?:는|가)?\s?(?:한\s?달|매달|월)에?\s|(?:한\s?달|월|매달)\s?이자(?!율|\s?(?:포함|까지|랑|와|합|쳐))|interest (?:a|per|each) month|monthly interest|거치|만기\s?일시|interest[- ]only|only (?:the )?interest"
_TOTAL: Final = r"총\s?이자|이자(?:를|가|는)?\s?(?:총|모두|전부|다\s?합)|이자\s?총|total interest|interest in (?:all|total)|interest\b[^.?]{0,30}\b(?:in total|in all|altogether|overall)"
_SHARES: Final = (
    r"DSR\s?(?:이|은|는|가)?\s?(?:얼마|몇)|DSR[^.?]{0,20}(?:넘|초과|괜찮|통과|걸리)"
    r"|what[^.?]{0,20}\bmy DSR|(?:exceed|over|above|within)(?! [0-9])[^.?]{0,24}DSR(?! of [0-9.]+ ?%[,.])|DSR[^.?]{0,24}(?:exceed|over|above)"
)
_BORROWED_ASKED: Final = r"얼마까지|얼마나?\s?빌|빌릴\s?수\s?있는\s?(?:돈|금액)|(?:what|how much) (?:can|could|may|might|would) (?:i|we) (?:get|borrow|take)"
"""Words that ask how much may be borrowed, so that no sum of the question is the wanted loan."""
_CONDITIONAL: Final = r"(?:이하|미만|이상|초과)(?:이|라)?면|넘으면|\bif\b[^.?]*\b(?:under|below|over|above)\b"
_NO_DEBT: Final = r"다른\s?(?:빚|대출)[^.,]{0,6}없|no other (?:debt|loan)"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask about a loan whose sums can be computed."""
    if sheet.says(_NOT_SUMS):
        return ()
    if sheet.says(_CARRIES) and not sheet.of_kind("region"):
        ask = drafted(sheet, CARRY, AskForm.COMPARE)
        if {"rent", "rate"} <= {one.role for one in ask.quantities}:
            return (Claim(ask, 0.95),)
    topic = _topic(sheet)
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
    """Return the ask of a topic, of a question that is known to be of it."""
    ask = _drafted(sheet, before, topic)
    return (Claim(ask, 0.95),) if any(one.role for one in ask.quantities) else ()


def _drafted(sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Ask:
    ask = drafted(sheet, topic, _form(sheet, topic), **_notes(sheet))
    ask = _with_told_price(completed(ask, sheet, before, topic), sheet, before, topic)
    return _with_two_terms(_share_of_price(ask, topic), topic)


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
    if last is None or not {"way", "total"} & notes.keys() or sheet.numbers or not short(sheet.text, 5):
        return ()
    return (Claim(replace(last, words=sheet.text, start=0, end=len(sheet.text), notes={**last.notes, **notes}), 0.9),)


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


def _topic(sheet: Sheet) -> Topic | None:
    loanish = _is_of_loan(sheet)
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
        and not (sheet.says(_PAYS) and not sheet.says(r"LTV|DSR|DTI|한도|최대|얼마까지"))
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
    if topic is CARRY:
        return AskForm.COMPARE
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
    if sheet.says(_ONLY_INTEREST):
        notes = {"way": "interest"}
    if sheet.says(_TOTAL):
        notes["total"] = "1"
    if sheet.says(r"집값(?:은|을)?\s?(?:신경|상관|무시|빼고)|regardless of the price|ignor\w+ the price"):
        notes["no_price"] = "1"
    limits = [name for name in ("ltv", "dti", "dsr") if sheet.says(rf"\b{name}(?![a-z])|{name}(?=[가-힣])")]
    if limits:
        notes["limits"] = ",".join(limits)
    if sheet.says(r"(?<!안 )(?<!안)(?:넘(?:어|나|을까|는지|습니까)|초과)|\bexceed|above the|over the"):
        notes["exceeds"] = "1"
    if sheet.says(_NO_DEBT):
        notes["no_debt"] = "1"
    return notes


def _share_of_price(ask: Ask, topic: Topic) -> Ask:
    """Return a payment on so many percent of a price as one on the loan that it makes: "그 가격의 70%를 빌리면"."""
    price, share = number_of(ask, "price"), number_of(ask, "ltv")
    if topic is not PAYMENT or price is None or share is None or number_of(ask, "loan") is not None:
        return ask
    loan = AskQuantity("loan", f"{calc.floored(price * share / 100):f}", "krw", origin=Origin.CARRIED)
    return replace(ask, quantities=(*(one for one in ask.quantities if one.role != "ltv"), loan))


def _with_told_price(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Ask:
    """Return an ask with the price that was told before, where the words point to it."""
    points = sheet.says(
        r"(?:그|이)\s?(?:값|가격|집|금액|시세|아파트)|아까|방금|\bthat (?:price|home|apartment|flat)|at that price|\bthose?\b"
    )
    wanted = topic is LIMIT or (topic is PAYMENT and number_of(ask, "ltv") is not None)
    if not wanted or number_of(ask, "price") is not None or not points:
        return ask
    price = next((one.figures["sale_price"] for one in told_last(before) if "sale_price" in one.figures), "")
    if not price:
        return ask
    value = f"{calc.floored(Decimal(price)):f}"
    return replace(ask, quantities=(*ask.quantities, AskQuantity("price", value, "krw", origin=Origin.CARRIED)))


def _payment(ask: Ask, found: Found) -> Outcome:
    """Return what is paid a month, or what it becomes when the rate moves."""
    if (back := unclear(ask)) is not None:
        return back
    loan, rate, months = (number_of(ask, role) for role in ("loan", "rate", "months"))
    months = left if (left := number_of(ask, "left")) is not None else months
    way = ask.notes.get("way", "level")
    lacking = [role for role, value in (("loan", loan), ("rate", rate), ("months", months)) if value is None]
    if way == "interest" and "months" in lacking:
        lacking.remove("months")
    if lacking or loan is None or rate is None:
        return wanting(ask, *lacking)
    try:
        answer = _payment_answer(ask, (loan, rate), months, way)
    except ValueError as error:
        return _outside(ask, error)
    return done(answer, own_evidence(ask, found))


def _payment_answer(ask: Ask, of: tuple[Decimal, Decimal], months: Decimal | None, way: str) -> AskAnswer:
    """Return what is paid a month: alone, or against another rate, another term, a smaller loan, a person's means."""
    (loan, rate), term = of, int(months or 1)
    paid, terms = _paid(loan, rate, term, way), _terms_said(loan, rate, months, way)
    if (part := number_of(ask, "prepaid")) is not None and part < loan:
        return _prepaid(ask, terms, (loan, paid), (loan - part, _paid(loan - part, rate, term, way)))
    if (spare := number_of(ask, "spare_year")) is not None:
        return _within_means(ask, terms, paid, calc.whole(spare / MONTHS))
    if (new_term := number_of(ask, "months_to")) is not None and months is not None:
        return _of_two_terms(ask, of, (months, paid), (new_term, _paid(loan, rate, int(new_term), way)))
    if (new_rate := _new_rate(ask, rate)) is not None:
        return _moved(ask, terms, (rate, paid), (new_rate, _paid(loan, new_rate, term, way)))
    return _alone(ask, of, term, way)


def _alone(ask: Ask, of: tuple[Decimal, Decimal], term: int, way: str) -> AskAnswer:
    loan, rate = of
    paid, months = _paid(loan, rate, term, way), number_of(ask, "left") or number_of(ask, "months")
    said = [_paid_said(loan, rate, term, way, _terms_said(loan, rate, months, way))]
    if ask.notes.get("total") and way != "interest":
        interest = (
            calc.level_interest(loan, rate, term) if way == "level" else calc.principal_interest(loan, rate, term)
        )
        said.insert(0, filled("총이자는 {sum}입니다.", "The interest in all is {sum}.", sum=money(interest)))
    given, spare = told_lines(ask, {"loan", "rate", "left" if number_of(ask, "left") is not None else "months"})
    return answered(
        ask,
        sentences(*said),
        inputs=inputs_of(ask),
        grounds=grounds(given, _whole_said(loan, rate, term, way), spare),
        told=(Told("payment", f"{paid:f}", money(paid).ko),),
    )


def _new_rate(ask: Ask, rate: Decimal) -> Decimal | None:
    if (to := number_of(ask, "rate_to")) is not None:
        return to
    up, down = number_of(ask, "rate_rise"), number_of(ask, "rate_fall")
    if up is None and down is None:
        return None
    return rate + (up or Decimal(0)) - (down or Decimal(0))


def _paid(loan: Decimal, rate: Decimal, months: int, way: str) -> Decimal:
    if way == "interest":
        return calc.interest_only(loan, rate)
    return (
        calc.principal_payments(loan, rate, months)[0] if way == "principal" else calc.level_payment(loan, rate, months)
    )


_WAYS: Final = {
    "level": Said("원리금균등상환", "equal payments"),
    "principal": Said("원금균등상환", "equal principal"),
    "interest": Said("이자만 상환", "interest only"),
}


def _terms_said(loan: Decimal, rate: Decimal, months: Decimal | None, way: str) -> Said:
    if months is None or way == "interest":
        return filled("{loan}, 연 {rate}", "{loan} at {rate}", loan=money(loan), rate=percent(rate, 2))
    years = years_said(months)
    return filled(
        "{loan}, 연 {rate}, {years}, {way}",
        "{loan} at {rate} over {years}, {way}",
        loan=money(loan),
        rate=percent(rate, 2),
        years=years,
        way=_WAYS[way],
    )


def years_said(months: Decimal) -> Said:
    """Return a term in years, in months where it is not whole years."""
    if months % 12 == 0:
        return Said(f"{int(months) // 12}년", f"{int(months) // 12} years")
    return Said(f"{int(months)}개월", f"{int(months)} months")


def _paid_said(loan: Decimal, rate: Decimal, months: int, way: str, terms: Said) -> Said:
    if way == "interest":
        return filled(
            "매달 내는 이자는 {sum}입니다({terms}).",
            "The interest is {sum} a month ({terms}).",
            sum=money(calc.interest_only(loan, rate)),
            terms=terms,
        )
    if way == "principal":
        first, last = calc.principal_payments(loan, rate, months)
        return filled(
            "첫 달 상환액은 {first}이고, 매달 줄어 마지막 달에는 {last}입니다({terms}).",
            "The first payment is {first}; it falls every month to {last} in the last one ({terms}).",
            first=money(first),
            last=money(last),
            terms=terms,
        )
    return filled(
        "매달 갚는 금액은 {sum}입니다({terms}).",
        "The payment is {sum} a month ({terms}).",
        sum=money(calc.level_payment(loan, rate, months)),
        terms=terms,
    )


def _whole_said(loan: Decimal, rate: Decimal, months: int, way: str) -> Said | None:
    if way == "interest":
        return Said("원금은 만기에 따로 갚습니다.", "The principal is repaid at the end.")
    interest = (
        calc.level_interest(loan, rate, months) if way == "level" else calc.principal_interest(loan, rate, months)
    )
    return filled("끝까지 갚을 때 총이자: {sum}", "Interest over the whole term: {sum}", sum=money(interest))


def _prepaid(ask: Ask, terms: Said, before: tuple[Decimal, Decimal], after: tuple[Decimal, Decimal]) -> AskAnswer:
    """Return by how much the payment of a month falls when a part of the loan is repaid at once."""
    sentence = filled(
        "{part:을/를} 먼저 갚으면 월 상환액은 {most}에서 {least:으로/로} {gap} 줄어듭니다({terms}).",
        "Repaying {part} first takes the payment from {most} to {least} a month, {gap} less ({terms}).",
        part=money(before[0] - after[0]),
        most=money(before[1]),
        least=money(after[1]),
        gap=money(before[1] - after[1]),
        terms=terms,
    )
    note = Said(
        "남은 기간은 그대로 두고 계산했고, 중도상환수수료는 넣지 않았습니다.",
        "The term stays as it is; a fee for early repayment is not in it.",
    )
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))


def _within_means(ask: Ask, terms: Said, paid: Decimal, spare: Decimal) -> AskAnswer:
    """Return whether what is paid a month is within what a person can pay."""
    fits = paid <= spare
    sentence = filled(
        "{yes}, 매달 {paid}이어서 {spare}{way}({terms}).",
        "{yes}, it is {paid} a month, {way} the {spare} ({terms}).",
        yes=Said("네", "Yes") if fits else Said("아니요", "No"),
        paid=money(paid),
        spare=money(spare),
        way=Said(" 안에서 낼 수 있습니다", "within")
        if fits
        else Said(f"보다 {money(paid - spare).ko} 많습니다", f"{money(paid - spare).en} above"),
        terms=terms,
    )
    verdict = AskVerdict.YES if fits else AskVerdict.NO
    return ruled(ask, verdict, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask)))


def _of_two_terms(
    ask: Ask, of: tuple[Decimal, Decimal], one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]
) -> AskAnswer:
    """Return what a loan costs a month over two terms; the longer one costs less a month and more in all."""
    (short_term, most), (long_term, least) = sorted((one, other))
    interest = [calc.whole(paid * term - of[0]) for term, paid in ((short_term, most), (long_term, least))]
    sentence = filled(
        "{long}으로 갚으면 매달 {least}, {short}이면 {most:으로/로} {long} 쪽이 매달 {gap} 적습니다({loan}, 연 {rate}).",
        "Over {long} the payment is {least} a month, over {short} {most}: {gap} less a month over {long} ({loan} at {rate}).",
        long=years_said(long_term),
        short=years_said(short_term),
        least=money(least),
        most=money(most),
        gap=money(most - least),
        loan=money(of[0]),
        rate=percent(of[1], 2),
    )
    note = filled(
        "총이자는 {short}에 약 {a}, {long}에 약 {b}입니다.",
        "Interest in all: about {a} over {short}, {b} over {long}.",
        short=years_said(short_term),
        long=years_said(long_term),
        a=money(interest[0]),
        b=money(interest[1]),
    )
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))


def _moved(ask: Ask, terms: Said, old: tuple[Decimal, Decimal], new: tuple[Decimal, Decimal]) -> AskAnswer:
    gap = new[1] - old[1]
    sentence = filled(
        "월 상환액은 {before}에서 {after:으로/로} {gap} {way}({terms} 기준, 금리 {rb} → {ra}).",
        "The payment goes from {before} to {after} a month, {gap} {way} ({terms}; rate {rb} to {ra}).",
        before=money(old[1]),
        after=money(new[1]),
        gap=money(abs(gap)),
        way=Said("늘어납니다", "more") if gap >= 0 else Said("줄어듭니다", "less"),
        terms=terms,
        rb=percent(old[0], 2),
        ra=percent(new[0], 2),
    )
    note = Said(
        "남은 원금과 기간은 그대로 두고 금리만 바꿔 계산했습니다.", "Only the rate changes; loan and term stay."
    )
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))


def _outside(ask: Ask, error: ValueError) -> Outcome:
    name = str(error).partition(":")[0]
    label = calc.INPUTS[name].label if name in calc.INPUTS else Said("값", "value")
    sentence = filled(
        "{label:이/가} 계산할 수 있는 범위를 벗어납니다. 값을 다시 알려 주세요.",
        "The {label} is outside what can be computed; please check it.",
        label=label,
    )
    return Outcome(asking_back(ask, sentence, label))


def _limit(ask: Ask, found: Found) -> Outcome:
    """Return how much may be borrowed and which limit decides; whether a wanted sum is within it."""
    if (back := unclear(ask)) is not None:
        return back
    limits, lacking, assumed = _limits(ask)
    if lacking or not limits:
        return wanting(ask, *(lacking or ("price",)))
    binding = min(limits, key=lambda name: limits[name])
    most = limits[binding]
    evidence = [own_evidence(ask, found)]
    lending = rules().lending
    if assumed:
        evidence.append(rule_evidence(found, lending.source, {name: f"{value:f}" for name, value in assumed.items()}))
    wanted = number_of(ask, "loan")
    sentence = _limit_said(ask, limits, binding) if wanted is None else _wanted_said(limits, binding, wanted)
    given, spare = told_lines(ask, _used(limits))
    lines = grounds(given, _assumed_said(assumed), _own_line(ask, most), _payment_line(ask, most), spare)
    told = (Told("loan_limit", f"{most:f}", money(most).ko, {"loan_limit": f"{most:f}"}),)
    more = {
        "inputs": inputs_of(ask, assumed),
        "grounds": lines,
        "cautions": (_CAUTION, *((_stress_said(ask),) if "dsr" in limits else ())),
        "told": told,
    }
    if wanted is None:
        return done(answered(ask, sentence, **more), *evidence)
    fits = wanted <= most
    if ask.notes.get("exceeds"):
        fits = not fits
        lead = (
            Said("네, 넘습니다.", "Yes, it is above:")
            if fits
            else Said("아니요, 넘지 않습니다.", "No, it is not above:")
        )
        bare = Said(sentence.ko.partition(", ")[2], sentence.en.partition(", ")[2])
        sentence = Said(f"{lead.ko} {bare.ko}", f"{lead.en} {bare.en}")
    verdict = AskVerdict.YES if fits else AskVerdict.NO
    return done(ruled(ask, verdict, sentence, **more), *evidence)


_CAUTION: Final = Said(
    "지역 규제에 따른 금액 상한과 은행 심사, 상품 한도는 넣지 않았습니다.",
    "Caps on the sum by region, the bank's review and a product's own limit are not in it.",
)


def _stress_said(ask: Ask) -> Said:
    """Return with which rate the DSR was computed: a stress rate is added only where it is given."""
    stress, rate = number_of(ask, "stress"), number_of(ask, "rate")
    if stress is None or rate is None:
        return Said("스트레스 금리는 더하지 않았습니다.", "No stress rate was added.")
    return filled(
        "DSR은 스트레스 금리를 더한 연 {rate:으로/로} 계산했습니다.",
        "The DSR was computed at {rate} a year, the stress rate added.",
        rate=percent(rate + stress, 2),
    )


def _used(limits: dict[str, Decimal]) -> set[str]:
    used = {"loan", "rate", "months", "stress"} if "dsr" in limits or "dti" in limits else {"loan"}
    if "ltv" in limits:
        used |= {"price", "ltv"}
    if "dsr" in limits or "dti" in limits:
        used |= {"income_year", "other_year", "dsr", "dti"}
    return used


def _limits(ask: Ask) -> tuple[dict[str, Decimal], list[str], dict[str, Decimal]]:
    """Return the limits, what is missing for them, and what was assumed; those that are named bind alone."""
    named = {name: value for name in ("ltv", "dti", "dsr") if (value := number_of(ask, name)) is not None}
    price, income = number_of(ask, "price"), number_of(ask, "income_year")
    assumed: dict[str, Decimal] = {}
    if not named:
        assumed = {"ltv": rules().lending.ltv_percent, "dsr": rules().lending.dsr_percent}
        said = [name for name in ask.notes.get("limits", "").split(",") if name in assumed]
        # A limit that the person names binds alone, its share as it is usual.
        assumed = {name: assumed[name] for name in said} or assumed
        if ask.notes.get("no_price"):
            assumed.pop("ltv", None)
    shares = {**named, **assumed}
    rate, months = number_of(ask, "rate"), number_of(ask, "months")
    needed = [("price", price)] if "ltv" in shares else []
    if {"dsr", "dti"} & shares.keys():
        needed += [("income_year", income), ("rate", rate), ("months", months)]
        # What a debt takes of the income is its payments, which its balance does not tell.
        needed += [("other_year", number_of(ask, "other_year"))] if number_of(ask, "other_debt") else []
    lacking = [name for name, value in needed if value is None]
    if lacking:
        return {}, lacking, assumed
    limits = {}
    if "ltv" in shares and price is not None:
        limits["ltv"] = calc.loan_by_ltv(price, shares["ltv"])
    for name in ("dti", "dsr"):
        if name in shares and income is not None and rate is not None and months is not None:
            other = number_of(ask, "other_year") or Decimal(0)
            stressed = rate + (number_of(ask, "stress") or Decimal(0)) if name == "dsr" else rate
            limits[name] = calc.loan_by_income(income, shares[name], other, stressed, int(months))
    return limits, [], assumed


def _limit_said(ask: Ask, limits: dict[str, Decimal], binding: str) -> Said:
    name = binding.upper()
    first = filled(
        "최대 {sum}까지 빌릴 수 있고, 한도를 정하는 것은 {name}입니다",
        "You can borrow up to {sum}; what limits it is the {name}",
        sum=money(limits[binding]),
        name=name,
    )
    if len(limits) == 1:
        return sentences(Said(first.ko + ".", first.en + "."))
    every = listed([Said(f"{one.upper()} {money(v).ko}", f"{one.upper()} {money(v).en}") for one, v in limits.items()])
    del ask
    return Said(f"{first.ko}({every.ko}).", f"{first.en} ({every.en}).")


def _wanted_said(limits: dict[str, Decimal], binding: str, wanted: Decimal) -> Said:
    most = limits[binding]
    if wanted <= most:
        return filled(
            "네, {name} 한도는 {most}이어서 {wanted:은/는} 그 안에 있습니다.",
            "Yes, the {name} limit is {most}, so that {wanted} is within it.",
            name=binding.upper(),
            most=money(most),
            wanted=money(wanted),
        )
    return filled(
        "아니요, {name} 한도가 {most}이어서 {wanted}에는 {gap} 모자랍니다.",
        "No, the {name} limit is {most}, which is {gap} short of {wanted}.",
        name=binding.upper(),
        most=money(most),
        wanted=money(wanted),
        gap=money(wanted - most),
    )


def _assumed_said(assumed: dict[str, Decimal]) -> Said | None:
    if not assumed:
        return None
    values = listed(
        [
            Said(f"{name.upper()} {percent(v, 1).ko}", f"{name.upper()} {percent(v, 1).en}")
            for name, v in assumed.items()
        ]
    )
    since = rules().lending.since
    return Said(
        f"가정한 값: {values.ko}({since.year}년 {since.month}월부터의 일반 기준, 규제지역은 더 낮을 수 있습니다)",
        f"Assumed: {values.en} (the general limits since {since:%B %Y}; lower in regulated areas)",
    )


def _own_line(ask: Ask, loan: Decimal) -> Said | None:
    """Return what the one who borrows has to have beside the loan, where the price is given."""
    price = number_of(ask, "price")
    if price is None or loan >= price:
        return None
    return filled("대출 밖에 필요한 자기 돈: {sum}", "Needed beside the loan: {sum}", sum=money(price - loan))


def _payment_line(ask: Ask, loan: Decimal) -> Said | None:
    rate, months = number_of(ask, "rate"), number_of(ask, "months")
    if rate is None or months is None or loan <= 0:
        return None
    paid = calc.level_payment(loan, rate, int(months))
    return filled("이만큼 빌리면 원리금균등으로 매달 {sum}", "Repaid in equal payments: {sum} a month", sum=money(paid))


def _share(ask: Ask, found: Found) -> Outcome:
    """Return the DSR of a loan, and whether it is above the limit."""
    if (back := unclear(ask)) is not None:
        return back
    roles = ("loan", "rate", "months", "income_year")
    values = {role: number_of(ask, role) for role in roles}
    if lacking := [name for name, value in values.items() if value is None]:
        return wanting(ask, *lacking)
    loan, rate, months, income = (value or Decimal(0) for value in values.values())
    other = number_of(ask, "other_year") or Decimal(0)
    limit = number_of(ask, "dsr") or rules().lending.dsr_percent
    try:
        share = calc.debt_share(loan, rate, int(months), other, income)
    except ValueError as error:
        return _outside(ask, error)
    over = share > limit
    a_year = share * income / 100
    bound = ask.notes.get("dsr_bound", "")
    is_over_asked = bound in {"gt", "ge"} or (bound not in {"le", "lt"} and _OVER.search(ask.words) is not None)
    verdict = AskVerdict.YES if over == is_over_asked else AskVerdict.NO
    sentence = filled(
        "{yes}, DSR은 {share}로 {limit}를 {way}(연 상환액 {year} ÷ 연소득 {income}).",
        "{yes}, the DSR is {share}, {way} {limit} (payments of {year} a year on an income of {income}).",
        yes=Said("네", "Yes") if verdict is AskVerdict.YES else Said("아니요", "No"),
        share=percent(share, 1),
        limit=percent(limit, 1),
        way=Said("넘습니다", "above") if over else Said("넘지 않습니다", "not above"),
        year=money(calc.whole(a_year)),
        income=money(income),
    )
    assumed = {} if number_of(ask, "dsr") is not None else {"dsr": limit}
    debts = (
        None
        if other or ask.notes.get("no_debt")
        else Said("다른 대출은 없는 것으로 보았습니다.", "No other debts are assumed.")
    )
    given, spare = told_lines(ask, {*roles, "other_year", "dsr"})
    lines = grounds(given, _assumed_said(assumed), debts, spare)
    return done(ruled(ask, verdict, sentence, inputs=inputs_of(ask, assumed), grounds=lines), own_evidence(ask, found))


_OVER: Final = re.compile(
    r"(?<!안 )(?<!안)넘(?!지\s?(?:않|안))|초과|걸리|위반|exceed|\bover\b(?! \d)|above|break|too (?:much|high)",
    re.IGNORECASE,
)
"""Words that ask whether a share is above its limit; else it is asked whether it is within."""


def _carry(ask: Ask, found: Found) -> Outcome:
    """Return which costs less a month: the interest on a deposit, or a rent with the interest on its own deposit."""
    if (back := unclear(ask)) is not None:
        return back
    rate, rent = number_of(ask, "rate") or Decimal(0), number_of(ask, "rent") or Decimal(0)
    sums = [Decimal(one.value) for one in ask.quantities if one.role in {"loan", "deposit"}]
    if not sums:
        return wanting(ask, "deposit")
    if len(sums) > 2:
        return wanting(ask, "deposit", "loan")
    most, least = max(sums), min(sums) if len(sums) == 2 else Decimal(0)
    jeonse, own = calc.interest_only(most, rate), calc.interest_only(least, rate)
    monthly = rent + own
    gap = abs(jeonse - monthly)
    parts = (
        Said("", "")
        if not own
        else filled(
            "(월세 {rent} + 보증금 이자 {own})",
            " ({rent} rent + {own} interest on its deposit)",
            rent=money(rent),
            own=money(own),
        )
    )
    if gap == 0:
        sentence = filled("두 쪽이 한 달 {sum}으로 같습니다.", "Both cost {sum} a month.", sum=money(jeonse))
    else:
        cheaper = Said("전세 이자", "The jeonse loan's interest") if jeonse < monthly else Said("월세", "Monthly rent")
        sentence = filled(
            "{cheaper} 쪽이 한 달에 {gap} 더 쌉니다: 이자 {jeonse}, 월세 {monthly}{parts}.",
            "{cheaper} is cheaper by {gap} a month: interest {jeonse}, rent {monthly}{parts}.",
            cheaper=cheaper,
            gap=money(gap),
            jeonse=money(jeonse),
            monthly=money(monthly),
            parts=parts,
        )
    note = Said(
        "이자만 내는 것으로 보았고, 세금과 관리비는 넣지 않았습니다.", "Interest only; taxes and upkeep are not in it."
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _enough(ask: Ask, found: Found) -> Outcome:
    """Return whether savings and the highest loan make up a price, or by how much they are short."""
    if (back := unclear(ask)) is not None:
        return back
    price, savings = number_of(ask, "price"), number_of(ask, "savings")
    if price is None or savings is None:
        return wanting(ask, *(name for name, value in (("price", price), ("savings", savings)) if value is None))
    limits, lacking, assumed = _limits(ask)
    wanted = number_of(ask, "loan")
    if wanted is None and lacking:
        return wanting(ask, *lacking)
    loan = min((*limits.values(), *(() if wanted is None else (wanted,))))
    gap = price - loan - savings
    verdict = AskVerdict.YES if gap <= 0 else AskVerdict.NO
    sentence = filled(
        "{yes}, 대출 {loan:과/와} 가진 돈 {savings:을/를} 더하면 {sum}으로 집값 {price}{way}.",
        "{yes}, a loan of {loan} and your {savings} make {sum}{way} the price of {price}.",
        yes=Said("네", "Yes") if gap <= 0 else Said("아니요", "No"),
        loan=money(loan),
        savings=money(savings),
        sum=money(loan + savings),
        price=money(price),
        way=Said("을 낼 수 있습니다", ", which covers")
        if gap <= 0
        else Said(f"보다 {money(gap).ko} 모자랍니다", f", {money(gap).en} short of"),
    )
    given, spare = told_lines(ask, {"price", "savings", *_used(limits)})
    lines = grounds(
        given,
        filled("집값에서 대출을 뺀 필요한 돈: {sum}", "Needed beside the loan: {sum}", sum=money(price - loan)),
        _assumed_said(assumed),
        Said("취득세와 중개보수 등 부대 비용은 넣지 않았습니다.", "Taxes and fees of the purchase are not in it."),
        spare,
    )
    return done(
        ruled(ask, verdict, sentence, inputs=inputs_of(ask, assumed), grounds=lines, cautions=(_CAUTION,)),
        own_evidence(ask, found),
    )


__all__ = ["ANSWERERS", "TOPICS", "read", "value_said"]
ANSWERERS: Final = (
    Answerer(CARRY.answerer, ALONE, _carry),
    Answerer(ENOUGH.answerer, ALONE, _enough),
    Answerer(SHARE.answerer, ALONE, _share),
    Answerer(PAYMENT.answerer, ALONE, _payment),
    Answerer(LIMIT.answerer, ALONE, _limit),
)
