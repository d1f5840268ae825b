"""What no data says of anything, so that an answer from data says it only where a line of an agent does.

    to come         the future, of whatever: "지금 사면 내년에 웃게 됩니다"
    sure            that something is certain, safe or no cause for worry: "보증금은 떼일 염려가 없습니다"
    beyond all      that nothing else comes near it: "이보다 나은 종목은 없습니다", "second to none"

What general knowledge says of the world may be sure of it, and is not read here.
"""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.drops import DropReason
from services.grounding.claims.claim import SentenceClaim
from services.grounding.claims.outlooks import foreseen_in, takes_back
from services.text.patterns import Pattern

_SURE: Final = Pattern(
    r"전혀|결코|절대|반드시|틀림없|무조건|확실|분명(?!하지)|영원|장담|보장|약속|책임지|책임집|책임을\s?[져집]|안심|마음\s?(?:푹\s)?놓|믿고|안전(?!\s?(?:점검|관리|진단|등급|과리))"
    r"|\b(?:definitely|certainly|surely|undoubtedly|guarantee[ds]?|promise[ds]?|assured?|never|always|safe(?:ly)?|secure[ds]?"
    r"|no\smatter\s(?:what|how)|without\s(?:a\s)?(?:doubt|fail|question)|beyond\s(?:a\s)?doubt|for\s(?:sure|certain)|bound\sto|rest\sassured|nothing\sto\slose|money[\s-]back)\b",
    re.IGNORECASE,
)
_NO_FEAR: Final = Pattern(
    r"(?:염려|걱정|우려|실패|위험|리스크|떼일|잃을|날릴|손해|손실|탈이)[^.,]{0,14}?(?:없|않|마세|마시|아니)"
    r"|\b(?:no|zero|nothing|without(?:\sany)?)\s(?:\w+\s)?(?:worr\w+|fear|danger|risks?|loss(?:es)?|downside|concern)\b",
    re.IGNORECASE,
)
_ADVICE: Final = Pattern(
    r"(?:세요|십시오|바랍니다|시기\s?바|하시는\s?것이|필요합니다|해야\s?합니다)[.!\s]*$|^\s?(?:please|always|never|make\ssure)\b",
    re.IGNORECASE,
)
"""What asks the reader to do something promises nothing."""
_BEYOND: Final = Pattern(
    r"보다\s?(?:더\s)?[가-힣]{1,5}\s(?:[가-힣]+\s){0,2}?[가-힣]+[은는이가도]\s?(?:없|드물)|(?:어느|어떤|다른\s어떤|그\s어떤)\s[가-힣]+보다|만\s?한\s[가-힣]+[은는이가도]?\s(?:[가-힣]+\s){0,2}(?:없|않)|(?:누구도|아무도|무엇도|어디에도)\s[^.,]{0,20}(?:없|못|않)|둘도\s?없|더할\s?나위|타의\s?추종|비할\s?데|제일가"
    r"|독보|단연|비교\s?불가|견줄|필적|선두|\b(?:nothing|none|no(?:\sone|body|\sother)?)\b[^.,;]{0,24}?\b(?:beats?|better|compares?|comes?\s(?:close|near)|match(?:es)?|rivals?|equals?|like\sit)\b"
    r"|\b(?:nobody|no\sone|no\s\w+)\s(?:is|are|was|were|does|has)\s(?:\w+\s)?(?:more\s\w+|better|\w{2,}er|equal)\b|\bno\s(?:equal|rival|match)\b|\brank(?:s|ed)?\s(?:first|top|highest)\b|\bthan\s(?:any|every|all)\b|\b(?:every|any|all)\sothers?\b|\bmarket[\s-]lead\w+|\bleader\b|\bonce[\s-]in[\s-]a[\s-]lifetime\b"
    r"|\bun(?:beatable|matched|rivall?ed|surpassed|paralleled)\b",
    re.IGNORECASE,
)
_DISGUISED: Final = Pattern(
    r"(?<![가-힣A-Za-z])(?:[가-힣A-Za-z][ .·\-_]){4,}[가-힣A-Za-z](?![가-힣A-Za-z])"
    r"|[A-Za-z][\u0370-\u03ff\u0400-\u052f\u0530-\u058f]|[\u0370-\u03ff\u0400-\u052f\u0530-\u058f][A-Za-z]"
)
"""Words taken apart letter by letter, or with letters of another script among their own: to be read by people alone."""


_ABOUT_THEN: Final = Pattern(
    r"(?:이|지금|현)\s?(?:흐름|추세|속도|기세|분위기)(?:(?:이라|라|이|대로)면|대로)|[가-힣0-9]+(?:쯤|무렵|께)(?:이?면|엔|에는|에야|까지는)(?!\s?[^.]*[했됐었았였])"
)
"""A time that is not known to the day and by which something is so: it is to come unless it is told as past."""


def _about_then(text: str) -> str:
    match = _ABOUT_THEN.search(text)
    return match.group() if match else ""


def beyond_data_in(text: str) -> Iterator[SentenceClaim]:
    """Yield what a sentence says that no data can: the future, certainty, and what is beyond all others."""
    if words := foreseen_in(text) or _about_then(text):
        yield SentenceClaim(DropReason.PREDICTION, "", words)
    if _ADVICE.search(text) is None:
        for pattern in (_SURE, _NO_FEAR):
            if (match := pattern.search(text)) and (pattern is _NO_FEAR or not takes_back(text, match)):
                yield SentenceClaim(DropReason.PROMISE, match.group().lower(), match.group())
    if match := _BEYOND.search(text):
        yield SentenceClaim(DropReason.SUPERLATIVE, match.group().lower(), match.group())
    if match := _DISGUISED.search(text):
        yield SentenceClaim(DropReason.UNKNOWN_NAME, match.group(), match.group())
