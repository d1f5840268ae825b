"""The forms of asks by the language's own words; a domain's reader decides between those that a clause allows."""

import re
from dataclasses import dataclass
from typing import Final

from services.contract.asks import AskForm
from services.text.patterns import Pattern

_CUES: Final = (
    (
        AskForm.CAUSE,
        r"왜(?!냐)|이유|원인|배경이|까닭|때문|어째서|\bwhy\b|\breasons?\b|what (?:caused|drove|made|is behind|explains)|how come",
    ),
    (
        AskForm.PROCEDURE,
        r"뭐부터|무엇부터|뭘\s?(?:해야|먼저)|어떻게\s?(?:해야|하면|하나요|하죠|해요\b|대응|대처|신청|받아야|해$|해\?)|어떡|절차|순서가|방법(?:이|을|은)?\s?(?:뭐|알려|있|좀)"
        r"|어찌해야|무엇을\s?해야|준비해야|챙겨야|\bhow (?:do|can|should|would) (?:i|we|one)\b|what (?:should|must|do|can) (?:i|we) (?:do|first|have to do)|\bsteps?\b"
        r"|what happens next|procedure|how to\b|where do i start",
    ),
    (
        AskForm.ADVICE,
        r"사야\s?(?:돼|되|할|하)|팔아야|말아야|사도\s?(?:될|되|돼|괜찮)|팔아도\s?(?:될|되|돼)|살까|팔까|사는\s?게\s?(?:좋|나)|파는\s?게|들어가도|지금이\s?(?:기회|적기|타이밍)|매수해도|매도해도|존버|손절|물타"
        r"|should i (?:buy|sell|hold|wait|invest|get in)|worth (?:buying|investing)|good time to (?:buy|sell|invest)|buy or (?:sell|wait)|time to (?:buy|sell)",
    ),
    (
        AskForm.RECOMMEND,
        r"추천|골라\s?(?:줘|주)|뭐가\s?좋|어떤\s?게\s?좋|괜찮은\s?(?:거|것)|권해|찍어|\brecommend|\bsuggest|which one should i|what would you (?:pick|choose)|good (?:one|choice)\b.{0,80}\?|\bpick (?:one|me|him|her|us|them|a|some)\b",
    ),
    (
        AskForm.EFFECT,
        r"영향|파급|\baffect|\bimpact|\binfluence|what happens to|good (?:or bad )?for\b|bad for\b|좋아\s?나빠|호재|악재|유리|불리해지",
    ),
    (
        AskForm.COMPARE,
        r"중에(?:서)?\s?(?:어디|뭐|누|어느|더)|(?:어디|뭐|누|어느\s?(?:쪽|게|곳))(?:가|이)?\s?더|더\s?(?:싸|비싸|저렴|높|낮|크|많|적|나|좋|유리|이득)|비교|차이|대비해서|\bvs\.?\b|versus|compare|comparison|difference"
        r"|(?:er|more\s\w+|less\s\w+)\sthan\b|which (?:of|is|has|one|costs)\b.{0,80}\b(?:\w+er|more|less)\b|\bcheaper\b.{0,80}\bor\b|\bor\b.{0,80}\bcheaper\b|how do .{0,80} compare",
    ),
    (
        AskForm.CHANGE,
        r"얼마나\s?(?:올|내|떨어|늘|줄|변|상승|하락|오르|빠|뛰)|몇\s?(?:%|퍼|프로)나?\s?(?:올|내|떨어|늘|줄|변|상승|하락|오르|빠|뛰)|올랐|내렸|떨어졌|늘었|줄었|변했|변화|변동|추이|추세|흐름|상승률|하락률|증가율|등락"
        r"|(?:gone|go|went|going) (?:up|down)|up or down|\bchanged?\b|risen?\b|\brose\b|fallen?\b|\bfell\b|(?<!\bI )(?<!\bwe )(?<!\bto )(?<!might )(?<!will )(?<!may )(?<!\bmust )\bmoved?\b|\bgrown?\b|\bgrew\b|\bdropped\b|\btrend|increase[ds]?\b(?! (?:my|our|the) \w+)|decline[ds]?\b|year[- ]on[- ]year|\byoy\b|since (?:january|february|march|april|may|june|july|august|september|october|november|december|last|the|20)",
    ),
    (
        AskForm.LIST,
        r"뭐\s?있|뭐뭐|뭐가\s?있|있(?:어|나|니|냐|을까|나요|어요|습니까|는지)(?=\s|[?.!]|$)|있음\??$|찾아|보여\s?(?:줘|주|달)|목록|리스트|나온\s?(?:거|것|게)|골라|추려|알려줘.{0,80}(?:들|것들|목록)|\bany\b|are there|\blist\b|\bshow\b|\bfind\b|do you have|\bgot any\b|\bi'm after\b|in the market for|what .{0,80} (?:are|is) (?:there|available)|looking for",
    ),
    (
        AskForm.FACT,
        r"언제|몇\s?(?:조|일까지|월|년도|시)|어느\s?(?:법|조|은행|기관|회사)|무슨\s?법|누가|누구|어디(?:서|에서|에|로|가)?(?!\s?(?:가|이)?\s?더)|기한|며칠|\bwhen\b|which (?:article|law|bank|act|section|agency)|\bwho\b|\bwhere\b|what day|how long|deadline",
    ),
    (
        AskForm.VERDICT,
        r"되나|되는\s?(?:거|건|지)|돼(?:요|나|\?|$)|될까|되요|될지|가능(?:해|한|할|하)|해도\s?(?:되|돼|괜찮)|안\s?되|야\s?(?:하나|되나|됨|됨\?|되|함|돼|해|하는|되는|하죠|되죠|합니까)|맞(?:아|나|는|죠|지)|인가요?|인지|괜찮|안전|위험(?:해|한)|합법|불법|유효|무효|거절|거부|넘(?:었|어|나|는)|역전|수\s?있(?:어|나|을까|는지|죠|습니까|음)|충분|감당"
        r"|\bcan (?:i|my|the|a|we|they|he|she)\b|\bmay (?:i|my|the)\b|\bmust (?:i|we|the)\b|\bdo(?:es)? (?:i|my|the|it|we|that|this)\b(?! (?:year|quarter|month|week))|\bis (?:it|that|this|the|my|there)\b|\bare (?:they|we|the)\b|\bam i\b|have to\b|allowed|legal(?:ly)?\b|valid\b|enough\b|suffic|(?<!how )(?<!what )(?<!why )\b(?:did|has) (?:the|it)\b|\bwill (?:i|my|the|it)\b|\bwould (?:it|i|that)\b",
    ),
    (
        AskForm.AMOUNT,
        r"얼마까지|얼마\s?(?:나와|나오|갚|내야|내면|내나|줄|늘|돼|되|받)|얼마씩|얼마나\s?(?:빌|받|나와|나오|내|갚)|최대\s?얼마|계산|한도|산출|환산|얼마\s?(?:모자라|모자란|모자랄|부족|남)|몇\s?(?:주|개)\s?(?:살|사)"
        r"|how much (?:can|could|would|will|do|does|should|must|may|might)|work out|calculate|compute|what (?:does|would|will) my|maximum|how many .{0,80} can|payment|per month\b.{0,80}\bloan",
    ),
    (
        AskForm.DEFINE,
        r"(?:이|가|은|는|란|이란)?\s?(?:뭐야|뭐고|뭐며|뭐에요|뭐예요|뭔가요|뭔지|뭐죠|뭐임|머야|머임|뭐지|무엇|뭔데|뭐냐|뭐길래|뭐기에|뭐하는|뭔\s?(?:뜻|말|소리))|무슨\s?(?:뜻|말|의미|소리|소린)|뜻이?|의미(?:가|는|를)|개념|설명\s?(?:해|좀)|\bwhat (?:is|are|does) (?:a |an |the )?[\w\s'-]+(?: mean)?\?|\bmean(?:s|ing)?\b|define|definition|explain",
    ),
    (
        AskForm.LEVEL,
        r"얼마|몇(?!\s?(?:조|번))|시세|가격|수준|현재|지금|최근값|수치|값|정도|알려|어때|어느\s?정도|how much|how high|what(?:'s| is| are| was| were| did)\b|price|level|current|latest|average|rate",
    ),
)
_COMPILED: Final = tuple((form, Pattern(words, re.IGNORECASE)) for form, words in _CUES)
_PLACES: Final = ("두|second|2nd", "세|third|3rd", "네|fourth|4th", "다섯|fifth|5th")
"""Words for the second place of a rank and those behind it."""
PLACE_KO: Final = r"(?:[2-9]|두|세|네|다섯)\s?번째로"
"""Stands where 제일 does, for a place behind the first."""
RANKED: Final = r"[2-9](?:위|등)(?!급|분|까지|안|이내|\s?권)"
"""A place behind the first by its number."""
_SUPERLATIVE: Final = (
    (
        "max",
        rf"(?:제일|가장|젤|최고로|최대로|{PLACE_KO})\s?(?:많이\s?)?(?:비싼|비싸|비쌌|비쌀|높|많|크|큰|컸|커|세|셌|강[한했하]|선방|선전|잘|오른|올랐|좋|뛰|뛴|길|긴|오래|무거|멀|늘|상승|넓|인기|대박|최신|새로)"
        # By itself it is one of what it stands before, or where one of several is looked for: "많이 올랐어?" asks how far.
        r"|많이\s?(?:비싼|오른|뛴|늘어?난|상승한)|(?:누가|[뭐무]\S*|어디\S?|어느|중에?서?|둘|보다)\s[^?.]{0,30}?많이\s?(?:비싸|비쌌|높|올랐|올라|오르|뛰|뛴|늘|상승)"
        rf"|{RANKED}|신고가|고점|최고(?:가|치|점|액)?|최대|1위|1등(?!급)|일등(?!급)|으뜸|상위|highest|(?<!at )\bmost\b|largest|biggest|greatest|best|\btop\b|maximum|longest|newest|priciest|dearest|heaviest|widest|strongest|\bwho(?:'s| is| was| came) first\b|\bpeak(?:ed)?\b",
    ),
    (
        "min",
        rf"(?:제일|가장|젤|최저로|{PLACE_KO})\s?(?:많이\s?)?(?:싼|싸|쌌|쌀(?=\s?때)|망[한했]|죽\s?[쑨쒔]|처참|고전|저렴|착한|착하|헐|만만|낮|적|작|안\s?(?:오|좋|뛰|비싸|비싼)|약[한했하]|내린|내렸|떨어|하락|짧|가벼|못|나쁜|나쁘|나빴|부진|저조|빠진|줄|좁|덜)|신저가|저점|최저(?:가|치|점|액)?|최소|꼴찌|꼴등|하위|lowest|cheapest|(?<!at )\bleast\b|smallest|fewest|worst|minimum|shortest|bottom\b|lightest|weakest|\bwho(?:'s| is| was| came) last\b|\btrough\b",
    ),
)
_SUPERLATIVES: Final = tuple((way, Pattern(words, re.IGNORECASE)) for way, words in _SUPERLATIVE)
WAS_AT: Final = r"얼마(?:쯤|정도)?\s?(?:였|이었|했)|(?:였|이었)(?:어|나|지|을까|죠|는지|더라|습니)|\b(?:was|were)\b|\bdid\b.{1,40}\bcost\b"
"""Words that ask what something was at a past time."""
ACROSS_TIMES: Final = (
    r"보다|대비|비해|비교|지금|현재|올[랐라]|오[르른]|내[렸리]|떨어|차이|변[했하]|동안|사이|제일|가장|than|compared|versus|\bvs\b"
    r"|risen|fallen|\bup\b|\bdown\b|since|\bover\b|during|\bnow\b|chang|mov|highest|lowest"
)
"""Words that hold a past time against another one, or look through it: no level of it alone is asked."""
_PICKS_ONE: Final = Pattern(
    r"(?<![가-힣])(?:하나|한\s?(?:개|대|켤레|벌|곳|집|채|군데))(?:만|쯤|정도)?(?:을|를)?\s?(?:딱\s?|좀\s?)?(?:골라|고르|추천|찍어|뽑아|정해|권해|추려)"
    r"|\b(?:pick|choose|recommend|suggest|name|give me)\s(?:me\s)?(?:just\s|only\s)?(?:a single\s)?one\b|\bwhich one (?:would|should|do) (?:you|i)\b",
    re.IGNORECASE,
)
_CLAUSE_END: Final = Pattern(
    r"(?<=[?!。])\s+|(?<=[.])\s+(?![0-9])|\n+|(?<=[가-힣])\s?,?\s?그리고\s|,?\s(?:and\salso|and\sthen|also,)\s|;\s"
    r"|(?<=알려주고)\s|(?<=해주고)\s|(?<=보여주고)\s|(?<=얼마고)\s|(?<=얼마인지랑)\s|(?<=얼마인지)\s?,?\s(?=그리고|또)"
)
_ASKS_EN: Final = r"how|what|which|when|where|who|has|have|is|are|can|could|do|does|did|should|would|will|may|must|tell|show|give|list|name"
_PART_END: Final = Pattern(
    rf"{_CLAUSE_END.pattern}"
    r"|(?<=[려해여봐아]주고),?\s|(?<=[려해여아] 주고),?\s|(?<=[려해여]주시고),?\s|(?<=[는은한인될할올질날을]지),?\s(?=[^?.!]{6})|(?<=[는은한인될할올질날을]지[도랑요]),?\s|(?<=지하고),?\s"
    r"|(?<=[나까가요죠니]),\s|(?<=수 있고),?\s|(?<=[되돼]고),\s"
    # A question word that goes on: "매물이 뭐고 복비는 ...", "어디고, 거기 ...".
    r"|(?:(?<=[뭐머][고며])|(?<=(?:얼마|어디|언제|누구|프로)[고며])|(?<=어디이고)|(?<=얼마였고)|(?<=얼마이고)|(?<=퍼센트[고며])),?\s"
    rf"|,?\sand\s(?=(?:{_ASKS_EN})\b)|,\s(?=(?:how|what|which|when|where|who)\b)|,?\splus\s",
    re.IGNORECASE,
)
"""Where a message may go on to another request; whether it does shows in what its parts are read as."""


@dataclass(frozen=True, slots=True)
class Superlative:
    """A word for the first of a class: "제일 싼", "highest"."""

    is_most: bool
    """Whether the greatest is wanted."""
    words: str
    """Its words."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a message that may be an ask of its own."""

    text: str
    """Its words."""
    start: int
    """Where it begins, in code points of the normalised text."""
    end: int
    """Where it ends, exclusive."""


def forms_in(text: str) -> tuple[AskForm, ...]:
    """Return the forms that the words allow, the most telling first."""
    found = [form for form, pattern in _COMPILED if pattern.search(text)]
    if superlative_in(text) is not None:
        found.insert(0, AskForm.RANK)
    return tuple(found)


_DENIED: Final = r"(?:죠|지(?:요|\s?않)?|잖아요?|(?:는|은|인|한)\s?(?:거|것|게|건)\s?(?:맞|죠|지|아닌|아니))"
_CONFIRMS_DENIAL: Final = Pattern(
    r"(?:없|안\s?(?:된|되|해도\s?된|줘도\s?된)|못\s?[가-힣]{1,4}|아니)(?:다|라)?\s?(?:대|래|는데|던데|단다|고\s?(?:하|해|그)[가-힣]{0,3})(?:요)?[.,!]?\s?(?:진짜|정말|이거|이게|그\s?말(?:이)?)?\s?(?:맞|사실)"
    r"|\b(?:not|never|no)\b[^.?!]{0,60}[.,;]?\s(?:is (?:that|this|it|he|she)|are they) (?:right|true|correct)\b|n['’]t\b[^.?!]{0,60}[.,;]?\s(?:is (?:that|this|it|he|she)|are they) (?:right|true|correct)\b"
    rf"|못\s?[가-힣]+?{_DENIED}|(?:안|못)\s?(?:되|돼){_DENIED}|수\s?없{_DENIED}|(?:불가능?|금지)(?:하|이|되)?\s?{_DENIED}",
    re.IGNORECASE,
)


def confirms_denial(text: str) -> bool:
    """Tell whether a question wants to hear that something may not be, so that its yes means no: "못 올리죠?".

    What somebody else is told to have said counts too: "책임이 없대요. 맞아요?", "he need not pay, is that right?".
    """
    return _CONFIRMS_DENIAL.search(text) is not None


def picks_one(text: str) -> bool:
    """Tell whether a message wants one of several chosen for it: "하나만 골라줘", "just pick one"."""
    return _PICKS_ONE.search(text) is not None


def superlative_in(text: str) -> Superlative | None:
    """Return the first superlative of a text; None where there is none."""
    return next(iter(superlatives_in(text)), None)


def superlatives_in(text: str) -> tuple[Superlative, ...]:
    """Return the superlatives of a text in its order; of two that overlap the one that begins first."""
    hits = [(match, way == "max") for way, pattern in _SUPERLATIVES for match in pattern.finditer(text)]
    found: list[Superlative] = []
    for match, is_most in sorted(hits, key=lambda hit: hit[0].start()):
        if not found or match.start() >= found[-1].end:
            found.append(Superlative(is_most, match.group(), match.start(), match.end()))
    return tuple(found)


_PLACE: Final = Pattern(
    rf"(?P<of>{PLACE_KO}|{RANKED})|\b(?P<en>second|third|fourth|fifth|2nd|3rd|4th|5th)[\s-](?:most|least|best|worst|\w+est)\b",
    re.IGNORECASE,
)


def place_in(text: str) -> int:
    """Return which place of a rank a text asks for, from 1: "두 번째로 싼", "3위", "the second cheapest"."""
    match = _PLACE.search(text)
    if match is None:
        return 1
    said = (match["of"] or match["en"]).lower()
    if said[0].isdigit():
        return int(said[0])
    return next(at for at, words in enumerate(_PLACES, start=2) if said.startswith(tuple(words.split("|"))))


def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the sentences of a message, and parts that a conjunction of whole requests divides."""
    return _divided(text, _CLAUSE_END)


def parts_of(text: str) -> tuple[Clause, ...]:
    """Return the parts of a message that may be requests of their own, finer than its sentences."""
    return _divided(text, _PART_END)


def last_clause(text: str) -> Clause | None:
    """Return what stands behind the last fact of a message that tells some: "... 41살인데 15년으로"; None where none is told."""
    ends = list(_FACT_END.finditer(text))
    start = ends[-1].end() if ends else len(text)
    return Clause(text[start:], start, len(text)) if text[start:].strip() else None


_FACT_END: Final = Pattern(
    r"(?<=[가-힣0-9])(?:인데요?|는데요?|은데요?|이고요?|지만|니까|라서),?\s|,\s(?:but|so)\s|[.]\s(?![0-9])",
    re.IGNORECASE,
)


def _divided(text: str, ends: Pattern) -> tuple[Clause, ...]:
    found, at = [], 0
    for match in (*ends.finditer(text), None):
        end = len(text) if match is None else match.start()
        part = text[at:end]
        if stripped := part.strip():
            start = at + part.index(stripped[0])
            found.append(Clause(stripped, start, start + len(stripped)))
        at = end if match is None else match.end()
    return tuple(found)
