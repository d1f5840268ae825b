"""The first tables of the core: those of schema.py and beside it, from which a database that has none gets them."""

revision = "core_0001"
down_revision = None
branch_labels = ("core",)
depends_on = None


def upgrade() -> None:
    """Leave the tables as they are: they were made from their definitions."""


def downgrade() -> None:
    """Leave the tables as they are: the seed drops what it makes anew."""
