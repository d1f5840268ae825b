"""An answer's sections, written out piece by piece."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.plugin.answers import Line, Section, Style


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


def length_of(sections: Iterable[Section]) -> int:
    """Return how long a text of these sections is, in code points."""
    return sum(len(line.text) for line in pieces(sections, begun=False))


def _before(section: Section, number: int, *, begun: bool) -> str:
    lead = {Style.BULLETS: "- ", Style.NUMBERED: f"{number}. ", Style.PROSE: "", Style.LINES: ""}[section.style]
    if number == 1:
        gap = "\n\n" if begun else ""
        return f"{gap}{section.heading}\n{lead}" if section.heading else gap + lead
    return " " if section.style is Style.PROSE else f"\n{lead}"
