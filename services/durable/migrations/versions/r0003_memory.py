"""What is remembered of conversations: their last answer and a summary."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; a conversation that has answers already is found by them, without a summary of those."""
    op.add_column("sessions", sa.Column("last_flow_run_id", sa.String(36), nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("last_time", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("summary", sa.Text, nullable=False, server_default=""))
    op.create_index("sessions_by_user", "sessions", ["tenant", "user_id", "last_flow_run_id"])
    op.execute(
        "UPDATE sessions SET last_flow_run_id = COALESCE((SELECT MAX(f.flow_run_id) FROM flows f"
        " WHERE f.tenant = sessions.tenant AND f.session_id = sessions.session_id AND f.phase = 'FINISHED'), '')"
    )
    op.execute(
        "UPDATE sessions SET last_time = COALESCE((SELECT f.end_time FROM flows f"
        " WHERE f.flow_run_id = sessions.last_flow_run_id), 0)"
    )


def downgrade() -> None:
    """Drop what `upgrade` adds."""
    op.drop_index("sessions_by_user", "sessions")
    for name in ("summary", "last_time", "last_flow_run_id"):
        op.drop_column("sessions", name)
