"""The first tables of `general`: data/tables.py, from which a database that has none of them gets them."""

revision = "general_0001"
down_revision = None
branch_labels = ("general",)
depends_on = None


def upgrade() -> None:
    """Leave the tables as they are: they were made from their definitions."""


def downgrade() -> None:
    """Leave the tables as they are: the seed drops what it makes anew."""
