"""Which operator has seen what was said in whose flow."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, and what lists a tenant's flows by time."""
    op.create_table(
        "content_views",
        sa.Column("view_id", sa.String(36), primary_key=True),
        sa.Column("tenant", sa.String(64), nullable=False),
        sa.Column("viewer_id", sa.String(64), nullable=False),
        sa.Column("flow_run_id", sa.String(36), nullable=False),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("view_time", sa.BigInteger, nullable=False),
    )
    op.create_index("content_views_by_tenant", "content_views", ["tenant", "view_time"])
    op.create_index("flows_by_tenant", "flows", ["tenant", "flow_run_id"])


def downgrade() -> None:
    """Drop what `upgrade` adds."""
    op.drop_index("flows_by_tenant", "flows")
    op.drop_table("content_views")
