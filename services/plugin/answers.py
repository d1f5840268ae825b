"""What a domain adds to an answer: sections of its text, and cautions; found in the domain's `answers` module.

    PARTS      a tuple of AnswerPart
    CAUTIONS   a tuple of AnswerCaution

Both are pure functions of the request. The synthesizer knows where a part stands and drops each line that no evidence
supports; what stands in it is the domain's alone.
"""

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from services.contract.flow import RouteDecision
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.installed import DomainError, InstalledDomain, installed_domains
from services.plugin.wording import Text
from services.text.language import Language

MODULE: Final = "answers"
"""The module of a domain that holds what it adds to answers."""


class Style(StrEnum):
    """How the lines of a section stand."""

    PROSE = "prose"
    """One after the other, with a space between."""
    LINES = "lines"
    """Each on its own line, and each told even if it was said before: a document that is drafted, the sources."""
    BULLETS = "bullets"
    """Each behind a dash on its own line."""
    NUMBERED = "numbered"
    """Each behind its number on its own line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or figure."""

    text: str
    """Without line ends."""
    evidence_ids: tuple[str, ...] = ()
    """What it rests on."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the answer."""

    lines: tuple[Line, ...]
    """Its lines; a section without any is not written."""
    heading: str = ""
    """Its heading; empty for none."""
    style: Style = Style.PROSE
    """How its lines stand."""


class Place(StrEnum):
    """Where a part stands among what the agents found."""

    OPENING = "opening"
    """Before everything."""
    BEFORE_FIGURES = "before_figures"
    """Behind the summaries, before the lists of figures."""
    FIGURES = "figures"
    """In place of the lists of figures, where it has any section."""
    BEHIND_FIGURES = "behind_figures"
    """Behind the lists of figures."""
    OUTLOOK = "outlook"
    """Behind everything that was found."""


class Composes(Protocol):
    """Makes the sections of a part."""

    def __call__(self, request: SynthesizeRequest, language: Language, /) -> Iterable[Section]:
        """Return the sections; none where the part has nothing to say."""


class Cautions(Protocol):
    """Makes the cautions that a kind of answer needs."""

    def __call__(self, request: SynthesizeRequest, language: Language, /) -> Iterable[str]:
        """Return the cautions, without those that an agent has said."""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """Sections that a domain adds."""

    place: Place
    """Where they stand."""
    compose: Composes
    """What makes them."""
    intents: frozenset[str] = frozenset()
    """The intents whose answers they stand in; empty where `compose` decides by itself."""
    wish: Text | None = None
    """What a model that writes the answer is told in their place; None for nothing."""


@dataclass(frozen=True, slots=True)
class AnswerCaution:
    """Cautions that a domain adds."""

    compose: Cautions
    """What makes them."""
    intents: frozenset[str] = frozenset()
    """The intents whose answers they stand in; empty where `compose` decides by itself."""


_Adds = TypeVar("_Adds", AnswerPart, AnswerCaution)


@dataclass(frozen=True, slots=True)
class AnswerAdditions:
    """What the installed domains add to answers."""

    parts: tuple[AnswerPart, ...]
    """Their sections, in the order of the domains."""
    warnings: tuple[AnswerCaution, ...]
    """Their cautions."""

    def sections(self, place: Place, request: SynthesizeRequest, language: Language) -> Iterator[Section]:
        """Yield the sections that stand in a place of an answer."""
        for part in _serving(self.parts, request.route):
            if part.place is place:
                yield from part.compose(request, language)

    def cautions(self, request: SynthesizeRequest, language: Language) -> Iterator[str]:
        """Yield the cautions of an answer."""
        for caution in _serving(self.warnings, request.route):
            yield from caution.compose(request, language)

    def wishes(self, route: RouteDecision, language: Language) -> tuple[str, ...]:
        """Return what a model that writes the answer is told."""
        return tuple(part.wish.said(language) for part in _serving(self.parts, route) if part.wish is not None)


@functools.cache
def answer_additions() -> AnswerAdditions:
    """Return what the installed domains add to answers; the first call loads their modules.

    Raises:
        DomainError: A module holds something else under these names.
    """
    domains = installed_domains()
    parts = (one for domain in domains for one in _held(domain, "PARTS", AnswerPart))
    return AnswerAdditions(
        tuple(parts), tuple(one for domain in domains for one in _held(domain, "CAUTIONS", AnswerCaution))
    )


def serves(intents: frozenset[str], route: RouteDecision) -> bool:
    """Tell whether a route is of one of some intents, by itself or by the user's choice."""
    return bool(intents & {route.intent, route.selected_type})


def _serving(found: Iterable[_Adds], route: RouteDecision) -> Iterator[_Adds]:
    return (one for one in found if not one.intents or serves(one.intents, route))


def _held(domain: InstalledDomain, name: str, kind: type[_Adds]) -> tuple[_Adds, ...]:
    found = getattr(domain.module(MODULE), name, ())
    if not isinstance(found, tuple) or not all(isinstance(one, kind) for one in found):
        raise DomainError(f"domain {domain.name!r}: {MODULE}.{name} is no tuple of {kind.__name__}")
    return found
