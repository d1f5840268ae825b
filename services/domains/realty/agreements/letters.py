"""What a letter to a landlord asks for besides its form: what is to be repaired, what is to be paid back, until when. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from services.domains.realty.agreements.passages import PassageDay
from services.text.patterns import Pattern

_FAULTS: Final = {
    "보일러": r"보일러|boiler",
    "난방": r"난방|heat(?:er|ing)",
    "온수": r"온수|뜨거운\s?물|hot water",
    "천장": r"천장|ceiling",
    "누수": r"누수|물이?\s?(?:새|떨어)|비가?\s?새|leak",
    "곰팡이": r"곰팡이|mou?ld",
    "결로": r"결로|condensation",
    "배관": r"배관|하수구|배수|pipe|drain",
    "수도": r"수도|수전|수압|\btap\b|faucet|water pressure",
    "변기": r"변기|toilet",
    "세면대": r"세면대|싱크대?|\bsink\b",
    "창문": r"창문|샷시|새시|방충망|window",
    "현관문": r"현관|문고리|door",
    "잠금장치": r"도어\s?락|자물쇠|잠금|\block\b",
    "전기": r"전기|콘센트|누전|차단기|조명|outlet|wiring|electric",
    "에어컨": r"에어컨|air ?con",
    "벽": r"(?<![가-힣])벽(?!지)|벽면|\bwall",
}
"""What breaks in a home, by what a letter calls it in Korean."""
_RESERVE: Final = Pattern(
    r"장기\s?수선\s?충당금|long-?term repair (?:reserve|fund)(?: fund)?|repair reserve", re.IGNORECASE
)
_BY: Final = Pattern(r"\s?(?:까지|안에|내에|내로|전에)")
_BY_EN: Final = Pattern(r"\b(?:by|until|till|before|no later than)\s(?:the\s)?$", re.IGNORECASE)
_WAS_DUE: Final = Pattern(r"[^,.]{0,24}(?:했|렸|줬|았|었|였|인데|이었)")
_WAS_DUE_EN: Final = Pattern(r"\b(?:was|were|ended|ran|lasted|agreed|promised)\b[^,.;]{0,30}$", re.IGNORECASE)
_WITHIN: Final = Pattern(
    r"(?:(?P<n>[0-9]{1,2})\s?(?:일|(?P<weeks>주일?))|(?P<word>일주일|열흘|보름|사흘))\s?(?:안에|이내|내에|내로)"
    r"|\bwithin (?P<m>[0-9]{1,2}) (?:days|(?P<w>weeks?))",
    re.IGNORECASE,
)
_IN_DAYS: Final = {"사흘": "3", "일주일": "7", "열흘": "10", "보름": "15"}


def asked_for(text: str, days: tuple[PassageDay, ...]) -> Iterator[tuple[str, str]]:
    """Yield what a letter asks for, by field."""
    if faults := _faults(text):
        yield "fault", faults
    if reserve := _RESERVE.search(text):
        yield "reserve", reserve[0]
    if until := _until(text, days):
        yield "until", until


def until_when(value: str, locale: str, day: str) -> str:
    """Return a time limit as a letter writes it: a number of days, or a day that is written already."""
    if value.isdigit():
        return f"이 글을 받은 날부터 {value}일 안에" if locale == "ko" else f"within {value} days of this letter"
    return f"{day}까지" if locale == "ko" else f"by {day}"


def _until(text: str, days: tuple[PassageDay, ...]) -> str:
    """Return until when a letter asks for something: a day, or a number of days; what was due by a day is the past."""
    for day in days:
        before, behind = text[max(0, day.start - 30) : day.start], text[day.end :]
        is_limit = _BY.match(behind) or _BY_EN.search(before)
        if is_limit and not _WAS_DUE.match(behind) and not _WAS_DUE_EN.search(before):
            return day.value.isoformat()
    found = _WITHIN.search(text)
    if found is None:
        return ""
    return _IN_DAYS.get(found["word"] or "") or str(
        int(found["n"] or found["m"]) * (7 if found["weeks"] or found["w"] else 1)
    )


def _faults(text: str) -> str:
    """Return what is to be repaired, in the order and the language in which a message names it."""
    named = [
        (match.start(), name, match[0])
        for name, words in _FAULTS.items()
        if (match := re.search(words, text, re.IGNORECASE))
    ]
    is_korean = re.search(r"[가-힣]", text) is not None
    return ", ".join(name if is_korean else said.lower() for _, name, said in sorted(named))
