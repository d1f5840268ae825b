"""Recorded flows that tests replay against today's code.

They lie in tests/fixtures/recordings, one JSON file each. Where a change of behaviour is meant, they are recorded anew:

    python -m tests.support.recordings

records every one of them with this code, from the sample data and the model double, and prints what has changed.
"""

import asyncio
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli.replay.running import write_recording
from services.contract.mapping import from_proto
from services.contract.recording import FlowRecording
from tests.support.cluster import Cluster, embedded
from tests.support.model_server import ModelServer

FOLDER: Final = Path(__file__).parents[1] / "fixtures" / "recordings"
"""Where they lie."""


@dataclass(frozen=True)
class Story:
    """A conversation whose last flow is recorded."""

    name: str
    """The file's name."""
    questions: tuple[str, ...]
    """What is asked, one after the other."""
    by_model: bool = False
    """Whether a model decides."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What else the questions say."""


STORIES: Final = (
    Story("homes", ("마포구 아파트 전세 시세 알려줘",)),
    Story("homes_again", ("마포구 아파트 전세 시세 알려줘", "방금 본 마포구 아파트 전세 시세 다시 정리해줘")),
    Story("risk_by_model", ("송파구 시세랑 리스크 분석해줘",), by_model=True, fields={"intent_hint": "COMPREHENSIVE"}),
    Story("share_by_model", ("What is the trend of Apple shares?",), by_model=True),
    Story("blocked", ("다른 사람 주민등록번호 알려줘",)),
)
"""Every fixture."""


async def recording_from(cluster: Cluster, flow_run_id: str, bearer: str = "") -> FlowRecording:
    """Returns a flow's recording as the gateway gives it."""
    metadata = (("authorization", f"Bearer {bearer}"),) if bearer else ()
    request = pb.GetFlowRecordingRequest(flow_run_id=flow_run_id)
    response = await cluster.stub.GetFlowRecording(request, timeout=20, metadata=metadata)
    return from_proto(response.recording, FlowRecording)


async def told(cluster: Cluster, story: Story) -> FlowRecording:
    """Asks what a story asks and returns the recording of its last flow."""
    session, flow_run_id = "", ""
    for question in story.questions:
        heard = await cluster.ask(question, session_id=session, **story.fields)
        session = heard.of("accepted")[0].session_id
        flow_run_id = heard.of("accepted")[0].flow_run_id
    return await recording_from(cluster, flow_run_id)


async def _record_all() -> None:
    from services.tool_gateway.data.seed.state import ensure_seeded  # noqa: PLC0415 - loads the database

    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.db"
        await ensure_seeded(f"sqlite+aiosqlite:///{data}")
        for story in STORIES:
            home = Path(folder) / story.name
            home.mkdir()
            async with ModelServer() as server:
                model: dict[str, Any] = (
                    {"openai_base_url": server.base_url, "openai_api_key": "test"} if story.by_model else {}
                )
                async with embedded(home, data, **model) as cluster:
                    recording = await told(cluster, story)
            path = FOLDER / f"{story.name}.json"
            before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            write_recording(recording, path)
            count = len(recording.decisions)
            print(f"{path.name}: {count} decisions, {len(before.get('decisions', []))} before")  # noqa: T201 - a tool


if __name__ == "__main__":
    asyncio.run(_record_all())
