"""What a user asked on the command line, as the gateway takes it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from hapju.flow.v1 import question_pb2
from services.cli.tokens import Identity
from services.runtime.call_policy import FLOW_SECONDS_MAX
from services.text.language import language_of

ANSWER_GRACE_SECONDS: Final = 2.0
"""How much longer the call may take than the flow, so that the flow's own end arrives."""


@dataclass(frozen=True, slots=True)
class CommandQuestion:
    """A question with its options."""

    text: str
    """The question."""
    domains: tuple[str, ...] = ()
    """The domains that may answer; all where there is none."""
    locale: str = ""
    """ko or en; the question's own where it is empty."""
    session_id: str = ""
    """The conversation; a new one where it is empty."""
    request_id: str = ""
    """The client's id; none where it is empty."""
    timeout_seconds: float | None = None
    """How long the flow may take; the gateway's default where it is None."""
    identity: Identity = Identity()  # noqa: RUF009 - it is frozen
    """Whom it is asked for."""

    @property
    def language(self) -> Literal["ko", "en"]:
        """The language that the command line speaks about it."""
        return language_of(self.text) if not self.locale else ("ko" if self.locale == "ko" else "en")

    attachments: tuple[question_pb2.Attachment, ...] = ()
    """The files that go along."""
    interactive: bool = False
    """Whether a person can answer what the flow asks."""

    @property
    def call_seconds_max(self) -> float:
        """The deadline of the call; a person who thinks takes none of the flow's time."""
        if self.timeout_seconds is None or self.interactive:
            return FLOW_SECONDS_MAX
        return min(self.timeout_seconds + ANSWER_GRACE_SECONDS, FLOW_SECONDS_MAX)

    def to_proto(self) -> question_pb2.Question:
        """Return the contract's message."""
        question = question_pb2.Question(
            text=self.text,
            locale=self.locale,
            domains=self.domains,
            session_id=self.session_id,
            request_id=self.request_id,
            interactive=self.interactive,
            attachments=self.attachments,
        )
        if self.timeout_seconds is not None:
            question.flow_timeout.FromTimedelta(timedelta(seconds=self.timeout_seconds))
        return question
