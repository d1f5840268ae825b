"""A deployment that grants its tenants so much, and lets what their people say go so far."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer
from tests.support.tokens import token

RATES = "미국 기준금리 알려줘"


async def asked(cluster: Cluster, tenant: str, folder: Path, **fields: Any) -> Told:
    """Ask as somebody of a tenant."""
    return await cluster.ask(RATES, token=token(dev_key(folder), "mina", tenant=tenant), **fields)


@pytest.mark.asyncio
async def test_a_spent_quota_refuses_and_says_so(tmp_path: Path, data: Path) -> None:
    """The third question of a day is refused in words, with a time to come again; other tenants go on asking."""
    tenants = json.dumps({"small": {"questions_a_day": 2}, "closed": {"flows_max": 0}})
    async with embedded(tmp_path, data, tenants=tenants) as cluster:
        for number in range(2):
            again = await asked(cluster, "small", tmp_path, request_id=f"r-{number}")
            assert again.terminal == ["finished"]
        # What was asked before is told again, and counts once.
        assert (await asked(cluster, "small", tmp_path, request_id="r-1")).terminal == ["finished"]
        for tenant, quota in (("small", "questions_a_day"), ("closed", "flows_max")):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await asked(cluster, tenant, tmp_path)
            assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "소속 기관에 허용된 이용량" in (refused.value.details() or "")
            assert quota in str(refused.value.trailing_metadata())
        assert (await asked(cluster, "large", tmp_path)).terminal == ["finished"]


@pytest.mark.asyncio
async def test_tokens_are_counted_and_no_deletion_gives_them_back(tmp_path: Path, data: Path) -> None:
    """The first question spends what is granted for a day; that its conversation is deleted changes nothing."""
    async with ModelServer() as server:
        tenants = json.dumps({"frugal": {"tokens_a_day": 1}, "asks-once": {"questions_a_day": 1}})
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, tenants=tenants, **model) as cluster:
            for tenant, quota in (("frugal", "tokens_a_day"), ("asks-once", "questions_a_day")):
                first = await asked(cluster, tenant, tmp_path, session_id=f"of-{tenant}")
                assert first.terminal == ["finished"]
                deletion = pb.DeleteSessionRequest(session_id=f"of-{tenant}")
                bearer = [("authorization", f"Bearer {token(dev_key(tmp_path), 'mina', tenant=tenant)}")]
                await cluster.stub.DeleteSession(deletion, metadata=bearer, timeout=5)
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await asked(cluster, tenant, tmp_path)
                assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
                assert quota in str(refused.value.trailing_metadata())
        assert server.calls


@pytest.mark.asyncio
async def test_what_a_tenant_says_goes_to_no_model_but_its_own(tmp_path: Path, data: Path) -> None:
    """Without a model that is allowed each decision is the rule's; a tenant that may ask it is answered by it."""
    async with ModelServer() as server:
        host = server.base_url.split("/")[2]
        tenants = json.dumps(
            {
                "open": {"destinations": [host]},
                "elsewhere": {"destinations": ["models.bank.example"]},
                "others": {"models": ["another-model"]},
            }
        )
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, tenants=tenants, **model) as cluster:
            for tenant in ("elsewhere", "others"):
                told = await asked(cluster, tenant, tmp_path)
                assert {one.source for one in told.answer.decisions} == {2}, tenant
                assert server.calls == []
            assert (await asked(cluster, "open", tmp_path)).terminal == ["finished"]
            assert server.calls
