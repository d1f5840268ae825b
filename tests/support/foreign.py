"""A fresh environment with the wheels of hapju and of foreign domains, and nothing else of this checkout.

Dependencies are those of the running environment: a .pth names its folder, so that nothing is fetched. An editable
checkout that is installed there does not come along.
"""

import asyncio
import os
import subprocess
import sys
import sysconfig
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from services.cli.tokens import Identity, bearer_token
from services.runtime.settings import Settings
from tests.support.cluster import Cluster, until_serving
from tests.support.ports import free_ports

ROOT = Path(__file__).parents[2]
"""The root of the repository."""
TRAVEL = ROOT / "tests" / "examples" / "travel"
"""A domain of another team."""
_PLACES = "from services.catalog.topology import topology as t\nfor n in t().names: print(n, t().address_variable(n))"


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with nothing of this process's settings in its environment."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "TMPDIR"}}
    return subprocess.run(
        [str(part) for part in command], env=kept | variables, capture_output=True, text=True, check=False, timeout=300
    )


def built(project: Path, folder: Path) -> Path:
    """Builds a project's wheel into a folder and returns it; what builds it is installed here."""
    before = set(folder.glob("*.whl"))
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index")
    ended = run(*pip, "-w", folder, project)
    assert ended.returncode == 0, ended.stderr
    (wheel,) = set(folder.glob("*.whl")) - before
    return wheel


@dataclass(frozen=True)
class Place:
    """An environment."""

    folder: Path
    """Where it lies."""
    data: Path
    """Where its services keep their data."""

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def install(self, *wheels: Path) -> None:
        """Installs wheels without what they depend on."""
        ended = run(self.python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--force-reinstall", *wheels)
        assert ended.returncode == 0, ended.stderr

    def uninstall(self, name: str) -> None:
        """Takes a distribution away."""
        ended = run(self.python, "-m", "pip", "uninstall", "-q", "-y", name)
        assert ended.returncode == 0, ended.stderr

    def hapju(self, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs the command that is installed in it."""
        return run(self.folder / "bin" / "hapju", *arguments, HAPJU_DATA_DIR=str(self.data), **variables)

    @asynccontextmanager
    async def up(self, **variables: str) -> AsyncIterator[Cluster]:
        """Runs every service of the environment in one process, and yields a client of its gateway."""
        listed = run(self.python, "-c", _PLACES, **variables).stdout.split("\n")
        places: Mapping[str, str] = dict(line.split() for line in listed if line)
        ports = free_ports(len(places))
        addresses = {name: f"127.0.0.1:{port}" for name, port in zip(places, ports, strict=True)}
        given = {places[name]: address for name, address in addresses.items()} | variables
        child = await asyncio.create_subprocess_exec(
            str(self.folder / "bin" / "hapju"),
            "up",
            env={"PATH": os.defpath, "HAPJU_DATA_DIR": str(self.data), "HAPJU_LOG_LEVEL": "error", **given},
            stdout=asyncio.subprocess.DEVNULL,
        )
        try:
            await until_serving("gateway", addresses["gateway"])
            for name, address in addresses.items():
                await until_serving(name, address)
            cluster = Cluster(addresses["gateway"], addresses, self.data / "data.db")
            async with cluster.channel:
                yield cluster
        finally:
            if child.returncode is None:
                child.terminate()
            async with asyncio.timeout(30):
                await child.wait()

    def token(self, user: str) -> str:
        """Returns a token of dev mode for a user."""
        return bearer_token(Identity(user, "consumer"), Settings(data_dir=self.data))


def place(folder: Path) -> Place:
    """Makes an environment that finds the dependencies of the running one."""
    ended = run(sys.executable, "-m", "venv", folder)
    assert ended.returncode == 0, ended.stderr
    packages = next((folder / "lib").glob("python*")) / "site-packages"
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return Place(folder, folder.parent / f"{folder.name}-data")
