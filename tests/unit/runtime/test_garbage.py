"""Much that stays is left out of the search for garbage; what comes and goes is not."""

import subprocess
import sys

import pytest

from services.runtime.garbage import FREEZES_MAX, SECONDS_MAX, Lasting


@pytest.mark.parametrize(
    ("generation", "seconds", "expected"),
    [(2, 2 * SECONDS_MAX, FREEZES_MAX), (2, SECONDS_MAX / 2, 0), (1, 2 * SECONDS_MAX, 0)],
    ids=["a slow full one", "a quick one", "a partial one"],
)
def test_what_outlives_a_slow_search_is_left_out(generation: int, seconds: float, expected: int) -> None:
    """And not for ever, lest what is garbage in between adds up."""
    now, frozen = [0.0], list[float]()
    lasting = Lasting(lambda: now[0], lambda: frozen.append(now[0]))
    for _ in range(2 * FREEZES_MAX):
        lasting("start", {"generation": generation})
        now[0] += seconds
        lasting("stop", {"generation": generation})
    assert len(frozen) == expected


def test_a_process_that_has_loaded_much_searches_little() -> None:
    """In a process of its own: what is loaded before and behind the start is gone through once."""
    lines = (
        "import gc",
        "from services.runtime import garbage",
        "before = [[] for _ in range(100_000)]",
        "garbage.settle(), garbage.settle()",
        "assert (len(gc.get_objects()) < 50_000, len(gc.callbacks)) == (True, 1)",
        "garbage.SECONDS_MAX = 0.0",
        "behind = [[] for _ in range(100_000)]",
        "gc.collect()",
        "assert len(gc.get_objects()) < 50_000",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
