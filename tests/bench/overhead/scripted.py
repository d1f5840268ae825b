"""`python -m tests.bench.overhead.scripted FLOW NAME...`: services whose model is a function of their process.

It answers at once what the flow's script says. Nothing else of the services is different.
"""

import sys
from collections.abc import AsyncGenerator

from services.cli.deployment.running import run_services
from services.llm.build import models_from
from services.llm.model import ModelReply, ModelRequest, TokenCount
from tests.bench.overhead.flows import FLOWS, Flow

TOKENS = TokenCount(100, 50)
"""What a call is said to have used."""


class Scripted:
    """A `Model` that says what a flow's script says, whoever asks and in whatever order."""

    endpoint = "scripted"

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    async def complete(self, request: ModelRequest, *, allowed_seconds: float) -> ModelReply:
        """Answer at once."""
        return ModelReply(self._said(request), "stop", request.model, TOKENS)

    async def stream(self, request: ModelRequest, *, allowed_seconds: float) -> AsyncGenerator[str | ModelReply, None]:
        """Yield the whole answer in one piece."""
        yield self._said(request)
        yield ModelReply("", "stop", request.model, TOKENS)

    async def aclose(self) -> None:
        """Close nothing."""

    def _said(self, request: ModelRequest) -> str:
        return self._flow.answer(request.kind, request.messages[1].text)


if __name__ == "__main__":
    with models_from(lambda _: Scripted(FLOWS[sys.argv[1]])):
        run_services(tuple(sys.argv[2:]))
