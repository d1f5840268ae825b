"""Brings the databases of a deployment to the newest schema; an embedded one with sample data is left to its seed."""

import time
from collections.abc import Callable

from services.cli import output
from services.cli.deployment.sample import load_sample_data
from services.cli.environment import settings_now
from services.cli.options import Sample
from services.cli.problems import ExitCode, Problem, usage
from services.runtime.settings import Settings

_PAUSE_SECONDS = 1.0


def migrated(sample: Sample, *, wait_seconds: int) -> dict[str, str]:
    """Return what was done to each store, by its name.

    Raises:
        Problem: Where a database stays away, has a newer schema, or its URL is none.
    """
    settings = settings_now()
    done: dict[str, str] = {}
    if settings.store_url:
        done["flows"] = _while_away("HAPJU_STORE_URL", wait_seconds, lambda: _flows(settings))
    with_sample = sample is Sample.ALWAYS or (sample is Sample.EMBEDDED and not settings.sql_url)
    if settings.sql_url or not with_sample:
        done["data"] = _while_away("HAPJU_SQL_URL", wait_seconds, lambda: _data(settings))
    if with_sample:
        report = load_sample_data(None, force=False)
        done["sample"] = f"{report.rows:,} rows {'loaded' if report.loaded else 'were there already'}"
    return done


def _flows(settings: Settings) -> str:
    from services.durable import engines  # noqa: PLC0415 - a seed in little memory does without both

    engine = engines.writing_engine(engines.store_url(settings.store_url))
    try:
        engines.migrate(engine)
    finally:
        engine.dispose()
    return f"schema {engines.NEWEST_REVISION}"


def _data(settings: Settings) -> str:
    from services.tool_gateway.data.migrate import SchemaRefused, migrate_database  # noqa: PLC0415 - as above

    try:
        return f"schema {', '.join(migrate_database(settings.data_url))}"
    except SchemaRefused as refused:
        raise Problem("FAILED_PRECONDITION", "SCHEMA_REFUSED", str(refused)) from None


def _while_away(variable: str, wait_seconds: int, work: Callable[[], str]) -> str:
    """Do the work; a database that cannot be reached is waited for, with a line that says so."""
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - as above

    until = 0.0
    while True:
        try:
            return work()
        except ValueError as error:
            raise usage(variable, str(error).removeprefix(f"{variable}: "), "SETTINGS_INVALID") from None
        except DBAPIError as error:
            # The driver's words name host and user; no password stands in them. What was loaded before is no wait.
            until = until or time.monotonic() + wait_seconds
            if time.monotonic() >= until:
                raise Problem(
                    "UNAVAILABLE",
                    "DATABASE_AWAY",
                    f"{variable}: the database cannot be used: {error.orig}",
                    ExitCode.FAILED,
                ) from None
            output.say(f"{variable}: the database is away; waiting for it")
            time.sleep(_PAUSE_SECONDS)
