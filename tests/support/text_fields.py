"""Every text that a model may write, by prompt and field, and where it may go; found in the prompts themselves.

record      the decision's own record, which tells what the model said, and what was left out
chosen      one of what was offered: an id that is told by our own name for it, or not at all
restated    a model's wording of what was said, which stands only where it says nothing else
checked     held sentence by sentence against what was found
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final

import prompts
from prompts.prompt import BasePrompt, Prompt


class Use(Enum):
    """What becomes of a text that a model writes."""

    RECORD = "record"
    CHOSEN = "chosen"
    RESTATED = "restated"
    CHECKED = "checked"


USES: Final[Mapping[str, Use]] = {
    "agent_selection:steps[].agent": Use.CHOSEN,
    "agent_selection:steps[].task": Use.RESTATED,
    "agent_selection:reasoning": Use.RECORD,
    "agent_summary:summary": Use.CHECKED,
    "agent_summary:key_drivers[]": Use.CHECKED,
    "citation_postprocess:citations[].mark": Use.CHOSEN,
    "citation_postprocess:citations[].title": Use.RESTATED,
    "citation_postprocess:reasoning": Use.RECORD,
    "conversation_summary:asked": Use.RESTATED,
    "conversation_summary:answered": Use.RESTATED,
    "conversation_summary:reasoning": Use.RECORD,
    "data_sufficiency_check:missing_types[]": Use.CHOSEN,
    "data_sufficiency_check:reasoning": Use.RECORD,
    "execution_orchestration:next_agent": Use.CHOSEN,
    "execution_orchestration:task": Use.RESTATED,
    "execution_orchestration:primary": Use.CHOSEN,
    "execution_orchestration:supporting": Use.CHOSEN,
    "execution_orchestration:collaboration_type": Use.RECORD,
    "execution_orchestration:reasoning": Use.RECORD,
    "execution_review:missing[]": Use.CHOSEN,
    "execution_review:reasoning": Use.RECORD,
    "execution_strategy:reasoning": Use.RECORD,
    "general_knowledge:": Use.CHECKED,
    "intent_analysis:domain": Use.CHOSEN,
    "intent_analysis:intent": Use.CHOSEN,
    "intent_analysis:alternatives[].intent": Use.CHOSEN,
    "intent_analysis:reasoning": Use.RECORD,
    "keyword_extraction:keywords[]": Use.RESTATED,
    "keyword_extraction:reasoning": Use.RECORD,
    "policy_safety:reason": Use.RECORD,
    "policy_safety:tags[]": Use.CHOSEN,
    "query_decomposition:steps[].agent": Use.CHOSEN,
    "query_decomposition:steps[].sub_question": Use.RESTATED,
    "query_decomposition:steps[].condition": Use.RESTATED,
    "query_decomposition:reasoning": Use.RECORD,
    "query_normalization:normalised_question": Use.RESTATED,
    "query_normalization:reasoning": Use.RECORD,
    "query_rewrite:rewritten_question": Use.RESTATED,
    "query_rewrite:reasoning": Use.RECORD,
    "question_asks:asks[].words": Use.CHOSEN,
    "question_asks:asks[].request": Use.RESTATED,
    "question_asks:reasoning": Use.RECORD,
    "response_synthesis:": Use.CHECKED,
    "slot_extraction:value": Use.RESTATED,
    "slot_extraction:reasoning": Use.RECORD,
    "tool_orchestration:calls[].tool": Use.CHOSEN,
    "tool_orchestration:calls[].arguments": Use.CHOSEN,
    "tool_orchestration:skipped[].tool": Use.CHOSEN,
    "tool_orchestration:skipped[].reason": Use.RECORD,
    "tool_orchestration:reasoning": Use.RECORD,
}
"""What becomes of each; a field without an entry fails a test: whoever adds one says where it may go."""


def every_prompt() -> Iterator[BasePrompt[Any]]:
    """Yields every prompt that there is."""
    for found in pkgutil.walk_packages(prompts.__path__, "prompts."):
        prompt = getattr(importlib.import_module(found.name), "PROMPT", None)
        if isinstance(prompt, BasePrompt):
            yield prompt


def text_fields() -> set[str]:
    """Returns every text that a model may write; a streamed text has no field."""
    found = set()
    for prompt in every_prompt():
        if isinstance(prompt, Prompt):
            schema = prompt.output.json_schema()
            found |= {f"{prompt.kind}:{path}" for path in _texts(schema, schema.get("$defs", {}), "")}
        else:
            found.add(f"{prompt.kind}:")
    return found


def _texts(node: Mapping[str, Any], definitions: Mapping[str, Any], path: str) -> Iterator[str]:
    if reference := node.get("$ref"):
        yield from _texts(definitions[reference.rsplit("/", 1)[-1]], definitions, path)
    for part in (*node.get("anyOf", ()), *node.get("allOf", ())):
        yield from _texts(part, definitions, path)
    if node.get("type") == "string" and "enum" not in node and "const" not in node:
        yield path
    if "items" in node:
        yield from _texts(node["items"], definitions, f"{path}[]")
    for name, part in node.get("properties", {}).items():
        yield from _texts(part, definitions, f"{path}.{name}".lstrip("."))


def filled(document: Any, wanted: Mapping[str, Any], path: str = "") -> Any:
    """Returns a decision with the texts of some fields replaced, by their paths; a list that was empty gets one."""
    if isinstance(document, dict):
        return {name: filled(one, wanted, f"{path}.{name}".lstrip(".")) for name, one in document.items()}
    if isinstance(document, list):
        items = document or ([""] if f"{path}[]" in wanted else [])
        return [filled(one, wanted, f"{path}[]") for one in items]
    return wanted.get(path, document)
