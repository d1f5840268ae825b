"""What a sentence says without a figure: crosses, trends and moves, held against the words and changes of the rows.

golden or dead cross     a metric says it, of that subject, on the day that is named; or it is said to be none
trend words              a metric says it of that subject; a negated one only where none says it
"rose", "내렸습니다"     some change or trend of that subject goes that way, where its changes are known
foreign indicators       RSI, support lines, price targets: no agent computes them, so never
"""

import re
from collections.abc import Collection, Iterable
from datetime import date
from typing import Final

from services.grounding.facts import Fact, WordFact
from services.grounding.movement import directions
from services.grounding.readings import Day, Sentence
from services.text.figure_dates import When
from services.text.hints import Hints

_WORDS: Final = {
    "golden_cross": re.compile(r"골든\s?크로스|\bgolden[\s-]?cross", re.IGNORECASE),
    "dead_cross": re.compile(r"데드\s?크로스|\bdea(?:d|th)[\s-]?cross", re.IGNORECASE),
    "up": re.compile(
        r"상승\s?(?:추세|국면|세)|오름세|강세장?|\bup[\s-]?trend|\bupward\strend|\bbullish|\brally\b", re.IGNORECASE
    ),
    "down": re.compile(
        r"하락\s?(?:추세|국면|세)|내림세|약세장?|\bdown[\s-]?trend|\bdownward\strend|\bbearish|\bsell-?off",
        re.IGNORECASE,
    ),
}
_CROSSES: Final = frozenset({"golden_cross", "dead_cross"})
_OPPOSITE: Final = {"up": 1, "down": -1}
_NEGATED: Final = re.compile(r"없|않|아니|아닙|아닌|못|\b(?:no|not|nor|never|without|neither)\b|n't\b", re.IGNORECASE)
_SUPPOSED: Final = re.compile(
    r"면\s|면,|경우|때(?:는|에)?\s|여부|수\s?있|수도|가능|지\s?(?:확인|살펴|지켜)|\?|기본:|상승:|하락:"
    r"|\b(?:if|when|whether|may|might|could|would|can|unless|should|case)\b",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(
    r"\bRSI\b|\bMACD\b|볼린저|\bbollinger|과매[수도]|\bover(?:bought|sold)|스토캐스틱|\bstochastic|피보나치|\bfibonacci"
    r"|지지선|저항선|\b(?:support|resistance)\s(?:level|line)|이중\s?바닥|\bdouble\s(?:bottom|top)|헤드\s?앤\s?숄더|\bhead\sand\sshoulders"
    r"|목표\s?(?:주)?가|\bprice\starget|\btarget\sprice|엘리어트|\belliott\swave",
    re.IGNORECASE,
)
_PAST_SYLLABLES: Final = "".join(chr(code) for code in range(ord("가") + 20, ord("힣") + 1, 28))
"""The syllables that end on ㅆ, as those of a past tense do."""
_PAST_KO: Final = re.compile(rf"[{_PAST_SYLLABLES}](?:습니다|다|고|으며)|고\s?있습니다|중입니다")
_PAST_EN: Final = re.compile(
    r"\b(?:rose|fell|climbed|gained|declined|dropped|jumped|surged|slipped|slid|grew|shrank|decreased|increased|plunged|tumbled"
    r"|(?:is|are|was|were|has\sbeen|have\sbeen)\s(?:up|down|rising|falling|higher|lower|climbing|declining))\b",
    re.IGNORECASE,
)
_LETTERS: Final = re.compile(r"[A-Za-z]{2}")
SIGNAL_HINTS: Final = Hints(
    (
        *(
            "골든",
            "golden",
            "데드",
            "dead",
            "death",
            "상승",
            "오름",
            "강세",
            "up",
            "bullish",
            "rally",
            "하락",
            "내림",
            "약세",
        ),
        *("down", "bearish", "sell", "rsi", "macd", "볼린저", "bollinger", "과매", "over", "스토캐스틱", "stochastic"),
        *(
            "피보나치",
            "fibonacci",
            "지지선",
            "저항선",
            "support",
            "resistance",
            "이중",
            "double",
            "헤드",
            "head",
            "목표",
        ),
        *("target", "엘리어트", "elliott"),
    )
)
"""Each signal that is named holds one of these, white space left out: most sentences hold none."""
STEMS: Final = (
    *(
        "골든",
        "데드",
        "상승",
        "오름",
        "강세",
        "하락",
        "내림",
        "약세",
        "올랐",
        "올라",
        "오르",
        "내렸",
        "내려",
        "내리",
        "떨어",
        "늘었",
        "줄었",
    ),
    *(
        "뛰었",
        "급등",
        "급락",
        "반등",
        "증가",
        "감소",
        "볼린저",
        "과매",
        "스토캐",
        "피보나",
        "지지선",
        "저항선",
        "이중",
        "목표",
        "빠졌",
        "밀렸",
    ),
    *(
        "golden",
        "dead",
        "death",
        "uptrend",
        "up-trend",
        "downtrend",
        "down-trend",
        "upward",
        "downward",
        "bullish",
        "bearish",
        "rally",
    ),
    *(
        "rsi",
        "macd",
        "bollinger",
        "overbought",
        "oversold",
        "stochastic",
        "fibonacci",
        "support",
        "resistance",
        "double",
        "target",
    ),
    *(
        "rose",
        "fell",
        "climbed",
        "gained",
        "declined",
        "dropped",
        "jumped",
        "surged",
        "slipped",
        "slid",
        "grew",
        "shrank",
        "decreased",
    ),
    *("increased", "plunged", "tumbled", "rising", "falling", "up", "down", "selloff", "sell-off", "elliott"),
)
"""What a word begins with from which on a sentence may state a signal; it is held until it is complete."""


def invents_a_signal(
    sentence: Sentence,
    words: Collection[WordFact],
    changes: Collection[Fact],
    *,
    named: frozenset[str] | None,
    has_change: bool,
) -> bool:
    """Tell whether a sentence says a signal that no metric holds.

    Args:
        sentence: The sentence.
        words: The signals that metrics hold.
        changes: The changes that are known.
        named: Whom it is about; None where it may be anybody.
        has_change: Whether one of its figures is told as a change, and so is checked as that.
    """
    text, own = sentence.text, [word for word in words if named is None or word.name in named]
    if SIGNAL_HINTS.stand_in(text) and _names_falsely(sentence, own, changes, named):
        return True
    return not has_change and _moves_falsely(text, own, _of(changes, named))


def _names_falsely(
    sentence: Sentence, own: list[WordFact], changes: Collection[Fact], named: frozenset[str] | None
) -> bool:
    """Tell whether a sentence names a signal that no metric holds, or one that no agent computes."""
    text = sentence.text
    if _FOREIGN.search(text):
        return True
    for word, pattern in _WORDS.items():
        match = pattern.search(text)
        if match and not _holds(word, own, _days_of(match, sentence.days), text, _of(changes, named)):
            return True
    return False


def _of(changes: Collection[Fact], named: frozenset[str] | None) -> list[Fact]:
    return [fact for fact in changes if named is None or not fact.names or fact.names & named]


def _holds(word: str, own: list[WordFact], whens: list[When], text: str, changes: list[Fact]) -> bool:
    if _SUPPOSED.search(text):
        return word not in _CROSSES or any(one.word == word for one in own)
    holding = [one for one in own if one.word == word]
    if _NEGATED.search(text):
        return not holding
    if word in _OPPOSITE and not holding and not any(one.word in _OPPOSITE for one in own):
        return _goes(_OPPOSITE[word], changes)
    if word in _CROSSES and whens:
        return any(_covers(when, day) for one in holding for when in whens for day in one.days)
    return bool(holding)


def _moves_falsely(text: str, own: list[WordFact], changes: list[Fact]) -> bool:
    """Tell whether a statement without a figure says a move that is against every known change of its subject."""
    if not (_PAST_KO.search(text) or (_LETTERS.search(text) and _PAST_EN.search(text))):
        return False
    told = directions(text)
    if len(told) != 1 or _SUPPOSED.search(text) or _NEGATED.search(text):
        return False
    direction = next(iter(told))
    wanted = "up" if direction > 0 else "down"
    if not changes and not any(one.word in _OPPOSITE for one in own):
        return False
    return not _goes(direction, changes) and not any(one.word == wanted for one in own)


def _goes(direction: int, changes: Iterable[Fact]) -> bool:
    return any(fact.known.value * direction > 0 for fact in changes)


def _days_of(match: re.Match[str], days: Collection[Day]) -> list[When]:
    """Return the day nearest to a signal."""
    ranked = sorted(days, key=lambda day: min(abs(day.end - match.start()), abs(day.start - match.end())))
    return [day.when for day in ranked[:1]]


def _covers(when: When, day: date | When) -> bool:
    return when.covers(day) if isinstance(day, When) else when.holds(day)
