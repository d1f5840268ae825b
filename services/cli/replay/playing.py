"""Plays a recording: the services of this code run in this process, without any model, tool gateway or flow store.

policy router planner synthesizer agents    as they are, over sockets
models                                      the recorded decisions (services.llm.playback)
tool gateway                                the recorded calls and actions (servicer.py)
orchestrator                                its conductor alone: nothing of a replay is kept
"""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final

from services.catalog.topology import topology
from services.cli.embedded import embedded_settings
from services.cli.ensemble import Layout, LocalServices
from services.cli.replay.comparing import Difference, differences
from services.cli.replay.servicer import RecordedTools, register_for
from services.contract.flow import DecisionSource
from services.contract.recording import FlowRecording
from services.llm.build import decider_from, models_replaced
from services.llm.playback import RecordedModel
from services.orchestrator.replay.recording import check_versions
from services.orchestrator.replay.rerun import Replayed, ReplayedEnsemble, replayed
from services.orchestrator.servicer import conductor_of
from services.runtime.calls import Peers
from services.runtime.identity import Assertions
from services.runtime.server import start
from services.runtime.settings import SHORTCUTS, Settings

ORCHESTRATOR: Final = "orchestrator"
"""Under whose name the conductor decides and calls."""
TOOLS: Final = "tool_gateway"
_ABSENT: Final = ("gateway", ORCHESTRATOR, TOOLS)
_ROLES: Final = ("model_router", "model_utility", "model_agent", "model_supervisor")
_NOWHERE: Final = "http://recorded.invalid"
"""Stands where an endpoint has to be named; nobody calls it."""


@dataclass(frozen=True, slots=True)
class Played:
    """A recording and what came of it now."""

    recording: FlowRecording
    """The flow as it was."""
    replay: Replayed
    """Its path taken again."""
    differences: tuple[Difference, ...]
    """What came out otherwise."""


async def played(
    recording: FlowRecording, settings: Settings, elsewhere: Mapping[str, str] = MappingProxyType({})
) -> Played:
    """Replay a recording and return what differs.

    Args:
        recording: The flow.
        settings: The process's settings; their models, data and tools are left alone.
        elsewhere: Agents that run elsewhere, by name, where not all of them are this code's.

    Raises:
        FailedPrecondition: It is of another version.
    """
    check_versions(recording)
    doubled, double = replay_settings(recording, settings), RecordedTools(recording)
    async with AsyncExitStack() as stack:
        sockets = stack.enter_context(TemporaryDirectory(prefix="hapju-replay-"))
        listen = f"unix:{sockets}/{TOOLS}"
        gateway = await start(TOOLS, register_for(double), doubled, listen=listen, addresses={})
        stack.push_async_callback(gateway.stop, 0.5)
        models: list[RecordedModel] = []
        stack.enter_context(models_replaced(lambda service: _model(recording, service, models)))
        names = tuple(name for name in topology().names if name not in {*_ABSENT, *elsewhere})
        layout = Layout(names, lambda name: f"unix:{sockets}/{name}", {TOOLS: listen, **elsewhere})
        ensemble = await stack.enter_async_context(LocalServices(doubled, topology(), layout))
        peers = Peers(ORCHESTRATOR, ensemble.addresses, Assertions(doubled.assertion_key))
        stack.push_async_callback(peers.close)
        decider = decider_from(doubled.llm, ORCHESTRATOR)
        stack.push_async_callback(decider.aclose)
        conductor = conductor_of(doubled, ReplayedEnsemble(peers, recording), decider)
        replay = await replayed(conductor, recording, doubled)
    asked_anew = [one for model in models for one in model.asked_anew]
    found = differences(
        recording, replay, asked_anew=asked_anew, unexpected=double.unexpected, left_over=double.left_over
    )
    return Played(recording, replay, found)


def replay_settings(recording: FlowRecording, settings: Settings) -> Settings:
    """Return settings under which nothing real is reached, and a model is asked where the flow asked one.

    A role that the settings leave without a model has none here either.

    Decisions are asked for one after the other: what is asked ahead and thrown away is in no recording. Whether results
    are judged before their summary is written is left as it is set, for a judgement rests on what it was shown.
    """
    asked = [one.decision.model for one in recording.decisions if one.decision.source is not DecisionSource.RULE]
    names = {role: (asked or [""])[0] if getattr(settings, role) else "" for role in _ROLES}
    web = any(one.tool == "web_search" for one in recording.tool_exchanges)
    changed = {
        **names,
        "openai_base_url": _NOWHERE if asked else "",
        "openai_api_key": settings.openai_api_key if asked else type(settings.openai_api_key)(""),
        "llm_structured_output": "json_schema",
        **dict.fromkeys((name for name in SHORTCUTS if name != "early_results"), False),
        "flow_recording": "off",
        "web_search_url": _NOWHERE if web else "",
        "otlp_endpoint": "",
    }
    return embedded_settings(settings).model_copy(update=changed)


def _model(recording: FlowRecording, service: str, made: list[RecordedModel]) -> RecordedModel:
    """Return a service's double, which joins those that were made."""
    made.append(RecordedModel(one.decision for one in recording.decisions if one.decision.service == service))
    return made[-1]
