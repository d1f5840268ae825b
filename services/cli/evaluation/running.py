"""Runs one evaluation set through the services that it needs."""

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Final

from services.cli.connection import finish, settings_now
from services.cli.evaluation import followups, plans, readings, routing
from services.cli.evaluation.asking import Services, started
from services.cli.evaluation.rows import Row, rows_of
from services.cli.evaluation.score import Score
from services.cli.problems import problem_from_settings, usage
from services.runtime.settings import Settings, SettingsError

Scorer = Callable[[Iterable[Row], Services, Settings], Awaitable[Score]]

_SCORERS: Final[dict[str, tuple[Scorer, tuple[str, ...]]]] = {
    "routing": (routing.score_routing, routing.NEEDED),
    "plans": (plans.score_plans, plans.NEEDED),
    "followups": (followups.score_followups, followups.NEEDED),
}


def evaluated(kind: str, path: Path) -> Score:
    """Returns the score of a file of one kind: routing, plans, followups or amounts.

    Raises:
        Problem: The file or the settings cannot be used.
    """
    if kind == "amounts":
        return readings.score_readings(rows_of(path, readings.NEEDED))
    scorer, needed = _SCORERS[kind]
    rows = rows_of(path, needed)
    try:
        return finish(_scored(scorer, rows, settings_now()))
    except SettingsError as error:
        raise problem_from_settings(str(error)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise usage("FILE", f"{path} holds a row that is not of the kind {kind!r}: {error!r}") from error


async def _scored(scorer: Scorer, rows: list[Row], settings: Settings) -> Score:
    async with started(settings) as services:
        return await scorer(rows, services, settings)
