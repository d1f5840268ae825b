"""Several services in one process: their order, their addresses and their end."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.authentication import Authentication
from services.catalog.topology import topology, topology_from_yaml
from services.cli.deployment.running import listen_address
from services.cli.embedded import FIRST, embedded_settings
from services.cli.ensemble import Layout, LocalServices, levels
from services.cli.problems import Problem
from services.cli.tokens import Identity, bearer_token
from services.runtime.environment import process_environment
from services.runtime.settings import Settings, SettingsError
from tests.support.cluster import Cluster

CIRCLE = """
services:
  one: {port: 50000, module: one, calls: [two]}
  two: {port: 50001, module: two, calls: [one]}
agent: {module: agents, calls: []}
"""


def test_callees_start_before_their_callers() -> None:
    """Every service stands in a later level than all that it calls, and none is left out."""
    made = levels(topology().names, topology())
    level_of = {name: number for number, level in enumerate(made) for name in level}
    assert set(level_of) == set(topology().names)
    for caller, callee in topology().edges():
        assert level_of[callee] < level_of[caller]


def test_services_that_run_elsewhere_hold_nobody_up() -> None:
    """Among services that do not call each other there is one level."""
    assert levels(("router", "planner"), topology()) == (("router", "planner"),)


def test_a_circle_of_calls_is_refused() -> None:
    """A table in which no order exists is an error that names the services."""
    circle = topology_from_yaml(CIRCLE, [], set())
    with pytest.raises(ValueError, match="one, two"):
        levels(circle.names, circle)


@pytest.mark.asyncio
async def test_an_ensemble_serves_while_its_body_runs(tmp_path: Path) -> None:
    """A service answers at the address that the ensemble tells, and no longer after its body."""
    settings = Settings(data_dir=tmp_path, log_level="warning")
    layout = Layout(("policy", "router"), lambda _: "127.0.0.1:0")
    async with LocalServices(settings, topology(), layout) as ensemble:
        address = ensemble.addresses["router"]
        assert await _is_serving(address, "router")
    assert not await _is_serving(address, "router")


@pytest.mark.asyncio
async def test_where_one_cannot_start_none_is_left_running(tmp_path: Path) -> None:
    """An address that is taken ends the start with the service's name, and stops what runs."""
    settings = Settings(data_dir=tmp_path, log_level="warning")
    async with LocalServices(settings, topology(), Layout(("policy",), lambda _: "127.0.0.1:0")) as first:
        taken = first.addresses["policy"]
        second = LocalServices(
            settings,
            topology(),
            Layout(("policy", "router"), lambda name: taken if name == "router" else "127.0.0.1:0"),
        )
        with pytest.raises(SettingsError, match="router"):
            async with second:
                pass
        assert not await _is_serving(second.addresses["policy"], "policy")


@pytest.mark.asyncio
async def test_the_body_begins_when_its_first_services_listen(tmp_path: Path) -> None:
    """A call to a service that comes later waits for it, and it answers at the address that was told beforehand."""
    settings = Settings(data_dir=tmp_path, log_level="warning")
    layout = Layout(("policy", "router"), lambda name: f"unix:{tmp_path}/{name}", first=("policy",))
    async with LocalServices(settings, topology(), layout) as ensemble:
        assert await _is_serving(ensemble.addresses["policy"], "policy")
        async with asyncio.timeout(30):
            while not await _is_serving(ensemble.addresses["router"], "router"):
                await asyncio.sleep(0.05)


@pytest.mark.asyncio
async def test_a_service_that_fails_later_ends_the_body(tmp_path: Path) -> None:
    """The body is cancelled, what runs is stopped, and the error names the service."""
    settings = Settings(data_dir=tmp_path, log_level="warning")
    places = {"policy": f"unix:{tmp_path}/policy", "router": f"unix:{tmp_path}/no/such/folder"}
    ensemble = LocalServices(settings, topology(), Layout(("policy", "router"), places.__getitem__, first=("policy",)))
    with pytest.raises(SettingsError, match="router"):
        async with ensemble, asyncio.timeout(30):
            await asyncio.Event().wait()
    assert not await _is_serving(ensemble.addresses["policy"], "policy")


@pytest.mark.asyncio
async def test_a_question_that_waits_for_a_service_that_fails_is_let_go(tmp_path: Path) -> None:
    """A flow whose step waits for the tool gateway ends with the ensemble when that cannot be started."""
    settings = embedded_settings(Settings(data_dir=tmp_path))
    places = {name: f"unix:{tmp_path}/{name}" for name in topology().names} | {"tool_gateway": f"unix:{tmp_path}/no/t"}
    ensemble = LocalServices(settings, topology(), Layout(topology().names, places.__getitem__, first=FIRST))
    asked = Cluster(places["gateway"], places, tmp_path)
    with pytest.raises(SettingsError, match="tool_gateway"):
        async with asyncio.timeout(60), ensemble, asked.channel:
            await asked.ask("애플 주가 추세 분석해줘")


@pytest.mark.asyncio
async def test_an_error_of_the_body_stays_what_it_is(tmp_path: Path) -> None:
    """While services are still being loaded, what the body raises leaves as it was raised."""
    settings = Settings(data_dir=tmp_path, log_level="warning")
    layout = Layout(topology().names, lambda name: f"unix:{tmp_path}/{name}", first=("policy",))
    with pytest.raises(LookupError, match="of the body") as raised:
        async with LocalServices(settings, topology(), layout):
            raise LookupError("of the body") from KeyError("its cause")
    assert isinstance(raised.value.__cause__, KeyError)


async def _is_serving(address: str, service: str) -> bool:
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            response = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=5)
        except grpc.aio.AioRpcError:
            return False
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


def test_up_prints_where_it_listens_and_drains_on_sigterm(tmp_path: Path) -> None:
    """`hapju up --only` serves what it was told to, and SIGTERM ends it with 0."""
    addresses = {topology().address_variable(name): "127.0.0.1:0" for name in ("policy", "router")}
    child = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "up", "--only", "policy,router"],
        env=process_environment(HAPJU_DATA_DIR=str(tmp_path), HAPJU_LOG_LEVEL="error", **addresses),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    listening = dict(child.stdout.readline().split() for _ in range(2))
    assert set(listening) == {"policy", "router"}
    assert asyncio.run(_is_serving(listening["policy"], "policy"))
    child.send_signal(signal.SIGTERM)
    _, err = child.communicate(timeout=30)
    assert (child.returncode, "Traceback" in err) == (0, False)


def test_the_gateway_listens_where_hapju_listen_says() -> None:
    """HAPJU_LISTEN speaks of the gateway, or of a service that runs alone; the others keep their own addresses."""
    settings = Settings(listen="127.0.0.1:7000", addresses={"router": "127.0.0.1:7001"})
    names = topology().names
    found = {name: listen_address(name, names, settings, topology()) for name in ("gateway", "router", "policy")}
    policy = f"127.0.0.1:{topology().port('policy')}"
    assert found == {"gateway": "127.0.0.1:7000", "router": "127.0.0.1:7001", "policy": policy}
    assert listen_address("policy", ("policy",), settings, topology()) == "127.0.0.1:7000"


def test_embedded_services_are_quiet_unless_told_otherwise() -> None:
    """Logs stay out of the progress, but for what the user has set; peers elsewhere are not called."""
    quiet = embedded_settings(Settings(auth_mode="jwt", addresses={"router": "10.0.0.1:1"}))
    assert (quiet.log_level, quiet.log_format, quiet.auth_mode, quiet.addresses) == ("warning", "console", "dev", {})
    assert embedded_settings(Settings(log_level="debug")).log_level == "debug"


def test_the_gateway_takes_the_command_lines_tokens(tmp_path: Path) -> None:
    """A dev token names its user to the gateway's own check; without a user there is none."""
    settings = Settings(data_dir=tmp_path)
    token = bearer_token(Identity("kim", "seller"), settings)
    caller = Authentication.from_settings(settings).identify((("authorization", f"Bearer {token}"),))
    assert (caller.user_id, caller.tenant, caller.user_type) == ("kim", "default", "seller")
    assert bearer_token(Identity(), settings) == ""


@pytest.mark.parametrize(
    ("identity", "mode", "field"), [(Identity("", "seller"), "dev", "--user-type"), (Identity("kim"), "jwt", "--user")]
)
def test_no_token_is_made_up(identity: Identity, mode: str, field: str, tmp_path: Path) -> None:
    """A type without a user, and a user outside dev mode, are usage errors."""
    settings = Settings.model_validate({"data_dir": tmp_path, "auth_mode": mode})
    with pytest.raises(Problem) as raised:
        bearer_token(identity, settings)
    assert json.loads(json.dumps(raised.value.as_json()))["error"]["violations"][0]["field"] == field
