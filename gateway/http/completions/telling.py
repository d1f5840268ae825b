"""Tells a flow as a chat completion: whole, or piece by piece as the answer is written."""

import json
from time import time
from typing import Any, Final

from gateway.http.completions.phrases import CANCELLED, VOIDED, source_list
from hapju.flow.v1 import answer_pb2, decision_pb2, flow_event_pb2

DONE: Final = b"data: [DONE]\n\n"
"""What ends a stream."""
DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop: that is an answer here."""
_TYPES: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}


class Written:
    """The text that one completion has told so far.

    Args:
        model: The model that was asked for.
        locale: The language of the question.
        base_url: Where sources can be looked at.
    """

    def __init__(self, model: str, locale: str, base_url: str) -> None:
        self.model = model
        self.locale = locale
        self.flow_run_id = ""
        self.session_id = ""
        self.usage = decision_pb2.Usage()
        self.annotations: list[dict[str, Any]] = []
        self._base_url = base_url
        self._created = int(time())
        self._attempt = 0
        self._of_attempt = ""
        self.text = ""
        """All that was told."""

    def add(self, text: str) -> str:
        """Tell a text as it is, and return it."""
        self.text += text
        return text

    def take(self, delta: flow_event_pb2.Delta) -> str:
        """Return what is to be told of a piece: a new attempt is told once its text differs from what was told."""
        if delta.answer_attempt > self._attempt:
            self._attempt, before, self._of_attempt = delta.answer_attempt, self._of_attempt, ""
            voided = f"\n\n{VOIDED[self.locale]}\n\n" if before else ""
        else:
            voided = ""
        new = delta.text[max(0, len(self._of_attempt) - delta.text_offset) :]
        self._of_attempt += new
        return self.add(voided + new)

    def finish(self, answer: answer_pb2.FinalAnswer) -> str:
        """Return what is left to be told of an answer: the rest of its text, and its sources."""
        self.usage = answer.usage
        rest = answer.final_response.removeprefix(self._of_attempt)
        if self._of_attempt and len(rest) == len(answer.final_response):
            rest = f"\n\n{VOIDED[self.locale]}\n\n{rest}"
        end = len(self.text) + len(rest)
        self.annotations = [
            {
                "type": "url_citation",
                "url_citation": {
                    "url": f"{self._base_url}console#/flows/{self.flow_run_id}/sources/{citation.evidence_id}",
                    "title": citation.title,
                    "start_index": 0,
                    "end_index": end,
                },
            }
            for citation in answer.citations
        ]
        return self.add(rest + source_list(answer, self.locale))

    def cancel(self) -> str:
        """Return what is told where the user said stop."""
        return self.add(CANCELLED[self.locale])

    def whole(self) -> dict[str, Any]:
        """Return the completion as one object."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text, "refusal": None}
        if self.annotations:
            message["annotations"] = self.annotations
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {**self._head("chat.completion"), "choices": [choice], "usage": usage_of(self.usage)}

    def piece(self, delta: dict[str, Any], *, ends: bool = False) -> bytes:
        """Return one piece of a stream."""
        choice = {"index": 0, "delta": delta, "finish_reason": "stop" if ends else None, "logprobs": None}
        return sent({**self._head("chat.completion.chunk"), "choices": [choice]})

    def cost(self) -> bytes:
        """Return the piece that tells what the answer cost."""
        return sent({**self._head("chat.completion.chunk"), "choices": [], "usage": usage_of(self.usage)})

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.flow_run_id}",
            "object": kind,
            "created": self._created,
            "model": self.model,
            "hapju": {"flow_run_id": self.flow_run_id, "session_id": self.session_id},
        }


def usage_of(usage: decision_pb2.Usage) -> dict[str, int]:
    """Return what an answer cost; nothing where no model was asked."""
    read, wrote = usage.input_tokens, usage.output_tokens
    return {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}


def error_of(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a problem in the form that OpenAI's clients read."""
    violations = problem["violations"]
    return {
        "error": {
            "message": problem["detail"],
            "type": _TYPES.get(problem["status"], "server_error"),
            "param": violations[0]["field"] if violations else None,
            "code": problem["reason"].lower(),
        }
    }


def sent(value: dict[str, Any]) -> bytes:
    """Return one event of a stream."""
    return b"data: " + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
