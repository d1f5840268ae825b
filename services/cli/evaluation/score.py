"""Counts of an evaluation, with every miss, as a program and as a person read them."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.cli.output import print_line, print_table

CONFUSIONS_MAX = 20


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that a row wanted and did not get."""

    row_id: str
    """The row."""
    name: str
    """What was scored: intent, domain, policy, next_action, entities, ..."""
    got: str
    """What came."""
    want: str
    """What was wanted."""
    voters: str = ""
    """The voters' scores, where a route was scored."""

    def as_json(self) -> dict[str, str]:
        """Return its object."""
        return {"id": self.row_id, "name": self.name, "got": self.got, "want": self.want, "voters": self.voters}


@dataclass(slots=True)
class Score:
    """Counts by name."""

    rows: int = 0
    """How many rows were scored."""
    right: Counter[str] = field(default_factory=Counter)
    """Right answers by name."""
    of: Counter[str] = field(default_factory=Counter)
    """Scored answers by name."""
    by_trait: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    """Rows that are right in everything scored, by trait."""
    by_intent: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    """Rows whose intent is right, by the intent that is wanted."""
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often one intent (first) was taken for another (second)."""
    misses: list[Miss] = field(default_factory=list)
    """Every miss."""
    hard_fails: list[Miss] = field(default_factory=list)
    """Violations that no accuracy makes good."""

    def count(self, name: str, *, right: bool, miss: Miss) -> None:
        """Count one scored answer."""
        self.of[name] += 1
        self.right[name] += right
        if not right:
            self.misses.append(miss)

    def compare(self, row_id: str, name: str, got: object, want: object) -> None:
        """Count one answer that has to equal what is wanted."""
        self.count(name, right=got == want, miss=Miss(row_id, name, str(got), str(want)))

    def accuracy(self, name: str) -> float:
        """Return the share of right answers; 1.0 where nothing was scored."""
        return self.right[name] / self.of[name] if self.of[name] else 1.0

    @property
    def worst(self) -> float:
        """The lowest accuracy of any name."""
        return min((self.accuracy(name) for name in self.of), default=1.0)

    def as_json(self, kind: str) -> dict[str, Any]:
        """Return the one object that a program reads."""
        return {
            "set": kind,
            "rows": self.rows,
            "scored": {
                name: {"right": self.right[name], "of": count, "accuracy": round(self.accuracy(name), 4)}
                for name, count in self.of.items()
            },
            "hard_fails": len(self.hard_fails),
            "hard_failures": [miss.as_json() for miss in self.hard_fails],
            "by_trait": _shares(self.by_trait),
            "by_intent": _shares(self.by_intent),
            "confusion": [
                {"want": want, "got": got, "rows": count}
                for (want, got), count in self.confused.most_common(CONFUSIONS_MAX)
            ],
            "misses": [miss.as_json() for miss in self.misses],
        }


def print_score(score: Score) -> None:
    """Print the counts, by trait and by intent too, what was taken for what, and each miss."""
    right = frozenset({"right", "of", "accuracy"})
    named = [
        (name, str(score.right[name]), str(count), f"{score.accuracy(name):.2%}") for name, count in score.of.items()
    ]
    print_table(("scored", "right", "of", "accuracy"), named, right)
    for title, shares in (("trait", score.by_trait), ("intent", score.by_intent)):
        if shares:
            print_line()
            rows = [(name, *_cells(shares[name])) for name in sorted(shares)]
            print_table((title, "right", "of", "accuracy"), rows, right)
    if score.confused:
        print_line()
        pairs = [(want, got, str(count)) for (want, got), count in score.confused.most_common(CONFUSIONS_MAX)]
        print_table(("wanted", "taken for", "rows"), pairs, frozenset({"rows"}))
    _print_misses("hard fails", score.hard_fails)
    _print_misses("misses", score.misses)


def _print_misses(title: str, misses: list[Miss]) -> None:
    if misses:
        print_line()
        print_line(f"{len(misses)} {title}")
        cells = [(miss.row_id, miss.name, miss.got, miss.want, miss.voters) for miss in misses]
        print_table(("row", "scored", "got", "want", "voters"), cells)


def _cells(counts: Counter[bool]) -> tuple[str, str, str]:
    return str(counts[True]), str(counts.total()), f"{counts[True] / counts.total():.2%}"


def _shares(counted: Mapping[str, Counter[bool]]) -> dict[str, dict[str, Any]]:
    return {
        name: {"right": c[True], "of": c.total(), "accuracy": round(c[True] / c.total(), 4)}
        for name, c in sorted(counted.items())
    }
