"""Rounds over several sides, in an order that leaves no side the busy moments."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tests.bench.overhead.timing import Spread
from tests.bench.report import Note, Result, paired_result

T = TypeVar("T")
Side = Callable[[], Awaitable[T]]
"""Measures one side once."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much one round measures."""

    flows: int = 30
    """Flows one after the other."""
    seconds: float = 1.5
    """How long many flows run at once."""
    hops: int = 200
    """Bare and nested calls."""


async def interleaved(rounds: int, note: Note, groups: Sequence[Mapping[str, Side[T]]]) -> dict[str, list[T]]:
    """Returns what each side measured in each round; the sides of a group are measured one right after the other."""
    figures: dict[str, list[T]] = {name: [] for group in groups for name in group}
    for number in range(1, rounds + 1):
        note(f"round {number}")
        for group in random.sample(groups, len(groups)):
            for name in random.sample(list(group), len(group)):
                figures[name].append(await group[name]())
    return figures


def spread_results(
    name: str, ours: Sequence[Spread], theirs: Sequence[Spread], *, beside: str, limit: float | None = None
) -> list[Result]:
    """Returns the median and the tail of rounds that measured both sides."""
    return [
        paired_result(
            f"{name}_{part}",
            "ms",
            [getattr(one, part) for one in ours],
            [getattr(one, part) for one in theirs],
            beside=beside,
            limit=limit,
        )
        for part in ("p50", "p99")
    ]
