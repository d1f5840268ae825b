"""Futures, the best of all, and promises: what no row holds, and only a line of an agent may say."""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.drops import DropReason
from services.grounding.claims.claim import SentenceClaim, is_past, is_to_come
from services.grounding.concepts import concepts_in
from services.grounding.movement import directions
from services.plugin.figures.kinds import Slot
from services.text.hints import Hints
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

_GROWS_KO: Final = (
    "우상향|오르|오를|오릅|오른다|내릴|내리|내린다|떨어|회복|성장|호황|불황|돌파|도달|지속|이어지|이어질|좋아|나빠|나아|커지|커질|작아|뛰|뛸|뛴|꺾|살아나|바닥|폭등|폭락|안정|개선|악화|호전|수익|이익"
    "|손실|손해|유망|호재|악재|대박|비싸|싸지|싸질|치솟|무너|붕괴|과열|반등|조정|활황|강세|약세|벌|잃|유리|불리|정상화|둔화|확대|축소|따라잡|넘어서|넘을"
)
_GROWS: Final = Pattern(
    rf"{_GROWS_KO}|\b(?:recover\w*|improv\w*|outperform\w*|underperform\w*|reach\w*|hit|exceed\w*|doubl\w*|tripl\w*|crash\w*|collaps\w*|boom\w*"
    r"|soar\w*|skyrocket\w*|plummet\w*|worsen\w*|strengthen\w*|weaken\w*|stabili[sz]\w*|appreciat\w*|depreciat\w*|peak\w*|bottom\w*|rebound\w*"
    r"|profit\w*|lose|losing|earn\w*|pay\soff|paid\soff|normali[sz]\w*|cool\w*|heat\w*|head(?:ed|ing)?|continu\w*|remain\w*|stay\w*|keep\w*|change\w*"
    r"|go|win|beat|surpass\w*|top|return\w*)\b",
    re.IGNORECASE,
)
_FUTURE_NOUNS: Final = frozenset(
    (
        "것",
        "거",
        "겁",
        "건",
        "게",
        "전망",
        "듯",
        "공산",
        "터",
        "조짐",
        "기세",
        "가능",
        "가능성",
        "확률",
        "예정",
        "태세",
        "판",
        "차례",
    )
)
_FORESEEN: Final = frozenset(
    ("전망", "예상", "예측", "기대", "관측", "추정", "전망치", "예견", "점", "불가피", "필연", "기정사실")
)
_TIME_KO: Final = Pattern(
    r"내년|내후년|다음\s?(?:달|주|해|분기)|앞으로|향후|조만간|머지않|이제부터|곧\s|하반기|장기적|중장기|결국|언젠가|당분간|연내|(?:올해|이번\s?(?:달|주|분기))\s?(?:안|중)|계속|꾸준히|줄곧"
)
_SERVICE: Final = Pattern(r"알려|살펴|말씀|설명|정리|안내|도와|드리|답하|확인하|비교하|보여|계산하|찾아")
_FUTURE_HINTS: Final = Hints(
    (
        *(
            "것",
            "거",
            "겁",
            "겠",
            "전망",
            "듯",
            "예상",
            "예측",
            "기대",
            "관측",
            "추정",
            "불가피",
            "필연",
            "기정사실",
            "공산",
            "조짐",
            "가능성",
            "확률",
            "내년",
            "내후년",
            "다음",
        ),
        *(
            "앞으로",
            "향후",
            "조만간",
            "머지않",
            "이제부터",
            "곧",
            "하반기",
            "장기",
            "결국",
            "언젠가",
            "당분간",
            "밖에",
            "게되",
            "게돼",
            "기세",
            "태세",
        ),
    )
)
_VERDICT_HINTS: Final = (
    *("네,", "네.", "예,", "예.", "네!", "맞습니다", "됩니다", "가능합니다", "아니요", "아니오", "아뇨", "아닙니다"),
    *("해도", "셔도", "어도", "아도", "합법", "적법", "위법", "불법", "무효", "안전", "안됩", "안돼"),
)
HINTS_KO: Final = Hints(
    (
        *_VERDICT_HINTS,
        *_FUTURE_HINTS.words,
        *(
            "가장",
            "제일",
            "최고",
            "최상",
            "최적",
            "최선",
            "최악",
            "최대",
            "최소",
            "최저",
            "최다",
            "최강",
            "최우수",
            "으뜸",
            "유일",
            "독보",
        ),
        *(
            "압도",
            "역대",
            "사상",
            "일등",
            "보장",
            "장담",
            "확약",
            "확실",
            "틀림없",
            "약속",
            "무위험",
            "무손실",
            "안전",
            "무조건",
            "반드시",
            "절대",
        ),
    )
)
"""Each Korean sentence that claims such a thing holds one of these."""
_WILL: Final = Pattern(
    r"\b(?:will|shall|going\sto|gonna|set\sto|bound\sto|(?:expected|projected|forecast|predicted|anticipated|likely|poised|destined|sure|certain)\sto"
    r"|(?:is|are)\s(?:widely\s)?(?:expected|projected|forecast|predicted)|(?:we|I|analysts?|experts?)\s(?:expect|predict|forecast|anticipate)"
    r"|on\strack\s(?:to|for)|about\sto|headed\s(?:for|to)|set\sfor|imminent|going\s(?:up|down|higher|lower)|expect\s(?:an?|further|more|some|\w+\sto)|(?:is|are)\s(?:coming|ahead|in\sstore)|ahead(?=[.!]?$)|may\swell"
    r"|outlook\s(?:is|for|remains)|should(?=\s(?:rise|fall|recover|climb|drop|go|keep|continue|reach|double|gain)))\b|\w'll\b",
    re.IGNORECASE,
)
_WILL_SERVE: Final = Pattern(
    r"\b(?:I|we|you)(?:\swill|'ll|\sshall)\s(?:\w+ly\s|also\s|then\s|now\s)?(?:show|see|find|list|tell|explain|compare|answer|need|ask|look"
    r"|check|summari[sz]e|use|give|cover|describe|focus|start|begin|have\sto)\b|\bit\swill\sbe\s(?:shown|listed)\b",
    re.IGNORECASE,
)
"""What an answer will do itself."""
_UNSURE: Final = Pattern(r"\b(?:whether|if|not\s(?:known|certain|clear)|unknown|cannot)\b", re.IGNORECASE)
"""Behind it stands what nobody knows."""
_BEST_KO: Final = Pattern(
    r"(?P<most>가장|제일)\s(?P<what>[가-힣]{1,6})|(?<![가-힣])(?P<best>최(?:고|상|적|선|악|대|소|저|다|강|우수)|으뜸|유일(?=한|합|하)|독보|압도|역대급|역대\s?최\w|사상\s?최\w|일등|1위|1등)"
    r"(?!가격|가\b|가[는은를을의]|치|점|값|한도|(?<=최[대소])한|낙폭|금액|소한|대한|근|신|종|초|저가|고가)"
)
_MOST_PLAIN: Final = ("최근", "먼저", "가까", "나중", "처음", "마지막", "새로", "늦", "이른", "빠른날")
_BEST_EN: Final = Pattern(
    r"\b(?:(?P<best>best|worst|(?:high|low|larg|small|bigg|fast|slow|strong|weak|cheap|dear|great|saf|wis|smart|easi|rich|poor|hott|steep|wid|deep"
    r"|fin|fair|clever|bright|sound)est|(?:most|least)\s(?!recent|of\b|often|likely\sbecause)\w+|unbeatable|unmatched|unrivall?ed|unparallell?ed|second\sto\snone"
    r"|number\sone|no\.\s?1|top\s(?:pick|choice|performer|spot)|ideal|perfect|optimal))\b",
    re.IGNORECASE,
)
_DIGIT: Final = Pattern(r"[0-9]")
_MOVE_EN: Final = Pattern(
    r"\s(?:single[\s-]day\s|one[\s-]day\s|daily\s)?(?:drop|fall|decline|drawdown|gain|rise|move|change|loss|increase|decrease)s?\b",
    re.IGNORECASE,
)
_AT_BEST: Final = Pattern(
    r"\bat\s(?:best|worst|most|least)\b|\bbest\s(?:regards|wishes)\b|\bperfect(?:ly)?\b(?=\sfine)", re.IGNORECASE
)
_YES: Final = Pattern(
    r"^\s?(?:네|예|맞습니다|됩니다|가능합니다)\s?[,.!]|^(?:\S+\s){0,3}(?:해도|하셔도|셔도|어도|아도)\s?(?:됩|돼|괜찮)"
    r"|(?:합법|적법|안전)(?:합|입|한\s(?:거래|계약|집))|^\s?(?:yes|yep|sure|correct|of\scourse)\b"
    r"|\byou\s(?:may|are\sallowed|are\sentitled|have\sthe\sright)\b|\bit\sis\s(?:legal|lawful|safe|allowed)\b",
    re.IGNORECASE,
)
_NO: Final = Pattern(
    r"^\s?(?:아니요|아니오|아뇨|아닙니다|안\s?됩니다|불가능합니다)\s?[,.!]|(?:위법|불법|무효)(?:입니다|합니다|이에요)"
    r"|(?:하면|해서는|으면)\s?안\s?(?:됩|돼)|^\s?(?:no|nope)\s?[,.!:]|\byou\s(?:may\snot|are\snot\sallowed|must\snot)\b"
    r"|\bit\sis\s(?:illegal|unlawful|void|not\sallowed)\b",
    re.IGNORECASE,
)
_PROMISE_KO: Final = Pattern(
    r"보장|장담|확약|확실|틀림없|약속|무위험|무손실|안전(?:한|하게)\s?(?:수익|투자)|무조건|반드시|절대|100\s?%\s?(?:수익|안전|확실)"
)
_NO_LOSS: Final = Pattern(
    r"(?:손해|손실|위험|리스크|잃을|떨어질)[^.,]{0,12}?(?:없습|없다|없어|없는\s투자|않습|않는다)|\brisk[\s-]free\b"
    r"|\b(?:no|zero|without(?:\sany)?)\srisk\b|\bcan(?:not|'t)\s(?:possibly\s|ever\s)?(?:lose|fail|go\swrong)\b|\bsure\s(?:thing|bet|win)\b|\bfoolproof\b",
    re.IGNORECASE,
)
"""What promises by itself."""
_GAIN_KO: Final = Pattern(
    rf"원금|수익|이익|이자|손실|손해|이득|차익|상승|승인|당첨|{_GROWS_KO}|오르|오릅|오른|내리|떨어|돈"
)
_PROMISE_EN: Final = Pattern(
    r"\bguarantee[ds]?\b|\brisk[\s-]free\b|\b(?:no|zero|without(?:\sany)?)\srisk\b|\bcan(?:not|'t)\s(?:lose|fail|go\swrong)\b|\bsure\s(?:thing|bet|win)\b"
    r"|\bassured\b|\bcertain\s(?:profit|return|gain|win)s?\b|\bpromise[ds]?\b|\bfoolproof\b|\b(?:definitely|certainly|surely|undoubtedly|without\sdoubt)\b",
    re.IGNORECASE,
)
_GAIN_EN: Final = Pattern(
    r"\b(?:return|profit|gain|principal|income|yield|money|loss|interest|rise|grow|win|approval|approved|invest\w*|risk|lose|safe|up|higher)\w*\b",
    re.IGNORECASE,
)
_NOT: Final = Pattern(
    r"않|못|없(?!이|는\s?투자)|아니|아닙|\b(?:not|no|nobody|never|neither|nor)\b|n't\b", re.IGNORECASE
)
_MAY: Final = Pattern(r"수\s?(?:도\s?)?있|\b(?:may|might|could)\b", re.IGNORECASE)


def futures_in(text: str) -> Iterator[SentenceClaim]:
    """Yield what a sentence says to come of values and fortunes; not what may come, nor what an answer will tell."""
    moves = directions(text) or _GROWS.search(text) or _becomes(text)
    if not moves:
        return
    if words := foreseen_in(text) or _timed_ko(text):
        yield SentenceClaim(DropReason.PREDICTION, _direction_of(text), words)


def _becomes(text: str) -> bool:
    """Tell whether the last word of a Korean sentence says that something grows so: "커집니다"."""
    last = morphemes(text)[-4:]
    return any({"VA", "VX"} <= {*one.tags} or _GROWS.match(one.lemma) for one in last)


def foreseen_in(text: str) -> str:
    """Return the words by which a sentence says of anything that it is to come; empty where it does not."""
    if _FUTURE_HINTS.stand_in(text) and not _SERVICE.search(text) and (words := _future_ko(text, morphemes(text))):
        return words
    will = _WILL.search(text)
    return will.group() if will and not _WILL_SERVE.search(text) and not _UNSURE.search(text[: will.start()]) else ""


def _future_ko(text: str, found: tuple[Morpheme, ...]) -> str:
    """Return the words by which a Korean sentence says what is to come; empty where it does not."""
    for at, one in enumerate(found):
        behind = found[at + 1] if at + 1 < len(found) else None
        is_noun = behind is not None and (behind.surface in _FUTURE_NOUNS or behind.surface.startswith("겁"))
        if behind is not None and is_noun and (is_to_come(one) or one.surface in {"를", "을", "릴", "질", "갈"}):
            return text[one.start : behind.end]
        if "EP" in one.tags and "겠" in one.surface:
            return one.surface
        if (
            one.surface in _FORESEEN
            and behind is not None
            and behind.tags[0] in {"XSV", "XSA", "VCP"}
            and one.surface != "점"
        ):
            return one.surface
        if one.surface == "수밖에" or (one.surface == "게" and behind is not None and behind.lemma == "되"):
            return one.surface
    return ""


def _timed_ko(text: str) -> str:
    """Return the time to come of which a Korean sentence tells as if it were there; empty where it does not."""
    time = _TIME_KO.search(text)
    if time is None or _SERVICE.search(text):
        return ""
    found = morphemes(text)
    told = not any(is_past(one) for one in found) and not _MAY.search(text) and "?" not in text
    return time.group() if told and any(one.tags[-1] in {"EF", "EC"} for one in found[-3:]) else ""


def _direction_of(text: str) -> str:
    """Return which way a sentence goes, as the key of what it foresees."""
    return ",".join(map(str, sorted(directions(text)))) or (
        match.group().lower() if (match := _GROWS.search(text)) else ""
    )


def bests_in(text: str) -> Iterator[SentenceClaim]:
    """Yield the superlatives of a sentence; which of the newest or the first is none, nor what only names a figure."""
    for match in _BEST_KO.finditer(text):
        what = match["what"] or match["best"]
        is_plain = match["most"] is not None and what.startswith(_MOST_PLAIN)
        if not is_plain and not _names_a_figure(text, match):
            yield SentenceClaim(DropReason.SUPERLATIVE, what[:1] if match["most"] else what, match.group())
    for match in _BEST_EN.finditer(text):
        is_plain = any(one.start() <= match.start() < one.end() for one in _AT_BEST.finditer(text))
        if not is_plain and not _names_a_figure(text, match):
            yield SentenceClaim(DropReason.SUPERLATIVE, match.group().lower(), match.group())


def _names_a_figure(text: str, match: re.Match[str]) -> bool:
    """Tell whether a superlative is the statistic of a figure, which is held against the rows as that."""
    if _DIGIT.search(text) is None:
        return False
    if _MOVE_EN.match(text, match.end()) is not None:
        return True
    statistics = (one for one in concepts_in(text) if one.slot is Slot.STATISTIC)
    return any(one.start < match.end() and match.start() < one.end for one in statistics)


def verdicts_in(text: str) -> Iterator[SentenceClaim]:
    """Yield the yes or no that a sentence gives: whether something may, must or is, only an agent's rule tells."""
    for pattern, key in ((_YES, "yes"), (_NO, "no")):
        if (match := pattern.search(text)) is not None:
            yield SentenceClaim(DropReason.VERDICT, key, match.group().strip())


def promises_in(text: str) -> Iterator[SentenceClaim]:
    """Yield the promises of gain, or of no loss, that a sentence makes; one that it takes back is none."""
    if (match := _NO_LOSS.search(text)) is not None:
        yield SentenceClaim(DropReason.PROMISE, match.group().lower(), match.group())
    for promise, gain in ((_PROMISE_KO, _GAIN_KO), (_PROMISE_EN, _GAIN_EN)):
        match = promise.search(text)
        if match and gain.search(text) and not takes_back(text, match):
            yield SentenceClaim(DropReason.PROMISE, match.group().lower(), match.group())


def takes_back(text: str, match: re.Match[str]) -> bool:
    """Tell whether a promise is denied: behind it in Korean, before it in English."""
    near = (
        text[match.end() : match.end() + 16]
        if match.group()[:1] >= "가"
        else text[max(0, match.start() - 24) : match.start()]
    )
    return _NOT.search(near) is not None
