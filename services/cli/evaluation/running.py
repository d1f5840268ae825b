"""Runs one evaluation set through the services that it needs."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from services.cli.environment import finish, settings_now
from services.cli.evaluation import followups, plans, routing
from services.cli.evaluation.answers import scoring
from services.cli.evaluation.asking import Services, started
from services.cli.evaluation.rows import Row, clock_of, rows_of, zone_of
from services.cli.evaluation.score import Miss, Score
from services.cli.evaluation.text_rows import score_row
from services.cli.problems import problem_from_settings, usage
from services.runtime.settings import Settings, SettingsError

Scorer = Callable[[Iterable[Row], Services, Settings], Awaitable[Score]]

_SCORERS: Final[dict[str, tuple[Scorer, tuple[str, ...]]]] = {
    "routing": (routing.score_routing, routing.NEEDED),
    "plans": (plans.score_plans, plans.NEEDED),
    "followups": (followups.score_followups, followups.NEEDED),
}


_NEEDED: Final = {name: needed for name, (_, needed) in _SCORERS.items()} | {
    "amounts": ("id", "text"),
    "answers": scoring.NEEDED,
}


def evaluated(kind: str, path: Path, *, only: Collection[str] = (), model: bool = False) -> Score:
    """Return the score of a file of one kind: routing, plans, followups, amounts or answers.

    Args:
        kind: What is scored.
        path: The file.
        only: Ids of the rows that are run; all where it is empty.
        model: Whether a configured model takes part in whole answers; in the other kinds it always does.

    Raises:
        Problem: The file or the settings cannot be used.
    """
    rows = _chosen(rows_of(path, _NEEDED[kind]), only)
    if kind == "amounts":
        return score_readings(rows)
    try:
        if kind == "answers":
            return finish(scoring.score_answers(rows, settings_now(), model=model))
        return finish(_scored(_SCORERS[kind][0], rows, settings_now()))
    except SettingsError as error:
        raise problem_from_settings(str(error)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise usage("FILE", f"{path} holds a row that is not of the kind {kind!r}: {error!r}") from error


def _chosen(rows: list[Row], only: Collection[str]) -> list[Row]:
    chosen = [row for row in rows if not only or row.get("id") in only]
    if not chosen:
        raise usage("--only", "no row has such an id")
    return chosen


async def _scored(scorer: Scorer, rows: list[Row], settings: Settings) -> Score:
    async with started(settings) as services:
        return await scorer(rows, services, settings)


def score_readings(rows: Iterable[Row]) -> Score:
    """Return the score of rows.

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
