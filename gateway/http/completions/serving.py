"""Serves chat completions: each is one Ask, and what hapju asks back is a message whose reply goes on with the flow."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from gateway.http.calling import Calling, Metadata, metadata_of
from gateway.http.completions.asked import MODEL, SESSION_KEY, Completion, completion_in, session_of
from gateway.http.completions.phrases import question_text
from gateway.http.completions.telling import DECLINED, DONE, Written, error_of, sent
from gateway.http.leaving import while_connected
from gateway.http.problems import FlowEnded, internal, problem_of, problem_of_end
from gateway.http.reading import body_of
from gateway.http.telling import Stream, json_response
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.errors import FailedPrecondition, HapjuError, NotFound
from services.runtime.settings import Settings
from services.text.language import language_of

COMPLETIONS_PATH: Final = "/v1/chat/completions"
"""Where a chat is completed."""
MODELS_PATH: Final = "/v1/models"
"""Where the models are listed."""
SESSION_HEADER: Final = "hapju-session"
"""The header by which a front end names the conversation, where it can."""
FLOWS_LOOKED_AT: Final = 100
"""Of so many latest flows the conversation of a talk is found."""

Told = AsyncGenerator[dict[str, Any]]
"""The deltas of a completion, as the answer is written."""


class Completions:
    """Serves the OpenAI-compatible paths.

    Args:
        calling: The gateway.
        settings: The process's settings.
    """

    def __init__(self, calling: Calling, settings: Settings) -> None:
        self._calling = calling
        self._settings = settings

    async def complete(self, request: Request) -> Response:
        """Complete a chat: as one object, or piece by piece."""
        return await _answered(partial(self._complete, request))

    async def models(self, request: Request) -> Response:
        """List what may be asked for: all domains, or one of them."""
        return await _answered(partial(self._models, request))

    async def _models(self, request: Request) -> Response:
        listed = await self._calling.call("ListAgents", pb.ListAgentsRequest(), metadata_of(request))
        domains = sorted({agent.description.agent.partition(".")[0] for agent in listed.agents if agent.served})
        models = [_model(name) for name in (MODEL, *(f"{MODEL}/{domain}" for domain in domains))]
        wanted = request.path_params.get("model")
        if wanted is None:
            return json_response({"object": "list", "data": models})
        found = next((model for model in models if model["id"] == wanted), None)
        if found is None:
            raise NotFound("the model is unknown")
        return json_response(found)

    async def _complete(self, request: Request) -> Response:
        settings, metadata = self._settings, metadata_of(request)
        body = await body_of(request, settings.http_asked_bytes_max, settings.http_stalled_seconds_max)
        asked = completion_in(body)
        question = await self._question(request, asked, metadata)
        locale = language_of(asked.question)
        written = Written(asked.model, locale, str(request.base_url))
        told = self._told(question, metadata, written)
        if not asked.stream:
            async with while_connected(request.receive):
                await _all(told)
            return json_response(written.whole())
        pieces = _pieces(told, written, usage_told=asked.stream_options.include_usage)
        async with while_connected(request.receive):
            first = await anext(pieces)
        return Stream(first, pieces)

    async def _question(self, request: Request, asked: Completion, metadata: Metadata) -> question_pb2.Question:
        session = request.headers.get(SESSION_HEADER, "") or (asked.metadata or {}).get(SESSION_KEY, "")
        if not session and asked.asked_before:
            listing = pb.ListFlowsRequest(page_size=FLOWS_LOOKED_AT)
            listed = await self._calling.call("ListFlows", listing, metadata)
            session = session_of(asked.asked_before, listed.flows)
        repeated = request.headers.get("idempotency-key", "")
        return question_pb2.Question(
            text=asked.question,
            attachments=asked.attachments,
            domains=[asked.domain] if asked.domain else [],
            session_id=session,
            history=[] if session else asked.history,
            interactive=True,
            request_id=repeated,
            # Who can ask for the same completion again may lose its stream.
            on_disconnect=question_pb2.ON_DISCONNECT_CONTINUE if repeated else question_pb2.ON_DISCONNECT_CANCEL,
        )

    async def _told(self, question: question_pb2.Question, metadata: Metadata, written: Written) -> Told:
        """Yield a completion's deltas, until the flow ends or waits for the user."""
        async with aclosing(self._calling.ask(question, metadata)) as told:
            async for events in told:
                for event in events:
                    async for delta in self._of(event, written):
                        yield delta
                waiting = [event.question_asked for event in events if event.WhichOneof("event") == "question_asked"]
                if not waiting and any(event.WhichOneof("event") == "question_settled" for event in events):
                    waiting = await self._still_open(metadata, written)
                if left := await self._left_to_the_user(waiting, metadata, written):
                    yield {"content": written.add("\n\n".join(map(question_text, left)))}
                    return

    async def _of(self, event: flow_event_pb2.FlowEvent, written: Written) -> Told:
        name = event.WhichOneof("event")
        if name == "accepted":
            written.flow_run_id, written.session_id = event.accepted.flow_run_id, event.accepted.session_id
            yield {"role": "assistant", "content": ""}
        elif name == "progress" and self._settings.completions_progress:
            yield {"reasoning_content": f"{event.progress.message}\n"}
        elif name == "delta":
            yield {"content": written.take(event.delta)}
        elif name == "finished":
            yield {"content": written.finish(event.finished.answer)}
            if written.annotations:
                yield {"annotations": written.annotations}
        elif name == "cancelled" and event.cancelled.reason == DECLINED:
            written.usage = event.cancelled.usage
            yield {"content": written.cancel()}
        elif name in {"failed", "cancelled"}:
            raise problem_of_end(event, written.flow_run_id)

    async def _still_open(self, metadata: Metadata, written: Written) -> list[flow_event_pb2.QuestionAsked]:
        """Return what a flow that asked for several things at once still waits for."""
        request = pb.GetFlowRequest(flow_run_id=written.flow_run_id)
        events = (await self._calling.call("GetFlow", request, metadata)).record.events
        settled = {event.question_settled.question_id for event in events}
        asked = [event.question_asked for event in events if event.WhichOneof("event") == "question_asked"]
        return [question for question in asked if question.question_id not in settled]

    async def _left_to_the_user(
        self, asked: Iterable[flow_event_pb2.QuestionAsked], metadata: Metadata, written: Written
    ) -> list[flow_event_pb2.QuestionAsked]:
        """Return the questions that the user has to answer; one that has an answer of its own is given that."""
        left = []
        for question in asked:
            if not question.default_answer:
                left.append(question)
                continue
            answer = pb.AnswerQuestionRequest(
                flow_run_id=written.flow_run_id, question_id=question.question_id, answer=question.default_answer
            )
            try:
                await self._calling.call("AnswerQuestion", answer, metadata)
            except FailedPrecondition:
                continue  # it was settled in the meantime
        return left


async def _all(told: Told) -> None:
    async with aclosing(told):
        async for _ in told:
            pass


async def _pieces(told: Told, written: Written, *, usage_told: bool) -> AsyncGenerator[bytes]:
    """Yield a stream's pieces; what goes wrong once it has begun is an error's piece, after which nothing comes."""
    begun = False
    try:
        async with aclosing(told):
            async for delta in told:
                begun = True
                if any(delta.values()) or "role" in delta:
                    yield written.piece(delta)
        yield written.piece({}, ends=True)
        if usage_told:
            yield written.cost()
        yield DONE
    except (HapjuError, FlowEnded) as error:
        if not begun:
            raise
        yield sent(error_of(error.problem if isinstance(error, FlowEnded) else problem_of(error)))


async def _answered(serve: Callable[[], Awaitable[Response]]) -> Response:
    """Return what is served, or its refusal in the form that OpenAI's clients read."""
    try:
        return await serve()
    except FlowEnded as ended:
        problem = ended.problem
    except HapjuError as error:
        problem = problem_of(error)
    except Exception as error:  # noqa: BLE001 - the one place where everything becomes a problem that is told
        problem = problem_of(internal(error))
    response = json_response(error_of(problem))
    response.status_code = problem["status"]
    if response.status_code == HTTPStatus.UNAUTHORIZED:
        response.headers["www-authenticate"] = "Bearer"
    return response


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "hapju"}
