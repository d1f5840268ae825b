"""A question what moves an exchange rate: what is known to push it, which way, and how that has moved of late.

A path tells how something is known to work. What a driver has done lately is told beside it, and which way that would
push; whether it did is not said.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from services.contract.flow import AgentResult, Evidence, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.data.rows import rows_of
from services.plugin.figures.lines import dated, found_in, frequencies_of, number_of, shown
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.language import Language
from services.text.patterns import Pattern

DRIVERS_MAX: Final = 5
"""How many drivers are told."""
_GRAPH: Final = "graph"
_ARROW: Final = " → "
_SIGNS: Final = {"POSITIVE": 1, "NEGATIVE": -1}
_SERIES_ID: Final = Pattern(r"[A-Z0-9_]+")
_HEADING: Final = Text("{asked}{particle} 움직이는 것으로 알려진 요인", "What is known to move {asked}")
_UP: Final = Text("오르는", "up")
_DOWN: Final = Text("내리는", "down")
_PUSH: Final = Text("{driver}: 오르면 {asked}에 {way} 쪽의 힘", "{driver}: a rise pushes {asked} {way}")
_HAPPENS: Final = Text("{driver}: {asked}에 {way} 쪽의 힘", "{driver}: pushes {asked} {way}")
_LATELY: Final = Text(
    "{push}. 지금은 {level}{when}이고 직전보다 {change} {moved} {way} 쪽입니다.",
    "{push}. It stands at {level}{when}, {moved} {change} from the value before, which pushes {way}.",
)
_ROSE: Final = Text("올라", "up")
_FELL: Final = Text("내려", "down")
_STILL: Final = Text("{push}. 지금은 {level}{when}입니다.", "{push}. It stands at {level}{when}.")


@dataclass(frozen=True, slots=True)
class _Driver:
    """The beginning of a path that ends at what is asked about."""

    name: str
    is_series: bool
    sign: int
    evidence_id: str


def drivers(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield what is known to move the first series of the results; nothing where no path ends there."""
    found = found_in(request.results)
    levels = {one.subject: one for result in found for one in result.metrics if one.name == "latest_value"}
    asked = next(iter(levels), "")
    if not asked:
        return
    changes = {one.subject: one for result in found for one in result.metrics if one.name == "change"}
    frequencies = frequencies_of(found)
    lines = []
    for driver in {one.name: one for one in _drivers(found, asked)}.values():
        pushes = _PUSH if driver.is_series else _HAPPENS
        push = pushes.said(language, driver=driver.name, asked=asked, way=_way(driver.sign, language))
        level = levels.get(driver.name)
        text = (
            push if level is None else _with_level(push, driver, level, changes.get(driver.name), frequencies, language)
        )
        ids = (driver.evidence_id, *(() if level is None else level.evidence_ids))
        lines.append(Line(text, ids))
    particle = josa(asked, "을/를").removeprefix(asked) if language == "ko" else ""
    yield Section(tuple(lines[:DRIVERS_MAX]), _HEADING.said(language, asked=asked, particle=particle), Style.BULLETS)


def _with_level(  # noqa: PLR0913, PLR0917 - the parts of one sentence
    push: str,
    driver: _Driver,
    level: Metric,
    change: Metric | None,
    frequencies: dict[str, str],
    language: Language,
) -> str:
    told = dated(level, frequencies, language)
    when = f" ({told})" if told else ""
    known = None if change is None else number_of(change)
    if change is None or not known:
        return _STILL.said(language, push=push, level=shown(level, language), when=when)
    way = _way(driver.sign if known > 0 else -driver.sign, language)
    moved = (_ROSE if known > 0 else _FELL).said(language)
    size = shown(change, language).lstrip("-")
    level_said = shown(level, language)
    return _LATELY.said(language, push=push, level=level_said, when=when, change=size, moved=moved, way=way)


def _drivers(found: list[AgentResult], asked: str) -> Iterator[_Driver]:
    """Yield the beginnings of the paths that end at what is asked, the strongest first, as the agent orders them."""
    for result in found:
        chains = {one: metric.subject for metric in result.metrics for one in metric.evidence_ids}
        for piece in result.evidence:
            names = chains.get(piece.evidence_id, "").split(_ARROW)
            sign = _sign(piece)
            if piece.data_type == _GRAPH and len(names) > 1 and names[-1] == asked and sign:
                yield _Driver(names[0], _begins_with_a_series(piece), sign, piece.evidence_id)


def _begins_with_a_series(piece: Evidence) -> bool:
    """Tell whether a path begins with something that can rise; an event cannot."""
    nodes = [row["nodes"] for row in rows_of(piece)[:1] if row.get("nodes")]
    return bool(nodes) and _SERIES_ID.fullmatch(str(nodes[0][0].get("id", ""))) is not None


def _sign(piece: Evidence) -> int:
    """Return which way a path pushes; 0 where a relation of it has no sign, or it is no path."""
    sign = 1
    for row in rows_of(piece)[:1]:
        for step in row.get("steps", ()):
            sign *= _SIGNS.get(step.get("polarity") or "", 0)
        return sign if row.get("steps") else 0
    return 0


def _way(sign: int, language: Language) -> str:
    return (_UP if sign > 0 else _DOWN).said(language)
