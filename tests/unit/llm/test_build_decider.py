"""A service's decider from settings: one client per process, closed with its last user."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date

import pytest
from pydantic import SecretStr

from prompts.fields import Trusted
from prompts.planner.query_normalization import PROMPT, Inputs, Output
from prompts.prompt import ModelRole
from services.contract.flow import DecisionSource
from services.llm.build import decider_from
from services.runtime import ledger
from services.runtime.model_settings import LlmSettings
from tests.support.model_server import ModelServer

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]

INPUTS = Inputs(question="지난달 물가는?", today=date(2026, 3, 2), time_zone=Trusted("Asia/Seoul"))


def rule(inputs: Inputs) -> Output:
    """Leave the question as it is."""
    return Output(normalised_question=inputs.question, reasoning="")


@pytest.mark.asyncio
async def test_services_share_one_client_until_the_last_leaves(server: ModelServer, flow: Flow) -> None:
    """Two services of one process use one model; it works until both have closed; a later service gets a new one."""
    settings = LlmSettings(base_url=server.base_url, api_key=SecretStr("k"), model_utility="small")
    planner, policy = decider_from(settings, "planner"), decider_from(settings, "policy")
    assert planner._model is policy._model
    await policy.aclose()
    with flow() as opened:
        decided = await planner.decide(PROMPT, INPUTS, rule)
    await planner.aclose()
    later = decider_from(settings, "planner")
    assert later._model is not planner._model
    assert (decided.source, opened.decisions[0].service, server.calls[0].body["model"]) == (
        DecisionSource.LLM,
        "planner",
        "small",
    )
    await later.aclose()


@pytest.mark.asyncio
async def test_without_settings_there_is_no_model(flow: Flow) -> None:
    """Neither base URL nor key: every decision is a RULE, and closing is harmless."""
    decider = decider_from(LlmSettings(), "planner")
    with flow():
        decided = await decider.decide(PROMPT, INPUTS, rule)
    await decider.aclose()
    assert (decided.source, decider.configured(ModelRole.UTILITY)) == (DecisionSource.RULE, False)


def test_the_sdk_is_not_imported_before_a_model_is_asked() -> None:
    """Importing the seam costs no SDK: services that never ask stay small."""
    program = "import sys, services.llm.build; print('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
