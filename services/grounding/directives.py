"""Sentences that tell the reader to trade; none leaves. Saying that one advises nothing is no directive."""

import functools
import re
from typing import Final

from services.plugin.vocabulary import spoken
from services.text.hints import Hints
from services.text.patterns import Pattern
from services.text.speech import any_of

_TRADES_KO: Final = r"(?:매수|매도|손절|익절|진입|청산|비중\s?(?:확대|축소)|분할\s?매수|추격\s?매수)"
_ORDERS_KO: Final = (
    r"(?:하세요|하십시오|하시길|하시기\s?바랍|하시는\s?(?:것|게|편)이?\s?(?:좋|낫|유리)|하는\s?(?:것|게|편)이?\s?(?:좋|낫|유리)"
    r"|해라|하라(?!는)|해야\s?(?:합|한|할|돼|됩)|합시다|해\s?두세요|를?\s?권(?:합|해\s?드|장)|추천(?!하지)|의견(?:입|을\s?냅)"
    r"|(?:할\s?)?(?:때|시점|타이밍|기회|적기)(?:입니다|예요|이에요|이?다|이?네요|이?[죠지]요?)(?!만))"
)
_DIRECTIVE_KO: Final = Pattern(
    rf"{_TRADES_KO}(?:을|를)?\s?{_ORDERS_KO}"
    r"|(?:사세요|사십시오|사\s?두세요|사\s?두십시오|파세요|파십시오|팔아\s?버리세요|팔아야\s?(?:합|한|할)|사야\s?(?:합|한|할)|들어가세요|들어가십시오)"
    r"|(?:살|팔|들어갈)\s?(?:때|시점|타이밍|기회)(?:입니다|예요|이에요|이?다|이?네요|이?[죠지]요?)(?!만)"
    r"|(?:사는|파는|들어가는)\s?(?:것|게|편)이?\s?(?:좋|낫|유리)"
)
_SUGGESTS: Final = (
    r"(?:매수|매도|진입)(?:를|을)?\s?(?:하[세십시]|해야|해라|해\s?두|추천|권(?:합|해|장|유)|의견|타이밍|기회|시점|적기)"
    r"|분할\s?매수|추격\s?매수|비중\s?(?:확대|축소)"
    r"|\b(?:buy|sell|short|accumulate)\s(?:now|today|it|the\s(?:dip|~traded~)|~traded~)\b"
)
"""Words of trade that nothing but a suggestion needs."""
_FURTHER_KO: Final = (
    r"(?:^|\s)(?:사라|팔아라|사자|팔자|매수해|매도해|사\s?둬|팔아\s?치워)(?:요)?(?=[.!?\s]|$)"
    r"|(?:강력|적극|추가|저점|지금)\s?(?:매수|매도)(?=[.!?]|$|\s?(?:하|추천|구간|유효|입니다))"
    r"|(?:~traded~|비중|조금씩|나눠|나누어)\S*\s?(?:\S+\s)?(?:담으|담아|모으|모아|늘리|줄이|정리하|던지)(?:세요|십시오|셔야|시는|\s?(?:두|가|가시|보)\S*세요)"
    r"|(?:보유|홀딩|매집|물타기|손절매|차익\s?실현)(?:을|를)?\s?(?:하세요|하십시오|하시는|하셔야|해야|해\s?두세요)"
    r"|(?:들고\s?(?:가|계)|갈아타|올라타|탈출하|뛰어드|들어가\s?보)(?:세요|십시오|셔야)"
    r"|(?:사기|팔기|들어가기|진입하기|매수하기|매도하기)(?:에)?\s?(?:딱\s?)?(?:좋은|알맞은|적당한)"
    r"|지금이\s?(?:바로\s?)?(?:기회|적기|바닥|저점|고점|타이밍)(?:입니다|예요|이에요|다(?!만))"
    r"|(?:기회|타이밍|시점)(?:를|을)?\s?놓치지\s?(?:마|말)|(?:살|사\s?둘|담을)\s?만(?:합|한|하)"
    r"|지금(?:\s?바로|\s?당장)?\s?(?:계약|청약|투자)(?:을|를)?\s?(?:하세요|하십시오|해야)"
)
_FURTHER_EN: Final = (
    r"\b(?:consider|try|keep|start|think\s(?:about|of))\s(?:buying|selling|shorting|adding\sto|trimming|accumulating|loading|exiting)\b"
    r"|\bworth\s(?:buying|owning|accumulating|a\s(?:buy|punt))\b"
    r"|(?:^|[.!?:;]\s+|\b(?:to|should|must|now|please|you\scan|you\smay\swant\sto)\s)(?:get\s(?:in|out)|take\s(?:some\s)?profits?|lock\sin|load\sup|scoop\sup"
    r"|pick\sup\s(?:some\s)?(?:~traded~)|add\sto\s(?:your|the)|hold\s(?:on\sto|your|the\s(?:~traded~))|stay\saway|steer\sclear|cut\s(?:your\s)?losses|bail\sout|double\sdown"
    r"|go\sall[\s-]in|exit\s(?:your|the|now)|unload|trim\s(?:your|the)|invest\s(?:now|today|in\s(?:it|this))|avoid\s(?:the|this)\s(?:~traded~))"
    r"|\bnow\sis\s(?:the|a|an)\s(?:\w+\s)?(?:time|moment|chance|opportunity|entry)"
    r"|\b(?:good|great|perfect|ideal|right|attractive)\s(?:time|moment|point|price|level)\sto\s(?:buy|sell|enter|get|invest|exit)\b"
    r"|\bdon'?t\smiss\b|\bput\s(?:your|some)\smoney\b"
)
_DENIAL_CHARS: Final = 24
_LETTERS: Final = Pattern(r"[A-Za-z]{2}")
_DENIES: Final = Pattern(r"\b(?:no|not|never|neither|whether)\b|n't\b", re.IGNORECASE)
_TRADES_EN: Final = r"(?:buy|sell|short|accumulate|dump|liquidate|load\s+up|enter\s+(?:now|the)|go\s+(?:long|short))"
_DIRECTIVE_EN: Final = Pattern(
    rf"(?<!not\s)(?<!n't\s)\b(?:should|must|ought\s+to|need\s+to|have\s+to|had\s+better|let'?s|time\s+to|best\s+to|wise\s+to"
    rf"|go\s+ahead\s+and|recommend(?:ed)?(?:\s+that)?(?:\s+you)?(?:\s+to)?|advise(?:d)?(?:\s+you)?\s+to|urge\s+you\s+to|suggest(?:\s+that)?\s+you)"
    rf"\s+(?:\w+\s+){{0,2}}?{_TRADES_EN}\b"
    r"|(?:^|[.!?:;]\s+|\n\s*(?:[0-9]+[.)]\s*|[-*]\s*)?|\b(?:so|then|please|just|simply)\s+)(?:buy|sell|short|accumulate|dump)\b(?![-\s]term|\s?(?:and\s+hold|side|orders?|ratings?|pressure|signals?|interest))"
    r"|\b(?:a|strong|clear)\s+(?:buy|sell)\b(?!-|\s?(?:side|order|rating|signal))"
    r"|\b(?:buy|sell)\s+(?:now|today|immediately|at\s+once|before)\b"
    r"|(?<!not\s)\brecommend(?:ed|ing)?\s+(?:buying|selling|shorting)\b",
    re.IGNORECASE,
)
_STEMS: Final = (
    *(
        "매수",
        "매도",
        "손절",
        "익절",
        "진입",
        "청산",
        "비중",
        "분할",
        "추격",
        "사세",
        "사십",
        "사야",
        "사두",
        "사는",
        "살",
        "파세",
        "파십",
        "파는",
        "팔",
    ),
    *(
        "들어가",
        "들어갈",
        "buy",
        "sell",
        "short",
        "accumulate",
        "dump",
        "liquidate",
        "should",
        "must",
        "ought",
        "need",
        "have",
    ),
    *(
        "강력",
        "적극",
        "추가",
        "저점",
        "조금씩",
        "나눠",
        "보유",
        "홀딩",
        "매집",
        "물타기",
        "차익",
        "들고",
        "갈아",
        "올라",
    ),
    *(
        "탈출",
        "뛰어",
        "사기",
        "팔기",
        "지금",
        "기회",
        "타이밍",
        "시점",
        "담을",
        "사라",
        "사자",
        "팔자",
        "consider",
        "try",
        "keep",
        "start",
        "think",
    ),
    *(
        "worth",
        "get",
        "take",
        "lock",
        "load",
        "scoop",
        "pick",
        "add",
        "hold",
        "stay",
        "steer",
        "cut",
        "bail",
        "double",
        "exit",
        "unload",
    ),
    *(
        "trim",
        "invest",
        "avoid",
        "now",
        "good",
        "great",
        "perfect",
        "ideal",
        "right",
        "attractive",
        "don",
        "put",
        "please",
    ),
    *("had", "let", "time", "best", "wise", "go", "recommend", "advise", "urge", "suggest", "enter", "strong"),
)
"""What a word of the language begins with that may begin a directive."""


_WITHIN_WORDS: Final = frozenset({"살", "팔"})
"""Stems that ordinary words begin with too; they order something only before the words that the hints have instead."""
_TRADED: Final = "~traded~"
"""Stands in a pattern for what the installed domains call things that are bought and sold for gain."""


@functools.cache
def directive_stems() -> tuple[str, ...]:
    """Return what a word begins with from which on a sentence may become a directive; it is held until complete."""
    return (*_STEMS, *(word.lower() for word in spoken("traded")))


@functools.cache
def directive_hints() -> Hints:
    """Return words of which each directive holds one, white space left out: most sentences hold none."""
    firm = (stem for stem in directive_stems() if stem not in _WITHIN_WORDS)
    return Hints((*firm, "나누", "사둬", "사둘", "살때", "살만", "팔때", "팔아"))


@functools.cache
def about_traded() -> tuple[Pattern, Pattern, Pattern]:
    """Return the patterns that name what is traded: suggestions, and further directives in Korean and English."""
    traded = any_of(spoken("traded"))
    suggests, further_ko, further_en = (
        Pattern(pattern.replace(_TRADED, traded), re.IGNORECASE) for pattern in (_SUGGESTS, _FURTHER_KO, _FURTHER_EN)
    )
    return suggests, further_ko, further_en


def directs(text: str) -> bool:
    """Tell whether a text instructs to buy, sell or enter."""
    return directive_hints().stand_in(text) and _orders(text)


def _orders(text: str) -> bool:
    suggests, further_ko, further_en = about_traded()
    if _DIRECTIVE_KO.search(text) or further_ko.search(text) or suggests.search(text):
        return True
    if _LETTERS.search(text) is None:
        return False
    if _DIRECTIVE_EN.search(text):
        return True
    match = further_en.search(text)
    return match is not None and _DENIES.search(text, max(0, match.start() - _DENIAL_CHARS), match.start()) is None
