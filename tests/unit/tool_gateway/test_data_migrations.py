"""The migrations and the table definitions describe one schema."""

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from services.tool_gateway.data.metadata import METADATA
from services.tool_gateway.data.migrate import configuration, newest_revision, upgrade
from services.tool_gateway.data.schema import SCHEMA_REVISION


def test_migrations_make_the_schema_that_the_tables_describe(tmp_path) -> None:
    """After all migrations, comparing database and definitions finds no difference."""
    engine = sa.create_engine(f"sqlite:///{tmp_path}/data.db")
    with engine.begin() as connection:
        upgrade(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


def test_the_revision_that_is_checked_at_start_is_the_newest() -> None:
    """The revision named in schema.py is the head of the migrations."""
    assert newest_revision() == SCHEMA_REVISION


def test_a_migration_can_be_undone(tmp_path) -> None:
    """Going down to nothing leaves no table but alembic's own."""
    engine = sa.create_engine(f"sqlite:///{tmp_path}/data.db")
    with engine.begin() as connection:
        upgrade(connection)
        command.downgrade(configuration(connection), "base")
        assert sa.inspect(connection).get_table_names() == ["alembic_version"]
    engine.dispose()
