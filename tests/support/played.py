"""The chart played as processes of this machine: commands, variables, limits, order and probes are those of a cluster.

What a cluster adds is put in its place: names of Services are loopback, ports are free ones, Secrets are given, a
volume is a folder, and a limit of memory is a control group where this machine has them (of version 1, as root).
"""

import asyncio
import os
import re
import resource
import sys
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil

from services.runtime.calls import bare_channel
from services.runtime.probe import serving
from tests.deploy.manifests import Object, environment_of, kind_of
from tests.support.ports import free_ports

GROUPS: Final = Path("/sys/fs/cgroup/memory")
UNITS: Final = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}
NOWHERE: Final = "127.0.0.1:9"
"""What stands for a host outside the cluster."""
DATA: Final = "/var/lib/hapju"
SECONDS_MAX: Final = 400.0
"""How long anything may take on a busy machine."""


@dataclass
class Played:
    """One release, running."""

    folder: Path
    """Where its volumes and logs lie."""
    secrets: Mapping[str, str]
    """What Secrets hold, by the variable that they are for."""
    ports: dict[int, int]
    """Free ports in place of those of containers."""
    seconds: dict[str, float] = field(default_factory=dict)
    """When each process became ready, from the beginning, by its object's name."""
    children: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)
    """The processes."""
    before: float = field(default_factory=lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))
    """What processes had taken of the processor that ended before."""

    @property
    def gateway(self) -> str:
        """Where clients reach it."""
        return f"127.0.0.1:{self.ports[20050]}"

    def held(self) -> dict[str, int]:
        """Returns the most that each process has held in memory, in bytes."""
        return {name: _peak(child.pid) for name, child in self.children.items()}

    def processor_seconds(self) -> float:
        """Returns what all processes have taken of the processor, those that have ended with them, at any load."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        running = (psutil.Process(child.pid).cpu_times() for child in self.children.values())
        return ended.ru_utime + ended.ru_stime - self.before + sum(sum(one[:4]) for one in running)

    async def run(self, name: str, container: Object) -> None:
        """Runs a container to its end.

        Raises:
            AssertionError: It failed; shows the end of its log.
        """
        child = await self.start(name, container)
        async with asyncio.timeout(SECONDS_MAX):
            code = await child.wait()
        assert code == 0, f"{name}: {code} {self.log(name)}"

    async def start(self, name: str, container: Object) -> asyncio.subprocess.Process:
        """Starts a container's process within its limit."""
        home = self.folder / name.partition(".")[0]
        home.mkdir(exist_ok=True)
        group = _group(f"hapju-{os.getpid()}-{name}", container["resources"]["limits"]["memory"])
        with (self.folder / f"{name}.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *_command(container),
                env={**_of_python(home), **dict(self.variables(name, container, home))},
                stdout=log,
                stderr=log,
                cwd=home,
                preexec_fn=None if group is None else lambda: _enter(group),
            )

    def variables(self, name: str, container: Object, home: Path) -> Iterator[tuple[str, str]]:
        """Yields what a container is given, as this machine means it."""
        for variable, value in environment_of(container).items():
            if isinstance(value, dict):
                yield variable, self.secrets[variable] if "secretKeyRef" in value else name
            else:
                yield variable, self.here(str(value), home)

    def here(self, value: str, home: Path) -> str:
        """Returns a value with this machine's places in it."""
        value = re.sub(r"dns:///[\w.-]+:(\d+)", lambda found: f"127.0.0.1:{self.ports[int(found[1])]}", value)
        value = re.sub(r"0\.0\.0\.0:(\d+)", lambda found: f"127.0.0.1:{self.ports[int(found[1])]}", value)
        return re.sub(r"^(https?://)[^/]+", rf"\g<1>{NOWHERE}", value).replace(DATA, str(home))

    async def until_ready(self, name: str, container: Object, began: float) -> None:
        """Waits until the container's own readiness probe lets it through, as a kubelet asks it."""
        probe = container["readinessProbe"]["grpc"]
        address = f"127.0.0.1:{self.ports[probe['port']]}"
        async with asyncio.timeout(SECONDS_MAX):
            while not await serving(address, probe["service"], bare_channel(address)):
                code = self.children[name].returncode
                assert code is None, f"{name} ended with {code}: {self.log(name)}"
                await asyncio.sleep(0.5)
        self.seconds[name] = time.monotonic() - began

    def log(self, name: str) -> str:
        """Returns the end of what a process said."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-1_500:]


@asynccontextmanager
async def played(objects: list[Object], folder: Path, secrets: Mapping[str, str]) -> AsyncIterator[Played]:
    """Plays a rendered release: the hook's Job, then each pod, its initial containers first, one replica of each."""
    pods = {
        name: one["spec"]["template"]["spec"]
        for name, one in kind_of(objects, "Deployment").items()
        if one["spec"].get("replicas", 1)
    }
    release = Played(folder, secrets, _ports(pods.values()))
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        for name, job in kind_of(objects, "Job").items():
            (container,) = job["spec"]["template"]["spec"]["containers"]
            await release.run(name, container)
        release.seconds["hook"] = time.monotonic() - began
        stack.push_async_callback(_ended, release)
        async with asyncio.TaskGroup() as group:
            for name, pod in pods.items():
                group.create_task(_up(release, name, pod, began))
        yield release


async def _up(release: Played, name: str, pod: Object, began: float) -> None:
    for number, container in enumerate(pod.get("initContainers", ())):
        await release.run(f"{name}.init{number}", container)
    (container,) = pod["containers"]
    release.children[name] = await release.start(name, container)
    await release.until_ready(name, container, began)


async def _ended(release: Played) -> None:
    for child in release.children.values():
        if child.returncode is None:
            child.terminate()
    for child in release.children.values():
        try:
            async with asyncio.timeout(30):
                await child.wait()
        except TimeoutError:
            child.kill()
            await child.wait()
    for group in GROUPS.glob(f"hapju-{os.getpid()}-*"):
        group.rmdir()


def _ports(pods: Iterable[Object]) -> dict[int, int]:
    given = sorted(
        {one["containerPort"] for pod in pods for container in pod["containers"] for one in container["ports"]}
    )
    # Those of agents that are declared and not run are called all the same.
    known = sorted({*given, *(int(port) for pod in pods for port in re.findall(r"dns:///[\w.-]+:(\d+)", str(pod)))})
    return dict(zip(known, free_ports(len(known)), strict=True))


def _command(container: Object) -> tuple[str, ...]:
    """Returns the command of a container: what the image has in place of an entry point is this interpreter's."""
    if "command" in container:
        program, *rest = container["command"]
        assert program == "hapju"
        return (sys.executable, "-m", "services.cli", *rest)
    return (sys.executable, "-m", *container["args"])


def _of_python(home: Path) -> dict[str, Any]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "TMPDIR": str(home)}


def _group(name: str, limit: str) -> Path | None:
    """Makes a control group that is held to a limit, as Kubernetes writes it; None where this machine lets nobody."""
    if not os.access(GROUPS / "memory.limit_in_bytes", os.W_OK):
        return None
    group = GROUPS / name
    group.mkdir(exist_ok=True)
    (group / "memory.limit_in_bytes").write_text(str(int(limit[:-2]) * UNITS[limit[-2:]]), encoding="ascii")
    return group


def _enter(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")


def _peak(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) << 10 if found else 0
