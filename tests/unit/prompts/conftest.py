"""One full and one bare sample of every prompt's inputs."""

from collections.abc import Mapping
from datetime import date

import pytest

from prompts.agents import agent_summary, general_knowledge
from prompts.fields import PromptInputs, PromptTurn, Trusted
from prompts.orchestrator import conversation_summary, execution_orchestration, execution_review, tool_orchestration
from prompts.planner import (
    agent_selection,
    data_sufficiency_check,
    execution_strategy,
    keyword_extraction,
    query_decomposition,
    query_normalization,
    query_rewrite,
    slot_extraction,
)
from prompts.policy import policy_safety
from prompts.router import intent_analysis, question_asks
from prompts.synthesizer import citation_postprocess, response_synthesis

TODAY = date(2026, 3, 2)
TURNS = (PromptTurn.of("user", "마포구 전세는?"), PromptTurn.of("assistant", "마포구 전세 중위값은 5억원입니다."))
TAGS = (
    policy_safety.Tag(name=Trusted("PII_REQUEST"), meaning=Trusted("asks for data of a person.")),
    policy_safety.Tag(name=Trusted("EXCESSIVE_QUANTITY"), meaning=Trusted("asks for very many."), warns=True),
)
PARAMETERS = '{"type":"object","properties":{"region":{"type":"string"}},"required":["region"]}'


def _domain(name: str, intent: str) -> intent_analysis.DomainBrief:
    brief = intent_analysis.IntentBrief(name=Trusted(intent), description=Trusted(f"what {intent} covers"))
    return intent_analysis.DomainBrief(name=Trusted(name), description=Trusted(f"what {name} covers"), intents=(brief,))


def _figure(mark: str) -> response_synthesis.FigureLine:
    return response_synthesis.FigureLine(label="기준금리", value="2.75", unit="%", as_of="2026-02", mark=Trusted(mark))


DOMAINS = (_domain("realty", "MARKET_INQUIRY"), _domain("general", "general_knowledge"))
AGENT = agent_selection.AgentBrief(name=Trusted("realty.search"), answers=Trusted("prices"), declines=Trusted("tax"))
TOOL = tool_orchestration.ToolBrief(
    name=Trusted("market_data"), description=Trusted("prices by district"), parameters_schema=Trusted(PARAMETERS)
)
STEP_LINE = execution_orchestration.StepLine(
    step=Trusted("s1"),
    agent=Trusted("realty.search"),
    task="용산구 전세 시세를 찾는다",
    outcome=Trusted("ANSWERED"),
    row_count=12,
    summary="중위값은 5억원입니다.",
    required=True,
)
METRIC = agent_summary.MetricLine(label="기준금리", value="2.75", unit="%", as_of="2026-02")
FINDING = response_synthesis.Finding(
    agent=Trusted("finance.macro"), status=Trusted("ANSWERED"), summary="동결되었습니다.", figures=(_figure("[1]"),)
)
EVIDENCE = response_synthesis.EvidenceLine(
    mark=Trusted("[1]"), title="기준금리", source="sample", as_of="2026-02", excerpt="2026-02 2.75"
)
TITLES = tuple(question_asks.DomainTitle(name=one.name, description=one.description) for one in DOMAINS)

PART = query_decomposition.AgentPart(name=Trusted("realty.search"), answers=Trusted("지금의 시세와 매물"))
STEP = execution_strategy.StepBrief(step_id=Trusted("s1"), agent=Trusted("realty.search"), branch=Trusted("SQL"))
SAMPLES: Mapping[str, tuple[PromptInputs, PromptInputs]] = {
    "policy/policy_safety": (
        policy_safety.Inputs(
            question="비밀번호를 바꾸려면?",
            user_type=Trusted("consumer"),
            tags=TAGS,
            allows=(Trusted("questions about rules"),),
        ),
        policy_safety.Inputs(question="안녕", user_type=Trusted("none"), tags=TAGS[:1]),
    ),
    "router/intent_analysis": (
        intent_analysis.Inputs(question="그럼 용산구는?", domains=DOMAINS, history=TURNS),
        intent_analysis.Inputs(question="안녕", domains=DOMAINS[1:]),
    ),
    "router/question_asks": (
        question_asks.Inputs(question="그럼 용산구는?", domains=TITLES, history=TURNS),
        question_asks.Inputs(question="안녕", domains=TITLES[1:]),
    ),
    "planner/query_rewrite": (
        query_rewrite.Inputs(question="그럼 용산구는?", history=TURNS),
        query_rewrite.Inputs(question="지난달 물가"),
    ),
    "planner/query_normalization": (
        query_normalization.Inputs(
            question="지난달 용산구 전세 5억이면?", today=TODAY, time_zone=Trusted("Asia/Seoul")
        ),
        query_normalization.Inputs(question="지난달 물가", today=TODAY, time_zone=Trusted("UTC")),
    ),
    "planner/slot_extraction": (
        slot_extraction.Inputs(
            slot=Trusted("payment_method"),
            asked=Trusted("어떤 방법으로 결제하시겠어요?"),
            options=("카드", "포인트"),
            question="이 의자 살게요",
            answer="음 카드가 낫겠네요",
        ),
        slot_extraction.Inputs(
            slot=Trusted("quantity"), asked=Trusted("몇 개를 원하시나요?"), question="담아줘", answer="둘"
        ),
    ),
    "planner/data_sufficiency_check": (
        data_sufficiency_check.Inputs(
            question="방금 그 시세로 위험한지 봐줘",
            intent=Trusted("RISK_ANALYSIS"),
            required_types=(
                data_sufficiency_check.RequiredType(name=Trusted("legal"), told_apart_by=(Trusted("topic"),)),
                data_sufficiency_check.RequiredType(name=Trusted("market"), told_apart_by=(Trusted("region"),), days=3),
            ),
            held=("market: region 11440; 5 rows or more; 0.1 h old",),
            history=TURNS,
        ),
        data_sufficiency_check.Inputs(
            question="시세",
            intent=Trusted("MARKET_INQUIRY"),
            required_types=(data_sufficiency_check.RequiredType(name=Trusted("market"), days=3),),
            held=(),
        ),
    ),
    "planner/query_decomposition": (
        query_decomposition.Inputs(
            question="용산구 전세가 5억이면 괜찮은지 봐줘",
            intent=Trusted("RISK_ANALYSIS"),
            agents=(PART, PART.model_copy(update={"name": Trusted("realty.analysis")})),
        ),
        query_decomposition.Inputs(question="시세", intent=Trusted("MARKET_INQUIRY"), agents=(PART,)),
    ),
    "planner/execution_strategy": (
        execution_strategy.Inputs(
            question="용산구 전세가 5억 밑이면 계약서 써줘",
            steps=(
                STEP,
                STEP.model_copy(
                    update={
                        "step_id": Trusted("s2"),
                        "agent": Trusted("realty.document"),
                        "depends_on": (Trusted("s0"), Trusted("s1")),
                        "is_conditional": True,
                    }
                ),
            ),
        ),
        execution_strategy.Inputs(question="시세", steps=(STEP,)),
    ),
    "planner/keyword_extraction": (
        keyword_extraction.Inputs(question="그 집 얼마나 하는지"),
        keyword_extraction.Inputs(question="얼마"),
    ),
    "planner/agent_selection": (
        agent_selection.Inputs(
            question="용산구 전세 시세는?",
            domain=Trusted("realty"),
            intent=Trusted("MARKET_INQUIRY"),
            agents=(AGENT, AGENT.model_copy(update={"name": Trusted("realty.analysis"), "declines": Trusted("")})),
        ),
        agent_selection.Inputs(
            question="시세", domain=Trusted("realty"), intent=Trusted("MARKET_INQUIRY"), agents=(AGENT,)
        ),
    ),
    "orchestrator/tool_orchestration": (
        tool_orchestration.Inputs(
            question="용산구 전세 시세는?",
            agent=Trusted("realty.search"),
            task="용산구 전세 시세를 찾는다",
            tools=(TOOL,),
            known_values=(tool_orchestration.KnownValue(name=Trusted("region"), value='"11170"'),),
            earlier_calls=(
                tool_orchestration.EarlierCall(tool=Trusted("market_data"), arguments='{"region":"11440"}'),
            ),
        ),
        tool_orchestration.Inputs(question="시세", agent=Trusted("realty.search"), task="시세", tools=(TOOL,)),
    ),
    "orchestrator/execution_orchestration": (
        execution_orchestration.Inputs(
            question="용산구 전세 시세는?",
            intent=Trusted("MARKET_INQUIRY"),
            intent_confidence=0.93,
            assessed=Trusted("s1"),
            done=(STEP_LINE,),
            left=(STEP_LINE.model_copy(update={"step": Trusted("s2"), "outcome": Trusted("pending"), "row_count": 0}),),
            agents=(execution_orchestration.AgentOffer(name=Trusted("realty.search"), answers=Trusted("prices")),),
        ),
        execution_orchestration.Inputs(
            question="시세",
            intent=Trusted("MARKET_INQUIRY"),
            intent_confidence=0.9,
            assessed=Trusted("s1"),
            done=(STEP_LINE,),
        ),
    ),
    "orchestrator/conversation_summary": (
        conversation_summary.Inputs(question="노원구 아파트 전세 시세는?", answer="전세가는 4억 8천만원입니다."),
        conversation_summary.Inputs(question="시세", answer="-"),
    ),
    "orchestrator/execution_review": (
        execution_review.Inputs(
            question="용산구 전세 시세는?", intent=Trusted("MARKET_INQUIRY"), steps=(STEP_LINE, STEP_LINE)
        ),
        execution_review.Inputs(question="시세", intent=Trusted("MARKET_INQUIRY"), steps=(STEP_LINE,)),
    ),
    "agents/agent_summary": (
        agent_summary.Inputs(
            question="기준금리는?",
            agent=Trusted("finance.macro"),
            metrics=(METRIC,),
            rows=(agent_summary.RowLine(evidence_id=Trusted("e1"), text="2026-02 2.75"),),
            sample=True,
        ),
        agent_summary.Inputs(question="기준금리는?", agent=Trusted("finance.macro"), sample=False),
    ),
    "agents/general_knowledge": (
        general_knowledge.Inputs(question="무지개는 왜 생겨?", history=TURNS, today=TODAY),
        general_knowledge.Inputs(question="안녕", today=TODAY),
    ),
    "synthesizer/citation_postprocess": (
        citation_postprocess.Inputs(
            question="애플 주가는?",
            today=TODAY,
            citations=(
                citation_postprocess.CitationLine(mark="c1", title="애플 일별 주가", source="예시", as_of="2026-11-26"),
            ),
        ),
        citation_postprocess.Inputs(
            question="금리",
            today=TODAY,
            citations=(citation_postprocess.CitationLine(mark="c1", title="미국 금리", source="예시", as_of=""),),
        ),
    ),
    "synthesizer/response_synthesis": (
        response_synthesis.Inputs(
            question="기준금리는?",
            history=TURNS,
            domain=Trusted("finance"),
            intent=Trusted("indicator_lookup"),
            today=TODAY,
            findings=(FINDING,),
            evidence=(EVIDENCE,),
            cautions=("자료는 2026년 2월까지입니다.",),
            missing=("전망 자료를 찾지 못했습니다.",),
            wishes=(Trusted("After the summary tell a base, a bull and a bear case apart."),),
            sample=True,
        ),
        response_synthesis.Inputs(
            question="기준금리는?",
            domain=Trusted("finance"),
            intent=Trusted("indicator_lookup"),
            today=TODAY,
            findings=(),
            sample=False,
        ),
    ),
}


@pytest.fixture
def samples() -> Mapping[str, tuple[PromptInputs, PromptInputs]]:
    """Inputs by owner/kind: one with every field filled, one with as little as there may be."""
    return SAMPLES
