"""What differs between a recorded flow and its replay.

    decision     missing, or one that was not made then
    output       another output
    source       another of LLM, RULE and FALLBACK, or a rule's decision that is put to a model now
    inputs       the same decision on other inputs: where a later difference comes from
    order        before what it has to come after, or after what it has to come before
    tool         a call that was not made then, or is not made now
    action       another outcome of an action
    question     one that was not asked then, or is not asked now
    end, answer  another end, another text

Decisions that were made side by side may come in any order: they are paired by place, service and kind, first those on
equal inputs. What takes time (latency, usage, moments, versions of prompts) is no difference.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from services.contract.events import ActionSettled, Finished
from services.contract.flow import Decision
from services.contract.recording import FlowRecording, RecordedDecision
from services.orchestrator.replay.places import FlowOrder
from services.orchestrator.replay.rerun import Replayed, ends_of

TOLD_CHARACTERS_MAX: Final = 400
"""How much is shown of one side of a difference."""
PUT_TO_A_MODEL: Final = "put to a model"
"""What stands for a decision that would be a model's now."""
NONE: Final = "-"
"""What stands for a side that has nothing."""
_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came out otherwise."""

    kind: str
    """decision, output, source, inputs, order, tool, action, question, end or answer."""
    where: str
    """The place, service and decision, or what else it concerns."""
    recorded: str
    """What the recording holds."""
    replayed: str
    """What came of it now."""

    def as_json(self) -> dict[str, str]:
        """Return its object."""
        return {"kind": self.kind, "where": self.where, "recorded": self.recorded, "replayed": self.replayed}


def differences(
    recording: FlowRecording,
    replay: Replayed,
    *,
    asked_anew: Sequence[Decision] = (),
    unexpected: Sequence[str] = (),
    left_over: Sequence[str] = (),
) -> tuple[Difference, ...]:
    """Return what differs, decisions first; empty where nothing does.

    Args:
        recording: The flow as it was.
        replay: What came of it now.
        asked_anew: Recorded decisions by rule that are put to a model now.
        unexpected: Calls of tools that were not made then.
        left_over: Calls of tools that are not made now.
    """
    pairs = _paired(recording.decisions, replay.decisions)
    found = [one for pair in pairs for one in _of_pair(*pair)]
    found += _asked_anew(recording, asked_anew)
    found += _out_of_order(replay, pairs)
    found += [Difference("tool", call, NONE, "called") for call in unexpected]
    found += [Difference("tool", call, "called", NONE) for call in left_over]
    found += _of_questions(recording, replay)
    found += _of_ends(recording, replay)
    return tuple(found)


_Pair = tuple[RecordedDecision | None, RecordedDecision | None]


def _paired(recorded: Sequence[RecordedDecision], made: Sequence[RecordedDecision]) -> list[_Pair]:
    """Return decisions of the two sides that belong together, in the recorded order, then what is new."""
    left: defaultdict[_Key, list[RecordedDecision]] = defaultdict(list)
    for one in made:
        left[_key(one)].append(one)
    twins: dict[int, RecordedDecision] = {}
    for same_inputs in (True, False):
        for place, one in enumerate(recorded):
            if place in twins:
                continue
            waiting = left[_key(one)]
            twin = next((each for each in waiting if not same_inputs or _same_inputs(each, one)), None)
            if twin is not None:
                waiting.remove(twin)
                twins[place] = twin
    pairs: list[_Pair] = [(one, twins.get(place)) for place, one in enumerate(recorded)]
    new = {id(one) for waiting in left.values() for one in waiting}
    return [*pairs, *((None, one) for one in made if id(one) in new)]


def _same_inputs(one: RecordedDecision, other: RecordedDecision) -> bool:
    return one.decision.input_digest == other.decision.input_digest


def _key(one: RecordedDecision) -> _Key:
    return one.place, one.decision.service, one.decision.kind


def _of_pair(recorded: RecordedDecision | None, made: RecordedDecision | None) -> Iterable[Difference]:
    if recorded is None or made is None:
        one = recorded or made
        if one is not None:
            yield Difference("decision", _where(one), _told(recorded), _told(made))
        return
    was, now, where = recorded.decision, made.decision, _where(recorded)
    if was.source is not now.source or was.fallback_reason != now.fallback_reason:
        yield Difference("source", where, _source(was), _source(now))
    if _decided(was.output_json) != _decided(now.output_json):
        yield Difference("output", where, _cut(was.output_json.decode()), _cut(now.output_json.decode()))
    if was.input_digest != now.input_digest:
        yield Difference("inputs", where, was.input_digest[:12], now.input_digest[:12])


def _decided(output_json: bytes) -> object:
    """Return what was decided: how a rule words why is no part of it."""
    value = _value(output_json)
    return {name: one for name, one in value.items() if name != "reasoning"} if isinstance(value, dict) else value


def _asked_anew(recording: FlowRecording, asked_anew: Sequence[Decision]) -> Iterable[Difference]:
    """Yield what a model would decide now: there is no answer of one, so that the rule has decided again."""
    anew = {id(decision) for decision in asked_anew}
    for one in recording.decisions:
        if id(one.decision) in anew:
            yield Difference("source", _where(one), _source(one.decision), PUT_TO_A_MODEL)


def _out_of_order(replay: Replayed, pairs: Sequence[_Pair]) -> Iterable[Difference]:
    """Yield the decisions that come, against the recorded order, before what they rest on."""
    order, placed = FlowOrder(replay.plan), {id(one): number for number, one in enumerate(replay.decisions)}
    both = [(was, now) for was, now in pairs if was is not None and now is not None]
    for number, (was, now) in enumerate(both):
        for later_was, later_now in both[number + 1 :]:
            if placed[id(later_now)] < placed[id(now)] and order.binds(was.place, later_was.place):
                yield Difference("order", _where(now), f"before {_where(later_was)}", f"after {_where(later_now)}")
                break


def _of_questions(recording: FlowRecording, replay: Replayed) -> Iterable[Difference]:
    names = [one.name for one in recording.questions]
    for name in dict.fromkeys((*names, *replay.asked)):
        was, now = name in names, name in replay.asked
        if was != now:
            yield Difference("question", name, "asked" if was else NONE, "asked" if now else NONE)


def _of_ends(recording: FlowRecording, replay: Replayed) -> Iterable[Difference]:
    was, now = recording.end.event, replay.events[-1].event if replay.events else None
    told = ends_of(now) if now is not None else NONE
    if ends_of(was) != told:
        yield Difference("end", "flow", ends_of(was), told)
    if not isinstance(was, Finished) or not isinstance(now, Finished):
        return
    yield from _of_actions(was.answer.actions, now.answer.actions)
    if was.answer.final_response != now.answer.final_response:
        yield Difference("answer", "flow", _cut(was.answer.final_response), _cut(now.answer.final_response))


def _of_actions(recorded: Iterable[ActionSettled], made: Iterable[ActionSettled]) -> Iterable[Difference]:
    then = {(one.step_id, one.ordinal): one.outcome.value for one in recorded}
    now = {(one.step_id, one.ordinal): one.outcome.value for one in made}
    for key in sorted(then.keys() | now.keys()):
        if then.get(key) != now.get(key):
            yield Difference("action", f"{key[0]}/{key[1]}", then.get(key, NONE), now.get(key, NONE))


def _where(one: RecordedDecision) -> str:
    return f"{one.place or '?'} {one.decision.service} {one.decision.kind}"


def _told(one: RecordedDecision | None) -> str:
    return NONE if one is None else f"{_source(one.decision)}: {_cut(one.decision.output_json.decode())}"


def _source(decision: Decision) -> str:
    return f"{decision.source.value} {decision.fallback_reason}".rstrip()


def _value(output_json: bytes) -> Any:
    return json.loads(output_json) if output_json else None


def _cut(text: str) -> str:
    return text if len(text) <= TOLD_CHARACTERS_MAX else text[: TOLD_CHARACTERS_MAX - 1] + "…"
