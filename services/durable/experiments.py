"""Experiments: which variant a flow runs under, what came of it, and what each variant has come to.

    data_reuse    hybrid             both judgements: the planner's, then the measured one over what is held
                  supervisor_only    the planner's judgement alone decides
                  no_reuse           everything is looked up

A conversation runs under one variant from its beginning to its end: it is assigned by the hash of its id, so that every
replica assigns the same without asking anybody. What a flow ran under is a row beside it, for its next driver too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import decision_pb2
from services.contract.events import DataReuseDecision, Phase
from services.contract.experiment import VariantReport
from services.contract.flow import Usage
from services.contract.mapping import from_proto
from services.contract.recording import Assignment
from services.durable.schema import FLOW_EXPERIMENTS, FLOWS
from services.durable.writer import Writer
from services.runtime.errors import InvalidRequest, UnknownFlow
from services.runtime.identity import Caller

DATA_REUSE: Final = "data_reuse"
"""The experiment on what a conversation has found."""
HYBRID: Final = "hybrid"
"""Both judgements decide."""
SUPERVISOR_ONLY: Final = "supervisor_only"
"""The planner's judgement alone decides."""
NO_REUSE: Final = "no_reuse"
"""Nothing held is used."""
EXPERIMENTS: Final = (DATA_REUSE,)
"""Every experiment."""
LABELS: Final = ("use", "search")
"""What may have been right: taking what is held, or looking it up."""
EVALUATOR_ROLE: Final = "evaluator"
"""The role that sees and labels the flows of its tenant's other users, and may have their recordings."""
FLOWS_MAX: Final = 100_000
"""How many flows a report is over, the newest first."""


def assigned(session_id: str, variants: Sequence[str]) -> tuple[Assignment, ...]:
    """Return the variants that the flows of a conversation run under.

    Args:
        session_id: The conversation.
        variants: The variants of the experiment on reuse between which conversations are shared out, one at least.
    """
    digest = sha256(f"{DATA_REUSE}/{session_id}".encode()).digest()
    return (Assignment(DATA_REUSE, variants[int.from_bytes(digest[:8]) % len(variants)]),)


def variant_of(assignments: Iterable[Assignment], experiment: str) -> str:
    """Return the variant of one experiment; empty where the flow is in none."""
    return next((one.variant for one in assignments if one.experiment == experiment), "")


def experiment_rows(flow_run_id: str, assignments: Iterable[Assignment]) -> list[dict[str, object]]:
    """Return the rows that are written down with a new flow."""
    return [{"flow_run_id": flow_run_id, "experiment": one.experiment, "variant": one.variant} for one in assignments]


def note_reuse(connection: Connection, flow_run_id: str, decision: DataReuseDecision) -> None:
    """Write down what a flow came to decide about what was held; part of the flow's end."""
    row = and_(FLOW_EXPERIMENTS.c.flow_run_id == flow_run_id, FLOW_EXPERIMENTS.c.experiment == DATA_REUSE)
    avoided = decision.use != "search"
    connection.execute(update(FLOW_EXPERIMENTS).where(row).values(judgement=decision.use, avoided=avoided))


class Experiments:
    """Reads and labels what flows came to under their variants."""

    def __init__(self, writer: Writer, reader: AsyncEngine) -> None:
        self._writer = writer
        self._reader = reader

    async def label(self, caller: Caller, flow_run_id: str, experiment: str, label: str) -> None:
        """Say what would have been right in a flow; the last word holds.

        Raises:
            InvalidRequest: There is no such label or experiment.
            UnknownFlow: The caller has no such flow in the experiment, nor is an evaluator of its tenant.
        """
        _check(experiment)
        if label not in LABELS:
            raise InvalidRequest.of("label", f"{label[:40]!r} is none of {', '.join(LABELS)}")
        mine = select(FLOWS.c.flow_run_id).where(FLOWS.c.flow_run_id == flow_run_id, *_seen_by(caller))
        row = and_(FLOW_EXPERIMENTS.c.flow_run_id.in_(mine), FLOW_EXPERIMENTS.c.experiment == experiment)
        labelling = update(FLOW_EXPERIMENTS).where(row).values(label=label)
        changed = await self._writer.transact(lambda connection: connection.execute(labelling).rowcount)
        if not changed:
            raise UnknownFlow(f"flow_run_id: no flow {flow_run_id} of this user in the experiment {experiment}")

    async def report(self, caller: Caller, experiment: str) -> tuple[VariantReport, ...]:
        """Return what each variant has come to, by name: over the caller's ended flows, or an evaluator's tenant's.

        Raises:
            InvalidRequest: There is no such experiment.
        """
        _check(experiment)
        joined = FLOW_EXPERIMENTS.join(FLOWS, FLOWS.c.flow_run_id == FLOW_EXPERIMENTS.c.flow_run_id)
        columns = (FLOWS.c.phase, FLOWS.c.start_time, FLOWS.c.end_time, FLOWS.c.usage)
        wanted = (
            select(FLOW_EXPERIMENTS.c.variant, FLOW_EXPERIMENTS.c.judgement, FLOW_EXPERIMENTS.c.avoided)
            .add_columns(FLOW_EXPERIMENTS.c.label, *columns)
            .select_from(joined)
            .where(FLOW_EXPERIMENTS.c.experiment == experiment, FLOWS.c.end_time.is_not(None), *_seen_by(caller))
            .order_by(FLOWS.c.flow_run_id.desc())
            .limit(FLOWS_MAX)
        )
        sums: dict[str, _Sum] = {}
        async with self._reader.connect() as connection:
            for row in await connection.execute(wanted):
                sums.setdefault(row.variant, _Sum()).add(row)
        return tuple(sums[variant].report(variant) for variant in sorted(sums))


@dataclass(slots=True)
class _Sum:
    """What has been counted of one variant."""

    latencies: list[int] = field(default_factory=list)
    answered: int = 0
    usage: Usage = Usage()
    judged: int = 0
    avoided: int = 0
    outcomes: dict[tuple[str, bool], int] = field(default_factory=dict)
    """Labelled flows, by label and whether the search was avoided."""
    usage_use: Usage = Usage()

    def add(self, row: Row[Any]) -> None:
        usage = from_proto(decision_pb2.Usage.FromString(row.usage), Usage)
        self.latencies.append(row.end_time - row.start_time)
        self.answered += row.phase == Phase.FINISHED.value
        self.usage += usage
        self.judged += bool(row.judgement)
        self.avoided += bool(row.avoided)
        if row.label:
            key = (row.label, bool(row.avoided))
            self.outcomes[key] = self.outcomes.get(key, 0) + 1
        if row.label == "use":
            self.usage_use += usage

    def report(self, variant: str) -> VariantReport:
        counted = self.outcomes.get
        return VariantReport(
            variant=variant,
            flows=len(self.latencies),
            answered=self.answered,
            latency_p50=_percentile(self.latencies, 50),
            latency_p99=_percentile(self.latencies, 99),
            usage=self.usage,
            judged=self.judged,
            searches_avoided=self.avoided,
            labelled=sum(self.outcomes.values()),
            correct_skips=counted(("use", True), 0),
            incorrect_skips=counted(("search", True), 0),
            correct_searches=counted(("search", False), 0),
            incorrect_searches=counted(("use", False), 0),
            usage_where_use_was_right=self.usage_use,
        )


def _percentile(microseconds: Sequence[int], percent: int) -> timedelta:
    """Return the smallest value that is not below so many percent of them."""
    ranked = sorted(microseconds)
    return timedelta(microseconds=ranked[max(0, -(-len(ranked) * percent // 100) - 1)])


def _seen_by(caller: Caller) -> list[Any]:
    """Return the conditions on a flow's row under which a caller sees it here."""
    tenant = [FLOWS.c.tenant == caller.tenant]
    return tenant if EVALUATOR_ROLE in caller.roles else [*tenant, FLOWS.c.user_id == caller.user_id]


def _check(experiment: str) -> None:
    if experiment not in EXPERIMENTS:
        raise InvalidRequest.of("experiment", f"{experiment[:40]!r} is none of {', '.join(EXPERIMENTS)}")
