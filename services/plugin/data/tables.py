"""What every table definition shares: the collection of tables, the names of constraints, the mark of a data set."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, MetaData, String

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# In a table's `info`: its rows are records of what was done, which loading sample data leaves as they are.
KEPT = "kept_by_seed"


def dataset_column() -> Column[str]:
    """Return the column that names the data set a row came from."""
    return Column("dataset_id", String(64), ForeignKey("datasets.dataset_id"), nullable=False)


def owner_columns(*, primary_key: bool = False) -> tuple[Column[str], Column[str]]:
    """Return the two columns that say whose a row is; a statement over such a table always binds both."""
    return (
        Column("tenant", String(64), primary_key=primary_key, nullable=False),
        Column("user_id", String(64), primary_key=primary_key, nullable=False),
    )
