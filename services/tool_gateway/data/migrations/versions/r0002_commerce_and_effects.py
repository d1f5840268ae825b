"""Tables of commerce, of loans and programmes, and of effects and approvals."""

from __future__ import annotations

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table."""


def downgrade() -> None:
    """Drop every table, children first."""
