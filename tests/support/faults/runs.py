"""Runs flows with faults: first each flow without one, which tells where it can be harmed, then one fault a run."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import grpc

from tests.support.effect_server import EffectServer, effect_server
from tests.support.faults.checker import judged
from tests.support.faults.ensemble import FaultyEnsemble, Heard, at_once, faulty_ensemble
from tests.support.faults.kinds import Case, Places, cases_of
from tests.support.faults.questions import QUESTIONS, UNDERSTANDING, Question
from tests.support.faults.report import Ran
from tests.support.model_server import ModelServer
from tests.support.wishing_agent import wishing_agent

FLOW_SECONDS: Final = 30.0
"""The deadline of a flow on a busy machine."""
BASE_SECONDS: Final = 120.0
"""The deadline of a flow without a fault, which may be the first of its kind and load what it needs."""
WAITING_SECONDS: Final = 12.0
"""The deadline of a flow whose fault is that somebody never answers."""
AT_ONCE: Final = 3
"""Runs side by side, which the machine is busy with."""
WAITING_AT_ONCE: Final = 8
"""Runs side by side that mostly wait."""
MODEL: Final = MappingProxyType(
    {
        "openai_api_key": "test",
        "llm_call_timeout_seconds": 2.0,
        "llm_first_token_timeout_seconds": 1.5,
        "llm_idle_timeout_seconds": 1.5,
        "llm_connect_timeout_seconds": 1.0,
    }
)
"""A model that is to answer quickly or not at all."""


@dataclass
class Runs:
    """The runs of one ensemble, by rule or by model."""

    ensemble: FaultyEnsemble
    """The services."""
    bank: EffectServer
    """What moves money."""
    wishing: grpc.aio.Channel
    """The agent that wants something bought."""
    model: ModelServer | None
    """The model; None where the rules decide."""
    bases: dict[str, Heard] = field(default_factory=dict)
    """By question, what is told without a fault."""
    _numbers: Any = field(default_factory=count)

    async def cases(self, questions: Iterable[tuple[int, Question]]) -> list[Case]:
        """Asks every question without a fault, and returns the cases of each."""
        found: list[Case] = []
        for number, question in questions:
            asked_before = len(self.model.calls) if self.model is not None else 0
            session_id = await self._prepared(question)
            self.ensemble.faults.calls[session_id] = []
            heard = await self._asked(question, session_id, BASE_SECONDS)
            calls = self.ensemble.faults.calls.pop(session_id)
            assert heard.terminal == ["finished"], (question.name, heard.status, heard.events[-1:])
            assert heard.answer.context_meta.status == "ok" or question.wishes, question.name
            assert self._effects(heard) == question.wishes, question.name
            self.bases[question.name] = heard
            prompts = [call.kind for call in self.model.calls[asked_before:]] if self.model is not None else []
            places = Places.of(calls, prompts)
            found += cases_of(question, places, number, by_model=self.model is not None)
        return found

    async def run_all(self, cases: Sequence[Case], told: Callable[[Ran], None]) -> list[Ran]:
        """Runs cases: busy ones a few at once, waiting ones many, those whose model fails one after the other."""

        async def one(case: Case) -> Ran:
            ran = await self.run(case)
            told(ran)
            return ran

        busy = [case for case in cases if case.model is None and not case.waits]
        waiting = [case for case in cases if case.waits]
        failing = [case for case in cases if case.model is not None]
        ran = await at_once(AT_ONCE, [one(case) for case in busy])
        ran += await at_once(WAITING_AT_ONCE, [one(case) for case in waiting])
        return ran + await at_once(1, [one(case) for case in failing])

    async def run(self, case: Case) -> Ran:
        """Runs one case and judges it."""
        session_id = await self._prepared(case.question)
        faults = [replace(fault, session_id=session_id) for fault in case.faults]
        self.ensemble.faults.planted[session_id] = faults
        seconds_max = WAITING_SECONDS if case.waits else FLOW_SECONDS
        if case.model is not None and self.model is not None:
            self.model.script(*case.model)
        heard = await self._asked(case.question, session_id, seconds_max)
        happened = all(fault.done for fault in faults)
        if case.model is not None and self.model is not None:
            happened = self.model.unsaid(case.model[0]) == 0
            self.model.forget()
        del self.ensemble.faults.planted[session_id]
        verdict = judged(
            self.bases[case.question.name],
            heard,
            seconds_max=seconds_max,
            effects=self._effects(heard),
            effects_wanted=int(case.question.wishes),
        )
        return Ran(case, verdict, heard.seconds, happened)

    async def _prepared(self, question: Question) -> str:
        """Returns a new conversation that has come to where the question is asked."""
        session_id = f"faults-{next(self._numbers):05d}-{'model' if self.model is not None else 'rule'}"
        if question.wishes:
            self.ensemble.faults.routes[session_id, question.agents[0]] = self.wishing
        if question.earlier:
            heard = await self.ensemble.ask(question.earlier, session_id, BASE_SECONDS)
            assert heard.terminal == ["finished"], (question.name, heard.status, heard.events[-1:])
        return session_id

    async def _asked(self, question: Question, session_id: str, seconds: float) -> Heard:
        answers = ("네",) if question.wishes else ()
        return await self.ensemble.ask(question.text, session_id, seconds, answers)

    def _effects(self, heard: Heard) -> int:
        """Returns how many effects a flow has had: by the ledger, or by the money that moved, whichever is more."""
        accepted = heard.of("accepted")
        if not accepted:
            return 0
        keys = self.ensemble.effects(accepted[0].flow_run_id)
        moved = sum(line.split()[0] in keys for line in self.bank.moved)
        return max(len(keys), moved)


@asynccontextmanager
async def runs(folder: Path, shop: Path, *, by_model: bool) -> AsyncIterator[Runs]:
    """Starts an ensemble that is asked by rule or by model, with a bank and an agent that wants something bought."""
    folder.mkdir(parents=True)
    with sqlite3.connect(shop) as connection:
        query = "SELECT product_id FROM offers WHERE stock > 100 AND price_krw > 30000 ORDER BY offer_id LIMIT 1"
        (product_id,) = connection.execute(query).fetchone()
    connection.close()
    order = {"items": [{"product_id": product_id, "quantity": 1}], "payment_method": "card"}
    state = folder / "state"
    with effect_server(folder) as bank:
        async with (
            ModelServer(UNDERSTANDING) as model,
            wishing_agent(state, "realty.search", order) as address,
            grpc.aio.insecure_channel(address) as wishing,
            faulty_ensemble(
                state,
                shop,
                payment_gateway=bank.address,
                **({**MODEL, "openai_base_url": model.base_url} if by_model else {}),
            ) as ensemble,
        ):
            yield Runs(ensemble, bank, wishing, model if by_model else None)


def numbered() -> list[tuple[int, Question]]:
    """Returns every question with its number."""
    return list(enumerate(QUESTIONS))
