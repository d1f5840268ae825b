"""A flow with every shortcut off: one model after another, and none for what is not needed."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.runtime.settings import SHORTCUTS
from tests.integration.test_model import llm_settings
from tests.support.cluster import embedded
from tests.support.model_server import ModelServer, Reply

BLOCKED = {"verdict": "BLOCK", "tags": ["SYSTEM_MANIPULATION"], "reason": "not possible", "confidence": 0.99}
SERIAL: dict[str, Any] = dict.fromkeys(SHORTCUTS, False)


@pytest.mark.asyncio
async def test_what_is_blocked_is_not_understood(tmp_path: Path, data: Path) -> None:
    """Once the verdict is known nobody else is asked: the question is neither routed nor worded."""
    async with ModelServer() as server:
        server.script("policy_safety", Reply(text=json.dumps(BLOCKED)))
        async with embedded(tmp_path, data, **llm_settings(server.base_url), **SERIAL) as cluster:
            told = await cluster.ask("지난달 강남구 시세 알려줘")
    assert told.answer.context_meta.status == "blocked"
    assert [call.kind for call in server.calls] == ["policy_safety"]
    assert [decision.kind for decision in told.answer.decisions] == ["policy_safety"]
    assert told.of("routed") == []
