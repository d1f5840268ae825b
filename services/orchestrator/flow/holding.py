"""What a conversation holds: its earlier flows' results by type of data, each where it was first read.

A step that builds on another one's rows has their evidence in its result as well. Such rows count once, with the age
and the subject of the look-up that read them: an analysis of yesterday makes last week's prices no younger.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Final, Self

from services.catalog.sufficiency import HeldResult, look_up_of, need_of
from services.contract.flow import AgentResult, Evidence, HeldLookUp
from services.contract.recording import EarlierFlow

QUESTION_DATASET: Final = "question"
"""The dataset of sums and rates that a question itself gave: another one gives its own."""
SAID_MAX: Final = 3
"""How many results of one agent a new one is held against, the latest."""


@dataclass(frozen=True, slots=True)
class HeldPart:
    """One type of data in one earlier result."""

    held: HeldResult
    """As the rules judge it."""
    result: AgentResult
    """The result that holds it."""
    flow_run_id: str
    """The flow that found it."""
    found_at: datetime
    """When it was read."""

    @property
    def look_up(self) -> HeldLookUp:
        """As the planner is told of it."""
        return look_up_of(self.held, self.result.agent, self.found_at)


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a conversation holds."""

    flows: tuple[EarlierFlow, ...] = ()
    """Its earlier flows, the newest first."""
    kept: tuple[HeldPart, ...] = ()
    """What they have looked up, in their order."""

    @classmethod
    def of(cls, flows: tuple[EarlierFlow, ...]) -> Self:
        """Return what flows hold; nothing of a flow that says not what it was about."""
        return cls(flows, tuple(one for flow in flows for one in _of_flow(flow)))

    def said_by(self, agent: str) -> tuple[AgentResult, ...]:
        """Return what an agent has said last, without rows: by it is seen whether it says anything new."""
        found = (
            replace(one.result, evidence=_without_rows(one.result.evidence), reused_flow_run_id=flow.flow_run_id)
            for flow in self.flows
            for one in reversed(flow.found)
            if one.result.agent == agent and not one.result.reused_flow_run_id
        )
        return tuple(islice(found, SAID_MAX))


def results_of(chosen: Sequence[HeldPart]) -> tuple[AgentResult, ...]:
    """Return the results that hold what was chosen, each once, with that alone and marked with the flow it is from."""
    types: dict[tuple[str, str], set[str]] = {}
    first: dict[tuple[str, str], HeldPart] = {}
    for one in chosen:
        key = (one.flow_run_id, one.result.step_id)
        types.setdefault(key, set()).add(one.held.data_type)
        first.setdefault(key, one)
    return tuple(_part(one, types[key]) for key, one in first.items())


def _of_flow(flow: EarlierFlow) -> Iterator[HeldPart]:
    if flow.need is None:
        return
    subject = need_of(flow.need).subject
    reused = (found.result for found in flow.found if found.result.reused_flow_run_id)
    known = {piece.evidence_id for result in reused for piece in result.evidence}
    for found in flow.found:
        if found.result.reused_flow_run_id:
            continue
        pieces = (piece for piece in found.result.evidence if piece.provenance.dataset != QUESTION_DATASET)
        own = [piece for piece in pieces if piece.evidence_id not in known]
        known.update(piece.evidence_id for piece in own)
        for data_type, count in _counted(own).items():
            held = HeldResult(data_type, count, subject, found.found_at)
            yield HeldPart(held, found.result, flow.flow_run_id, found.found_at)


def _without_rows(pieces: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(replace(piece, rows_json=b"[]") for piece in pieces)


def _counted(pieces: Sequence[Evidence]) -> Counter[str]:
    rows: Counter[str] = Counter()
    for piece in pieces:
        # A row of a typed query stands for those that it was computed from.
        rows[piece.data_type] += sum(row.get("row_count", 1) for row in json.loads(piece.rows_json))
    return rows


def _part(kept: HeldPart, data_types: Collection[str]) -> AgentResult:
    """Return of an earlier result what rests on data of some types; what it asked for then is not asked for again."""
    evidence = tuple(piece for piece in kept.result.evidence if piece.data_type in data_types)
    ids = {piece.evidence_id for piece in evidence}
    metrics = tuple(metric for metric in kept.result.metrics if ids.issuperset(metric.evidence_ids))
    return replace(
        kept.result,
        evidence=evidence,
        metrics=metrics,
        action_requests=(),
        needs_companion_branch=False,
        reused_flow_run_id=kept.flow_run_id,
    )
