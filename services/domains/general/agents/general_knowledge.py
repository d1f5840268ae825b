"""general.general_knowledge: what is answered without data; the synthesizer writes the answer's text itself."""

from services.domains.general.tools import glossary_search
from services.plugin.agent import AgentSpec, Source
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_NOT_CONSULTED = Text(
    "내부 데이터를 조회하지 않은 일반 지식 답변이니, 중요한 내용은 따로 확인해 주세요.",
    "This is general knowledge: no internal data was consulted; check what matters elsewhere.",
)


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:  # noqa: ARG001 - it reads nothing
    """Return that no internal data was consulted."""
    return Findings(
        summary=asking.say(
            "내부 데이터를 조회하지 않고 일반 지식으로 답하는 질문입니다.",
            "This is answered from general knowledge; no internal data was consulted.",
        ),
        cautions=(_NOT_CONSULTED.said(asking.locale),),
    )


AGENT = AgentSpec(
    id="general.general_knowledge",
    sources=(Source.of(glossary_search.TOOL, supplement=True),),
    analyse=analyse,
    covers=Text("일반적인 지식에 관한 질문에 답합니다.", "It answers questions of general knowledge."),
    reading=Text("질문을 살펴보고 있습니다.", "Looking at the question."),
    computing=Text("답을 준비하고 있습니다.", "Preparing the answer."),
    short=Text("확인할 자료가 없습니다.", "There is no data to check it with."),
    next_steps=(),
    # Nothing checks a direct answer, so that it is never as sure as one over rows.
    confidence_max=0.6,
)
