"""hapju as an MCP server: the official client over sockets and over standard input and output, of both eras."""

import asyncio
import json
import sys
from base64 import b64encode
from contextlib import suppress
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.session import ClientRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitRequestFormParams, ElicitRequestParams, ElicitResult, TextContent

from services.runtime.environment import process_environment
from services.runtime.settings import dev_key
from tests.support.agents import mcp_agent
from tests.support.cluster import Cluster
from tests.support.files import LEASE, docx_of, pdf_of, reviewed
from tests.support.http_client import HttpClient
from tests.support.tokens import token

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

JEONSE = "강남구 아파트 전세 시세 알려줘"
VAGUE = "이번 달 전세 시세 알려줘"
NO_FLOW = "01900000-0000-7000-8000-000000000000"
ERAS = ("legacy", "auto")


def said(result: CallToolResult) -> str:
    """Returns a result's text."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_asks_and_looks_at_what_happened(cluster: Cluster, era: str) -> None:
    """The answer is that of every other edge, with its sources and its progress; plan, flows and agents can be seen."""
    heard: list[str | None] = []

    async def moved(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001 - the SDK's names
        heard.append(message)

    async with mcp_agent(cluster.doors["http"], mode=era) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"ask", "answer", "plan", "list_flows"}
        result = await client.call_tool("ask", {"question": JEONSE}, progress_callback=moved)
        told = result.structured_content
        assert not result.is_error
        assert told["answer"] == (await cluster.ask(JEONSE)).answer.final_response
        assert said(result).startswith(told["answer"])
        assert told["citations"]
        assert heard
        plan = await client.call_tool("plan", {"question": JEONSE})
        assert plan.structured_content["plan"]["steps"]
        flow = await client.call_tool("get_flow", {"flow_run_id": told["flow_run_id"]})
        assert flow.structured_content["summary"]["question"] == JEONSE
        uris = {str(one.uri) for one in (await client.list_resources()).resources}
        assert "hapju://agents" in uris
        record = json.loads((await client.read_resource(f"hapju://flows/{told['flow_run_id']}")).contents[0].text)  # type: ignore[union-attr]
        assert record["events"][-1]["finished"]["answer"]["final_response"] == told["answer"]


@pytest.mark.slow
async def test_a_call_cut_at_every_message_ends_its_flow(cluster: Cluster, folder: Path) -> None:
    """Given up at each thing that it tells, a call leaves no flow running; its record is whole, 1..n with one end."""
    whole = (await cluster.ask(JEONSE)).answer.final_response
    for cut in range(1, 100):
        bearer = token(dev_key(folder), f"cut{cut}", seconds=600)
        heard, reached = 0, asyncio.Event()

        async def moved(progress: float, total: float | None, message: str | None, cut: int = cut) -> None:  # noqa: ARG001 - the SDK's names
            nonlocal heard
            heard += 1
            if heard >= cut:
                reached.set()  # noqa: B023 - it is called within its round alone

        async with mcp_agent(cluster.doors["http"], bearer) as client:
            call = asyncio.create_task(client.call_tool("ask", {"question": JEONSE}, progress_callback=moved))
            waiting = asyncio.create_task(reached.wait())
            await asyncio.wait({call, waiting}, return_when=asyncio.FIRST_COMPLETED)
            over = call.done()
            for task in (call, waiting):
                task.cancel()
            await asyncio.gather(call, waiting, return_exceptions=True)
        async with mcp_agent(cluster.doors["http"], bearer) as client, asyncio.timeout(30):
            while True:
                (flow,) = (await client.call_tool("list_flows", {})).structured_content["flows"]
                if flow.get("phase", "").endswith(("FINISHED", "CANCELLED")):
                    break
                await asyncio.sleep(0.1)
            record = json.loads((await client.read_resource(f"hapju://flows/{flow['flow_run_id']}")).contents[0].text)  # type: ignore[union-attr]
        events = record["events"]
        ends = [name for event in events for name in ("finished", "failed", "cancelled") if name in event]
        assert ends in (["finished"], ["cancelled"])
        assert "cancelled" in ends or events[-1]["finished"]["answer"]["final_response"] == whole
        assert [int(one["sequence"]) for one in events] == list(range(1, len(events) + 1))
        if over:
            return
    pytest.fail("the call has no end")


async def test_what_hapju_asks_back_is_put_to_the_person(cluster: Cluster) -> None:
    """A client with forms shows the question and goes on with the person's word; one that closes it stops the flow."""
    shown: list[str] = []
    says: list[ElicitResult] = [
        ElicitResult(action="accept", content={"answer": "강남구"}),
        ElicitResult(action="cancel"),
    ]

    async def form(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG001 - as above
        assert isinstance(params, ElicitRequestFormParams)
        shown.append(params.message)
        return says.pop(0)

    async with mcp_agent(cluster.doors["http"], elicitation_callback=form) as client:
        told = (await client.call_tool("ask", {"question": VAGUE})).structured_content
        assert "강남구" in told["answer"]
        told = (await client.call_tool("ask", {"question": VAGUE})).structured_content
        assert (told["status"], told["answer"]) == ("cancelled", "")
    assert len(shown) == 2
    assert all(shown)


@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_without_forms_hands_the_answer_over(cluster: Cluster, era: str) -> None:
    """What the flow waits with is the result; the tool `answer` goes on with it, once."""
    async with mcp_agent(cluster.doors["http"], mode=era) as client:
        told = (await client.call_tool("ask", {"question": VAGUE})).structured_content
        assert (told["status"], told["answer"]) == ("waiting", "")
        reply = {
            "flow_run_id": told["flow_run_id"],
            "question_id": told["waiting"][0]["question_id"],
            "answer": "강남구",
        }
        answered = (await client.call_tool("answer", reply)).structured_content
        assert "강남구" in answered["answer"]
        again = await client.call_tool("answer", reply)
        assert again.is_error
        assert "FAILED_PRECONDITION" in said(again)
        cancelled = await client.call_tool("cancel_flow", {"flow_run_id": told["flow_run_id"]})
        assert cancelled.structured_content == {"phase": "PHASE_FINISHED"}


async def test_a_caller_is_who_their_token_says(cluster: Cluster, folder: Path, http: HttpClient) -> None:
    """A flow is its user's own; what is refused names its reason, and a broken token gets no further than the door."""
    key = dev_key(folder)
    async with (
        mcp_agent(cluster.doors["http"], token(key, "u-1")) as own,
        mcp_agent(cluster.doors["http"], token(key, "u-2")) as foreign,
    ):
        flow = (await own.call_tool("ask", {"question": JEONSE})).structured_content["flow_run_id"]
        assert not (await own.call_tool("get_flow", {"flow_run_id": flow})).is_error
        refused = await foreign.call_tool("get_flow", {"flow_run_id": flow})
        assert refused.is_error
        assert refused.structured_content["error"]["reason"] == "UNKNOWN_FLOW"
        with pytest.raises(MCPError):
            await foreign.read_resource(f"hapju://flows/{flow}")
        listed = (await foreign.call_tool("list_flows", {})).structured_content["flows"]
        assert flow not in {one["flow_run_id"] for one in listed}
        for given in (
            {"question": ""},
            {"question": "가" * 4_001},
            {"text": "?"},
            {"question": JEONSE, "domains": ["no"]},
        ):
            wrong = await own.call_tool("ask", given)
            assert wrong.structured_content["error"]["code"] == "INVALID_ARGUMENT"
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    status, problem = await http.call("POST", "/mcp", ping, {"authorization": "Bearer x"})
    assert (status, problem["code"]) == (401, "UNAUTHENTICATED")
    status, _ = await http.call("POST", "/mcp", ping, {"origin": "https://elsewhere.example"})
    assert status == 403


async def test_an_agent_hands_files_over(cluster: Cluster) -> None:
    """A contract comes as text, DOCX or PDF, with words or none, and is reviewed; one that nobody reads is named."""
    given = {"lease.docx": docx_of(LEASE), "lease.pdf": pdf_of(LEASE)}
    files: list[dict[str, str]] = [{"name": name, "content": b64encode(held).decode()} for name, held in given.items()]
    files.append({"name": "lease.txt", "text": "\n".join(LEASE)})
    async with mcp_agent(cluster.doors["http"]) as client:
        for words, file in zip(("이 계약서 봐줘", "", "문제 없나요?"), files, strict=True):
            result = await client.call_tool("ask", {"question": words, "attachments": [file]})
            assert reviewed(said(result)), said(result)
        locked = b64encode(pdf_of(LEASE, password="s3")).decode()
        for wrong, where in ((locked, "question.attachments[0]"), ("***", "attachments.content")):
            asked = {"question": "Please check this", "attachments": [{"name": "a.pdf", "content": wrong}]}
            refused = (await client.call_tool("ask", asked)).structured_content["error"]
            assert (refused["code"], refused["violations"][0]["field"]) == ("INVALID_ARGUMENT", where)
        large = {"question": "?", "attachments": [{"name": "a.txt", "content": b64encode(b"x" * 3_300_000).decode()}]}
        refused = (await client.call_tool("ask", large)).structured_content["error"]
        assert refused["violations"][0]["field"] == "question.attachments"


@pytest.mark.parametrize("era", ERAS)
async def test_the_command_serves_on_its_own_input_and_output(cluster: Cluster, folder: Path, era: str) -> None:
    """`hapju mcp` is the same server for the agent that starts it; a call that is given up stops its flow."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "services.cli", "mcp", "--user", f"u-{era}"],
        env=process_environment(HAPJU_GATEWAY=cluster.gateway, HAPJU_DATA_DIR=str(folder)),
    )
    thinking = asyncio.Event()

    async def form(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG001 - as above
        assert params.message
        if thinking.is_set():
            await asyncio.Event().wait()
        thinking.set()
        return ElicitResult(action="accept", content={"answer": "강남구"})

    async with Client(command, mode=era, elicitation_callback=form) as client:
        result = await client.call_tool("ask", {"question": VAGUE})
        assert not result.is_error, said(result)
        told = result.structured_content
        assert "강남구" in told["answer"]
        listed = (await client.call_tool("list_flows", {})).structured_content["flows"]
        assert [one["flow_run_id"] for one in listed] == [told["flow_run_id"]]
        assert (await client.call_tool("get_flow", {"flow_run_id": NO_FLOW})).is_error
        if era == "legacy":
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await client.call_tool("ask", {"question": VAGUE})
            async with asyncio.timeout(10):
                while await _latest_phase(client) != "PHASE_CANCELLED":
                    await asyncio.sleep(0.05)


async def _latest_phase(client: Client) -> str:
    return str((await client.call_tool("list_flows", {})).structured_content["flows"][0]["phase"])
