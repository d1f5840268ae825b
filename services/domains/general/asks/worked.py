"""Sums of every day whose numbers all stand in the question: whichever value of a relation is left out is computed.

A kind of sum is known by its own words (할인, 복리, 적금, PER); its numbers have their roles by the words around them, and the
one that no word binds has the role with which the asked value follows. Where a question names a thing that data is about, a
share, a place, an order, it is no sum of its own numbers and is left to the domain of that thing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskInput, AskQuantity, Ground, Origin, Said
from services.domains.general.everyday import AFTER_TAX, MONTHS, RELATIONS
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered, declined
from services.plugin.asks.edits import carried, is_fresh, short
from services.plugin.asks.numbers import numbers_in
from services.plugin.asks.relations import UnsolvableError, shown, solved
from services.plugin.asks.roles import Role, bound_to
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import decimal, exact_won, filled, percent
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY

_AGENT: Final = ("general.general_knowledge",)
_MONEY: Final = ("krw", "usd")
_PERCENT: Final = ("percent",)
_SPAN: Final = ("years", "months")
_HOW_MUCH: Final = r"얼마|몇|어느\s?정도|계산|how much|what|how many|how long"
_OFF: Final = r"할인|세일|디스카운트|쿠폰|깎|\boff\b|discount|\bsale\b"
_NAMED: Final[Mapping[str, tuple[Said, str]]] = {
    "price": (Said("정가", "The list price"), "money"),
    "paid": (Said("내는 금액", "What you pay"), "money"),
    "off": (Said("할인율", "The discount"), "percent"),
    "count": (Said("수량", "The count"), "number"),
    "cost": (Said("원가", "The cost"), "money"),
    "sold": (Said("판매가", "The selling price"), "money"),
    "fee": (Said("수수료율", "The fee"), "percent"),
    "profit": (Said("이익", "The profit"), "money"),
    "margin": (Said("마진율", "The margin"), "percent"),
    "bought": (Said("산 값", "The price paid"), "money"),
    "now": (Said("지금 값", "The value now"), "money"),
    "returned": (Said("수익률", "The return"), "percent"),
    "fall": (Said("하락률", "The fall"), "percent"),
    "recovery": (Said("본전까지 올라야 할 폭", "The rise that makes it up"), "percent"),
    "principal": (Said("원금", "The principal"), "money"),
    "yearly": (Said("연 이율", "The yearly rate"), "percent"),
    "simple": (Said("연 이율", "The yearly rate"), "percent"),
    "months": (Said("기간", "The term"), "months"),
    "grown": (Said("불어난 금액", "The final sum"), "money"),
    "doubling": (Said("두 배가 되는 기간", "The time to double"), "years"),
    "interest": (Said("세전 이자", "The interest before tax"), "money"),
    "net_interest": (Said("세후 이자", "The interest after tax"), "money"),
    "matured": (Said("세전 만기 금액", "The sum at maturity before tax"), "money"),
    "instalment": (Said("매달 넣는 돈", "The monthly instalment"), "money"),
    "invested": (Said("투자금", "The sum invested"), "money"),
    "dividend_yield": (Said("배당수익률", "The dividend yield"), "percent"),
    "dividend": (Said("한 해 배당금", "The dividend a year"), "money"),
    "share_price": (Said("주가", "The share price"), "money"),
    "eps": (Said("주당순이익", "Earnings per share"), "money"),
    "per": (Said("PER", "The PER"), "times"),
    "in_won": (Said("원화 금액", "The sum in won"), "krw"),
    "in_dollars": (Said("달러 금액", "The sum in dollars"), "usd"),
    "exchange": (Said("환율", "The rate of exchange"), "krw"),
    "part": (Said("값", "The value"), "money"),
    "whole": (Said("전체", "The whole"), "money"),
    "share": (Said("비율", "The share"), "percent"),
}
"""What each value is called, and its unit; money is in the currency that the question speaks of."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of sum: the words that it is known by, what its numbers may be, what is asked of it."""

    words: str
    roles: tuple[Role, ...]
    targets: tuple[tuple[str, str], ...]
    """Values with the words that ask for them; the first that follows from the numbers is told."""
    rest: Mapping[str, str]
    """The role of a number of a unit that no word binds."""
    about: frozenset[str] = frozenset()
    """Kinds of things that the words themselves name, beside numbers: a rate of exchange is a series of data too."""
    idle: frozenset[str] = frozenset()
    """Units of numbers that say no input: "1년 배당금", "두 배"."""


def _money(name: str, before: str = "", behind: str = "") -> Role:
    return Role(name, _MONEY, before=before, behind=behind)


def _share(name: str, before: str = "", behind: str = "") -> Role:
    return Role(name, _PERCENT, before=before, behind=behind)


_PRICE: Final = _money(
    "price", r"정가(?:가|는)?|원래\s?(?:가격|값)?(?:이|은)?|list price(?:\sof)?", r"짜리|(?:won\s|dollar\s)?item"
)
_MONTHS: Final = Role("months", _SPAN, before=r"", behind=r"(?:동안|간|만기|뒤|후|굴|넣|맡|부)")
_RATE: Final = r"금리|이율|이자율|연\s?$|\bat\s$|rate(?:\sof)?"
_KINDS: Final = (
    _Kind(
        _OFF,
        (
            _PRICE,
            _share("off", behind=rf"(?:나|를|을|씩|짜리)?\s?(?:더\s?)?(?:{_OFF})"),
            _money(
                "paid",
                r"할인가(?:가|는)?|할인해서|할인받아|깎아서|paid|for only",
                r"(?:원)?(?:에|로)?\s?(?:샀|구매|구입|결제)|(?:원)?이(?:면|래|라)",
            ),
        ),
        (
            ("off", r"몇\s?(?:%|퍼|프로)|할인율|what (?:discount|percent)|how many percent"),
            ("price", r"원래|정가|original|list price|before (?:the )?discount"),
            ("paid", _HOW_MUCH),
        ),
        {"krw": "price", "usd": "price", "percent": "off", "count": "count"},
    ),
    _Kind(
        r"마진|원가|이익률|margin|profit|\bcosts?\b.{0,30}\bsell",
        (
            _money(
                "cost", r"원가(?:가|는)?|매입가(?:가|는)?|cost(?:\s(?:is|of))*", r"(?:원)?(?:에|을\s?주고)\s?(?:떼|사)"
            ),
            _money(
                "sold",
                r"판매가(?:가|는)?|sell(?:ing)?(?: it)?(?: (?:at|for|price is))*",
                r"(?:원)?(?:에|으로)\s?(?:팔|판매)",
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
    _Kind(
        r"본전|원금\s?회복|break ?even|back to even|make (?:it )?up|recover",
        (
            _share("fall", r"-\s?$", r"(?:나|가|이|쯤)?\s?(?:빠|떨어|하락|손실|손해|난|내렸|마이너스)"),
            _share("fall", r"fell|dropped|lost|down|fall(?:s|en)?|drops?"),
        ),
        (("recovery", r"올라야|회복|상승해야|rise|gain|go up|climb|recover"),),
        {"percent": "fall"},
    ),
    _Kind(
        r"복리|compound|두\s?배(?:가)?\s?(?:되|돼)|\bdouble\b",
        (_money("principal", r"원금(?:이|은)?", r""), _share("yearly", _RATE, r"(?:복리|compound)"), _MONTHS),
        (("doubling", r"두\s?배|double"), ("grown", _HOW_MUCH)),
        {"krw": "principal", "usd": "principal", "percent": "yearly", "years": "months", "months": "months"},
        idle=frozenset({"times"}),
    ),
    _Kind(
        r"적금|instal(?:l)?ment savings|monthly savings",
        (
            _money("instalment", r"매달|매월|월|다달이|한\s?달에|monthly", r"(?:원)?씩"),
            _share("simple", _RATE),
            _MONTHS,
        ),
        (
            ("net_interest", r"세후|세금\s?(?:떼|빼|제)고|after tax"),
            ("matured", r"만기|총\s?얼마|모두\s?얼마|다\s?합|전부|maturity|in total"),
            ("interest", _HOW_MUCH),
        ),
        {"krw": "instalment", "percent": "simple", "years": "months", "months": "months"},
    ),
    _Kind(
        r"예금|맡기|예치|\bdeposit (?:account|rate)|savings account|term deposit|fixed deposit",
        (
            _money("principal", r"예금(?:으로|에)?", r"(?:원)?(?:을)?\s?(?:예금|맡|예치)"),
            _share("simple", _RATE),
            _MONTHS,
        ),
        (
            ("net_interest", r"세후|세금\s?(?:떼|빼|제)고|after tax"),
            ("matured", r"만기|총\s?얼마|모두\s?얼마|maturity|in total"),
            ("interest", _HOW_MUCH),
        ),
        {"krw": "principal", "usd": "principal", "percent": "simple", "years": "months", "months": "months"},
    ),
    _Kind(
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
    _Kind(
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
    _Kind(
        r"환율|exchange rate",
        (
            Role(
                "exchange",
                ("krw", ""),
                before=r"환율(?:이|은)?|exchange rate(?:\s(?:of|is|at))*",
                behind=r"환율",
                bare=True,
            ),
        ),
        (("in_dollars", r"(?:몇|얼마)\s?달러|달러로|how many dollars|in dollars"), ("in_won", _HOW_MUCH)),
        {"usd": "in_dollars", "krw": "in_won"},
        about=frozenset({"series"}),
    ),
    _Kind(
        r"수익률|손실률|몇\s?(?:%|퍼센트|프로)\s?(?:수익|손해|이익|벌|먹|올랐|내렸|늘|증가|감소|줄|상승|하락)|\breturn\b|profit or loss",
        (
            Role(
                "bought",
                ("krw", "usd", ""),
                before=r"평단(?:가)?(?:이|은)?|매수가(?:가|는)?|bought (?:it )?(?:at|for)|from",
                behind=r"(?:원|달러)?(?:에|을\s?주고)?\s?(?:산|샀|매수|사서|들어)|에서",
                bare=True,
            ),
            Role(
                "now",
                ("krw", "usd", ""),
                before=r"지금(?:은)?|현재가?(?:는|가)?|매도가(?:는|가)?|now|sold (?:it )?(?:at|for)|it is|\bto\b",
                behind=r"(?:원|달러)?(?:이|가|에|으로|로|까지)?\s?(?:됐|되|팔|매도|이면|예요|야|늘|올|줄|내)|now|(?:원)?이면",
                bare=True,
            ),
        ),
        (("returned", _HOW_MUCH),),
        {},
    ),
    _Kind(
        r"의\s?(?:[0-9.]+\s?(?:%|퍼센트|프로)|몇\s?(?:%|퍼센트|프로))|[0-9.]+\s?(?:%|percent) of|what (?:percent|share)",
        (_money("whole", r"\bof\b", r"의"), _money("part", r"", r"(?:원)?(?:은|는|이)"), _share("share")),
        (("share", r"몇\s?(?:%|퍼센트|프로)|what (?:percent|share)"), ("part", _HOW_MUCH)),
        {"krw": "whole", "usd": "whole", "percent": "share"},
    ),
    _Kind(
        r"개당|하나(?:당|에)|한\s?개(?:당|에)|총\s?(?:얼마|금액)|모두\s?얼마|다\s?해서|합쳐서|each\b|a piece|in total|per (?:unit|item)",
        (
            _money("price", r"", r"짜리|(?:씩)|each"),
            _money("paid", r"(?:개|명|병|장)에\s?$", r""),
        ),
        (("price", r"개당|하나(?:당|에)|한\s?개(?:당|에)|each|per (?:unit|item)|a piece"), ("paid", _HOW_MUCH)),
        {"krw": "paid", "usd": "paid", "count": "count", "": "count"},
    ),
)
_OWN_GOODS: Final = r"내\s?(?:상품|스토어|가게|매장|물건)|우리\s?(?:상품|스토어|가게|매장)|시뮬레이션|\bmy (?:products?|store|shop|listings?)\b|simulat"
"""Words of a seller's own goods, whose fees and sales are data."""
_OF_SUMS: Final = frozenset({AMOUNT, AREA, PERIOD, QUANTITY})
_TAXED: Final = frozenset({"interest", "matured"})
_UNSOLVABLE: Final = Said(
    "말씀하신 값으로는 계산이 되지 않습니다. 금액과 비율을 다시 확인해 주세요.",
    "These values have no solution. Please check the sums and percentages.",
)
_NOTES: Final[Mapping[str, Said]] = {
    "grown": Said(
        "1년에 한 번 이자가 붙는 것으로 보았고 세금은 넣지 않았습니다.", "Compounded once a year; taxes are not in it."
    ),
    "dividend": Said("배당소득세(15.4%)를 떼기 전입니다.", "Before the tax on dividends (15.4%)."),
}


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for a sum of the question's own numbers; a short message with a number edits the last one."""
    things = {one.kind for one in sheet.entities if one.value and one.value != one.words} - _OF_SUMS
    if sheet.says(_OWN_GOODS):
        return ()
    last = before[0].asks[-1] if before and before[0].asks else None
    if last is not None and last.answerer == "general.worked" and not is_fresh(sheet) and short(sheet.text, 6):
        return _edit(sheet, last)
    for at, kind in enumerate(_KINDS):
        if things - kind.about or not sheet.says(kind.words):
            continue
        found = _quantities(sheet, kind)
        target = _target(sheet, kind, found)
        if target:
            return (Claim(_ask(sheet, found, {"kind": str(at), "target": target}), 0.97, is_whole=True),)
    return ()


def _ask(sheet: Sheet, found: Sequence[AskQuantity], notes: Mapping[str, str]) -> Ask:
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        intent="general_knowledge",
        answerer="worked",
        quantities=tuple(found),
        notes=dict(notes),
    )


def _quantities(sheet: Sheet, kind: _Kind) -> tuple[AskQuantity, ...]:
    """Return the numbers with their roles; one that no word binds has the role of its unit that is still free."""
    numbers = [one for one in numbers_in(sheet.text) if one.unit not in kind.idle]
    found = list(bound_to(numbers, sheet.text, kind.roles))
    taken = {one.role for one in found}
    for at, one in enumerate(found):
        role = kind.rest.get(one.unit, "")
        if not one.role and role and role not in taken:
            taken.add(role)
            found[at] = replace(one, role=role)
    return tuple(found)


def _target(sheet: Sheet, kind: _Kind, found: Sequence[AskQuantity]) -> str:
    """Return the value that is asked and follows from all numbers; empty where none does."""
    known = _known(found)
    if not known or not all(one.role for one in found) or len(known) < len(found):
        return ""
    for target, words in kind.targets:
        if sheet.says(words) and _follows(target, known):
            return target
    return ""


def _follows(target: str, known: Mapping[str, Decimal]) -> bool:
    try:
        return bool(solved(target, known, RELATIONS))
    except UnsolvableError:
        return True


def _known(found: Sequence[AskQuantity]) -> dict[str, Decimal]:
    return {one.role: Decimal(one.value) * (MONTHS if one.unit == "years" else 1) for one in found if one.role}


def _edit(sheet: Sheet, last: Ask) -> Sequence[Claim]:
    kind = _KINDS[int(last.notes["kind"])]
    by_unit = {one.unit: one.role for one in last.quantities}
    found = _quantities(sheet, replace(kind, rest={**kind.rest, **by_unit}))
    if not found or not all(one.role for one in found):
        return ()
    now = carried(_ask(sheet, found, {}), last)
    return (
        (Claim(replace(now, notes=last.notes), 0.95),) if _follows(last.notes["target"], _known(now.quantities)) else ()
    )


def _answer(ask: Ask, found: Found) -> Outcome:
    del found
    target, known = ask.notes["target"], _known(ask.quantities)
    try:
        steps = solved(target, known, RELATIONS)
    except UnsolvableError:
        return Outcome(declined(ask, _UNSOLVABLE))
    currency = "usd" if any(one.unit == "usd" for one in ask.quantities) else "krw"
    said = {one.role: _said(Decimal(one.value), one.unit or _NAMED[one.role][1], currency) for one in ask.quantities}
    said |= {step.unknown.name: _said(step.value, _NAMED[step.unknown.name][1], currency) for step in steps}
    last = steps[-1]
    sentence = filled(
        "{label:은/는} {value}입니다({shown}).",
        "{label} is {value} ({shown}).",
        label=_NAMED[target][0],
        value=said[target],
        shown=shown(last, said),
    )
    lines = [
        Ground(
            filled(
                "{label} = {shown} = {value}",
                "{label} = {shown} = {value}",
                label=_NAMED[step.unknown.name][0],
                shown=shown(step, said),
                value=said[step.unknown.name],
            )
        )
        for step in steps[:-1]
    ]
    notes = [*_after_tax(target, last.value, known), *([_NOTES[target]] if target in _NOTES else [])]
    inputs = tuple(AskInput(one.role, _NAMED[one.role][0], one.value, one.unit, Origin.GIVEN) for one in ask.quantities)
    return Outcome(answered(ask, sentence, inputs=inputs, grounds=(*lines, *(Ground(one) for one in notes))))


def _after_tax(target: str, value: Decimal, known: Mapping[str, Decimal]) -> Iterator[Said]:
    """Yield what is left of interest after tax."""
    if target not in _TAXED:
        return
    principal = known.get("principal") or known.get("instalment", Decimal(0)) * known.get("months", Decimal(0))
    interest = value - principal if target == "matured" else value
    rest = _said(interest * AFTER_TAX + (principal if target == "matured" else 0), "money", "krw")
    yield filled("이자소득세 15.4%를 떼면 {rest}입니다.", "After the 15.4% tax on interest it is {rest}.", rest=rest)


def _said(value: Decimal, unit: str, currency: str) -> Said:
    """Return a value with its unit; money in whole won, or dollars and cents."""
    unit = currency if unit == "money" else unit
    if unit == "krw":
        return exact_won(value.quantize(Decimal(1)))
    if unit == "usd":
        text = decimal(value, 2)
        return Said(f"{text}달러", f"USD {text}")
    if unit == "percent":
        return percent(value, 2)
    names = {"years": ("년", " years"), "months": ("개월", " months"), "times": ("배", " times"), "count": ("개", "")}
    ko, en = names.get(unit, ("", ""))
    text = decimal(value, 1)
    return Said(f"{text}{ko}", f"{text}{en}")


ANSWERERS: Final = (Answerer("worked", _AGENT, _answer),)
