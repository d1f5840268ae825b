"""What of the law a question asks whether it is so: who, which act, and whether it must or may be, or need not."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from services.contract.asks import AskVerdict
from services.domains.realty.asks.law.asked import asked_in
from services.plugin.documents import read_yaml
from services.plugin.entries import Entry
from services.text.patterns import Pattern

Stance = Literal["must", "may", "not"]
"""Whether the law wants an act, leaves it free or does not allow it; of what merely is so, `must` and `not`."""
_PACKAGE: Final = "services.domains.realty.asks.law"
_FILE: Final = "law_acts.yaml"
_HANGUL: Final = Pattern("[가-힣]")
_BETWEEN: Final = r"[가-힣]{0,5}?\s?[가-힣]{0,4}?"
"""What stands between a verb and how it is put: "이사 가도"."""
_MUST: Final = Pattern(
    rf"{_BETWEEN}야(?:만|지)?\s?(?:하|되|돼|됩|된|될|할|합|해|함|한)|{_BETWEEN}(?:의무|필요)",
)
_MAY: Final = Pattern(
    rf"{_BETWEEN}도\s?(?:되|돼|됩|된|될|괜찮|무방|문제|상관|좋)|{_BETWEEN}수[는도가]?\s?(?:있|없)"
    r"|[^.?!]{0,16}가능"
    rf"|{_BETWEEN}면\s?(?:안\s?)?(?:되|돼|됩|될)"
)
_NEGATED_BEFORE: Final = Pattern(r"(?:안|못)\s?$")
_NEGATED_WITHIN: Final = Pattern(r"\s(?:안|못)\s?[되돼하]")
_NEGATED_BEHIND: Final = Pattern(r"[가-힣]{0,4}?(?:지|질)\s?(?:않|못|말)|[가-힣]{0,4}?\s?필요[는가도]?\s?없")
_BARRED: Final = Pattern(r"수[는도가]?\s?없|면\s?안|불가|못\s?(?:하|해)|의무[는가도]?\s?없|필요[는가도]?\s?없")
_ONLY_IF: Final = Pattern(r"[가-힣]{0,4}?야(?:만|지)?\s(?!하|되|돼|됩|된|될|할|합|해|함|한)")
_IS_NOT: Final = Pattern(r"[가-힣]{0,4}?\s?(?:없|아니|못\s?[가-힣]|안\s?(?:되|돼|된))(?!죠|지\s?않|ㄴ가|가)")
_TOLD: Final = Pattern(r"[가-힣]?(?:라|래|란)(?:는|고|요|서|니|면|[.?!\s]|$)")
"""What somebody is told to do: "나가래요", "내라는데"."""
_ASKS_EN: Final = Pattern(
    r"\b(?:can|may|must|do|does|did|is|are|am|should|could|will|would)(?:n['’]t)?\s(?=(?:I|we|he|she|they|it|the|my|a|an|this|that|his|her|you|someone|somebody)\b)",
    re.IGNORECASE,
)
_CLAUSE: Final = Pattern(r"[가-힣](?:데|다고|라고|자고|다며|라며|니까|면서|지만)\s")
"""What ends a clause whose subject is none of what follows: "집주인이 더 달라는데 줘야 하나요"."""
_PASSIVE: Final = Pattern(r"\0당|\b(?:be|get|been|being) \0", re.IGNORECASE)
_AND: Final = Pattern(r"\band\b")
_MUST_EN: Final = Pattern(
    r"\bmust\b|\b(?:have|has|need|needs|supposed|obliged|required|bound|forced) to\b|\bhave got to\b|\bshould\b|\bneed(?:n.t)?\b|\bowe",
    re.IGNORECASE,
)
_MAY_EN: Final = Pattern(
    r"\bmay\b|\bcan(?:not|.t)?\b|\bcould\b|\ballowed\b|\bok(?:ay)?\b|\blegal(?:ly)?\b|\bpossible\b|\bright to\b|\bentitled\b|\bfree to\b|\bable to\b",
    re.IGNORECASE,
)
_NOT_EN: Final = Pattern(r"\bnot\b|n['’]t\b|\bcannot\b|\bnever\b|\bwithout\b|\bskip\b", re.IGNORECASE)
_TAG: Final = Pattern(
    r"^\W*(?:is|are|do|does|did|can|could|must|should|has|have|will|would|may)n['’]t\b", re.IGNORECASE
)
_TENANT: Final = Pattern(
    r"세입자|임차인|(?<![가-힣])(?:제|내|저|우리|나)(?:가|는|도|희)\b|\bI\b|\bwe\b|\btenants?\b|\bus\b|\bme\b|\bmy\b",
    re.IGNORECASE,
)
_LANDLORD: Final = Pattern(
    r"집\s?주인|임대인|건물주|(?<![가-힣])주인|매도인|중개사|소유자|\blandlord|\bowner|\blandlady|\bhe\b|\bshe\b|\bthey\b|\bseller\b|\bbuyer\b|\bagent\b",
    re.IGNORECASE,
)
_SPEAKER: Final = Pattern(r"(?<![가-힣])(?:제|내|저|우리|나)(?:가|는|도|희)\b|\bI\b|\bwe\b", re.IGNORECASE)
_LANDLORD_SPEAKS: Final = Pattern(
    r"(?:임대인|집주인|건물주)인데|(?:제|저희|우리)\s?(?:집\s?)?(?:세입자|임차인)|\b(?:I.m|I am|as) (?:a |the )?landlord|\bmy tenant",
    re.IGNORECASE,
)


class LawAct(Entry):
    """Something that the law may want, allow or forbid."""

    who: Literal["tenant", "landlord", "it", ""] = ""
    """Who does it where its verb tells that, `it` of what only is so; else its subject does."""
    words: str
    """Its verbs."""
    burden: bool = False
    """Whether nobody does it gladly: "쫓겨나나요" asks whether it must be, "돌려받나요" whether it may."""


class LawActs(Entry):
    """The acts, and what the law says of them in each situation."""

    acts: Mapping[str, LawAct]
    """The acts by their names."""
    situations: Mapping[str, Mapping[Stance, tuple[str, ...]]]
    """For each situation the acts that must be, may be and may not, each behind who does it."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """What a question asks whether it is so."""

    act: str
    """The act."""
    who: str
    """Who does it: tenant or landlord, `it` of what only is so, empty where nobody is named."""
    must: bool
    """Whether it asks for a duty; else for what is free."""
    denied: bool
    """Whether it asks for the opposite: "안 나가도 되나요"."""

    def verdict(self, stance: Stance) -> AskVerdict:
        """Return whether it is so by what the law says of the act."""
        holds = stance == "must" if self.must else stance != "not"
        return AskVerdict.YES if holds != self.denied else AskVerdict.NO

    def stance(self, stances: Mapping[str, Stance]) -> Stance | None:
        """Return what the law says of the act in a situation; None where it says nothing."""
        if self.who == "it":
            return stances.get(self.act)
        sides = (self.who,) if self.who else ("tenant", "landlord")
        return next((stances[name] for side in sides if (name := f"{side} {self.act}") in stances), None)


@cache
def acts() -> LawActs:
    """Return the acts and what the law says of them."""
    return LawActs.model_validate(read_yaml(_PACKAGE, _FILE))


@cache
def _verbs(name: str) -> Pattern:
    return Pattern(acts().acts[name].words, re.IGNORECASE)


def stances_of(situation: str) -> Mapping[str, Stance]:
    """Return what the law says of acts in a situation, by who does what; nothing where no act is declared."""
    declared = acts().situations.get(situation, {})
    return {name: stance for stance, names in declared.items() for name in names}


def propositions_in(text: str) -> Sequence[Proposition]:
    """Return what a message may ask whether it is so, the likeliest first: what its last question says last."""
    asked = asked_in(text)
    is_ko = _HANGUL.search(asked) is not None
    if not is_ko:
        last = asked[max((one.start() for one in _ASKS_EN.finditer(asked)), default=0) :]
        if any(_verbs(name).search(last) for name in acts().acts):
            asked = last
        else:
            # "Can I?", "is he right?" ask for what is said right before: the question goes before it.
            before = re.split(r"[.?!,;]\s", asked.removesuffix(last).rstrip(" .,;"))[-1]
            asked = f"{last.rstrip('?! ')} {before}"
    swapped = _LANDLORD_SPEAKS.search(text) is not None
    hits = [(name, hit) for name in acts().acts for hit in _verbs(name).finditer(asked)]
    hits.sort(key=lambda one: -one[1].start() if is_ko else one[1].start())
    if len(hits) > 1 and not is_ko and _AND.search(asked, hits[0][1].end(), hits[1][1].start()):
        # "Can I cancel and get it back" asks for what comes last.
        hits.append(hits.pop(0))
    if is_ko:
        # "2년을 채워야 나갈 수 있나" asks whether it must be filled.
        hits.sort(key=lambda one: _ONLY_IF.match(asked, one[1].end() - 1) is None)
    return [_read(name, hit, swapped=swapped) for name, hit in hits]


def leaving_asked(text: str) -> AskVerdict | None:
    """Return the verdict on having to leave of one who need not, where that is what a message asks."""
    first = next(iter(propositions_in(text)), None) if text.rstrip().endswith("?") else None
    if first is None or first.act not in {"leave", "evict"}:
        return None
    return first.verdict("may" if first.act == "leave" else "not")


def _read(name: str, hit: re.Match[str], *, swapped: bool) -> Proposition:
    act, text, start, end = acts().acts[name], hit.string, *hit.span()
    is_ko = _HANGUL.search(text) is not None
    if is_ko and _TOLD.match(text, end - 1):
        return Proposition(name, act.who or ("landlord" if swapped else "tenant"), must=True, denied=False)
    said = max(text.rfind(mark, 0, start) for mark in ".?!") + 1
    said = max((one.end() for one in _CLAUSE.finditer(text, said, start)), default=said)
    who = act.who or _subject(text[said:start], swapped=swapped)
    if not who and act.burden:
        who = "landlord" if swapped else "tenant"
    if not act.who and _PASSIVE.search(f"{text[:start]}\0{text[end:]}") is not None:
        who = "landlord"
    must, denied = _put_ko(text, start, end, act) if is_ko else _put_en(text, start, act)
    return Proposition(name, who, must, denied)


def _subject(before: str, *, swapped: bool) -> str:
    """Return who does what stands behind some words: who is named last; empty where nobody is."""
    tenant = max((one.end() for one in _TENANT.finditer(before)), default=-1)
    landlord = max((one.end() for one in _LANDLORD.finditer(before)), default=-1)
    if tenant == landlord:
        return ""
    speaks = "landlord" if swapped else "tenant"
    if landlord > tenant:
        return "landlord"
    return speaks if _SPEAKER.search(before) else "tenant"


def _put_ko(text: str, start: int, end: int, act: LawAct) -> tuple[bool, bool]:
    """Return whether a duty is asked for, and whether the opposite is, by what stands around a verb."""
    before, behind = text[max(0, start - 4) : start], text[end - 1 :]
    said = _NEGATED_BEFORE.search(before) or _NEGATED_WITHIN.search(text, start, end) or _NEGATED_BEHIND.match(behind)
    negated = said is not None
    if _MUST.match(behind) or _ONLY_IF.match(behind):
        return True, negated or _BARRED.search(behind) is not None
    if _MAY.match(behind) or (negated and _MAY.search(behind)):
        # "안 나가도 되나요" asks whether leaving is no duty.
        return (True, True) if negated else (False, _BARRED.search(behind) is not None)
    return act.burden, negated or _IS_NOT.match(behind) is not None


def _put_en(text: str, start: int, act: LawAct) -> tuple[bool, bool]:
    before = _TAG.sub("", text[max(0, start - 60) : start])
    must = max((one.end() for one in _MUST_EN.finditer(before)), default=-1)
    may = max((one.end() for one in _MAY_EN.finditer(before)), default=-1)
    negated = _NOT_EN.search(before) is not None
    if may > must:
        # "Can I not pay", "can I live here without paying" ask whether it is no duty.
        is_free = _NOT_EN.search(before, may) is not None
        return is_free, negated
    return must >= 0 or act.burden, negated
