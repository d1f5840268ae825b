"""Alembic's entry: migrates on the connection that `migrate.upgrade` hands over, in its transaction."""

from __future__ import annotations

from alembic import context

from services.plugin.data.tables import METADATA
from services.tool_gateway.data import schema  # noqa: F401 - its tables are those to be compared with

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
