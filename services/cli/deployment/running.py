"""Runs the services of `hapju up` until the process is told to stop."""

import uvloop

from services.catalog.topology import Topology, topology
from services.cli import output
from services.cli.embedded import seed_at_first_use
from services.cli.ensemble import Layout, LocalServices
from services.cli.environment import finish, settings_now
from services.cli.problems import problem_from_settings, usage
from services.runtime.server import interrupted
from services.runtime.settings import Settings, SettingsError


def run_services(only: tuple[str, ...]) -> None:
    """Run the named services, or all, and return when they have drained.

    Raises:
        Problem: For an unknown name, unusable settings, or an address that is taken.
    """
    places = topology()
    names = _chosen(only, places)
    settings = settings_now()
    _check_listen(settings, names)
    if not settings.http_listen:
        settings = settings.model_copy(update={"http_listen": "auto"})
    finish(_run(settings, places, names), run=uvloop.run)


async def _run(settings: Settings, places: Topology, names: tuple[str, ...]) -> None:
    if "tool_gateway" in names:
        await seed_at_first_use(settings, output.say)
    layout = Layout(
        names,
        lambda name: listen_address(name, names, settings, places),
        elsewhere={name: settings.address(name, places) for name in places.names if name not in names},
        drain_seconds=settings.drain_seconds_max,
    )
    ensemble = LocalServices(settings, places, layout)
    try:
        async with ensemble:
            for name in names:
                output.print_line(f"{name:<26} {ensemble.addresses[name]}")
            for door, url in ensemble.doors.items():
                output.print_line(f"{door:<26} {url}")
            output.say("ready; stop with Ctrl-C")
            await interrupted()
    except SettingsError as error:
        raise problem_from_settings(str(error)) from None


def listen_address(name: str, names: tuple[str, ...], settings: Settings, places: Topology) -> str:
    """Return where a service of this process listens.

    HAPJU_LISTEN speaks of the gateway, or of the one service that runs here alone.
    """
    if settings.listen and (name == "gateway" or names == (name,)):
        return settings.listen
    return settings.address(name, places)


def _chosen(only: tuple[str, ...], places: Topology) -> tuple[str, ...]:
    for name in only:
        if name not in places.names:
            raise usage("--only", f"{name!r} is no service; known: {', '.join(places.names)}")
    return tuple(name for name in places.names if name in only) if only else places.names


def _check_listen(settings: Settings, names: tuple[str, ...]) -> None:
    if settings.listen and "gateway" not in names and len(names) > 1:
        raise usage("HAPJU_LISTEN", "names one address, and --only starts several services without the gateway")
