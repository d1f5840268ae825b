"""The image is built and the Compose file brought up from it, with PostgreSQL: it answers, and again after restarts."""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.apart.client import Told, ask
from tests.support.composed import ENGINE, Composed, Podman, composed
from tests.support.stores import postgres_url

TOOLS = ("podman", "debootstrap", "runc")
pytestmark = [
    pytest.mark.deploy,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(
        not all(map(shutil.which, TOOLS)) or os.geteuid() != 0,
        reason="apt-get install podman debootstrap runc netavark aardvark-dns, as root",
    ),
]

GATEWAY = "127.0.0.1:20050"
ASKED = {"ko": ("미국 기준금리 알려줘", "%"), "en": ("What is the US federal funds rate?", "%")}
WITHOUT_GRAPH = ("미국 기준금리가 오르면 어디에 영향을 줘?", "연결되어 있지 않")
"""Compose names no graph where PostgreSQL holds the data: what asks for one is told so."""
RESTARTED = (
    "policy",
    "router",
    "planner",
    "synthesizer",
    "tool-gateway",
    "agent-finance-equity",
    "orchestrator",
    "gateway",
)
READY_SECONDS_MAX = 60.0
ASKED_PER_SECOND = 1.0
"""How many questions come while services are started anew."""
ANSWERED_MIN = 0.9
"""The share that is answered: on a busy machine the gateway refuses a few at once, for want of room."""
PAUSE_SECONDS = 2.0
"""Between two restarts."""
FLOW_SECONDS = 60.0
"""What a flow may take while a service that it needs is started anew on a machine of two cores."""
BARE_BYTES_MAX = 450_000_000
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
            return cli("ask", question, HAPJU_GATEWAY=GATEWAY, HAPJU_TOKEN=token)
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(1)


def test_the_image_without_the_sample_data_is_small(podman: Podman) -> None:
    """It is built offline but for packages, by hash; any user may run it and write its data; it says what it holds."""
    size = podman.build("localhost/hapju:bare", "without")
    sys.stdout.write(f"\nwithout the sample extra: {size / 1e6:.0f} MB\n")
    assert size < BARE_BYTES_MAX
    mounted = ("--volume", f"{Path(__file__).parent / 'inside_image.py'}:/inside_image.py:ro", "--entrypoint=python")
    podman.run("podman", "run", "--rm", "--network=none", *mounted, "localhost/hapju:bare", "/inside_image.py")
    tried = "touch /var/lib/hapju/x && test -s /opt/hapju/sbom.cdx.json && python -c 'import authlib, psycopg' && id -u"
    confined = ("--network=none", "--cap-drop=all", "--user=1234567:0", "--entrypoint=/bin/sh")
    assert podman.run("podman", "run", "--rm", *confined, "localhost/hapju:bare", "-c", tried).split() == ["1234567"]


def test_compose_answers_from_postgresql_and_goes_on_over_restarts(podman: Podman, tmp_path: Path) -> None:
    """It comes up from the image, answers in both languages, and loses no question while each service is restarted."""
    size = podman.build("localhost/hapju:tested", "with")
    cli("keys", "new", "--at", str(tmp_path))
    keys = (tmp_path / "jwks.json").read_text(encoding="utf-8").replace("\n", "")
    token = cli("token", "mint", "--key", str(tmp_path / "private.json"), "--user", "mina").split()[-1]
    database = postgres_url()
    began = time.monotonic()
    with composed(podman, tmp_path, "localhost/hapju:tested", database, keys) as up:
        for question, word in (*ASKED.values(), WITHOUT_GRAPH):
            assert word in answered(question, token)
        ready = time.monotonic() - began
        held = up.memory()
        told = asyncio.run(asked_over_restarts(up, token))
    counts = Counter(one.outcome for one in told)
    for one in told:
        if one.outcome != "answered":
            sys.stdout.write(f"\n{one.outcome} after {one.seconds:.1f} s, {one.status}: {str(one.events[-1:])[:400]}")
    sys.stdout.write(f"\nimage {size / 1e6:.0f} MB; up and three questions answered in {ready:.0f} s; {counts}\n")
    sys.stdout.write(
        f"PSS {sum(held.values()) / 1e6:.0f} MB: { ({name: n // 1_000_000 for name, n in held.items()}) }\n"
    )
    assert [fault for one in told for fault in one.faults()] == []
    assert [one.status for one in told if one.outcome != "answered" and one.status != "RESOURCE_EXHAUSTED"] == []
    assert counts["answered"] > max(len(RESTARTED), ANSWERED_MIN * len(told))


async def asked_over_restarts(up: Composed, token: str) -> list[Told]:
    """Restart each service in turn while questions are asked one after another, and return what became of each."""
    over, told = asyncio.Event(), list[asyncio.Task[Told]]()

    async def asking() -> None:
        while not over.is_set():
            told.append(asyncio.create_task(ask(GATEWAY, FLOW_SECONDS, token=token)))
            await asyncio.sleep(1 / ASKED_PER_SECOND)

    load = asyncio.create_task(asking())
    try:
        for service in RESTARTED:
            began = time.monotonic()
            await asyncio.to_thread(up.compose, "restart", service)
            sys.stdout.write(f"\n{service}: started anew in {time.monotonic() - began:.1f} s")
            await asyncio.sleep(PAUSE_SECONDS)
    finally:
        over.set()
        await load
    return list(await asyncio.gather(*told))
