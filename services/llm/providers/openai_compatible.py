"""Any endpoint that speaks OpenAI's chat completions, through the openai SDK.

One client per process and event loop. The SDK's own retries are off: they wait beyond the caller's time. A request that
meets a limit (429) or a fault of the server (5xx) is made once more, after the time that the endpoint asks for and only
within the call's. Timeouts: `connect` to reach the endpoint, `first_token` to its first word, `idle` between two words,
`call` for all of it, and the request's own deadline before any of them.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Final, TypeVar

from services.llm.model import (
    FailureReason,
    FormatRefused,
    ModelFailure,
    ModelReply,
    ModelRequest,
    OutputMode,
)
from services.llm.piling import Pile
from services.llm.providers import sdk
from services.llm.providers.dialect import Dialect, Lesson, may_refuse_format, refuses_format
from services.llm.providers.moving_limit import NEVER, moving_limit
from services.llm.providers.reading import StreamProgress, reply_of

Answered = TypeVar("Answered")
_Ask = Callable[["sdk.Client", dict[str, Any]], Awaitable[Answered]]

_REFUSED_STATUSES: Final = (400, 405, 415, 422, 501)
_BROKEN_STATUS: Final = 500
_LIMITED_STATUS: Final = 429
_PAUSE_SECONDS: Final = 0.2
"""How long is waited before a request is made once more, where the endpoint does not say."""
_RETRIED_SECONDS_MIN: Final = 0.5
"""With less time than this left after the pause a request is not made once more."""


@dataclass(frozen=True, slots=True)
class CallTimeouts:
    """How long each part of a call may take."""

    connect_seconds: float
    """Until the connection stands."""
    first_token_seconds: float
    """From the request to the first word of a stream."""
    idle_seconds: float
    """Between two words of a stream."""
    call_seconds: float
    """From the request to the end of the answer."""


class OpenAiCompatible:
    """A `Model` behind a base URL; made at once, connected and the SDK imported with the first call."""

    def __init__(self, base_url: str, api_key: str, timeouts: CallTimeouts) -> None:
        """Take an empty `base_url` as the vendor's own, and an empty `api_key` for endpoints that ask for none."""
        self._base_url = base_url
        self._api_key = api_key
        self._timeouts = timeouts
        self._dialect = Dialect()
        self._opening: asyncio.Task[sdk.Client] | None = None

    @property
    def endpoint(self) -> str:
        """The base URL, or the vendor's name where none is set; the key is no part of it."""
        return self._base_url or "openai"

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
        """Answer in one piece; see `Model.complete`."""
        client = await self._ready(allowed_seconds)
        try:
            until = asyncio.get_running_loop().time() + min(self._timeouts.call_seconds, allowed_seconds)
            async with asyncio.timeout_at(until):
                completion = await self._create(sdk.completed, client, request, _arguments(request), until)
        except TimeoutError as error:
            raise ModelFailure(FailureReason.TIMED_OUT, "no answer within the call's time") from error
        return reply_of(completion)

    async def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
        """Yield text as it comes, then the reply; see `Model.stream`."""
        client = await self._ready(allowed_seconds)
        now = asyncio.get_running_loop().time()
        end_at = now + min(self._timeouts.call_seconds, allowed_seconds)
        first_at = min(end_at, now + self._timeouts.first_token_seconds)
        progress = StreamProgress()
        async with self._opened(client, request, first_at) as stream:
            chunks = aiter(stream)
            # Nobody can be behind yet: the first text is read by the task that hands it on.
            if first := await self._first(chunks, progress, first_at, end_at):
                yield first
            # What the SDK holds already goes on in one piece: what comes behind costs by the piece, not by the token.
            writer = partial(self._write, chunks, progress, end_at)
            async with Pile(writer) as pile, aclosing(pile.text()) as texts:
                async for text in texts:
                    yield text
        yield progress.reply(is_done=stream.is_done)

    async def _first(
        self, chunks: AsyncIterator[object], progress: StreamProgress, first_at: float, end_at: float
    ) -> str:
        """Return the first text; empty where the stream ends without any."""
        with _broken(progress):
            async with moving_limit(first_at) as limit:
                async for chunk in chunks:
                    if text := progress.read(chunk):
                        return text
                    limit.move(self._idle_at(end_at))
        return ""

    async def _write(self, chunks: AsyncIterator[object], progress: StreamProgress, end_at: float, pile: Pile) -> None:
        """Put each further text as the SDK gives it; only what the model takes counts against its time."""
        clock, idle_seconds = asyncio.get_running_loop().time, self._timeouts.idle_seconds
        with _broken(progress):
            async with moving_limit(self._idle_at(end_at)) as limit:
                async for chunk in chunks:
                    text = progress.read(chunk)
                    if text and pile.put(text):
                        limit.move(NEVER)
                        await pile.give_way()
                    limit.move(min(end_at, clock() + idle_seconds))

    def _idle_at(self, end_at: float) -> float:
        """Return until when the next chunk has to come."""
        return min(end_at, asyncio.get_running_loop().time() + self._timeouts.idle_seconds)

    async def aclose(self) -> None:
        """Close the client's connections."""
        if self._opening is not None:
            opening, self._opening = self._opening, None
            await (await opening).close()

    @asynccontextmanager
    async def _opened(self, client: "sdk.Client", request: ModelRequest, deadline: float) -> AsyncIterator[sdk.Chunks]:
        """Open the stream; leaving closes its connection at once, however it is left."""
        arguments = {**_arguments(request), "stream_options": {"include_usage": True}}
        try:
            async with asyncio.timeout_at(deadline):
                stream = await self._create(sdk.streamed, client, request, arguments, deadline)
        except TimeoutError as error:
            raise ModelFailure(FailureReason.TIMED_OUT, "no first word in time") from error
        try:
            yield stream
        finally:
            await stream.close()

    async def _create(
        self,
        ask: "_Ask[Answered]",
        client: "sdk.Client",
        request: ModelRequest,
        arguments: dict[str, Any],
        until: float,
    ) -> Answered:
        """Send the request, and again without what the endpoint says that it does not take."""
        for _ in range(len(Lesson)):
            try:
                return await _send_once_more(ask, client, self._dialect.spoken(request.model, arguments), until)
            except _Refused as refused:
                asks_format = request.mode is not OutputMode.TEXT
                if asks_format and refuses_format(refused.detail):
                    raise FormatRefused(refused.detail, reason=refused.reason) from refused
                if refused.reason is not FailureReason.REQUEST_REFUSED:
                    raise
                if self._dialect.learn(request.model, refused.detail):
                    continue
                if asks_format and may_refuse_format(refused.detail):
                    raise FormatRefused(refused.detail, is_certain=False) from refused
                raise
        return await _send(ask, client, self._dialect.spoken(request.model, arguments))

    async def _ready(self, allowed_seconds: float) -> "sdk.Client":
        """Return the client; the first call of a process waits for the SDK's import, outside the endpoint's time."""
        try:
            async with asyncio.timeout(allowed_seconds):
                return await self._client()
        except TimeoutError as error:
            raise ModelFailure(FailureReason.TIMED_OUT, "no time was left for the call") from error

    async def _client(self) -> "sdk.Client":
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(self._build))
        return await asyncio.shield(self._opening)

    def _build(self) -> "sdk.Client":
        """Import the SDK (half a second) and build the client; runs in a thread."""
        return sdk.client(self._base_url, self._api_key, connect_seconds=self._timeouts.connect_seconds)


class _Refused(ModelFailure):
    """HTTP 400, 405, 422 and the like: something in the request is not taken. Some endpoints say so with a 500."""


def _arguments(request: ModelRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": message.role, "content": message.text} for message in request.messages],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
    }
    if request.mode is OutputMode.JSON_SCHEMA:
        schema = {"name": request.kind, "strict": True, "schema": request.schema}
        arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.mode is OutputMode.JSON_OBJECT:
        arguments["response_format"] = {"type": "json_object"}
    return arguments


async def _send_once_more(
    ask: "_Ask[Answered]", client: "sdk.Client", arguments: dict[str, Any], until: float
) -> Answered:
    """Make one request, and a second one where the first says that it may be made and there is time for it."""
    try:
        return await _send(ask, client, arguments)
    except ModelFailure as failure:
        pause = failure.retry_after_seconds
        if pause is None or asyncio.get_running_loop().time() + pause + _RETRIED_SECONDS_MIN > until:
            raise
    await asyncio.sleep(pause)
    return await _send(ask, client, arguments)


async def _send(ask: "_Ask[Answered]", client: "sdk.Client", arguments: dict[str, Any]) -> Answered:
    """Make one HTTP request; whatever the SDK raises becomes a ModelFailure."""
    try:
        return await ask(client, arguments)
    except Exception as error:  # the SDK's transport raises classes of several libraries
        raise _failure(error, lost=FailureReason.CONNECTION, broken=FailureReason.MALFORMED) from error


@contextmanager
def _broken(progress: StreamProgress) -> Iterator[None]:
    """Turn whatever ends a stream too early into a ModelFailure; once the model is done, nothing does."""
    try:
        yield
    except TimeoutError as error:
        if not progress.finished:
            raise ModelFailure(FailureReason.TIMED_OUT, "no next word in time") from error
    except Exception as error:  # the SDK's transport raises classes of several libraries
        if not progress.finished:
            raise _failure(error, lost=FailureReason.STREAM_CUT, broken=FailureReason.STREAM_CUT) from error


def _failure(error: Exception, *, lost: FailureReason, broken: FailureReason) -> ModelFailure:
    """Return the typed failure for what the SDK raised: `lost` for the connection, `broken` for what it carried."""
    import openai  # noqa: PLC0415 - already imported when a client has raised

    detail = f"{type(error).__name__}: {error}"
    if isinstance(error, ModelFailure):
        return error
    if isinstance(error, openai.APIStatusError):
        return _status_failure(error.status_code, detail, _retry_after(error.response.headers))
    reasons = (
        (sdk.TooLongError, FailureReason.OUTPUT_TRUNCATED),
        (openai.APITimeoutError, FailureReason.TIMED_OUT),
        (openai.APIConnectionError, lost),
        (openai.APIResponseValidationError, broken),
        (openai.APIError, FailureReason.SERVER_ERROR),
    )
    return ModelFailure(next((reason for kind, reason in reasons if isinstance(error, kind)), broken), detail)


def _retry_after(headers: Mapping[str, str]) -> float:
    """Return after how many seconds a server wants to be asked again; one that says nothing is given a moment."""
    told = headers.get("retry-after", "")
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return _PAUSE_SECONDS


def _status_failure(status: int, detail: str, retry_after: float) -> ModelFailure:
    if status in _REFUSED_STATUSES:
        return _Refused(FailureReason.REQUEST_REFUSED, detail)
    if status == _BROKEN_STATUS:
        # What it says of the request's format is learnt from, not tried again.
        again = None if refuses_format(detail) else retry_after
        return _Refused(FailureReason.SERVER_ERROR, detail, retry_after_seconds=again)
    if status > _BROKEN_STATUS:
        return ModelFailure(FailureReason.SERVER_ERROR, detail, retry_after_seconds=retry_after)
    if status == _LIMITED_STATUS:
        return ModelFailure(FailureReason.RATE_LIMITED, detail, retry_after_seconds=retry_after)
    return ModelFailure(_STATUS_REASONS.get(status, FailureReason.REQUEST_REFUSED), detail)


_STATUS_REASONS: Final = {
    401: FailureReason.UNAUTHORIZED,
    403: FailureReason.UNAUTHORIZED,
    408: FailureReason.TIMED_OUT,
}
