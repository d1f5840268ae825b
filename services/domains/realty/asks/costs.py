"""What a purchase, a lease and a sale cost and bring: fees, taxes, yields, gains, a price per 평, the jeonse ratio."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskVerdict, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.sums import (
    ALONE,
    SEARCH,
    TOO_MUCH,
    Topic,
    completed,
    done,
    drafted,
    given_line,
    grounds,
    inputs_of,
    is_verdict,
    law_calls,
    law_proofs,
    law_said,
    money,
    number_of,
    own_evidence,
    rule_evidence,
    unclear,
    wanting,
)
from services.domains.realty.brackets import rules
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, asking_back, declined, ruled
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent, sentences

_KRW: Final = ("krw",)
_HOME: Final = (
    r"집|아파트|빌라|오피스텔|주택|homes?\b|houses?\b|apartments?\b|flats?\b|villas?\b|officetels?\b|place\b|unit\b"
)
_PRICE: Final = Role(
    "price",
    _KRW,
    before=rf"집값(?:은|이|을)?|매매가?(?:는|가)?|시세(?:는|가)?|매수가|분양가|가격(?:은|이)?|(?:{_HOME})(?:은|이|을|를|가)?|worth|price(?:\sis|\sof)?|costs?|paid|bought(?:\s\w+)?\sfor|\bbuy(?:\s\w+){{0,3}}\sfor",
    behind=rf"(?:원)?(?:짜리\s?)?(?:{_HOME}|매매)|짜리|(?:원)?(?:에|정도에?)\s?(?:팔리|거래|나가는)|(?:원)?(?:에|을\s?주고)?\s?(?:사(?:려|서|면|는|고)|산\b|샀|산\s|매수|매입)|(?:won\s)?(?:home|house|apartment|flat|villa|officetel)",
    bare=True,
)
_DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|을|이)?|전세(?:금|가)?(?:은|을|이|를|로|는)?|전셋값|\bdeposit(?:\s(?:of|is))*|\bjeonse(?:\s(?:of|is|deposit|for|at))*",
    behind=r"(?:원)?(?:에\s|짜리\s?|의\s)?(?:전세|보증금)|(?:won\s)?(?:jeonse|deposit)",
    bare=True,
)
_RENT: Final = Role(
    "rent",
    _KRW,
    before=r"월세(?:는|를|가|로)?|(?:^|[\s,])월\s?$|/\s?$|다달이|매달|매월|(?:monthly\s)?\brent(?:\s(?:of|is|it at|at|it out (?:for|at)|out at|it for))*|\blet(?:ting)?(?:\sit)?(?:\sout)?(?:\s(?:for|at))",
    behind=r"(?:원)?(?:씩|의)?\s?(?:월세)|(?:won\s)?(?:of\s|in\s)?(?:monthly\s)?rent\b|(?:won\s)?(?:a|per)\smonth",
    bare=True,
)
_FEE: Final = Role(
    "fee",
    _KRW,
    before=r"복비(?:로|를|가|는)?|수수료(?:로|를|가|는)?|보수(?:로|를|가)?|\bfee(?:\sof)?|commission(?:\sof)?|charg\w+|asks?(?:\sfor)?|quoted",
    behind=r"(?:원)?(?:을|를)?\s?(?:달래|달라|내래|내라|요구|청구|받겠|불렀|부르)|(?:won\s)?(?:in\s|as\s)?(?:a\s)?(?:fee|commission)",
    bare=True,
)
_AREA: Final = Role("area_m2", ("m2", "pyeong"), before=r"전용(?:면적)?\s?$|면적(?:이|은)?\s?$", bare=True)
_COSTS: Final = Role(
    "costs_year",
    _KRW,
    before=r"(?:연|매년|1년에)\s?(?:비용|관리비|수리비|유지비|지출)?\s?$|비용(?:이|은|으로)?|유지비|관리비|수리비|\bspend(?:ing)?|costs? of|upkeep(?:\sof)?|expenses(?:\sof)?",
    behind=r"(?:won\s)?(?:a|per)\syear\s(?:on|in|for)|(?:won\s)?(?:in\s)?(?:yearly\s|annual\s)?(?:upkeep|expenses|costs)",
    bare=True,
)
_LOAN: Final = Role(
    "loan",
    _KRW,
    before=r"대출(?:금|이|은|을)?|융자|of which\s(?:KRW\s|₩)?$|\bloan(?:\sof)?|\bmortgage(?:\sof)?|borrow\w*",
    behind=r"(?:원)?(?:은|을|를)?\s?(?:대출|융자|빌)|(?:won\s)?(?:loan|mortgage|(?:was|is|were|came)\s(?:from\s)?(?:the\s|a\s)?(?:bank|loan|mortgage|borrowed))",
    bare=True,
)
_RATE: Final = Role(
    "rate",
    ("percent",),
    before=r"금리|이자율?|연\s?$|rate(?:\sof)?|\bat\s|interest(?:\sat|\sof)?",
    behind=r"(?:금리|이자|interest)",
    bare=True,
)
_DEBT: Final = Role(
    "debt",
    _KRW,
    before=r"근저당(?:권)?(?:이|은|도)?|빚(?:이|은|도)?|채권최고액(?:이|은)?|선순위\s?(?:채권|보증금|대출|근저당)?(?:이|은)?|융자(?:가|금)?|담보\s?대출(?:이)?|\b(?:lien|mortgage|prior claims?)(?:\s(?:of|for|is))*",
    behind=r"(?:원)?(?:의|이|짜리)?\s?(?:근저당|선순위|융자|담보)|(?:won\s)?(?:lien|mortgage|prior claim)",
    bare=True,
)
_SOLD: Final = Role(
    "sold",
    _KRW,
    before=r"\b(?:sell|sold|selling)(?:\sit)?(?:\s(?:for|at))",
    behind=r"(?:원)?(?:에|으로|로)?\s?(?:팔|매도|되팔)",
    bare=True,
)
_BOUGHT: Final = replace(
    _PRICE, behind=rf"(?:원)?(?:에|을\s?주고)?\s?(?:산|샀|사서|사고|매수|매입|분양)|짜리(?:\s?(?:{_HOME}))?(?:을|를)?"
)
_FEE_PERCENT: Final = Role(
    "fee_percent",
    ("percent",),
    before=r"수수료율?(?:은|이|가)?|\bfee(?:\s(?:of|is|at))*",
    behind=r"(?:수수료|(?:early[- ]?repayment |prepayment )?(?:fee|charge))",
    bare=True,
)
_WHOLE: Final = Role(
    "months",
    ("years", "months"),
    before=r"약정|총|기간|만기|\bterm(?:\sof)?|over",
    behind=r"(?:의\s?)?(?:약정|만기|짜리|부과|기간|term|fee period)",
)
_ELAPSED: Final = Role(
    "elapsed",
    ("years", "months"),
    before=r"받은\s?지|빌린\s?지|after",
    behind=r"(?:이\s?)?(?:지나|지났|됐|되었|만에|뒤|후|갚|썼|쓰고|쓰다|쓴|채우|내고|in\b|after|have passed|has passed|ago)",
)
_LEFT: Final = Role(
    "left", ("years", "months"), before=r"남은\s?기간|with|still", behind=r"(?:이\s?)?(?:남|left|remain)"
)
_LAW: Final = "LEGAL_CONSULT"
_LOANS: Final = "LOAN_CONSULT"
_MARKET: Final = "MARKET_INQUIRY"
_DEALS: Final = (frozenset({"price"}), frozenset({"deposit", "rent"}))


def _is_a_deal(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of one deal: a price, or a lease, and a fee that is a small part of it."""
    price, deposit, fee = sums.get("price"), sums.get("deposit"), sums.get("fee")
    if (price is None) == (deposit is None and "rent" not in sums):
        return False
    return fee is None or fee * 20 < max(price or Decimal(0), deposit or Decimal(0), sums.get("rent", Decimal(0)) * 100)


def _is_a_sale(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a home that is bought and sold, with what of its price was others' money."""
    held = sums.get("deposit", Decimal(0)) + sums.get("loan", Decimal(0))
    return "price" in sums and "sold" in sums and held < sums["price"]


def _is_backed(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a home and the deposit that it backs: neither it nor a prior debt is far above the price."""
    price, deposit = sums.get("price"), sums.get("deposit")
    return price is not None and deposit is not None and max(deposit, sums.get("debt", Decimal(0))) <= price * 13 / 10


def _is_let(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums are those of a home that is let: its price above deposit and loan, its rent a small part of it."""
    price, rent = sums.get("price"), sums.get("rent")
    if price is None or rent is None:
        return False
    held = sums.get("deposit", Decimal(0)) + sums.get("loan", Decimal(0))
    return held < price and rent * 30 < price


BROKERAGE: Final = Topic(
    "brokerage_fee",
    _LAW,
    (_FEE, _RENT, _DEPOSIT, _PRICE),
    {"krw": "rent"},
    apart=_DEALS,
    takes=("price", "deposit", "rent"),
    holds=_is_a_deal,
)
TAX: Final = Topic(
    "acquisition_tax",
    _LAW,
    (_AREA, _PRICE),
    {"krw": "price", "m2": "area_m2", "pyeong": "area_m2"},
    ("price",),
    takes=("price",),
)
EARLY: Final = Topic(
    "repayment_fee",
    _LOANS,
    (_LOAN, _FEE_PERCENT, _WHOLE, _ELAPSED, _LEFT),
    {"krw": "loan", "percent": "fee_percent", "years": "months"},
    ("loan", "fee_percent", "months"),
)
_SAID_RATIO: Final = Role(
    "jeonse_ratio",
    ("percent",),
    before=r"전세가율(?:이|은|도)?|jeonse ratio(?:\sof|\sis)?",
    behind=r"(?:의\s?)?전세가율|jeonse ratio",
)
RATIO: Final = Topic(
    "given_jeonse_ratio",
    "RISK_ANALYSIS",
    (_SAID_RATIO, _DEBT, _DEPOSIT, _PRICE),
    {},
    ("price", "deposit"),
    holds=_is_backed,
)
YIELD: Final = Topic(
    "given_yield",
    _LOANS,
    (_COSTS, _RENT, _DEPOSIT, _LOAN, _PRICE, _RATE),
    {"krw": "price", "percent": "rate"},
    ("price", "rent"),
    holds=_is_let,
)
GAIN: Final = Topic(
    "resale_gain",
    _MARKET,
    (_SOLD, replace(_DEPOSIT, behind=rf"{_DEPOSIT.behind}|(?:원)?(?:을|를)?\s?(?:끼고|안고)"), _LOAN, _BOUGHT),
    {},
    ("price", "sold"),
    holds=_is_a_sale,
)
PER_AREA: Final = Topic(
    "price_per_area",
    _MARKET,
    (_AREA, _PRICE),
    {"krw": "price", "m2": "area_m2", "pyeong": "area_m2"},
    ("price", "area_m2"),
)
TOPICS: Final = (BROKERAGE, TAX, EARLY, RATIO, YIELD, GAIN, PER_AREA)
_FEE_WORDS: Final = r"복비|중개\s?(?:수수료|보수|료|비)|(?:부동산|중개사|중개인|공인중개사)(?:에|에게|한테|에서)?[^.?]{0,16}(?:수수료|얼마|줘야|주어야|내야|달래|달라|받)|brokerage|commission|broker'?s? (?:fee|commission)|agent'?s? (?:fee|commission)|realtor"
_TAX_WORDS: Final = r"취득세|acquisition tax"
_WORDS: Final = (
    (EARLY, r"중도\s?상환\s?(?:수수료|해약금)|early[- ]?repayment|prepayment|pay(?:ing)? (?:it )?off early"),
    (BROKERAGE, _FEE_WORDS),
    (TAX, _TAX_WORDS),
    (YIELD, r"수익률|\byields?\b|rate of return|(?:yearly|annual|net|gross) returns?|return on"),
    (RATIO, r"전세가율|깡통|근저당|선순위|위험|안전|jeonse ratio|\bsafe\b|\brisky?\b|lien"),
    (PER_AREA, r"평당|per pyeong|per (?:square met|m2|㎡|sqm)"),
)
_OTHER_GOODS: Final = r"주식|주가|코인|종목|stock|\bshares?\b|coin|상품|제품"
_GAINS: Final = r"팔면|팔았|팔아서|되팔|\bsell|\bsold"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask about a fee, a tax, a yield, a gain, a ratio or a price per area of given sums."""
    if sheet.says(_NOT_COMPUTED) and sheet.says(r"계산|얼마|산출|how much|compute|calculate|work out"):
        match = sheet.find(_NOT_COMPUTED)
        ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.AMOUNT, intent=_LAW, answerer="tax_not_computed")
        return (Claim(replace(ask, notes={"name": match.group() if match else ""}), 0.99, is_whole=True),)
    if sheet.says(_FEE_WORDS) and sheet.says(_TAX_WORDS):
        # What a purchase costs beside its price is asked in one breath, and each has its own rule.
        return [claim for topic in (TAX, BROKERAGE) for claim in claimed(sheet, before, topic)]
    topic = _topic(sheet)
    return () if topic is None else claimed(sheet, before, topic)


def claimed(sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Sequence[Claim]:
    """Return the ask of a topic, of a question that is known to be of it."""
    topic = _of_deal(sheet) if topic is BROKERAGE else topic
    ask = completed(drafted(sheet, topic, _form(sheet, topic), **_notes(sheet)), sheet, before, topic)
    roles = {one.role for one in ask.quantities}
    if topic in (RATIO, GAIN, PER_AREA, YIELD):
        judged = topic is RATIO and "jeonse_ratio" in roles and ask.form is AskForm.VERDICT
        # Of a place the homes there are looked at as well.
        judged = judged and "jeonse_ratio_bound" not in ask.notes and not sheet.of_kind("region")
        least = {"RISK_ANALYSIS": {"price", "deposit"}}.get(topic.intent, set(topic.needs))
        if not (judged or least <= roles):
            return ()
    if (
        topic.answerer in {BROKERAGE.answerer, TAX.answerer, EARLY.answerer}
        and not roles
        and not (sheet.wants(AskForm.AMOUNT, AskForm.LEVEL) or sheet.says(_WANTS_TO_KNOW))
    ):
        return ()
    return (Claim(ask, 0.95),)


_WANTS_TO_KNOW: Final = r"알고\s?싶|궁금|알아보|want to know|like to know|wondering"


def _topic(sheet: Sheet) -> Topic | None:
    if sheet.says(_OTHER_GOODS):
        return None
    if (
        sheet.says(r"수익률|얼마\s?(?:벌|남)|이익|차익|손해|손실|return|profit|gain|loss")
        and sheet.says(_GAINS)
        and sheet.says(_HOME)
        and not sheet.says(r"월세|rent")
    ):
        return GAIN
    named = next((topic for topic, words in _WORDS if sheet.says(words)), None)
    return RATIO if named is None and _weighs_a_deposit(sheet) else named


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


def _brokerage_calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls(("공인중개사법", "32"))


def _brokerage(ask: Ask, found: Found) -> Outcome:
    """Return the highest fee of an agent, and whether what is asked for is above it."""
    if (back := unclear(ask)) is not None:
        return back
    price, deposit, rent = (number_of(ask, role) for role in ("price", "deposit", "rent"))
    leased = deposit is not None or rent is not None or bool(ask.notes.get("lease"))
    if leased and deposit is None and rent is None and price is not None:
        deposit, price = price, None
    if price is not None and deposit is not None:
        return _both(ask)
    if price is None and deposit is None and rent is None:
        return wanting(ask, "deposit" if leased else "price")
    if rent is not None and deposit is None:
        return wanting(ask, "deposit")
    amount = calc.leased_sum(deposit or Decimal(0), rent or Decimal(0)) if leased else price or Decimal(0)
    table = rules().brokerage
    is_officetel = bool(ask.notes.get("officetel"))
    brackets = table.of("lease" if leased else "sale", is_officetel=is_officetel)
    bracket, fee = calc.bracket_of(amount, brackets), calc.brokerage_fee(amount, brackets)
    asked = number_of(ask, "fee")
    kind = Said("임대차", "lease") if leased else Said("매매", "sale")
    if asked is None:
        sentence = filled(
            "{kind} {amount}의 중개보수는 최대 {fee}입니다(상한요율 {percent}, 부가가치세 별도).",
            "The agent's fee on a {kind} of {amount} is at most {fee} (a rate of up to {percent}, VAT apart).",
            kind=kind,
            amount=money(amount),
            fee=money(fee),
            percent=percent(bracket.percent, 2),
        )
        answer = answered(ask, sentence)
    else:
        over = asked > fee
        is_yes = over if ask.notes.get("too_much") else not over
        sentence = filled(
            "{yes}, {kind} {amount}의 중개보수 상한은 {fee}(상한요율 {percent}, 부가가치세 별도)인데 {asked:은/는} {way}.",
            "{yes}, the fee on a {kind} of {amount} is at most {fee} (up to {percent}, VAT apart); {asked} is {way}.",
            yes=Said("네", "Yes") if is_yes else Said("아니요", "No"),
            kind=kind,
            amount=money(amount),
            fee=money(fee),
            percent=percent(bracket.percent, 2),
            asked=money(asked),
            way=filled("그보다 {gap} 많습니다", "{gap} more", gap=money(asked - fee))
            if over
            else Said("그 안입니다", "within it"),
        )
        answer = ruled(ask, AskVerdict.YES if is_yes else AskVerdict.NO, sentence)
    how = None
    if rent:
        factor = "100" if (deposit or Decimal(0)) + rent * 100 >= 50_000_000 else "70"
        how = filled(
            "거래금액 = 보증금 {d} + 월세 {r} × {f} = {sum}",
            "Sum of the lease = deposit {d} + rent {r} x {f} = {sum}",
            d=money(deposit or Decimal(0)),
            r=money(rent),
            f=factor,
            sum=money(amount),
        )
    cap = (
        None
        if bracket.cap is None
        else filled("이 구간의 한도액: {cap}", "Cap of this bracket: {cap}", cap=money(Decimal(bracket.cap)))
    )
    law = law_said(found)
    since = table.since
    rule = Said(
        f"요율은 상한이며 그 안에서 협의합니다({since.year}년 {since.month}월 {since.day}일부터){law.ko}.",
        f"The rates are upper limits within which it is agreed (since {since:%B} {since.day}, {since.year}){law.en}.",
    )
    extra = (
        Said("주거용 오피스텔(전용 85㎡ 이하) 요율입니다.", "Rates of officetels to live in, up to 85 m².")
        if is_officetel
        else None
    )
    answer = replace(answer, inputs=inputs_of(ask), grounds=grounds(given_line(ask), how, cap, rule, extra))
    piece = rule_evidence(
        found, table.source, {"percent": f"{bracket.percent}", "cap": bracket.cap or 0, "from": table.since}
    )
    return done(answer, own_evidence(ask, found), piece, *law_proofs(found))


def _both(ask: Ask) -> Outcome:
    sentence = Said(
        "매매인지 임대차인지에 따라 요율이 다릅니다. 어느 쪽의 중개보수인지 알려 주세요.",
        "The rates differ between a sale and a lease; please tell me which of the two it is.",
    )
    return Outcome(asking_back(ask, sentence, sentence))


def _tax(ask: Ask, found: Found) -> Outcome:
    """Return the tax on buying a first home, its surtaxes named."""
    if (back := unclear(ask)) is not None:
        return back
    price = number_of(ask, "price")
    if price is None:
        return wanting(ask, "price")
    table = rules().acquisition_tax
    rate = calc.acquisition_rate(price, table)
    tax = calc.whole(price * rate / 100)
    education = calc.whole(tax * table.education_share)
    area = _area(ask)
    above = area is not None and (
        area > table.rural_above_m2 or (area == table.rural_above_m2 and ask.notes.get("area_m2_bound") == "gt")
    )
    rural = calc.whole(price * table.rural_percent / 100) if above else Decimal(0)
    total = tax + education + rural
    extra = (
        filled("과 농어촌특별세 {rural}", " and the special rural tax of {rural}", rural=money(rural))
        if rural
        else Said("", "")
    )
    lead = Said("1주택 기준 ", "as a first home")
    if several := ask.notes.get("homes"):
        lead = Said(
            f"경우에 따라 다릅니다({several}). 조정대상지역 밖의 두 번째 집까지면 ",
            f"if it is at most a second home outside regulated areas ({several}: it depends)",
        )
    sentence = filled(
        "{lead}취득세는 {tax}(세율 {rate})이고, 지방교육세 {education}{extra}까지 더하면 {total}입니다.",
        "The acquisition tax is {tax} ({rate}, {lead}); with local education tax of {education}{extra} it is {total}.",
        lead=lead,
        tax=money(tax),
        rate=percent(rate, 2),
        education=money(education),
        extra=extra,
        total=money(total),
    )
    law = law_said(found)
    rule = Said(
        f"6억원 이하 1%, 9억원 초과 3%, 그 사이는 값에 따라 오릅니다{law.ko}.",
        f"1% up to KRW 600 million, 3% above 900 million, rising between{law.en}.",
    )
    notes = (
        Said(
            "여러 채를 가졌거나 조정대상지역이면 8~12%가 될 수 있습니다.",
            "With several homes or in regulated areas it may be 8 to 12%.",
        ),
        Said(
            "전용 85㎡를 넘으면 농어촌특별세 0.2%가 붙고, 생애 최초 등의 감면은 넣지 않았습니다.",
            "Above 85 m² a special rural tax of 0.2% is due; reliefs, of first-time buyers for example, are not in it.",
        ),
    )
    own = own_evidence(ask, found)
    piece = rule_evidence(found, table.source, {"rate_percent": f"{rate}", "from": table.since})
    answer = answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), rule), cautions=notes)
    return done(answer, own, piece, *law_proofs(found))


def _area(ask: Ask) -> Decimal | None:
    area = next((one for one in ask.quantities if one.role == "area_m2"), None)
    if area is None:
        return None
    return Decimal(area.value) * calc.PYEONG_M2 if area.unit == "pyeong" else Decimal(area.value)


def _tax_calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls(("지방세법", "11"))


def _early(ask: Ask, found: Found) -> Outcome:
    """Return the fee of repaying a loan early."""
    if (back := unclear(ask)) is not None:
        return back
    loan, share, months = (number_of(ask, role) for role in ("loan", "fee_percent", "months"))
    left, passed = _term(ask, "left"), _term(ask, "elapsed")
    if months is None and left is not None and passed is not None:
        months = left + passed
    if left is None and passed is not None and months is not None:
        left = months - passed
    lacking = [name for name, value in (("loan", loan), ("fee_percent", share), ("months", months)) if value is None]
    if lacking or loan is None or share is None or months is None:
        return wanting(ask, *lacking)
    if left is None:
        label = Said("대출을 받은 지 얼마나 지났는지", "how long ago the loan was taken")
        return Outcome(asking_back(ask, filled("{label} 알려 주세요.", "Please tell me {label}.", label=label), label))
    if left <= 0:
        sentence = Said(
            "부과 기간이 지나 중도상환수수료가 없습니다.", "The period of the fee is over, so that none is due."
        )
        return done(
            answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask))), own_evidence(ask, found)
        )
    if left > months:
        return wanting(ask, "months")
    fee = calc.repayment_fee(loan, share, int(months), int(left))
    sentence = filled(
        "중도상환수수료는 {fee}입니다({loan} × {share} × 남은 {left}개월 ÷ 전체 {months}개월).",
        "The early-repayment fee is {fee} ({loan} x {share} x {left} months left / {months} months).",
        fee=money(fee),
        loan=money(loan),
        share=percent(share, 2),
        left=str(int(left)),
        months=str(int(months)),
    )
    note = Said(
        "남은 기간에 비례해 줄어드는 방식으로 계산했습니다. 약정마다 다를 수 있습니다.",
        "It falls with the time that is left; terms differ by contract.",
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _term(ask: Ask, role: str) -> Decimal | None:
    one = next((one for one in ask.quantities if one.role == role), None)
    return None if one is None else Decimal(one.value) * (12 if one.unit == "years" else 1)


_RISKY: Final = Decimal(80)
_WHOLE_PRICE: Final = Decimal(100)


_FIRST: Final = {
    AskVerdict.NO: Said("아니요, ", "No: "),
    AskVerdict.YES: Said("네, ", "Yes: "),
    AskVerdict.DEPENDS: Said("경우에 따라 다릅니다. ", "It depends: "),
}
_RISK_WORDS: Final = ("위험", "깡통", "risk", "danger")


def _risk_said(whole: Decimal) -> Said:
    """Return how risky a share of a home's price is that a deposit and prior claims make."""
    if whole > _WHOLE_PRICE:
        return Said(
            "집값보다 커서 경매로 가면 다 돌려받지 못할 수 있어 매우 위험합니다",
            "more than the home's price: it may not all come back from an auction, very risky",
        )
    if whole > _RISKY:
        return Said("80%를 넘어 위험한 편입니다", "above 80%, on the risky side")
    return Said("80% 이하로 상대적으로 낮은 편입니다", "not above 80%, comparatively low")


def _risk_verdict(ask: Ask, whole: Decimal) -> AskVerdict:
    """Return the verdict as it is asked: "is it risky?" wants the opposite of "is it safe?" and "may I sign?"."""
    if whole <= _RISKY:
        return AskVerdict.DEPENDS
    return AskVerdict.YES if any(word in ask.words.lower() for word in _RISK_WORDS) else AskVerdict.NO


def _said_ratio(ask: Ask, found: Found, ratio: Decimal) -> Outcome:
    """Return how risky a jeonse ratio is that the person names."""
    verdict = _risk_verdict(ask, ratio)
    sentence = filled(
        "{first}전세가율 {ratio:은/는} {risk}.",
        "{first}a jeonse ratio of {ratio} is {risk}.",
        first=_FIRST[verdict],
        ratio=percent(ratio, 1),
        risk=_risk_said(ratio),
    )
    note = Said(
        "근저당과 다른 세입자의 보증금을 더한 비율이 이보다 높으면 그만큼 더 위험합니다.",
        "Mortgages and other tenants' deposits add to it, and to the risk.",
    )
    made = ruled(ask, verdict, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))
    return done(made, own_evidence(ask, found))


def _ratio(ask: Ask, found: Found) -> Outcome:
    """Return the jeonse ratio of given sums, claims that come before it included, and how risky that is."""
    if (back := unclear(ask)) is not None:
        return back
    price, deposit, debt = (number_of(ask, role) for role in ("price", "deposit", "debt"))
    said = number_of(ask, "jeonse_ratio")
    if said is not None and (price is None or deposit is None):
        return _said_ratio(ask, found, said)
    if price is None or deposit is None or price == 0:
        return wanting(ask, *(name for name, value in (("price", price), ("deposit", deposit)) if not value))
    alone, whole = calc.jeonse_ratio(price, deposit), calc.jeonse_ratio(price, deposit, debt or Decimal(0))
    risk, verdict = _risk_said(whole), _risk_verdict(ask, whole)
    first = _FIRST[verdict] if ask.form is AskForm.VERDICT else Said("", "")
    if debt:
        sentence = filled(
            "{first}보증금 {deposit:과/와} 선순위 {debt:을/를} 더하면 집값 {price}의 {whole:으로/로} {risk}(전세가율만은 {alone}).",
            "{first}the deposit of {deposit} and prior claims of {debt} are {whole} of the price of {price}, {risk} (jeonse ratio alone: {alone}).",
            first=first,
            deposit=money(deposit),
            debt=money(debt),
            price=money(price),
            whole=percent(whole, 1),
            alone=percent(alone, 1),
            risk=risk,
        )
    else:
        sentence = filled(
            "{first}전세가율은 {alone:으로/로} {risk}(보증금 {deposit} ÷ 집값 {price}).",
            "{first}the jeonse ratio is {alone}, {risk} (deposit {deposit} / price {price}).",
            first=first,
            alone=percent(alone, 1),
            risk=risk,
            deposit=money(deposit),
            price=money(price),
        )
    more = {
        "inputs": inputs_of(ask),
        "grounds": grounds(
            given_line(ask),
            None
            if debt
            else Said(
                "등기부의 근저당과 다른 세입자의 보증금은 알려지지 않아 넣지 않았습니다.",
                "Mortgages on the register and other tenants' deposits are not known and not in it.",
            ),
            Said(
                "집값이 내리면 이 비율이 올라가고, 경매에서는 시세보다 낮게 팔리는 일이 많습니다.",
                "A falling price raises this share, and auctions often fetch less than the market.",
            ),
        ),
        "next_steps": (
            Said("등기부등본에서 근저당과 압류를 확인하세요.", "Check mortgages and seizures on the register."),
            Said("전세보증금 반환보증에 가입할 수 있는지 알아보세요.", "Find out whether the deposit can be insured."),
        ),
    }
    answer = ruled(ask, verdict, sentence, **more) if ask.form is AskForm.VERDICT else answered(ask, sentence, **more)
    return done(answer, own_evidence(ask, found))


def _yield(ask: Ask, found: Found) -> Outcome:
    """Return the yearly yield of a home that is let, after costs and interest where they are given."""
    if (back := unclear(ask)) is not None:
        return back
    price, rent, deposit, costs, loan, rate = (
        number_of(ask, role) for role in ("price", "rent", "deposit", "costs_year", "loan", "rate")
    )
    if price is None or rent is None:
        return wanting(ask, *(name for name, value in (("price", price), ("rent", rent)) if value is None))
    if loan is not None and rate is None:
        return wanting(ask, "rate")
    held, spent = deposit or Decimal(0), costs or Decimal(0)
    try:
        share = (
            calc.gross_yield(price, held, rent, spent)
            if loan is None
            else calc.yield_after_loan(
                price=price, deposit=held, rent=rent, loan=loan, rate=rate or Decimal(0), costs_year=spent
            )
        )
    except ValueError:
        return _no_own_money(ask)
    own, a_year = price - held - (loan or Decimal(0)), rent * 12
    kind = Said("순수익률", "net yield") if costs is not None or loan is not None else Said("총수익률", "gross yield")
    less = sentences(
        None if costs is None else Said(f" - 비용 {money(spent).ko}", f" - {money(spent).en} of costs"),
        None
        if loan is None
        else Said(
            f" - 이자 {money(calc.whole(loan * (rate or Decimal(0)) / 100)).ko}",
            f" - {money(calc.whole(loan * (rate or Decimal(0)) / 100)).en} of interest",
        ),
    )
    sentence = filled(
        "내 돈 {own}에 대한 연 {kind:은/는} {share}입니다(연 월세 {year}{less}).",
        "The {kind} on your own {own} is {share} a year ({year} of rent a year{less}).",
        own=money(own),
        kind=kind,
        share=percent(share, 2),
        year=money(a_year),
        less=less,
    )
    note = filled(
        "내 돈 = 집값{d}{l}. 취득세와 공실은 넣지 않았습니다.",
        "Your own money = price{d}{l}; taxes and empty months are not in it.",
        d=Said(" - 보증금", " - deposit") if held else Said("", ""),
        l=Said(" - 대출", " - loan") if loan else Said("", ""),
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _gain(ask: Ask, found: Found) -> Outcome:
    """Return the gain of a sale in won and percent."""
    if (back := unclear(ask)) is not None:
        return back
    price, sold = number_of(ask, "price"), number_of(ask, "sold")
    if price is None or sold is None or price == 0:
        return wanting(ask, "price")
    gap, share = sold - price, calc.rise(price, sold)
    sentence = filled(
        "{bought}에 사서 {sold}에 팔면 {gap} {way:으로/로} 수익률은 {share}입니다.",
        "Bought for {bought} and sold for {sold}, it is a {way} of {gap}, a return of {share}.",
        bought=money(price),
        sold=money(sold),
        gap=money(abs(gap)),
        way=Said("이익", "gain") if gap >= 0 else Said("손실", "loss"),
        share=percent(share, 1),
    )
    own = price - sum((number_of(ask, role) or Decimal(0) for role in ("deposit", "loan")), Decimal(0))
    if own <= 0:
        return _no_own_money(ask)
    if own < price:
        sentence = filled(
            "{bought}에 사서 {sold}에 팔면 {gap} {way:으로/로}, 내 돈 {own} 대비 수익률은 {share}입니다.",
            "Bought for {bought} and sold for {sold}, it is a {way} of {gap}, {share} on your own {own}.",
            bought=money(price),
            sold=money(sold),
            gap=money(abs(gap)),
            way=Said("이익", "gain") if gap >= 0 else Said("손실", "loss"),
            own=money(own),
            share=percent(gap / own * 100, 1),
        )
    note = Said("세금과 중개보수, 대출 이자는 빼지 않았습니다.", "Taxes, fees and interest are not taken off.")
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _no_own_money(ask: Ask) -> Outcome:
    sentence = Said(
        "보증금과 대출이 집값 이상이어서 내 돈에 대한 수익률을 낼 수 없습니다. 값을 다시 알려 주세요.",
        "Deposit and loan reach the price, so that there is no money of your own; please check the sums.",
    )
    return Outcome(asking_back(ask, sentence, Said("집값", "the price")))


def _per_area(ask: Ask, found: Found) -> Outcome:
    """Return the price of one 평 of the area that is given."""
    if (back := unclear(ask)) is not None:
        return back
    price, area = number_of(ask, "price"), _area(ask)
    if price is None or area is None:
        return wanting(ask, *(name for name, value in (("price", price), ("area_m2", area)) if value is None))
    pyeong = area / calc.PYEONG_M2
    is_m2 = not any(word in ask.words.lower() for word in ("평당", "pyeong"))
    value = calc.whole(price / area) if is_m2 else calc.per_pyeong(price, area)
    sentence = filled(
        "{unit} {value}입니다({price} ÷ {size}).",
        "It is {value} {unit} ({price} / {size}).",
        unit=Said("1㎡에", "per m²") if is_m2 else Said("평당", "per pyeong"),
        value=money(value),
        price=money(price),
        size=Said(
            f"{area.quantize(Decimal('0.01')).normalize():f}㎡", f"{area.quantize(Decimal('0.01')).normalize():f} m²"
        )
        if is_m2
        else Said(f"{pyeong.quantize(Decimal('0.01')):f}평", f"{pyeong.quantize(Decimal('0.01')):f} pyeong"),
    )
    note = Said(
        "말씀하신 면적으로 나눈 값입니다. 전용과 공급 가운데 어느 면적이냐에 따라 달라집니다.",
        "It is of the area that you name; exclusive and supply areas differ.",
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note)), own_evidence(ask, found)
    )


def _not_computed(ask: Ask, found: Found) -> Outcome:
    """Return that a tax is not computed here, and where it is."""
    del found
    sentence = filled(
        "{name} 계산은 제공하지 않아 답할 수 없습니다. 보유 기간과 주택 수 등에 따라 달라지므로 국세청 홈택스나 위택스의 모의계산, 세무사에게 확인하세요. 취득세와 중개보수는 계산해 드립니다.",
        "I cannot compute the {name} here; it depends on the time held, the homes owned and more. Use the tax office's calculator or ask a tax adviser. Acquisition tax and agents' fees I can compute.",
        name=ask.notes.get("name", ""),
    )
    return Outcome(declined(ask, sentence))


ANSWERERS: Final = (
    Answerer("tax_not_computed", ALONE, _not_computed),
    Answerer(BROKERAGE.answerer, SEARCH, _brokerage, _brokerage_calls),
    Answerer(TAX.answerer, SEARCH, _tax, _tax_calls),
    Answerer(EARLY.answerer, ALONE, _early),
    Answerer(RATIO.answerer, ALONE, _ratio),
    Answerer(YIELD.answerer, ALONE, _yield),
    Answerer(GAIN.answerer, ALONE, _gain),
    Answerer(PER_AREA.answerer, ALONE, _per_area),
)
