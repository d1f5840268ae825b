"""A request id is its user's own: another user of the tenant who uses the same one begins a flow of their own."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Widen the constraint by the user; no row can stand in its way, for it allows more than before."""
    with op.batch_alter_table("flows") as flows:
        flows.drop_constraint("flows_request", type_="unique")
        flows.create_unique_constraint("flows_request", ["tenant", "user_id", "request_id"])


def downgrade() -> None:
    """Narrow it again; fails where two users of a tenant have used one request id."""
    with op.batch_alter_table("flows") as flows:
        flows.drop_constraint("flows_request", type_="unique")
        flows.create_unique_constraint("flows_request", ["tenant", "request_id"])
