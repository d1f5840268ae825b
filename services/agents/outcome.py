"""The typed result of a run: how it ended, what it warns of and how sure it is. Pure.

    status               rows, and enough of them      ANSWERED
                         rows, fewer than rows_min     LIMITED
                         a part could not be found out LIMITED
                         no rows, nothing failed       INSUFFICIENT_DATA   NO_ROWS, NOT_COVERED, NOT_SET_UP or NO_CALLS
                         nothing could be found out    INSUFFICIENT_DATA   NO_ROWS
                         no rows, a call was refused   FAILED              TOOL_GATEWAY_REJECTED
                         no rows, a call failed        FAILED              the call's reason

    confidence           confidence_max
                         x share of the calls that returned rows, supplements left out
                         x rows / rows_min, at most 1
                         x share of what was asked that could be found out
                         - .10 where a row is sample data, of a call or of an earlier step
                         not below 0, two digits; 0 without rows

A result without rows holds no number. An agent that calls no tool computes with what earlier steps found.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from services.agents.tool_calls import CallFailure, FailureKind, Settled
from services.contract.flow import AgentResult, AgentStatus, CausalChain, ToolProbe
from services.plugin.agent import AgentSpec
from services.plugin.findings import Findings, Reading
from services.plugin.wording import Text

SAMPLE_DEDUCTION: Final = 0.10
"""What the confidence loses where a row is sample data."""
SAMPLE: Final = Text(
    "실제로 공표된 수치가 아니라 예시 데이터로 만든 결과입니다.",
    "This rests on generated sample data, not on published figures.",
)
"""The caution of every result that rests on sample rows."""
TRUNCATED: Final = Text(
    "조건에 맞는 자료가 더 있어 그중 일부만 반영했습니다.",
    "More data matched than was read; only a part of it is reflected.",
)
"""The caution where more rows matched than were returned."""
PARTIAL: Final = Text(
    "요청하신 조건 가운데 자료에 없는 것은 빼고 찾았습니다.",
    "A part of what was asked for is not in the data and was left out of the search.",
)
"""The caution where a part of the question was left out."""

_NOTHING: Final = Text("해당하는 자료를 찾지 못했습니다.", "No matching data was found.")
_NOT_COVERED: Final = Text(
    "말씀하신 대상은 제공하는 자료에 없습니다.", "What you named is not in the data that is available."
)
NOT_SET_UP: Final = Text(
    "이 서비스에는 그 자료가 연결되어 있지 않아 답할 수 없습니다.",
    "The data for that is not connected to this service, so it cannot be answered here.",
)
"""What a question is told whose tools this deployment does not offer."""
_NO_CALLS: Final = Text("조회할 자료가 정해지지 않았습니다.", "It was not settled which data to look up.")
_REFUSED: Final = Text("자료 조회 요청이 받아들여지지 않았습니다.", "The request for the data was refused.")
_FAILED: Final = Text("지금은 자료를 가져오지 못했습니다.", "The data could not be read at this time.")
_NO_ROWS: Final = Text("{title}: 조건에 맞는 자료가 없었습니다.", "{title}: nothing matched what was asked for.")
"""The caution of a source that returned no rows where another one did."""
_CALL_CAUTIONS: Final = {
    FailureKind.NOT_COVERED: Text(
        "{title}: 말씀하신 대상이 자료에 없어 뺐습니다.", "{title}: what was named is not covered and was left out."
    ),
    FailureKind.NOT_SET_UP: Text(
        "{title}: 이 서비스에 연결되어 있지 않아 뺐습니다.",
        "{title}: is not connected to this service and was left out.",
    ),
    FailureKind.REFUSED: Text(
        "{title}: 조회 요청이 받아들여지지 않아 뺐습니다.", "{title}: the request was refused and was left out."
    ),
    FailureKind.FAILED: Text("{title}: 조회하지 못해 뺐습니다.", "{title}: could not be read and was left out."),
    FailureKind.UNREACHABLE: Text("{title}: 조회하지 못해 뺐습니다.", "{title}: could not be read and was left out."),
}


def readings_of(settled: Iterable[Settled]) -> tuple[Reading, ...]:
    """Return the readings that hold rows, in the order of the calls."""
    ordered = sorted(settled, key=lambda one: one.order)
    return tuple(one.found for one in ordered if isinstance(one.found, Reading) and one.found.rows)


def has_rows(settled: Iterable[Settled]) -> bool:
    """Tell whether a call that may answer returned rows; a supplement alone answers nothing."""
    return any(isinstance(one.found, Reading) and one.found.rows for one in _own(settled))


def probes_of(settled: Iterable[Settled]) -> tuple[ToolProbe, ...]:
    """Return what each call came to, in the order of the calls."""
    ordered = sorted(settled, key=lambda one: one.order)
    return tuple(_probe(one) for one in ordered)


def _probe(one: Settled) -> ToolProbe:
    tool, branch = one.source.tool, one.source.branch
    if isinstance(one.found, CallFailure):
        return ToolProbe(tool, branch, 0, "", one.found.reason)
    return ToolProbe(tool, branch, len(one.found.rows), one.found.provenance.template_id, "")


def _rows_min(spec: AgentSpec, findings: Findings) -> int:
    """Return the rows that the method asks for: of what was read, else the agent's."""
    return spec.rows_min if findings.rows_min is None else findings.rows_min


def _own(settled: Iterable[Settled]) -> tuple[Settled, ...]:
    return tuple(one for one in settled if not one.source.supplement)


def result_of(
    spec: AgentSpec, step_id: str, locale: str, settled: Sequence[Settled], findings: Findings
) -> AgentResult:
    """Return the result of a run that computed something, or found that nothing could be."""
    if findings.coverage <= 0:
        cautions = _cautions(spec, locale, settled, findings, limited=False)
        return AgentResult(
            spec.id, step_id, AgentStatus.INSUFFICIENT_DATA, findings.summary, reason="NO_ROWS", cautions=cautions
        )
    limited = findings.coverage < 1 or (findings.rows_used < _rows_min(spec, findings) and spec.reads)
    return AgentResult(
        agent=spec.id,
        step_id=step_id,
        status=AgentStatus.LIMITED if limited else AgentStatus.ANSWERED,
        summary=findings.summary,
        key_drivers=findings.key_drivers,
        primary_trend=findings.trend,
        metrics=findings.metrics,
        evidence=findings.evidence,
        confidence=confidence(spec, settled, findings),
        suggested_actions=(*findings.suggested_actions, *(step.said(locale) for step in spec.next_steps)),
        action_requests=findings.actions,
        cautions=_cautions(spec, locale, settled, findings, limited=limited),
        causes=tuple(CausalChain(tuple(sorted(names))) for names in findings.causes),
    )


def empty_result(spec: AgentSpec, step_id: str, locale: str, settled: Sequence[Settled]) -> AgentResult:
    """Return the result of a run that found no rows; it says why, and what is covered."""
    own = _own(settled)
    failures = [one.found for one in own if isinstance(one.found, CallFailure)]
    status, reason, text = _why_empty(failures, asked=bool(own))
    insufficient = status is AgentStatus.INSUFFICIENT_DATA
    summary = f"{text.said(locale)} {spec.covers.said(locale)}" if insufficient else text.said(locale)
    return AgentResult(spec.id, step_id, status, summary, reason=reason)


def confidence(spec: AgentSpec, settled: Sequence[Settled], findings: Findings) -> float:
    """Return how far the result may be relied on, by the formula above."""
    readings = readings_of(settled)
    share = len(readings) / len(settled) if spec.reads else 1.0
    enough = min(1.0, findings.rows_used / _rows_min(spec, findings)) if spec.reads else 1.0
    deduction = SAMPLE_DEDUCTION * _rests_on_samples(readings, findings)
    return round(max(0.0, spec.confidence_max * share * enough * findings.coverage - deduction), 2)


def _rests_on_samples(readings: Sequence[Reading], findings: Findings) -> bool:
    provenances = [*(one.provenance for one in readings), *(one.provenance for one in findings.evidence)]
    return any(provenance.sample for provenance in provenances)


def _why_empty(failures: Sequence[CallFailure], *, asked: bool) -> tuple[AgentStatus, str, Text]:
    by_kind = {failure.kind: failure for failure in reversed(failures)}
    for kind in (FailureKind.UNREACHABLE, FailureKind.FAILED):
        if kind in by_kind:
            return AgentStatus.FAILED, by_kind[kind].reason, _FAILED
    if FailureKind.REFUSED in by_kind:
        return AgentStatus.FAILED, "TOOL_GATEWAY_REJECTED", _REFUSED
    if FailureKind.NOT_SET_UP in by_kind:
        return AgentStatus.INSUFFICIENT_DATA, "NOT_SET_UP", NOT_SET_UP
    if FailureKind.NOT_COVERED in by_kind:
        return AgentStatus.INSUFFICIENT_DATA, "NOT_COVERED", _NOT_COVERED
    if not asked:
        return AgentStatus.INSUFFICIENT_DATA, "NO_CALLS", _NO_CALLS
    return AgentStatus.INSUFFICIENT_DATA, "NO_ROWS", _NOTHING


def _cautions(
    spec: AgentSpec, locale: str, settled: Sequence[Settled], findings: Findings, *, limited: bool
) -> tuple[str, ...]:
    readings = readings_of(settled)
    empty = [one for one in _own(settled) if isinstance(one.found, Reading) and not one.found.rows]
    found = [
        *((SAMPLE,) if _rests_on_samples(readings, findings) else ()),
        *((spec.short,) if limited else ()),
        *((TRUNCATED,) if any(reading.truncated for reading in readings) else ()),
        *((PARTIAL,) if any(reading.partial for reading in readings) else ()),
    ]
    failed = [
        _CALL_CAUTIONS[one.found.kind].said(locale).format(title=one.source.title.said(locale))
        for one in settled
        if isinstance(one.found, CallFailure)
    ]
    none = [_NO_ROWS.said(locale).format(title=one.source.title.said(locale)) for one in empty]
    return tuple(dict.fromkeys((*(text.said(locale) for text in found), *findings.cautions, *failed, *none)))
