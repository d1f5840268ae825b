"""Flows as a monitoring screen shows them: the chain of decisions, tool calls and agents in order, then as a tree."""

from collections.abc import Iterable, Sequence
from datetime import UTC
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from hapju.flow.v1 import drop_pb2, flow_event_pb2, memory_pb2, question_pb2, record_pb2
from services.cli.output import print_line, print_table
from services.cli.progress import milliseconds

_QUESTION_CHARACTERS_MAX: Final = 60
_LINKED: Final = frozenset({"decision_made", "tool_settled", "agent_settled", "action_settled"})


def print_flows(flows: Iterable[record_pb2.FlowSummary]) -> None:
    """Print one line a flow."""
    rows = (
        (
            flow.flow_run_id,
            _local(flow.start_time),
            phase_name(flow.phase),
            milliseconds(flow.latency),
            str(flow.usage.model_calls),
            f"{flow.usage.input_tokens + flow.usage.output_tokens:,}",
            _short(flow.question),
        )
        for flow in flows
    )
    columns = ("flow", "started", "phase", "ms", "models", "tokens", "question")
    print_table(columns, rows, frozenset({"ms", "models", "tokens"}))


def print_sessions(sessions: Iterable[memory_pb2.SessionSummary]) -> None:
    """Print one line a conversation."""
    rows = (
        (one.session_id, _local(one.create_time), _local(one.last_time), _short(one.summary.rpartition("\n")[2]))
        for one in sessions
    )
    print_table(("session", "began", "last answer", "last said"), rows)


def print_turns(turns: Iterable[question_pb2.Turn]) -> None:
    """Print what was said, a row a turn."""
    rows = (
        (_local(turn.say_time), "user" if turn.speaker == question_pb2.SPEAKER_USER else "hapju", turn.text)
        for turn in turns
    )
    print_table(("time", "who", "said"), rows)


def print_record(record: record_pb2.FlowRecord) -> None:
    """Print a flow's summary, its chain, its tree and what was left out of its texts."""
    _print_summary(record.summary)
    print_line()
    columns = ("#", "at ms", "service", "decision or tool", "source", "model", "ms", "tokens", "outcome")
    rows = (_link(link, record.summary.start_time) for link in (*record.chain, *record.after))
    print_table(columns, rows, frozenset({"#", "at ms", "ms", "tokens"}))
    print_line()
    for line in tree_lines(record):
        print_line(line)
    if record.dropped:
        print_line()
        print_table(("left out of", "step", "why", "part", "text"), map(_dropped, record.dropped))


def tree_lines(record: record_pb2.FlowRecord) -> list[str]:
    """Return the flow as a tree: the services in the order in which they came in, and what each did.

    An agent is one branch, with the tool calls of its steps; agents that ran side by side are told apart that way.
    Another service has a branch each time it is its turn.
    """
    summary = record.summary
    lines = [f"{summary.flow_run_id}  {phase_name(summary.phase)}  {milliseconds(summary.latency)} ms"]
    branches = _branches(record)
    for index, (owner, links) in enumerate(branches):
        last = index == len(branches) - 1
        lines.append(f"{'└─' if last else '├─'} {owner}")
        lines += _leaves(links, "   " if last else "│  ")
    if record.after:
        lines += ["after the flow", *_leaves(record.after, "")]
    return lines


def _branches(record: record_pb2.FlowRecord) -> list[tuple[str, list[record_pb2.ChainLink]]]:
    started = [event.step_started for event in record.events if event.WhichOneof("event") == "step_started"]
    steps = {step.step_id: step.agent for step in started}
    # A link is made of each of these events, in order; a tool's and an action's name their step, their links do not.
    sources = [event for event in record.events if event.WhichOneof("event") in _LINKED]
    step_ids = [event.tool_settled.step_id or event.action_settled.step_id for event in sources]
    agents = set(steps.values())
    branches: list[tuple[str, list[record_pb2.ChainLink]]] = []
    for link, step_id in zip(record.chain, step_ids, strict=True):
        owner = steps.get(step_id, link.service)
        at = next((links for name, links in branches if name == owner and owner in agents), None)
        if at is None and branches and branches[-1][0] == owner:
            at = branches[-1][1]
        if at is None:
            branches.append((owner, at := []))
        at.append(link)
    return branches


def _leaves(links: Sequence[record_pb2.ChainLink], indent: str) -> list[str]:
    return [
        f"{indent}{'└─' if index == len(links) - 1 else '├─'} {link.name}  {link.kind}  {milliseconds(link.latency)} ms"
        f"{'  ' + link.outcome if link.outcome else ''}"
        for index, link in enumerate(links)
    ]


def _print_summary(summary: record_pb2.FlowSummary) -> None:
    usage = summary.usage
    facts = {
        "flow": summary.flow_run_id,
        "session": summary.session_id,
        "question": summary.question,
        "phase": phase_name(summary.phase),
        "started": _local(summary.start_time),
        "took": f"{milliseconds(summary.latency)} ms",
        "cost": f"{usage.model_calls} model calls, {usage.input_tokens:,} + {usage.output_tokens:,} tokens, "
        f"{usage.tool_calls} tool calls",
    }
    for name, value in facts.items():
        print_line(f"{name:<9} {value}")


def _link(link: record_pb2.ChainLink, start: Timestamp) -> tuple[str, ...]:
    began_ms = (link.settle_time.ToNanoseconds() - start.ToNanoseconds() - link.latency.ToNanoseconds()) / 1_000_000
    tokens = f"{link.input_tokens:,}+{link.output_tokens:,}" if link.model else ""
    return (
        str(link.order),
        f"{max(began_ms, 0.0):,.0f}",
        link.service,
        link.name,
        link.kind,
        link.model,
        milliseconds(link.latency),
        tokens,
        link.outcome,
    )


def _dropped(one: drop_pb2.Dropped) -> tuple[str, ...]:
    place = drop_pb2.DropPlace.Name(one.place).removeprefix("DROP_PLACE_").lower().replace("_", " ")
    return place, one.step_id, drop_pb2.DropReason.Name(one.reason).removeprefix("DROP_REASON_"), one.part, one.text


def phase_name(phase: "flow_event_pb2.Phase.ValueType") -> str:
    """Return a phase as people read it."""
    return flow_event_pb2.Phase.Name(phase).removeprefix("PHASE_")


def _local(moment: Timestamp) -> str:
    return f"{moment.ToDatetime(UTC).astimezone():%Y-%m-%d %H:%M:%S}"


def _short(text: str) -> str:
    return text if len(text) <= _QUESTION_CHARACTERS_MAX else text[: _QUESTION_CHARACTERS_MAX - 1] + "…"
