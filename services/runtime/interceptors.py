"""What stands around every handler.

The order, outermost first:

    refusal      a call for which the service has no room ends here: counted, and nothing else is begun for it
    telemetry    the server span, the RPC's duration, the service's own logs
    registry     the running handlers, which a stop waits for
    errors       an exception leaves as one of our statuses; nothing else leaves
    admission    more calls than the service takes are refused; ends, states and health get through
    deadline     a call without one is refused; what is left is set for further calls
    identity     who is behind the call
    ledger       what the call decides and spends

A handler raises errors of the tree and knows none of this.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Self, TypeAlias, cast

import grpc
import structlog
from google.protobuf.message import DecodeError
from grpc.aio import AbortError

from observability import attributes as names
from observability.propagation import FLOW_RUN_ID_SHAPE, flow_of
from observability.spans import SpanKind, bind_flow, current_flow_run_id, extract, span, use
from observability.telemetry import Telemetry
from services.contract.flow import Usage
from services.contract.mapping import ContractViolation
from services.runtime import deadlines, ledger
from services.runtime.auditing import DOOR, NOBODY, DoorCall, audited, note, refused
from services.runtime.call_policy import CALL_POLICY, CallPolicy, Retry, is_infrastructure
from services.runtime.errors import (
    DETAILS_KEY,
    DeadlineRequired,
    Draining,
    HapjuError,
    Internal,
    InvalidRequest,
    Overloaded,
    rebuilt,
    sent_status,
    violation_error,
)
from services.runtime.fields import null_in
from services.runtime.identity import CALLER_KEY, Caller, acting_for
from services.runtime.ids import new_error_id

Metadata = tuple[tuple[str, str | bytes], ...]
Identify = Callable[[Metadata], Caller]
"""Returns who is behind a call, from its metadata; raises Unauthenticated."""
Refuse = Callable[[Any, Caller], HapjuError | None]
"""Returns why a request of a caller is not taken, None where it is."""
Handler = Callable[[Any, Any], Any]
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

INTERRUPTED_FLOWS_MAX = 1_024
"""Flows of which it is remembered what their cut calls had spent; the oldest is forgotten first."""

_CLEANED = ("text", "answer")
"""What a person says comes as it was typed; the gateway takes out what no person means."""
_log = structlog.get_logger(__name__)
_UNKNOWN = CallPolicy(None, Retry.NEVER)
_DO_NOT_RETRY = ("grpc-retry-pushback-ms", "-1")
"""Trailing metadata by which a caller's channel leaves a call that another hop had already repeated."""


class Guard(grpc.aio.ServerInterceptor):
    """Stands around every handler of one service.

    Args:
        telemetry: The service's own.
        identify: How this service learns who calls.
        rpcs_max: How many handlers run at once.
        refusing: Says by method what is turned away before anything is begun for it; looked at for each call.
    """

    def __init__(
        self, telemetry: Telemetry, identify: Identify, rpcs_max: int, refusing: Mapping[str, Refuse] | None = None
    ) -> None:
        self._telemetry = telemetry
        self._identify = identify
        self._rpcs_max = rpcs_max
        self._refusing = {} if refusing is None else refusing
        self._running: dict[asyncio.Task[Any], str] = {}
        self._interrupted: dict[str, Usage] = {}
        self._wrapped: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        self._draining = False

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return the handler with everything around it; made once for each method."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            if is_infrastructure(method):
                return self._quiet(handler)
            wrapped = self._wrap(method, handler)
            self._wrapped[method] = wrapped
        return wrapped

    def drain(self) -> None:
        """Refuse further calls, except those that end or tell of flows."""
        self._draining = True

    async def settled(self, seconds_max: float) -> bool:
        """Wait until every running handler has ended, its `finally` included; return False when it gave up.

        `grpc.aio.Server.stop` returns before a handler's clean-up after an abort, so the handlers are awaited here.
        """
        if not self._running:
            return True
        _, pending = await asyncio.wait(tuple(self._running), timeout=seconds_max)
        return not pending

    async def let_go(self, flow_run_id: str, seconds_max: float) -> int:
        """Wait until no handler works for a flow, the caller's own left out; return how many still do."""
        own = asyncio.current_task()
        works = {task for task, flow in self._running.items() if flow == flow_run_id and task is not own}
        if not works:
            return 0
        _, pending = await asyncio.wait(works, timeout=seconds_max)
        return len(pending)

    def interrupted(self, flow_run_id: str) -> Usage:
        """Return what calls of a flow had spent that were cut before they could say so, and forget it."""
        return self._interrupted.pop(flow_run_id, Usage())

    @property
    def running(self) -> int:
        """How many handlers run now."""
        return len(self._running)

    def around(self, method: str, handler: grpc.RpcMethodHandler[Any, Any]) -> grpc.RpcMethodHandler[Any, Any]:
        """Return a handler with everything around it, for calls that come over no wire."""
        return self._wrap(method, handler)

    def _wrap(self, method: str, handler: grpc.RpcMethodHandler[Any, Any]) -> grpc.RpcMethodHandler[Any, Any]:
        serializers = (_decoder(method, handler.request_deserializer), handler.response_serializer)
        if handler.unary_stream is not None:
            inner = cast("Handler", handler.unary_stream)
            return grpc.unary_stream_rpc_method_handler(cast("Any", self._stream(method, inner)), *serializers)
        inner = cast("Handler", handler.unary_unary)
        return grpc.unary_unary_rpc_method_handler(cast("Any", self._unary(method, inner)), *serializers)

    def _quiet(self, handler: grpc.RpcMethodHandler[Any, Any]) -> grpc.RpcMethodHandler[Any, Any]:
        """Let a stream of grpc's own, a health watch, end in silence when a stop cancels it."""
        inner = cast("Handler", handler.unary_stream)
        if inner is None:
            return handler

        async def watch(request: object, context: Context) -> None:
            try:
                await inner(request, context)
            except asyncio.CancelledError:
                if not self._draining:
                    raise

        serializers = (handler.request_deserializer, handler.response_serializer)
        return grpc.unary_stream_rpc_method_handler(cast("Any", watch), *serializers)

    def _unary(self, method: str, inner: Handler) -> Handler:
        async def serve(request: object, context: Context) -> object:
            await self._taken(method, request, context)
            async with self._around(method, context):
                with _of_flow(request):
                    return await inner(_decoded(request), context)

        return serve

    def _stream(self, method: str, inner: Handler) -> Handler:
        # A coroutine that writes, not a generator: a cancelled generator is closed later and in another context.
        async def serve(request: object, context: Context) -> None:
            await self._taken(method, request, context)
            async with self._around(method, context):
                with _of_flow(request):
                    async with aclosing(inner(_decoded(request), context)) as messages:
                        async for message in messages:
                            await context.write(message)

        return serve

    async def _taken(self, method: str, request: object, context: Context) -> None:
        """Refuse a call for which there is no room; under a flood, what stands around the others costs more than this.

        Raises:
            AbortError: It was refused.
        """
        refuse = self._refusing.get(method)
        if refuse is None or self._draining or isinstance(request, _Undecodable) or context.time_remaining() is None:
            return
        begin, caller = perf_counter(), NOBODY
        refusal: Exception | None
        try:
            caller = self._identify(cast("Metadata", context.invocation_metadata() or ()))
            refusal = refuse(request, caller)
        except Exception as error:  # noqa: BLE001 - becomes a status as everything does
            refusal = error
        if refusal is None:
            return
        with use(self._telemetry):
            known, seconds = _known(refusal, method), perf_counter() - begin
            self._telemetry.instruments.rpc_served(method, known.code.name, seconds)
            refused(method, caller, known.code.name, known.reason, seconds)
        await context.abort(known.code, known.message, _trailing(known))

    @asynccontextmanager
    async def _around(self, method: str, context: Context) -> AsyncIterator[None]:
        metadata = cast("Metadata", context.invocation_metadata() or ())
        attributes = {names.RPC_SYSTEM_NAME: names.RPC_SYSTEM_GRPC, names.RPC_METHOD: method.removeprefix("/")}
        parent = extract(metadata)
        flow_run_id = flow_of(parent)
        with (
            use(self._telemetry),
            audited(method) as asked,
            _Watch(self._telemetry, method) as watch,
            span(method, kind=SpanKind.SERVER, attributes=attributes, parent=parent),
            self._registered(flow_run_id),
        ):
            try:
                with self._admitted(context, metadata, method, asked), ledger.opened() as book:
                    try:
                        yield
                    except BaseException as error:
                        if isinstance(error, asyncio.CancelledError):
                            self._note_interrupted(flow_run_id, book.usage)
                        raise _attach(error, book) from error
            except BaseException as error:  # noqa: BLE001 - the one place where everything becomes a status
                raise await _leave(context, method, error, watch, asked) from None

    def _note_interrupted(self, flow_run_id: str, usage: Usage) -> None:
        """Remember what a cut call had spent: whoever cut it hears no response any more, but may ask."""
        if not flow_run_id or usage == Usage():
            return
        if len(self._interrupted) >= INTERRUPTED_FLOWS_MAX:
            del self._interrupted[next(iter(self._interrupted))]
        self._interrupted[flow_run_id] = self._interrupted.get(flow_run_id, Usage()) + usage

    @contextmanager
    def _registered(self, flow_run_id: str) -> Iterator[None]:
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._running[task] = flow_run_id
        try:
            yield
        finally:
            del self._running[task]

    def _admitted(self, context: Context, metadata: Metadata, method: str, asked: DoorCall) -> ExitStack:
        policy = CALL_POLICY.get(method, _UNKNOWN)
        if not policy.critical:
            if self._draining:
                raise Draining("the service is about to stop")
            if len(self._running) > self._rpcs_max:
                raise Overloaded(
                    f"the service runs {self._rpcs_max} calls, as many as it takes",
                    metadata={"limit": "HAPJU_RPCS_MAX", "value": str(self._rpcs_max)},
                )
        left = context.time_remaining()
        if left is None and policy.deadline_required:
            raise DeadlineRequired("the call has no deadline; set one")
        caller = asked.caller = self._identify(metadata)
        stack = ExitStack()
        if left is not None:
            stack.enter_context(deadlines.within(left))
        stack.enter_context(acting_for(caller))
        return stack


@contextmanager
def _of_flow(request: object) -> Iterator[None]:
    """Bind the flow that a request names, where its caller's trace has not brought one."""
    named = getattr(request, "flow_run_id", "")
    if not isinstance(named, str) or not FLOW_RUN_ID_SHAPE.fullmatch(named):
        yield
        return
    note(flow_run_id=named)
    if current_flow_run_id():
        yield
    else:
        with bind_flow(named):
            yield


@dataclass(frozen=True, slots=True)
class _Undecodable:
    """Stands for a request that no handler sees, so that its refusal is one of ours."""

    field: str
    problem: str


def _decoder(method: str, decode: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    cleans = method.startswith(DOOR)

    def decoded(data: bytes) -> Any:
        try:
            message = cast("Callable[[bytes], Any]", decode)(data)
        except DecodeError:
            return _Undecodable("request", "is no message of this call; texts must be valid UTF-8")
        # A message without a zero byte, as most are, holds no null character either.
        if b"\0" in data and (field := null_in(message)) and not (cleans and field.endswith(_CLEANED)):
            return _Undecodable(field, "holds a null character")
        return message

    return decoded


def _decoded(request: object) -> object:
    if isinstance(request, _Undecodable):
        raise InvalidRequest.of(request.field, request.problem)
    return request


class _Watch:
    """Measures one call and tells the metrics how it ended."""

    def __init__(self, telemetry: Telemetry, method: str) -> None:
        self._telemetry = telemetry
        self._method = method
        self._begin = perf_counter()
        self.status = grpc.StatusCode.OK

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._telemetry.instruments.rpc_served(self._method, self.status.name, perf_counter() - self._begin)


def identify_by(verify: Callable[[str], Caller]) -> Identify:
    """Return how a service behind the gateway learns who calls: by the assertion alone."""

    def identify(metadata: Metadata) -> Caller:
        token = next((value for key, value in metadata if key == CALLER_KEY), "")
        return verify(token if isinstance(token, str) else "")

    return identify


def _attach(error: BaseException, book: ledger.Ledger) -> BaseException:
    """Give an error of ours what its call had spent."""
    if isinstance(error, HapjuError):
        spent = book.spent()
        own = error.spent
        error.spent = type(spent)((*spent.decisions, *own.decisions), spent.usage + own.usage)
    return error


async def _leave(
    context: Context,
    method: str,
    error: BaseException,
    watch: _Watch,
    asked: DoorCall,
) -> BaseException:
    """Turn whatever a handler raised into a status, and return what is to be raised further.

    A CancelledError that is not this call's own comes from an inner task. grpc.aio would send no status for it and
    leave the caller waiting, so it counts as an unhandled exception.
    """
    if isinstance(error, AbortError | GeneratorExit):
        return error
    task = asyncio.current_task()
    if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
        watch.status = grpc.StatusCode.CANCELLED
        asked.ended(watch.status.name)
        return error
    known = _known(error, method)
    watch.status = known.code
    asked.ended(watch.status.name, known.reason)
    try:
        await context.abort(known.code, known.message, _trailing(known))
    except AbortError as aborted:
        return aborted
    return error


def _trailing(error: HapjuError) -> Metadata:
    """Return what stands beside the status in which an error leaves."""
    details: tuple[str, bytes] = (DETAILS_KEY, sent_status(error))
    return (details, _DO_NOT_RETRY) if error.upstream else (details,)


def _known(error: BaseException, method: str) -> HapjuError:
    if isinstance(error, HapjuError):
        return error
    if isinstance(error, grpc.aio.AioRpcError):
        return rebuilt(error)
    if isinstance(error, ContractViolation):
        return violation_error(error)
    error_id = new_error_id()
    _log.error("unhandled exception", rpc=method, error_id=error_id, exc_info=error)
    return Internal.with_id(error_id)
