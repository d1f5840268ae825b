"""What a loop computes when it stands still for long: looked at from another thread, as long as it lasts."""

import gc
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

LOOKS_SECONDS = 0.02
"""How often it is looked at."""
FRAMES = 8
"""How many of the innermost frames are told."""


@dataclass
class Standing:
    """The longest stretches that a loop computed without a pause, each with what it was at."""

    seconds_min: float
    """What is worth telling, in seconds of a core."""
    seen: dict[str, float] = field(default_factory=dict)
    """Seconds by what was computed, the most of each."""
    _began: float = 0.0
    _collecting: float = 0.0
    _clock: int = field(default_factory=lambda: time.pthread_getcpuclockid(threading.get_ident()))
    _thread: int = field(default_factory=threading.get_ident)

    def tick(self) -> None:
        """Takes note that the loop has had a pause."""
        self._began = self._computed()

    def lines(self) -> list[str]:
        """Returns what was seen, the longest first."""
        ordered = sorted(self.seen.items(), key=lambda one: -one[1])
        return [f"{seconds * 1e3:.0f} ms: {where}" for where, seconds in ordered]

    @contextmanager
    def looked_at(self) -> Iterator[None]:
        """Looks until the body ends."""
        self.tick()
        done = threading.Event()
        looking = threading.Thread(target=self._look, args=(done,), daemon=True)
        gc.callbacks.append(self._collected)
        looking.start()
        try:
            yield
        finally:
            done.set()
            looking.join()
            gc.callbacks.remove(self._collected)

    def _computed(self) -> float:
        return time.clock_gettime(self._clock)

    def _look(self, done: threading.Event) -> None:
        while not done.wait(LOOKS_SECONDS):
            seconds = self._computed() - self._began
            if seconds >= self.seconds_min:
                frame = sys._current_frames().get(self._thread)
                self._note(_where(frame), seconds)

    def _collected(self, phase: str, info: Mapping[str, Any]) -> None:
        # No other thread runs while garbage is looked for.
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._collecting = self._computed()
        elif (seconds := self._computed() - self._collecting) >= self.seconds_min / 2:
            self._note(f"garbage of generation {info['generation']}", seconds)

    def _note(self, where: str, seconds: float) -> None:
        self.seen[where] = max(seconds, self.seen.get(where, 0.0))


def _where(frame: Any) -> str:
    inner = traceback.extract_stack(frame)[-FRAMES:]
    return " > ".join(f"{one.filename.rpartition('/')[2]}:{one.lineno} {one.name}" for one in inner)
