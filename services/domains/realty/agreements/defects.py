"""What a contract does to a tenant or buyer that it may not: its passages held against defects.yaml. Pure.

A passage is read as what it does. Facets say who, what, how far and when; a no that stands beside a facet denies it,
unless it belongs to a condition ("if the tenant does not ..."). Figures count by what they are for: a rise's percentage,
the months between two rises, the months of a term by its days or its length, the delay of a repayment.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from services.domains.realty.agreements.clause_model import likeness
from services.domains.realty.agreements.passages import Passage, months_between, passages_of
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual
from services.text.patterns import Pattern

MeasureOf = Literal["percent", "interval_months", "term_months"]
_NO_KO: Final = (
    r"[^.,]{0,18}?(?:(?:하|되|받|옮기|내|쓰|들|주|지|달|묻)?지\s?(?:않|아니|못|말)|않(?:기로|는|은|으며)|못\s?(?:하|한|할|함)|수\s?없|불가|금지|금한|포기|"
    r"아니\s?(?:하|한)|안\s?(?:된|되|하|한|돼)|받지\s?않|없(?:다|음|으며|는)|배제|제한된|상실|면한|면제|사절|삼간|없이)"
)
_FORBID_KO: Final = r"[^.,]{0,8}?(?:(?:하|되|받|오|가|내|리)?지\s?(?:않|아니|못|말)|못\s?(?:하|한|할|함)|수\s?없|불가|금지|안\s?(?:된|되|돼))"
_FORBID_EN: Final = r"\b(?:not|never|cannot|neither)\b[^.;]{0,20}?"
_IF_KO: Final = Pattern(
    r"[가-힣]{0,3}\s?(?:경우|때(?!까지)|으면|면(?![가-힣제한])|시(?:에|엔)?(?:\s|$)|한\s?때)|아\s?(?:생|발생)|은\s?(?:손해|책임)"
)
_BARRIER_KO: Final = Pattern(r"다음\s?날|까지|마친|하고|받고|(?:이|가)\s?아니라|방해|막")
_NO_EN: Final = (
    r"(?:\bnot\b|n't\b|\bno\b|\bnever\b|\bnor\b|\bwithout\b|\bcannot\b|refrain(?:s|ing)? from|prohibited from|forbidden (?:to|from)|barred from"
    r"|\bwaiv\w+|giv(?:es|e|ing) up|\bforgo\w*|relinquish\w*|surrender\w*|\bexclud\w+|\bdisclaim\w*|\bfree (?:of|from)|\brelease[sd]?\b|renounc\w+)"
    r"[^.;]{0,48}?"
)
_NO_EN_BEHIND: Final = r"[^.;,]{0,24}?(?:\b(?:is|are|shall be|will be) (?:not|excluded|barred|waived|forbidden|prohibited|ruled out)|\bnot (?:available|permitted|allowed|possible|granted))"
_BARRIER_EN: Final = Pattern(
    r"until|before|after|unless|mortgage|burden|hinder|obstruct|prevent|later than|less than|more than|refuse|only",
    re.IGNORECASE,
)
_IF_EN: Final = Pattern(r"\b(?:if|where|unless|in case|should)\b[^,.;]{0,60}$", re.IGNORECASE)
_RECURRING: Final = (
    (Decimal(1), r"매월|매달|다달이|\bmonthly (?:review|adjust|increase)|every month|each month"),
    (Decimal(3), r"분기(?:마다|별)|매\s?분기|quarterly|every quarter|each quarter"),
    (Decimal(6), r"반기(?:마다|별)|매\s?반기|반년마다|half-?yearly|semi-?annual|twice a year|every half[- ]year"),
)
_EVERY: Final = Pattern(r"에\s?한\s?(?:번|차례)|마다|every|each|간격|주기", re.IGNORECASE)
_NOT_A_TERM: Final = Pattern(
    r"^['’]?s?\s?(?:여유|말미|예고|전|이전|이내|안에|내에|뒤|후|마다|만에|before|prior|notice|warning|after|later|of (?:the )?(?:tenant|moving|leaving|rent)|in arrears|rent)",
    re.IGNORECASE,
)
_BEFORE_NO_TERM: Final = Pattern(r"(?:within|after|every|at least|and|between|up to|than|하루)\s$", re.IGNORECASE)
_OF_A_TERM: Final = Pattern(
    r"(?:기간|임대|계약|거주)[^.]{0,40}$|\b(?:for|term|terms|period|runs?|lasts?|tenancy|lease)\b[^.,]{0,30}$",
    re.IGNORECASE,
)
_TERM_BEHIND: Final = Pattern(
    r"^\s?(?:간|동안|으로|로\s?(?:한|정)|짜리|단기|계약|term|lease|tenancy|period|starting|from|beginning|commencing)",
    re.IGNORECASE,
)
_RENT_WORDS: Final = Pattern(r"(?:차임|월세|연체|밀린|이자)[^.]{0,8}$")
_OF_TEN: Final = Pattern(r"(?P<n>[1-9]|일|이|삼|사|오|한|두|세|네|다섯)\s?할(?!인|부|당|증|로\s?낮)")
_TENTHS: Final = {
    **{str(one): one * 10 for one in range(1, 10)},
    **dict(zip("일이삼사오한두세네", (10, 20, 30, 40, 50, 10, 20, 30, 40), strict=True)),
    "다섯": 50,
}
_TWELVE: Final = Pattern(r"열두\s?달|한\s?해(?=\s?(?:로|동안|간))")
_NEAR: Final = 60
_SALE: Final = "sale_words"
"""Marks a kind that a contract of sale cannot have: there is no lease in it."""
_NEAR_ENOUGH: Final = -0.33
"""From this likeness on a passage means a defect, where it says what such a passage has to say and nothing excuses it."""
_FAIR_SHAPES: Final = ("tenant_may!negated",)
"""What makes a passage fair whatever it is near to: it gives the tenant, or both sides, a right."""
_PLAINLY: Final = -0.05
"""From this likeness on it means one whatever words it uses, where nothing excuses it."""
_WHOLE: Final = 100
_FAIR_DELAY_DAYS: Final = 7
_PENALTY_SHARE: Final = Decimal(10)
_DAYS: Final = {"days": 1, "weeks": 7, "months": 30, "years": 365}
_DELAYED: Final = Pattern(
    r"\s?(?:이내|안|내에|뒤|후|지나|경과|이\s?지난|after|of\b|from\b|following|later|(?:of )?(?:the )?(?:tenant|expiry))",
    re.IGNORECASE,
)


class DefectMeasure(BaseModel):
    """A figure that has to be beyond what is fair."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    of: MeasureOf
    """What is measured."""
    above: Decimal | None = None
    """The greatest fair figure."""
    below: Decimal | None = None
    """The least fair figure."""

    def beyond(self, figures: Iterator[Decimal]) -> Decimal | None:
        """Return the figure that is farthest beyond what is fair; None where none is."""
        if self.above is not None:
            return max((one for one in figures if one > self.above), default=None)
        return min((one for one in figures if self.below is not None and one < self.below), default=None)


class DefectKind(BaseModel):
    """One kind of defect."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Its name."""
    name: Bilingual
    """What it is called."""
    why: Bilingual
    """Why it is one, without a full stop; {stated} is its figure."""
    all: tuple[str, ...] = ()
    """Facets that the passage has."""
    any: tuple[tuple[str, ...], ...] = ()
    """Of each list one."""
    denied: str = ""
    """A facet that the passage denies."""
    none: tuple[str, ...] = ()
    """Facets that excuse it."""
    about: str = ""
    """A facet that a passage has in any case where it is found by its meaning; empty for none."""
    needs: tuple[str, ...] = ()
    """Facets that a passage has at least where it is found by its meaning."""
    spared: tuple[str, ...] = ()
    """Facets that excuse it where it is found by its meaning alone."""
    measure: DefectMeasure | None = None
    """A figure that has to be beyond what is fair."""
    articles: tuple[str, ...]
    """Ids of the articles that it rests on."""


class Defects(BaseModel):
    """The facets of passages and the kinds of defects, the gravest first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    facets: dict[str, str]
    """Regular expressions by name."""
    defects: tuple[DefectKind, ...]
    """The kinds."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect in a contract."""

    kind: DefectKind
    """What it is."""
    passage: Passage
    """Where it stands."""
    stated: Decimal | None = None
    """The figure that the contract states; None where it is about words."""

    @property
    def limit(self) -> Decimal | None:
        """What the figure is held against."""
        measure = self.kind.measure
        return None if measure is None else measure.above or measure.below

    @property
    def why(self) -> Bilingual:
        """Why it is a defect, with its figure, without a full stop."""
        if self.stated is None or self.kind.measure is None:
            return self.kind.why
        figure = f"{self.stated.normalize():f}"
        ko, en = _FIGURES[self.kind.measure.of]
        return Bilingual(
            ko=self.kind.why.ko.replace("{stated}", ko.format(figure)),
            en=self.kind.why.en.replace("{stated}", en.format(figure)),
        )


_FIGURES: Final[dict[MeasureOf, tuple[str, str]]] = {
    "percent": ("{}%", "{}%"),
    "interval_months": ("{}개월마다의", "every {} months"),
    "term_months": ("{}개월의", "{} months"),
}


@cache
def known() -> Defects:
    """Return the table of defects.yaml.

    Raises:
        pydantic.ValidationError: The data is malformed; the text names the entry.
    """
    return Defects.model_validate(read_yaml("services.domains.realty.agreements", "defects.yaml"))


def defects_of(text: str, *, is_sale: bool = False) -> tuple[Defect, ...]:
    """Return the defects of a contract, the gravest first; each kind once, by its first passage.

    Args:
        text: The contract or a part of it.
        is_sale: Whether it is a sale, in which the law of leases says nothing.
    """
    passages = passages_of(text)
    plain = {kind.id: next(_found(kind, passages, is_sale=is_sale), None) for kind in known().defects}
    # What a passage plainly says is not told a second time by its likeness to another kind.
    told = {one.passage.text for one in plain.values() if one is not None}
    rest = tuple(one for one in passages if one.text not in told)
    meant = _meant(rest)
    found = (
        plain[kind.id] or next(_found_by_meaning(kind, rest, meant, is_sale=is_sale), None) for kind in known().defects
    )
    return tuple(one for one in found if one is not None)


def _meant(passages: tuple[Passage, ...]) -> list[tuple[str, float]]:
    """Return for each passage the kind of defect that it comes nearest to by its meaning, and how near it is."""
    found = likeness([one.parties for one in passages])
    return [max(scores.items(), key=lambda item: item[1], default=("", -1.0)) for scores in found]


def _found_by_meaning(
    kind: DefectKind, passages: tuple[Passage, ...], meant: list[tuple[str, float]], *, is_sale: bool
) -> Iterator[Defect]:
    """Yield passages that mean a defect in words that no facet knows, where nothing excuses them."""
    if is_sale and _SALE in kind.none:
        return
    for passage, (nearest, score) in zip(passages, meant, strict=True):
        if nearest != kind.id or score < _NEAR_ENOUGH or (kind.about and not _says(kind.about, passage)):
            continue
        if score < _PLAINLY and not all(_says(one, passage) for one in kind.needs):
            continue
        excuses = (one for one in (*kind.none, *kind.spared, *_FAIR_SHAPES) if one != _SALE)
        if any(_says(one, passage) for one in excuses):
            continue
        if kind.measure is None:
            yield Defect(kind, passage)
        elif (stated := kind.measure.beyond(_MEASURES[kind.measure.of](passage))) is not None:
            yield Defect(kind, passage, stated)


def _found(kind: DefectKind, passages: tuple[Passage, ...], *, is_sale: bool) -> Iterator[Defect]:
    if is_sale and _SALE in kind.none:
        return
    for passage in passages:
        if not _holds(kind, passage):
            continue
        if kind.measure is None:
            yield Defect(kind, passage)
        elif (stated := kind.measure.beyond(_MEASURES[kind.measure.of](passage))) is not None:
            yield Defect(kind, passage, stated)


def _holds(kind: DefectKind, passage: Passage) -> bool:
    wanted = (*kind.all, *(f"denied:{one}" for one in (kind.denied,) if one))
    return (
        all(_says(one, passage) for one in wanted)
        and all(any(_says(one, passage) for one in group) for group in kind.any)
        and not any(_says(one, passage) for one in kind.none if one != _SALE)
    )


def _says(condition: str, passage: Passage) -> bool:
    """Tell whether a condition holds: "a", "a&b" (both), "a!b" (a without b), "forbids:a", "denied:a"."""
    if "&" in condition:
        return all(_says(one, passage) for one in condition.split("&"))
    if "!" in condition:
        one, _, without = condition.partition("!")
        return _says(one, passage) and not _says(without, passage)
    if condition.startswith("forbids:"):
        return _forbids(condition.removeprefix("forbids:"), passage.parties)
    if condition.startswith("denied:"):
        return _denies(condition.removeprefix("denied:"), passage.parties)
    if condition in _COMPUTED:
        return _COMPUTED[condition](passage)
    return _compiled(known().facets[condition]).search(passage.parties) is not None


def _denies(facet: str, text: str) -> bool:
    """Tell whether a text forbids or gives up what a facet names; a no inside a condition is none."""
    words = known().facets[facet]
    for match in _compiled(f"(?:{words})(?P<gap>{_NO_KO})").finditer(text):
        if not _IF_KO.match(text, match.end()) and not _BARRIER_KO.search(match["gap"]):
            return True
    for match in _compiled(rf"(?P<gap>{_NO_EN})(?:{words})").finditer(text):
        if not _BARRIER_EN.search(match["gap"]) and not _IF_EN.search(
            text[max(0, match.start() - _NEAR) : match.start()]
        ):
            return True
    return _compiled(rf"(?:{words}){_NO_EN_BEHIND}").search(text) is not None


def _forbids(facet: str, text: str) -> bool:
    """Tell whether what a facet names may not be done."""
    words = known().facets[facet]
    return _compiled(f"(?:{words}){_FORBID_KO}|{_FORBID_EN}(?:{words})").search(text) is not None


@lru_cache(maxsize=256)
def _compiled(words: str) -> Pattern:
    return Pattern(words, re.IGNORECASE)


def _percents(passage: Passage) -> Iterator[Decimal]:
    """Yield the percentages of a passage; "107% of the rent before" is a rise of 7."""
    for one in passage.of_unit("percent"):
        yield one.value - _WHOLE if _WHOLE < one.value < 2 * _WHOLE else one.value
    yield from (Decimal(_TENTHS[match["n"]]) for match in _OF_TEN.finditer(passage.text))


def _intervals(passage: Passage) -> Iterator[Decimal]:
    """Yield the months between two rises that a passage allows."""
    for months, words in _RECURRING:
        if _compiled(words).search(passage.text):
            yield months
    for one in passage.of_unit("months"):
        near = passage.text[max(0, one.start - 8) : one.start] + passage.text[one.end : one.end + 8]
        if _EVERY.search(near) or "마다" in one.words:
            yield one.value


def _terms(passage: Passage) -> Iterator[Decimal]:
    """Yield the months of a term: by its days where it names both, else by its length."""
    if len(passage.days) >= 2:
        first, last = passage.days[0].value, passage.days[1].value
        if first < last:
            yield months_between(first, last)
            return
    if _TWELVE.search(passage.text):
        yield Decimal(12)
    for one in passage.of_unit("years", "months"):
        behind, before = passage.text[one.end : one.end + _NEAR], passage.text[max(0, one.start - _NEAR) : one.start]
        excused = _NOT_A_TERM.match(behind) or _BEFORE_NO_TERM.search(before) or _RENT_WORDS.search(before)
        is_told = _OF_A_TERM.search(before) or _TERM_BEHIND.match(behind) or "간" in one.words
        if is_told and not excused and not one.bound and one.value < 100:
            yield one.as_months


_MEASURES: Final[dict[MeasureOf, Callable[[Passage], Iterator[Decimal]]]] = {
    "percent": _percents,
    "interval_months": _intervals,
    "term_months": _terms,
}


def _high_share(passage: Passage) -> bool:
    """Tell whether a share of the deposit or price is above a tenth, said as a percentage or as a sum."""
    main = passage.main_krw
    sums = [one.value for one in passage.of_unit("krw") if main and one.value < main]
    return any(one.value > _PENALTY_SHARE for one in passage.of_unit("percent")) or any(
        main is not None and one * _PENALTY_SHARE > main for one in sums
    )


def _long_delay(passage: Passage) -> bool:
    """Tell whether a passage lets more than a week go by."""
    return any(
        one.value * _DAYS[one.unit] > _FAIR_DELAY_DAYS
        and (_DELAYED.match(passage.text, one.end) is not None or one.bound in {"le", "lt"})
        for one in passage.of_unit(*_DAYS)
    )


def _short_delay(passage: Passage) -> bool:
    """Tell whether a passage names a week or less, and no longer time."""
    short = any(one.value * _DAYS[one.unit] <= _FAIR_DELAY_DAYS for one in passage.of_unit(*_DAYS))
    return short and not _long_delay(passage)


_COMPUTED: Final[dict[str, Callable[[Passage], bool]]] = {
    "high_share": _high_share,
    "long_delay": _long_delay,
    "short_delay": _short_delay,
}
