"""How far a plain question walks through the house: the files and functions of it that run until its answer is there.

All services run in this process and have answered another question before, so that what is made once is made. What the
services do by the clock meanwhile counts too; it is little. What is generated does not: nobody reads it.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Final

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli.client import GatewayClient, dialled
from services.cli.embedded import embedded
from services.cli.problems import Problem
from services.cli.tokens import Identity, bearer_token
from services.runtime.settings import Settings
from tests.bench.lines import is_generated
from tests.bench.report import Note, Report, Result

QUESTIONS: Final = ("미국 기준금리 알려줘", "미국 실업률 알려줘")
"""One that is asked before, and the one that is followed."""
FILES_MAX: Final = 150
"""How many files a plain question may run."""
FUNCTIONS_MAX: Final = 900
"""How many functions."""
_ROOT: Final = str(Path(__file__).parents[2])
_SECONDS_MAX: Final = 60.0
_NO_FUNCTIONS: Final = frozenset({"<module>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>"})
Steps = set[tuple[str, str, int]]
"""Functions, each by its file, name and line."""


def measure(rounds: int, note: Note, seeded: Path | None = None) -> Report:
    """Returns the figures, which are the same in every round.

    Args:
        rounds: Not used: one question is followed.
        note: Takes lines of progress.
        seeded: A data directory that holds the sample data already.

    Raises:
        Problem: Where the question has no answer.
    """
    del rounds
    with TemporaryDirectory(prefix="hapju-bench-") as folder:
        settings = Settings(data_dir=seeded or Path(folder), log_level="warning")
        steps = asyncio.run(_walked(settings, note))
    results = (_count("walk_files", len({file for file, *_ in steps}), FILES_MAX),)
    return Report((*results, _count("walk_functions", len(steps), FUNCTIONS_MAX)), floor="what it is to keep below")


def _count(name: str, value: int, limit: int) -> Result:
    return Result(name, "count", value, limit)


async def _walked(settings: Settings, note: Note) -> Steps:
    steps: Steps = set()

    def entered(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_ROOT) and code.co_name not in _NO_FUNCTIONS:
            steps.add((code.co_filename, code.co_qualname, code.co_firstlineno))

    async with (
        embedded(settings, note) as address,
        dialled(address, lambda: bearer_token(Identity("", ""), settings)) as gateway,
    ):
        await _ask(gateway, QUESTIONS[0])
        # Threads that run already are not followed, so what blocks gets new ones.
        threads = ThreadPoolExecutor(initializer=lambda: sys.setprofile(entered))
        asyncio.get_running_loop().set_default_executor(threads)
        sys.setprofile(entered)
        try:
            await _ask(gateway, QUESTIONS[1])
        finally:
            sys.setprofile(None)
    files = {
        file
        for file, *_ in steps
        if file.startswith((f"{_ROOT}/tests/", f"{_ROOT}/protos/")) or is_generated(Path(file))
    }
    return {one for one in steps if one[0] not in files}


async def _ask(gateway: GatewayClient, text: str) -> None:
    request = pb.AskRequest(question=question_pb2.Question(text=text), together=True)
    kinds = [event.WhichOneof("event") async for event in gateway.ask(request, _SECONDS_MAX)]
    if kinds[-1:] != ["finished"]:
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"{text!r} has no answer")
