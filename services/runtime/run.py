"""The run context of the call that is being served; set by each servicer's run, read by decisions and logs."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from observability.spans import bind_flow
from services.contract.flow import RunContext

_current: ContextVar[RunContext] = ContextVar("hapju_run")


def current() -> RunContext:
    """Return the run context of the flow that this task works for.

    Raises:
        LookupError: Outside any flow.
    """
    return _current.get()


def because(ko: str, en: str) -> str:
    """Return why a rule decides as it does, in the flow's language; English outside any flow."""
    context = _current.get(None)
    return ko if context is not None and context.locale.lower().startswith("ko") else en


@contextmanager
def use(context: RunContext) -> Iterator[RunContext]:
    """Make `context` the current one, and its flow_run_id that of every span, log line and outgoing call."""
    token = _current.set(context)
    try:
        with bind_flow(context.flow_run_id):
            yield context
    finally:
        _current.reset(token)
