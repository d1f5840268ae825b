"""What a cold question costs: the time to its first event, its memory, and the seeding that comes before it once."""

from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.children import Cold, cold
from tests.bench.report import Note, Report, Result, median_result

ROUNDS_MAX: Final = 3
"""A cold run takes seconds, and its median is steady after a few."""
_QUESTION: Final = "What is the latest US unemployment rate?"
_CLI: Final = "services.cli"
_ECHO: Final = "tests.bench.echo"


def measure(rounds: int, note: Note) -> Report:
    """Returns the figures; each question runs in a process of its own, over data that was seeded before.

    Raises:
        Problem: Where seeding or a question fails.
    """
    with TemporaryDirectory(prefix="hapju-bench-") as folder:
        environment = {"HAPJU_DATA_DIR": folder, "HAPJU_GATEWAY": "", "HAPJU_SQL_URL": "", "HAPJU_STORE_URL": ""}
        note("seeding")
        seeding = cold(_CLI, "seed", "--json", **environment)
        asked: list[Cold] = []
        bare: list[Cold] = []
        for number in range(1, min(rounds, ROUNDS_MAX) + 1):
            note(f"round {number}")
            bare.append(cold(_ECHO, "once"))
            asked.append(cold(_CLI, "ask", _QUESTION, "--events", **environment))
    return Report(_results(seeding, asked, bare))


def _results(seeding: Cold, asked: list[Cold], bare: list[Cold]) -> tuple[Result, ...]:
    first, bare_first = ([run.first_line_seconds * 1_000 for run in runs] for runs in (asked, bare))
    cpu, bare_cpu = ([run.cpu_seconds * 1_000 for run in runs] for runs in (asked, bare))
    memory, bare_memory = ([run.peak_megabytes for run in runs] for runs in (asked, bare))
    return (
        median_result("cold_ask_first_event", "ms", first, bare_first),
        median_result("cold_ask_cpu", "ms", cpu, bare_cpu),
        median_result("cold_ask_whole", "ms", [run.all_seconds * 1_000 for run in asked]),
        median_result("embedded_ensemble_peak_rss", "MB", memory, bare_memory),
        median_result("seeding", "s", [seeding.all_seconds]),
    )
