"""Schema migrations, run by `services.tool_gateway.data.migrate`; no alembic.ini exists."""
