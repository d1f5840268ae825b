"""The clients in other languages do what their page says: they ask, stream, go on after a break and cancel."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from services.runtime.environment import process_environment
from tests.support.cluster import Cluster

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("http_edge"),
    pytest.mark.timeout(600),
]

ROOT = Path(__file__).parents[3]
CLIENTS = ROOT / "tests" / "examples" / "clients"
APPLE = "애플 주가 추세 분석해줘"
GO_PLUGINS = (
    "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.10",
    "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.5.1",
)


async def ran(folder: Path, *command: str, **environment: str) -> str:
    """Runs a command in a folder and returns what it prints."""
    child = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**process_environment(), **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaint = await child.communicate()
    assert child.returncode == 0, (printed + complaint).decode()[-4_000:]
    return printed.decode().replace("\x1b[0m", "")  # Maven colours what it runs


async def holds(cluster: Cluster, printed: str, *, streamed: bool = True) -> None:
    """Checks what a client printed: every event once over its break, the answer, and a flow that was cancelled."""
    lines = printed.splitlines()
    told = {line.partition(" ")[0]: line.partition(" ")[2] for line in lines[-3:]}
    sequences = [int(one) for one in told["sequences"].split()]
    answer = (await cluster.ask(APPLE)).answer.final_response
    assert sequences == list(range(1, len(sequences) + 1))
    assert len(sequences) > 3
    assert told["answer"] == answer.splitlines()[0]
    assert told["cancelled"] == "PHASE_CANCELLED"
    assert not streamed or printed.startswith(answer.splitlines()[0][:20])


def copied(name: str, tmp_path: Path) -> Path:
    """Returns a copy of an example, so that nothing is built in the checkout."""
    return Path(shutil.copytree(CLIENTS / name, tmp_path / name))


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
async def test_curl(cluster: Cluster) -> None:
    """A shell and curl are a client."""
    printed = await ran(CLIENTS, "sh", "curl.sh", APPLE, HAPJU_HTTP=cluster.doors["http"])
    await holds(cluster, printed, streamed=False)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node")
async def test_node(cluster: Cluster, tmp_path: Path) -> None:
    """Node reads the contract as it is."""
    folder = copied("node", tmp_path)
    await ran(folder, "npm", "install", "--no-audit", "--no-fund")
    gateway = {"HAPJU_GATEWAY": cluster.gateway, "HAPJU_PROTOS": str(ROOT / "protos")}
    await holds(cluster, await ran(folder, "node", "ask.js", APPLE, **gateway))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node")
async def test_openai_for_node(cluster: Cluster, tmp_path: Path) -> None:
    """OpenAI's SDK for Node streams an answer, and has a refusal as the error that it knows."""
    folder = copied("openai", tmp_path)
    await ran(folder, "npm", "install", "--no-audit", "--no-fund")
    printed = await ran(folder, "node", "chat.js", APPLE, HAPJU_HTTP=cluster.doors["http"])
    *pieces, refused = printed.splitlines()
    answer = (await cluster.ask(APPLE)).answer.final_response
    assert "\n".join(pieces).startswith(answer)
    assert refused == "400 BadRequestError"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go")
async def test_go(cluster: Cluster, tmp_path: Path) -> None:
    """Go generates its stubs by buf."""
    folder = copied("go", tmp_path)
    tools = tmp_path / "bin"
    for plugin in GO_PLUGINS:
        await ran(folder, "go", "install", plugin, GOBIN=str(tools))
    path = f"{tools}:{os.environ['PATH']}"
    await ran(folder, str(Path(sys.executable).with_name("buf")), "generate", str(ROOT / "protos"), PATH=path)
    await ran(folder, "go", "mod", "tidy")
    await holds(cluster, await ran(folder, "go", "run", ".", APPLE, HAPJU_GATEWAY=cluster.gateway))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mvn") is None, reason="there is no Maven")
async def test_java(cluster: Cluster, tmp_path: Path) -> None:
    """Java generates its stubs by Maven."""
    folder = copied("java", tmp_path)
    build = ("mvn", "-q", "-B", f"-Dprotos={ROOT / 'protos'}", "compile", "exec:java", f"-Dexec.args='{APPLE}'")
    await holds(cluster, await ran(folder, *build, HAPJU_GATEWAY=cluster.gateway))
