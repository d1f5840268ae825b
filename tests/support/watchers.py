"""What watches hapju in a deployment, run for real: collector, Prometheus and Jaeger with this project's configuration.

`tests/deploy/watchers/build.sh` builds them from their Go modules into a cache. What a test changes of the
configuration is where things listen, and, of the rules, how long they wait: each span of time is so many times shorter.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.support.ports import free_ports

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hapju-watchers" / "bin"
SHORTER: Final = 30
"""How many times shorter the rules' spans of time are."""
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600}
_READY_SECONDS: Final = 60.0


def program(name: str) -> str:
    """Returns the path of a watcher's program; a test is skipped where it is not built."""
    path = CACHE / name
    if not path.exists():
        pytest.skip(f"{name} is not built here: tests/deploy/watchers/build.sh")
    return str(path)


@cache
def has_tail_sampling() -> bool:
    """Returns whether the collector here was built with it: one that was built earlier keeps every trace."""
    told = subprocess.run([program("otelcol"), "components"], check=True, capture_output=True, text=True)
    return "tail_sampling" in told.stdout


def shortened(text: str) -> str:
    """Returns rules with each span of time shorter: ranges, and how long a condition must hold."""

    def shorter(match: re.Match[str]) -> str:
        seconds = int(match[2]) * _UNITS[match[3]] / SHORTER
        return f"{match[1]}{max(1, round(seconds))}s"

    return re.sub(r"(\[|for: |offset )(\d+)([smh])\b", shorter, text)


@dataclass(frozen=True)
class Watchers:
    """Where the watchers of one test are."""

    endpoint: str
    """Where services export to: the collector."""
    prometheus: str
    """URL of Prometheus."""
    jaeger: str
    """URL of Jaeger's API; empty without."""
    _collecting: "Collecting"
    """The collector, which a test may take away."""

    @asynccontextmanager
    async def collector_away(self) -> AsyncIterator[None]:
        """Takes the collector away for the body."""
        await self._collecting.stop()
        try:
            yield
        finally:
            await self._collecting.start()

    async def firing(self) -> set[str]:
        """Returns the names of the alerts that fire now."""
        told = await asked(f"{self.prometheus}/api/v1/alerts")
        return {one["labels"]["alertname"] for one in told["data"]["alerts"] if one["state"] == "firing"}

    async def until_firing(self, name: str, seconds: float, meanwhile: Callable[[], Any] | None = None) -> set[str]:
        """Waits until an alert fires, and returns all that fire then.

        Raises:
            AssertionError: It does not within the time; says what Prometheus has.
        """
        end = asyncio.get_running_loop().time() + seconds
        while name not in (firing := await self.firing()):
            if asyncio.get_running_loop().time() > end:
                raise AssertionError(f"{name} does not fire; firing: {firing}")
            if meanwhile is not None:
                await meanwhile()
            await asyncio.sleep(0.5)
        return firing

    async def value(self, query: str) -> float | None:
        """Returns the first value of a query; None where there is no series."""
        told = await asked(f"{self.prometheus}/api/v1/query?{urllib.parse.urlencode({'query': query})}")
        found = told["data"]["result"]
        return float(found[0]["value"][1]) if found else None


async def asked(url: str) -> Any:
    """Returns the JSON at a URL of this machine."""

    def read() -> Any:
        with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - loopback
            return json.load(answer)

    return await asyncio.to_thread(read)


class Collecting:
    """The collector with the project's pipelines, started and stopped at will."""

    def __init__(self, folder: Path, configuration: Mapping[str, Any], port: int, kept_percent: int) -> None:
        self._folder, self._port = folder, port
        # A test's flows are over in no time, but for those of which few are kept.
        decided = "2s" if kept_percent == 100 else "20s"
        self._settings = {"TRACES_KEPT_PERCENT": str(kept_percent), "TRACES_DECIDED_AFTER": decided}
        self._path = folder / "otelcol.yaml"
        self._path.write_text(yaml.safe_dump(dict(configuration)), encoding="utf-8")
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Starts it and waits until it takes what is exported."""
        running = _running(self._folder, program("otelcol"), f"--config={self._path}", **self._settings)
        await self._stack.enter_async_context(running)
        await _until_open(self._port)

    async def stop(self) -> None:
        """Stops it."""
        await self._stack.aclose()


@asynccontextmanager
async def watching(folder: Path, *, with_jaeger: bool = False, kept_percent: int = 100) -> AsyncIterator[Watchers]:
    """Runs collector and Prometheus, and Jaeger where it is wanted, until the body ends.

    Of the traces that nothing is wrong with, the collector keeps so many in a hundred.
    """
    otlp, metrics, health, prometheus, jaeger_otlp, jaeger = free_ports(6)
    collecting = Collecting(folder, _pipelines(otlp, jaeger_otlp, prometheus, metrics), otlp, kept_percent)
    watchers = Watchers(
        endpoint=f"http://127.0.0.1:{otlp}",
        prometheus=f"http://127.0.0.1:{prometheus}",
        jaeger=f"http://127.0.0.1:{jaeger}" if with_jaeger else "",
        _collecting=collecting,
    )
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(_prometheus(folder, prometheus))
        if with_jaeger:
            await stack.enter_async_context(_jaeger(folder, jaeger_otlp, jaeger, health))
        await collecting.start()
        stack.push_async_callback(collecting.stop)
        yield watchers


def _pipelines(otlp: int, jaeger: int, prometheus: int, metrics: int) -> dict[str, Any]:
    """Returns the collector's configuration between services and back ends at these ports."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "observability" / "otelcol.yaml").read_text(encoding="utf-8"))
    read["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"] = f"127.0.0.1:{otlp}"
    read["exporters"]["otlp/jaeger"]["endpoint"] = f"127.0.0.1:{jaeger}"
    read["exporters"]["otlphttp/prometheus"]["endpoint"] = f"http://127.0.0.1:{prometheus}/api/v1/otlp"
    if not has_tail_sampling():
        read["processors"].pop("tail_sampling")
        read["service"]["pipelines"]["traces"]["processors"].remove("tail_sampling")
    reader = {"pull": {"exporter": {"prometheus": {"host": "127.0.0.1", "port": metrics}}}}
    read["service"]["telemetry"] = {"metrics": {"readers": [reader]}}
    return read


@asynccontextmanager
async def _prometheus(folder: Path, port: int) -> AsyncIterator[None]:
    rules = folder / "alerts.yaml"
    rules.write_text(shortened((ROOT / "observability" / "alerts.yaml").read_text(encoding="utf-8")), encoding="utf-8")
    read = yaml.safe_load((ROOT / "observability" / "prometheus.yaml").read_text(encoding="utf-8"))
    read |= {"rule_files": [str(rules)], "global": {"evaluation_interval": "1s"}}
    path = folder / "prometheus.yaml"
    path.write_text(yaml.safe_dump(read), encoding="utf-8")
    options = (f"--config.file={path}", f"--storage.tsdb.path={folder / 'tsdb'}", "--web.enable-otlp-receiver")
    async with _running(folder, program("prometheus"), *options, f"--web.listen-address=127.0.0.1:{port}"):
        await _until_open(port)
        yield


@asynccontextmanager
async def _jaeger(folder: Path, otlp: int, api: int, health: int) -> AsyncIterator[None]:
    config = {
        "service": {
            "extensions": ["jaeger_storage", "jaeger_query"],
            "pipelines": {"traces": {"receivers": ["otlp"], "exporters": ["jaeger_storage_exporter"]}},
            "telemetry": {"metrics": {"level": "none"}},
        },
        "extensions": {
            "jaeger_storage": {"backends": {"memory": {"memory": {"max_traces": 10_000}}}},
            "jaeger_query": {
                "storage": {"traces": "memory"},
                "http": {"endpoint": f"127.0.0.1:{api}"},
                "grpc": {"endpoint": f"127.0.0.1:{health}"},
            },
        },
        "receivers": {"otlp": {"protocols": {"grpc": {"endpoint": f"127.0.0.1:{otlp}"}}}},
        "exporters": {"jaeger_storage_exporter": {"trace_storage": "memory"}},
    }
    path = folder / "jaeger.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    async with _running(folder, program("jaeger"), f"--config={path}"):
        await _until_open(api)
        yield


@asynccontextmanager
async def _running(folder: Path, path: str, *arguments: str, **settings: str) -> AsyncIterator[None]:
    """Runs a program; its log stands in the folder, and is shown where the body fails."""
    log = folder / f"{Path(path).name}.log"
    with log.open("ab") as told:
        environment = {**os.environ, **settings}
        child = await asyncio.create_subprocess_exec(
            path, *arguments, stdout=told, stderr=told, cwd=folder, env=environment
        )
    try:
        yield
    except BaseException:
        sys.stderr.write(log.read_text(encoding="utf-8", errors="replace")[-3_000:])
        raise
    finally:
        if child.returncode is None:
            child.terminate()
        try:
            async with asyncio.timeout(10):
                await child.wait()
        except TimeoutError:
            child.kill()
            await child.wait()


async def _until_open(port: int) -> None:
    async with asyncio.timeout(_READY_SECONDS):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.2)
            else:
                writer.close()
                return
