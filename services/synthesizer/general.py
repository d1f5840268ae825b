"""Answers from general knowledge: what stands beside them, and what is said where no model can give one."""

import re
from typing import Final

from services.catalog.loader import catalog
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.wording import Text
from services.text.language import Language
from services.text.patterns import Pattern

_SAYS_NO_DATA: Final = Pattern(r"내부\s?(?:데이터|자료)|\binternal\s(?:data\w*|records?)\b", re.IGNORECASE)
_NO_DATA: Final = Text(
    "내부 데이터를 조회하지 않고 일반 지식으로 답했습니다.",
    "No internal data was consulted; this rests on general knowledge.",
)
_NOT_CONFIGURED: Final = Text(
    "이 질문에 바로 답하려면 언어 모델이 필요한데, 여기에는 설정되어 있지 않습니다. 내부 데이터는 조회하지 않았습니다.",
    "A direct answer to this needs a language model, and none is configured here. No internal data was consulted.",
)
_NOT_ANSWERING: Final = Text(
    "지금은 언어 모델이 응답하지 않아 이 질문에 바로 답하지 못했습니다. 내부 데이터는 조회하지 않았습니다.",
    "The language model does not respond at present, so there is no direct answer. No internal data was consulted.",
)
_OFFER: Final = Text("이런 질문에는 자료로 답할 수 있습니다", "These questions can be answered from data")


def is_general(request: SynthesizeRequest) -> bool:
    """Tell whether the answer comes from general knowledge: the route asks for no data, and no result holds any."""
    return asks_no_data(request.route.intent) and not any(result.evidence for result in request.results)


def asks_no_data(intent: str) -> bool:
    """Tell whether all agents that answer an intent do so from what a model knows."""
    known = catalog()
    return intent in known.intents and all(agent.from_knowledge for agent in known.owner_agents(intent))


def says_no_data(text: str) -> bool:
    """Tell whether a text says that no internal data was consulted."""
    return _SAYS_NO_DATA.search(text) is not None


def closing(language: Language) -> tuple[Section, ...]:
    """Return what every answer from general knowledge ends with."""
    return (Section((Line(_NO_DATA.said(language)),)),)


def without_model(request: SynthesizeRequest, language: Language, *, configured: bool) -> tuple[Section, ...]:
    """Return what is said in place of an answer, and what can be asked instead in the domains of the flow."""
    why = _NOT_CONFIGURED if not configured else _NOT_ANSWERING
    enabled = request.run.domains or tuple(catalog().domains)
    declared = (domain for domain in catalog().domains.values() if domain.domain in enabled)
    offers = tuple(Line(domain.offers.of(language)) for domain in declared if domain.offers is not None)
    cautions = tuple(Line(caution) for caution in request.cautions)
    return (
        Section((Line(why.said(language)),)),
        Section(offers, _OFFER.said(language), Style.NUMBERED),
        Section(cautions, style=Style.BULLETS),
    )
