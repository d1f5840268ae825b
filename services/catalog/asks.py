"""The asks of a question, read by the installed domains.

Each domain's reader claims asks with a score. Where two domains claim the same words, the surer one has them; asks of
several domains stand beside each other where their words are apart. The first four are kept, in the order of the text.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from services.catalog.answerers import AskDomain, answerer_of, ask_domains
from services.catalog.arbiter import ground_of, is_read_by, spoken_of
from services.catalog.division import ASKS_MAX, DONE, Joint, PartReading, apart, hears_more, in_parts, joined, places
from services.catalog.leaning import (
    asked_again,
    chosen_of_none,
    gap_asked,
    lent,
    shown,
    told_apart,
    with_leaning,
    with_lent_subjects,
    with_unit,
)
from services.contract.asks import AnswerState, Ask, AskedBefore, AskForm
from services.plugin.asks.answering import Claim
from services.plugin.asks.asides import without_asides
from services.plugin.asks.closings import complains, is_closing
from services.plugin.asks.edits import is_correction, is_fresh, ordinal, points_back, points_to_one, short
from services.plugin.asks.forms import last_clause
from services.plugin.asks.reports import HEADING, PARTS_MAX, asks_report
from services.plugin.asks.sheet import Sheet
from services.plugin.vocabulary import installed_words
from services.text.speech import any_of

LIKELY: Final = 0.85
"""Below this score a reading is a guess, and what a message means is looked at."""
_OF_TEXTS: Final = frozenset({AskForm.DRAFT, AskForm.REVIEW})
"""Forms of asks whose message holds a text, which is not read for requests."""
SEVERAL: Final = 2
"""From so many asks on a person is asked which of them comes first."""
_BOTH: Final = r"둘\s?다|두\s?(?:개|가지)\s?다|모두|전부|다\s?(?:알려|해|보여|궁금)|^다\b|\bboth\b|\ball\b|everything"


def asks_of_route(
    domain: str, intent: str, sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str] = ()
) -> tuple[Claim, ...]:
    """Return the ask of a question by its route alone; none where its domain reads none so."""
    own = ask_domains().get(domain)
    if own is None or own.routed is None:
        return ()
    claims = [_named(claim, domain) for claim in own.routed(sheet, before, intent)]
    served = [claim for claim in claims if not domains or _is_served_in(claim.ask, domains)]
    return tuple(replace(claim, ask=_numbered(claim.ask, "q1", {})) for claim in served[:1])


def read_asks(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str] = ()) -> tuple[Claim, ...]:
    """Return the asks of a question with their scores, in the order of the text, named q1, q2, ...

    A message is read as a whole, and in parts where its parts ask for different things: sentences, or what a
    conjunction joins of two domains. An answer to hapju's own question which of several was meant takes those.

    Args:
        sheet: The question.
        before: Earlier messages of the conversation, the latest first.
        domains: The domains that may answer; all where empty.
    """
    # A message that was not understood left what stood before it as it was.
    before = shown(sheet, tuple(one for one in before if one.asks) or before)
    sheet = with_unit(sheet, before)
    reading = PartReading(partial(_claimed, domains=domains), partial(_meant, domains=domains))
    read = reading.claimed(sheet, before)
    plain = without_asides(sheet)
    claims = [claim for claim in read if claim.is_whole and not _is_contested(claim, read, sheet)]
    of_things = plain is not sheet and len(plain.numbers) == len(sheet.numbers)
    if of_things and claims and not {claim.ask.form for claim in claims} & {*_OF_TEXTS, AskForm.ACT}:
        # What is put aside is no part of what is asked, also where it is asked as a whole.
        claims = [claim for claim in reading.claimed(plain, before) if claim.is_whole] or [
            claim for claim in claims if not _is_put_aside(claim.ask, plain)
        ]
    if claims and not {claim.ask.form for claim in claims} & _OF_TEXTS:
        claims = joined(sheet, claims, reading) or in_parts(sheet, before, reading, {Joint.REQUEST}) or claims
    claims = claims or _read_plainly(plain, before, reading, read if plain is sheet else None)
    if not any(claim.score >= LIKELY for claim in claims):
        claims = reading.meant(sheet, before) or claims
    claims = _of_pointed(claims, sheet) if before else claims
    kept = sorted(apart(_without_strays(claims, before)), key=_place)
    kept = kept[: PARTS_MAX if any(HEADING in claim.ask.notes for claim in kept) else ASKS_MAX]
    ids = {claim.ask.ask_id or f"#{at}": f"q{at}" for at, claim in enumerate(kept, start=1)}
    return tuple(replace(claim, ask=_numbered(claim.ask, f"q{at}", ids)) for at, claim in enumerate(kept, start=1))


def _read_plainly(
    sheet: Sheet, before: Sequence[AskedBefore], reading: PartReading, read: Sequence[Claim] | None
) -> list[Claim]:
    """Return the asks of a message that holds no text of its own; one without a subject is lent those asked last.

    `read` are the claims on it as a whole where they are known.
    """
    if before and (is_closing(sheet.text) or complains(sheet.text)):
        return []
    answered = _chosen_of_last(sheet, before) or _other_of_two(sheet, before) or told_apart(sheet, before)
    if answered := answered or chosen_of_none(sheet, before) or gap_asked(sheet, before):
        return answered
    claims = in_parts(sheet, before, reading)
    whole_claims: Sequence[Claim] = ()
    if not claims or sheet.numbers:
        whole_claims = reading.claimed(sheet, before) if read is None else read
    if not claims or hears_more(whole_claims, claims):
        claims = with_leaning(whole_claims, sheet, before)
    claims = without_repeats(claims, sheet, before) or asked_again(sheet, before)
    claims = claims or _edited_at_the_end(sheet, before, reading)
    whole = None if claims else with_lent_subjects(sheet, before)
    if whole is not None:
        claims = without_repeats(lent(reading.claimed(whole, before), sheet, before), sheet, before)
    return claims or _of_thing_told(sheet, before, reading)


def _of_thing_told(sheet: Sheet, before: Sequence[AskedBefore], reading: PartReading) -> list[Claim]:
    """Return an edit of what was told before an answer that told of nothing: "and what was it last year?"."""
    told = next((at for at, message in enumerate(before) if any(one.told for one in message.answers)), 0)
    if not told or is_fresh(sheet) or not points_to_one(sheet) or not short(sheet.text, _LEANING_WORDS_MAX):
        return []
    found = without_repeats(with_leaning(reading.claimed(sheet, before[told:]), sheet, before[told:]), sheet, before)
    asked = {ask.domain for ask in before[told].asks}
    return [one for one in found if one.score >= LIKELY and one.ask.domain in asked]


_LEANING_WORDS_MAX: Final = 14


def _is_put_aside(ask: Ask, plain: Sheet) -> bool:
    """Tell whether an ask is about nothing but what its message puts aside: the 삼성 of "삼성 노트북 말고 LG"."""
    aside = {(one.kind, one.value) for one in plain.aside}
    named = [(one.kind, one.value) for one in ask.subjects if one.end]
    return bool(named) and all(one in aside for one in named)


def _edited_at_the_end(sheet: Sheet, before: Sequence[AskedBefore], reading: PartReading) -> list[Claim]:
    """Return an edit of the message before that stands behind facts: "저는 41살이고 직장인인데, 15년으로 하면요?"."""
    clause = last_clause(sheet.text) if before and before[0].answers else None
    if clause is None:
        return []
    asked = {ask.answerer for ask in before[0].asks}
    found = without_repeats(reading.part(sheet, clause, before), sheet.part(clause), before)
    return with_leaning([one for one in found if one.ask.answerer in asked], sheet, before)


def _meant(sheet: Sheet, before: Sequence[AskedBefore], *, domains: Collection[str]) -> list[Claim]:
    """Return the asks that a message means though no words of a reader say them: those of the surest domain."""
    found = [
        [_named(claim, domain.name) for claim in domain.meant(sheet, before)]
        for domain in _readers(sheet, before)
        if domain.meant is not None
    ]
    served = [[one for one in claims if not domains or _is_served_in(one.ask, domains)] for claims in found]
    return max(served, key=lambda claims: max((one.score for one in claims), default=0.0), default=[])


def _readers(sheet: Sheet, before: Sequence[AskedBefore]) -> list[AskDomain]:
    """Return the domains that are asked about a message: those it speaks of, and those that it may be an answer to.

    A report has parts of several, each of which knows its own.
    """
    if asks_report(sheet):
        return list(ask_domains().values())
    spoken = spoken_of(sheet)
    last = {ask.domain for ask in before[0].asks} if before and _is_open(before[0]) else set()
    return [one for one in ask_domains().values() if one.name in last or is_read_by(one.name, spoken)]


def _is_contested(claim: Claim, read: Sequence[Claim], sheet: Sheet) -> bool:
    """Tell whether another domain surely claims a part of a message that one has whole, and nouns of that one stand."""
    sure = {one.ask.domain for one in read if one.score >= LIKELY and not one.is_whole}
    return not sure.isdisjoint(spoken_of(sheet).nouns - ground_of(claim.ask.domain))


def _is_open(before: AskedBefore) -> bool:
    """Tell whether a message waits for an answer in any words: it asked back, or something is to be done or written."""
    asks_back = any(one.state is AnswerState.ASKING for one in before.answers)
    return asks_back or bool(before.asked_slot) or any(ask.form in {AskForm.ACT, AskForm.DRAFT} for ask in before.asks)


def _claimed(sheet: Sheet, before: Sequence[AskedBefore], *, domains: Collection[str]) -> list[Claim]:
    """Return what the readers of all domains claim; where none is sure, what a message is near to as well."""
    readers = _readers(sheet, before)
    claims = [
        _standing(_named(claim, domain.name), sheet) for domain in readers for claim in domain.read(sheet, before)
    ]
    if not any(claim.score >= LIKELY for claim in claims):
        # Nearness is told by the sentence encoder, which takes longer to load than all else that a question needs.
        read = {claim.ask.domain for claim in claims}
        near = [(one.name, one.near) for one in readers if one.near and one.name not in read]
        claims += [_named(claim, name) for name, reader in near for claim in reader(sheet, before)]
    return [claim for claim in claims if not domains or _is_served_in(claim.ask, domains)]


def _chosen_of_last(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the asks that an answer to "which of these first?" picks: both, the second, or the one that it names."""
    offered = before[0].asks if before and not before[0].answers else ()
    if len(offered) < SEVERAL or not short(sheet.text):
        return []
    if sheet.says(_BOTH):
        picked = offered
    elif (place := ordinal(sheet)) is not None and place < len(offered):
        picked = offered[place : place + 1]
    else:
        said = set(re.findall(r"[가-힣A-Za-z]{2,}", sheet.text.lower()))
        shared = [(sum(word in ask.words.lower() for word in said), ask) for ask in offered]
        most = max(count for count, _ in shared)
        picked = tuple(ask for count, ask in shared if count == most) if most else ()
        picked = picked if len(picked) == 1 else ()
    return [Claim(ask, 0.95) for ask in picked]


_REST: Final = r"나머지|다른\s?(?:거|것|쪽|하나)|남은\s?(?:거|것|하나)|\bthe (?:other|rest|remaining)\b"


def _other_of_two(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return what was left when one of several that were offered was chosen: "나머지도", "and the other one"."""
    offered = before[1].asks if len(before) > 1 and not before[1].answers else ()
    if len(offered) < SEVERAL or not before[0].answers or not sheet.says(_REST) or not short(sheet.text):
        return []
    taken = {ask.answerer for ask in before[0].asks}
    rest = [ask for ask in offered if ask.answerer not in taken]
    return [Claim(ask, 0.97) for ask in rest] if len(rest) < len(offered) else []


def _of_pointed(claims: Sequence[Claim], sheet: Sheet) -> list[Claim]:
    """Return the claims of the domain whose own noun points back ("아까 그 동네"), where one alone does; else all."""
    domains = {one.ask.domain for one in claims}
    if len(domains) < SEVERAL:
        return list(claims)
    nouns = {name: words.speech.points for name, words in installed_words().items() if name in domains}
    meant = [name for name, own in nouns.items() if own and sheet.says(rf"(?:그|저|\bthe|\bthat)\s?(?:{any_of(own)})")]
    if len(meant) != 1:
        return list(claims)
    return [one for one in claims if one.ask.domain == meant[0] or places(one.ask)]


def _is_served_in(ask: Ask, domains: Collection[str]) -> bool:
    """Tell whether an agent of one of these domains answers an ask; a ground that others require has none itself."""
    answerer = answerer_of(ask)
    return answerer is not None and any(name.partition(".")[0] in domains for name in answerer.agents)


def _named(claim: Claim, domain: str) -> Claim:
    ask = claim.ask
    answerer = ask.answerer if ask.answerer.startswith(f"{domain}.") else f"{domain}.{ask.answerer}"
    return replace(claim, ask=replace(ask, domain=domain, answerer=answerer))


def _standing(claim: Claim, sheet: Sheet) -> Claim:
    """Return a claim whose subjects have places in this message alone: those of an earlier one stand nowhere in it."""
    subjects = claim.ask.subjects
    if all(not one.end or sheet.text[one.start : one.end].lower() == one.words.lower() for one in subjects):
        return claim
    own = {(one.start, one.end, one.kind) for one in sheet.entities}
    kept = (one if (one.start, one.end, one.kind) in own else replace(one, start=0, end=0) for one in subjects)
    return replace(claim, ask=replace(claim.ask, subjects=tuple(kept)))


def _numbered(ask: Ask, ask_id: str, ids: Mapping[str, str]) -> Ask:
    """Return an ask under its place; what it depends on is named by its reader's own ids."""
    return replace(ask, ask_id=ask_id, depends_on=tuple(ids[one] for one in ask.depends_on if one in ids))


def _without_strays(claims: Sequence[Claim], before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the claims on what a message names, where the message before was about that domain and another.

    "And that one against last year?", with its name, is about that one alone though two were asked about.
    """
    spoken = {ask.domain for ask in before[0].asks} if before else set()
    sure = [claim for claim in claims if claim.score >= LIKELY and claim.ask.form is not AskForm.ACT]
    named = {claim.ask.domain for claim in sure if places(claim.ask)} & spoken
    if len(spoken) < SEVERAL or not named:
        return list(claims)
    strays = {id(one) for one in sure if one.ask.subjects and not places(one.ask) and named - {one.ask.domain}}
    return [claim for claim in claims if id(claim) not in strays]


def _place(claim: Claim) -> tuple[int, int]:
    """Return where an ask begins: at its first subject, else at its first word."""
    own = places(claim.ask)
    return (min(own)[0], claim.ask.end) if own else (claim.ask.start, claim.ask.end)


_OF_WORDS: Final = frozenset({"said", "today"})
"""The notes that hold the message itself, or its day."""


def without_repeats(claims: Sequence[Claim], sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the claims that ask for something new; all of them where the message only asks to hear it once more."""
    last = next((message for message in before if message.asks), None)
    if last is None or not last.answers or points_back(sheet) or _names(sheet):
        return list(claims)
    first = sheet.superlative
    # The 1 of "1등" says which is asked for, and changes nothing.
    numbers = [one for one in sheet.numbers if first is None or not first.start <= one.start < first.end]
    if sheet.forms and not (numbers or is_correction(sheet)):
        return list(claims)
    asked = {_asked_for(ask) for message in before for ask in message.asks}
    return [claim for claim in claims if claim.ask.form in DONE or _asked_for(claim.ask) not in asked]


def _names(sheet: Sheet) -> bool:
    """Tell whether a message names a thing, rather than words that stand for themselves."""
    return any(one.end and one.value and one.value != one.words for one in sheet.entities)


def _asked_for(ask: Ask) -> tuple[object, ...]:
    """Return all that an ask asks for, its words and its day left out."""
    return (
        ask.answerer,
        ask.form,
        frozenset((one.kind, one.value) for one in ask.subjects),
        ask.measures,
        (ask.start_date, ask.end_date, ask.against_date, ask.order_by, ask.descending, ask.count),
        frozenset((one.field, one.operator, one.value) for one in ask.conditions),
        frozenset((one.role, one.value) for one in ask.quantities),
        frozenset((name, value) for name, value in ask.notes.items() if value and name not in _OF_WORDS),
    )
