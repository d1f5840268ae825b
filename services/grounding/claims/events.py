"""What a sentence tells as happened: of that, rows hold only how figures moved, and an answer what it has looked up.

    what figures and answers do     올랐습니다 · 거래됐습니다 · 비교했습니다 · rose · compared    may be told
    anything else                   초기화했습니다 · 시작됐어요 · 보도했습니다 · ruled     needs a line that tells it

No list of acts can be complete; the verbs of measuring and of looking are few (may_be_told.tsv). What is denied, or
only supposed, has not happened.
"""

import re
from collections.abc import Iterator
from importlib import resources
from typing import Final

from services.contract.drops import DropReason
from services.grounding.claims.claim import SentenceClaim, is_past, taken_back
from services.grounding.movement import directions
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.ko.written import PAST_SYLLABLES
from services.text.near import just_before
from services.text.patterns import Pattern

_LINES: Final = resources.files("services.grounding.claims").joinpath("may_be_told.tsv").read_text("utf-8").splitlines()
WORDS: Final = {name: words.split() for name, _, words in (line.partition("\t") for line in _LINES)}
"""What may be told, by how it is told."""
LOOKING_KO: Final = frozenset(WORDS["looking"])
"""What the assistant does by answering, for the reader too."""
TOLD_KO: Final = LOOKING_KO | frozenset((*WORDS["said"], *WORDS["measured"]))
"""What is done in an answer besides, by who asks, and by figures."""
_LIGHT: Final = frozenset(("하", "되", "마치", "끝내", "끝나", "이루어지", "이뤄지", "나"))
"""Verbs that say of a noun no more than that it was."""
_NOT_KO: Final = frozenset(("않", "못하", "말"))
_STATES: Final = frozenset(("VA", "XSA", "VCP", "VCN"))
_PAST_KO: Final = Pattern(f"[{PAST_SYLLABLES}]")
_KEPT_EN: Final = frozenset(WORDS["told"])
"""Words in -ed by which figures are told, an answer tells of itself, or things are described."""
_HAPPENED_EN: Final = Pattern(
    r"\b(?P<done>[a-z]{2,}ed|went|gone|sent|bought|paid|gave|signed|said|wrote|won|lent|withdrew|put\sin|took)\b",
    re.IGNORECASE,
)
_DESCRIBES_EN: Final = Pattern(
    r"\b(?:the|an?|of|with|all|any|these|those|its|their|more|most|very|so|not|no|never|be|to|or)\s(?:\w+ly\s)?$",
    re.IGNORECASE,
)
_OF_THINGS_EN: Final = Pattern(r"\s[a-z]+s\s(?:is|are|was|were|do|have)\b")
"""Behind a first word it makes of that what kind of things are spoken of: "Cancelled contracts are"."""
_SUPPOSED_EN: Final = Pattern(
    r"\b(?:if|when|once|unless|until|whether|after|before|may|might|can|could|would|should|must|not|no|never|nothing|cannot)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE: Final = Pattern(r"[,;:.!?]")


def events_in(text: str) -> Iterator[SentenceClaim]:
    """Yield what a sentence tells as happened and no figure does, each by its verb."""
    if _PAST_KO.search(text):
        found = morphemes(text)
        for at, one in enumerate(found):
            if is_past(one) and not taken_back(found[at + 1 :]) and (verb := _verb(found, at)) is not None:
                yield SentenceClaim(DropReason.UNKNOWN_ACT, verb.lemma, text[verb.start : one.end])
    for match in _HAPPENED_EN.finditer(text):
        word, before = match["done"].lower(), text[: match.start()]
        clause = _CLAUSE.split(before)[-1]
        is_name = match.group()[:1].isupper() and bool(before.strip())
        described = just_before(_DESCRIBES_EN, text, match.start()) is not None or (
            not before.strip() and _OF_THINGS_EN.match(text, match.end()) is not None
        )
        if not (word in _KEPT_EN or is_name or described or _SUPPOSED_EN.search(clause)):
            yield SentenceClaim(DropReason.UNKNOWN_ACT, re.sub(r"(?:l?ed|d)$", "", word), match.group())


def _verb(found: tuple[Morpheme, ...], at: int) -> Morpheme | None:
    """Return what happened of the verb whose tense stands at a place; None where it may be told."""
    place = at
    while place >= 0 and found[place].tags[0] in {"EP", "EC", "VX", "XSN"}:
        if found[place].lemma in _NOT_KO:
            return None
        place -= 1
    verb = found[place]
    if place < 0 or verb.tags[0] in _STATES or verb.tags[0] not in {"VV", "XSV"}:
        return None
    if verb.lemma in _LIGHT:
        noun = next((one for one in reversed(found[max(0, place - 3) : place]) if one.tags[0][:1] in "NXS"), None)
        # What came to a number or a state: "두 배가 되었다".
        if (
            noun is None
            or noun.tags[0] in {"NNB", "NNBC", "XR", "SN"}
            or (verb.tags[0] == "VV" and noun.surface == "배")
        ):
            return None
        verb = noun
    may_be_told = verb.lemma in TOLD_KO or bool(directions(verb.surface))
    return None if may_be_told else verb
