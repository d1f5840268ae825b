"""The application: every path of the edge, and what stands around it.

borders     foreign pages are refused                      cors      those that may call are told so
errors      an error becomes application/problem+json      routes    one path, one call
"""

from contextlib import AsyncExitStack

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gateway.http import a2a, openapi
from gateway.http.borders import Borders
from gateway.http.calling import Calling
from gateway.http.completions.serving import COMPLETIONS_PATH, MODELS_PATH, SESSION_HEADER, Completions
from gateway.http.console.serving import console_routes
from gateway.http.mcp import PATH as MCP_PATH
from gateway.http.mcp import McpEndpoint
from gateway.http.problems import (
    FlowEnded,
    internal,
    on_error,
    on_flow_ended,
    on_http_error,
    problem_of,
    response_to,
)
from gateway.http.routes import ASK, UNARY, WATCH
from gateway.http.serving import Serve, Serving
from services.runtime.errors import HapjuError
from services.runtime.interceptors import Identify
from services.runtime.settings import Settings

HEADERS_ALLOWED = (
    *("authorization", "content-type", "last-event-id", "traceparent", "tracestate"),
    *("idempotency-key", SESSION_HEADER),
    *("mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name", "a2a-version"),
)
"""What a page of another origin may send."""


def application(calling: Calling, settings: Settings, identify: Identify, stack: AsyncExitStack) -> Starlette:
    """Return the edge's application.

    Args:
        calling: Makes its calls.
        settings: The process's settings.
        identify: Says who a token is.
        stack: What has to be closed with it.
    """
    serving, completions = Serving(calling, settings), Completions(calling, settings)
    routes: list[BaseRoute] = [
        _route(ASK.method, ASK.path, serving.ask),
        _route(WATCH.method, WATCH.path, serving.watch),
        *(_route(call.method, call.path, serving.unary(call)) for call in UNARY),
        _route("GET", openapi.PATH, _document),
        _route("POST", COMPLETIONS_PATH, completions.complete),
        _route("GET", MODELS_PATH, completions.models),
        _route("GET", f"{MODELS_PATH}/{{model:path}}", completions.models),
    ]
    routes += [_route(method, path, serve) for method, path, serve in a2a.routes(calling, settings, identify)]
    endpoint = McpEndpoint(calling, settings, identify)
    stack.push_async_callback(endpoint.close)
    routes += [*console_routes(settings, identify), Route(MCP_PATH, endpoint)]
    dev = settings.auth_mode == "dev"
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=settings.http_origins,
                allow_methods=("GET", "POST", "DELETE"),
                allow_headers=HEADERS_ALLOWED,
                expose_headers=("retry-after",),
            ),
            Middleware(
                Borders,
                origins=settings.http_origins,
                stalled_seconds_max=settings.http_stalled_seconds_max,
                loopback_only=dev,
            ),
        ],
        exception_handlers={HapjuError: on_error, FlowEnded: on_flow_ended, HTTPException: on_http_error},
    )


def _route(method: str, path: str, serve: Serve) -> Route:
    async def guarded(request: Request) -> Response:
        try:
            return await serve(request)
        except (HapjuError, FlowEnded, HTTPException):
            raise
        except Exception as error:  # noqa: BLE001 - the one place where everything becomes a problem that is told
            return response_to(problem_of(internal(error)))

    return Route(path, guarded, methods=[method])


async def _document(_: Request) -> Response:
    return Response(openapi.document(), media_type="application/json")
