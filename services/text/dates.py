"""Days and periods in the user's zone: single expressions, joined where the words join them."""

import re
from datetime import date

from services.text import calendar
from services.text.calendar import Span
from services.text.claims import Claims
from services.text.date_atoms import Atom, Clock, nearest
from services.text.en import dates as en
from services.text.entities import AskReason, Period
from services.text.ko import date_hints
from services.text.ko import dates as ko
from services.text.near import just_before
from services.text.numbers.money import sum_patterns
from services.text.patterns import Pattern

_FIELD = "dates"
_JOINT = Pattern(r"\s*(?:일?부터|에서|~|-|to|through|until|till|and)\s*", re.IGNORECASE)
_LEAD = Pattern(r"(?:(?:from|between)\s)?(?:the\s)?$", re.IGNORECASE)
_SINCE_BEFORE = Pattern(r"\bsince\s(?:the\s)?$", re.IGNORECASE)
_SINCE_WITHIN = Pattern(r"since\s", re.IGNORECASE)
_SINCE_AFTER = Pattern(
    r"\s*(?:부터(?:\s?(?:지금|현재|오늘)까지)?|이후(?:로|에|부터)?|이래(?:로)?|들어(?:서)?|to date\b)"
)
_BARE_END = Pattern(r"(?P<number>[0-9]{1,2})\s?(?P<unit>일|월|분기)")
_SLASHED = Pattern(r"[0-9]+/[0-9]+")
_NOW = Pattern(r"(?:지금|현재|now|today|present|오늘)(?:까지)?", re.IGNORECASE)


_NO_YEAR = Pattern(r"(?<![0-9])(?:0{1,4}|[0-9]{5,12})\s?년도?\s?$")
"""A year that no calendar has: the day behind it is not one of this year."""


def read_dates(claims: Claims, today: date) -> tuple[Period, ...]:
    """Read the days and periods in the order of the text; ask about vague and impossible ones."""
    for match in (*date_hints.trips(claims.text), *date_hints.left_over(claims.text, claims.speech.left_over)):
        claims.take(*match.span())
    # A vague word takes the exact one beside it along: "작년 말" is not the year.
    for match in (*date_hints.vague(claims.text), *en.vague(claims.text)):
        if claims.is_free(*match.span()):
            claims.ask(_FIELD, AskReason.VAGUE, *match.span())
    clock = Clock(today, is_future=date_hints.is_future(claims.text) or en.is_future(claims.text))
    atoms = _longest(claims, clock)
    periods: list[Period] = []
    position = 0
    while position < len(atoms):
        used = _read_at(claims, clock, atoms, position, periods)
        position += used
    return tuple(sorted(periods, key=lambda period: period.start_at))


def _longest(claims: Claims, clock: Clock) -> list[Atom]:
    """Keep the longest of overlapping expressions, and none whose figures someone else has taken."""
    found = [*ko.find(claims.text, clock), *en.find(claims.text, clock, claims.speech.monthly)]
    is_a_pair = sum_patterns(claims).sign.search(claims.text) is not None
    kept: list[Atom] = []
    covered = bytearray(len(claims.text))
    for atom in sorted(found, key=lambda atom: (atom.start - atom.end, atom.start)):
        surface = claims.text[atom.start : atom.end]
        if is_a_pair and _SLASHED.fullmatch(surface):
            continue
        overlaps = covered.find(1, atom.start, atom.end) >= 0
        if not overlaps and claims.is_free(atom.start, atom.end) and _stands_alone(claims.text, atom):
            kept.append(atom)
            covered[atom.start : atom.end] = b"\x01" * (atom.end - atom.start)
    return sorted(kept, key=lambda atom: atom.start)


def _stands_alone(text: str, atom: Atom) -> bool:
    """Tell whether no digit runs on past either end: "12월" is not read out of "112월"."""
    before, after = text[atom.start - 1 : atom.start], text[atom.end : atom.end + 1]
    first, last = text[atom.start], text[atom.end - 1]
    return not (before.isdigit() and first.isdigit()) and not (after.isdigit() and last.isdigit())


def _read_at(claims: Claims, clock: Clock, atoms: list[Atom], position: int, periods: list[Period]) -> int:
    """Read the period that begins with the expression at `position`; return how many expressions it used."""
    atom = atoms[position]
    following = atoms[position + 1] if position + 1 < len(atoms) else None
    start, end, used = atom.start, atom.end, 1
    if (year := just_before(_NO_YEAR, claims.text, start)) is not None:
        claims.ask(_FIELD, AskReason.IMPOSSIBLE, year.start(), end)
        return used
    try:
        span = atom.build(None)
        joined = _joined(claims, clock, atom, following)
        if joined is not None:
            span, end, used = joined
        elif _is_since(claims.text, atom) and span[0] <= clock.today:
            after = _SINCE_AFTER.match(claims.text, atom.end)
            span, end = (span[0], clock.today), after.end() if after else end
    except ValueError:
        claims.ask(_FIELD, AskReason.IMPOSSIBLE, start, end)
        return used
    surface = claims.take(start, end)
    periods.append(Period(start=span[0], end=span[1], surface=surface, start_at=start, end_at=end))
    return used


def _is_since(text: str, atom: Atom) -> bool:
    if atom.is_range:
        return False
    return (
        _SINCE_AFTER.match(text, atom.end) is not None
        or just_before(_SINCE_BEFORE, text, atom.start) is not None
        or _SINCE_WITHIN.match(text, atom.start) is not None
    )


def _joined(claims: Claims, clock: Clock, left: Atom, right: Atom | None) -> tuple[Span, int, int] | None:
    """Join two ends of a period; return its days, where it ends in the text, and how many expressions it used."""
    text = claims.text
    joint = _JOINT.match(text, left.end)
    if joint is None or left.is_range or joint.end() == left.end:
        return None
    now = _NOW.match(text, joint.end())
    if now and (right is None or right.start >= joint.end()):
        return (left.build(None)[0], clock.today), now.end(), 2 if right and right.start < now.end() else 1
    if (
        right is not None
        and right.start - joint.end() in range(4)
        and not text[joint.end() : right.start].strip("the ")
    ):
        if joint.group().strip().lower() == "and" and not _opens_between(text, left):
            return None
        return _ordered(clock, left, right), _past_until(text, right.end), 2
    bare = _BARE_END.match(text, joint.end())
    if bare and claims.is_free(*bare.span()):
        return _ordered(clock, left, _bare_end(clock, left, bare)), _past_until(text, bare.end()), 1
    return None


def _opens_between(text: str, left: Atom) -> bool:
    opening = text[max(0, left.start - 9) : left.end].lower()
    return "between" in opening


def _past_until(text: str, end: int) -> int:
    return end + 2 if text.startswith("까지", end) else end


def _bare_end(clock: Clock, left: Atom, bare: re.Match[str]) -> Atom:
    """Read "15일까지" behind "1월 10일부터": the end lends the month or year of the beginning."""
    number, first = int(bare["number"]), left.build(None)[0]
    if bare["unit"] == "일":
        return Atom(*bare.span(), lambda _y: calendar.day(first.year, first.month, number))
    if bare["unit"] == "월":
        return Atom(*bare.span(), nearest(clock, lambda year: calendar.month(year, number)), has_year=False)
    return Atom(*bare.span(), nearest(clock, lambda year: calendar.quarter(year, number)), has_year=False)


def _ordered(clock: Clock, left: Atom, right: Atom) -> Span:
    """Give both ends their years, so that the end does not lie before the beginning.

    Raises:
        ValueError: no year makes a period of them.
    """
    first = left.build(None)
    if right.after is not None:
        return first[0], right.after(first[0])[1]
    last = right.build(first[0].year if left.has_year and not right.has_year else None)
    if last[1] < first[0] and not right.has_year:
        last = right.build(first[0].year)
        if last[1] < first[0]:
            ahead = right.build(first[0].year + 1)
            if left.has_year or ahead[0] <= clock.today or clock.is_future:
                last = ahead
            else:
                first = left.build(first[0].year - 1)
    elif not left.has_year and right.has_year:
        first = left.build(last[0].year)
        if last[1] < first[0]:
            first = left.build(last[0].year - 1)
    if last[1] < first[0]:
        raise ValueError("the period ends before it begins")
    return first[0], last[1]
