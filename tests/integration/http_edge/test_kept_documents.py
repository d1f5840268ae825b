"""A draft that a person approves can be had as a Word file; one that is rejected, or stands open, is none."""

import asyncio
import io
import sys
from pathlib import Path
from typing import Any

import docx
import pytest

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.environment import process_environment
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster
from tests.support.http_client import HttpClient
from tests.support.tokens import token

pytestmark = pytest.mark.asyncio(loop_scope="session")

DRAFT = "마포구 서교동 아파트 전세 계약서 초안 써줘. 보증금 3억, 임대인 가나다, 임차인 라마바, 2027년 1월 10일부터 2년"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture(scope="module")
def person(http: HttpClient, folder: Path) -> HttpClient:
    """Who drafts."""
    return http.acting(token(dev_key(folder), "u-1"))


async def _said(person: HttpClient, *texts: str) -> list[dict[str, Any]]:
    """Returns the answers of one conversation."""
    answers: list[dict[str, Any]] = []
    session = ""
    for text in texts:
        status, answer = await person.call("POST", "/v1/ask", {"text": text, "session_id": session})
        assert status == 200, answer
        _, record = await person.call("GET", f"/v1/flows/{answer['flow_run_id']}")
        session = record["summary"]["session_id"]
        answers.append(answer)
    return answers


def _lines(content: bytes) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs]


async def test_what_is_approved_is_had_as_a_file(
    person: HttpClient, cluster: Cluster, folder: Path, tmp_path: Path
) -> None:
    """Over HTTP, gRPC and at a terminal the file holds the sums and names that the person gave, and no word more."""
    drafted, approved = await _said(person, DRAFT, "승인")
    assert not drafted["documents"]
    assert "docx" in approved["final_response"]
    (held,) = approved["documents"]
    status, media_type, disposition, content = await person.file(
        f"/v1/flows/{approved['flow_run_id']}/documents/{held['document_id']}"
    )
    assert (status, media_type) == (200, WORD)
    assert disposition.startswith("attachment; ")
    assert _lines(content) == [held["title"], *held["paragraphs"]]
    assert any("3억원" in line for line in held["paragraphs"])
    assert any("가나다" in line for line in held["paragraphs"])
    request = pb.GetDocumentRequest(flow_run_id=approved["flow_run_id"], document_id=held["document_id"])
    metadata = (("authorization", f"Bearer {token(dev_key(folder), 'u-1')}"),)
    over_grpc = await cluster.stub.GetDocument(request, timeout=10, metadata=metadata)
    assert _lines(over_grpc.content) == _lines(content)
    assert over_grpc.file_name == f"{held['title']}.docx"
    file = tmp_path / "kept.docx"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "flows", "document", approved["flow_run_id"], "-o", str(file)),
        *("--user", "u-1"),
        env=process_environment(HAPJU_GATEWAY=cluster.gateway, HAPJU_DATA_DIR=str(folder)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, err = await process.communicate()
    assert (process.returncode, str(file) in err.decode()) == (0, True), err.decode()
    assert _lines(file.read_bytes()) == _lines(content)


async def test_a_file_that_is_asked_for_before_the_approval_comes_with_it(person: HttpClient) -> None:
    """An open draft has no file, which is said; after the approval it has one, on asking too."""
    _, asked, approved, again = await _said(person, DRAFT, "워드 파일로 줘", "승인할게", "워드 파일로 줘")
    assert "승인" in asked["final_response"]
    assert not asked["documents"]
    assert [len(one["documents"]) for one in (approved, again)] == [1, 1]


async def test_what_is_rejected_is_no_file(person: HttpClient) -> None:
    """Nor is there one to be had of it afterwards."""
    answers = await _said(person, DRAFT, "반려", "워드 파일로 줘")
    assert not any(one["documents"] for one in answers)


async def test_nobody_else_has_it(person: HttpClient, http: HttpClient, folder: Path) -> None:
    """To another person the flow is as if it were not; a document that is none is not found by its owner either."""
    _, approved = await _said(person, DRAFT, "승인")
    flow = f"/v1/flows/{approved['flow_run_id']}/documents"
    held = approved["documents"][0]["document_id"]
    for stranger in (http, http.acting(token(dev_key(folder), "u-2"))):
        status, problem = await stranger.call("GET", f"{flow}/{held}")
        assert (status, problem["reason"]) == (404, "UNKNOWN_FLOW")
    status, problem = await person.call("GET", f"{flow}/doc-0")
    assert (status, problem["reason"]) == (404, "UNKNOWN_DOCUMENT")
    assert problem["detail"].startswith("document_id")
