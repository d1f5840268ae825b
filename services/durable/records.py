"""What a replica reads to go on with a flow that another one began."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import question_pb2
from services.contract.flow import Question
from services.contract.mapping import from_proto
from services.contract.recording import Assignment
from services.durable.checkpoints import Checkpoint
from services.durable.engines import snapshot
from services.durable.instants import instant_of
from services.durable.questions import KeptQuestion, kept_question
from services.durable.schema import FLOW_CHECKPOINTS, FLOW_EXPERIMENTS, FLOW_QUESTIONS, FLOWS
from services.runtime.identity import Caller


@dataclass(frozen=True, slots=True)
class Record:
    """A flow as its former drivers left it."""

    flow_run_id: str
    """Its id."""
    caller: Caller
    """Who asked."""
    question: Question | None
    """What was asked; None where it was written down by a version that kept less."""
    session_id: str
    """The conversation."""
    traceparent: str
    """The span that started it."""
    start_time: datetime
    """When it began."""
    expire_time: datetime
    """Its deadline, moved by what persons took so far."""
    checkpoint_version: int
    """How its checkpoints are named and read."""
    cancel_reason: str
    """Why it is to be cancelled; empty where nobody said so."""
    checkpoints: Mapping[str, Checkpoint]
    """Its checkpoints, by name."""
    questions: Mapping[str, KeptQuestion]
    """Its questions, by name."""
    assignments: tuple[Assignment, ...] = ()
    """The variants of experiments that it runs under."""


class FlowRecords:
    """Reads flows for their next driver.

    Attributes:
        reader: What it reads with.
    """

    def __init__(self, reader: AsyncEngine) -> None:
        self.reader = reader

    async def read(self, flow_run_id: str) -> Record | None:
        """Return a flow as it was at one moment, or None where it is no more.

        An answer that comes meanwhile is in the question and in the deadline that it moved, or in neither.
        """
        mine = FLOW_CHECKPOINTS.c.flow_run_id == flow_run_id
        async with snapshot(self.reader) as connection:
            row = (await connection.execute(select(FLOWS).where(FLOWS.c.flow_run_id == flow_run_id))).first()
            if row is None:
                return None
            checkpoints = await connection.execute(select(FLOW_CHECKPOINTS).where(mine))
            kept = {found.name: Checkpoint(found.name, found.kind, found.message) for found in checkpoints}
            asked = await connection.execute(select(FLOW_QUESTIONS).where(FLOW_QUESTIONS.c.flow_run_id == flow_run_id))
            questions = {found.name: kept_question(found) for found in asked}
            runs_under = select(FLOW_EXPERIMENTS).where(FLOW_EXPERIMENTS.c.flow_run_id == flow_run_id)
            assignments = [Assignment(one.experiment, one.variant) for one in await connection.execute(runs_under)]
            return _record(row, kept, questions, tuple(assignments))


def _record(
    row: Row[Any],
    kept: Mapping[str, Checkpoint],
    asked: Mapping[str, KeptQuestion],
    assignments: tuple[Assignment, ...],
) -> Record:
    question = from_proto(question_pb2.Question.FromString(row.request), Question) if row.request else None
    roles = frozenset(json.loads(row.roles)) if row.roles else frozenset()
    return Record(
        flow_run_id=row.flow_run_id,
        caller=Caller(row.user_id, row.tenant, row.user_type, roles),
        question=question,
        session_id=row.session_id,
        traceparent=row.traceparent,
        start_time=instant_of(row.start_time),
        expire_time=instant_of(row.expire_time),
        checkpoint_version=row.checkpoint_version,
        cancel_reason=row.cancel_reason,
        checkpoints=kept,
        questions=asked,
        assignments=assignments,
    )
