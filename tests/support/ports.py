"""Ports for servers that a test starts, stops and starts again.

They lie outside the range that the system gives to connections, so that no connection of another test takes one while
its server is away; each test worker has its own, and none is given twice.
"""

import os
import socket
from collections.abc import Iterator
from itertools import count
from random import SystemRandom
from typing import Final

FIRST: Final = 10_240
"""Below are ports that people and this project's own defaults use."""
END: Final = 32_768
"""From here on the system gives ports to connections, unless it is told otherwise."""
_WORKERS: Final = 8


def free_ports(number: int) -> list[int]:
    """Returns ports that nothing listens at."""
    found: list[int] = []
    for port in _ports:
        if _is_free(port):
            found.append(port)
        if len(found) == number:
            break
    return found


def _of_this_worker() -> Iterator[int]:
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _WORKERS
    # Runs beside each other begin at places of their own.
    begin = SystemRandom().randrange(END - FIRST)
    return (FIRST + (worker + _WORKERS * (begin + at)) % (END - FIRST) for at in count())


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


_ports = _of_this_worker()
