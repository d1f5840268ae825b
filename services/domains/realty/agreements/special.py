"""Special terms of a draft: what a message adds to them, changes or strikes. Pure.

They are kept in one text, a line each. Who adds one says nothing else of the contract: the sums and days in it are its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.text.patterns import Pattern

_NAMED_KO: Final = r"(?:특약|조항|조건)(?:\s?(?:사항|조항|란|문구))?"
_NAMED_EN: Final = r"(?:clauses?|(?:special |extra |further )?terms?|conditions?|provisions?|stipulations?|special)"
_ADDS: Final = r"(?:넣|추가|적어|적을|써|포함|기재|명시|달아|더해|붙여)"
_SAYING: Final = (
    r"(?:(?:이라|라)(?:고|는)(?=\s)|(?<=다)(?:고|는)(?=\s)|(?<=[음함됨])(?:으로)?(?=\s))?"
    r"\s?(?:내용|문구|말|점|것|거|걸)?(?:으로|을|를|도|은|는)?"
)
_INTO: Final = r"(?:으로도?|에다가?|에도?|을|를|도|로)?"
_LET: Final = r"\s?(?:좀\s|하나\s|같이\s|새로\s)?"
_ADDED: Final = (
    Pattern(rf"{_NAMED_KO}(?:으로|에다가?|에는|에도?|은|:)\s*(?P<said>[^\n]{{2,300}}?){_SAYING}{_LET}{_ADDS}"),
    Pattern(rf"^(?P<said>[^\n]{{2,300}}?){_SAYING}\s?{_NAMED_KO}{_INTO}{_LET}{_ADDS}"),
    Pattern(rf"{_NAMED_KO}{_INTO}{_LET}{_ADDS}[가-힣]*[\s:,.]+(?P<said>[^\n]{{2,300}})$"),
    Pattern(
        r"\b(?:add|include|insert|append|put in|write in|mention|state)\b(?:\sto the special terms)?"
        rf"(?:\s(?:also|in|a|an|another|one more|the|some|new))*\s?(?:{_NAMED_EN}\b)?"
        r"(?:\s(?:that|which says|saying|stating|to say|about|on|for|under which|to the effect that)\b)?:?\s+(?P<said>[^\n]{3,300})",
        re.IGNORECASE,
    ),
    Pattern(rf"\bput\s(?P<said>[^\n]{{3,300}}?)\s(?:in|into|under|among) the {_NAMED_EN}", re.IGNORECASE),
)
_LOOSE: Final = Pattern(rf"^(?P<said>[^\n]{{2,200}}?){_SAYING}{_LET}(?:넣어|추가해|적어\s?(?:줘|주)|써\s?넣|포함)")
_CALLED: Final = Pattern(
    r"특약|조항|조건|\bclauses?\b|\bterms?\b|\bconditions?\b|\bprovisions?\b|\badd that\b", re.IGNORECASE
)
_STRIKES: Final = Pattern(
    r"빼\s?(?:줘|주|고|자|버|라|요|도)|빼$|지워|지우|삭제|없애|제외|\bremove\b|\bdelete\b|\btake (?:[^\n]{1,60} )?out\b|\bdrop\b|\bstrike\b|\bleave out\b|\bget rid of\b",
    re.IGNORECASE,
)
_ALL: Final = Pattern(
    r"(?:다|전부|모두|싹)\s?(?:빼|지우|지워|삭제|없애)|\ball (?:of )?(?:the )?\w*\s?(?:terms|clauses)", re.IGNORECASE
)
_LAST: Final = Pattern(r"방금|마지막|아까|조금\s?전|\blast\b|\blatest\b|\bjust\b", re.IGNORECASE)
_PLACE: Final = Pattern(
    r"(?P<n>[1-9])\s?(?:번|번째|항)|(?P<ko>첫|두|세|네)\s?번째|\b(?P<en>first|second|third|fourth)\b|\b(?:number|no\.?) (?P<m>[1-9])",
    re.IGNORECASE,
)
_PLACES: Final = {"첫": 1, "두": 2, "세": 3, "네": 4, "first": 1, "second": 2, "third": 3, "fourth": 4}
_CHANGES: Final = Pattern(
    rf"{_NAMED_KO}(?:을|를|은|는)?\s(?P<ko>[^\n]{{2,200}}?)(?:으로|로|이라고|라고|다고|고)\s?(?:바꿔|바꾸|고쳐|수정|변경)"
    rf"|\bchange the {_NAMED_EN}(?:\son\s\w+)? to\s(?P<en>[^\n]{{3,200}})",
    re.IGNORECASE,
)
_WORD: Final = Pattern(r"[가-힣]{2,}|[A-Za-z]{4,}")
_STEM: Final = {True: 5, False: 2}
"""How many letters of an English and of a Korean word are held against those of a term."""
_LISTED: Final = Pattern(r"\s*(?:;|\n|\s/\s|[①-⑳]|\(\d\)|(?<=[\s,])\d[.)]\s)\s*")
_COMMON: Final = frozenset(
    {
        "특약",
        "조항",
        "조건",
        "빼주",
        "clause",
        "claus",
        "term",
        "terms",
        "condi",
        "provi",
        "speci",
        "with",
        "that",
        "take",
        "remov",
        "about",
        "drop",
    }
)
_TRIMMED: Final = " \t.,;:'\"‘’“”"


@dataclass(frozen=True, slots=True)
class TermsEdit:
    """What a message does with the special terms."""

    items: tuple[str, ...]
    """The terms after it."""
    missed: bool = False
    """Whether it strikes a term that is not there."""


def listed(said: str) -> tuple[str, ...]:
    """Return the special terms of a text, each by itself."""
    return tuple(one.strip(_TRIMMED) for one in _LISTED.split(said) if one.strip(_TRIMMED))


def numbered(items: Sequence[str], locale: str) -> str:
    """Return special terms as a contract writes them: one as it is, several with their numbers."""
    if len(items) < 2:
        return "".join(items)
    return " ".join(
        f"{chr(ord('①') + at)} {one}" if locale == "ko" else f"({at + 1}) {one}" for at, one in enumerate(items)
    )


def edited(text: str, items: Sequence[str], *, loosely: bool = False) -> TermsEdit | None:
    """Return what a message does with special terms; None where it is not about them.

    Args:
        text: The message.
        items: The terms so far.
        loosely: Whether something that is to be put in is a special term though nothing calls it so.
    """
    text = text.strip(" .!~")
    is_called = _CALLED.search(text) is not None
    if _STRIKES.search(text):
        return _struck(text, items, is_called=is_called)
    if items and (match := _CHANGES.search(text)):
        at = _meant(text, items, is_called=True) or [len(items) - 1]
        new = _clean(match["ko"] or match["en"])
        return TermsEdit(tuple(new if place == at[0] else one for place, one in enumerate(items)))
    patterns = (*_ADDED, _LOOSE) if loosely else _ADDED if is_called else ()
    said = next((match["said"] for one in patterns if (match := one.search(text))), "")
    added = tuple(_clean(one) for one in listed(said))
    return TermsEdit((*items, *(one for one in added if one not in items))) if any(added) else None


def _struck(text: str, items: Sequence[str], *, is_called: bool) -> TermsEdit | None:
    if is_called and _ALL.search(text):
        return TermsEdit(())
    gone = _meant(text, items, is_called=is_called)
    if gone:
        said = _stems(text)
        kept = (_without(one, said) if at in gone else one for at, one in enumerate(items))
        return TermsEdit(tuple(one for one in kept if one))
    return TermsEdit(tuple(items), missed=True) if is_called else None


def _meant(text: str, items: Sequence[str], *, is_called: bool) -> list[int]:
    """Return the places of the terms that a message means: by their words, their number, or as the last."""
    said = _stems(text)
    weights = [len(said & _stems(one)) for one in items]
    if any(weights):
        return [weights.index(max(weights))]
    if is_called and (match := _PLACE.search(text)):
        place = int(match["n"] or match["m"] or 0) or _PLACES[(match["ko"] or match["en"]).lower()]
        return [place - 1] if place <= len(items) else []
    if is_called and items and (_LAST.search(text) or (len(items) == 1 and not _is_specific(said))):
        return [len(items) - 1]
    return []


def _without(term: str, said: frozenset[str]) -> str:
    """Return what is left of a term that lists several things by commas, of which only some are meant; else nothing."""
    parts = [one.strip() for one in term.split(",")]
    kept = [one for one in parts if not said & _stems(one)]
    return ", ".join(kept) if len(kept) < len(parts) else ""


def _is_specific(said: frozenset[str]) -> bool:
    """Tell whether a message names what its term is about."""
    return len(said) > 1


def _stems(text: str) -> frozenset[str]:
    words = (match.group().lower() for match in _WORD.finditer(text))
    return frozenset(one[: _STEM[one.isascii()]] for one in words) - _COMMON


def _clean(said: str) -> str:
    return re.sub(r"(?:\s?(?:이라고|라고|이라는|라는|내용|문구)|(?<=다)(?:고|는))$", "", said.strip(_TRIMMED)).strip(
        _TRIMMED
    )
