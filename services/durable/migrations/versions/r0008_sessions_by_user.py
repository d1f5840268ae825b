"""The index of a conversation's flows holds the user, so that it is the one that a conversation is read by."""

from alembic import op

from services.durable.schema import FLOWS

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_NAME = "flows_by_session"


def upgrade() -> None:
    """Make the index anew, with the user."""
    op.drop_index(_NAME, FLOWS.name)
    op.create_index(_NAME, FLOWS.name, ["tenant", "session_id", "user_id", "flow_run_id"])


def downgrade() -> None:
    """Make the index anew, without the user."""
    op.drop_index(_NAME, FLOWS.name)
    op.create_index(_NAME, FLOWS.name, ["tenant", "session_id", "flow_run_id"])
