"""From settings to a service's `Decider`; the services use this and the decider's own module, nothing else here."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final
from weakref import WeakKeyDictionary

from prompts.prompt import ModelRole
from services.llm.circuits import Circuits
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.llm.model import Model, ModelReply, ModelRequest
from services.llm.prices import Prices
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.runtime.model_settings import LlmSettings
from services.runtime.tenants import tenants_from


class SharedModel:
    """One endpoint's client for all services of a process and event loop; it closes with the last of them."""

    def __init__(self, inner: Model, modes: OutputModes) -> None:
        self._inner = inner
        self._users = 0
        self.modes = modes
        """What the endpoint has been found to take."""
        self.circuits = Circuits(inner.endpoint)
        """Whether it is asked at all."""

    @property
    def endpoint(self) -> str:
        """The inner model's endpoint."""
        return self._inner.endpoint

    @property
    def in_use(self) -> bool:
        """Whether some service still holds it."""
        return self._users > 0

    def hold(self) -> "SharedModel":
        """Count one more user, who will call `aclose` once."""
        self._users += 1
        return self

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
        """Answer as the inner model does."""
        return await self._inner.complete(request, allowed_seconds=allowed_seconds)

    def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
        """Stream as the inner model does."""
        return self._inner.stream(request, allowed_seconds=allowed_seconds)

    async def aclose(self) -> None:
        """Let go; the last user's leave closes the connections."""
        self._users -= 1
        if not self.in_use:
            await self._inner.aclose()


_shared: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[LlmSettings, SharedModel]]] = WeakKeyDictionary()


_in_place: Final[ContextVar[Callable[[str], Model] | None]] = ContextVar("hapju_model_in_place", default=None)


@contextmanager
def models_replaced(model_of: Callable[[str], Model]) -> Iterator[None]:
    """Give services that are built in the body a double in place of the endpoint that their settings name.

    A recorded flow is replayed so: nothing else about a service changes.

    Args:
        model_of: Returns a service's double by the service's name.
    """
    token = _in_place.set(model_of)
    try:
        yield
    finally:
        _in_place.reset(token)


def decider_from(settings: LlmSettings, service: str) -> Decider:
    """Return the decider of a service; close it when the service stops.

    Nothing is imported or connected until a model is asked for the first time.

    Args:
        settings: How models are reached; not configured means that every decision is a RULE.
        service: The catalog name that the decisions bear, such as "router" or "finance.macro".

    Raises:
        RuntimeError: Called outside an event loop.
    """
    in_place = _in_place.get()
    model: SharedModel | None = None
    if settings.configured:
        double = in_place and SharedModel(in_place(service), _modes(settings))
        model = (double or _shared_model(settings)).hold()
    names = {
        ModelRole.ROUTER: settings.model_router,
        ModelRole.UTILITY: settings.model_utility,
        ModelRole.AGENT: settings.model_agent,
        ModelRole.SUPERVISOR: settings.model_supervisor,
    }
    modes = model.modes if model is not None else _modes(settings)
    circuits = model.circuits if model is not None else None
    return Decider(
        service,
        model=model,
        model_names=names,
        modes=modes,
        prices=Prices(settings.prices),
        circuits=circuits,
        tenants=tenants_from(settings.tenants),
    )


@contextmanager
def models_from(provider: Callable[[LlmSettings], Model]) -> Iterator[None]:
    """Let the deciders of the body ask another model in place of the endpoint: a double, where none is to be paid."""
    token = _provide.set(provider)
    try:
        yield
    finally:
        _provide.reset(token)


def _modes(settings: LlmSettings) -> OutputModes:
    return OutputModes(settings.structured_output, is_brief=settings.brief)


def _shared_model(settings: LlmSettings) -> SharedModel:
    models = _shared.setdefault(asyncio.get_running_loop(), {})
    found = models.get(settings)
    if found is None or not found.in_use:
        found = models[settings] = SharedModel(_provide.get()(settings), _modes(settings))
    return found


def _provider(settings: LlmSettings) -> Model:
    timeouts = CallTimeouts(
        connect_seconds=settings.connect_timeout_seconds,
        first_token_seconds=settings.first_token_timeout_seconds,
        idle_seconds=settings.idle_timeout_seconds,
        call_seconds=settings.call_timeout_seconds,
    )
    return OpenAiCompatible(settings.base_url, settings.api_key.get_secret_value(), timeouts)


_provide: Final[ContextVar[Callable[[LlmSettings], Model]]] = ContextVar("hapju_provide", default=_provider)
