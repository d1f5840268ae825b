"""Messages that lean on what was said before: edits, answers to hapju's own question, and requests without a subject.

it edits the message just before        it is surer than a fresh reading that names nothing of its own
it answers "which of these places?"     the asks of that question, with the place that it names
it names no subject, and nothing is     it is read once more with the subjects of the last asks, or with those of an
read in it                              earlier one to which it points back
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Origin
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import OF_SET, is_fresh, ordinal, pointed, points_back, points_to_one, short
from services.plugin.asks.forms import picks_one
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import things
from services.plugin.entities import Entity
from services.plugin.vocabulary import spoken
from services.text.patterns import Pattern
from services.text.speech import any_of

REPLACES: Final = 0.96
"""How sure an edit is that replaces a part of the message just before: surer than a fresh reading of the same words."""
LEANS: Final = 0.95
"""How sure an edit is that carries all but a time."""
LENT: Final = 0.9
"""How sure a level of a lent subject is, which hardly a word says: a sure vote for another intent stands against it."""
_WORDS_MAX: Final = 14
_CHOICES_MAX: Final = 4
_TIMES: Final = frozenset({"today", "span", "months", "back", "from", "to"})
"""The notes that say of when an ask is."""
_ALL: Final = r"둘\s?다|두\s?(?:곳|군데)\s?다|모두|전부|다\s?(?:알려|보여)|\bboth\b|\ball\b"


def with_leaning(claims: Sequence[Claim], sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return claims of which those that edit the message just before are as sure as they are meant to be.

    A message that points back ("아까 그 종목") edits what lies behind another subject as surely.
    """
    reach = before if points_back(sheet) else before[:1]
    last = tuple(ask for message in reach for ask in message.asks)
    fresh = {one.ask.domain for one in claims if one.score >= LEANS and _is_named(one.ask)}
    # A thing of another domain that a message names is what it is about.
    return [_sure(one, last) if _is_named(one.ask) or not fresh - {one.ask.domain} else one for one in claims]


def _is_named(ask: Ask) -> bool:
    """Tell whether a message itself names a subject of an ask."""
    return any(one.end for one in ask.subjects)


def _sure(claim: Claim, last: Sequence[Ask]) -> Claim:
    edited = next((one for one in last if one.domain == claim.ask.domain and _leans_on(claim.ask, one)), None)
    if edited is None or claim.score > REPLACES:
        return claim
    return replace(claim, score=max(claim.score, REPLACES if _replaces(claim.ask, edited) else LEANS))


def _leans_on(ask: Ask, last: Ask) -> bool:
    """Tell whether an ask carries something of an earlier one."""
    carried = {(one.kind, one.value) for one in ask.subjects if not one.end}
    if carried & {(one.kind, one.value) for one in last.subjects}:
        return True
    if any(one.origin is Origin.CARRIED for one in ask.quantities):
        return True
    return ask.answerer == last.answerer and any(one.end for one in ask.subjects) and bool(ask.measures)


def _replaces(ask: Ask, last: Ask) -> bool:
    """Tell whether an edit replaces more than a time: a subject, a measure, a condition, a form."""
    mine = (ask.measures, ask.conditions, ask.form, ask.order_by, ask.descending, ask.quantities)
    theirs = (last.measures, last.conditions, last.form, last.order_by, last.descending, last.quantities)
    named = any(one.end for one in ask.subjects)
    return named or mine != theirs or _kept(ask) != _kept(last)


def _kept(ask: Ask) -> dict[str, str]:
    return {name: value for name, value in ask.notes.items() if name not in _TIMES}


_SHOWN: Final = (
    r"(?:추천|보여|골라|찾아)\s?(?:한|했던|해\s?준|준|주신|드린)\s?(?:거|것|게|건|[가-힣]{1,3})(?![가-힣]{3})"
    r"|\b(?:recommended|showed|listed|suggested)\b"
)
_SHOWING: Final = frozenset({AskForm.LIST, AskForm.RANK, AskForm.RECOMMEND, AskForm.COMPARE})


def shown(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[AskedBefore]:
    """Return the messages that a message goes on from: of what was shown, those from the last that showed things on."""
    if not sheet.says(_SHOWN) or not short(sheet.text, _WORDS_MAX):
        return before
    at = next((at for at, one in enumerate(before) if any(ask.form in _SHOWING for ask in one.asks)), 0)
    return before[at:]


def told_apart(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the asks of a question of which a name was asked back, with the thing that the message means by it.

    "대전 말한 거야", "the second one" and "둘 다" all answer "which 중구?"; another message none.
    """
    asks = before[0].asks if before and not before[0].answers else ()
    open_ = next((one for ask in asks for one in ask.subjects if one.alternatives), None)
    if open_ is None:
        return _chosen_anew(sheet, before)
    meant = _meant(sheet, open_) if short(sheet.text, _WORDS_MAX // 2) else ()
    if not meant:
        return []
    return [Claim(_with(ask, open_, meant), REPLACES) for ask in asks]


def _chosen_anew(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the asks just answered about another of the things that their name fits: "아니 대구", "and Incheon?"."""
    earlier = before[1].asks if len(before) > 1 and before[0].answers and not before[1].answers else ()
    open_ = next((one for ask in earlier for one in ask.subjects if one.alternatives), None)
    if open_ is None or not short(sheet.text, _WORDS_MAX // 2):
        return []
    fits = {one.value for one in open_.alternatives}
    named, meant = sheet.of_kind(open_.kind), _meant(sheet, open_)
    taken = {one.value for ask in before[0].asks for one in ask.subjects if one.value in fits}
    # A message that names a place of its own ("대구 수성구는?") asks about that one.
    if not (taken and named and meant) or not all(meant[0].value.startswith(one.value) for one in named):
        return []
    return [
        Claim(replace(ask, subjects=tuple(meant[0] if it.value in taken else it for it in ask.subjects)), REPLACES)
        for ask in before[0].asks
    ]


def _meant(sheet: Sheet, open_: Entity) -> tuple[Entity, ...]:
    options = tuple(Entity(open_.kind, one.value, one.label, one.label) for one in open_.alternatives)
    if (place := ordinal(sheet)) is not None:
        return options[place : place + 1]
    if sheet.says(_ALL):
        return options if len(options) <= _CHOICES_MAX else ()
    said = _words(" ".join([sheet.text, *(one.label for one in sheet.of_kind(open_.kind))])) - _words(open_.words)
    counts = [len(_told_by(one, open_) & said) for one in options]
    best = [one for one, count in zip(options, counts, strict=True) if count and count == max(counts)]
    return tuple(best) if len(best) == 1 else ()


def _told_by(option: Entity, open_: Entity) -> set[str]:
    return _words(option.label) - _words(open_.words)


def _words(text: str) -> set[str]:
    """Return the words of a text, and each Korean one without its ending: "부산이요" says "부산"."""
    words = {one.lower() for one in re.findall(r"[A-Za-z]+|[가-힣]+", text)}
    return words | {one[:size] for one in words if re.match("[가-힣]", one) for size in range(2, len(one))}


def _with(ask: Ask, open_: Entity, meant: Sequence[Entity]) -> Ask:
    subjects: list[Entity] = []
    for one in ask.subjects:
        is_open = one.kind == open_.kind and one.words == open_.words and bool(one.alternatives)
        subjects += meant if is_open else [one]
    return replace(ask, subjects=tuple(subjects))


_THING: Final = r"(?:거|것|건|게|걸|데|곳|집)(?:로|은|는|이|가|를|을|으로|도|만)?(?:요|야|지|죠)?(?![가-힣])|\bone\b"
_OF_SEVERAL: Final = frozenset({AskForm.LIST, AskForm.RECOMMEND})


def chosen_of_none(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the last ask once more where a message picks out of its list, and that list was empty.

    Nothing is there to choose from, which the list says again; no other things are chosen in its place.
    """
    last = before[0].asks[-1] if before and before[0].asks and before[0].answers else None
    if last is None or last.form not in _OF_SEVERAL or any(one.told for one in before[0].answers):
        return []
    is_placed = ordinal(sheet) is not None
    first = sheet.superlative is not None and sheet.says(_THING)
    picks = is_placed or first or sheet.says(OF_SET) or picks_one(sheet.text)
    names = any(one.value and one.value != one.words for one in sheet.entities)
    bounds = bool(sheet.numbers) and not is_placed
    if not picks or names or bounds or not short(sheet.text, _WORDS_MAX // 2) or is_fresh(sheet):
        return []
    return [_once_more(last, sheet)]


def _once_more(last: Ask, sheet: Sheet) -> Claim:
    """Return an earlier ask as asked by a message that names nothing of it."""
    subjects = tuple(replace(one, start=0, end=0) for one in last.subjects)
    quantities = tuple(replace(one, start=0, end=0, origin=Origin.CARRIED) for one in last.quantities)
    ask = replace(last, words=sheet.text, start=0, end=len(sheet.text), subjects=subjects, quantities=quantities)
    return Claim(replace(ask, ask_id="", depends_on=()), REPLACES)


_HOW_MANY: Final = r"몇\s?(?:건|개|곳|채|명|가지)|how many"
_HOW_MUCH: Final = r"얼마까지|최대|상한|한도|얼마가\s?(?:최대|맞)|\bmaximum\b|\bthe most\b|\blimit\b|up to how much"
_BARE: Final = (
    r"^\W*(?:네+[에엥]?|넵+|넹|예|응+|어|그래요?|좋아요?|맞아요?|ㅇㅇ|ㅇㅋ|오케이|아니요?|아뇨|고마워요?|감사(?:합니다|해요)?|알겠(?:어|습니다))(?:\s(?:그렇게|그걸로|이대로|맞아|좋아)\S{0,4})?\W*$"
    r"|^\W*(?:y(?:es|eah|ep|up)|ok(?:ay)?|sure|no(?:pe)?|thanks?|thank you|great|good|cool)\W*$"
)
"""A word that agrees, refuses or thanks, and asks nothing of what was told."""
_GAP: Final = r"차이|격차|얼마나\s?(?:더|차)|\bgap\b|\bdifferen|by how much|how much (?:more|less|cheaper|dearer)"
_ONCE_MORE: Final = (
    r"다시\s?(?:한\s?번\s?)?(?:알려|말해|보여|설명)|한\s?번\s?더"
    r"|(?:뭐|얼마|몇\s?\S{1,3}?)(?:이)?라고"
    r"|^\W*(?:진짜|정말|레알|확실)\S{0,4}\s?(?:맞\S{0,3})?\W*$|^\W*(?:really|seriously|are you sure)\W*$"
    r"|(?:영어|한국어|한글|우리말)로\s?(?:다시|알려|말해|답|부탁|해|$)"
    r"|^\W*(?:please )?(?:\w+ )?in (?:english|korean)(?: please)?\W*$"
    r"|\bonce more\b|\brepeat (?:that|it)\b|\bsay (?:that|it) again\b|tell me again"
)


def asked_again(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the last ask of a message that asks for a part of its answer: how many, how much at most, once more."""
    message = next((one for one in before if one.asks), None)
    last = message.asks[-1] if message is not None and message.answers else None
    names = any(one.value and one.value != one.words for one in sheet.entities)
    spans = all(one.unit in {"months", "years"} and one.value == 1 for one in sheet.numbers)
    if (
        message is None
        or last is None
        or names
        or not spans
        or not short(sheet.text, _WORDS_MAX // 2)
        or is_fresh(sheet)
    ):
        return []
    counted = last.form in {AskForm.LIST, AskForm.RANK} and sheet.says(
        rf"{_HOW_MANY}|몇\s?(?:{any_of(spoken('points'))})"
    )
    limit = bool(last.quantities) and sheet.says(_HOW_MUCH)
    apart = sheet.says(_GAP) and (last.form is AskForm.COMPARE or _tells_gap(message))
    if not (apart or (not sheet.numbers and (counted or limit or sheet.says(_ONCE_MORE)))):
        return []
    return [_once_more(last, sheet)]


_HOW_FAR: Final = Pattern(
    r"\W*(?:그럼 |그래서 |근데 )?얼마나(?:요|나)?\W*|\W*(?:so |and |ok )?(?:by )?how much\W*", re.IGNORECASE
)


def gap_asked(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the last comparison once more where a message asks but for how far apart: "얼마나?", "by how much?"."""
    last = before[0].asks[-1] if before and before[0].asks and before[0].answers else None
    is_bare = last is not None and last.form is AskForm.COMPARE and _HOW_FAR.fullmatch(sheet.text) is not None
    return [_once_more(last, sheet)] if last is not None and is_bare else []


_GAP_TOLD: Final = Pattern(
    r"차이(?:는|가)|(?:늘어|줄어|오르|내리)\S{0,2}(?:니다|고)|\b(?:more|less|gap|difference)\b", re.IGNORECASE
)


def _tells_gap(message: AskedBefore) -> bool:
    """Tell whether an answer told how far apart two sums are: what is asked for of them stands in it."""
    said = [one.sentence for one in message.answers if one.sentence is not None]
    return any(_GAP_TOLD.search(text) is not None for one in said for text in (one.ko, one.en))


_NEAR_TIMES: Final = 4
"""How many times as large or as small a bare number may be as the one whose unit it takes."""


def with_unit(sheet: Sheet, before: Sequence[AskedBefore]) -> Sheet:
    """Return a message whose bare number has the unit of a condition that stands and is of its size: "make that 84"."""
    bare = [one for one in sheet.numbers if one.is_bare]
    if len(bare) != 1 or sheet.unit_meant or not before or is_fresh(sheet) or not short(sheet.text, _WORDS_MAX):
        return sheet
    standing = {
        one.unit: Decimal(one.value) for ask in before[0].asks for one in ask.conditions if one.unit not in {"", "krw"}
    }
    (unit, value), *others = standing.items() or [("", Decimal(0))]
    is_near = value > 0 and value / _NEAR_TIMES <= bare[0].value <= value * _NEAR_TIMES
    return replace(sheet, unit_meant=unit) if is_near and not others else sheet


_A_TERM: Final = r"^\W*(?:(?:and|so|ok|then|well|also)\W+)*what(?:['’]s| is) (?:exactly )?an? [\w-]+(?: [\w-]+)?\W*$"
"""Asks what a thing is that no word says to be one of those spoken of."""


def with_lent_subjects(sheet: Sheet, before: Sequence[AskedBefore]) -> Sheet | None:
    """Return a message with the subjects that it leaves out, which those asked last lend it; None where none do.

    A message that points back ("아까 그 종목") is lent those of the latest message that has what it lacks.
    """
    if not before or is_fresh(sheet) or not short(sheet.text, _WORDS_MAX) or sheet.says(_BARE):
        return None
    means = set(sheet.forms) == {AskForm.DEFINE} or sheet.says(_A_TERM)
    if means and not (points_back(sheet) or points_to_one(sheet)):
        # What a word means is asked of nothing that was spoken of.
        return None
    reach = before if points_back(sheet) else before[:1]
    named = {one.kind for one in sheet.entities if one.value and one.end}
    lent: list[Entity] = []
    for message in reach:
        kinds = named | {one.kind for one in lent}
        lent += [one for one in _subjects(sheet, message) if one.kind not in kinds]
    return replace(sheet, entities=(*sheet.entities, *lent)) if lent else None


def _subjects(sheet: Sheet, message: AskedBefore) -> tuple[Entity, ...]:
    found = {
        (one.kind, one.value): replace(one, start=0, end=0)
        for ask in message.asks
        # What was done is no question that a word of thanks asks again.
        if ask.form is not AskForm.ACT
        for one in ask.subjects
        if one.value
    }
    kinds = {kind for kind, _ in found}
    for kind in kinds:
        towards = pointed(sheet, [message], kind)
        if towards is not None and towards.told:
            told = {(one.kind, one.value): one for one in things(towards.told)}
            found = {key: one for key, one in found.items() if key[0] != kind} | told
    return tuple(found.values())


def lent(claims: Sequence[Claim], sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return claims on lent subjects, as sure as the message's own words make them.

    One that asks nothing but what was asked just before says that the message holds no request of its own.
    """
    last = before[0].asks if before else ()
    new = [claim for claim in claims if points_back(sheet) or not any(_is_same(claim.ask, one) for one in last)]
    return [_as_sure(claim, last) for claim in new]


def _is_same(ask: Ask, last: Ask) -> bool:
    own = {(one.kind, one.value) for one in ask.subjects} == {(one.kind, one.value) for one in last.subjects}
    days = (ask.start_date, ask.end_date, ask.against_date) == (last.start_date, last.end_date, last.against_date)
    return own and days and ask.answerer == last.answerer and not _replaces(ask, last)


def _as_sure(claim: Claim, last: Sequence[Ask]) -> Claim:
    edited = next((one for one in last if one.answerer == claim.ask.answerer), None)
    if edited is not None and _replaces(claim.ask, edited):
        return replace(claim, score=max(claim.score, REPLACES))
    is_bare = claim.ask.form is AskForm.LEVEL
    return replace(claim, score=min(claim.score, LENT) if is_bare else max(claim.score, LEANS))
