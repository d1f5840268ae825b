"""Words and sources of others: a quote must stand in the data, a source be one that the data names, a key never."""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.drops import DropReason
from services.grounding.claims.claim import SentenceClaim
from services.text.hints import Hints
from services.text.near import just_before
from services.text.patterns import Pattern

_QUOTES: Final = Pattern(r"“([^”]+)”|\"([^\"]+)\"|‘([^’]+)’|「([^」]+)」|『([^』]+)』|«([^»]+)»|„([^“”]+)[“”]")
_QUOTE_CHARS_MIN: Final = 12
"""A shorter quote names a term and says nothing."""
_SAYS_BEHIND: Final = Pattern(
    r"^\s?(?:이?라고|이?라며|이?라는|고)\s?\S{0,6}\s?(?:말|밝|전|설명|강조|주장|평|진단|분석|보도|지적|언급|했|하)"
)
_SAYS_BEFORE: Final = Pattern(
    r"\b(?:said|says|stated|states|told|wrote|writes|reported|called\sit)\b[\s,:]*$", re.IGNORECASE
)
_BY_KO: Final = Pattern(
    r"(?<![^\s,.])(?P<who>[^\s,.]+(?:\s[^\s,.]+){0,3})(?:에|의\s?\S{2,4}에)\s?(?:따르면|의하면)|(?<![^\s,.])(?P<heard>[^\s,.]+(?:\s[^\s,.]+){0,2})(?:의\s?말로는|\s발표를\s보면)|(?<![^\s,.])(?P<where>(?![^\s]*[0-9])[^\s,.]+?)에(?:서)?(?:도|는)?\s(?:\S+\s)?(?:나왔|나온|나와|실[린렸려]|적[힌혔혀]|쓰[인여]|게재|소개[된됐되]|언급[된됐되])|(?:출처|자료|인용)\s?[:=]\s?(?P<from>[^,.·|)\]\n]{2,40})"
)
_BY_EN: Final = Pattern(
    r"\b(?:according\sto|as\s(?:reported|cited|stated)\s(?:by|in)|as\sper|citing|per)\s(?P<who>(?:the\s|a\s|an\s)?[^,.;()]{3,40})"
    r"|\b(?:source|sources|cited\sfrom)\s?:\s?(?P<from>[^,.;·|)\]\n]{2,40})",
    re.IGNORECASE,
)
_PEOPLE: Final = Pattern(
    r"(?:전문가|애널리스트|업계|관계자|증권가|분석가|언론|외신|연구(?:진|원|소)?|학자|소식통|당국|뉴스|기사|보도|보고서|설문|여론)(?:들)?(?:은|는|이|가|에서는?|에서도|도|들은)?\s[^.]{0,60}?"
    r"(?:말|밝|전했|전하|보도|분석|예상|전망|평가|지적|추천|권고|경고|진단|관측|나타났|조사됐|봅니다|본다|보고\s?있)"
    r"|\b(?:analysts?|experts?|economists?|insiders?|officials?|researchers?|strategists?|observers|reporters?|scientists?|sources|studies|surveys?|polls?|newspapers?|"
    r"(?:a|the|one|recent)\s(?:study|survey|report|poll|article|paper))\s(?:\w+\s){0,3}?(?:say|says|said|expect|believe|think|predict|report(?:ed|s)?|suggest|show(?:s|ed|n)?"
    r"|agree|warn(?:ed)?|recommend(?:ed)?|estimate|note[ds]?|found|find|claim(?:ed)?|argue|see)\b"
    r"|(?:생각|의견|입장|견해)(?:도|은|이|을|를)?\s?(?:같|다르|입니다|이다|이에요)|들은\s바|매체들",
    re.IGNORECASE,
)
_VOICE: Final = Pattern(
    r"(?P<who>[A-Za-z]+)\s(?:also\s|\w+ly\s)?(?P<says>says|agrees|confirms?|claims|argues|believes|thinks|insists|warns|recommends|praises|told\s(?:us|me))\b",
    re.IGNORECASE,
)
HINTS_KO: Final = Hints(
    (
        *(
            "따르면",
            "의하면",
            "출처",
            "인용",
            "전문가",
            "애널리스트",
            "업계",
            "관계자",
            "증권가",
            "분석가",
            "언론",
            "외신",
            "연구",
            "학자",
        ),
        *(
            "나왔",
            "나온",
            "나와",
            "실린",
            "실렸",
            "실려",
            "적힌",
            "적혔",
            "적혀",
            "쓰인",
            "쓰여",
            "게재",
            "소개",
            "언급",
        ),
        *(f"공{digit}" for digit in "일이삼사오육칠팔구"),
        *("들은바", "생각", "의견", "입장", "견해", "매체", "말로는", "발표를", "「", "『"),
        *(
            "소식통",
            "당국",
            "뉴스",
            "기사",
            "보도",
            "보고서",
            "설문",
            "여론",
            "비밀번호",
            "비번",
            "암호",
            "인증키",
            "자료:",
        ),
    )
)
"""Each Korean sentence that names a source, without quotes, holds one of these."""
_OWN: Final = frozenset(
    [
        "자료",
        "데이터",
        "표",
        "조회",
        "결과",
        "예시",
        "내용",
        "위",
        "아래",
        "이",
        "그",
        "해당",
        "기준",
        "조항",
        "법",
        "법률",
        "계산",
        "규칙",
        "정의",
        "용어집",
        "앞선",
        "질문",
        "말씀",
        "답변",
        "조건",
        "현재",
        "최근",
        "기간",
        "구간",
        "시점",
        "목록",
        "제공된",
        "확인된",
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "data",
        "table",
        "result",
        "results",
        "rows",
        "figures",
        "above",
        "sample",
        "question",
        "definition",
        "rule",
        "law",
        "article",
        "terms",
        "your",
        "our",
        "it",
        "which",
        "what",
        "i",
        "we",
        "you",
        "nothing",
        "none",
        "not",
    ]
)
_WORDS: Final = Pattern(r"[0-9A-Za-z가-힣]{2,}")
_KEY: Final = Pattern(
    r"\b(?:sk|pk|rk|ghp|gho|github_pat|xox[a-z]|AKIA|ASIA|AIza|ya29|hf|glpat)[-_]?[0-9A-Za-z_\-]{8,}"
    r"|\beyJ[0-9A-Za-z_\-]{6,}(?:\.[0-9A-Za-z_\-]+)*|-----BEGIN\s[A-Z ]+"
    r"|\bBearer\s[0-9A-Za-z._\-]{8,}|(?:password|passwd|secret|token|api[\s_-]?key|비밀번호|비번|암호|인증키)\s?(?:is|[:=은는])\s?\S{4,}",
    re.IGNORECASE,
)
_LONG_RUN: Final = Pattern(r"(?<![0-9A-Za-z+/=_\-])[0-9A-Za-z+/=_\-]{16,}(?![0-9A-Za-z+/=_\-])")
_PRIVATE: Final = Pattern(
    r"(?<![0-9])(?:[0-9]{6}-[1-8][0-9]{6}|(?:[0-9]{4}[- ]){3}[0-9]{4}|0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4})(?![0-9])"
    r"|(?<![가-힣])(?:[공영일이삼사오육륙칠팔구]{2,4}[\s\-]){1,3}[공영일이삼사오육륙칠팔구]{4}(?![십백천만억])"
)


def quotes_in(text: str) -> Iterator[SentenceClaim]:
    """Yield what a sentence quotes: long passages, and whatever it says that somebody has said."""
    for match in _QUOTES.finditer(text):
        quoted = next(one for one in match.groups() if one is not None)
        is_said = _SAYS_BEHIND.match(text[match.end() :]) or just_before(_SAYS_BEFORE, text, match.start())
        # Marks of a title name a law or a work, however short.
        if is_said or match.group()[0] in "「『" or len(quoted) >= _QUOTE_CHARS_MIN:
            yield SentenceClaim(DropReason.UNKNOWN_SOURCE, plain(quoted), match.group())


def sources_in(text: str) -> Iterator[SentenceClaim]:
    """Yield the sources that a sentence names, by each word that tells them from the data at hand."""
    for pattern in (_BY_KO, _BY_EN):
        for match in pattern.finditer(text):
            named = next((one for one in match.groups() if one), "")
            for word in _WORDS.findall(named):
                if word.lower() not in _OWN:
                    yield SentenceClaim(DropReason.UNKNOWN_SOURCE, plain(word), match.group())
    for match in _VOICE.finditer(text):
        if match["who"].lower() not in _OWN:
            yield SentenceClaim(DropReason.UNKNOWN_SOURCE, plain(match["who"]), match.group())
    if (people := _PEOPLE.search(text)) is not None:
        yield SentenceClaim(DropReason.UNKNOWN_SOURCE, plain(people.group()), people.group())


def secret_in(text: str) -> str:
    """Return a key, a token or a private number that a text shows; empty where it shows none."""
    for pattern in (_KEY, _PRIVATE):
        if match := pattern.search(text):
            return match.group()
    runs = (match.group() for match in _LONG_RUN.finditer(text))
    return next((run for run in runs if any(map(str.isdigit, run)) and any(map(str.isalpha, run))), "")


def plain(text: str) -> str:
    """Return the letters and digits of a text alone, in lower case: what is compared of a quote."""
    return "".join(filter(str.isalnum, text.lower()))
