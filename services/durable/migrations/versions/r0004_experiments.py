"""Under which variant of which experiment flows run."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; flows that were begun before are in no experiment."""
    op.create_table(
        "flow_experiments",
        sa.Column("flow_run_id", sa.String(36), primary_key=True),
        sa.Column("experiment", sa.String(64), primary_key=True),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("judgement", sa.String(16), nullable=False, server_default=""),
        sa.Column("avoided", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("label", sa.String(16), nullable=False, server_default=""),
    )


def downgrade() -> None:
    """Drop what `upgrade` adds."""
    op.drop_table("flow_experiments")
