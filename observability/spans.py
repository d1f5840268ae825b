"""Spans of the current service, and how a trace and its flow_run_id travel from one service to the next.

    with use(telemetry):                                     once per service, by serve()
        with span(method, kind=SERVER, parent=extract(metadata)):
            with bind_flow(flow_run_id):                     from here on, every span and log line bears it
                with span(SPAN_DECIDE, attributes={...}):
                    inject(metadata)                         to the next service

A span that ends with an exception bears its class and its reason, never its text: that may hold a user's
words.
"""

import asyncio
import enum
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar, cast

from opentelemetry import baggage, trace
from opentelemetry.context import Context, attach, get_current
from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode
from opentelemetry.util.types import AttributeValue

from observability import attributes as names
from observability.propagation import (
    FLOW_RUN_ID_SHAPE,
    current_flow_run_id,
    current_ids,
    current_traceparent,
    extract,
    flow_of,
    inject,
    span_context,
)
from observability.redaction import keep, messages
from observability.telemetry import current, use

__all__ = [
    "AttributeValue",
    "SpanKind",
    "add_event",
    "bind_flow",
    "current_flow_run_id",
    "current_ids",
    "current_traceparent",
    "extract",
    "inject",
    "set_attributes",
    "set_messages",
    "span",
    "spanned",
    "tracer",
    "use",
]

Item = TypeVar("Item")

_here: ContextVar[None] = ContextVar("hapju_here")


def tracer() -> trace.Tracer:
    """Return the tracer of the current service."""
    return current().tracer


@contextmanager
def span(
    name: str,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    attributes: Mapping[str, AttributeValue] | None = None,
    parent: Context | None = None,
    links: Sequence[str] = (),
) -> Iterator[Span]:
    """Run its body, awaits included, in a span; not around a ``yield``, for which there is ``spanned``.

    Args:
        name: A span name of the registry, or an RPC's full method.
        kind: SERVER and CLIENT for the two ends of an RPC.
        attributes: Registered names; values are masked, and content is left out unless it is captured.
        parent: What ``extract`` returned, when the parent is in another service; the current span by default.
        links: Traceparents of spans that led to this one without being its parent, for example before a
            resume.
    """
    started = _start(name, kind, attributes, parent, links)
    try:
        with _attached(trace.set_span_in_context(started, parent)):
            yield started
    except BaseException as error:
        _settle(started, error)
        raise
    finally:
        started.end()


async def spanned(
    source: AsyncIterator[Item],
    name: str,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    attributes: Mapping[str, AttributeValue] | None = None,
    parent: Context | None = None,
) -> AsyncGenerator[Item]:
    """Pass the items of ``source`` on in a span that is current only while ``source`` works.

    A plain ``with span(...)`` around a ``yield`` would leak the span into the consumer between two items.
    Arguments are those of ``span``. ``source`` is closed when this iterator ends, however it ends.
    """
    started = _start(name, kind, attributes, parent, ())
    steps = _Steps(source, trace.set_span_in_context(started, parent))
    messages = 0
    try:
        while not isinstance(item := await steps.next(), _End):
            messages += 1
            yield item
    except BaseException as error:
        _settle(started, error)
        raise
    finally:
        try:
            await steps.close()
        finally:
            started.set_attribute(names.STREAM_MESSAGES, messages)
            started.end()


def set_attributes(attributes: Mapping[str, AttributeValue]) -> None:
    """Set attributes on the current span, masked and with content left out as in ``span``."""
    _set(trace.get_current_span(), attributes)


def set_messages(name: str, said: Callable[[], Sequence[tuple[str, str]]]) -> None:
    """Set what was said, by role and text, on the current span where content is captured; else nothing is put together.

    Args:
        name: One of the two message names of the conventions.
        said: Returns each message's role and text.
    """
    here = trace.get_current_span()
    if current().settings.content_captured and here.is_recording():
        _set(here, {name: messages(said())})


def add_event(name: str, attributes: Mapping[str, AttributeValue]) -> None:
    """Add an event of the registry to the current span, its attributes masked and without content as in ``span``."""
    here = trace.get_current_span()
    if here.is_recording():
        here.add_event(name, _kept(attributes))


@contextmanager
def bind_flow(flow_run_id: str) -> Iterator[None]:
    """Put the flow's id into the baggage: into each span, log line and outgoing call of the body.

    Raises:
        ValueError: ``flow_run_id`` is no UUID.
    """
    if not FLOW_RUN_ID_SHAPE.fullmatch(flow_run_id):
        raise ValueError(f"flow_run_id must be a UUID, not {flow_run_id!r}")
    with _attached(baggage.set_baggage(names.FLOW_RUN_ID, flow_run_id)):
        set_attributes({names.FLOW_RUN_ID: flow_run_id})
        yield


def _start(
    name: str,
    kind: SpanKind,
    attributes: Mapping[str, AttributeValue] | None,
    parent: Context | None,
    links: Sequence[str],
) -> Span:
    linked = [Link(context) for context in map(span_context, links) if context is not None]
    started = current().tracer.start_span(
        name,
        context=parent,
        kind=kind,
        links=linked,
        record_exception=False,
        set_status_on_exception=False,
    )
    if started.is_recording():
        flow_run_id = flow_of(parent)
        if flow_run_id:
            started.set_attribute(names.FLOW_RUN_ID, flow_run_id)
        if attributes:
            _set(started, attributes)
    return started


def _set(target: Span, attributes: Mapping[str, AttributeValue]) -> None:
    if not target.is_recording():
        return
    target.set_attributes(_kept(attributes))


def _kept(attributes: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    captured = current().settings.content_captured
    kept = {name: keep(name, value, content_captured=captured) for name, value in attributes.items()}
    return {name: cast("AttributeValue", value) for name, value in kept.items() if value is not None}


def _settle(target: Span, error: BaseException) -> None:
    """Mark a span whose body raised: being cancelled is no error, and an error's text stays out."""
    if not target.is_recording():
        return
    if isinstance(error, asyncio.CancelledError | GeneratorExit):
        target.set_attribute(names.CANCELLED, value=True)
        return
    error_type = type(error).__qualname__
    reason = getattr(error, "reason", None)
    described = str(getattr(reason, "value", reason)) if isinstance(reason, str | enum.Enum) else ""
    target.set_attribute(names.ERROR_TYPE, error_type)
    if described:
        target.set_attribute(names.ERROR_REASON, described)
    error_id = getattr(error, "error_id", None)
    if isinstance(error_id, str) and error_id:
        target.set_attribute(names.ERROR_ID, error_id)
    target.set_status(Status(StatusCode.ERROR, described or error_type))


class _End:
    """Stands for the item after the last one."""


class _Steps(Generic[Item]):
    """A stream's source with its context: current while the source works, and kept from one item to the next."""

    def __init__(self, source: AsyncIterator[Item], context: Context) -> None:
        self._source = source
        self._context = context

    async def next(self) -> Item | _End:
        with _attached(self._context):
            try:
                return await anext(self._source, _End())
            finally:
                # What the source has attached, a flow or a span around its yields, is there again at its next step.
                self._context = get_current()

    async def close(self) -> None:
        close = getattr(self._source, "aclose", None)
        if close is not None:
            with _attached(self._context):
                await close()


@contextmanager
def _attached(context: Context) -> Iterator[None]:
    """Make ``context`` current in the body.

    A generator may be closed from another task. The former context is put back only where it was taken away,
    which a context variable's own token tells; in the other task there is nothing to put back.
    """
    former = get_current()
    here = _here.set(None)
    attach(context)
    try:
        yield
    finally:
        try:
            _here.reset(here)
        except ValueError:
            pass
        else:
            attach(former)
