"""The deals of homes, of which the monthly sums are made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_TABLE = "realty_transactions"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        _TABLE,
        sa.Column("region_code", sa.String(5), nullable=False),
        sa.Column("contract_date", sa.Date(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("dong", sa.String(40), nullable=False),
        sa.Column("complex_name", sa.String(80), nullable=False),
        sa.Column("property_type", sa.String(12), nullable=False),
        sa.Column("deal_type", sa.String(14), nullable=False),
        sa.Column("area_m2", sa.Float(), nullable=False),
        sa.Column("floor", sa.Integer(), nullable=False),
        sa.Column("price_krw", sa.BigInteger(), nullable=False),
        sa.Column("monthly_rent_krw", sa.BigInteger(), nullable=True),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        sa.Column("dataset_id", sa.String(64), nullable=False),
        sa.CheckConstraint(
            "property_type IN ('apartment', 'officetel', 'villa', 'house')", name=_check("property_type")
        ),
        sa.CheckConstraint("deal_type IN ('sale', 'jeonse', 'monthly_rent')", name=_check("deal_type")),
        sa.CheckConstraint("price_krw > 0", name=_check("price")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.dataset_id"], name=f"fk_{_TABLE}_dataset_id_datasets"),
        sa.ForeignKeyConstraint(["region_code"], ["regions.region_code"], name=f"fk_{_TABLE}_region_code_regions"),
        sa.PrimaryKeyConstraint("region_code", "contract_date", "number", name=f"pk_{_TABLE}"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table(_TABLE)


def _check(name: str) -> str:
    return op.f(f"ck_{_TABLE}_{name}")
