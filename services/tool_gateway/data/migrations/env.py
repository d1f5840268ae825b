"""Alembic's entry: migrates on the connection that `migrate.upgrade` hands over, in its transaction."""

from __future__ import annotations

from alembic import context

from services.tool_gateway.data.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
