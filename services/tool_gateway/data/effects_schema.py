"""The ledger of effects and the approvals.

    effects    PENDING -> STARTED -> SUCCEEDED | FAILED | IN_DOUBT -> SUCCEEDED | FAILED
    approvals  PENDING -> APPROVED | REJECTED;  APPROVED -> USED

An effect in our own database is written in the transaction that does it, so it is never seen PENDING or STARTED.
Loading sample data leaves both tables as they are.
"""

from __future__ import annotations

from sqlalchemy import Boolean, CheckConstraint, Column, DateTime, Index, Integer, String, Table, Text

from services.plugin.data.tables import KEPT, METADATA, owner_columns

EFFECTS = Table(
    "effects",
    METADATA,
    # The idempotency key: flow, step, place of the action in the step.
    Column("flow_run_id", String(64), primary_key=True),
    Column("step_id", String(64), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    # The same as one text, under which an outside system knows the effect.
    Column("effect_key", String(40), nullable=False, unique=True),
    *owner_columns(),
    Column("session_id", String(64), nullable=False),
    Column("action_type", String(32), nullable=False),
    Column("tool", String(64), nullable=False),
    Column("tool_version", Integer, nullable=False),
    Column("definition_digest", String(12), nullable=False),
    Column("arguments_digest", String(64), nullable=False),
    Column("arguments", Text, nullable=False),
    Column("approval_id", String(36), nullable=True),
    Column("status", String(10), nullable=False),
    # The process that is at it, and until when the others leave it alone.
    Column("claimed_by", String(64), nullable=False),
    Column("lease_until", DateTime, nullable=False),
    # What the outside system is asked for, as JSON; empty where the effect is in our own database.
    Column("request", Text, nullable=False),
    # The row that tells what was done, as JSON; empty until it is known.
    Column("result", Text, nullable=False),
    Column("failure_reason", String(40), nullable=False),
    Column("failure_message", String(500), nullable=False),
    Column("reconciled", Boolean, nullable=False),
    Column("started_at", DateTime, nullable=False),
    Column("ended_at", DateTime, nullable=True),
    CheckConstraint("status IN ('PENDING', 'STARTED', 'SUCCEEDED', 'FAILED', 'IN_DOUBT')", name="status"),
    Index("ix_effects_status_lease_until", "status", "lease_until"),
    info={KEPT: True},
)

APPROVALS = Table(
    "approvals",
    METADATA,
    Column("approval_id", String(36), primary_key=True),
    # Of tool, version, definition, canonical arguments, terms, user and session.
    Column("action_digest", String(64), nullable=False),
    *owner_columns(),
    Column("session_id", String(64), nullable=False),
    Column("flow_run_id", String(64), nullable=False),
    Column("step_id", String(64), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("action_type", String(32), nullable=False),
    Column("status", String(10), nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("expires_at", DateTime, nullable=False),
    Column("decided_at", DateTime, nullable=True),
    Column("decided_by", String(64), nullable=False),
    CheckConstraint("status IN ('PENDING', 'APPROVED', 'REJECTED', 'USED')", name="status"),
    Index("ix_approvals_key", "flow_run_id", "step_id", "ordinal"),
    Index("ix_approvals_expires_at", "expires_at"),
    info={KEPT: True},
)
