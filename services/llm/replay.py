"""Recorded model answers: recorded once from a real model, then played back wherever none is at hand.

A recording is a file of JSON lines: {"digest", "kind", "pieces", "finish_reason", "model", "input_tokens",
"output_tokens"}. The digest is that of the whole request (texts, model, temperature, limit, mode, schema), and only an
equal one matches: an answer to a prompt that has changed since is missing, not nearly right.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from services.llm.model import Model, ModelReply, ModelRequest, TokenCount


class NotRecorded(AssertionError):
    """No recording has this request; it was never made, or its prompt has changed since."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One answer with the digest of the request that it belongs to."""

    digest: str
    """The request's digest."""
    kind: str
    """The prompt's kind, for the reader of the file."""
    pieces: tuple[str, ...]
    """The text; several pieces where it was streamed."""
    finish_reason: str
    """As the endpoint said."""
    model: str
    """The model that answered."""
    input_tokens: int
    """Tokens read."""
    output_tokens: int
    """Tokens written."""

    @classmethod
    def of(cls, request: ModelRequest, pieces: tuple[str, ...], reply: ModelReply) -> Self:
        """Build the record of an answered request."""
        tokens = reply.tokens
        digest = request.digest()
        return cls(digest, request.kind, pieces, reply.finish_reason, reply.model, tokens.input, tokens.output)

    def reply(self, text: str) -> ModelReply:
        """Return the reply with the given text."""
        return ModelReply(text, self.finish_reason, self.model, TokenCount(self.input_tokens, self.output_tokens))


class RecordingModel:
    """A `Model` that passes requests on and appends each whole answer to a file; failures are not recorded."""

    def __init__(self, inner: Model, path: Path) -> None:
        self._inner = inner
        self._path = path
        self._writing = asyncio.Lock()

    @property
    def endpoint(self) -> str:
        """The inner model's endpoint."""
        return self._inner.endpoint

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
        """Answer as the inner model does."""
        reply = await self._inner.complete(request, allowed_seconds=allowed_seconds)
        await self._keep(Recording.of(request, (reply.text,), reply))
        return reply

    async def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
        """Stream as the inner model does."""
        pieces: list[str] = []
        source = self._inner.stream(request, allowed_seconds=allowed_seconds)
        try:
            async for piece in source:
                if isinstance(piece, ModelReply):
                    await self._keep(Recording.of(request, tuple(pieces), piece))
                else:
                    pieces.append(piece)
                yield piece
        finally:
            await source.aclose()

    async def aclose(self) -> None:
        """Close the inner model."""
        await self._inner.aclose()

    async def _keep(self, recording: Recording) -> None:
        line = json.dumps(asdict(recording), ensure_ascii=False) + "\n"
        async with self._writing:
            await asyncio.to_thread(_append, self._path, line)


class ReplayModel:
    """A `Model` that answers from recordings alone."""

    endpoint = "replay"

    def __init__(self, recordings: tuple[Recording, ...]) -> None:
        """The last recording of a request counts."""
        self._recordings = {recording.digest: recording for recording in recordings}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file that `RecordingModel` wrote.

        Raises:
            ValueError: A line is not a recording; the text names its number.
        """
        lines = path.read_text(encoding="utf-8").splitlines()
        return cls(tuple(_recording(line, number) for number, line in enumerate(lines, start=1)))

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:  # noqa: ARG002 - it is at once
        """Answer as recorded.

        Raises:
            NotRecorded: No recording has exactly this request.
        """
        recording = self._find(request)
        return recording.reply("".join(recording.pieces))

    async def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:  # noqa: ARG002 - it is at once
        """Yield the recorded pieces; raises what `complete` raises."""
        recording = self._find(request)
        for piece in recording.pieces:
            yield piece
        yield recording.reply("")

    async def aclose(self) -> None:
        """Close nothing."""

    def _find(self, request: ModelRequest) -> Recording:
        digest = request.digest()
        if digest not in self._recordings:
            raise NotRecorded(f"{request.kind}: no recording has digest {digest[:12]}")
        return self._recordings[digest]


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line)


def _recording(line: str, number: int) -> Recording:
    try:
        fields = json.loads(line)
        return Recording(**{**fields, "pieces": tuple(fields["pieces"])})
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"line {number} is not a recording: {error}") from error
