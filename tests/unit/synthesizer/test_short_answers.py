"""An answer by rule keeps to the length that a person reads to its end."""

import pytest

from services.plugin.answers import Line, Section, Style
from services.synthesizer import templates
from services.synthesizer.layout import length_of
from services.text.language import Language


@pytest.mark.parametrize(("language", "most"), [("ko", 850), ("en", 1_150)])
def test_what_does_not_fit_leaves_from_the_end(monkeypatch: pytest.MonkeyPatch, language: Language, most: int) -> None:
    """Next steps leave first, then what was found from its end; the first sentence, cautions and the day stay."""
    lines = tuple(Line(f"line {number} " + "x" * 90) for number in range(20))
    cautions = Section(tuple(Line(f"caution {number}") for number in range(6)), "Please note", Style.BULLETS)
    steps = Section((Line("compare"), Line("look further")), "Next", Style.NUMBERED)
    composed = (
        Section(lines[:2]),
        Section(lines[2:], "Figures", Style.BULLETS),
        steps,
        cautions,
        Section((Line("day"),)),
    )
    monkeypatch.setattr(templates, "compose", lambda *_: composed)
    monkeypatch.setattr(templates, "_found", lambda _: 1)
    short = templates.compose_short(None, None, language)  # type: ignore[arg-type]
    told = [line.text for section in short for line in section.lines]
    assert length_of(short) <= most
    assert told[0] == lines[0].text
    assert "compare" not in told
    assert told[-4:] == ["caution 0", "caution 1", "caution 2", "day"]
