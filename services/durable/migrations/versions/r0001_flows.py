"""Flows, their durable events, and whose each conversation is."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "sessions",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("session_id", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("create_time", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "flows",
        sa.Column("flow_run_id", sa.String(36), primary_key=True),
        sa.Column("tenant", sa.String(64), nullable=False),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("session_id", sa.String(64), nullable=False),
        sa.Column("request_id", sa.String(64)),
        sa.Column("request_digest", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("phase", sa.String(24), nullable=False),
        sa.Column("traceparent", sa.String(64), nullable=False),
        sa.Column("start_time", sa.BigInteger, nullable=False),
        sa.Column("expire_time", sa.BigInteger, nullable=False),
        sa.Column("end_time", sa.BigInteger),
        sa.Column("usage", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("tenant", "request_id", name="flows_request"),
    )
    op.create_index("flows_by_user", "flows", ["tenant", "user_id", "flow_run_id"])
    op.create_index("flows_by_session", "flows", ["tenant", "session_id", "flow_run_id"])
    op.create_table(
        "flow_events",
        sa.Column("flow_run_id", sa.String(36), primary_key=True),
        sa.Column("sequence", sa.BigInteger, primary_key=True),
        sa.Column("event", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("flow_events")
    op.drop_table("flows")
    op.drop_table("sessions")
