"""What a refused or failed request is answered with: application/problem+json that mirrors the gRPC status."""

import json
from http import HTTPStatus
from math import ceil
from typing import Any, Final

import grpc
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hapju.flow.v1 import flow_event_pb2
from services.runtime.errors import HapjuError, Internal, PayloadTooLarge
from services.runtime.ids import new_error_id

MEDIA_TYPE: Final = "application/problem+json"
"""RFC 9457."""
CLIENT_CLOSED_REQUEST: Final = 499
"""What CANCELLED is told as; no client of this request hears it, one that watches the same flow may."""
STATUSES: Final[dict[str, int]] = {
    "INVALID_ARGUMENT": HTTPStatus.BAD_REQUEST,
    "OUT_OF_RANGE": HTTPStatus.BAD_REQUEST,
    "UNAUTHENTICATED": HTTPStatus.UNAUTHORIZED,
    "PERMISSION_DENIED": HTTPStatus.FORBIDDEN,
    "NOT_FOUND": HTTPStatus.NOT_FOUND,
    "ALREADY_EXISTS": HTTPStatus.CONFLICT,
    "ABORTED": HTTPStatus.CONFLICT,
    "FAILED_PRECONDITION": HTTPStatus.CONFLICT,
    "RESOURCE_EXHAUSTED": HTTPStatus.TOO_MANY_REQUESTS,
    "CANCELLED": CLIENT_CLOSED_REQUEST,
    "INTERNAL": HTTPStatus.INTERNAL_SERVER_ERROR,
    "UNIMPLEMENTED": HTTPStatus.NOT_IMPLEMENTED,
    "UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
    "DEADLINE_EXCEEDED": HTTPStatus.GATEWAY_TIMEOUT,
}
"""The HTTP status of each google.rpc.Code; one that is not named is a fault of ours."""
_TITLES: Final = {CLIENT_CLOSED_REQUEST: "Client Closed Request"}

_log = structlog.get_logger(__name__)


class FlowEnded(Exception):
    """A flow ended without an answer, and the request asked for nothing but the answer."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem["detail"])
        self.problem = problem


def status_of(error: HapjuError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, PayloadTooLarge):
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return STATUSES.get(error.code.name, HTTPStatus.INTERNAL_SERVER_ERROR)


def problem_of(error: HapjuError) -> dict[str, Any]:
    """Return an error's object: what google.rpc.Status, ErrorInfo and BadRequest say of it."""
    status = status_of(error)
    return {
        "type": "about:blank",
        "title": title_of(status),
        "status": status,
        "detail": error.message,
        "code": error.code.name,
        "reason": error.reason,
        "violations": [{"field": item.field, "description": item.description} for item in error.violations],
        "metadata": error.metadata,
    }


def problem_of_end(event: flow_event_pb2.FlowEvent, flow_run_id: str) -> FlowEnded:
    """Return what is told of a flow that failed or was cancelled, where its answer was asked for."""
    metadata = {"flow_run_id": flow_run_id}
    if event.WhichOneof("event") == "failed":
        failed = event.failed
        code, reason, detail = failed.code, failed.reason, failed.message
        if failed.error_id:
            metadata["error_id"] = failed.error_id
    else:
        code, reason, detail = "CANCELLED", event.cancelled.reason, "the flow was cancelled"
    status = STATUSES.get(code, HTTPStatus.INTERNAL_SERVER_ERROR)
    return FlowEnded(
        {
            "type": "about:blank",
            "title": title_of(status),
            "status": status,
            "detail": detail,
            "code": code,
            "reason": reason,
            "violations": [],
            "metadata": metadata,
        }
    )


def response_to(problem: dict[str, Any]) -> Response:
    """Return the response that tells a problem."""
    headers = {"www-authenticate": "Bearer"} if problem["status"] == HTTPStatus.UNAUTHORIZED else None
    content = json.dumps(problem, ensure_ascii=False).encode()
    return Response(content, problem["status"], headers, MEDIA_TYPE)


def title_of(status: int) -> str:
    """Return the phrase of an HTTP status."""
    return _TITLES.get(status) or HTTPStatus(status).phrase


async def on_error(_: Request, error: Exception) -> Response:
    """Answer a request that failed with an error of ours."""
    assert isinstance(error, HapjuError)  # noqa: S101 - it is registered for this kind
    response = response_to(problem_of(error))
    if error.retry_seconds:
        response.headers["retry-after"] = str(ceil(error.retry_seconds))
    return response


async def on_flow_ended(_: Request, error: Exception) -> Response:
    """Answer a request whose flow ended without an answer."""
    assert isinstance(error, FlowEnded)  # noqa: S101 - as above
    return response_to(error.problem)


async def on_http_error(_: Request, error: Exception) -> Response:
    """Answer a request that leads nowhere: no such path, or not by this method."""
    assert isinstance(error, HTTPException)  # noqa: S101 - as above
    code = grpc.StatusCode.NOT_FOUND if error.status_code == HTTPStatus.NOT_FOUND else grpc.StatusCode.UNIMPLEMENTED
    response = response_to(
        {
            "type": "about:blank",
            "title": title_of(error.status_code),
            "status": error.status_code,
            "detail": "the path or its method is not known here; /v1/openapi.json lists them",
            "code": code.name,
            "reason": HTTPStatus(error.status_code).name,
            "violations": [],
            "metadata": {},
        }
    )
    response.headers.update(error.headers or {})
    return response


def internal(error: BaseException) -> Internal:
    """Return what leaves in place of an exception that nobody expected; the log tells what it was."""
    error_id = new_error_id()
    _log.error("unhandled exception", edge="http", error_id=error_id, exc_info=error)
    return Internal.with_id(error_id)
