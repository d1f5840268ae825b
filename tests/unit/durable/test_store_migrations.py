"""The schema is brought forward with the rows that are in it, and ends as the tables describe it."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

import services.durable
from services.durable.engines import VERSION_TABLE, migrate, store_url, writing_engine
from services.durable.schema import FLOWS, METADATA
from tests.support.stores import STORES
from tests.support.stores import store_url as empty_store_url

FORMER = "0004"
"""The revision under which a request id belonged to a tenant."""


def row(number: int, tenant: str, user_id: str, request_id: str | None) -> dict[str, Any]:
    """Returns a flow as a former revision holds it."""
    words = {"tenant": tenant, "user_id": user_id, "session_id": f"s-{number}", "request_id": request_id}
    return {
        **words,
        "flow_run_id": f"00000000-0000-7000-8000-{number:012d}",
        "request_digest": "d",
        "question": f"question {number}",
        "phase": "FINISHED",
        "traceparent": "",
        "start_time": number,
        "expire_time": number,
        "end_time": number if number % 2 else None,
        "usage": b"u",
    }


def at_revision(connection: sa.Connection, revision: str) -> None:
    """Brings an empty database to a former revision."""
    config = Config()
    config.set_main_option("script_location", str(Path(services.durable.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


@pytest.mark.parametrize("database", STORES)
def test_a_former_store_keeps_its_rows_and_takes_two_users_requests(tmp_path: Path, database: str) -> None:
    """Every row is as it was, a second user may use a request id, the same user may not, and no index is lost."""
    engine = writing_engine(store_url(empty_store_url(tmp_path, database)))
    former = [row(1, "t", "me", "r"), row(2, "t", "me", None), row(3, "u", "me", "r")]
    with engine.begin() as connection:
        at_revision(connection, FORMER)
        connection.execute(sa.insert(FLOWS), former)
    migrate(engine)
    with engine.begin() as connection:
        kept = connection.execute(sa.select(FLOWS).order_by(FLOWS.c.flow_run_id)).mappings().all()
        assert [{name: one[name] for name in former[0]} for one in kept] == former
        connection.execute(sa.insert(FLOWS), row(4, "t", "you", "r"))
        assert (
            compare_metadata(
                MigrationContext.configure(connection, opts={"compare_type": True, "version_table": VERSION_TABLE}),
                METADATA,
            )
            == []
        )
    with pytest.raises(sa.exc.IntegrityError), engine.begin() as connection:
        connection.execute(sa.insert(FLOWS), row(5, "t", "you", "r"))
    partial = {"sqlite": "SELECT sql FROM sqlite_master WHERE name = 'flows_open'"}
    partial["postgresql"] = "SELECT indexdef FROM pg_indexes WHERE indexname = 'flows_open'"
    with engine.connect() as connection:
        assert "end_time IS NULL" in str(connection.scalar(sa.text(partial[engine.dialect.name])))
    engine.dispose()
