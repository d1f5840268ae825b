"""What is asked of sums that stand in a relation to each other: whichever of them is the unknown is computed.

Which value is asked is read from the noun at the question word ("내 돈은 얼마", "what rent"), or from the question word's own
form ("얼마짜리 집", "몇 년"); what the numbers are from the words around them. Nothing is claimed unless every number is bound
and used, so that calculators of one fixed unknown keep the questions that are theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Origin, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.changed import edited
from services.domains.realty.asks.costs import beside_price
from services.domains.realty.asks.proved import (
    ALONE,
    done,
    given_line,
    grounds,
    inputs_of,
    money,
    number_of,
    own_evidence,
    rule_evidence,
    value_said,
)
from services.domains.realty.asks.rents.topics import TO_JEONSE
from services.domains.realty.asks.sums import MAN, drafted
from services.domains.realty.asks.topic import Topic
from services.domains.realty.equations import RELATIONS
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered, declined
from services.plugin.asks.relations import Step, UnsolvableError, shown, solved
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.plugin.asks.telling import filled, listed

_KRW: Final = ("krw",)
_HOME: Final = r"집|아파트|빌라|오피스텔|상가(?:주택)?|주택|매물|분양권|\bhomes?\b|\bhouses?\b|\bapartments?\b|\bflats?\b|\bofficetels?\b"
_TERMS: Final = ("years", "months")
_ROLES: Final = (
    Role(
        "per_pyeong",
        _KRW,
        before=r"평당(?:가|\s?가격)?(?:은|이|가)?",
        behind=r"(?:원)?(?:씩)?\s?(?:per|a)\spyeong",
        bare=True,
    ),
    Role("area_m2", ("m2", "pyeong"), before=r"전용(?:면적)?|면적|공급", bare=False),
    Role(
        "ltv",
        ("percent",),
        before=r"LTV(?:\s?(?:는|가|를|을|한도|cap|limit|of|is|at))*|엘티비(?:가|는|를)?|담보인정비율|집값의|loan[- ]to[- ]value(?:\s(?:of|is|at))*",
        behind=r"(?:까지|를|만큼)\s?(?:대출|융자|빌)|LTV|엘티비",
        bare=True,
    ),
    Role(
        "jeonse_ratio",
        ("percent",),
        before=r"전세가율(?:이|은|도)?|jeonse ratio(?:\s(?:of|is|at))*",
        behind=r"전세가율|jeonse ratio",
    ),
    Role(
        "gross_yield",
        ("percent",),
        before=r"(?:임대\s?|월세\s?)?수익률(?:이|은|을)?|\byield(?:\s(?:of|is|at))*",
        behind=r"(?:의\s?)?(?:임대\s?|월세\s?)?수익|(?:rental\s|gross\s)?(?:yield|return)",
    ),
    Role("conversion", ("percent",), before=r"전환율(?:이|은)?|conversion rate(?:\s(?:of|is))*", behind=r"전환율"),
    Role("dsr", ("percent",), before=r"DSR(?:\s?(?:은|이|가|한도|limit|of|is|at))*", behind=r"DSR"),
    Role(
        "rate",
        ("percent",),
        before=r"금리(?:는|가|를)?|이자율(?:은|이)?|이율|연리?\s?$|interest(?:\srate)?(?:\s(?:of|is|at))*|\brate(?:\s(?:of|is|at))*|\bat\s$",
        behind=r"(?:금리|이자|이율)|(?:annual\s)?interest",
    ),
    Role("months", _TERMS, before=r"", behind=r"(?:동안|간|상환|만기|짜리|에\s?걸쳐|원리금)|(?:loan|term|mortgage)"),
    Role(
        "interest_month",
        _KRW,
        before=r"(?:월|한\s?달|매달|매월)(?:에)?\s?이자(?:를|가|로|만)?|이자(?:만|를|가|로)?\s?(?:한\s?달에|매달|매월|월|다달이)\s?|interest[- ]only payment(?:\s(?:of|is))*|monthly interest(?:\s(?:of|is))*|interest (?:of|is)",
        behind=r"(?:원)?(?:씩)?(?:의|을)?\s?이자|(?:won\s)?(?:a|per) month in interest|(?:won\s)?(?:of|in) interest",
        bare=True,
    ),
    Role(
        "paid_month",
        _KRW,
        before=r"(?:매달|매월|다달이|달마다|한\s?달에|(?<![0-9])월)(?=\s?(?:[0-9]|$))|\bpay(?:ing)?",
        behind=r"(?:원)?씩\s?(?:갚|상환|내|넣|납)|(?:won\s)?(?:a|per|each|every) month",
        bare=True,
    ),
    Role(
        "repaid_year",
        _KRW,
        before=r"(?:1년에|연간?|한\s?해에|매년)\s?(?:원리금\s?)?(?:상환(?:액)?|갚는\s?돈)?(?:은|이|을)?\s?$|상환액?(?:은|이|을)?|yearly payments?(?:\s(?:of|are))*",
        behind=r"(?:원)?(?:을|씩)?\s?(?:갚|상환)|(?:won\s)?(?:a|per) year (?:on|in|to|towards)",
        bare=True,
        again=True,
    ),
    Role(
        "income_year",
        _KRW,
        before=r"연\s?소득(?:이|은)?|연봉(?:이|은)?|소득(?:이|은)?|연수입|\bincome(?:\s(?:of|is))*|salary(?:\s(?:of|is))*|\bearn(?:ing|s)?|\bmakes?\b",
        behind=r"(?:벌|소득|연봉)|(?:won\s)?(?:of\s)?(?:income|salary)",
        bare=True,
    ),
    Role(
        "rent",
        _KRW,
        before=r"월세(?:는|를|가|로)?|월\s?차임|임대료(?:는|를|가)?|(?:monthly\s)?\brent(?:\s(?:of|is|at))*",
        behind=r"(?:원)?(?:씩|의)?\s?월세|(?:won\s)?(?:of\s|in\s)?(?:monthly\s)?rent\b",
        bare=True,
    ),
    Role(
        "deposit",
        _KRW,
        before=r"보증금(?:은|을|이|으로)?|전세(?:금|가|보증금)?(?:은|을|이|를|로|가)?|전셋값(?:은|이)?|세입자(?:가|를)?|\bdeposit(?:\s(?:of|is))*|\bjeonse(?:\s(?:of|is|deposit|at))*|tenant(?:'s)?(?:\spays)?",
        behind=r"(?:원)?(?:에\s|짜리\s?|의\s?)?(?:전세|보증금|세입자)|(?:원)?(?:을|를)?\s?(?:끼|안고|승계)|(?:won\s)?(?:jeonse\s|tenant\s)?(?:jeonse|deposit)",
        bare=True,
    ),
    Role(
        "loan",
        _KRW,
        before=r"대출(?:금|액|잔액)?(?:은|이|을|로)?|융자|주담대|원금|빌린\s?돈|\bloan(?:\s(?:of|is))*|\bmortgage(?:\s(?:of|is))*|borrow(?:ing|ed)?|\brepay",
        behind=r"(?:원)?(?:을|를|은|정도)?\s?(?:대출|융자|빌|주담대)|(?:won\s)?(?:interest-only\s)?(?:loan|mortgage)",
        bare=True,
    ),
    Role(
        "savings",
        _KRW,
        before=r"내\s?돈|제\s?돈|모은\s?돈|모아\s?둔\s?돈|여윳?돈|여유\s?자금|가진\s?돈|현금|자기\s?자[금본]|자본금?|종잣돈|저축(?:한\s?돈)?|savings?(?:\sof)?|saved|\bcash(?:\sof)?|\bi have\b|down ?payment(?:\sof)?|equity(?:\sof)?",
        behind=r"(?:원)?(?:이|을|정도)?\s?(?:모았|있|가지고|들고|현금|보태)|(?:won\s)?(?:in\s|of\s)?(?:my own\s)?(?:cash|saved|savings|equity)|down",
        bare=True,
    ),
    Role(
        "price",
        _KRW,
        before=rf"집값(?:은|이)?|매매가?(?:는|가|로)?|매수가|분양가|시세|(?:{_HOME})(?:은|이|을|를|가|값)?|\bprice(?:\s(?:is|of))*|costs?|worth",
        behind=rf"(?:원)?(?:짜리|에\s?나온|하는)?\s?(?:{_HOME})|짜리|(?:원)?(?:에|을\s?주고)\s?(?:사|산|샀|매수|매입)|(?:원)?이면\s?평당",
        bare=True,
    ),
)
_REST: Final = {"m2": "area_m2", "pyeong": "area_m2", "years": "months", "percent": "rate"}
SOLVED: Final = Topic("solved", "LOAN_CONSULT", _ROLES, {**_REST, "krw": "price"})
_READINGS: Final = tuple(replace(SOLVED, rest={**_REST, "krw": role}) for role in ("price", "loan", "savings"))
"""What the one sum may be that no word binds: the first with which the asked value can be computed."""
_ASKS: Final = r"얼마|몇|어느\s?정도|어떻게\s?(?:되|돼)|계산|구해|나와|궁금"
_GAP: Final = r"[^.?!0-9]{0,16}?"
_NEEDS: Final = r"필요|있어야|들(?:어|까|지|죠|고|나|려|$)|준비|마련|모아야|넣어야|투자"
_TARGETS: Final[tuple[tuple[str, str], ...]] = (
    ("price", r"얼마\s?짜리|얼마(?:에|인)\s?(?:집|사|매수|매입)|what (?:price|home|priced)|how expensive"),
    ("ltv", rf"(?:LTV|엘티비|담보인정비율){_GAP}(?:{_ASKS})|what(?:'s| is)? (?:the |my )?(?:LTV|loan[- ]to[- ]value)"),
    ("conversion", rf"전환율{_GAP}(?:{_ASKS}|괜찮|적당|적정|맞|높|과)|what (?:is the )?conversion rate"),
    ("dsr", rf"DSR{_GAP}(?:{_ASKS})|what(?:'s| is| would be)? (?:the |my )?DSR"),
    ("rate", rf"(?:금리|이자율|이율){_GAP}(?:{_ASKS})|what (?:interest )?rate"),
    (
        "months",
        r"몇\s?(?:년|개월|달)|얼마나\s?(?:오래|걸)|언제\s?(?:다|까지)\s?(?:갚|끝)|how (?:long|many (?:years|months))",
    ),
    (
        "repaid_year",
        r"(?:1년에|연간?|한\s?해에|매년)[^.?!0-9]{0,16}(?:갚|상환|낼|내)|how much .{0,20}(?:repay|pay) (?:a|per) year",
    ),
    (
        "savings",
        (
            rf"(?:내|제|자기|실)\s?(?:돈|투자금|투자|자[금본]|현금){_GAP}(?:{_ASKS}|{_NEEDS}|\?|요\?|$)|(?:현금|투자금|자금|종잣돈){_GAP}(?:{_ASKS}|{_NEEDS})"
            rf"|갭(?:이|은|은요)?{_GAP}(?:{_ASKS}|$)|준비할\s?돈|필요한\s?돈|얼마(?:나|를)?\s?(?:{_NEEDS})"
            r"|how much (?:of my own )?(?:cash|money|equity|down)|down ?payment .{0,20}\?|what .{0,12}(?:cash|equity|down ?payment)"
        ),
    ),
    ("rent", rf"월세{_GAP}(?:{_ASKS})|what (?:monthly )?rent\b|how much rent"),
    ("deposit", rf"(?:전세(?:금|가|보증금)?|전셋값|보증금){_GAP}(?:{_ASKS})|what .{{0,20}}(?:jeonse|deposit)"),
    (
        "loan",
        rf"대출(?:금|액)?{_GAP}(?:{_ASKS}|{_NEEDS})|얼마(?:까지|나|를)?\s?(?:빌|대출|융자)|how much .{{0,24}}(?:borrow|loan)|what .{{0,12}}loan",
    ),
    ("per_pyeong", rf"평당{_GAP}(?:{_ASKS})|per pyeong"),
    ("area_m2", rf"(?:몇\s?평|면적{_GAP}(?:{_ASKS}))|how many pyeong"),
    ("price", rf"(?:집값|매매가|시세|분양가|총액?|전체|가격){_GAP}(?:{_ASKS})"),
)
"""What is asked by its words, the plainer first."""
_BARE: Final = {"per_pyeong": "price"}
"""What a bare "얼마" asks for beside a value."""
_NAMES: Final[Mapping[str, tuple[Said, str]]] = {
    "price": (Said("집값", "The price"), "krw"),
    "savings": (Said("필요한 내 돈", "Your own money"), "krw"),
    "loan": (Said("대출금", "The loan"), "krw"),
    "deposit": (Said("보증금", "The deposit"), "krw"),
    "rent": (Said("월세", "The monthly rent"), "krw"),
    "repaid_year": (Said("한 해에 갚을 수 있는 돈", "What can be repaid a year"), "krw"),
    "ltv": (Said("LTV", "The LTV"), "percent"),
    "conversion": (Said("전월세전환율", "The conversion rate"), "percent"),
    "dsr": (Said("DSR", "The DSR"), "percent"),
    "rate": (Said("금리", "The interest rate"), "percent"),
    "months": (Said("다 갚는 기간", "The time of repayment"), "months"),
    "area_m2": (Said("면적", "The floor area"), "m2"),
    "per_pyeong": (Said("평당 가격", "The price per pyeong"), "krw"),
}
_NOTES: Final[Mapping[str, Said]] = {
    "savings": Said(
        "취득세와 중개보수 등 부대 비용은 넣지 않았습니다.", "Taxes and fees of the purchase are not in it."
    ),
    "conversion": Said(
        "보증금을 월세로 바꿀 때의 상한은 연 10%와 기준금리 + 2%p 가운데 낮은 쪽입니다.",
        "Turning deposit into rent is capped at the lower of 10% a year and the base rate plus 2 percentage points.",
    ),
    "dsr": Said("은행권 대출의 DSR 한도는 보통 40%입니다.", "Banks usually lend up to a DSR of 40%."),
    "ltv": Said("지역과 집 수에 따라 한도가 다릅니다.", "The limit differs by area and by how many homes you own."),
}
_UNSOLVABLE: Final = Said(
    "말씀하신 값으로는 계산이 되지 않습니다. 갚는 돈이 이자보다 적거나, 뺄 돈이 집값보다 많지 않은지 확인해 주세요.",
    "These values have no solution: payments may be below the interest, or what is taken off above the price.",
)
_GIVEN_MIN: Final = 2
_LOAN_OF: Final = frozenset({"savings", "interest_month"})
"""A loan is told from these; by LTV, income or payments it is a limit, which has its own calculator."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the unknown of a relation whose other sums the question names, every number being used."""
    last = before[0].asks[-1] if before and before[0].asks else None
    if last is not None and last.answerer == f"realty.{SOLVED.answerer}":
        edit = edited(sheet, before, (SOLVED,))
        if edit is not None:
            return (edit,)
    for topic in _READINGS:
        ask = _of_told_price(drafted(sheet, topic, AskForm.AMOUNT), sheet, before)
        known = _known(ask)
        if len(known) < _GIVEN_MIN or not all(one.role for one in ask.quantities):
            continue
        bare = ((target, r"얼마|how much") for given, target in _BARE.items() if given in known)
        for target, pattern in (*_TARGETS, *bare):
            if target != "conversion" and sheet.says(TO_JEONSE):
                # A lease that is to be said as another is no unknown of its sums.
                continue
            if sheet.says(pattern) and _is_solvable(target, known):
                costs = {"costs": beside_price.named(sheet)} if target == "savings" and "price" in known else {}
                return (Claim(replace(ask, notes={**ask.notes, "target": target, **costs}), 0.96),)
    return ()


_POINTS: Final = r"그거|그것|그걸|그\s?(?:집|값|가격|아파트|돈)|이\s?(?:집|값|가격)|\b(?:it|that|this)\b"


def _of_told_price(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    """Return an ask on a share of a price with the price that was just told, where its words point to it."""
    roles = {one.role for one in ask.quantities}
    told = told_last(before[:1]) if roles == {"ltv"} and sheet.says(_POINTS) else ()
    price = next((one.figures["sale_price"] for one in told if "sale_price" in one.figures), "")
    if len(told) != 1 or not price:
        return ask
    # A mean of the market is told in 만원, so that what is computed from it starts there too.
    value = (Decimal(price) / MAN).quantize(Decimal(1)) * MAN
    carried = AskQuantity("price", f"{value:f}", "krw", origin=Origin.CARRIED)
    return replace(ask, quantities=(*ask.quantities, carried))


def _is_solvable(target: str, known: Mapping[str, Decimal]) -> bool:
    if target == "loan" and known.keys().isdisjoint(_LOAN_OF):
        return False
    try:
        return bool(solved(target, known, RELATIONS))
    except UnsolvableError:
        return True


def _known(ask: Ask) -> dict[str, Decimal]:
    """Return the values given by variable; payments of several debts are added."""
    known: dict[str, Decimal] = {}
    for role in {one.role for one in ask.quantities if one.role}:
        value = number_of(ask, role)
        if value is None:
            continue
        if role == "repaid_year":
            value = sum((Decimal(one.value) for one in ask.quantities if one.role == role), Decimal(0))
        if role == "area_m2" and any(one.unit == "pyeong" for one in ask.quantities if one.role == role):
            value *= calc.PYEONG_M2
        known[role] = value
    return known


def _answer(ask: Ask, found: Found) -> Outcome:
    target = ask.notes["target"]
    try:
        steps = solved(target, _known(ask), RELATIONS)
    except UnsolvableError:
        return Outcome(declined(ask, _never_repaid(_known(ask)) if target == "months" else _UNSOLVABLE))
    values = _known(ask) | {step.unknown.name: step.value for step in steps}
    if costs := ask.notes.get("costs"):
        return _with_costs(ask, found, steps[-1], values, costs)
    label, unit = _NAMES[target]
    sentence = filled(
        "{label:은/는} {value}입니다({shown}).",
        "{label} is {value} ({shown}).",
        label=label,
        value=_said(steps[-1].value, unit),
        shown=_shown(steps[-1], values, ask),
    )
    lines = [
        filled(
            "{label} = {shown} = {value}",
            "{label} = {shown} = {value}",
            label=_NAMES[step.unknown.name][0],
            shown=_shown(step, values, ask),
            value=_said(step.value, _NAMES[step.unknown.name][1]),
        )
        for step in steps[:-1]
    ]
    notes = grounds(given_line(ask), *lines, _NOTES.get(target))
    return done(answered(ask, sentence, inputs=inputs_of(ask), grounds=notes), own_evidence(ask, found))


def _with_costs(ask: Ask, found: Found, step: Step, values: Mapping[str, Decimal], costs: str) -> Outcome:
    """Return the own money that a purchase needs with the costs that are to be counted in."""
    beside = beside_price.sums(values["price"], costs)
    sentence = filled(
        "부대 비용을 더해 필요한 내 돈은 {sum}입니다({shown} + {each}).",
        "With the costs beside the price you need {sum} of your own ({shown} + {each}).",
        sum=money(calc.whole(step.value + sum(value for _, value in beside))),
        shown=_shown(step, values, ask),
        each=listed(
            [filled("{name} {value}", "{name} {value}", name=name, value=money(value)) for name, value in beside],
            conjunction=(" + ", " + "),
        ),
    )
    notes = grounds(given_line(ask), beside_price.BASIS)
    pieces = [rule_evidence(found, *one) for one in beside_price.sources(costs)]
    return done(answered(ask, sentence, inputs=inputs_of(ask), grounds=notes), own_evidence(ask, found), *pieces)


def _never_repaid(known: Mapping[str, Decimal]) -> Said:
    return filled(
        "매달 {paid:으로/로}는 다 갚을 수 없습니다. 첫 달 이자만 {interest:이/}라 원금이 줄지 않습니다.",
        "{paid} a month never repays it: the first month's interest alone is {interest}.",
        paid=money(known["paid_month"]),
        interest=money(calc.interest_only(known["loan"], known["rate"])),
    )


def _shown(step: Step, values: Mapping[str, Decimal], ask: Ask) -> Said:
    """Return how a value was computed: values given in their own units, payments of several debts as their sum."""
    given = (one for one in ask.quantities if one.role and one.role != "repaid_year")
    own = {one.role: value_said(Decimal(one.value), one.unit) for one in given}
    return shown(step, {name: own.get(name) or _said(values[name], _NAMES[name][1]) for name in step.inputs})


def _said(value: Decimal, unit: str) -> Said:
    if unit == "krw":
        return money(calc.whole(value))
    if unit == "months":
        years, months = divmod(int(value), calc.MONTHS)
        rest = Said(f" {months}개월", f" and {months} months") if months else Said("", "")
        ko = f"{years}년{rest.ko}" if years else rest.ko.strip()
        en = f"{years} years{rest.en}" if years else f"{months} months"
        return Said(f"{ko}({int(value)}개월)", f"{en} ({int(value)} months)") if years else Said(ko, en)
    return value_said(round(value, 2), unit)


ANSWERERS: Final = (Answerer(SOLVED.answerer, ALONE, _answer),)
