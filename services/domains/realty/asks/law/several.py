"""Several requests of law in one message: "누구한테 받고, 계약서도 다시 쓰나요?" asks two, of what is said before both."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from services.domains.realty.asks.law.situations import SURE, Situation, are_kin, is_contradicted, situations_of
from services.plugin.asks.forms import Clause, parts_of
from services.plugin.asks.sheet import Sheet
from services.text.likeness import words_of
from services.text.patterns import Pattern

_REQUESTS_MAX: Final = 4
_WORDS_MIN: Final = 2
_ASKED_AND: Final = Pattern(
    r"(?:누구|누가|언제|어디|얼마|며칠|몇|어떻게|뭘|무엇)[^.?!]{0,20}?[가-힣](?:고|며),?\s(?=[^.?!]{4})"
    r"|[가-힣](?:나요|까요|가요|되나|돼요|되요|하나|죠)\s(?=[가-힣][^.?!]{4})"
)
"""Where a request ends within a sentence: behind what it asks for, or its own ending."""
_SUPPOSED: Final = Pattern(
    r"^.{4,}?(?:는데요?|은데요?|인데요?|니까|지만|어요\.|습니다\.),?\s"
    r"|^[^.?!]{6,}\.\s(?=[^.]{0,12}\b(?:how|what|when|who|where|can|could|do|does|is|are|may|must|should|will)\b)",
    re.IGNORECASE,
)
"""What a message says before its first request, which holds for all of them."""
_OF_LAW: Final = r"계약|보증금|전세|월세|집주인|임대인|세입자|임차인|전입|확정일자|갱신|복비|중개|수리|등기|lease|deposit|rent\b|landlord|tenant|renew|agent|repair|register"
_ASKS: Final = Pattern(
    r"[?]\W*$|(?:[나까가]요?|죠|니|냐|지|[되돼해]요?|[됨함]|야|고|며|알려\S*|궁금\S*)\W*$"
    r"|^\W*(?:(?:and|also|but|so|then) )*(?:how|what|which|when|where|who|is|are|can|could|do|does|did|should|would|will|may|must)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LawRequest:
    """One of several requests of law."""

    clause: Clause
    """Where it stands in the message."""
    sheet: Sheet
    """What it says, with what holds for all of them."""
    told: tuple[Situation, ...]
    """The situations that it may tell; none where it tells none."""
    nearness: float
    """How near the first one is."""


def requests_of(sheet: Sheet, whole: Sequence[Situation]) -> Sequence[LawRequest]:
    """Return the requests of law of a message that makes several, of situations of their own; none of one that makes one.

    Args:
        sheet: The message.
        whole: The situations that it tells as a whole.
    """
    found = sheet.once(parted)
    told = [one.told for one in found if one.told]
    if not told or not all(one.told or _names_law(one.sheet) for one in found):
        return ()
    # What the message tells as a whole, a part of it may leave open; another situation that a part tells is its own.
    own = [one for one in told if len(one) == 1 and not any(_is_same(one[0], other) for other in whole[:1])]
    apart = all(not _is_same(one[0], other[0]) for at, one in enumerate(told) for other in told[:at])
    if not apart or (len(whole) == 1 and not own):
        return ()
    return [replace(one, told=_narrowed(one.told, whole)) for one in found]


def parted(sheet: Sheet) -> Sequence[LawRequest]:
    """Return the parts of a message that ask, each with what it tells of law by itself; none where it asks but once."""
    clauses = [one for one in _clauses(sheet.text) if _ASKS.search(one.text) and len(words_of(one.text)) >= _WORDS_MIN]
    if not 1 < len(clauses) <= _REQUESTS_MAX:
        return ()
    supposed = _SUPPOSED.match(sheet.text)
    return [_request(one, sheet, supposed.group() if supposed else "") for one in clauses]


def _is_same(one: Situation, other: Situation) -> bool:
    return one.id == other.id or are_kin(one, other)


def _narrowed(told: tuple[Situation, ...], whole: Sequence[Situation]) -> tuple[Situation, ...]:
    """Return of two situations that a part may tell the one that the message tells as a whole."""
    meant = tuple(one for one in told if any(one.id == other.id for other in whole[:1]))
    return meant if len(told) > 1 and len(whole) == 1 and meant else told


def _names_law(part: Sheet) -> bool:
    """Tell whether a part that tells nothing names what the law of homes speaks of, so that it is told unread."""
    return len(words_of(part.text)) > _WORDS_MIN and part.says(_OF_LAW)


def _clauses(text: str) -> Iterator[Clause]:
    for part in parts_of(text):
        at = part.start
        for match in _ASKED_AND.finditer(part.text):
            end = part.start + match.end()
            yield Clause(text[at:end].strip(), at, end)
            at = end
        if text[at : part.end].strip():
            yield Clause(text[at : part.end].strip(), at, part.end)


def _request(clause: Clause, sheet: Sheet, supposed: str) -> LawRequest:
    """Return a part as a request; where it tells nothing surely by itself, with what is supposed before it."""
    part = sheet.part(clause)
    told, nearness = situations_of(part, in_part=True)
    if any(is_contradicted(one, sheet) for one in told):
        # What the message states elsewhere holds for its parts too.
        told, nearness = (), 0.0
    if nearness >= SURE or not supposed or clause.start < len(supposed):
        return LawRequest(clause, part, told, nearness)
    whole = replace(part, text=f"{supposed.strip()} {clause.text}", entities=())
    leaning, near = situations_of(whole, in_part=True)
    if leaning and (not told or near >= nearness):
        return LawRequest(clause, whole, leaning, near)
    return LawRequest(clause, part, told, nearness)
