"""The kinds of sums of every day: the words that they are known by, what their numbers may be, what is asked of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from services.plugin.asks.roles import Role

_MONEY: Final = ("krw", "usd")
_AMOUNTS: Final = ("krw", "usd", "count")
_PERCENT: Final = ("percent",)
_SPAN: Final = ("years", "months")
_HOW_MUCH: Final = r"얼마|몇|어느\s?정도|계산|면(?:은|요)?\W*$|how much|what|how many|how long"
_IN_ALL: Final = r"만기|총\s?얼마|모두\s?얼마|전부|maturity|in total|(?:will|do|would) i (?:have|get|end up)|\bgrow|end up|be worth|add up"
_NET: Final = r"세후|세금[^?]{0,8}\s?(?:떼|빼|제)(?!기\s?전)|after (?:the )?tax"
_AT_MATURITY: Final = r"만기\s?(?:에|때|금액|수령)|원리금|원금(?:이랑|하고|과|까지|\s?포함)|at maturity|with the principal|principal and interest"
_NET_TARGETS: Final = (
    ("net_matured", rf"^(?=.*(?:{_NET}))(?=.*(?:{_AT_MATURITY}))(?!.*이자(?:는|가|만)?\s?(?:얼마|몇))"),
    ("net_interest", _NET),
)
"""What is left after tax: of all that is paid at maturity, else of the interest."""
_METRES: Final = r"제곱(?:\s?미터)?|평방\s?미터|㎡|m2|m²|sqm|sq\.? ?m\b|square met(?:er|re)s?"
_OFF: Final = r"할인|세일|디스카운트|쿠폰|깎|\boff\b|discount|\bsale\b"
_EACH_MONTH: Final = (
    r"매달|매월|다달이|달마다|한\s?달에|(?<![0-9])월\s?(?=[0-9])"
    r"|[0-9]\s?(?:k|m|million)?\s?(?:won|krw|usd|dollars?)?\s(?:(?:a|per|every|each) month|monthly)\b|monthly [₩$]?[0-9]"
    r"|how much (?:a|per|every|each) month|(?:a|per|every|each) month to (?:have|reach|get|save)"
)
_SAVES: Final = (
    r"저축|모으|모아|모은|넣|붓|부으|부어|불입|\b(?:sav(?:e|es|ing|ings)|put(?:ting)?|set(?:ting)? aside|deposit(?:ing)?"
    r"|invest(?:ing)?|contribut(?:e|ing)|adds? up to|grow|end up with|accumulate)\b"
)
"""Money that is put by each month: how often, and that it is put by."""
_PAID_MONTHLY: Final = r"월세|관리비|구독료|회비|월급|임대료|\brent\b|\bfees?\b|subscription"
"""What is paid each month, whatever else is said."""
_ALTOGETHER: Final = (
    r"(?:총|모두|전부|다\s?(?:합|해서)|합쳐|합하|통틀어|다\s?내면)|(?:개월|년|달)\s?(?:치|동안|간)?\s?(?:을|를|이면|에|만)?\s?(?:다\s)?(?:내|냈|쓰|받|모으|부으|합|이면|면|치면|치는|치)[^?]{0,10}얼마|(?:1|일)\s?년에\s?(?:총\s?)?얼마"
    r"|how much (?:a|per) year|\b(?:in total|altogether|in all|total|all together|add(?:s)? up)\b|how much (?:is that|does that|would that|will that|will i (?:have )?(?:pay|paid|spend))"
)
"""Asks for all that is paid over a time."""
_OTHER_RATE: Final = r"%|퍼센트|프로|percent|금리|이자|전환|복비|중개|보증금|전세|세액|공제|세금|매년|연간|해마다|하루|매주|주당|per year|yearly|weekly|a week|a day|deposit|\btax|interest|\bloan"
"""What makes it a sum of another kind."""


@dataclass(frozen=True, slots=True)
class SumKind:
    """One kind of sum."""

    id: str
    """Its id, which a later message finds it by."""
    words: str
    """The words that it is known by."""
    roles: tuple[Role, ...]
    """What its numbers may be, by the words around them."""
    targets: tuple[tuple[str, str], ...]
    """Values with the words that ask for them; the first that follows from the numbers is told."""
    rest: Mapping[str, str]
    """The role of a number of a unit that no word binds."""
    about: frozenset[str] = frozenset()
    """Kinds of things that the words themselves name, beside numbers: a rate of exchange is a series of data too."""
    idle: frozenset[str] = frozenset()
    """Units of numbers that say no input: "1년 배당금", "두 배"."""
    assumed: Mapping[str, str] = field(default_factory=dict)
    """Values of roles that are assumed, and told so, where nothing else follows: a year of interest."""
    assumes: str = ""
    """The words of which one has to stand for that: a deposit may be that of a lease."""


def _money(name: str, before: str = "", behind: str = "") -> Role:
    return Role(name, _MONEY, before=before, behind=behind)


def _share(name: str, before: str = "", behind: str = "") -> Role:
    return Role(name, _PERCENT, before=before, behind=behind)


_PRICE: Final = _money(
    "price", r"정가(?:가|는)?|원래\s?(?:가격|값)?(?:이|은)?|list price(?:\sof)?", r"짜리|(?:won\s|dollar\s)?item"
)
_MONTHS: Final = Role("months", _SPAN, before=r"", behind=r"(?:동안|간|만기|뒤|후|굴|넣|맡|부)")
_RATE: Final = r"금리|이율|이자율|연\s?$|\bat\s$|rate(?:\sof)?"


def _instalments(whole: str) -> tuple[Role, ...]:
    """Return the sums of monthly savings: what is put by each month, and what it is to come to."""
    return (
        _money(
            "instalment",
            r"매달|매월|월|다달이|한\s?달에|monthly",
            r"(?:원)?씩|(?:won\s|krw\s|dollars?\s)?(?:(?:a|per|every|each) month|monthly)",
        ),
        _money(
            whole,
            r"(?:to|and) (?:have|reach|get|save(?: up)?|accumulate)(?: a total of)?|\breach(?:es|ing)?|\badds?",
            r"(?:원)?(?:을|를)?\s?(?:모으|모아|만들|채우|마련)",
        ),
    )


KINDS: Final[tuple[SumKind, ...]] = (
    SumKind(
        "discount",
        _OFF,
        (
            _PRICE,
            _share("off", behind=rf"(?:나|를|을|씩|짜리)?\s?(?:더\s?)?(?:{_OFF})"),
            _money(
                "paid",
                r"할인가(?:가|는)?|할인해서|할인받아|깎아서|paid|for only",
                r"(?:원)?(?:에|로)?\s?(?:샀|구매|구입|결제)|(?:원)?(?:으로|로)\s?(?:내|할인|떨어|깎)|(?:원)?이(?:면|래|라)",
            ),
        ),
        (
            ("off", r"몇\s?(?:%|퍼|프로)|할인율|what (?:discount|percent)|how many percent"),
            ("price", r"원래|정가|original|list price|before (?:the )?discount"),
            ("paid", _HOW_MUCH),
        ),
        {"krw": "price", "usd": "price", "percent": "off", "count": "count"},
    ),
    SumKind(
        "margin",
        r"마진|원가|이익률|떼다|떼서|떼와|도매|margin|profit|\bcosts?\b.{0,30}\bsell",
        (
            _money(
                "cost",
                r"원가(?:가|는)?|매입가(?:가|는)?|cost(?:\s(?:is|of))*",
                r"(?:원)?(?:에|을\s?주고)\s?(?:떼|사|가져|매입)",
            ),
            _money(
                "sold",
                r"판매가(?:가|는)?|sell(?:ing)?(?: it)?(?: (?:at|for|price is))*",
                r"(?:원)?(?:에|으로)\s?(?:팔|파는|판매)",
            ),
            _money(
                "profit",
                r"(?:순)?이익(?:을|이)?|profit(?:\sof)?",
                r"(?:원)?(?:을|은|이)?\s?(?:남기|남겨|이익)|(?:won\s)?(?:of\s)?profit",
            ),
            _share("fee", r"수수료(?:율)?(?:가|는|이)?|fee(?:\sof)?", r"수수료|fee"),
            _share("margin", r"마진(?:율)?(?:을|이|은)?|margin(?:\sof)?", r"마진|margin"),
        ),
        (
            ("margin", r"마진율|이익률|몇\s?(?:%|퍼|프로)|margin"),
            ("sold", r"얼마에\s?(?:팔|판매)|판매가|what price|how much should i (?:sell|charge)"),
            ("profit", r"이익|남(?:아|나|는|을|죠)|마진|profit"),
        ),
        {},
    ),
    SumKind(
        "recovery",
        r"본전|원금\s?회복|break ?even|back to even|make (?:it )?up|recover",
        (
            _share("fall", r"-\s?$", r"(?:나|가|이|쯤)?\s?(?:빠|떨어|하락|손실|손해|난|내렸|마이너스)"),
            _share("fall", r"fell|dropped|lost|down|fall(?:s|en)?|drops?"),
        ),
        (("recovery", r"올라야|회복|상승해야|rise|gain|go up|climb|recover"),),
        {"percent": "fall"},
    ),
    SumKind(
        "gathered",
        rf"^(?=.*(?:복리|compound))(?=.*(?:{_EACH_MONTH}|적금))(?=.*(?:{_SAVES}|적금))",
        (
            *_instalments("gathered"),
            _share("yearly", _RATE, r"(?:복리|compound)"),
            _MONTHS,
        ),
        (
            ("months", r"얼마나\s?걸|몇\s?(?:년|개월|달)|how (?:long|many (?:months|years))"),
            ("instalment", r"(?:매달|매월|다달이|한\s?달에)\s?얼마|how much (?:a|per|every|each) month"),
            ("gathered", _HOW_MUCH),
        ),
        {"krw": "instalment", "usd": "instalment", "percent": "yearly", "years": "months", "months": "months"},
    ),
    SumKind(
        "compound",
        r"복리|compound|두\s?배(?:가)?\s?(?:되|돼)|\bdouble\b",
        (_money("principal", r"원금(?:이|은)?", r""), _share("yearly", _RATE, r"(?:복리|compound)"), _MONTHS),
        (("doubling", r"두\s?배|double"), ("grown", _HOW_MUCH)),
        {"krw": "principal", "usd": "principal", "percent": "yearly", "years": "months", "months": "months"},
        idle=frozenset({"times"}),
    ),
    SumKind(
        "instalments",
        rf"적금|instal(?:l)?ment savings|monthly savings|^(?=.*(?:{_EACH_MONTH}))(?=.*(?:{_SAVES}))",
        (
            *_instalments("matured"),
            _share("simple", _RATE),
            _MONTHS,
        ),
        (
            *_NET_TARGETS,
            ("instalment", r"매달|매월|다달이|한\s?달에|(?:a|per|every|each) month|monthly"),
            ("matured", rf"{_IN_ALL}|다\s?합|모이|모여"),
            ("interest", _HOW_MUCH),
        ),
        {"krw": "instalment", "usd": "instalment", "percent": "simple", "years": "months", "months": "months"},
    ),
    SumKind(
        "payments",
        rf"^(?!.*(?:{_OTHER_RATE}))(?=.*(?:{_EACH_MONTH}|{_PAID_MONTHLY}))(?=.*(?:{_ALTOGETHER}))",
        (
            _money(
                "instalment",
                r"매달|매월|월|다달이|한\s?달에|monthly|rent(?: of| is)?",
                r"(?:원)?씩|(?:won\s)?(?:a|per) month",
            ),
            _MONTHS,
        ),
        (("total", rf"{_HOW_MUCH}|\btotal\b|총액|합계"),),
        {"krw": "instalment", "usd": "instalment", "years": "months", "months": "months"},
        about=frozenset({"deal_type", "category"}),
    ),
    SumKind(
        "deposit",
        r"예금|맡기|예치|넣어\s?(?:두|둔|둘|뒀|놓)|넣(?:어서?|으면)\s[^?.!]{0,16}이자|(?:%|퍼센트|프로)(?:로|에|짜리에)?\s?(?:통장에\s?)?넣(?!어\s?주)|\bdeposit (?:account|rate)|savings account|term deposit|fixed deposit"
        r"|\b(?:put|place|park|keep|save|deposit(?:ed)?|leave)\b.{0,60}(?:%|percent)|(?:%|percent) (?:a year |per year |yearly )?(?:deposit|savings)|\brate\b.{0,30}\b(?:earn|make|get)\b.{0,40}\b(?:on|from)\b",
        (
            _money(
                "principal", r"예금(?:으로|에)?|\b(?:on|from)(?: a deposit of)?", r"(?:원)?(?:을)?\s?(?:예금|맡|예치)"
            ),
            _money(
                "interest",
                r"이자(?:를|로|가|는|만)?(?:\s?(?:일|1)?년에)?|\b(?:earn|make|get)\b",
                r"(?:원)?(?:의|씩)?\s?이자|(?:won\s)?(?:of|in) interest",
            ),
            _share("simple", _RATE, r"(?:deposit|savings|interest)"),
            _MONTHS,
        ),
        (
            (
                "simple",
                r"(?:금리|이율|이자율)\S{0,2}\s?(?:연\s?)?(?:몇|얼마)|몇\s?(?:%|퍼센트|프로)|what (?:interest )?rate|how (?:high|much) (?:a |of a )?(?:interest )?rate|what percent",
            ),
            (
                "principal",
                r"얼마(?:를|나)?\s?(?:넣|예금|맡|예치|있어야|필요)|how much .{0,30}(?:deposit|put|need|save)",
            ),
            *_NET_TARGETS,
            ("matured", _IN_ALL),
            ("interest", rf"{_HOW_MUCH}|이자\W*$|interest\W*$"),
        ),
        {"krw": "principal", "usd": "principal", "percent": "simple", "years": "months", "months": "months"},
        assumed={"months": "12"},
        assumes=r"이자|예금|예치|\binterest\b|\brate\b|savings account|deposit account",
    ),
    SumKind(
        "wage",
        r"시급|일당|하루(?:에)?\s[^?]{0,12}씩|\b(?:an|per|each) hour\b|\bhourly\b|[0-9] ?(?:won|krw|usd|dollars?)? (?:a|per|each|every) day",
        (
            _money(
                "wage",
                r"시급(?:이|은)?|한\s?시간에|hourly(?: wage| rate| pay)?(?: of| is)?",
                r"(?:won\s|dollars?\s)?(?:(?:an|per|each) hour|hourly)",
            ),
            _money(
                "day", r"일당(?:이|은)?|하루(?:에)?(?:\s\S{1,6})?", r"(?:won\s|dollars?\s)?(?:a|per|each|every) day"
            ),
        ),
        (("earned", rf"{_HOW_MUCH}|\btotal\b|합계"),),
        {"hours": "hours", "days": "days", "weeks": "weeks"},
        about=frozenset({"category"}),
    ),
    SumKind(
        "dividend",
        r"배당|dividend",
        (
            _share("dividend_yield", r"배당(?:수익)?률?(?:이|은)?|dividend yield(?:\s(?:of|is))*", r"배당|dividend"),
            _money("dividend", r"배당금?(?:을|이)?", r"(?:원)?(?:의|을)?\s?배당"),
            _money("invested", r"", r"(?:원)?(?:을|어치)?\s?(?:투자|넣|사)"),
        ),
        (
            ("invested", r"얼마(?:를|나)?\s?(?:투자|넣|있어야|필요)|how much .{0,20}(?:invest|need)"),
            ("dividend", _HOW_MUCH),
        ),
        {"krw": "invested", "usd": "invested", "percent": "dividend_yield"},
        idle=frozenset({"years"}),
    ),
    SumKind(
        "multiple",
        r"\bPER\b|\bP/E\b|퍼(?:가|이|는)\s?\d",
        (
            _money("eps", r"EPS(?:가|는|이)?|주당\s?순이익(?:이|은)?|earnings per share(?:\s(?:of|is))*"),
            _money("share_price", r"주가(?:가|는)?|share price(?:\s(?:of|is))*"),
            Role("per", ("times", ""), before=r"PER(?:이|가|은)?|P/E(?:\s(?:of|is))*", behind=r"배", bare=True),
        ),
        (
            ("per", r"PER(?:이|은|가)?\s?(?:얼마|몇)|what (?:is the )?P/?E"),
            ("eps", r"EPS(?:는|가)?\s?(?:얼마|몇)"),
            ("share_price", _HOW_MUCH),
        ),
        {},
    ),
    SumKind(
        "exchange",
        r"환율|1\s?달러(?:가|에|당)?\s?[0-9,.]+\s?원|exchange rate",
        (
            Role(
                "exchange",
                ("krw", ""),
                before=r"환율(?:이|은)?|1\s?달러(?:가|에|당)?|exchange rate(?:\s(?:of|is|at))*",
                behind=r"환율",
                bare=True,
            ),
        ),
        (("in_dollars", r"(?:몇|얼마)\s?달러|달러로|how many dollars|in dollars"), ("in_won", _HOW_MUCH)),
        {"usd": "in_dollars", "krw": "in_won"},
        about=frozenset({"series"}),
    ),
    SumKind(
        "trade",
        r"수익률|손실률|몇\s?(?:%|퍼센트|프로)(?:가|나)?\s?(?:수익|손해|손실|이익|벌|먹|오르|오른|올랐|내리|내린|내렸|떨어|빠|뛰|뛴|늘|증가|감소|줄|상승|하락|변)|\breturn\b|profit or loss|\b(?:what|how many) percent(?:age)?\b[^?]{0,30}\b(?:up|down|gain|loss|profit|return|rise|rose|risen|fall|fell|fallen|drop|increase|decrease)",
        (
            Role(
                "bought",
                ("krw", "usd", ""),
                before=r"평단(?:가)?(?:이|은)?|매수가(?:가|는)?|\bbought (?:\w+ ){0,3}(?:at|for)|\bpaid|\bcost me|from",
                behind=r"(?:원|달러)?(?:어치)?(?:에|를|을|(?:을)?\s?주고)?\s?(?:산|샀|매수|사서|들어|투자|넣)|(?:원|달러)?(?:에서|이(?!야|에|네|죠|요|라|거)|가|였던|이던|던|짜리가)",
                bare=True,
            ),
            Role(
                "now",
                ("krw", "usd", ""),
                before=r"지금(?:은)?|현재가?(?:는|가)?|매도가(?:는|가)?|now|sold (?:it )?(?:at|for)|it is|\bworth(?: about)?|\bto\b",
                behind=r"(?:원|달러)?(?:이|가|에|으로|로|까지)?\s?(?:됐|되|된|팔|매도|이면|예요|야|늘|올|줄|내)|now|(?:원)?이면",
                bare=True,
            ),
        ),
        (("returned", _HOW_MUCH),),
        {},
        about=frozenset({"property_type"}),
    ),
    SumKind(
        "share",
        r"의\s?(?:[0-9.]+\s?(?:%|퍼센트|프로)|몇\s?(?:%|퍼센트|프로))|중에?\s?[0-9,]+\s?(?:명|개|건|만)|[0-9.]+\s?(?:%|percent) of|what (?:percent|share)",
        (
            Role("whole", _AMOUNTS, before=r"\bof\b", behind=r"의|중"),
            Role("part", _AMOUNTS, before=r"", behind=r"(?:원)?(?:은|는|이)"),
        ),
        (("share", r"몇\s?(?:%|퍼센트|프로)|what (?:percent|share)"), ("part", _HOW_MUCH)),
        {"krw": "whole", "usd": "whole", "": "whole", "count": "whole", "percent": "share"},
    ),
    SumKind(
        "count",
        r"인당|더치페이|나눠|나누면|split|per person|개당|하나(?:당|에)|[0-9]\s?(?:개|봉지|병|박스|장|권|켤레|세트|캔|통|자루|대)(?:를|만)?\s?(?:사면|살\s?때|사는)|한\s?개(?:당|에)|총\s?(?:얼마|금액)|모두\s?얼마|다\s?해서|합쳐서|each\b|a piece|in total|per (?:unit|item)",
        (
            _money("price", r"", r"짜리|(?:씩)|each"),
            _money("paid", r"(?:개|명|병|장)에\s?$", r""),
        ),
        (
            (
                "each",
                r"인당|더치페이|나눠|나누면|split|per person|개당|하나(?:당|에)|한\s?개(?:당|에)|each|per (?:unit|item)|a piece",
            ),
            ("paid", _HOW_MUCH),
        ),
        {"krw": "paid", "usd": "paid", "count": "count", "": "count"},
    ),
    SumKind(
        "vat",
        r"부가세|부가가치세|\bVAT\b",
        (
            _money(
                "gross",
                r"(?:부가세|VAT)\s?(?:포함|별도\s?아닌)(?:한|된)?(?:\s?(?:금액|가격))?(?:이|가)?|including VAT",
                r"(?:원)?(?:이|가)?\s?(?:부가세\s?포함)",
            ),
        ),
        (
            ("net", r"공급가|제외|빼|net|before VAT|without VAT"),
            ("gross", r"포함|더하|합치|gross|including|with VAT"),
        ),
        {"krw": "net", "usd": "net"},
        idle=frozenset({"percent"}),
    ),
    SumKind(
        "area",
        rf"몇\s?(?:평|{_METRES})|(?:평(?:수)?|{_METRES})(?:으)?로|(?:how many|in|to|into) (?:pyeong|{_METRES})",
        (),
        (("pyeong", r"몇\s?평|평(?:수)?(?:으)?로|(?:how many|in|to|into) pyeong"), ("m2", _METRES)),
        {"m2": "m2", "pyeong": "pyeong"},
        about=frozenset({"property_type"}),
    ),
    SumKind(
        "instalment_plan",
        r"무이자|interest[- ]free",
        (_money("spread"), _MONTHS),
        (("monthly", _HOW_MUCH),),
        {"krw": "spread", "usd": "spread", "months": "months", "years": "months"},
    ),
)
"""Every kind; the first whose words a question says, and whose asked value follows, is meant."""
