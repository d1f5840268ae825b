"""The schema is as the tables describe it, and one that is not known is left as it is."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from services.durable.engines import VERSION_TABLE, migrate, store_url, writing_engine
from services.durable.schema import FLOWS, METADATA
from tests.support.stores import STORES
from tests.support.stores import store_url as empty_store_url


def row(number: int, tenant: str, user_id: str, request_id: str | None) -> dict[str, Any]:
    """Returns a flow as its table holds it."""
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


@pytest.mark.parametrize("database", STORES)
def test_a_store_is_as_the_tables_describe_it(tmp_path: Path, database: str) -> None:
    """Nothing differs; two users may use one request id, the same user may not twice, and no index is lost."""
    engine = writing_engine(store_url(empty_store_url(tmp_path, database)))
    migrate(engine)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(sa.insert(FLOWS), [row(1, "t", "me", "r"), row(2, "t", "me", None), row(4, "t", "you", "r")])
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


@pytest.mark.parametrize("database", STORES)
def test_a_store_of_the_first_release_gets_its_index(tmp_path: Path, database: str) -> None:
    """Its rows stay, and the index of conversations holds the user."""
    engine = writing_engine(store_url(empty_store_url(tmp_path, database)))
    migrate(engine)
    version = sa.table(VERSION_TABLE, sa.column("version_num"))
    with engine.begin() as connection:
        connection.execute(sa.insert(FLOWS), row(1, "t", "me", "r"))
        connection.execute(sa.text("DROP INDEX flows_by_session"))
        connection.execute(sa.text("CREATE INDEX flows_by_session ON flows (tenant, session_id, flow_run_id)"))
        connection.execute(sa.update(version).values(version_num="0007"))
    migrate(engine)
    found = {one["name"]: one["column_names"] for one in sa.inspect(engine).get_indexes("flows")}
    assert found["flows_by_session"] == ["tenant", "session_id", "user_id", "flow_run_id"]
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(FLOWS)) == 1
    engine.dispose()


def test_a_conversation_is_read_by_its_own_index(tmp_path: Path) -> None:
    """SQLite reads a conversation's flows alone, however much a person or a tenant has asked beside it."""
    engine = writing_engine(store_url(empty_store_url(tmp_path, "sqlite")))
    migrate(engine)
    mine = (FLOWS.c.tenant == "t") & (FLOWS.c.user_id == "me")
    in_session = FLOWS.c.session_id == "s-1"
    latest_of_mine = (
        sa.select(FLOWS).where(mine, in_session, FLOWS.c.flow_run_id < "f").order_by(FLOWS.c.flow_run_id.desc())
    )
    open_in = (
        sa.select(FLOWS).where(mine, in_session, FLOWS.c.end_time.is_(None)).order_by(FLOWS.c.flow_run_id).limit(1)
    )
    of_mine = sa.select(FLOWS).where(mine).order_by(FLOWS.c.flow_run_id.desc()).limit(20)
    with engine.connect() as connection:

        def plan(statement: sa.Select[Any]) -> str:
            told = statement.compile(engine, compile_kwargs={"literal_binds": True})
            return str(connection.execute(sa.text(f"EXPLAIN QUERY PLAN {told}")).all())

        assert "flows_by_session" in plan(latest_of_mine)
        assert "flows_by_session" in plan(open_in)
        assert "flows_by_user" in plan(of_mine)
    engine.dispose()


@pytest.mark.parametrize("database", STORES)
@pytest.mark.parametrize("revision", ["0004", "0099", ""])
def test_a_store_of_another_version_is_left_as_it_is(tmp_path: Path, database: str, revision: str) -> None:
    """One that was made before the first release, by a later version, or by nobody known: a sentence, and no change."""
    engine = writing_engine(store_url(empty_store_url(tmp_path, database)))
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(sa.insert(FLOWS), row(1, "t", "me", "r"))
        version = sa.table(VERSION_TABLE, sa.column("version_num"))
        of_nobody = sa.text(f"DROP TABLE {VERSION_TABLE}")
        connection.execute(sa.update(version).values(version_num=revision) if revision else of_nobody)
    with pytest.raises(ValueError, match=f"HAPJU_STORE_URL: .* {revision or 'no revision'}"):
        migrate(engine)
    with engine.begin() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(FLOWS)) == 1
    engine.dispose()
