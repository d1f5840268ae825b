"""A message divided into parts, each of which is a request of its own or changes what stands.

sentences       a request joins where it asks for something else than the others
requests        finer than sentences: "... 알려주고 ...", "..., and what ..."; each surely asks, or means, something
conjunctions    "A랑 B", "A, B": both sides are requests, and of different domains

The first division in which the parts ask for different things is taken, the coarsest first.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from services.catalog.loader import catalog
from services.contract.asks import Ask, AskedBefore, AskForm, Origin
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.edits import ordinal, points_back, short
from services.plugin.asks.forms import Clause, forms_in, parts_of
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.sides import placed, sides_of
from services.plugin.entities import installed_kinds
from services.text.patterns import Pattern

ASKS_MAX: Final = 4
"""How many asks of one message are answered."""
SURE: Final = 0.95
"""The score of a reading that rests on a domain's words and a subject."""
SURELY: Final = 0.9
"""From this score on a part of a sentence is a request of its own."""
CLAUSES_MAX: Final = 24
"""How many sentences of one message are read as requests of their own; each costs a reading by every domain."""
JOINTS_MAX: Final = 8
"""How many conjunctions are tried as the place where two requests join."""
MANY: Final = 2
_EMPTY_WORDS: Final = 2
_JOINT: Final = Pattern(
    r"(?<=[가-힣A-Za-z0-9)])(?:이?랑|하고|와|과)\s(?=\S)|,?\s그리고\s|,?\sand\s(?:also\s)?|[,;]\s", re.IGNORECASE
)
_SUPPOSES: Final = Pattern(
    r"^\W*(?:(?:and|so|but|ok|then) )*(?:if|when|suppose|say|given|assuming|since|because|as|with)\b"
    r"|(?:면|는데|인데|은데|니까|라서|어서|아서|지만)$",
    re.IGNORECASE,
)
"""A clause before a comma that only says under what, and is no request of its own."""
_PREMISE: Final = Pattern(r"\W*(?:(?:and|so|but|ok|then) )*(?:if|suppose|supposing|given|assuming)\b", re.IGNORECASE)
"""How a clause begins that only says under what the next one asks."""
_TURNS: Final = Pattern(
    r"\W*(?:(?:and|so|but|ok|okay|now|then|anyway|right|let['’]?s|going|go)\W+){0,4}back to (?:\w+ ){0,3}\w+\W*"
    r"|\W*(?:\S+\s){0,4}\S+로\s(?:다시\s)?돌아\S{1,3}\W*|\W*(?:아까|앞에)\s(?:\S+\s){0,3}\S*(?:얘긴|이야긴|말인|얘기인)데\W*",
    re.IGNORECASE,
)
"""A clause that only turns to what was spoken of, and asks for nothing yet."""

PartReader = Callable[[Sheet, Sequence[AskedBefore]], list[Claim]]
"""Reads a part of a message: what all domains claim in it."""


@dataclass(frozen=True, slots=True)
class PartReading:
    """How the parts of a message are read."""

    claimed: PartReader
    """By the words of the domains' readers."""
    meant: PartReader
    """By meaning, where no words say it."""

    def part(self, sheet: Sheet, clause: Clause, before: Sequence[AskedBefore]) -> list[Claim]:
        """Return what is claimed in a part, its places counted in the whole message."""
        return [placed(one, clause) for one in self.claimed(sheet.part(clause), before)]

    def part_meant(self, sheet: Sheet, clause: Clause, before: Sequence[AskedBefore]) -> list[Claim]:
        """Return what a part means, its places counted in the whole message."""
        return [placed(one, clause) for one in self.meant(sheet.part(clause), before)]


class Joint(Enum):
    """What joins the parts of a division."""

    SENTENCE = auto()
    """The end of a sentence, or a conjunction of whole requests."""
    REQUEST = auto()
    """An ending behind which another request may begin."""
    CONJUNCTION = auto()
    """A word that joins two requests, or two things."""


@dataclass(frozen=True, slots=True)
class Division:
    """One way to divide a message."""

    joint: Joint
    """What joins its parts."""
    parts: tuple[Clause, ...]
    """Its parts in order, at least two."""


def divisions(sheet: Sheet) -> Iterator[Division]:
    """Yield the ways to divide a message, the coarsest first."""
    sentences, parts = sheet.clauses, parts_of(sheet.text)
    if len(sentences) > 1:
        yield Division(Joint.SENTENCE, _ends(sentences))
    if len(sentences) < len(parts) <= ASKS_MAX:
        yield Division(Joint.REQUEST, parts)
    for left, right in sides_of(sheet.text, _JOINT, JOINTS_MAX):
        if _is_in_choice(sheet, left.end) or _is_chosen_from(sheet, left.end, right.start):
            continue
        if not (sheet.text.startswith(",", left.end) and _SUPPOSES.search(left.text)):
            yield Division(Joint.CONJUNCTION, (left, right))


_CHOICE: Final = Pattern(
    r"\b(?:which|what|one|any|either|neither|none|all|both|each|out) of\s|\b(?:between|among)\s", re.IGNORECASE
)
_BESIDE_NAMES: Final = Pattern(r"[A-Za-z]{4,}", re.IGNORECASE)


def _is_in_choice(sheet: Sheet, at: int) -> bool:
    """Tell whether a place is between the names of a choice, "which of A, B and C": one request is of all of them."""
    choice = next(iter(reversed(list(_CHOICE.finditer(sheet.text, 0, at)))), None)
    if choice is None:
        return False
    text = list(sheet.text[choice.end() : at])
    for one in sheet.entities:
        for place in range(max(0, one.start - choice.end()), max(0, one.end - choice.end())):
            text[place : place + 1] = " " * len(text[place : place + 1])
    return _BESIDE_NAMES.search("".join(text)) is None


_FROM: Final = Pattern(r"(?:\S+\s){0,3}?\S+\s?(?:중에서?|중|가운데)(?=\s)")


def _is_chosen_from(sheet: Sheet, end: int, start: int) -> bool:
    """Tell whether a joint is between two names of one kind out of which one is chosen: "M30이랑 M60 모니터 중에"."""
    behind = _FROM.match(sheet.text, start)
    if behind is None:
        return False
    names = {kind.id for kind in installed_kinds().values() if kind.is_name}
    left = {one.kind for one in sheet.entities if one.end <= end}
    right = {one.kind for one in sheet.entities if start <= one.start < behind.end()}
    return bool(left & right & names)


def _ends(sentences: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return the first and the last sentences of a text that has more than people ask in: there it says what for."""
    if len(sentences) <= CLAUSES_MAX:
        return sentences
    return (*sentences[: CLAUSES_MAX // 2], *sentences[-CLAUSES_MAX // 2 :])


def in_parts(
    sheet: Sheet, before: Sequence[AskedBefore], reading: PartReading, joints: Collection[Joint] = frozenset(Joint)
) -> list[Claim]:
    """Return the asks of the parts of a message, where at least two of them ask for different things."""
    for division in divisions(sheet):
        if division.joint in joints and (found := _ACCEPTED[division.joint](sheet, division, before, reading)):
            return found
    return []


def _of_sentences(sheet: Sheet, division: Division, before: Sequence[AskedBefore], reading: PartReading) -> list[Claim]:
    """Return the asks of sentences; one that leaves something out leans on the sentence before it."""
    found: list[Claim] = []
    for clause in division.parts:
        found += reading.part(sheet, clause, [*_said(found), *before])
    found = _with_circumstances(found, sheet, lambda: reading.claimed(sheet, before))
    kept = [one for one in apart(found) if not any(_completes(other.ask, one.ask) for other in found)]
    if len({claim.ask.answerer for claim in kept}) > 1:
        return kept
    if len(kept) < MANY:
        return []
    whole = reading.claimed(sheet, before)
    if not whole:
        # Sentences that ask the same of what no reader sees in the message as a whole ask it once.
        return [max(kept, key=lambda claim: claim.score)]
    return kept if own_requests(kept, sheet, lambda: whole) else []


def _with_circumstances(found: list[Claim], sheet: Sheet, whole: Callable[[], Sequence[Claim]]) -> list[Claim]:
    """Return claims without those on a sentence that only tells what another one asks under.

    "We want a flat for 600 million. How much can we borrow?" asks for a loan alone: the first sentence asks nothing,
    and the second has a use for its number.
    """
    may_tell = [one for one in found if one.ask.form not in DONE]
    stated = [one for one in may_tell if not forms_in(sheet.text[one.ask.start : one.ask.end])]
    asked = [one for one in found if one not in stated]
    if not stated or not asked:
        return found
    fuller = {one.ask.answerer: one for one in whole() if any(_completes(one.ask, other.ask) for other in asked)}
    given = [it for one in fuller.values() for it in one.ask.quantities if it.end]
    told = [one for one in stated if any(one.ask.start <= it.start < one.ask.end for it in given)]
    return [fuller.get(one.ask.answerer, one) for one in found if one not in told] if told else found


DONE: Final = frozenset({AskForm.ACT, AskForm.STATUS, AskForm.DRAFT, AskForm.REVIEW})
"""Forms of what is done or looked after: a plain statement asks for them as well ("I want to return it"), and their own
domain says what a message does to them."""


def _of_requests(sheet: Sheet, division: Division, before: Sequence[AskedBefore], reading: PartReading) -> list[Claim]:
    """Return the asks of parts of which each is a request of another kind.

    What no words of a part say is looked for in its meaning: the second of two requests is often said in brief.
    """
    found: list[Claim] = []
    if any(_PREMISE.match(part.text) or _TURNS.fullmatch(part.text) for part in division.parts[:-1]):
        # "If ..., how much would ...?" is one request, and so is "back to the homes, which ...?".
        return []
    if any(_gives_a_number(sheet.part(part)) for part in division.parts[1:]):
        return []
    for part in division.parts:
        told = [*_said(found), *before]
        sure = [one for one in reading.part(sheet, part, told) if _is_question(one)]
        claims = sure or reading.part_meant(sheet, part, told)
        if not claims and short(part.text, _EMPTY_WORDS):
            # "... 알려줘" at the end asks for what stands before it.
            continue
        again = any(claim.ask.answerer == other.ask.answerer for claim in claims for other in found)
        if not claims or (again and not own_requests([*found, *claims], sheet, lambda: reading.claimed(sheet, before))):
            return []
        found += claims
    return found if len(found) > 1 and not _divides(found, reading.claimed(sheet, before)) else []


_GIVEN_WORDS: Final = 2


def _gives_a_number(part: Sheet) -> bool:
    """Tell whether a part only gives what stands before it a number: "..., it's 5억"."""
    return bool(part.numbers) and not part.forms and short(part.text, _GIVEN_WORDS)


_TO_THE_LEFT: Final = Pattern(
    r"(?<![가-힣])(?:그거|그것|그걸|그\s?[가-힣]{1,2})(?![가-힣])|\b(?:it|that (?:one|price|place))\b",
    re.IGNORECASE,
)
"""What names a thing of the other side of a conjunction without its name."""


def _of_sides(sheet: Sheet, division: Division, before: Sequence[AskedBefore], reading: PartReading) -> list[Claim]:
    """Return the asks of what a conjunction joins; the right side goes on from the left, and from nothing before it."""
    left, right = division.parts
    if points_back(sheet.part(left)):
        # "Back to the homes, ..." turns to what was spoken of, and asks for nothing yet.
        return []
    if ordinal(sheet.part(left)) is not None and ordinal(sheet.part(right)) is not None:
        # "The first and the third" of what was told are spoken of together.
        return []
    first = reading.part(sheet, left, before)
    # What points to the other side ("그거 사면") leans on it; else it is read by itself before it does.
    ways = (_said(first), ()) if _TO_THE_LEFT.search(right.text) else ((), _said(first))
    second = next(filter(None, (reading.part(sheet, right, told) for told in ways)), []) if first else []
    if {claim.ask.domain for claim in first} & {claim.ask.domain for claim in second}:
        second = reading.part(sheet, right, ())
        both = [*first, *second]
        two = _may_be_two(both, sheet) and own_requests(both, sheet, lambda: reading.claimed(sheet, before))
        return both if two else []
    surely = all(one.score >= SURELY for one in (*first, *second))
    return [*first, *second] if first and second and surely else []


_ACCEPTED: Final = {Joint.SENTENCE: _of_sentences, Joint.REQUEST: _of_requests, Joint.CONJUNCTION: _of_sides}


def joined(sheet: Sheet, whole: Sequence[Claim], reading: PartReading) -> list[Claim]:
    """Return the asks of two requests that are joined though one domain took the message for a whole; none of one.

    The other side is surely a request of another domain, and names nothing of the first one's.
    """
    if any(claim.score >= CERTAIN for claim in whole):
        return []
    own = {claim.ask.domain for claim in whole}
    for division in divisions(sheet):
        parts = division.parts
        if division.joint is Joint.REQUEST or len(parts) > ASKS_MAX:
            continue
        sides = [[one for one in reading.part(sheet, part, ()) if one.score >= SURE] for part in parts]
        others = [part for part, side in zip(parts, sides, strict=True) if not own & {one.ask.domain for one in side}]
        if all(sides) and 0 < len(others) < len(parts) and not any(_names_of(own, sheet.part(part)) for part in others):
            return [claim for side in sides for claim in side]
        told = [claim for side in sides for claim in side]
        apart_ = division.joint is Joint.SENTENCE or _may_be_two(told, sheet)
        if all(sides) and apart_ and own_requests(told, sheet, lambda: whole):
            return told
    return []


def _may_be_two(claims: Sequence[Claim], sheet: Sheet) -> bool:
    """Tell whether a conjunction may join two requests of one domain: the message has no more parts than these.

    What it joins has limits on all sides or on none: one said once may be meant of both.
    """
    return (
        len(parts_of(sheet.text)) == 1 and len({bool(one.ask.conditions or one.ask.quantities) for one in claims}) == 1
    )


def own_requests(claims: Sequence[Claim], sheet: Sheet, whole: Callable[[], Sequence[Claim]]) -> bool:
    """Tell whether parts are requests of their own: each names other things, and asks something else of them.

    "A의 매매, B의 전세" are two; "A와 B의 전세" is one, and so is what is held against each other. What a part alone
    is taken to be about, and the whole is not ("... and its real rate?"), leans on the other.

    Args:
        claims: What the parts are read as, each by itself.
        sheet: The message.
        whole: What the message is read as.
    """
    if len(claims) <= 1 or any(one.score < SURELY for one in claims) or sheet.wants(AskForm.COMPARE):
        return False
    named = [{(it.kind, it.value or it.words) for it in one.ask.subjects} for one in claims]
    asked = [_asked_of_it(one.ask) for one in claims]
    pairs = [(at, other) for at in range(len(claims)) for other in range(at)]
    apart_ = all(named) and all(not named[a] & named[b] and asked[a] != asked[b] for a, b in pairs)
    if not apart_ or not all(_says_what(one.ask, sheet) for one in claims):
        return False
    known = {(it.kind, it.value or it.words) for one in whole() for it in one.ask.subjects}
    return set().union(*named) <= known


def _says_what(ask: Ask, sheet: Sheet) -> bool:
    """Tell whether a part says what is asked beside the things that it names: "B" alone leaves that to another part."""
    text = list(sheet.text[ask.start : ask.end])
    for start, end in places(ask):
        text[start - ask.start : end - ask.start] = " " * (end - start)
    return any(len(word) > 1 and not _FILLS.fullmatch(word) for word in _WORD.findall("".join(text)))


_WORD: Final = Pattern(r"[가-힣]+|[A-Za-z/]+")
_FILLS: Final = Pattern(
    r"and|or|of|the|in|for|at|to|me|please|tell|show|give|알려\S*|보여\S*|말해\S*|주세요|줘|줄래|좀|그리고|이랑|하고|에서|으로|까지|부탁\S*",
    re.IGNORECASE,
)
"""Words that say nothing of what is asked."""


def _asked_of_it(ask: Ask) -> tuple[object, ...]:
    """Return what is asked of the things that an ask names."""
    notes = frozenset((name, value) for name, value in ask.notes.items() if value and name not in {"said", "today"})
    limits = frozenset((one.field, one.operator, one.value) for one in ask.conditions)
    return ask.answerer, ask.form, ask.measures, limits, notes, ask.start_date, ask.end_date, ask.against_date


def heard(sheet: Sheet, clause: Clause, claims: Sequence[Claim]) -> bool:
    """Tell whether an ask rests on a sentence: one of its subjects or numbers stands there, or it begins there."""
    named = [place for one in claims for place in places(one.ask)]
    given = [(it.start, it.end) for one in claims for it in one.ask.quantities if it.end]
    parts = [(one.ask.start, one.ask.end) for one in claims if (one.ask.start, one.ask.end) != (0, len(sheet.text))]
    return any(start < clause.end and clause.start < end for start, end in (*named, *given, *parts))


def apart(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims of which those of different domains rest on different words, the surest first."""
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: (-claim.score, -used(claim.ask))):
        if all(claim.ask.domain == other.ask.domain or not _overlap(claim.ask, other.ask) for other in kept):
            kept.append(claim)
    return kept


def used(ask: Ask) -> int:
    """Return how many of the numbers that a message says an ask has a use for: of equals, who uses them has it."""
    return sum(one.origin is Origin.GIVEN for one in ask.quantities) + len(ask.conditions)


def hears_more(whole: Sequence[Claim], parts: Sequence[Claim]) -> bool:
    """Tell whether a message read as one has a use for more of its numbers than its parts have, and for all of them."""
    heard = max((used(one.ask) for one in whole if all(it.role for it in one.ask.quantities)), default=0)
    return heard > sum(used(one.ask) for one in parts)


def places(ask: Ask) -> tuple[tuple[int, int], ...]:
    """Return where the subjects of an ask stand in its message."""
    return tuple((one.start, one.end) for one in ask.subjects if one.end)


def _said(claims: Sequence[Claim]) -> list[AskedBefore]:
    """Return what the parts before asked as a message of its own."""
    return [AskedBefore(tuple(claim.ask for claim in claims))] if claims else []


def _names_of(domains: Collection[str], sheet: Sheet) -> bool:
    """Tell whether a part names a thing of some domains' own kinds; free words name none."""
    kinds = catalog().kinds
    return any(one.kind in kinds and kinds[one.kind].domain in domains for one in sheet.entities)


def _divides(parts: Sequence[Claim], whole: Sequence[Claim]) -> bool:
    """Tell whether parts take apart what a message holds against each other.

    "A or B, which is cheaper?" is one ask, and so is "which of A and B is cheaper, and what is the gap?".
    """
    held = [{one.value for one in claim.ask.subjects} for claim in whole if claim.ask.form is AskForm.COMPARE]
    named = [{one.value for one in claim.ask.subjects} for claim in parts]
    return any(len(things) > 1 and sum(things <= one for one in named) != 1 for things in held)


def _is_question(claim: Claim) -> bool:
    """Tell whether a part surely asks; what is to be done, or how own things stand, is said in its own sentence."""
    return claim.score >= SURELY and claim.ask.form not in {AskForm.ACT, AskForm.STATUS}


def _completes(ask: Ask, former: Ask) -> bool:
    """Tell whether an ask is a former one with more in it: a sentence that only adds a number to the one before."""
    if ask is former or ask.answerer != former.answerer:
        return False
    mine = {(one.role, one.value) for one in ask.quantities}
    theirs = {(one.role, one.value) for one in former.quantities}
    named = {one.value for one in ask.subjects} >= {one.value for one in former.subjects}
    return named and mine > theirs


def _overlap(one: Ask, other: Ask) -> bool:
    """Tell whether two asks rest on the same words: on those of their subjects where both name some, else on all."""
    mine, theirs = places(one), places(other)
    if mine and theirs:
        return any(start < end_2 and start_2 < end for start, end in mine for start_2, end_2 in theirs)
    return one.start < other.end and other.start < one.end
