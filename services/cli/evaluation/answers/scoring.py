"""Runs rows through all services in this process, on a copy of the data folder, and counts what came of them."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from services.cli import output
from services.cli.embedded import embedded, seed_at_first_use
from services.cli.evaluation.answers.talking import had
from services.cli.evaluation.answers.verdicts import RowVerdict, judged, opening_of
from services.cli.evaluation.rows import Row
from services.cli.evaluation.score import Miss, Score
from services.cli.problems import usage
from services.runtime.settings import Settings
from services.tool_gateway.data.copying import copy_folder

NEEDED: Final = ("id", "turns")
SIDE_BY_SIDE: Final = 2
"""How many conversations are had at once."""
_OF_OTHERS: Final = frozenset({"gateway", "token", "store_url", "graph_url"})
"""Settings that would lead past the command's own services and data."""
_OF_A_MODEL: Final = frozenset({"openai_base_url", "openai_api_key"})
_TRAITS: Final = ("domain", "kind", "locale")


@dataclass(slots=True)
class AnswerScore(Score):
    """Counts with the answers that they rest on."""

    told: list[dict[str, Any]] = field(default_factory=list)
    """Each row's answers and what was found."""

    def as_json(self, kind: str) -> dict[str, Any]:
        """Return the one object that a program reads."""
        return {**Score.as_json(self, kind), "told": self.told}


async def score_answers(rows: Sequence[Row], settings: Settings, *, model: bool) -> AnswerScore:
    """Return the score of rows.

    Args:
        rows: The rows.
        settings: Settings whose data folder the rows run on copies of; it is seeded where it holds nothing yet.
        model: Whether a configured model takes part.

    Raises:
        Problem: The data is not the embedded one, or cannot be loaded.
    """
    if settings.sql_url:
        raise usage("HAPJU_SQL_URL", "answers are judged by the embedded data; leave it unset")
    plain = _settings(settings, settings.data_dir, model=model)
    await seed_at_first_use(plain, output.say)
    score = AnswerScore()
    async with _copied(plain, model=model) as (address, copy):
        open_ = asyncio.Semaphore(SIDE_BY_SIDE)
        await asyncio.gather(*(_one(row, address, copy, score, open_) for row in rows if not row.get("fresh")))
    for row in rows:
        if row.get("fresh"):
            async with _copied(plain, model=model) as (address, copy):
                await _one(row, address, copy, score, asyncio.Semaphore())
    return score


@asynccontextmanager
async def _copied(settings: Settings, *, model: bool) -> AsyncIterator[tuple[str, Settings]]:
    """Run all services on a copy of the data folder; yield the gateway's address and their settings."""
    with TemporaryDirectory(prefix="hapju-eval-") as folder:
        await asyncio.to_thread(copy_folder, settings.data_dir, Path(folder))
        copy = _settings(settings, Path(folder), model=model)
        async with embedded(copy, output.say) as address:
            yield address, copy


def _settings(settings: Settings, folder: Path, *, model: bool) -> Settings:
    """Return settings for services of the command's own, on a data folder; without a model unless one is wanted."""
    unwanted = _OF_OTHERS if model else _OF_OTHERS | _OF_A_MODEL
    given = {name: value for name, value in settings.model_dump(exclude_unset=True).items() if name not in unwanted}
    return Settings.model_validate(given | {"data_dir": folder, "auth_mode": "dev"})


async def _one(row: Row, address: str, settings: Settings, score: AnswerScore, open_: asyncio.Semaphore) -> None:
    async with open_:
        answers = await had(row, address, settings)
    with closing(sqlite3.connect(f"file:{settings.data_dir / 'data.db'}?mode=ro", uri=True)) as data:
        _count(row, answers, judged(row, answers, data), score)


def _count(row: Row, answers: Sequence[str], verdict: RowVerdict, score: AnswerScore) -> None:
    score.rows += 1
    opening = opening_of(answers[-1], str(row.get("locale")))
    for name, right, found in (
        ("answers", verdict.answers, verdict.missing),
        ("clean", verdict.clean, verdict.too_much),
    ):
        score.count(name, right=right, miss=Miss(row["id"], name, opening, "; ".join(found)))
    score.of["right"] += 1
    score.right["right"] += verdict.right
    for trait in _named(row):
        score.by_trait[trait][verdict.right] += 1
    judgement = {"right": verdict.right, "missing": list(verdict.missing), "too_much": list(verdict.too_much)}
    score.told.append({"id": row["id"], "answers": list(answers), **judgement})


def _named(row: Row) -> Iterable[str]:
    return (f"{name} {row[name]}" for name in _TRAITS if row.get(name))
