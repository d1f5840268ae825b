"""Words of a foreign agent, held against the data that it sent: what neither the data nor the question holds goes."""

from dataclasses import replace
from typing import Final

from services.agents.summary import basis_of
from services.contract.drops import DropPlace
from services.contract.flow import AgentResult, AgentStatus
from services.grounding.checking import checked
from services.grounding.grounds import Grounds
from services.grounding.verdict import trace
from services.plugin.agent import AgentSpec
from services.plugin.findings import Asking
from services.plugin.wording import Text

_LEFT_OUT: Final = Text(
    "{name}의 답에서 함께 온 자료로 확인되지 않는 문장 {count}개는 뺐습니다.",
    "Of what {name} answered, sentences that its own data does not hold were left out: {count}.",
)
_NOTHING_HELD: Final = Text(
    "{name}의 답에는 함께 온 자료로 확인되는 내용이 없어 전하지 않습니다.",
    "{name} answered, but nothing of it is held by data that came along, so that it is not told.",
)
_SAID: Final = Text("{name}의 답: {words}", "According to {name}: {words}")


def held_words(spec: AgentSpec, asking: Asking, result: AgentResult) -> AgentResult:
    """Return a result whose summary is what holds of a foreign agent's words, told under its name."""
    names = ", ".join(dict.fromkeys(piece.provenance.source for piece in result.evidence))
    grounds = Grounds(basis_of(spec, asking, (), replace(result, summary="")))
    words = checked(result.summary, grounds, DropPlace.AGENT_SUMMARY, result.step_id)
    trace(words.dropped)
    lost = len(words.dropped)
    if not words.text:
        said = _NOTHING_HELD.said(asking.locale).format(name=names)
        empty = replace(result, summary=said, status=AgentStatus.INSUFFICIENT_DATA, reason="NO_ROWS", evidence=())
        return replace(empty, confidence=0.0, dropped=words.dropped)
    excerpts = tuple(replace(piece, excerpt=words.text) for piece in result.evidence)
    cautions = (*result.cautions, *((_LEFT_OUT.said(asking.locale).format(name=names, count=lost),) if lost else ()))
    told = _SAID.said(asking.locale).format(name=names, words=words.text)
    return replace(result, summary=told, evidence=excerpts, cautions=cautions, dropped=words.dropped)
