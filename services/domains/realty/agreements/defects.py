"""What a contract does to a tenant or buyer that it may not: its passages held against defects.yaml. Pure.

A passage is read as what it does, by its facets, and as a whole, by its meaning.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Final

from pydantic import BaseModel, ConfigDict

from services.domains.realty.agreements.clause_model import likeness
from services.domains.realty.agreements.facets import COMPUTED, MEASURES, MeasureOf, says
from services.domains.realty.agreements.passages import Passage, passages_of
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual

_SALE: Final = "sale_words"
"""Marks a kind that a contract of sale cannot have: there is no lease in it."""
_NEAR_ENOUGH: Final = 0.1
"""From this likeness on a passage means a defect, where nothing excuses it."""
_FAIR_SHAPES: Final = ("tenant_may!negated",)
"""What makes a passage fair whatever it is near to: it gives the tenant, or both sides, a right."""
_FAIR_ENOUGH: Final = -0.6
"""Below this likeness a passage is fair whatever its words bring together."""
_AS_PLAIN: Final = 0.6
"""From this likeness on a passage that plainly says one defect means another one as well."""


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
    spared: tuple[str, ...] = ()
    """Facets that excuse it where it is found by its meaning alone."""
    measure: DefectMeasure | None = None
    """A figure that has to be beyond what is fair."""
    manner: bool = False
    """Whether it is how something else is taken away: a passage that does more is told as that."""
    articles: tuple[str, ...]
    """Ids of the articles that it rests on."""


class Defects(BaseModel):
    """The kinds of defects, the gravest first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    alike = dict(zip((one.text for one in passages), likeness(passages), strict=True))
    plain = {
        kind.id: next((one for one in _found(kind, passages, is_sale=is_sale) if not _is_fair(one, alike)), None)
        for kind in known().defects
    }
    # What a passage plainly says is not told a second time by its likeness to another kind, unless that is as plain.
    told = {one.passage.text for one in plain.values() if one is not None and not one.kind.manner}
    nearest = {
        text: max(scores.items(), key=lambda item: item[1], default=("", -1.0)) for text, scores in alike.items()
    }
    rest = tuple(one for one in passages if one.text not in told or nearest[one.text][1] >= _AS_PLAIN)
    meant = [nearest[one.text] for one in rest]
    found = (
        plain[kind.id] or next(_found_by_meaning(kind, rest, meant, is_sale=is_sale), None) for kind in known().defects
    )
    return tuple(one for one in found if one is not None)


def _is_fair(one: Defect, alike: Mapping[str, Mapping[str, float]]) -> bool:
    """Tell whether a passage whose words make a defect means something fair all the same; a figure is not overruled."""
    named = {part for group in one.kind.any for either in group for part in either.split("&")}
    if one.stated is not None or any(says(facet, one.passage) for facet in named & COMPUTED):
        return False
    return alike[one.passage.text].get(one.kind.id, 0.0) < _FAIR_ENOUGH


def _found_by_meaning(
    kind: DefectKind, passages: tuple[Passage, ...], meant: list[tuple[str, float]], *, is_sale: bool
) -> Iterator[Defect]:
    """Yield passages that mean a defect in words that no facet knows, where nothing excuses them."""
    if is_sale and _SALE in kind.none:
        return
    for passage, (nearest, score) in zip(passages, meant, strict=True):
        if nearest != kind.id or score < _NEAR_ENOUGH:
            continue
        excuses = (one for one in (*kind.none, *kind.spared, *_FAIR_SHAPES) if one != _SALE)
        if any(says(one, passage) for one in excuses):
            continue
        if kind.measure is None:
            yield Defect(kind, passage)
        elif (stated := kind.measure.beyond(MEASURES[kind.measure.of](passage))) is not None:
            yield Defect(kind, passage, stated)


def _found(kind: DefectKind, passages: tuple[Passage, ...], *, is_sale: bool) -> Iterator[Defect]:
    if is_sale and _SALE in kind.none:
        return
    for passage in passages:
        if not _holds(kind, passage):
            continue
        if kind.measure is None:
            yield Defect(kind, passage)
        elif (stated := kind.measure.beyond(MEASURES[kind.measure.of](passage))) is not None:
            yield Defect(kind, passage, stated)


def _holds(kind: DefectKind, passage: Passage) -> bool:
    wanted = (*kind.all, *(f"denied:{one}" for one in (kind.denied,) if one))
    return (
        all(says(one, passage) for one in wanted)
        and all(any(says(one, passage) for one in group) for group in kind.any)
        and not any(says(one, passage) for one in kind.none if one != _SALE)
    )
