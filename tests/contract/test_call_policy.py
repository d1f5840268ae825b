"""Every RPC has its row."""

import importlib
import json
from pathlib import Path

import pytest
from google.protobuf.descriptor import ServiceDescriptor

from services.runtime.call_policy import ATTEMPTS_MAX, CALL_POLICY, Retry, service_config

ROOT = Path(__file__).resolve().parents[2]


def services() -> list[ServiceDescriptor]:
    """Returns every service of the contract."""
    found: list[ServiceDescriptor] = []
    for path in sorted((ROOT / "protos" / "hapju").rglob("*_service.proto")):
        name = ".".join(path.relative_to(ROOT / "protos").with_suffix("").parts) + "_pb2"
        found += importlib.import_module(name).DESCRIPTOR.services_by_name.values()
    return found


def test_every_rpc_has_a_policy_and_no_other() -> None:
    """A new RPC without a deadline and a retry class fails here."""
    methods = {f"/{service.full_name}/{method.name}" for service in services() for method in service.methods}
    assert methods == set(CALL_POLICY)


def test_only_reads_are_sent_again() -> None:
    """What may have been done is sent once; no hedging, and never more attempts than agreed."""
    config = json.loads(service_config("router"))
    repeated = {f"/{name['service']}/{name['method']}" for entry in config["methodConfig"] for name in entry["name"]}
    assert {method for method, policy in CALL_POLICY.items() if policy.retry is Retry.READ} == repeated
    assert [entry["retryPolicy"]["maxAttempts"] for entry in config["methodConfig"]] == [ATTEMPTS_MAX]
    assert all("hedgingPolicy" not in entry for entry in config["methodConfig"])


@pytest.mark.parametrize("method", sorted(CALL_POLICY))
def test_every_deadline_is_bounded(method: str) -> None:
    """A call of ours waits for a bounded time, except a watch, which lives as long as its flow."""
    policy = CALL_POLICY[method]
    assert (policy.deadline_seconds is None) == method.endswith("/WatchFlow")
    assert policy.deadline_required != method.endswith("/WatchFlow")
