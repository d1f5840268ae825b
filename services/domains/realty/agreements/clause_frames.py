"""Clauses put together from how they begin and how they end (clause_frames.yaml), in the registers that contracts use."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from services.plugin.documents import read_yaml

_DEFECTS_MAX: Final = 14
"""How many defects a frame makes: beyond, they say nothing new."""
_FAIR_MAX: Final = 10
_STYLED: Final = 0.5
"""How many of the clauses end in another register."""
_ENDINGS: Final = (
    ("않는다", ("않음", "않기로 한다", "않습니다", "아니한다", "않기로 함")),
    ("못한다", ("못함", "못합니다")),
    ("한다", ("함", "하기로 한다", "합니다", "하기로 함", "하여야 한다")),
    ("된다", ("됨", "됩니다")),
    ("있다", ("있음", "있습니다", "있는 것으로 한다")),
    ("없다", ("없음", "없습니다")),
    ("낸다", ("냄", "냅니다", "내기로 한다")),
    ("준다", ("줌", "줍니다", "주기로 한다")),
)
_JOINED: Final = re.compile(r"\s~")


class ClauseFrame(BaseModel):
    """Beginnings of clauses, each of which goes on with each of the ends."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    a: tuple[str, ...]
    """How a clause begins."""
    b: tuple[str, ...] = ()
    """How it ends as a defect."""
    fair: tuple[str, ...] = ()
    """How it ends as what is fair."""


def framed(fair: str) -> Mapping[str, Sequence[str]]:
    """Return clauses by kind of defect, and what is fair under its name; the same ones each time.

    Raises:
        pydantic.ValidationError: The data is malformed; the text names the entry.
    """
    document = read_yaml("services.domains.realty.agreements", "clause_frames.yaml")
    if not isinstance(document, dict):
        raise TypeError("clause_frames.yaml maps kinds to frames")
    found: dict[str, dict[str, None]] = {}
    for kind, entries in document.items():
        for at, entry in enumerate(entries):
            frame = ClauseFrame.model_validate(entry)
            # The clauses are picked, and no secret is made of which.
            picks = random.Random(f"{kind} {at}")  # noqa: S311
            for name, ends, most in ((kind, frame.b, _DEFECTS_MAX), (fair, frame.fair, _FAIR_MAX)):
                found.setdefault(name, {}).update(dict.fromkeys(_clauses(frame.a, ends, most, picks)))
    return {kind: tuple(clauses) for kind, clauses in found.items()}


def _clauses(begins: Sequence[str], ends: Sequence[str], most: int, picks: random.Random) -> Iterator[str]:
    both = [_JOINED.sub("", f"{begin} {end}") for begin in begins for end in ends]
    picks.shuffle(both)
    for clause in both[:most]:
        yield _styled(clause, picks) if picks.random() < _STYLED else clause


def _styled(clause: str, picks: random.Random) -> str:
    """Return a clause with its last verb in another register; as it is where none is known for it."""
    for ending, others in _ENDINGS:
        if clause.endswith(ending):
            return clause.removesuffix(ending) + picks.choice(others)
    return clause
