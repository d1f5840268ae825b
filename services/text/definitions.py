"""Whether a question asks what a word means: "GDP가 뭐야?", "what does escrow mean?"."""

import re

from services.text.patterns import Pattern
from services.text.reading import TextReading

TERM_WORDS_MAX = 3
_DECORATION = Pattern(r"[^\w?.!)%]+$")
"""What may stand behind a question: emoji, hearts, spaces."""
_MEANING = r"(?:무슨|어떤)\s?(?:뜻|말|의미|개념)|뜻|의미|정의|개념"
_KOREAN = Pattern(
    r"(?P<term>[^?.!,]{1,30}?)\s?(?:이란|란|이라는\s?(?:게|건|것은|말은)|라는\s?(?:게|건|것은|말은)|이|가|은|는|의)?\s?"
    r"(?:대체|도대체|정확히|원래)?\s?"
    rf"(?:(?P<meaning>{_MEANING})(?:은|는|이|가|을|를|에\s?대해)?\s?)?"
    r"(?P<asks>뭐야|뭐예요|뭐에요|뭔가요|뭔지|뭐지|뭐죠|뭡니까|뭐임|뭔데|뭐니|무엇\S*|알려\S*|설명\S*|궁금\S*"
    r"|이야|이에요|예요|인가요|입니까|이죠|이지)?"
    r"(?:\s?(?:알려|설명|가르쳐)\S*(?:\s?(?:줘|줄래|주세요|요))?)?[\s?.!]*"
)
_ENGLISH = Pattern(
    r"(?:so\s|hey\s|please\s|can you\s|could you\s)*(?:"
    r"what\s(?:does|do)\s(?P<a>[\w\-&/ ]{2,40}?)\s(?:mean|stand for)"
    r"|what\s(?:is|are)\smeant\sby\s(?P<b>[\w\-&/ ]{2,40})"
    r"|(?:define|explain the (?:term|word|concept of)|(?:what is )?(?:the\s)?(?:definition|meaning) of)"
    r"\s(?P<c>[\w\-&/ ]{2,40})"
    r"|what(?:\sis|\sare|'s)\s(?:an?\s)?(?P<d>[\w\-&/ ]{2,40}))[\s?.!]*",
    re.IGNORECASE,
)
# What a thing has, and what is asked for by value: "X의 조건이 뭐야" is no question on a word.
_ATTRIBUTES = (
    *("조건", "자격", "방법", "차이", "이유", "원인", "까닭", "배경", "종류", "한도", "서류", "절차"),
    *("번호", "문제", "전망", "영향", "추천", "순위", "이름", "가격", "금액", "비용", "금리"),
    *("이자", "값", "시세", "수수료", "기준", "대상", "혜택", "장점", "단점", "특징", "내용", "결과"),
    *("상태", "정보", "리스크", "위험", "장단점", "최저가", "평균", "최댓값", "최솟값", "중간값", "거", "것"),
    *("건", "게", "제일", "가장", "인기", "조항", "다음", "계획", "테마", "수도"),
    *("단어"),
)
_POINTING = Pattern(
    r"^(?:이|그|저|내|제|우리|이거|그거|저거|이건|그건|여기|거기|아까|방금|지금|오늘|요즘|요새|현재|최근|올해|지난\S*|이번\S*)(?:\s|$)"
)
_ENGLISH_STOPS = Pattern(
    r"\b(?:my|your|this|that|these|those|it|best|current|currently|latest|today|now|price|rate|rates|level|index|trend"
    r"|going|driving|behind|happening|difference|reason|status|wrong|new|cheapest|outlook|left|pushing|capital"
    r"|the|in|for|on|of|at|between)\b",
    re.IGNORECASE,
)


def asks_definition(reading: TextReading) -> bool:
    """Tell whether the whole text asks what a term means; nothing is named that a look-up would be for."""
    named = any(kind.is_name and reading.of(kind.id) for kind in reading.kinds)
    if named or reading.amounts or reading.dates or reading.quantities:
        return False
    if reading.language == "en":
        return _english(_DECORATION.sub("", reading.text))
    return _korean(reading, _DECORATION.sub("", reading.text))


def _english(text: str) -> bool:
    match = _ENGLISH.fullmatch(text)
    if match is None:
        return False
    said = match["a"] or match["b"] or match["c"]
    if said is not None:
        return len(said.split()) <= TERM_WORDS_MAX + 1 and not re.search(
            r"\b(?:my|your|this|that|it)\b", said, re.IGNORECASE
        )
    term = match["d"]
    return len(term.split()) <= TERM_WORDS_MAX and _ENGLISH_STOPS.search(term) is None


def _korean(reading: TextReading, text: str) -> bool:
    match = _KOREAN.fullmatch(text)
    if match is None or not (match["asks"] or match["meaning"]):
        return False
    term = match["term"].strip()
    words = term.split()
    if not words or len(words) > TERM_WORDS_MAX or _POINTING.match(term) or _says_more(reading, match.end("term")):
        return False
    if match["meaning"]:
        return True
    asks_what = (match["asks"] or "").startswith(("뭐", "뭔", "뭡", "무엇"))
    attributes = (*_ATTRIBUTES, *reading.so_far.claims.speech.attributes)
    return asks_what and not words[-1].endswith(attributes)


def _says_more(reading: TextReading, end: int) -> bool:
    """Tell whether a verb stands in the term: "요새 뜨는 테마" is no word that has a meaning."""
    return any(piece.end <= end and piece.tags[0] in {"VV", "VA", "VX", "NP", "MAG"} for piece in reading.morphemes)
