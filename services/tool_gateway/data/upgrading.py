"""Brings a data database to the newest schema and loads nothing: what a deployment runs before its services start."""

from services.tool_gateway.data.migrate import upgrade
from services.tool_gateway.data.schema import newest_revisions
from services.tool_gateway.data.seed.connection import seeding_engine, wait_for_turn


def migrate_database(url: str) -> tuple[str, ...]:
    """Bring the database to the newest revisions and return them; one writer at a time, whoever else waits.

    Raises:
        SchemaRefused: The schema is not one that can be brought there; nothing was changed.
        ValueError: The URL names no database that hapju knows.
    """
    engine = seeding_engine(url)
    try:
        with engine.begin() as connection:
            wait_for_turn(connection)
            upgrade(connection)
    finally:
        engine.dispose()
    return tuple(sorted(newest_revisions()))
