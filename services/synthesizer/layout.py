"""An answer as sections of lines, written out piece by piece."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


class Style(StrEnum):
    """How the lines of a section stand."""

    PROSE = "prose"
    """One after the other, with a space between."""
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


def pieces(sections: Iterable[Section], *, begun: bool) -> Iterator[Line]:
    """Yield what to write, in order, each with what it rests on; joined it is the text.

    Args:
        sections: The parts in order.
        begun: Whether some text stands before them already.
    """
    for section in sections:
        for number, line in enumerate(section.lines, start=1):
            before = _before(section, number, begun=begun)
            yield replace(line, text=before + line.text)
            begun = True


def _before(section: Section, number: int, *, begun: bool) -> str:
    lead = {Style.BULLETS: "- ", Style.NUMBERED: f"{number}. ", Style.PROSE: ""}[section.style]
    if number == 1:
        gap = "\n\n" if begun else ""
        return f"{gap}{section.heading}\n{lead}" if section.heading else gap + lead
    return f"\n{lead}" if lead else " "
