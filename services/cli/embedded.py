"""All services inside this process, for a command that has no gateway to call.

They listen on sockets in a directory that only this user can enter, and keep their data under HAPJU_DATA_DIR, which is
seeded at first use. A database of the user's own (HAPJU_SQL_URL) is never seeded unasked. The gateway and the
orchestrator come first: they take the question in while the services that answer it are being loaded.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Final

from services.catalog.topology import topology
from services.cli.ensemble import Layout, LocalServices
from services.cli.problems import Problem, problem_from_settings, usage
from services.runtime.settings import Settings, SettingsError

FIRST: Final = ("gateway", "orchestrator")
"""What a question needs to be taken in."""

Note = Callable[[str], None]
"""Takes a line of progress."""


@asynccontextmanager
async def embedded(settings: Settings, note: Note) -> AsyncIterator[str]:
    """Run the ensemble for the body and yield the gateway's address.

    Raises:
        Problem: Where the sample data cannot be loaded or a service cannot be started.
    """
    await seed_at_first_use(settings, note)
    quiet = embedded_settings(settings)
    with TemporaryDirectory(prefix="hapju-") as sockets:
        layout = Layout(topology().names, lambda name: f"unix:{sockets}/{name}", first=FIRST)
        try:
            async with LocalServices(quiet, topology(), layout) as ensemble:
                yield ensemble.addresses["gateway"]
        except SettingsError as error:
            raise problem_from_settings(str(error)) from None


def embedded_settings(settings: Settings) -> Settings:
    """Return settings for services that only this process calls: dev mode, and no log between the lines of progress.

    What the user has set about logs stays as it is set.
    """
    quiet = {"log_level": "warning", "log_format": "console"}
    unset = {name: value for name, value in quiet.items() if name not in settings.model_fields_set}
    return settings.model_copy(update={**unset, "auth_mode": "dev", "addresses": {}})


async def seed_at_first_use(settings: Settings, note: Note) -> None:
    """Load the sample data where the embedded database holds none yet.

    Raises:
        Problem: Where it cannot be loaded, or the data directory cannot be used.
    """
    if settings.sql_url:
        return
    from services.tool_gateway.data.seed.messages import SeedFailed  # noqa: PLC0415 - both load SQLAlchemy
    from services.tool_gateway.data.seed.state import ensure_seeded  # noqa: PLC0415

    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        await ensure_seeded(
            settings.data_url,
            lambda done: note(f"loading sample data {done.done}/{done.total}: {done.dataset} ({done.rows:,} rows)"),
            graph_url=settings.graph_url,
        )
    except OSError as error:
        raise usage("HAPJU_DATA_DIR", f"{settings.data_dir} cannot be used: {error.strerror}") from None
    except SeedFailed as error:
        raise Problem("INTERNAL", "SEED_FAILED", str(error)) from None
