"""Messages that close a conversation: thanks, and that this was all. They ask for nothing, whatever came before them."""

import re
from typing import Final

from services.text.patterns import Pattern

_CLOSES: Final = (
    r"고마[워웠]\S*|고맙\S*|감사(?:합니다|했습니다|해요?|드\S*|요|히)?(?![가-힣])|땡큐|(?:ㄱㅅ|ㄳ)+|수고\S*|도움\s?(?:이|도)?\s?(?:많이\s?)?(?:됐|되었)\S*|도움됐\S*|이만(?:\s?(?:할|줄|끝|하|갈)\S*)?"
    r"|(?:그거|그것|이거|이것|그)?(?:면|이면)\s?(?:됐|충분)\S*|(?:이제|인제|더는|더)\s?(?:다\s?)?(?:됐|없|충분)\S*|다\s?(?:봤|됐|알았|해결)\S*|충분(?:해|합|하)\S*|안녕히\s?\S+|들어가\S*|잘\s?(?:봤|알았|알겠|쓸|참고)\S*"
    r"|thanks?(?: (?:a lot|so much|very much|again|for \w+(?: \w+)?))?|thank you(?: (?:so much|very much|again))?|thx|cheers|ta(?: very much| muchly)?|much (?:appreciated|obliged)|i appreciate (?:it|that)|appreciate it"
    r"|that(?:['’]s| is| was|['’]ll be| will be| would be)? (?:all|it|everything|enough)(?: (?:for (?:now|today)|i (?:need|needed|wanted)))?|(?:all|i['’]m) (?:good|done|set)|bye|goodbye|see you|good ?night|you(?:['’]ve| have) been (?:\w+ ){1,2}\w+|(?:very |so |really |super )?helpful"
)
_BESIDE: Final = (
    r"네+|넵+|예|응+|아|오|와|그래요?|그렇구나|그렇군요?|알겠\S*|알았\S*|오케이|ㅇㅋ|좋\S*|진짜|정말|너무|많이|덕분에|오늘은?|그럼|다음에|또|봬\S*|뵙\S*|다시|\S{0,3}게요"
    r"|ok(?:ay)?|leave it(?: (?:then|there|at that))?|great|good|nice|perfect|lovely|cool|right|so|and|then|well|very|really|just|what i needed|for (?:now|today)|got it|i see|no|nothing(?: else)?|more|mate|folks|everyone|your help|the help|never ?mind|forget it|no (?:worries|problem)|anyway|아니(?:에요|예요|야|요)?|괜찮\S*|됐\S*"
)
_WHOLE: Final = Pattern(rf"(?:\W|(?<![A-Za-z가-힣])(?:{_CLOSES}|{_BESIDE})(?![A-Za-z가-힣]))+", re.IGNORECASE)
_ONE: Final = Pattern(rf"(?<![A-Za-z가-힣])(?:{_CLOSES})(?![A-Za-z가-힣])", re.IGNORECASE)
_CHARS_MAX: Final = 60


def is_closing(text: str) -> bool:
    """Tell whether a message holds nothing but thanks or a close: "cheers, that was all", "잘 알았어요 이만"."""
    if len(text) > _CHARS_MAX or "?" in text or _ONE.search(text) is None:
        return False
    return _WHOLE.fullmatch(text) is not None or _is_thanks_at_the_end(text)


_COMPLAINS: Final = Pattern(
    r"(?:딴|엉뚱한|헛|이상한)\s?(?:소리|말|얘기|답)\S{0,3}\s?(?:만\s?)?(?:하|해|야|이야|이네|하네|하냐|해요)?|말귀|말을?\s?못\s?알아|못\s?알아\s?(?:듣|먹)|답답하|제대로\s?(?:좀\s?)?(?:답|대답|알려)|장난\s?(?:해|하냐|치)"
    r"|\bthat(?:'s| is) not what i (?:asked|said|meant|wanted)\W*$|\b(?:are you|you(?:'re| are)) (?:even |not )?listening|\bwrong answer\W*$|\bthat makes no sense\W*$",
    re.IGNORECASE,
)
"""Complaints of an answer that name nothing in its stead."""
_COMPLAINT_CHARS_MAX: Final = 30


def complains(text: str) -> bool:
    """Tell whether a message complains of the last answer and says nothing of what is wanted: "왜 자꾸 딴소리야"."""
    return len(text) <= _COMPLAINT_CHARS_MAX and _COMPLAINS.search(text) is not None


def _is_thanks_at_the_end(text: str) -> bool:
    """Tell whether a few words of no request and no edit end in thanks: "오케이 거기까지 고마워"."""
    if _STATED.fullmatch(text) is not None:
        return True
    match = _THANKS_END.search(text)
    rest = _LEFT_OUT.sub(" ", text[: match.start()]).split() if match else []
    return bool(match) and len(rest) <= _REST_MAX and not any(_EDITS.search(word) for word in rest)


_THANKS_END: Final = Pattern(r"(?:고마[워웠]\S*|고맙\S*|감사(?:합니다|해요?|드\S*)?|땡큐|수고\S*)[\s.!~ㅎㅋ^]*$")
_LEFT_OUT: Final = Pattern(rf"[^\w\s]+|(?<![A-Za-z가-힣])(?:{_BESIDE})(?![A-Za-z가-힣])", re.IGNORECASE)
_STATED: Final = Pattern(
    r"(?:(?:ok(?:ay)?|great|perfect|good|right|nice|cool|well|so|and|ah|oh)\W+)*(?:that|this|you)(?:['’]\w+)?(?:\s(?!meant?\b|wants?\b|needs?\b|not\b|asked\b|told\b)[a-z]+){1,5}\W+(?:thanks?|thank you|cheers|thx)(?: (?:a lot|so much|very much|again|you))*\W*",
    re.IGNORECASE,
)
"""A statement on what was told, and thanks: "that clears it up, thank you"."""
_REST_MAX: Final = 2
_EDITS: Final = Pattern(r"\d|[A-Za-z]|(?:로|만|도|는|은|랑|요|죠|줘|줄래|주세요|주십시오|알려|보여|부탁|해)$")
"""A word that may change or ask something."""
