"""What a sentence says that something is or does: of data, little more than that it is high, equal, listed or missing.

    애플은 견조합니다 · 예약이 걸려 있습니다 · Apple is fine · the order is in      needs a line that says it
    값이 비슷합니다 · 자료에 없습니다 · the two are close · it is not listed         what data and answers do

Praise, news and good tidings have no end; what figures are and what an answer shows has one (may_be_told.tsv). What
may be, is asked, is denied or is advised is no such saying; that nothing else is there is one.
"""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.drops import DropReason
from services.grounding.claims.claim import NOT_KO, SentenceClaim, is_past, is_to_come
from services.grounding.claims.events import TOLD_KO, WORDS
from services.grounding.concepts import concepts_in
from services.grounding.movement import directions
from services.grounding.vocabulary import vocabulary
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

_IS_KO: Final = frozenset(WORDS["is"])
_DOES_KO: Final = frozenset(WORDS["does"]) | TOLD_KO
_MISSING_KO: Final = frozenset(WORDS["missing"])
"""What data may be without."""
_PLACES_KO: Final = frozenset(WORDS["where"])
"""Where something of an answer may be."""
_OPEN_KO: Final = frozenset(("수", "필요", "줄", "리"))
"""What makes of a verb that which may or need be."""
_ENDS_OPEN_KO: Final = Pattern(r"(?:까|나요|가요|세요|십시오|시오|시다|바랍니다|\?)[.!?\s]*$")
"""The ends of questions, of advice and of requests."""
_NUMERIC: Final = ("SN", "NR", "NNBC", "SY", "XSN")
_JOINS_KO: Final = ("고", "며", "지만", "는데", "은데", "니", "니까", "므로", "어서", "아서", "라서")
_SO_KO: Final = frozenset(("그렇", "이렇"))
"""What repeats what was said; of somebody it says what they said."""
_VALUES_KO: Final = frozenset(("값", "수치", "결과", "자료", "데이터", "평균", "합계"))
"""What an answer says how it came about: "가중한 값입니다"."""
_LIGHT: Final = frozenset(("XSV", "XSA"))
_PREDICATES: Final = frozenset(("VV", "VA", "VCP", *_LIGHT))
_CLAUSE_EN: Final = Pattern(
    r"[,;:]\s|\s(?:and|but|so|while|whereas|because|although|though|since)\s|\s(?=which\s)", re.IGNORECASE
)
_RELATES_EN: Final = Pattern(r"(?:which|who)\s", re.IGNORECASE)
_LINKS_EN: Final = Pattern(
    r"(?P<link>\b(?:is|are|was|were|am|ha[sd]|have|stays?|remains?|looks?|seems?|becomes?|feels?|sounds?)|['’](?:re|ve)"
    r"|\b(?:it|that|here|what)['’]s)\s(?=(?P<rest>.+))",
    re.IGNORECASE,
)
"""What says of something what it is or has."""
_HAVE_EN: Final = frozenset(("has", "had", "have", "'ve", "’ve"))
_ARE_EN: Final = frozenset(WORDS["are"])
_DOES_EN: Final = frozenset(WORDS["do"])
_LEADS_EN: Final = frozenset(WORDS["lead"])
"""What stands before a thing, and what relates one thing to another."""
_THINGS_EN: Final = frozenset(WORDS["thing"])
_OPEN_EN: Final = Pattern(
    r"\b(?:can|could|may|might|must|should|would|will|shall|cannot|not|no|never|nothing|none|neither|nor|if|whether|unless"
    r"|do|does|did|please)\b(?!-)|n['’]t\b|['’]ll\b|\?",
    re.IGNORECASE,
)
_NONE_EN: Final = Pattern(
    r"\bthere(?:\sis|['’]s|\sare)\s(?P<none>nothing|no\sone|nobody)(?!\s(?:in|on|for|of)\b)"
    r"|\bnothing\s(?:that\s)?(?:can|could|will|would)\s(?!be\b)",
    re.IGNORECASE,
)
"""That there is nothing at all of a kind."""
_YOURS_EN: Final = Pattern(
    r"\byour\s(?!question|request|own|area|period|choice|decision|needs|budget|conditions?|limits?|search|message|wording|criteria"
    r"|approval|consent|word|part)(?P<what>[a-z]+)",
    re.IGNORECASE,
)
"""What the reader has, of which data knows nothing."""
_YOU_CAN_EN: Final = Pattern(
    r"\b(?:you|I)\s(?:can|could|may)\s(?:also\s|now\s|then\s)?(?P<do>(?!not\b)[a-z]+)", re.IGNORECASE
)
_WORD_EN: Final = Pattern(r"[A-Za-z][A-Za-z'’\-]*|[$₩€]?[0-9][0-9.,]*%?")
_VERBS_EN: Final = Pattern(
    r"(?<!\bthe\s)(?<!\ba\s)(?<!\ban\s)(?<!\bevery\s)(?<!\bits\s)(?<!\bmy\s)(?<!\byour\s)(?<!\bof\s)(?<!\bin\s)(?<!\bon\s)"
    r"(?<![A-Za-z'’\-])[A-Za-z][A-Za-z'’\-]*"
)
"""Words that may be a clause's verb: none that stands where a thing is named."""
_DIGIT: Final = Pattern(r"[0-9]")
_WORDS_MIN: Final = 3


def predicates_in(text: str) -> Iterator[SentenceClaim]:
    """Yield what a sentence says that something is or does, where figures and answers do not."""
    if any("가" <= mark <= "힣" for mark in text):
        if _ENDS_OPEN_KO.search(text) is None:
            yield from _korean(text, morphemes(text))
    elif text.rstrip()[-1:] in ".!":
        yield from _english(text)


def yours_in(text: str) -> Iterator[SentenceClaim]:
    """Yield what a sentence says that the reader has: only what was asked or found is known of it."""
    for match in _YOURS_EN.finditer(text):
        yield SentenceClaim(DropReason.UNKNOWN_ACT, match["what"].lower(), match.group())


def _korean(text: str, found: tuple[Morpheme, ...]) -> Iterator[SentenceClaim]:
    for at, one in enumerate(found):
        claim: SentenceClaim | None = None
        if one.tags[0] == "UNKNOWN" and one.surface.endswith(("다", "요")):
            claim = _claim(DropReason.VERDICT, text, one, one)
        elif one.lemma in {"없", "없이"}:
            claim = _nothing_ko(text, found, at)
        elif one.tags[0] in _PREDICATES or (one.lemma == "있" and one.tags[0] == "VX"):
            claim = _said_ko(text, found, at)
        if claim is not None:
            yield claim


def _said_ko(text: str, found: tuple[Morpheme, ...], at: int) -> SentenceClaim | None:
    """Return what the predicate at a place says; None where it ends no clause, leaves it open, or may be told."""
    one, rest = found[at], _ending(found, at)
    if not (_ends_clause((one, *rest)) or _tells_of_noun(found, at)) or any(is_past(piece) for piece in (one, *rest)):
        return None
    denied = any(piece.lemma in NOT_KO for piece in (*rest, *found[max(at - 1, 0) : at]))
    if denied:
        return _claim(DropReason.PROMISE, text, found[at - 2], one) if _is_none_at_all(found, at) else None
    before = _noun_before(found, at)
    if one.tags[0] == "VCP":
        return None if _may_be_ko(found, before) else _claim(DropReason.VERDICT, text, before or one, one)
    told = _DOES_KO | _IS_KO
    if one.lemma == "있":
        head, told = _whereabouts(found, at), TOLD_KO | _IS_KO | _PLACES_KO
    elif one.tags[0] in _LIGHT:
        head = before if before is None or before.surface != "만" else None
    else:
        head = one
    if head is not None and head.lemma in _SO_KO:
        return _claim(DropReason.VERDICT, text, head, one) if _has_actor(found, at) else None
    if head is None or head.lemma in told or directions(head.surface) or _is_figure(head):
        return None
    act = one.tags[0] in {"VV", "XSV"}
    return _claim(DropReason.UNKNOWN_ACT if act else DropReason.VERDICT, text, head, one)


def _ending(found: tuple[Morpheme, ...], at: int) -> tuple[Morpheme, ...]:
    """Return the endings and helping verbs behind a predicate."""
    stop = at + 1
    while stop < len(found) and found[stop].tags[0] in {"EP", "EC", "EF", "VX", "JX"}:
        stop += 1
    return found[at + 1 : stop]


def _ends_clause(ending: tuple[Morpheme, ...]) -> bool:
    """Tell whether a predicate is said outright: at the end of a sentence, or before another clause."""
    last = ending[-1]
    return last.tags[-1] == "EF" or (last.tags[-1] == "EC" and last.surface.endswith(_JOINS_KO))


def _tells_of_noun(found: tuple[Morpheme, ...], at: int) -> bool:
    """Tell whether a verb says of what follows it what somebody else does with it: "X가 권하는 종목"."""
    behind = found[at + 1] if at + 1 < len(found) else found[at]
    return _has_actor(found, at) and any(
        "ETM" in one.tags and one.surface.endswith("는") for one in (found[at], behind)
    )


def _has_actor(found: tuple[Morpheme, ...], at: int) -> bool:
    return any(one.tags[0] == "JKS" for one in found[max(at - 3, 0) : at])


def _is_none_at_all(found: tuple[Morpheme, ...], at: int) -> bool:
    """Tell whether a denial leaves nothing out: "한 푼도 잃지 않", "아무 문제"."""
    return any(
        found[place].surface == "도" and found[place].tags[0] == "JX" for place in range(max(at - 2, 0), at)
    ) and any(one.tags[0] == "MM" for one in found[max(at - 4, 0) : at])


def _nothing_ko(text: str, found: tuple[Morpheme, ...], at: int) -> SentenceClaim | None:
    """Return what a sentence says that there is none of; data is without values and rows, and nothing else."""
    noun = _noun_before(found, at)
    said = any(
        tag in {"EF", "ETM"} for one in (found[at], *_ending(found, at), *found[at + 1 : at + 2]) for tag in one.tags
    )
    if noun is None or not said or noun.lemma in _MISSING_KO or noun.surface in _OPEN_KO:
        return None
    # Whether a signal is there is read as that.
    is_signal = any(words.search(text) for words in vocabulary().signals.values())
    if is_signal or found[at - 1].tags[0] == "JKB":
        return None
    return _claim(DropReason.PROMISE, text, noun, found[at])


def _noun_before(found: tuple[Morpheme, ...], at: int) -> Morpheme | None:
    """Return the word that a predicate is said of or made from, particles and suffixes left out."""
    place = at - 1
    while place >= 0 and found[place].tags[0] in {"JX", "JKS", "JKC", "JKO", "JKB", "XSN", "ETN", "MAG"}:
        place -= 1
    return found[place] if place >= 0 else None


def _whereabouts(found: tuple[Morpheme, ...], at: int) -> Morpheme | None:
    """Return where something is said to be, or as what it is left: "통장에 있", "걸려 있"; None for what there is."""
    before = found[at - 1] if at else None
    if before is None or before.tags[0] == "JKS" or before.surface in _OPEN_KO:
        return None
    if before.tags[-1] == "EC":
        return before if before.tags[0].startswith("V") else found[at - 2]
    return _noun_before(found, at) if before.tags[0] == "JKB" else None


def _may_be_ko(found: tuple[Morpheme, ...], noun: Morpheme | None) -> bool:
    """Tell whether something may be told to be that: a figure, or what figures and answers are."""
    if noun is None:
        return True
    at = found.index(noun)
    before = found[max(at - 2, 0) : at]
    if _is_figure(noun) or (before and _is_figure(before[-1])):
        return True
    described = next(
        (one for one in before if one.tags[0] in {"VA", "XSA", "VV", "XSV"} and "ETM" in before[-1].tags), None
    )
    if (
        described is not None
        and noun.lemma not in _VALUES_KO
        and not (described is before[-1] and is_to_come(described))
    ):
        root = found[found.index(described) - 1] if described.tags[0] in _LIGHT else described
        if root.lemma not in _IS_KO | _DOES_KO | _MISSING_KO:
            return False
    return noun.lemma in _IS_KO | _MISSING_KO and not (before and is_to_come(before[-1]))


def _is_figure(piece: Morpheme) -> bool:
    """Tell whether a word is a figure, the name of one, or not Korean."""
    if any(True for _ in concepts_in(piece.surface)):
        return True
    return piece.tags[0] in _NUMERIC or not any("가" <= mark <= "힣" for mark in piece.surface)


def _claim(reason: DropReason, text: str, head: Morpheme, last: Morpheme) -> SentenceClaim:
    start, end = min(head.start, last.start), max(head.end, last.end)
    return SentenceClaim(reason, head.lemma, text[start:end])


def _english(text: str) -> Iterator[SentenceClaim]:
    if (match := _NONE_EN.search(text)) is not None:
        yield SentenceClaim(DropReason.PROMISE, match.group().lower(), match.group())
    has_said = False
    for clause in _CLAUSE_EN.split(text.rstrip(" .!")):
        is_open = _OPEN_EN.search(clause) is not None
        said = [*_LINKS_EN.finditer(clause)] if not is_open else []
        for match in said:
            allowed = _THINGS_EN if match["link"].lower() in _HAVE_EN else _THINGS_EN | _ARE_EN
            if (wrong := _wrong_complement(match["rest"], allowed)) is not None:
                yield SentenceClaim(DropReason.VERDICT, wrong.lower(), f"{match['link']} {wrong}")
        if (match := _YOU_CAN_EN.search(clause)) is not None and match["do"].lower() not in _DOES_EN:
            yield SentenceClaim(DropReason.UNKNOWN_ACT, match["do"].lower(), match.group())
        says = is_open or bool(said) or any(_does(match[0]) for match in _VERBS_EN.finditer(clause))
        if not says and _RELATES_EN.match(clause):
            yield SentenceClaim(DropReason.UNKNOWN_ACT, clause.lower(), clause)
        has_said = has_said or says
    if not has_said and len(_WORD_EN.findall(text)) >= _WORDS_MIN and _DIGIT.search(text) is None:
        yield SentenceClaim(DropReason.UNKNOWN_ACT, text.lower(), text)


def _does(word: str) -> bool:
    """Tell whether a word is a verb of figures and answers, in any of its forms."""
    plain = word.lower()
    forms = (
        plain,
        *(plain.removesuffix(end) for end in ("s", "es", "ed", "d", "ing")),
        f"{plain.removesuffix('ing')}e",
    )
    return any(form in _DOES_EN for form in forms) or bool(directions(word))


def _is_known(word: str) -> bool:
    return word in _LEADS_EN | _ARE_EN | _THINGS_EN or word.isdigit() or _does(word)


def _wrong_complement(rest: str, allowed: frozenset[str]) -> str | None:
    """Return the word by which something is said to be what figures and answers are not; None where it may be so."""
    last = ""
    for match in _WORD_EN.finditer(rest):
        word, last = match.group(), match.group().lower()
        if last in _LEADS_EN or last.endswith("ly") or ("-" in last[1:] and all(map(_is_known, last.split("-")))):
            continue
        # What ends on -ed has happened, and is read as that.
        may_be = last.endswith("ed") or last in allowed or last.removesuffix("s") in _THINGS_EN or _does(word)
        return None if may_be or word[0].isupper() or not word[0].isalpha() else word
    return None if last in _ARE_EN else last or rest.strip() or None
