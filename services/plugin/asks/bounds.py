"""How the words around a number bound it: "10만원 이하", "at most 3", "5% 넘게", "not above 300,000"."""

import re
from typing import Final, Literal

from services.text.near import just_before
from services.text.patterns import Pattern

Bound = Literal["", "lt", "le", "gt", "ge", "about", "band"]
"""How a number bounds: "10만원 이하" is le, "30평대" is a band, "5% 넘게" is gt; empty for the number itself."""

_PASSED: Final = (
    r"(?:[을를이은만]\s?)?(?:넘기|넘|초과하|넘어가|넘어서|웃돌)(?:으면|면|는\s?(?:건|것은|거는|거|것|가격은|금액은))"
)
_UNWANTED: Final = r"\s?(?:(?:좀|너무|많이|조금)\s?)?(?:안\s?(?:되|돼|됩|됨|사|살|쓸|봐)|곤란|싫|부담|무리|못\s?(?:사|내|써)|힘들|어렵|빼|패스|제외|말고|별로)"
_AFTER_KO: Final = (
    (
        "le",
        rf"{_PASSED}{_UNWANTED}|이하|까지(?!만|\s?(?:[가-힣]{2}이?\s?)?(?:받|빌|가능|되|돼|나오|나와|얼마))|이내|내로|안쪽|안에서?|안으로|안\s?넘|넘지\s?않|한도로|밑으로도|선에서|쓸\s?수\s?있",
    ),
    (
        "lt",
        r"미만|언더(?![가-힣])|아래(?!층)|밑(?:으로|에)?|보다\s?(?:싼|저렴|작|낮|적)|보다\s?(?:덜|낮)|못\s?미치|안\s?되는|안되는",
    ),
    ("ge", r"이상|부터|넘게도|보다\s?(?:높거나)"),
    (
        "gt",
        r"(?:[을를]\s?)?(?:초과|넘(?:게|는|은|으면|어서|어가|었|기|고(?=[\s,])))|보다\s?(?:비싼|많|크|큰|높|더)|위로|웃도",
    ),
    ("about", r"정도|쯤|가량|내외|안팎|전후|언저리"),
)
_AFTER: Final = Pattern(
    r"\s?(?:짜리|으로|로|만)?\s?(?:보다\s)?(?:도\s)?"
    r"(?:(?:정도|쯤|가량)\s?(?=까지|이하|이내|안쪽|안에서|안으로|미만|아래|밑으로|이상))?(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in _AFTER_KO)
    + ")"
)
BAND: Final = Pattern(
    r"대(?=\s|$|[의에로는은인가를]|만(?:\s|$)|이[고면]|중|(?![출비구략금상표학형신]|전(?!세))[가-힣]{2})"
)
"""The words behind a number of which it is a band: "30평대"."""
_BEFORE_EN: Final = (
    (
        "lt",
        r"(?:small|light|short|narrow|thinn)er\s+than|under|below|less\s+than|sub|cheaper\s+than|fewer\s+than|lower\s+than|beneath|short\s+of",
    ),
    (
        "le",
        r"up\s+to|at\s+most|(?:no|not|nothing|none|isn't|never)\s+(?:(?:more|higher|greater|larger|bigger|dearer|pricier|longer|older)|(?:more\s+\w+))\s+than|within|max(?:imum)?(?:\s+of)?|(?:not|nothing|none|never)\s+(?:\w+\s+){0,2}(?:over|above|beyond|past|exceed\w*)"
        r"|(?:a\s+)?budget(?:\s+(?:of|is))?|limit\s+of",
    ),
    (
        "gt",
        r"(?:larg|bigg|wid|heavi|long|tall)er\s+than|(?<!hand )(?<!put )(?<!turn )(?<!pay )(?<!sign )(?<!bring )(?<!carry )over|above|more\s+than|higher\s+than|exceed\w*|greater\s+than|beyond|past",
    ),
    (
        "ge",
        r"at\s+least|(?:no|not|isn't|never)\s+(?:less|lower|fewer|smaller|cheaper|shorter|younger)\s+than|min(?:imum)?(?:\s+of)?|from(?=\s[^.?!]*$)",
    ),
    ("about", r"around|about|roughly|approximately|some|nearly|almost|circa"),
)
_BEFORE: Final = Pattern(
    r"\b(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in _BEFORE_EN)
    + r")\s+(?:the\s+|a\s+)?(?:₩|\$|KRW\s|US\$)?$",
    re.IGNORECASE,
)
_AFTER_EN: Final = (
    (
        "le",
        r"\s(?:or|and)\s(?:less|under|below|lower|cheaper|fewer)\b|\sat\s(?:most|the\smost)\b|\s(?:at\s)?max(?:imum)?\b|\stops\b|\sceiling\b|\sis\s(?:my|the|our)\s(?:\w+\s)?(?:limit|max(?:imum)?|ceiling|cap|budget)\b",
    ),
    ("ge", r"\s(?:or|and)\s(?:more|over|above|better|higher|up|larger|bigger)\b|\+|\sat\sleast\b|\sminimum\b"),
)
_AFTER_ENGLISH: Final = Pattern("|".join(f"(?P<{name}>{words})" for name, words in _AFTER_EN), re.IGNORECASE)
_LEFT_OUT: Final = Pattern(
    r"\s?(?:은|는|을|를|인\s|짜리\s?(?:는|은)?)?\s?(?:[가-힣]{1,3}(?:들)?(?:은|는|을|를)?\s)?"
    r"(?:다\s?|전부\s?|모두\s?)?(?:빼|제외|걸러|지워|버리|말고|제하)"
)
_LEAVES_OUT: Final = Pattern(
    r"\b(?:exclud\w+|leave out|drop|remove|without|skip|filter out|avoid|except(?: for)?|not|never|nothing|no"
    r"|(?:don't|do not|didn't|won't|wouldn't|can't|cannot|can not|rather not)(?: (?:want|need|pay|spend|go|afford|buy|do|have|like|take))?(?: to (?:pay|spend|go|buy|see))?)\s"
    r"(?:(?:any|all|the|those|ones|\w{3,12}s|anything|everything|one|that|which|are|is|priced|costing|of)\s)*$",
    re.IGNORECASE,
)
_OTHER_SIDE: Final[dict[Bound, Bound]] = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
"""What is left of a class once that side of a bound is left out of it."""
_TO: Final = Pattern(r"\s?(?:won\s)?to\s", re.IGNORECASE)


def bound_at(text: str, start: int, end: int) -> tuple[Bound, int, int]:
    """Return how the words around a number bound it, and where number and words lie."""
    if band := BAND.match(text, end):
        return "band", start, band.end()
    for pattern in (_AFTER, _AFTER_ENGLISH):
        if after := pattern.match(text, end):
            return _left(_named(after), text, start, after.end())
    if (before := just_before(_BEFORE, text, start)) and not (before.lastgroup == "ge" and _TO.match(text, end)):
        return _left(_named(before), text, before.start(), end)
    return "", start, end


def _left(bound: Bound, text: str, start: int, end: int) -> tuple[Bound, int, int]:
    """Return a bound with where its words lie; the other side of it where what it bounds is left out."""
    if bound not in _OTHER_SIDE:
        return bound, start, end
    if left_out := _LEFT_OUT.match(text, end):
        return _OTHER_SIDE[bound], start, left_out.end()
    leaves_out = just_before(_LEAVES_OUT, text, start)
    return (_OTHER_SIDE[bound], leaves_out.start(), end) if leaves_out else (bound, start, end)


def _named(match: re.Match[str]) -> Bound:
    named: dict[str, Bound] = {"lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "about": "about"}
    return named[str(match.lastgroup)]
