"""What the runs came to, as a table for people and as JSON for programs."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.faults.checker import Judged
from tests.support.faults.kinds import Case

COLUMNS = ("runs", "right", "partial", "failed", "wrong", "hang")


@dataclass(frozen=True)
class Ran:
    """One run."""

    case: Case
    """What was done."""
    judged: Judged
    """What it came to."""
    seconds: float
    """How long it took."""
    happened: bool
    """Whether the fault met a call at all."""

    @property
    def passes(self) -> bool:
        """Whether it ended as it may: right or honestly in part; where nothing may run, with a clean failure."""
        return self.judged.verdict in ({"failed"} if self.case.guarded else {"right", "partial"})


def table(runs: Sequence[Ran]) -> str:
    """Returns the runs by what was harmed and the kind of fault, and by the part of the flow that it was put into."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for ran in runs:
        counts[ran.case.row, ran.case.kind].update(("runs", ran.judged.verdict))
    lines = [f"{'row of the recovery table':32}{'fault':28}" + "".join(f"{name:>9}" for name in COLUMNS)]
    for (row, kind), count in sorted(counts.items()):
        lines.append(f"{row:32}{kind:28}" + "".join(f"{count[name]:9}" for name in COLUMNS))
    whole = Counter(name for ran in runs for name in ("runs", ran.judged.verdict))
    lines.append(f"{'all':60}" + "".join(f"{whole[name]:9}" for name in COLUMNS))
    answered = [ran for ran in runs if not ran.case.guarded]
    good = sum(ran.judged.verdict in {"right", "partial"} for ran in answered)
    lines.append(
        f"{len({ran.case.flow for ran in runs})} flows; right or honestly partial: {good} of {len(answered)}"
        f" ({good / len(answered):.1%}), and {good / len(runs):.1%} of all runs"
        f" with those in which a guard was lost and nothing may run"
    )
    return "\n".join(lines)


def as_json(runs: Sequence[Ran], path: Path) -> None:
    """Writes every run to a file."""
    rows = [
        {
            "flow": ran.case.flow,
            "row": ran.case.row,
            "kind": ran.case.kind,
            "place": ran.case.place,
            "verdict": ran.judged.verdict,
            "faults": list(ran.judged.faults),
            "seconds": round(ran.seconds, 3),
        }
        for ran in runs
    ]
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1))
