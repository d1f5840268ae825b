"""Loads the sample data set on a user's demand."""

from datetime import datetime

from services.cli import output
from services.cli.environment import finish, settings_now
from services.cli.problems import Problem, usage
from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.messages import SeedFailed, SeedProgress, SeedReport


def load_sample_data(as_of: datetime | None, *, force: bool, url: str = "", domain: str = "") -> SeedReport:
    """Load the sample data up to a moment, by default now, into the database at `url` or that of the settings.

    Raises:
        Problem: Where the database cannot be used, or loading fails and leaves it as it was.
    """
    settings = settings_now()
    try:
        wanted = seed(
            url or settings.data_url,
            graph_url=settings.graph_url,
            domain=domain,
            as_of=as_of,
            force=force,
            on_progress=_say,
        )
        return finish(wanted)
    except SeedFailed as error:
        raise Problem("INTERNAL", "SEED_FAILED", str(error)) from None
    except ValueError as error:
        if domain and "no domain is named" in str(error):
            raise usage("--domain", str(error)) from None
        if url:
            raise usage("--url", str(error).removeprefix("HAPJU_SQL_URL: ")) from None
        raise usage("HAPJU_SQL_URL", str(error), "SETTINGS_INVALID") from None


def refuse_unasked(*, url: str, into_sql_url: bool) -> None:
    """Refuse to load sample rows into a database of the settings that nobody has named for that.

    Raises:
        Problem: HAPJU_SQL_URL is set, and the command says neither of it nor of another.
    """
    if settings_now().sql_url and not url and not into_sql_url:
        raise usage("--into-sql-url", "HAPJU_SQL_URL names a database; say so to load sample rows into it")


def _say(progress: SeedProgress) -> None:
    output.say(f"{progress.done}/{progress.total}: {progress.dataset} ({progress.rows:,} rows)")
