"""Understanding a question takes a time that grows with its length, whatever it is made of."""

import asyncio
import gc
from pathlib import Path
from time import process_time

import pytest

from services.catalog.loader import catalog
from services.contract.router import RouteRequest
from services.llm.build import decider_from
from services.router.routing import Routing
from services.runtime import ledger
from services.runtime.identity import acting_for
from services.runtime.model_settings import LlmSettings
from tests.support.understanding import CONSUMER, run_context

pytestmark = [pytest.mark.timed, pytest.mark.xdist_group("timed")]

LENGTHS = (300, 1_200)
"""Two doublings, which show a square better than one, whose noise is as great as what it may grow by."""
RATIO_MAX = 2.3**2
"""So many times the text takes at most so many times as long: 2.3 for each doubling."""
SECONDS_MIN = 0.1
"""What takes less is not worth a ratio."""
PIECES = {
    "digits": "1",
    "codes": "1/2-a",
    "one word": "나만",
    "particles": "만",
    "conjunctions": "그리고 ",
    "sentences": "가? ",
    "months": "지난달 ",
    "days": "3일 뒤 ",
    "or": "or ",
    "if": "do it if ",
    "sums": "집값 5억 대출 3억 ",
    "names": "삼성전자, 강남구, ",
}


def text_of(piece: str, length: int) -> str:
    """Returns a text of so many characters."""
    return (piece * (length // len(piece) + 1))[:length]


async def seconds(routing: Routing, piece: str, length: int) -> float:
    """Returns the processor's time for understanding a text, the least of two; each text is a new one.

    The search for garbage goes through all that the tests before have loaded; it waits until the text is read.
    """
    taken = []
    for less in range(2):
        gc.collect()
        asked = RouteRequest(run_context(), text_of(piece, length - less), (), "", None)
        gc.disable()
        try:
            begin = process_time()
            with acting_for(CONSUMER), ledger.opened():
                await routing.route(asked, CONSUMER)
            taken.append(process_time() - begin)
        finally:
            gc.enable()
    return min(taken)


@pytest.fixture(scope="module")
def routing(tmp_path_factory: pytest.TempPathFactory) -> Routing:
    """The router's own reading, without a model."""
    decider = decider_from(LlmSettings(), "router")
    folder: Path = tmp_path_factory.mktemp("routing")
    made = Routing(catalog(), decider, decider, folder)
    asyncio.run(seconds(made, "애플 주가 ", 240))
    return made


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_twice_the_question_takes_twice_the_time(routing: Routing, piece: str) -> None:
    """No reader of any domain looks at everything again for each thing that it finds."""
    short, long = (asyncio.run(seconds(routing, piece, length)) for length in LENGTHS)
    assert long < max(SECONDS_MIN, RATIO_MAX * short)
