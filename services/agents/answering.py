"""A step that answers asks: their answerers' calls are made, and each answer is computed from what its own returned.

no ask of the step is answered, and a call failed     FAILED               the call's reason
no ask of the step is answered                        LIMITED
at least one is                                       ANSWERED
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from services.agents.outcome import NOT_SET_UP, SAMPLE, probes_of, readings_of
from services.agents.tool_calls import CallFailure, FailureKind, Settled
from services.catalog.answerers import answerer_of
from services.contract.agent import RunRequest
from services.contract.asks import AnswerState, Ask, AskAnswer, Said
from services.contract.flow import AgentResult, AgentStatus, Evidence, ToolCall
from services.plugin.agent import AgentSpec
from services.plugin.asks.answering import Found, Outcome, declined, open_ask
from services.plugin.findings import Asking, Reading

SAMPLE_DEDUCTION: Final = 0.10
"""What the confidence loses where a row is sample data."""
_UNAUTHORIZED: Final = "UNAUTHORIZED_ACTION"
_LOG_IN: Final = Said(
    "로그인해야 볼 수 있는 본인의 자료입니다. 로그인한 뒤에 다시 물어보세요.",
    "That is your own data, which can be read once you are logged in. Please log in and ask again.",
)
_NOT_READ: Final = Said("지금은 자료를 가져오지 못했습니다.", "The data could not be read at this time.")
_DEFAULTS: Mapping[str, Any] = {"mode": "groups", "descending": True, "limit": 50, "newest": False, "minimum": 0}
"""What a query says where it says nothing: calls with and without it ask for the same."""


def asks_of(asked: RunRequest) -> tuple[Ask, ...]:
    """Return the asks that a step answers."""
    return asked.step.asks


def calls_left(spec: AgentSpec, asked: RunRequest) -> tuple[ToolCall, ...]:
    """Return the calls of a step that answers asks which no reused result has made."""
    held = held_readings(spec, asked)
    return tuple(
        call for call in asked.step.suggested_calls if call_key(call.tool, json.loads(call.arguments_json)) not in held
    )


def result_of_asks(
    spec: AgentSpec, asked: RunRequest, asks: Sequence[Ask], settled: Sequence[Settled], asking: Asking
) -> AgentResult:
    """Return the result of a step that answers asks."""
    readings = {call_key(one.tool, one.arguments): one for one in readings_of(settled)}
    readings = held_readings(spec, asked) | readings
    failures = {
        call_key(call.tool, json.loads(call.arguments_json)): failure for call, failure in _failed(asked, settled)
    }
    before = tuple(answer for result in asked.prior_results for answer in result.answers)
    outcomes: list[Outcome] = []
    for ask in asks:
        done = (*before, *(one.answer for one in outcomes))
        needed = tuple(one for one in done if one.ask_id in ask.depends_on)
        outcomes.append(_outcome(ask, asking, readings, failures, needed))
    return _result(spec, asked, outcomes, settled)


def _outcome(
    ask: Ask,
    asking: Asking,
    readings: Mapping[str, Reading],
    failures: Mapping[str, CallFailure],
    needed: tuple[AskAnswer, ...],
) -> Outcome:
    answerer = answerer_of(ask)
    if answerer is None:
        return Outcome(open_ask(ask, _NOT_READ))
    calls = {call_key(call.tool, call.arguments): call for call in answerer.calls(ask)}
    keys = tuple(calls)
    own = tuple(replace(readings[key], arguments=calls[key].arguments) for key in keys if key in readings)
    lost = [failures[key].reason for key in keys if key in failures]
    if not own and _UNAUTHORIZED in lost:
        return Outcome(declined(ask, _LOG_IN))
    if not own and any(failures[key].kind is FailureKind.NOT_SET_UP for key in keys if key in failures):
        return Outcome(declined(ask, Said(NOT_SET_UP.ko, NOT_SET_UP.en)))
    if not own and any(_is_lost(failures[key]) for key in keys if key in failures):
        return Outcome(open_ask(ask, _NOT_READ))
    return answerer.answer(ask, Found(own, asking, needed))


def _is_lost(failure: CallFailure) -> bool:
    """Tell a call that failed from one that names what the data does not cover, which is an answer."""
    return failure.kind is not FailureKind.NOT_COVERED


def _failed(asked: RunRequest, settled: Iterable[Settled]) -> Iterator[tuple[ToolCall, CallFailure]]:
    for one in settled:
        if isinstance(one.found, CallFailure):
            yield asked.calls[one.order], one.found


def _result(spec: AgentSpec, asked: RunRequest, outcomes: Sequence[Outcome], settled: Sequence[Settled]) -> AgentResult:
    answers = tuple(one.answer for one in outcomes)
    pieces: dict[str, Evidence] = {piece.evidence_id: piece for one in outcomes for piece in one.evidence}
    status, reason = _status(answers, settled)
    locale = asked.run.locale
    sample = any(piece.provenance.sample for piece in pieces.values())
    share = sum(one.state is AnswerState.ANSWERED for one in answers) / len(answers)
    return AgentResult(
        agent=spec.id,
        step_id=asked.step.step_id,
        status=status,
        summary=" ".join(one.sentence.of(locale) for one in answers if one.sentence is not None),
        metrics=tuple(metric for one in outcomes for metric in one.metrics),
        evidence=tuple(pieces.values()),
        confidence=round(max(0.0, spec.confidence_max * share - SAMPLE_DEDUCTION * sample), 2),
        suggested_actions=tuple(dict.fromkeys(step.of(locale) for one in answers for step in one.next_steps)),
        cautions=(
            *((SAMPLE.said(locale),) if sample else ()),
            *dict.fromkeys(caution.of(locale) for one in answers for caution in one.cautions),
        ),
        reason=reason,
        action_requests=tuple(replace(action, ask_id=one.answer.ask_id) for one in outcomes for action in one.actions),
        tool_probes=probes_of(settled),
        answers=answers,
    )


def _status(answers: Sequence[AskAnswer], settled: Sequence[Settled]) -> tuple[AgentStatus, str]:
    if any(one.state is AnswerState.ANSWERED for one in answers):
        return AgentStatus.ANSWERED, ""
    failures = [one.found for one in settled if isinstance(one.found, CallFailure) and _is_lost(one.found)]
    if failures and all(one.state is AnswerState.OPEN for one in answers):
        return AgentStatus.FAILED, failures[0].reason
    return AgentStatus.LIMITED, "" if any(one.state is not AnswerState.OPEN for one in answers) else "NO_ROWS"


def call_key(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return what tells a call from others: its tool and its arguments, defaults left out."""
    said = {
        name: value for name, value in arguments.items() if _DEFAULTS.get(name) != value and value not in ([], None)
    }
    if isinstance(filters := said.get("filters"), list):
        said["filters"] = [
            {name: value for name, value in one.items() if (name, value) != ("op", "eq")} for one in filters
        ]
    return tool + json.dumps(_plain(said), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def held_readings(spec: AgentSpec, asked: RunRequest) -> dict[str, Reading]:
    """Return the readings of reused results by the calls that they were read with."""
    found: dict[str, Reading] = {}
    sources = {source.rows_schema_id: source for source in spec.sources}
    pieces = (piece for one in asked.prior_results if one.reused_flow_run_id for piece in one.evidence)
    for piece in pieces:
        source = sources.get(piece.rows_schema_id)
        if source is None:
            continue
        arguments = json.loads(piece.provenance.filters_json)
        rows = tuple(source.row.returned(document) for document in json.loads(piece.rows_json))
        if len(rows) != piece.provenance.row_count:
            continue  # Some were too long to keep.
        reading = Reading(
            tool=source.tool,
            data_type=piece.data_type,
            arguments=arguments,
            rows=rows,
            rows_schema_id=piece.rows_schema_id,
            provenance=piece.provenance,
            truncated=False,
            partial=False,
        )
        found[call_key(source.tool, arguments)] = reading
    return found


def _plain(value: Any) -> Any:
    """Return a value with whole numbers as such: 3.0 and 3 ask for the same."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
