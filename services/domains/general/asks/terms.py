"""What a term means, by the glossary: one sentence, and how the figure is read where people ask so."""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from services.contract.asks import Ask, AskedBefore, AskForm, Ground, Said
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, proof, sentences
from services.plugin.documents import read_yaml
from services.text.ko.formal import formal
from services.text.ko.written import josa
from services.text.patterns import Pattern

_AGENT: Final = ("general.general_knowledge",)
_TOOL: Final = "glossary_search"
_DEFINES: Final = (
    r"(?:뭐|머|무엇|뭔)(?:야|고|며|예요|에요|임|지|죠|냐|인가요|가요|데|데요|인지|길래|기에|라는|입니까|이야|더라|였더라|랬더라|였지)(?=[\s?.!]|$|\s?높|\s?낮)"
    r"|(?:뭐|머|무엇|뭔)(?=\W*$|[?.!]|\s?높|\s?낮|\s(?:야|예요|에요|임|지|죠|냐|말|의미|가리))|(?:뭐|뭘|무엇을)\s?(?:하는|해\s?주는)\s?(?:거|것|제도|상품)|뜻|의미|개념|정의|무슨\s?(?:말|소리|소린)|(?:뭐|뭘|무엇|무슨\s?[가-힣]{1,4})(?:가|이)?\s?(?:적혀|적히|적는|쓰여|나와|담겨)|쉽게|쉬운\s?말|란\?*$|설명\s?(?:해|좀|부탁)|어떤\s?(?:거|것|건|제도)"
    r"|what(?:'s|(?: exactly)? (?:is|are|does))|(?<!\bI )(?<!\bi )\bmean(?:s|ing)?\b|\bdefin|\bexplain|stands? for|in (?:plain|simple) (?:words|terms|english)|what .* (?:is|are)\b"
)
_NOT: Final = (
    r"얼마|몇|지금|현재|최근|올해|수치|시세|계산|알려\s?줘.*(?:랑|하고)|추천|비교|어디|누가|제일|가장|오늘|(?<![가-힣])(?:내|제|우리)\s|언제|낮춰|높여|가능|한도|돌려"
    r"|\bthere\b|\blist\b|how much|current|latest|right now|today|which|compare|\bmy\b|\bits\b|\btheir\b|highest|lowest|calculate|\bget\b|price of|rate in|\bnow\b|level"
)
_BESIDE: Final = r"조항|조문|법\s|법률|대출|매물|지원|받을|\bloans?\b|\blaws?\b|\barticles?\b"
"""What others tell of, unless the meaning of a term is asked for by that word: "what does LTV mean for a home loan"."""
_BEARING: Final = Pattern(
    r"(?:내|제|우리|나)\s?(?:[가-힣]+\s){0,2}?[가-힣]*(?:랑|하고|와|과|에|한테)(?:는|도)?\s(?:무슨|어떤|뭔)\s?(?:상관|관련|관계|영향)\S*"
    r"|\bwhat (?:does|do|has|have) (?:it|that|this|they) (?:(?:have|got) )?(?:to do with|mean for) (?:me|my(?: [\w-]+){1,3})",
    re.IGNORECASE,
)
"""Words that ask what a term has to do with one's own affairs, which its meaning tells: they are no ask of these."""
_TITLE: Final = Said("용어집", "Glossary")
_READ_AS: Final[Mapping[str, Said]] = {
    "per": Said(
        "높으면 이익에 견주어 주가가 비싸다는 뜻일 수 있지만, 앞으로의 성장 기대가 담긴 것일 수도 있어 같은 업종끼리 견주어 봅니다.",
        "A high one may mean that the share is dear for its earnings, or that growth is expected; compare it within a sector.",
    ),
    "pbr": Said(
        "1배보다 낮으면 장부 가치보다 싸게 거래된다는 뜻이고, 높으면 성장이나 수익성에 대한 기대가 담긴 것일 수 있습니다.",
        "Below 1 the share trades under its book value; a high one may hold expectations of growth or of profit.",
    ),
    "eps": Said(
        "높을수록 한 주가 벌어들인 이익이 큰 것이지만, 주식 수와 주가가 회사마다 달라 그 회사의 지난 값이나 주가와 견주어(PER) 봅니다.",
        "A higher one means more profit for each share; shares differ in number and price, so compare it with the company's own past, or with the price (P/E).",
    ),
    "roe": Said(
        "높을수록 자기자본으로 이익을 많이 낸 것이지만, 빚이 많아 자기자본이 작아도 높게 나올 수 있습니다.",
        "The higher, the more profit is made of the owners' money; much debt makes it high as well.",
    ),
    "vix": Said(
        "높을수록 시장이 앞으로의 변동을 크게 본다는 뜻이고, 20 아래는 대체로 차분한 때로 읽습니다.",
        "The higher it is, the larger the swings that the market expects; below 20 is mostly read as calm.",
    ),
    "margin": Said(
        "높을수록 같은 매출에서 더 많이 남기지만, 업종마다 보통의 수준이 다릅니다.",
        "The higher, the more is left of the same sales; what is usual differs by sector.",
    ),
    "dividend_yield": Said(
        "높을수록 주가에 견주어 배당이 많은 것이지만, 주가가 내려서 높아졌거나 배당이 줄 수도 있어 이익과 함께 봅니다.",
        "The higher, the more is paid for the price; a fallen price makes it high as well, and dividends may be cut, so look at the earnings too.",
    ),
    "debt_ratio": Said(
        "높을수록 빚에 기대는 것이지만, 업종마다 보통의 수준이 다릅니다.",
        "The higher, the more it rests on debt; what is usual differs by sector.",
    ),
    "basis_point": Said("예를 들어 25bp는 0.25%p입니다.", "25 basis points, for example, are 0.25 percentage points."),
    "yield_spread": Said(
        "역전은 짧은 만기 금리가 긴 만기 금리보다 높은 상태이며, 경기 둔화의 신호로 읽히기도 합니다.",
        "An inversion, when short yields stand above long ones, is often read as a sign of a slowdown.",
    ),
    "jeonse_ratio": Said(
        "높을수록 집값이 내릴 때 보증금을 돌려받지 못할 위험이 커집니다.",
        "The higher it is, the greater the risk that a deposit is not covered when prices fall.",
    ),
    "ltv": Said(
        "예를 들어 70%이면 5억원 집에 3억 5천만원까지입니다.",
        "At 70 %, a home of KRW 500 million allows KRW 350 million.",
    ),
}
_READ_AS_ANOTHER: Final = {"operating_margin": "margin", "net_margin": "margin"}
"""Terms whose figure is read as that of another one."""
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "per": ("P/E", "PE ratio", "주가수익비율"),
    "pbr": ("P/B",),
    "yield_spread": (
        "장단기 금리차 역전",
        "장단기금리차",
        "금리 역전",
        "inverted yield curve",
        "yield curve inversion",
        "yield curve",
        "수익률 곡선",
    ),
    "qt": ("quantitative tightening",),
    "ltv": ("LTV",),
    "cpi": ("CPI", "소비자물가"),
    "vix": ("VIX", "공포지수"),
    "golden_cross": ("데드크로스", "dead cross"),
    "deposit_protection": (
        "예금 보호",
        "예금보험",
        "bank deposit protected",
        "bank deposits protected",
        "bank deposit insured",
        "bank deposits insured",
        "bank deposit insurance",
    ),
    "deposit_insurance": ("전세보증보험", "보증보험"),
    "elasticity": ("가격 탄력성", "elasticity"),
    "margin": ("마진", "profit margin"),
    "opposability": ("대항력", "opposing power", "opposability"),
    "priority_right": ("우선변제",),
    "prior_claims": ("선순위 채권",),
    "prior_deposits": ("선순위 보증금", "senior deposits"),
    "fixed_date": ("확정 일자", "hwakjeong-ilja", "fixed date stamp"),
    "conversion_rate": ("전환율", "전월세 전환율"),
    "monthly_rent": ("wolse",),
    "mortgage_right": ("근저당",),
    "level_payment": ("원리금균등",),
    "jeonse_loan": ("전세대출", "전세 대출"),
    "home_loan": ("주담대", "주택 담보 대출", "담보대출", "mortgage", "home loan"),
    "unsecured_loan": ("신용 대출",),
    "interest_only_period": ("거치 기간",),
    "equal_principal": ("원금균등",),
    "bullet_repayment": ("만기일시",),
    "register": ("등기부", "등본"),
    "deposit_account": ("정기예금",),
    "savings_account": ("정기적금",),
    "etf": ("상장지수펀드",),
    "market_cap": ("시총",),
    "stock_future": ("futures",),
    "stock_option": ("options",),
    "basis_point": ("베이시스 포인트", "bp"),
    "net_income": ("당기순이익",),
    "hedge": ("헷지", "hedge"),
    "stop_loss": ("손절",),
    "buyback": ("자사주", "buyback"),
    "surprise": ("서프라이즈", "earnings surprise"),
    "trust_registration": ("신탁 등기",),
    "title_deed": ("집문서", "등기필증", "등기필정보"),
    "repair_reserve": ("장충금",),
    "move_in_report": ("전입 신고",),
    "holding_tax_term": ("종부세",),
    "gains_tax": ("양도세",),
    "agent_fee": ("복비", "중개수수료", "brokerage fee"),
    "special_terms": ("특약사항", "special clause", "special terms"),
    "presale_right": ("pre-sale right",),
    "subscription": ("subscription",),
}


@functools.lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    """Return the terms that the glossary explains by every name that people have for them, in lower case."""
    found: dict[str, str] = {}
    for entry in _glossary():
        for name in _named(entry):
            found.setdefault(name.lower(), str(entry["ko"]))
        for name in _ALSO.get(str(entry["id"]), ()):
            found.setdefault(name.lower(), str(entry["ko"]))
    return found


def _glossary() -> Sequence[Mapping[str, Any]]:
    entries = read_yaml("services.domains.general", "data/sample/glossary.yaml")
    if not isinstance(entries, list):
        raise TypeError("glossary.yaml is a list of terms")
    return entries


def _named(entry: Mapping[str, Any]) -> Iterator[str]:
    english = str(entry["en"])
    yield str(entry["ko"])
    yield english.partition(" (")[0]
    yield from re.findall(r"\(([A-Za-z/&]+)\)", english)
    yield from (word for word in str(entry.get("words", "")).split() if word.isascii() and word.isupper())


_GOES_ON: Final = "(?![가-힣])|(?=[은는이가을를와과랑하도의에로라란인예야여며나만부까처보고서좀뭐머뜻설차])"
"""What a Korean name ends before: a particle or an ending; with another syllable it is part of another noun."""


@functools.lru_cache(maxsize=1)
def _pattern() -> Pattern:
    names = sorted(_names(), key=len, reverse=True)
    written = (
        rf"(?<![a-z]){re.escape(name)}(?:s)?(?![a-z])"
        if name.isascii()
        else rf"(?<![가-힣]){re.escape(name)}(?:{_GOES_ON})".replace(r"\ ", r"\s?")
        for name in names
    )
    return Pattern("|".join(written), re.IGNORECASE)


_SUMS: Final = frozenset({"", "krw", "usd"})


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for what a term means, where the glossary has it and nothing else is asked of it."""
    is_defined, is_apart = sheet.says(_DEFINES), sheet.says(_APART)
    wants_figure = sheet.says(_FIGURE)
    # To look for all names in a message takes a second where it is the first; most messages are spared it.
    text = _SHARED.sub(_shared_noun, sheet.text) if is_defined or is_apart or wants_figure else ""
    found = {_known(one.group()): one for one in _pattern().finditer(text)} if text else {}
    figured = next((one for term, one in found.items() if term in _figured()), None)
    if figured is not None and wants_figure:
        return (Claim(_asked(sheet, figured), CERTAIN, is_whole=True),)
    if not (is_defined or is_apart) or _is_of_else(sheet):
        return ()
    if (
        _TERMS_MAX <= len(found) <= _TERMS_APART_MAX
        and is_apart
        and not (sheet.says(_OF_LEVELS) or sheet.of_kind("series"))
    ):
        return tuple(Claim(_asked(sheet, one), CERTAIN, is_whole=True) for one in found.values())
    plain = replace(sheet, text=_BEARING.sub(" ", sheet.text))
    if not found or not is_defined or plain.says(_NOT):
        return ()
    matches = list(found.values())[: _TERMS_MAX if is_apart else 1]
    if plain.says(_BESIDE) and not _asks_meaning(sheet, matches[0]):
        return ()
    bare = _is_bare(sheet, matches[0])
    return tuple(Claim(_asked(sheet, one), CERTAIN + _BARE if bare else 0.95, is_whole=bare) for one in matches)


def _is_of_else(sheet: Sheet) -> bool:
    """Tell whether a message is of a thing that others tell of, or names several sums, which it wants reckoned."""
    if len([one for one in sheet.numbers if one.unit in _SUMS]) > 1:
        return True
    others = {"security", "region", "amount", "order_id", "product_code"}
    return any(one.kind in others and (one.value or one.alternatives) for one in sheet.entities)


_FIGURE: Final = r"한도|보호|보험|\blimit\b|protected|insured|insurance|covered"
"""Asks for the figure that the meaning of a term holds: up to how much a deposit is protected."""


@functools.lru_cache(maxsize=1)
def _figured() -> frozenset[str]:
    """Return the terms whose meaning holds the figure that people ask for."""
    return frozenset(str(entry["ko"]) for entry in _glossary() if entry.get("figure"))


_SHARED: Final = Pattern(r"\b(\w+) (and|or|versus|vs\.?) (\w+) (\w+)\b", re.IGNORECASE)


def _shared_noun(match: re.Match[str]) -> str:
    """Return two terms that share their noun with it behind both: "simple interest and compound interest"."""
    first, joint, second, noun = match.groups()
    both = {f"{one} {noun}".lower() for one in (first, second)}
    return f"{first} {noun} {joint} {second} {noun}" if both <= _names().keys() else match.group()


_NEXT: Final = Pattern(
    r"\W*(?:(?:그럼|그러면|그리고|and|so|then|what about|how about)\s)?(?:the |an? )?", re.IGNORECASE
)
_NEXT_END: Final = Pattern(r"s?(?:은|는|도)?(?:요|이요)?\W*")


def read_next(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what another term means, named alone behind the meaning of one: "그럼 PBR은?"."""
    if not before or not any(one.answerer.endswith(".define") for one in before[0].asks):
        return ()
    term = _pattern().search(sheet.text)
    if term is None or _NEXT.fullmatch(sheet.text[: term.start()]) is None:
        return ()
    if _NEXT_END.fullmatch(sheet.text[term.end() :]) is None:
        return ()
    return (Claim(_asked(sheet, term), CERTAIN + _BARE, is_whole=True),)


_BARE: Final = 0.01
"""By how much a message that only asks what a term is outweighs what else could be said of the term."""
_FRAME_KO: Final = Pattern(
    r"\s?(?:이?란|이|가|은|는|이?라는\s?(?:거|것|게)|의)?\s?(?:대체|도대체|정확히)?\s?(?:뭐|머|뭔|무엇|뜻|의미|무슨\s?(?:말|뜻|소리))\S{0,6}\s?(?:알려\S*|설명\S*)?\W*"
)
_FRAME_EN: Final = Pattern(
    r"\W*(?:so |and |ok |hi |hello )*(?:what(?:['’]?s| is| are| does)|define|explain)(?: exactly)? (?:an? )?",
    re.IGNORECASE,
)
_REST_EN: Final = Pattern(
    r"(?:s)?(?: (?:mean|stand for))?(?: (?:on|in|of|for|with) (?:an? |the )?[a-z]+)?(?: exactly)?\W*", re.IGNORECASE
)


def _is_bare(sheet: Sheet, term: re.Match[str]) -> bool:
    """Tell whether a message asks what a term is and nothing else: "what is a fixed date on a lease?".

    What the level of a series is, is asked in the same words: "what is the base rate?".
    """
    if sheet.of_kind("series"):
        return False
    ahead, behind = sheet.text[: term.start()], sheet.text[term.end() :]
    if sheet.language == "ko":
        return not re.search(r"[가-힣]", ahead) and _FRAME_KO.fullmatch(behind) is not None
    return _FRAME_EN.fullmatch(ahead) is not None and _REST_EN.fullmatch(behind) is not None


_MEANS_KO: Final = Pattern(
    r"\s?(?:이?란|이|가|은|는|의)?\s?(?:대체|도대체|정확히)?\s?(?:뜻|의미|무슨\s?(?:말|뜻|소리))"
)
_MEANS_EN: Final = Pattern(r"s?(?: actually| exactly| really)? (?:mean|stand for)\b", re.IGNORECASE)


def _asks_meaning(sheet: Sheet, term: re.Match[str]) -> bool:
    """Tell whether what stands right behind a term asks what it means."""
    return any(frame.match(sheet.text, term.end()) is not None for frame in (_MEANS_KO, _MEANS_EN))


_APART: Final = r"각각|둘\s?다|차이|다른\s?(?:점|거|건)|(?:뭐|어떻)\S?\s?(?:달|다른)|달라|다른가|다르|구분|구별|differ|\bvs\b|versus"
"""Words that ask how terms differ, so that each is told."""
_OF_LEVELS: Final = r"얼마|몇|지금|현재|최근|올해|작년|계산|격차|\bgap\b|now\b|today|current|how much|종목|주식\s?중"
"""Words of a figure: the difference of two values is another question."""
_TERMS_MAX: Final = 2
_TERMS_APART_MAX: Final = 3
"""How many terms are told that are to be told apart; the register is named beside its two parts."""


def _asked(sheet: Sheet, match: re.Match[str]) -> Ask:
    return Ask(
        words=sheet.text,
        start=min(match.start(), len(sheet.text) - 1),
        end=len(sheet.text),
        form=AskForm.DEFINE,
        intent="general_knowledge",
        answerer="define",
        notes={"term": _known(match.group()), "said": match.group()},
    )


def _known(words: str) -> str:
    plain = re.sub(r"\s+", " ", words.lower())
    names = _names()
    bare = {name.replace(" ", ""): term for name, term in names.items()}
    return names.get(plain) or names.get(plain.removesuffix("s")) or bare.get(plain.replace(" ", ""), words)


def _calls(ask: Ask) -> Sequence[Call]:
    term = ask.notes["term"]
    # A rare noun has no morpheme of its own, so that the search is told its name in English as well.
    english = next((str(entry["en"]) for entry in _glossary() if entry["ko"] == term), "")
    return [Call(_TOOL, {"query": f"{term} {english}".strip(), "limit": 3})]


def _define(ask: Ask, found: Found) -> Outcome:
    """Return what the term means, in one sentence; how it is read follows where that is known."""
    wanted = ask.notes["term"].lower()
    hits = [(reading, row.document) for reading in found.of_tool(_TOOL) for row in reading.rows]
    hit = next(((reading, row) for reading, row in hits if row["term_ko"].lower() == wanted), None)
    if hit is None:
        sentence = filled(
            "‘{term}’의 뜻은 용어집에 없습니다.", "The glossary has no entry for “{term}”.", term=ask.notes["said"]
        )
        return Outcome(declined(ask, sentence))
    reading, row = hit
    piece = proof(reading, _TITLE, found.asking.locale, "glossary")
    name = _called(row)
    sentence = Said(
        f"{josa(name.ko, '은/는')} {_meaning_ko(row['definition_ko'])}",
        f"{name.en}: {_meaning_en(row['definition_en'])}",
    )
    more = _READ_AS.get(_READ_AS_ANOTHER.get(row["term_id"], row["term_id"]))
    if more is not None and _ASKS_READING.search(ask.words):
        sentence, more = sentences(sentence, more), None
    grounds = (Ground(more, (piece.evidence_id,)),) if more is not None else ()
    return Outcome(answered(ask, sentence, evidence_ids=(piece.evidence_id,), grounds=grounds), evidence=(piece,))


_ASKS_READING: Final = Pattern(
    r"높|낮|크면|작으면|좋|나쁘|비싼|싼|중요|위험|역전|마이너스|\b(?:high|low|good|bad|matter|important|better|worse|cheap|expensive|risky)",
    re.IGNORECASE,
)
"""Words that ask how a figure is read, beside what it is."""


def _called(row: Mapping[str, Any]) -> Said:
    short = re.search(r"\(([A-Za-z]+)\)", row["term_en"])
    ko = f"{row['term_ko']}({short[1]})" if short and short[1] != row["term_ko"] else row["term_ko"]
    return Said(ko, row["term_en"][:1].upper() + row["term_en"][1:])


def _meaning_ko(text: str) -> str:
    first, found, rest = text.strip().partition(". ")
    noun = first.rstrip(".")
    told = formal(f"{noun}.") if noun.endswith("다") else f"{noun}입니다."
    return f"{told} {formal(rest)}" if found else told


def _meaning_en(text: str) -> str:
    plain = text.strip()
    return plain[:1].lower() + plain[1:] if not plain[:2].isupper() else plain


ANSWERERS: Final = (Answerer("define", _AGENT, _define, _calls),)
