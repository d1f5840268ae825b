"""What each flow has spent of tokens, for quotas; of deleted flows too, as long as it counts."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table; flows that have ended count for nothing."""
    op.add_column("flows", sa.Column("tokens", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "deleted_flows",
        sa.Column("flow_run_id", sa.String(36), primary_key=True),
        sa.Column("tenant", sa.String(64), nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
    )
    op.create_index("deleted_flows_by_tenant", "deleted_flows", ["tenant", "flow_run_id"])


def downgrade() -> None:
    """Drop what `upgrade` adds."""
    op.drop_table("deleted_flows")
    with op.batch_alter_table("flows") as flows:
        flows.drop_column("tokens")
