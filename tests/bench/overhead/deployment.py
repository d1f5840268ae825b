"""The services of a flow, running: each in a process of its own, or all packed in one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Final

from services.catalog.topology import topology
from tests.bench.children import Command, all_served, free_addresses
from tests.bench.overhead.flows import Flow

LAYOUTS: Final = ("apart", "packed")
"""A process for each service, and one for all."""
_SCRIPTED: Final = "tests.bench.overhead.scripted"


@dataclass(frozen=True, slots=True)
class Grounds:
    """What every deployment stands on."""

    seeded: Path
    """A data directory with the sample data; each deployment gets a copy."""
    collector: str
    """Where spans go, an OTLP address."""
    endpoint: str = ""
    """Where the model is asked over HTTP; empty has it in the services' processes."""


@dataclass(frozen=True, slots=True)
class Deployed:
    """A deployment that runs."""

    gateway: str
    """Where it is asked."""
    pids: tuple[int, ...]
    """Its processes."""


@contextmanager
def deployed(flow: Flow, layout: str, grounds: Grounds, folder: Path) -> Iterator[Deployed]:
    """Runs a flow's services for the body; nothing of theirs lies outside the folder.

    Raises:
        Problem: Where one does not start; holds what it said.
    """
    home = folder / f"{flow.name}-{layout}"
    copytree(grounds.seeded, home)
    environment = _environment(flow, grounds, home)
    groups = [flow.services] if layout == "packed" else [(name,) for name in flow.services]
    with all_served([_command(flow, names, grounds, environment) for names in groups]) as running:
        # The gateway comes first, and the first line of a process names its first service.
        yield Deployed(running[0].address, tuple(one.pid for one in running))


def _environment(flow: Flow, grounds: Grounds, home: Path) -> dict[str, str]:
    processes = topology().processes
    places = dict(zip(processes, free_addresses(len(processes)), strict=True))
    unset = ("HAPJU_LISTEN", "HAPJU_GATEWAY", "HAPJU_SQL_URL", "HAPJU_GRAPH_URL", "HAPJU_STORE_URL")
    return {
        **dict.fromkeys(unset, ""),
        **{process.address_variable: places[name] for name, process in processes.items()},
        "HAPJU_DATA_DIR": str(home),
        "HAPJU_LOG_LEVEL": "warning",
        "OTEL_EXPORTER_OTLP_ENDPOINT": grounds.collector,
        "OPENAI_BASE_URL": grounds.endpoint or "http://scripted.invalid",
        "OPENAI_API_KEY": "bench",
        **flow.settings,
    }


def _command(flow: Flow, names: tuple[str, ...], grounds: Grounds, environment: dict[str, str]) -> Command:
    if grounds.endpoint:
        chosen = tuple(argument for name in names for argument in ("--only", name))
        return Command("services.cli", ("up", *chosen), environment)
    return Command(_SCRIPTED, (flow.name, *names), environment)
