"""The gateway's log says of each question and each refusal who asked what and how it ended, without a word of it."""

import json
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import pytest

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import embedded
from tests.support.tokens import token

RATES = "미국 기준금리 알려줘"


def told_in(text: str) -> list[dict[str, Any]]:
    """Return the lines on what clients have asked."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line for line in lines if line["logger"] == "services.runtime.auditing"]


@pytest.mark.asyncio
async def test_who_asked_what_and_how_it_ended(tmp_path: Path, data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A question, its record, a quota that is spent, a token of nobody over both edges: a line each."""
    tenants = json.dumps({"bank": {"questions_a_day": 1}})
    settings: dict[str, Any] = {
        "tenants": tenants,
        "log_level": "info",
        "log_format": "json",
        "http_listen": "127.0.0.1:0",
    }
    async with embedded(tmp_path, data, **settings) as cluster:
        mina = token(dev_key(tmp_path), "mina", tenant="bank")
        flow = (await cluster.ask(RATES, token=mina)).answer.flow_run_id
        of_mina = [("authorization", f"Bearer {mina}")]
        await cluster.stub.GetFlow(pb.GetFlowRequest(flow_run_id=flow), metadata=of_mina, timeout=10)
        for whose in (mina, "of-nobody"):
            with pytest.raises(grpc.aio.AioRpcError):
                await cluster.ask(RATES, token=whose)
            headers = {"authorization": f"Bearer {whose}"}
            ask = f"{cluster.doors['http']}/v1/ask"
            async with aiohttp.request("POST", ask, json={"text": RATES}, headers=headers) as refused:
                assert refused.status in {401, 429}
    errors = capfd.readouterr().err
    told = [(one["rpc"], one.get("tenant"), one["user"], one["outcome"], one["reason"]) for one in told_in(errors)]
    spent, nobody = ("RESOURCE_EXHAUSTED", "QUOTA_SPENT"), ("UNAUTHENTICATED", "TOKEN_INVALID")
    assert told == [
        ("Ask", "bank", "mina", "finished", ""),
        ("GetFlow", "bank", "mina", "OK", ""),
        *(("Ask", "bank", "mina", *spent) for _ in range(2)),
        *(("Ask", None, "", *nobody) for _ in range(2)),
    ]
    assert [one["flow_run_id"] for one in told_in(errors)[:2]] == [flow, flow]
    assert RATES not in errors
