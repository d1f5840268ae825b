"""A process that lives long has loaded what its first questions need before it says that it serves."""

import asyncio
import subprocess
import sys
from pathlib import Path

from services.catalog.loader import catalog
from services.contract.flow import NextAction
from services.contract.router import RouteRequest
from services.llm.build import decider_from
from services.router.routing import Routing
from services.runtime import ledger
from services.runtime.identity import acting_for
from services.runtime.model_settings import LlmSettings
from tests.support.understanding import CONSUMER, run_context

QUESTIONS = {"삼성전자 주가 알려줘": "ko", "How high is the jeonse for a flat in Mapo-gu?": "en"}


async def loaded_by_questions() -> set[str]:
    """Returns the modules that the first questions load behind what was loaded ahead."""
    decider = decider_from(LlmSettings(), "router")
    routing = Routing(catalog(), decider, decider)
    await routing.load_ahead()
    before = set(sys.modules)
    for text, language in QUESTIONS.items():
        asked = RouteRequest(run_context(locale=language), text, (), "", None)
        with acting_for(CONSUMER), ledger.opened():
            route = await routing.route(asked, CONSUMER)
        assert route.next_action is NextAction.PROCEED
        assert route.asks
    return {name for name in set(sys.modules) - before if name.startswith("services.")}


def test_first_questions_load_nothing_more() -> None:
    """In a process of its own, for this one has answered others."""
    command = (sys.executable, "-m", "tests.unit.router.test_load_ahead")
    root = Path(__file__).parents[3]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr[-2_000:]


if __name__ == "__main__":
    print(sorted(asyncio.run(loaded_by_questions())))  # noqa: T201
