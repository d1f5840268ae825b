"""Every path does what its call does, and says no as its call does."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gateway.http.routes import CALLS
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import Settings, dev_key
from tests.support.cluster import Cluster
from tests.support.http_client import HttpClient, Listener
from tests.support.tokens import token

pytestmark = pytest.mark.asyncio(loop_scope="session")

JEONSE = "강남구 아파트 전세 시세 알려줘"
NO_FLOW = "01900000-0000-7000-8000-000000000000"
ANSWER = f"/v1/flows/{NO_FLOW}/questions/{NO_FLOW}/answer"


async def test_an_answer_comes_as_json_or_as_events(http: HttpClient, cluster: Cluster) -> None:
    """The same question has the same answer over gRPC, as one object and as a stream whose text is the answer."""
    status, whole = await http.call("POST", "/v1/ask", {"text": JEONSE})
    heard = await http.listen(Listener(), "POST", "/v1/ask", {"text": JEONSE})
    told = await cluster.ask(JEONSE)
    assert status == 200
    assert whole["final_response"] == heard.answer["final_response"] == heard.text == told.answer.final_response
    assert heard.events[0].name == "accepted"
    assert heard.sequences == list(range(1, len(heard.sequences) + 1))
    assert all(sent.identity.endswith(f":{sent.data['sequence']}") for sent in heard.events if "sequence" in sent.data)


async def test_a_flow_is_started_watched_read_listed_and_its_conversation_deleted(http: HttpClient) -> None:
    """What the calls of flows and sessions return is told as JSON with the contract's names."""
    status, started = await http.call("POST", "/v1/flows", {"text": JEONSE, "locale": "en"})
    assert status == 202
    flow = f"/v1/flows/{started['flow_run_id']}"
    heard = await http.listen(Listener(), "GET", f"{flow}/events")
    assert heard.answer["flow_run_id"] == started["flow_run_id"]
    _, record = await http.call("GET", flow)
    assert record["summary"]["question"] == JEONSE
    assert record["chain"]
    session = started["session_id"]
    _, listed = await http.call("GET", f"/v1/flows?page_size=5&session_id={session}")
    assert [one["flow_run_id"] for one in listed["flows"]] == [started["flow_run_id"]]
    _, sessions = await http.call("GET", "/v1/sessions")
    assert session in {one["session_id"] for one in sessions["sessions"]}
    _, said = await http.call("GET", f"/v1/sessions/{session}")
    assert [turn["speaker"] for turn in said["turns"]] == ["SPEAKER_USER", "SPEAKER_ASSISTANT"]
    assert await http.call("POST", f"{flow}/cancel") == (200, {"phase": "PHASE_FINISHED"})
    assert await http.call("DELETE", f"/v1/sessions/{session}") == (200, {"flows_deleted": 1})
    assert (await http.call("GET", flow))[0] == 404


async def test_decisions_agents_and_tools_are_told(http: HttpClient, cluster: Cluster) -> None:
    """Route, plan, agents and tools say what they say over gRPC."""
    _, route = await http.call("POST", "/v1/route", {"text": JEONSE})
    _, plan = await http.call("POST", "/v1/plan", {"text": JEONSE})
    assert route["route"]["domain"] == plan["route"]["domain"] == "realty"
    assert plan["plan"]["steps"]
    agents = (await cluster.stub.ListAgents(pb.ListAgentsRequest(), timeout=5)).agents
    tools = (await cluster.stub.ListTools(pb.ListToolsRequest(locale="ko"), timeout=5)).tools
    _, listed = await http.call("GET", "/v1/agents")
    assert [one["description"]["agent"] for one in listed["agents"]] == [one.description.agent for one in agents]
    _, korean = await http.call("GET", "/v1/agents?locale=ko")
    assert listed["titles"]["realty"] == "real estate"
    assert (korean["titles"]["realty"], korean["titles"]["finance.equity"]) == ("부동산", "주식")
    assert all(re.search("[가-힣]", one["description"]["answers"] + one["title"]) for one in korean["agents"])
    assert (await http.call("GET", "/v1/agents?locale=fr"))[0] == 400
    _, listed = await http.call("GET", "/v1/tools?locale=ko")
    assert [one["description"] for one in listed["tools"]] == [one.description for one in tools]


async def test_a_question_is_answered_by_its_path(http: HttpClient) -> None:
    """A flow that asks back waits, takes the answer by its question's path once, and goes on with it."""
    heard = Listener()
    asked: dict[str, Any] = {}
    body = {"text": "이번 달 전세 시세 알려줘", "interactive": True}
    async with http.stream("POST", "/v1/ask", body) as events:
        async for sent in events:
            heard.take(sent)
            if sent.name == "question_asked":
                asked = sent.data["question_asked"]
                flow = heard.events[0].data["accepted"]["flow_run_id"]
                path = f"/v1/flows/{flow}/questions/{asked['question_id']}/answer"
                assert await http.call("POST", path, {"answer": "강남구"}) == (
                    200,
                    {"outcome": "QUESTION_OUTCOME_ANSWERED"},
                )
                status, problem = await http.call("POST", path, {"answer": "서초구"})
                assert (status, problem["code"], problem["reason"]) == (409, "FAILED_PRECONDITION", "NOT_PENDING")
    assert asked
    assert "강남구" in heard.answer["final_response"]


REFUSED = {
    "no such field": ("POST", "/v1/ask", {"txt": "?"}, 400, "txt"),
    "a field of another type": ("POST", "/v1/ask", {"text": 1}, 400, "text"),
    "a nested field": ("POST", "/v1/ask", {"text": "?", "history": [{"words": "?"}]}, 400, "history.words"),
    "too long": ("POST", "/v1/ask", {"text": "가" * 4_001}, 400, "question.text"),
    "asking back without a stream": ("POST", "/v1/ask", {"text": "?", "interactive": True}, 400, "interactive"),
    "no object": ("POST", "/v1/ask", [1], 400, "body"),
    "no id": ("GET", "/v1/flows/1", None, 400, "flow_run_id"),
    "no number": ("GET", "/v1/flows?page_size=x", None, 400, "page_size"),
    "out of range": ("GET", "/v1/flows?page_size=99999999999", None, 400, "page_size"),
    "no such parameter": ("GET", "/v1/agents?page=1", None, 400, "page"),
    "twice": ("GET", "/v1/tools?locale=ko&locale=en", None, 400, "locale"),
    "no such flow": ("GET", f"/v1/flows/{NO_FLOW}", None, 404, ""),
    "no such conversation": ("DELETE", "/v1/sessions/s-none", None, 404, ""),
    "nothing here": ("GET", "/v2/ask", None, 404, ""),
    "not this way": ("DELETE", "/v1/ask", None, 405, ""),
}
"""Requests that are refused: method, path, body, status and the field that the problem names."""


@pytest.mark.parametrize("case", REFUSED)
async def test_a_refusal_names_what_is_wrong(http: HttpClient, case: str) -> None:
    """A problem bears the status, the code of the gRPC status, and the field where there is one."""
    method, path, body, status, field = REFUSED[case]
    got, problem = await http.call(method, path, body)
    assert (got, problem["status"]) == (status, status)
    assert [one["field"] for one in problem["violations"]] == ([field] if field else [])
    assert problem["code"]
    assert problem["detail"]


async def test_bodies_are_bounded_and_are_json(http: HttpClient) -> None:
    """A body above the limit is refused by its name, and one that is no JSON by its own word before it is read."""
    settings = Settings()
    bodies = {ANSWER: settings.http_body_bytes_max, "/v1/ask": settings.http_asked_bytes_max}
    for path, bytes_max in bodies.items():
        long = b'{"text": "' + b"x" * bytes_max + b'"}'
        status, problem = await http.call("POST", path, long, {"content-type": "application/json"})
        assert (status, problem["reason"]) == (413, "PAYLOAD_TOO_LARGE")
        assert problem["metadata"] == {"limit": "HAPJU_HTTP_BODY_BYTES_MAX", "value": str(bytes_max)}
    status, problem = await http.call("POST", "/v1/ask", {"text": "?"}, {"content-type": "text/plain"})
    assert (status, problem["violations"][0]["field"]) == (400, "content-type")


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"origin": "https://elsewhere.example"}, "ORIGIN_NOT_ALLOWED"),
        ({"origin": "null"}, "ORIGIN_NOT_ALLOWED"),
        ({"host": "elsewhere.example:8080"}, "HOST_NOT_ALLOWED"),
        ({"host": "elsewhere.example"}, "HOST_NOT_ALLOWED"),
    ],
)
async def test_a_foreign_page_is_refused(http: HttpClient, headers: dict[str, str], reason: str) -> None:
    """A browser's request from another origin, or under a name that is not this machine's, is refused in dev mode."""
    status, problem = await http.call("GET", "/v1/flows", headers=headers)
    assert (status, problem["reason"]) == (403, reason)


async def test_the_callers_token_says_who_asks(http: HttpClient, folder: Path) -> None:
    """A flow is its user's own: a foreign token, a broken one and none get nothing of it."""
    key = dev_key(folder)
    own, foreign = http.acting(token(key, "u-1")), http.acting(token(key, "u-2"))
    _, answer = await own.call("POST", "/v1/ask", {"text": JEONSE})
    flow = f"/v1/flows/{answer['flow_run_id']}"
    assert (await own.call("GET", flow))[0] == 200
    for path in (flow, f"{flow}/events"):
        for stranger in (foreign, http):
            status, problem = await stranger.call("GET", path)
            assert (status, problem["reason"]) == (404, "UNKNOWN_FLOW")
            assert JEONSE not in json.dumps(problem, ensure_ascii=False)
    for broken in ("x", "토큰", f"{token(key, 'u-1')}x"):
        status, problem = await http.call("GET", flow, headers={"authorization": f"Bearer {broken}"})
        assert (status, problem["code"]) == (401, "UNAUTHENTICATED")


async def test_the_document_names_every_path_and_every_schema(http: HttpClient) -> None:
    """The OpenAPI document holds each path of the edge, and every reference in it leads somewhere."""
    _, document = await http.call("GET", "/v1/openapi.json")
    named = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert {(call.method, call.path) for call in CALLS} <= named
    text = json.dumps(document)
    schemas = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert {part.partition('"')[0] for part in text.split('"$ref": "')[1:]} <= schemas
    question = document["components"]["schemas"]["hapju.flow.v1.Question.Given"]
    assert all(field.get("description") for field in question["properties"].values())


@pytest.mark.parametrize(("words", "korean"), [(JEONSE, True), ("What are jeonse deposits in Gangnam-gu?", False)])
async def test_why_is_said_in_the_askers_language(http: HttpClient, words: str, korean: bool) -> None:
    """Each rule of a flow gives its reason in the language of the question, for whoever watches it."""
    heard = await http.listen(Listener(), "POST", "/v1/ask", {"text": words})
    reasons = [told["decision"]["reasoning"] for told in heard.of("decision_made")]
    said = [reason for reason in reasons if reason]
    assert len(said) > 3
    assert [reason for reason in said if bool(re.search("[가-힣]", reason)) is not korean] == []
