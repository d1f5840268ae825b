"""Alembic's entry: migrates on the connection that `store.FlowStore.open` hands over, in its transaction."""

from alembic import context

from services.durable.engines import VERSION_TABLE
from services.durable.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
