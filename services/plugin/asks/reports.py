"""A report: several asks on what a message names, each told under a heading of its own.

A domain declares the parts that its reports have. Each part is a question in words that the domain's own reader knows, on
the things that the message names; a report that names some of the parts holds these alone.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from services.contract.asks import Said
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

HEADING: Final = "heading"
"""The note of an ask that is a part of a report: what stands above its answer."""
PARTS_MAX: Final = 6
"""Parts of one report."""
_REPORT: Final = r"보고서|리포트|레포트|총정리|종합(?:적으로|해서?)?\s?(?:분석|정리|해\s?줘|해\s?주세요)|한눈에\s?정리|\breport\b|\bwhole picture\b|\boverview\b|\bcomprehensive (?:analysis|summary)"
_MADE: Final = r"써|쓰|작성|만들|정리|뽑|분석|묶|부탁|줘|주세요|주십|주실|해\s?달|필요|원해|\b(?:write|prepare|make|give|create|produce|draw|put together|need|want|like|show|get)\b"


@dataclass(frozen=True, slots=True)
class ReportPart:
    """One part of a report."""

    heading: Said
    """What stands above it."""
    question: Said
    """What it asks, behind the names of the things it is about."""
    named: str
    """A regular expression of words that ask for it."""
    name: str = ""
    """What asks that depend on it call it; empty where none do."""


def asks_report(sheet: Sheet) -> bool:
    """Tell whether a message asks for a report to be made."""
    return sheet.says(_REPORT) and sheet.says(_MADE)


def parts_named(sheet: Sheet, parts: Sequence[ReportPart]) -> tuple[ReportPart, ...]:
    """Return the parts that a message names."""
    return tuple(one for one in parts if sheet.says(one.named))


def report_claims(
    sheet: Sheet, parts: Sequence[ReportPart], kinds: Collection[str], read: Callable[[Sheet], Sequence[Claim]]
) -> tuple[Claim, ...]:
    """Return the asks of a report's parts, in the order of the parts; a part that is not read is left out.

    Args:
        sheet: The message.
        parts: The parts to be told.
        kinds: Kinds of entities that the report is about.
        read: The domain's reader.
    """
    about = [one for one in sheet.entities if one.kind in kinds and one.end]
    found = []
    for part in parts:
        claims = read(_asked(sheet, part, about))
        if claims:
            found.append(_under(claims[0], part, sheet, about))
    return tuple(found)


def _asked(sheet: Sheet, part: ReportPart, about: Sequence[Entity]) -> Sheet:
    """Return a part as a question of its own."""
    text, placed = "", list[Entity]()
    for one in about:
        words = sheet.text[one.start : one.end]
        same = next((other for other in placed if text[other.start : other.end] == words), None)
        start = same.start if same is not None else len(text)
        text += "" if same is not None else f"{words} "
        placed.append(replace(one, start=start, end=start + len(words)))
    question = part.question.ko if sheet.language == "ko" else part.question.en
    return Sheet(text + question, sheet.language, sheet.today, tuple(placed), sheet.user_type)


def _under(claim: Claim, part: ReportPart, sheet: Sheet, about: Sequence[Entity]) -> Claim:
    """Return the claim on a part as one on the message: at the things that it is about, else behind all of them."""
    start = end = len(sheet.text)
    subjects = []
    for one in claim.ask.subjects:
        place = next((other for other in about if (other.kind, other.value) == (one.kind, one.value)), None)
        subjects.append(one if place is None else replace(one, start=place.start, end=place.end))
        if place is not None:
            start, end = place.start, place.end
    heading = part.heading.ko if sheet.language == "ko" else part.heading.en
    ask = replace(
        claim.ask,
        ask_id=part.name,
        words=heading,
        start=start,
        end=end,
        subjects=tuple(subjects),
        notes={**claim.ask.notes, HEADING: heading},
    )
    return replace(claim, ask=ask, score=CERTAIN, is_whole=True)
