"""Values that stand in relation to each other, solved for whichever of them is asked. Pure.

A domain declares relations of named values: own money = price - loan. `solved` goes from what is known to what is asked over
as many relations as it takes, and only on a way that uses all that is known.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from services.contract.asks import Said

Known = Mapping[str, Decimal]
"""Values by name, each in the unit of its name."""
_Solver = Callable[[Known], Decimal]


@dataclass(frozen=True, slots=True)
class Unknown:
    """One variable of a relation, computed from the others."""

    name: str
    """The variable."""
    compute: _Solver
    """Computes it; the other variables are known."""
    shown: str
    """The computation with its inputs in braces, read alike in both languages: "{price} x {ltv}"."""
    signed: bool = False
    """Whether it may be below zero, as a return may; else such a value has no solution."""


@dataclass(frozen=True, slots=True)
class Equation:
    """Variables one of which follows from the others."""

    variables: frozenset[str]
    """All of them."""
    unknowns: tuple[Unknown, ...]
    """Those that can be computed."""
    absent: frozenset[str] = frozenset()
    """Variables that may count as nothing: a deposit that nobody pays; of two, one has to be something."""

    def left_out(self, unknown: Unknown, known: frozenset[str]) -> Iterator[frozenset[str]]:
        """Yield what counts as nothing where one of its unknowns is computed, the most left out first."""
        spare = sorted(self.absent - known - {unknown.name})
        for count in range(len(spare), -1, -1):
            for names in combinations(spare, count):
                if not names or len(self.absent) == 1 or set(names) != self.absent:
                    yield frozenset(names)


@dataclass(frozen=True, slots=True)
class Step:
    """One value that was computed."""

    unknown: Unknown
    """What was computed, and how."""
    value: Decimal
    """Its value."""
    inputs: frozenset[str]
    """The variables that it rests on."""


class UnsolvableError(ValueError):
    """The values given allow no solution: payments below the interest, a share of nothing."""


def relation(*unknowns: Unknown, also: Sequence[str] = (), absent: Sequence[str] = ()) -> Equation:
    """Return a relation of its unknowns and what else it holds."""
    return Equation(frozenset({one.name for one in unknowns} | set(also)), unknowns, frozenset(absent))


def solved(asked: str, known: Known, relations: Sequence[Equation]) -> tuple[Step, ...]:
    """Return the steps from what is known to what is asked, every known value being used; empty where there is no way.

    Raises:
        UnsolvableError: There is a way, and the values allow no solution.
    """
    if asked in known:
        return ()
    for way in _ways(asked, frozenset(known), frozenset({asked}), relations):
        if set(known) <= {name for _, inputs in way for name in inputs}:
            return tuple(_computed(way, known))
    return ()


_Way = tuple[tuple[Unknown, frozenset[str]], ...]
"""What is computed one after another, each with the variables that it rests on."""


def _ways(asked: str, known: frozenset[str], seen: frozenset[str], relations: Sequence[Equation]) -> Iterator[_Way]:
    """Yield the ways to a value, the shortest of each relation first; no variable is computed from itself."""
    for related in relations:
        for unknown in (one for one in related.unknowns if one.name == asked):
            for spare in related.left_out(unknown, known):
                inputs = related.variables - {asked} - spare
                lacking = sorted(inputs - known)
                if not seen.isdisjoint(lacking) or len(lacking) > 1:
                    continue
                before = _ways(lacking[0], known, seen | {lacking[0]}, relations) if lacking else iter([()])
                for way in before:
                    yield (*way, (unknown, inputs))


def _computed(way: _Way, known: Known) -> Iterator[Step]:
    values = dict(known)
    for unknown, inputs in way:
        try:
            value = unknown.compute(defaultdict(Decimal, values))
        except (ArithmeticError, ValueError) as error:
            raise UnsolvableError(unknown.name) from error
        if value <= 0 and not unknown.signed:
            raise UnsolvableError(unknown.name)
        values[unknown.name] = value
        yield Step(unknown, value, inputs)


def shown(step: Step, said: Mapping[str, Said]) -> Said:
    """Return how a value was computed, with values in place of their names; what counted as nothing is not shown."""
    spare = r" (?:[+−] \{(\w+)\}|× \(100% − \{(\w+)\}\))"
    text = re.sub(spare, lambda m: m.group() if (m[1] or m[2]) in step.inputs else "", step.unknown.shown)
    text = re.sub(r"\{(\w+)\} [+] ", lambda m: m.group() if m.group(1) in step.inputs else "", text)
    ko, en = ({name: value.of(locale) for name, value in said.items()} for locale in ("ko", "en"))
    return Said(text.format(**ko), text.format(**en))
