"""The image, built by podman, and the Compose file, brought up from it on this machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import psutil
import yaml

ROOT: Final = Path(__file__).parents[2]
BASE: Final = "localhost/hapju-base:bookworm"
RUN_SECONDS_MAX: Final = 800.0
"""What one command may take: a build on two busy cores took more than 500. What hangs is ended by the tier."""
PROJECT: Final = "hapjutest"
"""What Compose's objects of a test are named by."""
SOCKET: Final = ".s.PGSQL.5432"
SOCKET_FOLDER: Final = "/run/postgresql"
"""Where containers find the database's socket."""
CERTIFICATES: Final = "/etc/ssl/certs"
ENGINE: Final = """[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
"""
"""What podman needs where no systemd runs and limits are the machine's."""


@dataclass(frozen=True, slots=True)
class Podman:
    """Podman with a configuration of its own."""

    settings: Path
    """Its containers.conf."""

    def run(self, *command: str, variables: dict[str, str] | None = None) -> str:
        """Run a command with podman's configuration, and return what it prints.

        Raises:
            AssertionError: It failed; the text is the end of what it said.
        """
        environment = {**os.environ, "CONTAINERS_CONF": str(self.settings), **(variables or {})}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=RUN_SECONDS_MAX
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def base(self) -> None:
        """Make what the image is built over, where it is not here."""
        if BASE not in self.run("podman", "images", "--format", "{{.Repository}}:{{.Tag}}"):
            self.run(str(ROOT / "tests" / "deploy" / "base.sh"), BASE)

    @staticmethod
    def machine() -> tuple[str, ...]:
        """Return what lets a container reach packages as this machine does: its network, and whom it trusts."""
        trusted = f"PIP_CERT={CERTIFICATES}/ca-certificates.crt"
        return ("--network=host", "--volume", f"{CERTIFICATES}:{CERTIFICATES}:ro", "--env", trusted)

    def build(self, tag: str, sample: str) -> int:
        """Build the project's image over the base, with or without the sample extra; return its bytes."""
        self.base()
        arguments = ("--build-arg", f"PYTHON={BASE}", "--build-arg", f"SAMPLE={sample}")
        ignored = f"--ignorefile={ROOT / 'services' / 'Dockerfile.dockerignore'}"
        dockerfile = str(ROOT / "services" / "Dockerfile")
        built = ("podman", "build", "--pull=never", *self.machine(), ignored, *arguments)
        self.run(*built, "-f", dockerfile, "-t", tag, str(ROOT))
        return int(json.loads(self.run("podman", "image", "inspect", tag))[0]["Size"])


@dataclass(frozen=True, slots=True)
class Composed:
    """The Compose file, up."""

    podman: Podman
    """What runs it."""
    files: tuple[str, ...]
    """Its files, as arguments."""
    variables: dict[str, str]
    """What it takes from outside."""

    def compose(self, *arguments: str) -> str:
        """Run podman-compose on it."""
        program = str(Path(sys.executable).parent / "podman-compose")
        return self.podman.run(program, *self.files, *arguments, variables=self.variables)

    def memory(self) -> dict[str, int]:
        """Return what each container holds in bytes (PSS: pages that several share in parts), by its service."""
        told = self.podman.run("podman", "ps", "--filter", f"name=^{PROJECT}_", "--format", "{{.Pid}} {{.Names}}")
        held = (line.split() for line in told.splitlines())
        return {name.removeprefix(f"{PROJECT}_").rpartition("_")[0]: _pss(int(pid)) for pid, name in held}


def _pss(pid: int) -> int:
    first = psutil.Process(pid)
    return sum(one.memory_full_info().pss for one in (first, *first.children(recursive=True)))


@contextmanager
def composed(podman: Podman, folder: Path, image: str, database: str, keys: str) -> Iterator[Composed]:
    """Bring the Compose file up with one PostgreSQL for both stores, reached by a socket of this machine."""
    # The socket alone is handed in: the folder that it lies in is the server's own, which shuts everybody out.
    lies_in = parse_qs(urlsplit(database).query)["host"][0]
    mounted = {"volumes": [f"{lies_in}/{SOCKET}:{SOCKET_FOLDER}/{SOCKET}"]}
    database = database.replace(lies_in, SOCKET_FOLDER)
    override = folder / "override.yaml"
    services: dict[str, Any] = dict.fromkeys(("orchestrator", "tool-gateway"), mounted)
    # The database is the test's own: what it is asked about is loaded into it, as `sampleData: always` does.
    services["migrate"] = {**mounted, "command": ["migrate", "--sample=always"]}
    override.write_text(yaml.safe_dump({"services": services}))
    files = ("-p", PROJECT, "-f", str(ROOT / "docker-compose.yml"), "-f", str(override))
    variables = {
        "COMPOSED_IMAGE": image,
        "HAPJU_JWT_KEYS": keys,
        "HAPJU_CALLER_KEY": os.urandom(32).hex(),
        "HAPJU_STORE_URL": database,
        "HAPJU_SQL_URL": database,
    }
    up = Composed(podman, files, variables)
    try:
        up.compose("up", "--detach", "--no-build")
        yield up
    finally:
        up.compose("down", "--volumes", "--timeout", "5")
