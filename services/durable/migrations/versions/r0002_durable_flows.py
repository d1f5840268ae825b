"""Flows that another replica can go on with: leases, checkpoints, questions to a person."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _added() -> tuple["sa.Column[object]", ...]:
    """Return the columns, new ones each time: a column belongs to the table that it is added to."""
    return (
        sa.Column("request", sa.LargeBinary, nullable=False, server_default=sa.text("''")),
        sa.Column("user_type", sa.String(64), nullable=False, server_default=""),
        sa.Column("roles", sa.Text, nullable=False, server_default=""),
        sa.Column("checkpoint_version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("lease_owner", sa.String(36), nullable=False, server_default=""),
        sa.Column("lease_token", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("lease_expire_time", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("cancel_reason", sa.String(64), nullable=False, server_default=""),
        sa.Column("holds_session", sa.String(64)),
    )


def upgrade() -> None:
    """Add the columns and tables; a flow that runs now keeps version 0, which no code resumes."""
    for column in _added():
        op.add_column("flows", column)
    op.create_index("flows_holding", "flows", ["tenant", "holds_session"], unique=True)
    is_open = sa.text("end_time IS NULL")
    op.create_index("flows_open", "flows", ["lease_expire_time"], sqlite_where=is_open, postgresql_where=is_open)
    op.create_index("flows_by_end", "flows", ["end_time"])
    op.create_table(
        "flow_checkpoints",
        sa.Column("flow_run_id", sa.String(36), primary_key=True),
        sa.Column("name", sa.String(160), primary_key=True),
        sa.Column("kind", sa.String(128), nullable=False),
        sa.Column("message", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "flow_questions",
        sa.Column("flow_run_id", sa.String(36), primary_key=True),
        sa.Column("name", sa.String(160), primary_key=True),
        sa.Column("question_id", sa.String(64), nullable=False, unique=True),
        sa.Column("asked", sa.LargeBinary, nullable=False),
        sa.Column("default_answer", sa.Text, nullable=False),
        sa.Column("ask_time", sa.BigInteger, nullable=False),
        sa.Column("expire_time", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False, server_default=""),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("settle_time", sa.BigInteger),
    )


def downgrade() -> None:
    """Drop what `upgrade` adds; flows that run now cannot be resumed afterwards."""
    op.drop_table("flow_questions")
    op.drop_table("flow_checkpoints")
    for index in ("flows_by_end", "flows_open", "flows_holding"):
        op.drop_index(index, "flows")
    with op.batch_alter_table("flows") as flows:
        for column in _added():
            flows.drop_column(column.name)
