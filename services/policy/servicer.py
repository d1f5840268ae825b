"""The policy service: the rules first, then a model's second opinion where one is configured."""

import asyncio
from dataclasses import dataclass
from typing import Final

import grpc

from hapju.policy.v1 import policy_service_pb2 as pb
from hapju.policy.v1 import policy_service_pb2_grpc as pb_grpc
from prompts.fields import Trusted, Untrusted
from prompts.policy import policy_safety
from services.contract.mapping import from_proto, to_proto
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse, PolicyTag, Verdict
from services.llm.build import decider_from
from services.llm.decider import Decider
from services.plugin.vocabulary import installed_speech
from services.policy.likeness import Opinion, is_suspicious, opinion, prepare
from services.policy.rule_table import rule_table
from services.policy.safety import Judgement, Safety, graver
from services.runtime import ledger, run
from services.runtime.identity import current_caller
from services.runtime.model_settings import LlmSettings
from services.runtime.server import Service
from services.runtime.threads import computed, is_short
from services.text.patterns import Pattern
from services.text.reading import TextReading, read

QUESTION_CHARS_MAX = 4_000
"""What of a question a model is shown; admission refuses longer ones."""


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    """Judges one question with everything that the service has."""

    safety: Safety
    """The rules."""
    decider: Decider
    """Asks the model for its opinion."""
    rule_decider: Decider
    """Writes a rule's verdict down without asking anyone: a BLOCK needs no second opinion."""

    async def check(self, asked: CheckPolicyRequest, user_type: str) -> Judgement:
        """Return the verdict: the rules', made graver where the model sees more."""
        reading = await computed(lambda: _read(asked), at_once=is_short(asked.question))
        if reading.is_blank:
            return Judgement(Verdict.ALLOW, (), ())
        ruled = self.safety.judge(reading)
        text = _MARKUP.sub(" ", reading.text).strip()
        is_short_text = 0 < len(text) <= _EXAMPLES_CHARS_MAX
        if is_short_text and (ruled.verdict is Verdict.BLOCK or is_suspicious(text)):
            said = await computed(lambda: opinion(text), at_once=False)
            if said.refused is None or not self.safety.asks_what_follows(reading):
                ruled = with_examples(ruled, said)
        inputs = policy_safety.Inputs(
            question=Untrusted(asked.question[:QUESTION_CHARS_MAX]),
            user_type=Trusted(user_type or "none"),
            tags=_told_tags(asked.run.locale),
            allows=tuple(Trusted(one.of(asked.run.locale)) for one in rule_table().allows),
        )
        decider = self.rule_decider if ruled.verdict is Verdict.BLOCK else self.decider
        decided = await decider.decide(policy_safety.PROMPT, inputs, lambda _inputs: _as_output(ruled))
        return graver(ruled, _as_judgement(decided.output))


def with_examples(ruled: Judgement, said: Opinion) -> Judgement:
    """Return a verdict with what the examples say: they refuse more, and let off whom only words accuse."""
    if said.refused is not None and ruled.verdict is not Verdict.BLOCK:
        return Judgement(Verdict.BLOCK, (said.refused,), (*ruled.rules, EXAMPLES))
    if said.is_let_off and ruled.verdict is Verdict.BLOCK and set(ruled.tags) <= _OF_WORDS:
        return Judgement(Verdict.ALLOW, (), (*ruled.rules, EXAMPLES))
    return ruled


EXAMPLES: Final = "examples"
"""What the record names where the examples decided."""
_OF_WORDS: Final = frozenset({PolicyTag.FRAUDULENT_PATTERN, PolicyTag.FALSE_INFORMATION, PolicyTag.UNAUTHORIZED_ACCESS})
"""Tags of rules that words of a deed meet, whoever does it."""
_MARKUP: Final = Pattern(r"</?[A-Za-z][\w:-]{0,40}/?>")
"""Tags of markup, which are words of no person: examples know only what people say."""
_EXAMPLES_CHARS_MAX: Final = 200
"""A longer text is a document or a story, to which no example is near."""


class PolicyServicer(pb_grpc.PolicyServiceServicer):
    """Serves hapju.policy.v1.PolicyService."""

    def __init__(self, check: PolicyCheck) -> None:
        self._check = check

    async def CheckPolicy(self, request: pb.CheckPolicyRequest, context: object) -> pb.CheckPolicyResponse:
        """Return the verdict on one question."""
        asked = from_proto(request, CheckPolicyRequest)
        with run.use(asked.run):
            judged = await self._check.check(asked, current_caller().user_type)
        message = wording(judged, asked.run.locale)
        return to_proto(
            CheckPolicyResponse(judged.verdict, judged.tags, message, ledger.spent()), pb.CheckPolicyResponse
        )


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Add the policy service to a server; it serves once the weights of its voter are at hand."""
    await asyncio.to_thread(prepare)
    decider = decider_from(service.settings.llm, service.name)
    service.stack.push_async_callback(decider.aclose)
    check = PolicyCheck(Safety(rule_table()), decider, decider_from(LlmSettings(), service.name))
    pb_grpc.add_PolicyServiceServicer_to_server(PolicyServicer(check), server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["PolicyService"].full_name)


def wording(judged: Judgement, locale: str) -> str:
    """Return what the user is told in "ko" or "en": a sentence for each tag, nothing under ALLOW."""
    if judged.verdict is Verdict.ALLOW:
        return ""
    tags = judged.tags[:1] if judged.verdict is Verdict.BLOCK else judged.tags
    return " ".join(rule_table().message(judged.verdict, tag).of(locale) for tag in tags)


def _read(asked: CheckPolicyRequest) -> TextReading:
    return read(asked.question, now=asked.run.now, time_zone=asked.run.time_zone, speech=installed_speech())


def _told_tags(locale: str) -> tuple[policy_safety.Tag, ...]:
    return tuple(
        policy_safety.Tag(name=Trusted(tag.value), meaning=Trusted(kind.meaning.of(locale)), warns=kind.warns)
        for tag, kind in rule_table().kinds.items()
    )


def _as_output(ruled: Judgement) -> policy_safety.Output:
    return policy_safety.Output(
        verdict=policy_safety.Verdict(ruled.verdict),
        tags=tuple(ruled.tags),
        reason=", ".join(ruled.rules),
        confidence=1.0,
    )


def _as_judgement(output: policy_safety.Output) -> Judgement:
    return Judgement(Verdict(output.verdict), tuple(PolicyTag(tag) for tag in output.tags), ())
