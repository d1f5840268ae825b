"""The situations of leases, sales, shops and taxes that the law answers, and which of them a question tells.

words      regular expressions that must all be said, and none of others (law.yaml)
examples   what people say of it: the nearest situation answers where it is near enough
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from services.contract.asks import AskForm, AskVerdict
from services.domains.realty.asks.law_vectors import vectors_of
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual, Entry
from services.text.encoder import encode
from services.text.morphemes import morphemes

if TYPE_CHECKING:
    from numpy import ndarray

SURE: Final = 0.6
"""From this nearness on the examples decide whatever the words say."""
NEAR: Final = 0.48
"""From this nearness on they decide where the words tell no situation."""
_AHEAD: Final = 0.06
"""How much nearer a situation is by its examples than the one that the words tell, to be believed before it."""
_MARGIN: Final = 0.03
_GATED: Final = 0.1
"""What it counts that the words are said which a situation of examples cannot do without."""
_SHOP: Final = (
    r"상가|가게|점포|매장|사무실|권리금|\bshops?\b|\bstores?\b|\boffice\b|business premises|commercial|key money"
)
_WEIGHTS: Final = (0.5, 0.3, 0.2)
"""What the meaning counts, the words of the example, and the words of all its situation's examples."""
_FILES: Final = ("law.yaml", "law_by_examples.yaml")
_CONTENT: Final = frozenset({"NNG", "NNP", "VV", "VA", "SL", "XR", "MAG"})
_ENGLISH_STOP: Final = frozenset(
    (
        *("the", "a", "an", "i", "my", "is", "it", "to", "of", "in", "and", "do", "does", "what", "how", "can", "may"),
        *("if", "for", "be", "me", "with", "that", "on", "at", "they", "he", "am"),
    )
)
_STEM: Final = 6
_OPPOSITE: Final = {AskVerdict.YES: AskVerdict.NO, AskVerdict.NO: AskVerdict.YES}
_LEAD_KO: Final = re.compile(r"^(?:네|아니요|경우에 따라 다릅니다)[,.]\s?")
_LEAD_EN: Final = re.compile(r"^(?:Yes|No|It depends)[,;:]\s?")


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
    """The verdict on what is usually asked; empty for none."""
    flips: str = ""
    """Words by which a question asks the opposite, so that the other verdict holds: "stay" instead of "have to leave"."""
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
    window: Literal["renewal", ""] = ""
    """Whether days before the end of the lease are computed."""
    says: tuple[str, ...] = ()
    """What people say of it, in both languages."""

    def verdict_on(self, text: str) -> AskVerdict | None:
        """Return yes, no or that it depends, as a question puts it; None without a verdict."""
        usual = {"yes": AskVerdict.YES, "no": AskVerdict.NO, "depends": AskVerdict.DEPENDS}.get(self.verdict)
        if usual in _OPPOSITE and self.flips and _compiled(self.flips).search(text):
            return _OPPOSITE[usual]
        return usual

    def core(self) -> tuple[str, str]:
        """Return the answer without yes or no before it, in Korean and English."""
        ko, en = _LEAD_KO.sub("", self.ko), _LEAD_EN.sub("", self.en)
        return ko, en[:1].upper() + en[1:]

    @property
    def has_words(self) -> bool:
        """Whether its words alone may tell it."""
        return bool(self.forms)


@cache
def situations() -> tuple[Situation, ...]:
    """Return the situations in the order of trying."""
    found: list[Situation] = []
    for name in _FILES:
        document = read_yaml("services.domains.realty.asks", name)
        if not isinstance(document, list):
            raise TypeError(f"{name} is a list of situations")
        found += [Situation.model_validate(one) for one in document]
    return tuple(found)


def situation_of(sheet: Sheet) -> tuple[Situation | None, float]:
    """Return the situation that a question tells, and how near it is to its examples; None where it tells none."""
    scores = _scores(sheet)
    near = _clear_first(scores)
    nearness = scores.get(near.id, (0.0,))[0] if near is not None else 0.0
    by_words = next((one for one in situations() if one.has_words and _says(one, sheet)), None)
    if near is not None and by_words is not None:
        ahead = nearness - scores.get(by_words.id, (0.0,))[0]
        return (near, nearness) if nearness >= SURE or (nearness >= NEAR and ahead >= _AHEAD) else (by_words, 0.0)
    if by_words is not None:
        return by_words, 0.0
    return (near, nearness) if near is not None and nearness >= NEAR else (None, 0.0)


def _says(one: Situation, sheet: Sheet) -> bool:
    said = _is_open(one, sheet) and _is_of_kind(one, sheet)
    return said and (not sheet.forms or any(form in one.forms for form in sheet.forms))


def _is_of_kind(one: Situation, sheet: Sheet) -> bool:
    """Tell whether a situation is of what a question is about: a shop, or a home."""
    return (one.of == "shop") == sheet.says(_SHOP)


def _is_open(one: Situation, sheet: Sheet) -> bool:
    """Tell whether what must be said is said, and nothing that must not be."""
    return all(_compiled(words).search(sheet.text) for words in one.all) and not any(
        _compiled(words).search(sheet.text) for words in one.none
    )


@lru_cache(maxsize=512)
def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


@dataclass(frozen=True)
class _Examples:
    """All examples, by place: their situation, their words; and how rare each word is."""

    owners: tuple[Situation, ...]
    words: tuple[frozenset[str], ...]
    spoken: Mapping[str, frozenset[str]]
    rarity: Mapping[str, float]
    unknown: float

    def weight(self, words: frozenset[str]) -> float:
        """Return what words weigh together."""
        return sum(self.rarity.get(word, self.unknown) ** 2 for word in words)


@cache
def example_vectors() -> ndarray:
    """Return the vectors of all examples, a row each."""
    return vectors_of(example_texts())


def example_texts() -> list[str]:
    """Return all examples in the order of their vectors."""
    return [text for one in situations() for text in one.says]


@cache
def _examples() -> _Examples:
    owners = tuple(one for one in situations() for _ in one.says)
    words = tuple(_words(text) for one in situations() for text in one.says)
    spoken: dict[str, set[str]] = {}
    for owner, said in zip(owners, words, strict=True):
        spoken.setdefault(owner.id, set()).update(said)
    having = Counter(word for said in spoken.values() for word in said)
    rarity = {word: math.log(1 + len(spoken) / count) for word, count in having.items()}
    bags = {name: frozenset(said) for name, said in spoken.items()}
    return _Examples(owners, words, bags, rarity, math.log(1 + 2 * len(spoken)))


def _scores(sheet: Sheet) -> dict[str, tuple[float, Situation]]:
    """Return how near a question is to each situation by its examples."""
    known, words = _examples(), _words(sheet.text)
    shared = [words & said for said in known.words]
    whole = known.weight(words) or 1.0
    if not any(known.weight(one) / whole >= _SHARED_MIN for one in shared):
        return {}
    cosines = example_vectors() @ encode([sheet.text])[0]
    best: dict[str, tuple[float, Situation]] = {}
    for at, owner in enumerate(known.owners):
        if not _is_open_by_examples(owner, sheet):
            continue
        by_word = known.weight(shared[at]) / math.sqrt(whole * (known.weight(known.words[at]) or 1.0))
        by_bag = known.weight(words & known.spoken[owner.id]) / whole
        score = sum(w * v for w, v in zip(_WEIGHTS, (float(cosines[at]), by_word, by_bag), strict=True))
        score += _GATED if owner.all and not owner.has_words else 0.0
        if score > best.get(owner.id, (0.0, owner))[0]:
            best[owner.id] = (score, owner)
    return best


_SHARED_MIN: Final = 0.05
"""What of a question's words an example has to have before meanings are compared."""


def _clear_first(scores: Mapping[str, tuple[float, Situation]]) -> Situation | None:
    """Return the nearest situation; None where another is as near."""
    ranked = sorted(scores.values(), key=lambda one: -one[0])
    if not ranked or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _MARGIN):
        return None
    return ranked[0][1]


def _is_open_by_examples(one: Situation, sheet: Sheet) -> bool:
    """Tell whether the examples of a situation may decide: those that have words of their own keep out what these exclude."""
    if not _is_of_kind(one, sheet):
        return False
    if one.has_words:
        return not any(_compiled(words).search(sheet.text) for words in one.none)
    return _is_open(one, sheet)


def _words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning: Korean stems, the beginnings of English words."""
    korean = {one.lemma for one in morphemes(text) if one.tags[0] in _CONTENT and not one.lemma.isascii()}
    english = {word[:_STEM] for word in re.findall(r"[a-z]+", text.lower()) if word not in _ENGLISH_STOP}
    return frozenset(korean | english)
