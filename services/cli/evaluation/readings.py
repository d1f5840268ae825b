"""Scores amounts, areas and dates as the text layer reads them: exactly, or asked."""

from collections.abc import Iterable
from typing import Final

from services.cli.evaluation.rows import Row, clock_of, zone_of
from services.cli.evaluation.score import Miss, Score
from services.cli.evaluation.text_rows import score_row
from services.cli.problems import usage

NEEDED: Final = ("id", "text")


def score_readings(rows: Iterable[Row]) -> Score:
    """Returns the score of rows.

    Raises:
        Problem: A row has no answer key that is known.
    """
    score = Score()
    for row in rows:
        score.rows += 1
        try:
            scored = score_row(row, now=clock_of(row), time_zone=zone_of(row))
        except ValueError as error:
            raise usage("FILE", str(error)) from None
        miss = Miss(str(row["id"]), "value", str(scored.got), str(scored.want))
        score.count("value", right=scored.is_right, miss=miss)
        for trait in scored.traits:
            score.by_trait[trait][scored.is_right] += 1
    return score
