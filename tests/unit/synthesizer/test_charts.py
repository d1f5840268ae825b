"""An answer's pictures: what its rows and figures hold, three at most, and nothing else."""

from dataclasses import replace
from decimal import Decimal

from services.contract.asks import AnswerState, AskAnswer, AskForm, Told
from services.contract.charts import Chart
from services.plugin.asks.charts import POINTS_MAX, bars, line, lines
from services.synthesizer.by_asks import CHARTS_MAX, charts_of
from tests.unit.synthesizer.answer_parts import equity, evidence, request

ROWS = [{"fields": {"month": f"2026-0{month}-01", "price": 100.5 + month}} for month in range(1, 6)]
HELD = [(f"2026-0{month}-01", Decimal(str(100.5 + month))) for month in range(1, 6)]


def drawn(*charts: Chart, state: AnswerState = AnswerState.ANSWERED, told: tuple[Told, ...] = ()) -> tuple[Chart, ...]:
    """Return what is left of charts that one answer draws over the rows."""
    answer = AskAnswer("a1", AskForm.CHANGE, state, charts=charts, told=told)
    return charts_of(request([replace(equity(), evidence=(evidence("e1", ROWS),), answers=(answer,))]))


def test_what_its_rows_hold_is_drawn() -> None:
    """A line whose every point stands in its evidence is told as it was drawn."""
    charts = lines("값", "krw", line("가", HELD, "e1"))
    assert drawn(*charts) == charts


def test_what_nothing_holds_is_left_out() -> None:
    """One point that stands nowhere, evidence that is none, no number, or an open ask: the series is not told."""
    wrong = [*HELD[:-1], (HELD[-1][0], Decimal("105.6"))]
    both = lines("값", "krw", line("가", HELD, "e1"), line("나", wrong, "e1"))
    assert [one.name for one in drawn(*both)[0].series] == ["가"]
    assert drawn(*lines("값", "krw", line("가", wrong, "e1"))) == ()
    assert drawn(*lines("값", "krw", line("가", HELD, "e1", "e2"))) == ()
    broken = lines("값", "krw", line("가", [*HELD, ("2026-09-01", Decimal("NaN"))], "e1"))
    assert drawn(*broken) == ()
    assert drawn(*lines("값", "krw", line("가", HELD, "e1")), state=AnswerState.OPEN) == ()


def test_a_computed_figure_that_is_told_may_be_a_bar() -> None:
    """What was computed from rows stands among the figures of the answer, not in the rows."""
    charts = bars("수익률", "percent", [("애플", Decimal("63.12")), ("엔비디아", Decimal("32.66"))], ["e1"])
    told = (Told("security", "a", "애플", {"return": "63.12"}), Told("security", "b", "엔비디아", {"return": "32.66"}))
    assert drawn(*charts, told=told) == charts
    assert drawn(*charts, told=told[:1]) == ()


def test_pictures_are_few_and_each_once() -> None:
    """Three at most, and what two asks draw alike once."""
    one = [lines(str(at), "krw", line("가", HELD, "e1"))[0] for at in range(CHARTS_MAX + 2)]
    assert drawn(one[0], one[0], *one[1:]) == tuple(one[:CHARTS_MAX])


def test_a_picture_that_would_show_nothing_is_none() -> None:
    """Three points are no line and equal bars no comparison; a long line keeps its last day."""
    assert line("가", HELD[:3], "e1") is None
    assert lines("값", "krw", None) == ()
    assert bars("값", "krw", [("가", Decimal(1)), ("나", Decimal(1))], ["e1"]) == ()
    days = [(f"{2000 + at // 360}-{at % 360 // 30 + 1:02d}-{at % 30 + 1:02d}", Decimal(at)) for at in range(1_000)]
    long = line("가", days, "e1")
    assert long is not None
    assert len(long.points) <= POINTS_MAX
    assert long.points[-1].x == days[-1][0]
