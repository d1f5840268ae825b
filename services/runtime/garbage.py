"""What a process has loaded stays until its end: the search for garbage is not to go through it again and again.

A full search goes through every object, with the loop standing still: 0.13 s in a router that has read its catalog, its
words and its models. What is there once a service listens is left out of it; so is what its first questions load, as
soon as a search shows that there is much of it.
"""

import gc
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any, Final

SECONDS_MAX: Final = 0.03
"""How long a full search may take until what has outlived it is left out of the next ones."""
FREEZES_MAX: Final = 8
"""So often at most: among much that stays there is a little that does not, and is not found any more."""
_FULL: Final = 2


class Lasting:
    """Looks at each search for garbage, as one of `gc.callbacks`.

    Args:
        clock: Seconds of a core.
        freeze: Leaves out what there is now.
    """

    def __init__(self, clock: Callable[[], float] = thread_time, freeze: Callable[[], None] = gc.freeze) -> None:
        self._clock, self._freeze = clock, freeze
        self._began = 0.0
        self._left = FREEZES_MAX

    def __call__(self, phase: str, info: Mapping[str, Any]) -> None:
        """Take note of a search's beginning or end."""
        if phase == "start":
            self._began = self._clock()
        elif info["generation"] == _FULL and self._left and self._clock() - self._began > SECONDS_MAX:
            self._left -= 1
            self._freeze()


def settle() -> None:
    """Leave out what the process has loaded by now, and watch for what it loads yet; once in its life."""
    if any(isinstance(one, Lasting) for one in gc.callbacks):
        return
    gc.freeze()
    gc.callbacks.append(Lasting())
