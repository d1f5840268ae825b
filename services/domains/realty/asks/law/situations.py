"""The situations of leases, sales, shops and taxes that the law answers, and which of them a question tells.

words      regular expressions that must all be said, and none of others (law.yaml)
examples   what people say of it: the nearest situation answers where it is near enough
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from pydantic import Field

from services.contract.asks import AskForm, AskVerdict
from services.domains.realty.asks.law.asked import asked_in
from services.domains.realty.asks.law.propositions import propositions_in, stances_of
from services.domains.realty.asks.law.stated import FILE as FACTS_FILE
from services.domains.realty.asks.law.stated import Declared, compiled, facts, says_who_does
from services.plugin.asks.forms import confirms_denial, forms_in
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual, Entry
from services.text.likeness import Likeness, words_of
from services.text.patterns import Pattern
from services.text.weighing import FactMeaning

SURE: Final = 0.6
"""From this nearness on the examples are sure whatever the words say."""
ALIKE: Final = 0.7
"""From this nearness on a question is one of its examples in other words: it is about nothing else."""
NEAR: Final = 0.48
"""From this nearness on a question is near to an example, and no more than that where two situations are as near."""
_FAINT: Final = 0.38
"""From this nearness on the examples bear out what the words tell."""
_FITTED: Final = 0.65
"""What it counts how much a question is of a situation and of no other by all examples together: 1 plainly, -1 not."""
_USUAL: Final = -0.4
"""How much a question that is faintly of a situation is of it by all examples together."""
_BY_WORDS: Final = 0.15
"""What it counts that the words tell a situation."""
_NEAR_ENOUGH: Final = 0.4
"""From here on, all weighed together, a situation is told at all."""
_NEAR_ALONE: Final = 0.38
"""From here on it is where nothing else is nearly as likely."""
_BORNE_OUT: Final = 0.3
"""The same where the message states all that the situation needs and something that speaks for it."""
_APART: Final = 0.12
"""How far the next situation has to be for one to be told alone; else both are."""
_VERDICTS_APART: Final = 0.28
"""The same where the two have another verdict each, for a wrong one is worse than both."""
_PLAINLY: Final = 0.15
"""How far before all others what is nearest by its examples stands whatever else speaks for another."""
_CLEAR: Final = 0.2
"""How far the next one has to be for a situation that is near to be sure."""
_GATED: Final = 0.1
"""What it counts that the words are said which a situation of examples cannot do without."""
_DEFINED: Final = r"\bwhat(?:['’]?s| is| are| does)\b|뭐|뭔|뜻|무슨"
"""What asks for what something means, which takes few words."""
_WORDS_MIN: Final = (2, 4)
"""How many words of meaning a question has at least to be known by its examples, in Korean and in English."""
_MEANS: Final = 0.1
"""What it counts that a question asks only what something means, and a situation says that."""
_STEPS: Final = 0.08
"""What it counts that a question asks what to do, and a situation tells steps."""
_SHOP: Final = (
    r"상가|가게|점포|매장|사무실|권리금|\bshops?\b|\bstores?\b|\boffice\b|business premises|commercial|key money"
)
FILE: Final = "law_examples.npz"
"""The vectors of the examples; `python -m services.domains.realty.asks.encoding` writes them."""
FITTED: Final = "law_fitted.npz"
"""What is fitted to all examples together, written with them."""
_PACKAGE: Final = "services.domains.realty.asks.law"
_FILES: Final = ("law.yaml", "law_by_examples.yaml")
OTHER: Final = "other"
"""What sounds like a situation and is none."""
_SAYS: Final = "law_says.yaml"
"""More of what people say of the situations."""
_STATED: Final = 0.12
"""What it counts that a fact is stated which speaks for a situation."""
_NEEDED: Final = 0.06
"""What it counts that all is stated which it cannot be without."""
_HANGUL: Final = Pattern("[가-힣]")
_DECIDED: Final = frozenset({AskVerdict.YES, AskVerdict.NO})
_DENIES: Final = Pattern(r"수\s없|못\s?[가-힣]|안\s됩|금지|무효")
_FIRST_SENTENCE: Final = Pattern(r".+?(?:[.](?=\s|$)|$)", re.DOTALL)
_LEAD_KO: Final = Pattern(r"^(?:네|아니요|경우에 따라 다릅니다)[,.]\s?")
_LEAD_EN: Final = Pattern(r"^(?:Yes|No|It depends)[,;:]\s?")


class Situation(Entry):
    """One situation with what the law says to it."""

    id: str
    """Its name."""
    all: tuple[str, ...] = ()
    """Regular expressions that must all be found."""
    none: tuple[str, ...] = ()
    """Regular expressions of which none may be found."""
    forms: tuple[AskForm, ...] = ()
    """Forms of a question that its words answer; any where empty."""
    of: Literal["home", "shop"] = "home"
    """Whether it is of homes, or of shops, which another law protects."""
    form: AskForm
    """The form that it is answered in where the words leave it open."""
    verdict: Literal["yes", "no", "depends", ""] = ""
    """The verdict on what is usually asked, where no act is; empty for none."""
    ko: str
    """The answer in Korean."""
    en: str
    """The answer in English."""
    steps: tuple[Bilingual, ...] = ()
    """What to do, in order."""
    cautions: tuple[Bilingual, ...] = ()
    """What to keep in mind."""
    articles: tuple[str, ...] = Field(min_length=1)
    """Ids of the articles that it rests on."""
    window: Literal["renewal", "notice", ""] = ""
    """Whether days before the end of the lease are computed."""
    in_time: str = ""
    """The situation that it is where a yes or no is asked for and the time is right for it; empty for itself."""
    too_late: str = ""
    """The situation that it is where the lease ends too soon for it; empty where that decides nothing."""
    too_early: str = ""
    """The one that it is where the lease still runs too long."""
    says: tuple[str, ...] = ()
    """What people say of it, in both languages."""
    has: tuple[str, ...] = ()
    """SituationFacts that speak for it where one of them is stated (regular expressions)."""
    lacks: tuple[str, ...] = ()
    """SituationFacts of which none may be stated."""
    needs: tuple[tuple[str, ...], ...] = ()
    """Groups of facts of each of which one has to be stated."""

    def verdict_on(self, text: str) -> AskVerdict | None:
        """Return yes, no or that it depends, as a question puts it; None without a verdict."""
        usual = {"yes": AskVerdict.YES, "no": AskVerdict.NO, "depends": AskVerdict.DEPENDS}.get(self.verdict)
        if usual not in _DECIDED:
            return usual
        asks = text.rstrip().endswith("?") or AskForm.VERDICT in forms_in(asked_in(text))
        asked = propositions_in(text) if asks else ()
        stances = stances_of(self.id)
        told = ((one, stance) for one in asked if (stance := one.stance(stances)) is not None)
        if (found := next(told, None)) is not None:
            return found[0].verdict(found[1])
        if asked and asked[0].who != "it":
            # Whether somebody may or must do this is another thing than the verdict is on.
            return None
        if confirms_denial(text):
            # What is supposed not to be may be another thing than the verdict is on: yes only to what the law denies.
            return AskVerdict.YES if _DENIES.search(self.opening()[0]) else None
        return usual

    def core(self) -> tuple[str, str]:
        """Return the answer without yes or no before it, in Korean and English."""
        ko, en = _LEAD_KO.sub("", self.ko), _LEAD_EN.sub("", self.en)
        return ko, en[:1].upper() + en[1:]

    def opening(self) -> tuple[str, str]:
        """Return the first sentence of the answer without yes or no before it, in Korean and English."""
        ko, en = (_FIRST_SENTENCE.match(core)[0] for core in self.core())  # type: ignore[index]
        return ko, en

    def asked(self) -> tuple[str, str]:
        """Return a question that people ask of it, in Korean and English."""
        ko = next((one for one in self.says if _HANGUL.search(one)), self.id)
        en = next((one for one in self.says if not _HANGUL.search(one)), ko)
        return ko, en

    @property
    def has_words(self) -> bool:
        """Whether its words alone may tell it."""
        return bool(self.forms)


@cache
def situations() -> tuple[Situation, ...]:
    """Return the situations in the order of trying."""
    found: list[Situation] = []
    for name in _FILES:
        document = read_yaml(_PACKAGE, name)
        if not isinstance(document, list):
            raise TypeError(f"{name} is a list of situations")
        found += [Situation.model_validate(one) for one in document]
    return tuple(_with_facts(_with_more(found)))


def _with_facts(found: list[Situation]) -> list[Situation]:
    """Return situations with the facts that tell them from their neighbours."""
    table = facts()
    if not table.situations.keys() <= {one.id for one in found}:
        raise ValueError(f"{FACTS_FILE}: a situation that there is not")
    named = table.by_name()
    told = {name: _declared(named, one) for name, one in table.situations.items()}
    return [one.model_copy(update=told.get(one.id, {})) for one in found]


def _declared(named: Mapping[str, str], one: Declared) -> dict[str, Any]:
    """Return what a situation declares of facts, each as its words."""
    return {
        "has": tuple(named[fact] for fact in one.get("has", ())),
        "lacks": tuple(named[fact] for fact in one.get("lacks", ())),
        "needs": tuple(tuple(named[fact] for fact in group.split("|")) for group in one.get("needs", ())),
    }


def _with_more(found: list[Situation]) -> list[Situation]:
    """Return situations with what else people say of them."""
    more = dict(_more())
    if not more.keys() <= {OTHER, *(one.id for one in found)}:
        raise ValueError(f"{_SAYS}: a situation that there is not")
    return [one.model_copy(update={"says": (*one.says, *more.pop(one.id, ()))}) for one in found]


@cache
def _more() -> Mapping[str, tuple[str, ...]]:
    document = read_yaml(_PACKAGE, _SAYS)
    if not isinstance(document, dict):
        raise TypeError(f"{_SAYS} maps situations to what people say of them")
    return {str(name): tuple(map(str, texts)) for name, texts in document.items()}


def situations_of(sheet: Sheet, *, in_part: bool = False) -> tuple[tuple[Situation, ...], float]:
    """Return the situation that a question tells, and how near it is to its examples; two where it may be either.

    What its words tell and what is nearest by its examples is weighed by what all examples say together; none where
    nothing is near enough.

    Args:
        sheet: The question.
        in_part: Whether it is a part of a message, which says in few words what others around it leave to it.
    """
    scores = _scores(sheet, in_part=in_part)
    by_words = next((one for one in situations() if one.has_words and _says(one, sheet)), None)
    if not scores:
        return ((by_words,), 0.0) if by_words is not None else ((), 0.0)
    weighed = _weighed(sheet, scores, by_words)
    first, rest = weighed[0], [one for one in weighed[1:] if not are_twins(weighed[0][1], one[1])]
    ahead = first[0] - (rest[0][0] if rest else 0.0)
    nearness = scores.get(first[1].id, (0.0,))[0]
    least = (_BORNE_OUT if _is_borne_out(first[1], sheet) else _NEAR_ALONE) if ahead >= _PLAINLY else _NEAR_ENOUGH
    if first[0] < least:
        return (), 0.0
    if rest and ahead < (_VERDICTS_APART if _judge_otherwise(first[1], rest[0][1]) else _APART):
        return (first[1], rest[0][1]), min(nearness, NEAR)
    if (first[1] is by_words and nearness >= _FAINT) or (nearness >= NEAR and ahead >= _CLEAR):
        # Words and meaning say the same, or nothing else is nearly as near: as sure as an example in other words.
        return (first[1],), max(nearness, SURE)
    return (first[1],), nearness


def _judge_otherwise(one: Situation, other: Situation) -> bool:
    """Tell whether two situations have another verdict each."""
    return bool(one.verdict and other.verdict) and one.verdict != other.verdict


def _weighed(
    sheet: Sheet, scores: Mapping[str, tuple[float, Situation]], by_words: Situation | None
) -> list[tuple[float, Situation]]:
    """Return situations by how much speaks for each, the likeliest first."""
    fitted = dict(meaning().of(sheet.text))
    nearest = sorted((near for near, _ in scores.values()), reverse=True)
    if nearest[0] >= ALIKE and nearest[0] - (nearest[1] if len(nearest) > 1 else 0.0) >= _PLAINLY:
        return sorted(scores.values(), key=lambda one: -one[0])
    weighed = {name: (near + _FITTED * (fitted[name] - _USUAL), one) for name, (near, one) in scores.items()}
    if by_words is not None:
        least = min(near for near, _ in weighed.values())
        weighed[by_words.id] = (weighed.get(by_words.id, (least,))[0] + _BY_WORDS, by_words)
    return sorted(weighed.values(), key=lambda one: -one[0])


def _says(one: Situation, sheet: Sheet) -> bool:
    said = _is_open(one, sheet) and _is_of_kind(one, sheet)
    return said and (not sheet.forms or any(form in one.forms for form in sheet.forms))


def _is_of_kind(one: Situation, sheet: Sheet) -> bool:
    """Tell whether a situation is of what a question is about: a shop, or a home."""
    return (one.of == "shop") == sheet.says(_SHOP)


def _is_open(one: Situation, sheet: Sheet) -> bool:
    """Tell whether what must be said is said, and nothing that must not be."""
    return all(compiled(words).search(sheet.text) for words in one.all) and not _is_kept_out(one, sheet)


def is_contradicted(one: Situation, sheet: Sheet) -> bool:
    """Tell whether a message states what a situation cannot be with."""
    return any(compiled(words).search(sheet.text) for words in one.lacks)


def _is_unstated(one: Situation, sheet: Sheet) -> bool:
    """Tell whether a message does not state what a situation cannot be without: no arrears without rent that is owed."""
    return not all(any(compiled(words).search(sheet.text) for words in group) for group in one.needs)


def _is_borne_out(one: Situation, sheet: Sheet) -> bool:
    """Tell whether a message states all that a situation needs, and what speaks for it."""
    needed = {words for group in one.needs for words in group}
    speaks = any(compiled(words).search(sheet.text) for words in one.has if words not in needed)
    return (speaks or len(one.needs) > 1) and bool(one.needs) and not _is_unstated(one, sheet)


def _is_kept_out(one: Situation, sheet: Sheet) -> bool:
    """Tell whether something is said that a situation cannot be with, or what it cannot be without is not."""
    said = is_contradicted(one, sheet) or any(compiled(words).search(sheet.text) for words in one.none)
    return said or _is_unstated(one, sheet)


@cache
def likeness() -> Likeness:
    """Return what people say of each situation, by which the nearest is found."""
    return Likeness(_examples(), resources.files(_PACKAGE).joinpath(FILE))


@cache
def meaning() -> FactMeaning:
    """Return what people say of each situation and what they state, weighed against what they say of all others."""
    return FactMeaning(_examples(), facts().by_name(), resources.files(_PACKAGE).joinpath(FITTED))


def wordings() -> tuple[str, ...]:
    """Return what people say of all situations."""
    return tuple(text for texts in _examples().values() for text in texts)


def _examples() -> Mapping[str, tuple[str, ...]]:
    return {**{one.id: one.says for one in situations() if one.says}, OTHER: _more()[OTHER]}


def _scores(sheet: Sheet, *, in_part: bool) -> dict[str, tuple[float, Situation]]:
    """Return how near a question is to each situation by its examples."""
    open_ = {one.id: one for one in situations() if one.says and _is_open_by_examples(one, sheet)}
    least = _WORDS_MIN[0] if in_part else _WORDS_MIN[sheet.language == "en"]
    brief = len(words_of(sheet.text)) < least and not sheet.says(_DEFINED)
    is_far = brief or not likeness().may_be(sheet.text, open_.keys())
    if is_far and not says_who_does(sheet.text):
        return {}
    scores = likeness().scores(sheet.text, {*open_, OTHER})
    open_ = {
        name: one for name, one in open_.items() if scores.get(name, 0.0) + _bonus(one, sheet) > scores.get(OTHER, 0.0)
    }
    scores = {name: score for name, score in scores.items() if name in open_}
    means = set(sheet.forms) == {AskForm.DEFINE}
    return {
        name: (
            score + _bonus(open_[name], sheet) + (_MEANS if means and open_[name].form is AskForm.DEFINE else 0.0),
            open_[name],
        )
        for name, score in scores.items()
    }


def _bonus(one: Situation, sheet: Sheet) -> float:
    gated = _GATED if one.all and not one.has_words else 0.0
    if AskForm.PROCEDURE in sheet.forms and one.form is AskForm.PROCEDURE:
        gated += _STEPS
    if one.needs and not _is_unstated(one, sheet):
        gated += _NEEDED
    return gated + (_STATED if any(compiled(words).search(sheet.text) for words in one.has) else 0.0)


def are_kin(one: Situation, other: Situation) -> bool:
    """Tell whether two situations are one law, told as what it means, what follows or what to do."""
    return any({one.id, other.id} <= kin for kin in facts().kin)


def are_twins(one: Situation, other: Situation) -> bool:
    """Tell whether either of two situations is the answer to what is near to both: kin, or one verdict by one article."""
    if are_kin(one, other):
        return True
    return bool(one.verdict) and one.verdict == other.verdict and one.articles[0] == other.articles[0]


def _is_open_by_examples(one: Situation, sheet: Sheet) -> bool:
    """Tell whether examples may decide: a situation with words of its own is kept out by what these exclude."""
    if not _is_of_kind(one, sheet):
        return False
    if one.has_words:
        return not _is_kept_out(one, sheet)
    return _is_open(one, sheet)
