"""What a text has said already, so that what follows it does not say it again."""

from dataclasses import replace
from operator import add

from services.plugin.answers import Line, Section, Style
from services.text.patterns import Pattern
from services.text.stated.figures import StatedFigure, figures

_NUMBERED = Pattern(r"[1-9][0-9]?\.\s")
_SHARE_MIN = 0.6
_SHARE_WITH_FIGURES_MIN = 0.3
_FIGURES_MOST = 0.7


class SeenText:
    """A text that the reader has seen.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self._figures = figures(text)
        self._pairs = _pairs(text)

    def left_of(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        """Return the sections without the lines that the text says; a section without lines is not written.

        Sections of lines stand whole, and so do numbered steps: who reads one, two, four asks
        what the third was.
        """
        return tuple(
            section
            if section.style is Style.LINES
            else replace(section, lines=tuple(filter(self._is_new, section.lines)))
            for section in sections
        )

    def _is_new(self, line: Line) -> bool:
        return _NUMBERED.match(line.text) is not None or not self.says(line)

    def says(self, line: Line) -> bool:
        """Tell whether the text says a line: each of its figures, or else most of its words."""
        own = figures(line.text)
        share = self._share(line.text)
        if not own:
            return share >= _SHARE_MIN
        if not all(any(_same(figure, seen) for seen in self._figures) for figure in own):
            return False
        return all(figure.when for figure in own) or share >= _SHARE_WITH_FIGURES_MIN

    def says_most(self, line: Line) -> bool:
        """Tell whether the text says a line but for little: most of its figures, dates left out, else most words."""
        own = [figure for figure in figures(line.text) if figure.when is None]
        if not own:
            return self._share(line.text) >= _SHARE_MIN
        said = sum(any(_same(figure, seen) for seen in self._figures) for figure in own)
        return said / len(own) >= _FIGURES_MOST

    def _share(self, text: str) -> float:
        pairs = _pairs(text)
        return len(pairs & self._pairs) / len(pairs) if pairs else 0.0


def _same(figure: StatedFigure, seen: StatedFigure) -> bool:
    if figure.when is not None and seen.when is not None:
        return figure.when.covers(seen.when)
    return figure.unit is seen.unit and figure.value == seen.value


def _pairs(text: str) -> set[str]:
    letters = "".join(filter(str.isalpha, text.lower()))
    return set(map(add, letters, letters[1:]))
