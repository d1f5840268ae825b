"""An A2A agent of another house, by the official SDK's own server: it tells of hotels in words and in data."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as a2a
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Value
from starlette.applications import Starlette

from gateway.http.edge import _Server

MARKUP = "<img src=x onerror=alert(1)>"
HELD = "한강호텔의 요금은 120,000원입니다."
UNHELD = "바다호텔의 요금은 90,000원입니다."
ORDER = "예약을 완료했습니다."
ADVICE = "지금 바로 매수하세요."
FACTS = [{"name_ko": "한강호텔", "price_krw": 120_000, "note": MARKUP}]


class Concierge(AgentExecutor):
    """Answers by what it is asked, and keeps what it heard."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.cancelled: list[str] = []
        self.answering = asyncio.Event()

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answers, asks back, fails or waits."""
        text = context.get_user_input()
        self.asked.append(text)
        task = a2a.Task(id=context.task_id, context_id=context.context_id)
        task.status.state = a2a.TASK_STATE_SUBMITTED
        await event_queue.enqueue_event(task)
        told = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")
        await told.start_work()
        self.answering.set()
        if "slow" in text:
            await asyncio.sleep(30)
        if "which" in text:
            await told.requires_input(told.new_agent_message([a2a.Part(text="Which city?")]))
            return
        if "broken" in text:
            await told.failed()
            return
        words = [HELD, UNHELD, ORDER, ADVICE, MARKUP]
        data = ParseDict({"hotels": FACTS}, Value())
        await told.add_artifact([a2a.Part(text=" ".join(words[:2]))], artifact_id="answer")
        rest = [a2a.Part(text=" ".join(words[2:])), a2a.Part(data=data)]
        await told.add_artifact(rest, artifact_id="answer", append=True, last_chunk=True)
        await told.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Notes what is cancelled."""
        self.cancelled.append(context.task_id or "")
        await TaskUpdater(event_queue, context.task_id or "", context.context_id or "").cancel()


def card_of(url: str, description: str = "Hotels of the city.") -> a2a.AgentCard:
    """Returns its card."""
    return a2a.AgentCard(
        name="concierge",
        description=description,
        version="1",
        supported_interfaces=[a2a.AgentInterface(url=f"{url}/a2a", protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=a2a.AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[a2a.AgentSkill(id="hotels", name="hotels", description="Hotels", tags=["hotels"])],
    )


@asynccontextmanager
async def concierge(
    description: str = "Hotels of the city.",
) -> AsyncIterator[tuple[str, Concierge, list[dict[str, str]]]]:
    """Serves the agent over a socket; yields its address, the agent and the headers of each request."""
    agent, heard, apps = Concierge(), list[dict[str, str]](), list[Starlette]()

    async def listening(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            heard.append({name.decode(): value.decode() for name, value in scope["headers"]})
        await apps[0](scope, receive, send)

    server = _Server(uvicorn.Config(listening, port=0, log_config=None, timeout_graceful_shutdown=1, lifespan="off"))
    serving = asyncio.create_task(server.serve())
    await server.serving.wait()
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    card = card_of(url, description)
    handler = DefaultRequestHandler(agent_executor=agent, task_store=InMemoryTaskStore(), agent_card=card)
    apps.append(Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/a2a")]))
    try:
        yield url, agent, heard
    finally:
        server.should_exit = True
        await serving
