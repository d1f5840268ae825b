"""What the numbers of a question on a loan may be for, and the kinds of such questions."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from services.domains.realty.asks.topic import Topic
from services.plugin.asks.roles import Role

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
    before=r"연\s?소득|연봉|소득|급여|연수입|월급|합산(?:은|이|으로|해서)?|합쳐(?:서)?|맞벌이(?:로)?|둘이(?:서)?|월\s?수입|\bincomes?\b|(?:yearly|annual|gross|year.s) pay\b|salary|earn(?:ing|s)?|\bgross(?:es|ing)?\b|\b(?:bring|take|pull|taking|bringing|pulling)s? (?:in|home)\b|takes?-home(?: pay)?|\bmakes?\b(?=\s(?:about\s)?(?:krw|₩|[0-9])?)",
    behind=r"(?:벌|버는|버시|번다|법니|소득|연봉)|(?:won\s)?(?:of\s|in\s)?(?:(?:joint|combined|household|family|yearly|annual|total|gross)\s){0,2}(?:income|salary)|(?:won\s)?(?:a|per) (?:year\b|annum)(?! (?:ago|later|from|on|for|towards?|to)\b)",
    bare=True,
)
_INCOME_TO: Final = Role(
    "income_to",
    _KRW,
    before=r"(?<=[0-9천만억원])에서\s?$|(?<=[0-9mnk])\sto\s(?:KRW\s|₩)?$",
    behind=r"(?:으?로|까지)\s?(?:오르|올라|늘|뛰|인상|되면)",
    bare=True,
)
"""What a yearly income goes to: "연봉이 5천에서 6천으로 오르면"."""
_LOAN: Final = Role(
    "loan",
    _KRW,
    before=r"대출(?:금|액|을|를|이|로|은)?|융자|주담대|빌리(?:고|려)?|원금(?!균등)|\bmortgage(?:\sof)?|\bloan(?:\sof)?|borrow(?:ing|ed)?|\bowe|principal",
    behind=r"(?:원\s?)?(?:정도\s?)?(?:주택담보|전세|담보|신용|은행)?\s?(?:대출|빌리|빌려|빌릴|융자)|(?:jeonse\s|home\s|housing\s)?(?:mortgage|loan)|mortgage",
    bare=True,
)
_OTHER: Final = Role(
    "other_year",
    _KRW,
    before=r"(?:기존|다른)\s?(?:대출|빚|부채|할부)(?!\s?(?:은|이|도)?\s?없)[^0-9.]{0,14}|(?:신용|자동차|차|학자금)\s?(?:대출|할부)[^0-9.]{0,10}(?:연|월|매달|매월|달마다|다달이|한\s?달|상환|갚)[^0-9.]{0,6}|(?:이미|지금)\s?(?:갚|상환)[^0-9]{0,6}|[년해]에\s?원리금(?:으로|을|이)?\s?|already (?:re)?pay(?:ing)?|(?<!no )other (?:debts?|loans?)[^0-9.]{0,12}|existing (?:debts?|loans?)[^0-9.]{0,12}|\brepaying\b|car loan (?:re)?payments?[^0-9]{0,10}",
    behind=r"(?:씩\s?)?(?:(?:다른|기존)\s?(?:대출|빚|부채|할부)(?:을|를|도)?\s?)?(?:이미\s?)?(?:갚고|상환하고|상환\s?중|갚는\s?중|나가(?:고|요|는데)|빠져)|(?:a (?:month|year)|monthly|yearly|annually|per (?:month|year)) (?:on|for|towards?|to) (?:a|an|my|our|the|other|existing) (?:car |student |credit |other )?(?:loan|debt)",
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
    before=r"(?<![가-힣])(?:내|제|우리)\s?돈|모은\s?돈|모아\s?둔\s?돈|여윳돈|여유\s?자금|가진\s?돈|현금|자기\s?자금|자기자본|자본금?|저축|savings?(?:\sof)?|saved(?:\sup)?|\bgot\b|\bcash(?:\sof)?|\bi have\b",
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
    before=r"에서\s?$|\bto\s$|\b(?:goes|go|went|rises?|jumps?|climbs?|moves?|drops?|falls?)\s$",
    behind=r"(?:까지\s?)?(?:오르|올라|뛰|내리|내려|떨어|되면|바뀌|바꾸|바꿔|갈아타|갈아탈|옮기|대환|낮추|낮춰|낮아)",
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
    behind=r"(?:만기|상환|동안|분할|원리금|원금|고정|간|mortgage|loan|term|fixed)",
)
GRACE: Final = Role(
    "grace",
    ("years", "months"),
    before=r"거치\s?기간(?:은|는|이|을)?\s?$|(?<![년월간])(?<![년월간]\s)거치(?:는|은)?\s?$|\bgrace(?: period)?(?: of| is)?\s$|\binterest[- ]only for(?: the first)?\s$",
    behind=r"(?:은\s?|는\s?)?(?:거치|이자만)|(?:of )?(?:grace\b|interest[- ]only)",
    bare=True,
)
"""How long interest alone is paid before the loan is repaid."""
_TERM_BARE: Final = Role(
    "months", ("years", "months"), before=r"(?:만기|기간)(?:는|은|이|을|가)?\s?$|\bterm(?: of| is)?\s$", bare=True
)
_UNASKED: Final = r"(?!\s?(?:이|가|은|는)?\s?(?:얼마|몇|어떻))"
"""Behind the name of a limit: that it is asked for, and so is none that is given."""
_LTV: Final = Role(
    "ltv",
    ("percent",),
    before=rf"(?:LTV|엘티브이|엘티비){_UNASKED}|\blends?\s(?:me\s|us\s|up to\s|at most\s)*|담보\s?인정\s?비율|집값의|시세의|감정가의|(?:가격|값|금액)의",
    behind=r"LTV|of (?:the|that|its) (?:price|value|sum)",
    bare=True,
)
_DTI: Final = Role("dti", ("percent",), before=rf"DTI{_UNASKED}|총부채\s?상환\s?비율", behind=r"DTI", bare=True)
_DSR: Final = Role(
    "dsr", ("percent",), before=rf"(?:DSR|디에스알){_UNASKED}|총부채\s?원리금\s?상환\s?비율", behind=r"DSR", bare=True
)
_RATES: Final = (_LTV, _DTI, _DSR, _STRESS_RATE, _RATE_TO, _RATE_RISE, _RATE_FALL, RATE)
_ALL: Final = (_OTHER, _INCOME, _SAVINGS, _LOAN, _PRICE, TERM, _TERM_BARE, *_RATES)
_INTENT: Final = "LOAN_CONSULT"
_REST: Final = {"krw": "loan", "percent": "rate", "years": "months", "months": "months"}
LIMIT: Final = Topic(
    "loan_limit",
    _INTENT,
    (_OWED, _INCOME_TO, *_ALL),
    {"krw": "price", "percent": "rate", "years": "months", "months": "months"},
)
SHARE: Final = Topic("debt_share", _INTENT, _ALL, _REST, ("loan", "rate", "months", "income_year"))


def _is_bought(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a purchase: a price above the savings and the loan."""
    price, parts = sums.get("price"), ("savings", "loan")
    return price is not None and "savings" in sums and all(sums.get(one, Decimal(0)) < price for one in parts)


ENOUGH: Final = Topic(
    "money_enough",
    _INTENT,
    _ALL,
    {"percent": "rate", "years": "months"},
    ("price", "savings", "ltv"),
    holds=_is_bought,
)
DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|을|이)?|\bdeposit(?:\sof)?|전세금?(?:은|을|이)?",
    behind=r"(?:won\s)?deposit|보증금|전세",
    bare=True,
)
PAYMENT: Final = Topic(
    "loan_payment",
    _INTENT,
    (_PREPAID, _SPARE_A_MONTH, GRACE, *_ALL, _TERM_TO, _TERM_INSTEAD, _TERM_LEFT, DEPOSIT),
    _REST,
    ("loan", "rate"),
    takes=("loan", "rate", "months"),
)
REACH: Final = Topic(
    "price_reached", _INTENT, _ALL, {"percent": "rate", "years": "months"}, ("savings", "income_year", "rate")
)
TOPICS: Final = (ENOUGH, SHARE, PAYMENT, LIMIT, REACH)
