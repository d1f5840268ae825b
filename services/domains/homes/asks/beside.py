"""What homes cost and which are on offer, asked in one breath: "평균 전세가랑 제일 싼 매물", "the average, and the cheapest listing"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.homes.asks import listings, market
from services.domains.homes.asks.homes_named import DEALS, KINDS
from services.plugin.asks.answering import Claim
from services.plugin.asks.forms import Clause
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_JOINT: Final = Pattern(r"(?:이?랑|하고|[과와]|및|그리고|[,?.]|\band\b)\s")
"""What stands between two requests of one message."""
_LEVEL: Final = r"평균|시세|얼마|average|\bmean\b|how much|\bprices?\b"
_HALVES: Final = 2


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a message of which one half asks what homes cost and the other which are on offer."""
    if len(sheet.of_kind("region")) != 1 or not sheet.says(listings.OFFERED) or not sheet.says(_LEVEL):
        return ()
    for halves in _halves(sheet.text):
        readers = [_reader(sheet.part(one)) for one in halves]
        if None in readers or len(set(readers)) != _HALVES:
            continue
        asked = [
            replace(claim, ask=replace(claim.ask, words=half.text, start=half.start, end=half.end), is_whole=False)
            for half, reader in zip(halves, readers, strict=True)
            if reader is not None
            for claim in list(reader(_whole(sheet, half), before))[:1]
        ]
        if len(asked) == _HALVES:
            return asked
    return ()


def _halves(text: str) -> Iterator[tuple[Clause, Clause]]:
    for joint in _JOINT.finditer(text):
        yield Clause(text[: joint.start()], 0, joint.start()), Clause(text[joint.end() :], joint.end(), len(text))


_Reader = Callable[[Sheet, Sequence[AskedBefore]], Sequence[Claim]]


def _reader(half: Sheet) -> _Reader | None:
    """Return who reads a half; None where it asks neither, or both."""
    offered, level = half.says(listings.OFFERED), half.says(_LEVEL)
    if offered == level:
        return None
    return listings.read if offered else market.read


def _whole(sheet: Sheet, half: Clause) -> Sheet:
    """Return a half with the place, the kind of home and the deal that the other one names for both.

    Halves that both name the place are requests of their own: a kind that one of them names is its own.
    """
    part, (place, *_) = sheet.part(half), sheet.of_kind("region")
    is_own = sheet.text.count(place.words) > 1
    lent = (
        [] if is_own else [said for named in (KINDS, DEALS) if not _said(part, named) and (said := _said(sheet, named))]
    )
    places = () if part.of_kind("region") else tuple(replace(one, start=0, end=0) for one in sheet.of_kind("region"))
    return replace(part, text=" ".join([part.text, *lent]), entities=(*part.entities, *places))


def _said(sheet: Sheet, named: Sequence[tuple[str, str]]) -> str:
    """Return the first words of a sheet that name one of some kinds; empty where none do."""
    return next((found.group() for found in (sheet.find(words) for _, words in named) if found is not None), "")
