"""Sentences that tell the reader to trade; none leaves (spec 3.4). Saying that one advises nothing is no directive."""

import re
from typing import Final

_TRADES_KO: Final = r"(?:매수|매도|손절|익절|진입|청산|비중\s?(?:확대|축소)|분할\s?매수|추격\s?매수)"
_ORDERS_KO: Final = (
    r"(?:하세요|하십시오|하시길|하시기\s?바랍|하시는\s?(?:것|게|편)이?\s?(?:좋|낫|유리)|하는\s?(?:것|게|편)이?\s?(?:좋|낫|유리)"
    r"|해라|하라(?!는)|해야\s?(?:합|한|할|돼|됩)|합시다|해\s?두세요|를?\s?권(?:합|해\s?드|장)|추천(?!하지)|의견(?:입|을\s?냅)"
    r"|(?:할\s?)?(?:때|시점|타이밍|기회|적기)(?:입니다|예요|이에요|다)(?!만))"
)
_DIRECTIVE_KO: Final = re.compile(
    rf"{_TRADES_KO}(?:을|를)?\s?{_ORDERS_KO}"
    r"|(?:사세요|사십시오|사\s?두세요|사\s?두십시오|파세요|파십시오|팔아\s?버리세요|팔아야\s?(?:합|한|할)|사야\s?(?:합|한|할)|들어가세요|들어가십시오)"
    r"|(?:살|팔|들어갈)\s?(?:때|시점|타이밍|기회)(?:입니다|예요|이에요|다)(?!만)"
    r"|(?:사는|파는|들어가는)\s?(?:것|게|편)이?\s?(?:좋|낫|유리)"
)
_TRADES_EN: Final = r"(?:buy|sell|short|accumulate|dump|liquidate|load\s+up|enter\s+(?:now|the)|go\s+(?:long|short))"
_DIRECTIVE_EN: Final = re.compile(
    rf"(?<!not\s)(?<!n't\s)\b(?:should|must|ought\s+to|need\s+to|have\s+to|had\s+better|let'?s|time\s+to|best\s+to|wise\s+to"
    rf"|go\s+ahead\s+and|recommend(?:ed)?(?:\s+that)?(?:\s+you)?(?:\s+to)?|advise(?:d)?(?:\s+you)?\s+to|urge\s+you\s+to|suggest(?:\s+that)?\s+you)"
    rf"\s+(?:\w+\s+){{0,2}}?{_TRADES_EN}\b"
    r"|(?:^|[.!?:;]\s+|\n\s*(?:[0-9]+[.)]\s*|[-*]\s*)?|\b(?:so|then|please|just|simply)\s+)(?:buy|sell|short|accumulate|dump)\b(?!\s?(?:and\s+hold|side|orders?|ratings?|pressure|signals?|interest))"
    r"|\b(?:a|strong|clear)\s+(?:buy|sell)\b(?!-|\s?(?:side|order|rating|signal))"
    r"|\b(?:buy|sell)\s+(?:now|today|immediately|at\s+once|before)\b"
    r"|(?<!not\s)\brecommend(?:ed|ing)?\s+(?:buying|selling|shorting)\b",
    re.IGNORECASE,
)
STEMS: Final = (
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
    *("had", "let", "time", "best", "wise", "go", "recommend", "advise", "urge", "suggest", "enter", "strong"),
)
"""What a word begins with from which on a sentence may become a directive; it is held until it is complete."""


def directs(text: str) -> bool:
    """Tell whether a text instructs to buy, sell or enter."""
    return _DIRECTIVE_KO.search(text) is not None or _DIRECTIVE_EN.search(text) is not None
