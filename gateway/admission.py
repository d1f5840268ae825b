"""Admission: what a client sends is checked once, here, and every default is filled in."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from services.contract.flow import OnDisconnect, Question, Turn
from services.contract.forms import LOCALES, shown, zone_problem
from services.runtime.call_policy import FLOW_SECONDS_MAX
from services.runtime.errors import VIOLATIONS_MAX, FieldViolation, InvalidRequest
from services.runtime.fields import name_problem
from services.runtime.identity import Caller
from services.runtime.ids import new_session_id
from services.text.language import language_of
from services.text.normalise import is_blank
from services.text.visible import visible

QUESTION_CHARACTERS_MAX: Final = 4_000
"""The length of a question, and of one turn of the history, in code points."""
HISTORY_TURNS_MAX: Final = 100
"""Turns that a client may send along."""
HISTORY_CHARACTERS_MAX: Final = 40_000
"""The length of all of them together: ten of the longest, or a hundred of what people say."""
HIDDEN_TIMES_MAX: Final = 2
"""How many times as long as that a text may come in, with what nobody sees of it: more is not even cleaned."""
TIME_ZONE_DEFAULT: Final = "Asia/Seoul"
"""Where users live unless told."""
ROUTER_ROLE: Final = "router"
"""The role whose router_output is taken."""
EVALUATOR_ROLE: Final = "evaluator"
"""The role whose now is taken."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A question that may go on."""

    question: Question
    """With every default filled in."""
    begins_session: bool
    """True where the gateway has just made its conversation, which nobody else can have."""


class Admission:
    """Checks and completes questions.

    Args:
        domains_known: Every domain that hapju has.
        domains_enabled: The domains of this deployment, in order.
        intents_known: Every intent, for hints.
    """

    def __init__(
        self,
        domains_known: Collection[str],
        domains_enabled: tuple[str, ...],
        intents_known: Collection[str],
    ) -> None:
        self._domains_known = tuple(domains_known)
        self._domains_enabled = domains_enabled
        self._intents_known = frozenset(intents_known)

    def admit(self, question: Question, caller: Caller, on_disconnect: OnDisconnect) -> Admitted:
        """Return the question with every default filled in.

        A question without a session begins a conversation; with a request id its session is left to the flow's owner,
        which knows whether the request was made before.

        Raises:
            InvalidRequest: Names every field that breaks the contract, with what is right.
        """
        if far := _far_too_long(question):
            raise InvalidRequest.of(*far)
        question = as_seen(question)
        violations = [*self._violations(question), *_rights(question, caller)]
        if violations:
            text = "; ".join(f"{item.field}: {item.description}" for item in violations)
            raise InvalidRequest(text, violations=tuple(violations))
        begins = not question.session_id and not question.request_id
        complete = replace(
            question,
            locale=question.locale or _language(question.text),
            domains=question.domains or self._domains_enabled,
            time_zone=question.time_zone or TIME_ZONE_DEFAULT,
            session_id=new_session_id() if begins else question.session_id,
            on_disconnect=question.on_disconnect or on_disconnect,
        )
        return Admitted(complete, begins)

    def _violations(self, question: Question) -> list[FieldViolation]:
        found = [
            ("text", _text_problem(question.text)),
            ("locale", _choice_problem(question.locale, LOCALES)),
            *(("domains", self._domain_problem(domain)) for domain in question.domains[:VIOLATIONS_MAX]),
            ("domains", _count_problem(question.domains)),
            ("session_id", name_problem(question.session_id)),
            ("request_id", name_problem(question.request_id)),
            ("time_zone", zone_problem(question.time_zone or TIME_ZONE_DEFAULT)),
            ("intent_hint", self._intent_problem(question.intent_hint)),
            ("history", _history_problem(question.history)),
            ("flow_timeout", _timeout_problem(question)),
        ]
        return [FieldViolation(f"question.{field}", problem) for field, problem in found if problem]

    def _domain_problem(self, domain: str) -> str:
        if domain in self._domains_enabled:
            return ""
        kind = "not enabled here" if domain in self._domains_known else "unknown"
        return f"{shown(domain)} is {kind}; enabled are {', '.join(self._domains_enabled)}"

    def _intent_problem(self, intent: str) -> str:
        return "" if not intent or intent in self._intents_known else f"{shown(intent)} is no known intent"


def as_seen(question: Question) -> Question:
    """Return a question whose texts are what a person sees of them: here once, and nowhere behind."""
    history = tuple(replace(turn, text=visible(turn.text)) for turn in question.history)
    return replace(question, text=visible(question.text), history=history)


def seen_answer(given: str) -> str:
    """Return the answer to a question as a person sees it, once it is checked.

    Raises:
        InvalidRequest: It is empty or too long; names the limit.
    """
    if len(given) > HIDDEN_TIMES_MAX * QUESTION_CHARACTERS_MAX:
        raise InvalidRequest.of("answer", _text_problem(given))
    text = visible(given)
    problem = "must say something" if is_blank(text) else _text_problem(text)
    if problem:
        raise InvalidRequest.of("answer", problem)
    return text


def _far_too_long(question: Question) -> tuple[str, str] | None:
    """Return the field of a text that is too long to be looked at, with what is right; None where there is none."""
    if len(question.text) > HIDDEN_TIMES_MAX * QUESTION_CHARACTERS_MAX:
        return "question.text", _text_problem(question.text)
    if sum(len(turn.text) for turn in question.history) > HIDDEN_TIMES_MAX * HISTORY_CHARACTERS_MAX:
        return "question.history", _history_problem(question.history)
    return None


def _rights(question: Question, caller: Caller) -> list[FieldViolation]:
    asked = [
        ("question.router_output", question.router_output is not None, ROUTER_ROLE),
        ("question.now", question.now is not None, EVALUATOR_ROLE),
    ]
    return [
        FieldViolation(field, f"is taken from callers with the role {role!r} only")
        for field, given, role in asked
        if given and role not in caller.roles
    ]


def _language(text: str) -> str:
    return "ko" if is_blank(text) else str(language_of(text))


def _text_problem(text: str) -> str:
    if len(text) <= QUESTION_CHARACTERS_MAX:
        return ""
    return f"has {len(text)} characters, the limit is {QUESTION_CHARACTERS_MAX}"


def _choice_problem(value: str, choices: tuple[str, ...]) -> str:
    return "" if not value or value in choices else f"{shown(value)} is unknown; known are {', '.join(choices)}"


def _count_problem(domains: tuple[str, ...]) -> str:
    return "" if len(domains) <= VIOLATIONS_MAX else f"has {len(domains)} entries, the limit is {VIOLATIONS_MAX}"


def _history_problem(history: tuple[Turn, ...]) -> str:
    if len(history) > HISTORY_TURNS_MAX:
        return f"has {len(history)} turns, the limit is {HISTORY_TURNS_MAX}"
    longest = max((len(turn.text) for turn in history), default=0)
    if longest > QUESTION_CHARACTERS_MAX:
        return f"has a turn of {longest} characters, the limit is {QUESTION_CHARACTERS_MAX}"
    total = sum(len(turn.text) for turn in history)
    if total > HISTORY_CHARACTERS_MAX:
        return f"has {total} characters in all, the limit is {HISTORY_CHARACTERS_MAX}"
    return ""


def _timeout_problem(question: Question) -> str:
    if question.flow_timeout is None or 0 < question.flow_timeout.total_seconds() <= FLOW_SECONDS_MAX:
        return ""
    return f"must be above 0 and at most {FLOW_SECONDS_MAX:g} seconds"
