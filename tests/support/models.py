"""What a well-behaved model would answer to each prompt kind, worked out from the prompt's own text.

A whole flow can run on these answers: they name only what the prompt offers and quote only what it gives. The kind is
read from the first line of the system message ("Task: <kind>"), as `prompts.prompt.KIND_LINE` writes it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from prompts.prompt import KIND_LINE

_FENCE = re.compile(r'<data name="(?P<name>[a-z_]+)">\n(?P<body>.*?)\n</data>', re.DOTALL)
_DOMAIN = re.compile(r"^\[(?P<name>\w+)\]")
_OFFER = re.compile(r"^- (?P<name>[\w.]+): (?P<text>.*)$")


@dataclass(frozen=True)
class Asked:
    """A request as a model reads it."""

    kind: str
    """The prompt's kind."""
    system: str
    """The system message."""
    user: str
    """The first user message."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "Asked":
        """Read a chat completion request's body."""
        messages = body["messages"]
        system = str(messages[0]["content"])
        first_line = system.partition("\n")[0]
        kind = first_line.removeprefix(KIND_LINE) if first_line.startswith(KIND_LINE) else ""
        return cls(kind, system, str(messages[1]["content"]) if len(messages) > 1 else "")

    def data(self, name: str) -> str:
        """Return the text of a fence, empty if there is none."""
        found = (match["body"] for match in _FENCE.finditer(self.user) if match["name"] == name)
        return next(found, "")

    def lines(self, name: str) -> list[Any]:
        """Return the objects of a fence that holds JSON lines."""
        return [json.loads(line) for line in self.data(name).splitlines() if line]

    def offers(self) -> dict[str, str]:
        """Return the "- name: text" lines of the system message."""
        matches = (_OFFER.match(line) for line in self.system.splitlines())
        return {match["name"]: match["text"] for match in matches if match}


Answer = Callable[[Asked], str]
"""Returns the text that the model writes."""


def _policy_safety(_asked: Asked) -> str:
    return json.dumps({"verdict": "ALLOW", "tags": [], "reason": "Nothing is wrong.", "confidence": 0.95})


def _intent_analysis(asked: Asked) -> str:
    """Choose the intent whose description shares most syllable pairs with the question."""
    domain, best = "", (-1, "", "")
    for line in asked.system.splitlines():
        if heading := _DOMAIN.match(line):
            domain = heading["name"]
        elif domain and (offer := _OFFER.match(line)):
            shared = len(_pairs(asked.data("question")) & _pairs(f"{offer['name']} {offer['text']}"))
            best = max(best, (shared, domain, offer["name"]), key=lambda score: score[0])
    chosen = {"domain": best[1], "intent": best[2], "confidence": 0.9, "alternatives": [], "reasoning": "closest"}
    return json.dumps({**chosen, "sql_need": True, "graph_need": False})


def _question_asks(_asked: Asked) -> str:
    """Tell nothing apart that the rules did not."""
    return json.dumps({"asks": [], "reasoning": "as it is"})


def _pairs(text: str) -> set[str]:
    letters = re.sub(r"\W", "", text.lower())
    return {letters[index : index + 2] for index in range(len(letters) - 1)}


def _query_normalization(asked: Asked) -> str:
    return json.dumps({"normalised_question": asked.data("question"), "reasoning": "nothing to resolve"})


def _agent_selection(asked: Asked) -> str:
    agent = next(iter(asked.offers()))
    step = {"agent": agent, "task": asked.data("question")[:400], "depends_on": []}
    return json.dumps({"steps": [step], "confidence": 0.9, "reasoning": "it answers this"})


def _query_rewrite(asked: Asked) -> str:
    return json.dumps({"rewritten_question": asked.data("question"), "reasoning": "it stands by itself"})


def _query_decomposition(asked: Asked) -> str:
    """Give each chosen agent the whole question."""
    part = {"sub_question": asked.data("question")[:400], "depends_on": [], "condition": ""}
    steps = [{"agent": agent, **part} for agent in asked.offers()]
    return json.dumps({"steps": steps, "confidence": 0.9, "reasoning": "one part each"})


def _execution_strategy(_asked: Asked) -> str:
    return json.dumps({"strategy": "SEQUENTIAL", "confidence": 0.9, "reasoning": "one after the other"})


def _data_sufficiency_check(_asked: Asked) -> str:
    unsure = {"is_sufficient": False, "confidence": 0.9, "data_source": "none", "missing_types": []}
    return json.dumps({**unsure, "reasoning": "nothing is held"})


def _slot_extraction(asked: Asked) -> str:
    said = {"value": asked.data("answer")[:60], "is_another_request": False, "confidence": 0.9}
    return json.dumps({**said, "reasoning": "the answer itself"})


def _keyword_extraction(asked: Asked) -> str:
    words = asked.data("question").split()[:3]
    return json.dumps({"keywords": words, "confidence": 0.9, "reasoning": "its first words"})


def _tool_orchestration(asked: Asked) -> str:
    """Call each tool whose required arguments are known by name, and say of the others what is missing."""
    known = {value["name"]: json.loads(value["value"]) for value in asked.lines("known_values")}
    schemas = re.findall(r"^- ([\w.]+): .*\n  parameters: (.*)$", asked.system, re.MULTILINE)
    calls, skipped = [], []
    for tool, text in schemas:
        schema = json.loads(text)
        missing = [name for name in schema.get("required", []) if name not in known]
        if missing:
            skipped.append({"tool": tool, "reason": f"unknown: {', '.join(missing)}"})
            continue
        arguments = {name: known[name] for name in schema.get("properties", {}) if name in known}
        calls.append({"tool": tool, "arguments": json.dumps(arguments, ensure_ascii=False)})
    return json.dumps({"calls": calls[:6], "skipped": skipped, "confidence": 0.9, "reasoning": "known values fit"})


def _execution_orchestration(_asked: Asked) -> str:
    judged = {"quality_score": 0.9, "relevance": 0.9, "action": "continue", "confidence": 0.9}
    return json.dumps({**judged, "reasoning": "it serves its task"})


def _execution_review(_asked: Asked) -> str:
    review = {"goal_achieved": "yes", "score": 0.9, "missing": [], "confidence": 0.9}
    return json.dumps({**review, "reasoning": "every part has a result"})


def _conversation_summary(asked: Asked) -> str:
    said = {"asked": asked.data("question").strip()[:80] or "-", "answered": "it was answered", "reasoning": "short"}
    return json.dumps(said, ensure_ascii=False)


def _agent_summary(asked: Asked) -> str:
    figures = [_figure(metric) for metric in asked.lines("metrics")[:3]]
    summary = "; ".join(figures) or "The rows hold no figure."
    answer = {"summary": summary, "key_drivers": figures[:1], "primary_trend": "NEUTRAL", "confidence": 0.8}
    return json.dumps(answer, ensure_ascii=False)


def _figure(metric: Mapping[str, str]) -> str:
    dated = f" ({metric['as_of']})" if metric["as_of"] else ""
    return f"{metric['label']} {metric['value']} {metric['unit']}".rstrip() + dated


def _response_synthesis(asked: Asked) -> str:
    figures = [figure for finding in asked.lines("findings") for figure in finding["figures"][:3]]
    facts = [f"{_figure(figure)} {figure['mark']}".rstrip() + "." for figure in figures]
    cautions = [str(caution) for caution in (*asked.lines("cautions"), *asked.lines("missing"))]
    return "\n".join([*(facts or ["No figure was found."]), *cautions])


def _general_knowledge(asked: Asked) -> str:
    if re.search("[가-힣]", asked.data("question")):
        return "일반 지식으로 드리는 답입니다. 내부 데이터를 조회하지 않고 일반 지식으로 답했습니다."
    return "This is general knowledge. It does not rest on internal data."


def _citation_postprocess(asked: Asked) -> str:
    worded = [{"mark": line["mark"], "title": line["title"]} for line in asked.lines("citations")]
    return json.dumps({"citations": worded, "reasoning": "in order as they are"}, ensure_ascii=False)


SENSIBLE: Mapping[str, Answer] = {
    "policy_safety": _policy_safety,
    "intent_analysis": _intent_analysis,
    "question_asks": _question_asks,
    "query_normalization": _query_normalization,
    "agent_selection": _agent_selection,
    "query_rewrite": _query_rewrite,
    "query_decomposition": _query_decomposition,
    "execution_strategy": _execution_strategy,
    "data_sufficiency_check": _data_sufficiency_check,
    "slot_extraction": _slot_extraction,
    "keyword_extraction": _keyword_extraction,
    "tool_orchestration": _tool_orchestration,
    "execution_orchestration": _execution_orchestration,
    "execution_review": _execution_review,
    "conversation_summary": _conversation_summary,
    "agent_summary": _agent_summary,
    "response_synthesis": _response_synthesis,
    "citation_postprocess": _citation_postprocess,
    "general_knowledge": _general_knowledge,
}
"""A sensible answer for each prompt kind."""
