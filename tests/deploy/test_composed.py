"""The image is built and the Compose file brought up from it, with PostgreSQL: it answers, and again after restarts."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.composed import ENGINE, Podman, composed
from tests.support.stores import postgres_url

pytestmark = [
    pytest.mark.deploy,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not shutil.which("podman") or os.geteuid() != 0, reason="apt-get install podman, as root"),
]

ASKED = {"ko": ("미국 기준금리 알려줘", "금리"), "en": ("What is the US federal funds rate?", "rate")}
RESTARTED = (
    "policy",
    "router",
    "planner",
    "synthesizer",
    "tool-gateway",
    "agent-finance-macro",
    "orchestrator",
    "gateway",
)
READY_SECONDS_MAX = 60.0
BARE_BYTES_MAX = 680_000_000
"""What the image without the sample extra may take on a disk."""


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Podman:
    """Podman as this machine can run it."""
    settings = tmp_path_factory.mktemp("podman") / "containers.conf"
    settings.write_text(ENGINE)
    return Podman(settings)


def cli(*arguments: str, **variables: str) -> str:
    """Run the command as a person does, and return what it prints."""
    environment = {**os.environ, **variables}
    command = (sys.executable, "-m", "services.cli", *arguments)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def answered(question: str, token: str) -> str:
    """Ask until the gateway is up: podman 4.3 starts it without waiting for those that it calls."""
    until = time.monotonic() + READY_SECONDS_MAX
    while True:
        try:
            return cli("ask", question, HAPJU_GATEWAY="127.0.0.1:20050", HAPJU_TOKEN=token)
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(1)


def test_the_image_without_the_sample_data_is_small(podman: Podman) -> None:
    """It is built offline but for packages, by hash; any user may run it and write its data; it says what it holds."""
    size = podman.build("localhost/hapju:bare", "without")
    sys.stdout.write(f"\nwithout the sample extra: {size / 1e6:.0f} MB\n")
    assert size < BARE_BYTES_MAX
    tried = "touch /var/lib/hapju/x && test -s /opt/hapju/sbom.cdx.json && python -c 'import authlib, psycopg' && id -u"
    confined = ("--network=none", "--cap-drop=all", "--user=1234567:0", "--entrypoint=/bin/sh")
    assert podman.run("podman", "run", "--rm", *confined, "localhost/hapju:bare", "-c", tried).split() == ["1234567"]


def test_compose_answers_from_postgresql_and_goes_on_over_restarts(podman: Podman, tmp_path: Path) -> None:
    """It comes up from the image, answers in both languages, and again after each service was restarted."""
    size = podman.build("localhost/hapju:tested", "with")
    cli("keys", "new", "--at", str(tmp_path))
    keys = (tmp_path / "jwks.json").read_text(encoding="utf-8").replace("\n", "")
    token = cli("token", "mint", "--key", str(tmp_path / "private.json"), "--user", "mina").split()[-1]
    database = postgres_url()
    began = time.monotonic()
    with composed(podman, tmp_path, "localhost/hapju:tested", database, keys) as up:
        ready = time.monotonic() - began

        def asked() -> list[str]:
            return [answered(question, token) for question, _ in ASKED.values()]

        for answer, (_, word) in zip(asked(), ASKED.values(), strict=True):
            assert word in answer
        for service in RESTARTED:
            up.compose("restart", service)
            assert all(asked()), service
        sys.stdout.write(f"\nimage {size / 1e6:.0f} MB, up in {ready:.0f} s\n{up.memory()}\n")
