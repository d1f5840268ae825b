"""Which of a step's calls its branch makes, and whether the other branch should run once. Pure.

SQL      the sources of rows; GRAPH   the sources of relations; what belongs to the other branch is not called

the other branch is needed where the step could call it, no step of the plan does already, and
    this one found nothing                                       or
    this one found rows, and the question asks why without an answer from the graph
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from services.contract.agent import RunRequest
from services.contract.flow import AgentResult, AgentStatus, Branch, ToolCall
from services.plugin.agent import AgentSpec, Source
from services.text.patterns import Pattern

GRAPH_DATA: Final = "graph"
"""The kind of data that relations are."""
_WHY: Final = Pattern(
    r"왜|이유|원인|까닭|배경|때문|영향|경로|관계|요인|여파|\bwhy\b|\bcaus\w*|\breasons?\b|\bdriv(?:e|es|en|ing|ers?)\b|\bbecause\b"
    r"|\bimpacts?\b|\baffect\w*|\brelations?\w*|\bbehind\b|\bexplain\b",
    re.IGNORECASE,
)
_FOUND_NOTHING: Final = {AgentStatus.INSUFFICIENT_DATA, AgentStatus.FAILED}


def calls_of_branch(spec: AgentSpec, asked: RunRequest) -> tuple[ToolCall, ...]:
    """Return the calls that the step's branch makes, in order; of supplements those that its countries need."""
    branch, countries = _branch(asked), countries_of(asked)
    return tuple(
        call
        for call, source in _known(spec, asked.calls)
        if _is_made(source, branch, countries) and _names_something(source, call)
    )


def countries_of(asked: RunRequest) -> tuple[str, ...]:
    """Return the countries that a question concerns: those of the route, of what it names and of what is read.

    Where none is said, the reader's language says it.
    """
    entities = asked.route.entities
    found = [
        *asked.route.country_scope,
        *(one.attributes["country"] for one in entities if "country" in one.attributes),
    ]
    found += ["KR"] if any(b'"KR_' in call.arguments_json for call in asked.calls) else []
    return tuple(dict.fromkeys(found)) or (("KR",) if asked.run.locale == "ko" else ("US",))


def needs_companion(spec: AgentSpec, asked: RunRequest, result: AgentResult) -> bool:
    """Tell whether the opposite branch should run once, by the rule above."""
    other = Branch.GRAPH if _branch(asked) is Branch.SQL else Branch.SQL
    offered = (*asked.calls, *asked.step.suggested_calls)
    other_calls = [
        call
        for call, one in _known(spec, offered)
        if one.branch is other and not one.supplement and _names_something(one, call)
    ]
    if not other_calls:
        return False
    if asked.route.sql_need and asked.route.graph_need:
        return False
    if result.status in _FOUND_NOTHING:
        return True
    return other is Branch.GRAPH and asks_why(asked.step.sub_question or asked.question) and not _has_relations(asked)


def asks_why(question: str) -> bool:
    """Tell whether a question asks for causes or relations."""
    return _WHY.search(question) is not None


def _branch(asked: RunRequest) -> Branch:
    return Branch.GRAPH if asked.step.branch is Branch.GRAPH else Branch.SQL


def _known(spec: AgentSpec, calls: tuple[ToolCall, ...]) -> Iterator[tuple[ToolCall, Source]]:
    for call in calls:
        source = spec.source(call.tool)
        if source is not None:
            yield call, source


def _is_made(source: Source, branch: Branch, countries: tuple[str, ...]) -> bool:
    return source.branch is branch and (not source.country or source.country in countries)


def _names_something(source: Source, call: ToolCall) -> bool:
    """Tell whether a call on the graph names a node to begin at, or holds a statement.

    Arguments that are no object pass: it is the gateway that refuses them.
    """
    needed = (source.statement,) if source.statement else source.identifiers
    if source.branch is not Branch.GRAPH or not needed:
        return True
    try:
        arguments = json.loads(call.arguments_json)
    except ValueError:
        return True
    return not isinstance(arguments, dict) or any(arguments.get(name) for name in needed)


def _has_relations(asked: RunRequest) -> bool:
    return any(piece.data_type == GRAPH_DATA for result in asked.prior_results for piece in result.evidence)
