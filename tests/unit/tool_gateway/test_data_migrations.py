"""The schema of a database: made from the tables' definitions, brought up by the revisions of each branch."""

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from services.plugin.data.tables import METADATA
from services.plugin.installed import installed_domains
from services.tool_gateway.data.migrate import configuration, upgrade
from services.tool_gateway.data.schema import CORE, TABLES, branches, newest_revisions


def test_a_new_database_is_as_the_tables_describe_it(tmp_path) -> None:
    """Comparing database and definitions finds no difference, and each branch is recorded at its newest revision."""
    engine = sa.create_engine(f"sqlite:///{tmp_path}/data.db")
    with engine.begin() as connection:
        upgrade(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        assert set(context.get_current_heads()) == newest_revisions()
    engine.dispose()


def test_the_revisions_that_are_checked_at_start_are_the_newest() -> None:
    """What the names of the files say is what the revisions themselves say, each with the label of its branch."""
    scripts = ScriptDirectory.from_config(configuration())
    assert set(scripts.get_heads()) == newest_revisions()
    for script in scripts.walk_revisions():
        branch = script.revision.rpartition("_")[0]
        assert branch in branches()
        assert branch in script.branch_labels


def test_every_table_belongs_to_one_branch() -> None:
    """A table is the core's own or that of exactly one domain."""
    owners = [table.name for tables in TABLES.values() for table in tables]
    assert len(owners) == len(set(owners))
    assert set(TABLES) == {one.name for one in installed_domains()}
    core = {name for name in METADATA.tables if name not in owners}
    assert CORE not in TABLES
    assert core == {
        *("datasets", "seed_state", "effects", "approvals"),
        *("search_collections", "search_terms", "search_postings", "search_vectors"),
    }
