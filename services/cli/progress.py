"""Progress on standard error: a line for what was done, and on a terminal a sign of life for what is being done.

From the answer's first piece on nothing is written between its lines; what is worth saying then comes after it.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self

from google.protobuf.duration_pb2 import Duration

from hapju.flow.v1 import answer_pb2, flow_event_pb2
from services.cli import output

COMPANION_NOT_NEEDED: Final = "COMPANION_NOT_NEEDED"
"""Why the other branch of a step was left out: that is as planned, and nothing to tell a person."""

Phrases = dict[str, str]


class ProgressTeller:
    """Tells how a flow gets on, for the body of a `with`.

    Args:
        phrases: What is said, in the question's language.
        flow_run_id: The flow, where it is known already.
    """

    def __init__(self, phrases: Phrases, flow_run_id: str = "") -> None:
        self._phrases = phrases
        self._shown = ExitStack()
        self._status: Any = None
        self._answering = False
        self._warned: dict[str, None] = {}
        self.flow_run_id = flow_run_id
        """The flow's id; empty until it is accepted."""
        self._session_id = ""

    def __enter__(self) -> Self:
        """Show a sign of life where a person watches."""
        if sys.stderr.isatty():
            from rich.console import Console  # noqa: PLC0415 - a pipe does without

            console = Console(stderr=True, highlight=False)
            self._status = self._shown.enter_context(console.status(self._phrases["starting"], spinner_style="dim"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the sign of life."""
        self.close()

    @property
    def warned(self) -> frozenset[str]:
        """The warnings that have been told."""
        return frozenset(self._warned)

    def note(self, text: str) -> None:
        """Tell a line, unless the answer is being written."""
        if self._answering:
            return
        if self._status is None:
            output.say(text)
            return
        self._status.update(self._phrases["working" if self.flow_run_id else "starting"])
        self._status.console.print(_markup_free(text), style="dim")

    def told(self, event: flow_event_pb2.FlowEvent) -> None:
        """Tell what an event says, where it says something to a person."""
        kind = event.WhichOneof("event")
        if kind == "accepted":
            self.flow_run_id = event.accepted.flow_run_id
            self._session_id = event.accepted.session_id
        elif kind in {"delta", "finished"} and not self._answering:
            self._answering = True
            self.close()
        elif kind == "warning_raised" and not self._answering:
            self._warned[event.warning_raised.warning.message] = None
        if kind in _LINES and (line := _LINES[kind](event, self._phrases)):
            self.note(line)

    def close(self) -> None:
        """End the sign of life, so that standard output has the screen to itself."""
        self._shown.close()
        self._status = None

    def conclude(self, lines: Iterable[str]) -> None:
        """Tell what is left to say after the answer, and the ids of its record and of its conversation."""
        self._answering = False
        for line in lines:
            self.note(line)
        if self.flow_run_id:
            ids = {"flow_run_id": self.flow_run_id, "session_id": self._session_id or "-"}
            self.note(self._phrases["flow"].format(**ids))


def _accepted(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    return phrases["replayed" if event.accepted.replayed else "accepted"]


def _phase(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    name = flow_event_pb2.Phase.Name(event.phase_changed.phase).removeprefix("PHASE_")
    return phrases.get(f"phase_{name}", "")


def _routed(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    route = event.routed.route
    return phrases["routed"].format(domain=route.domain or "-", intent=route.intent or "-", confidence=route.confidence)


def _planned(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    agents = ", ".join(dict.fromkeys(step.agent for step in event.planned.plan.steps))
    return phrases["planned"].format(agents=agents) if agents else phrases["planned_nothing"]


def _data_reuse_decision(event: flow_event_pb2.FlowEvent, _: Phrases) -> str:
    return event.data_reuse_decision.message


def _step_started(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    return phrases["step_started"].format(agent=event.step_started.agent, task=event.step_started.task)


def _progress(event: flow_event_pb2.FlowEvent, _: Phrases) -> str:
    return f"{event.progress.service}: {event.progress.message}" if event.progress.message else ""


def _tool_settled(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    tool = event.tool_settled
    if tool.outcome == flow_event_pb2.TOOL_OUTCOME_KIND_RETURNED:
        return phrases["tool_returned"].format(tool=tool.tool, rows=tool.row_count, ms=milliseconds(tool.latency))
    return phrases["tool_failed"].format(tool=tool.tool, reason=tool.reason)


def _agent_settled(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    agent = event.agent_settled
    # The decision to reuse has said the one; of the other nobody wants to hear.
    if agent.outcome == flow_event_pb2.AGENT_OUTCOME_REUSED or agent.reason == COMPANION_NOT_NEEDED:
        return ""
    ms = milliseconds(agent.latency)
    if agent.outcome == flow_event_pb2.AGENT_OUTCOME_ANSWERED:
        return phrases["agent_answered"].format(agent=agent.agent, ms=ms)
    outcome = flow_event_pb2.AgentOutcome.Name(agent.outcome).removeprefix("AGENT_OUTCOME_")
    return phrases["agent_settled"].format(agent=agent.agent, outcome=outcome, reason=agent.reason or "-", ms=ms)


def _reviewed(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    review = event.reviewed.review
    achieved = answer_pb2.GoalAchieved.Name(review.goal_achieved).removeprefix("GOAL_ACHIEVED_")
    return phrases[f"reviewed_{achieved}"].format(score=review.score, missing=", ".join(review.missing) or "-")


def _warning(event: flow_event_pb2.FlowEvent, phrases: Phrases) -> str:
    return f"{phrases['warning']}: {event.warning_raised.warning.message}"


_LINES: Final[dict[str, Callable[[flow_event_pb2.FlowEvent, Phrases], str]]] = {
    "accepted": _accepted,
    "phase_changed": _phase,
    "routed": _routed,
    "planned": _planned,
    "data_reuse_decision": _data_reuse_decision,
    "step_started": _step_started,
    "progress": _progress,
    "tool_settled": _tool_settled,
    "agent_settled": _agent_settled,
    "reviewed": _reviewed,
    "warning_raised": _warning,
}


def milliseconds(duration: Duration) -> str:
    """Return a duration in whole milliseconds, with tenths below ten."""
    ms = duration.ToNanoseconds() / 1_000_000
    return f"{ms:.1f}" if ms < 10 else f"{ms:,.0f}"


def _markup_free(text: str) -> str:
    from rich.markup import escape  # noqa: PLC0415 - a pipe does without

    return escape(output.clean(text))
