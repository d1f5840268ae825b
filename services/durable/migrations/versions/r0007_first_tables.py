"""The first tables of the flow store, as schema.py defines them; before the first release there were six revisions."""

from alembic import op

from services.durable.schema import METADATA

revision = "0007"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    METADATA.create_all(op.get_bind())


def downgrade() -> None:
    """Drop the tables."""
    METADATA.drop_all(op.get_bind())
